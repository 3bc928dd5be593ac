/** EDGAR's indexes: master.idx and form.idx of every quarter, and the last year's daily form indexes. Rows wait on disk, so that a big sample needs no more memory than a small one. */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compactDay, isoDay, longDay, quarterOf, shortDay, yearOf } from './calendar.ts';
import { headerName } from './envelope.ts';
import type { Submission } from './filing.ts';

const FLUSH_ROWS = 20_000;

interface IndexRow {
  cik: string;
  name: string;
  form: string;
  filed: number;
  path: string;
}

export class IndexSpool {
  readonly #folder: string;
  readonly #waiting = new Map<string, string[]>();
  readonly #quarters = new Set<string>();
  #rows = 0;

  /** @param folder for rows in waiting; made, and removed by `files` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** An index has a line for each party of a filing. */
  add(submission: Submission): void {
    const { filed, form, accessionNumber } = submission;
    const quarter = `${yearOf(filed)}-${quarterOf(filed)}`;
    const rows = this.#waiting.get(quarter) ?? [];
    this.#waiting.set(quarter, rows);
    const seen = new Set<string>();
    for (const { entity } of submission.parties) {
      if (seen.has(entity.cik)) continue;
      seen.add(entity.cik);
      const row: IndexRow = {
        cik: entity.cik,
        name: headerName(entity, submission.plan.company.style),
        form,
        filed,
        path: `edgar/data/${entity.cik}/${accessionNumber}.txt`,
      };
      rows.push(JSON.stringify(row));
      this.#rows++;
    }
    if (this.#rows >= FLUSH_ROWS) this.#flush();
  }

  #flush(): void {
    mkdirSync(this.#folder, { recursive: true });
    for (const [quarter, rows] of this.#waiting) {
      appendFileSync(join(this.#folder, quarter), `${rows.join('\n')}\n`);
      this.#quarters.add(quarter);
    }
    this.#waiting.clear();
    this.#rows = 0;
  }

  /** @param dailyYear the year whose days get indexes of their own */
  *files(dailyYear: number): Generator<{ path: string; bytes: Buffer }> {
    this.#flush();
    for (const quarter of [...this.#quarters].sort()) {
      const [year, number] = quarter.split('-') as [string, string];
      const rows = readFileSync(join(this.#folder, quarter), 'latin1')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as IndexRow);
      const folder = `${year}/QTR${number}`;
      const last = Math.max(...rows.map((row) => row.filed));
      // Texts are ordered by code units, as EDGAR's own are.
      const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
      rows.sort((a, b) => order(a.cik, b.cik) || order(a.form, b.form) || a.filed - b.filed || order(a.path, b.path));
      yield { path: `full-index/${folder}/master.idx`, bytes: masterIndex(rows, last) };
      rows.sort((a, b) => order(a.form, b.form) || order(a.name, b.name) || a.filed - b.filed || order(a.path, b.path));
      yield { path: `full-index/${folder}/form.idx`, bytes: formIndex(rows, longDay(last), false) };
      if (Number(year) !== dailyYear) continue;
      for (const [day, ofDay] of Map.groupBy(rows, (row) => row.filed)) {
        yield {
          path: `daily-index/${folder}/form.${compactDay(day)}.idx`,
          bytes: formIndex(ofDay, shortDay(day), true),
        };
      }
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function head(description: string, received: string, more: string): string {
  return `Description:           ${description}\nLast Data Received:    ${received}\nComments:              webmaster@sec.gov\nAnonymous FTP:         ftp://ftp.sec.gov/edgar/\n${more}`;
}

function masterIndex(rows: readonly IndexRow[], last: number): Buffer {
  const lines = rows.map((r) => `${r.cik}|${r.name}|${r.form}|${isoDay(r.filed)}|${r.path}\n`);
  return Buffer.from(
    `${head('Master Index of EDGAR Dissemination Feed', longDay(last), 'Cloud HTTP:            https://www.sec.gov/Archives/\n\n \n \n \n')}CIK|Company Name|Form Type|Date Filed|Filename\n${'-'.repeat(80)}\n${lines.join('')}`,
    'latin1',
  );
}

function formIndex(rows: readonly IndexRow[], received: string, daily: boolean): Buffer {
  const description = `${daily ? 'Daily' : 'Master'} Index of EDGAR Dissemination Feed by Form Type`;
  const lines = rows.map(
    (r) =>
      `${r.form.padEnd(12)}${r.name.padEnd(62)}${r.cik.padEnd(12)}${(daily ? compactDay(r.filed) : isoDay(r.filed)).padEnd(12)}${daily ? r.path.padEnd(52) : r.path}\n`,
  );
  const blank = daily ? ' \n \n \n \n' : '\n\n\n\n';
  return Buffer.from(
    `${head(description, received, blank)}${'Form Type'.padEnd(12)}${'Company Name'.padEnd(62)}${'CIK'.padEnd(12)}Date Filed  File Name\n${'-'.repeat(141)}\n${lines.join('')}`,
    'latin1',
  );
}
