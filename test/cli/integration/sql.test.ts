import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { tableText } from '../../../src/cli/terminal/result-table.ts';
import { type Cell, openLake, type QueryResult } from '../../../src/lake/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let parent: string;
let folder: string;

beforeAll(async () => {
  parent = temporaryFolder();
  folder = path.join(parent, 'lake');
  const lake = await openLake(folder, { create: true });
  await bring(lake, { batch: 'b0' }, filingRows(1));
  await bring(lake, { batch: 'b1' }, together(filingRows(2), filingRows(3)));
  await lake.close();
});

async function filinglake(args: string[], options: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = await commandLine(args, { cwd: parent, ...options });
  return { status, stdout, stderr };
}

describe('filinglake sql', () => {
  it('queries ./lake by default, or the working folder if it is a lake', async () => {
    const query = 'SELECT accession_number, cik FROM filings ORDER BY 1';
    const expected = `accession_number\tcik\n${[1, 2, 3].map((n) => `${accession(n)}\t${n}\n`).join('')}`;
    expect(await filinglake(['sql', query])).toEqual({ status: 0, stdout: expected, stderr: '' });
    expect((await filinglake(['sql', query], { cwd: folder })).stdout).toBe(expected);
  });

  it('reads files without a lake, and says of a table that there is none', async () => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'x.csv'), 'a,b\n1,2\n');
    expect(await filinglake(['sql', "FROM 'x.csv'"], { cwd })).toEqual({
      status: 0,
      stdout: 'a\tb\n1\t2\n',
      stderr: '',
    });
    for (const words of [
      ['FROM filings'],
      ['FROM nothing'],
      ["FROM 'x.csv'", '--lake', 'none'],
      ['SELECT 1', '--at', '1'],
    ])
      expect((await filinglake(['sql', ...words], { cwd })).stderr).toContain('there is no lake in');
    expect(readdirSync(cwd)).toEqual(['x.csv']);
  });

  it('takes the query from standard input or a file, and answers as JSON or CSV, at any version', async () => {
    const input = 'SELECT count(*) AS n, NULL AS nothing FROM filings';
    expect(JSON.parse((await filinglake(['sql', '-', '--format', 'json'], { input })).stdout)).toEqual([
      { n: 3, nothing: null },
    ]);
    expect(JSON.parse((await filinglake(['sql', input, '--json'])).stdout)).toEqual([{ n: 3, nothing: null }]);
    for (const comment of ['-- how many\n', '--how many\n', '--\n'])
      expect((await filinglake(['sql', `${comment}SELECT count(*) AS n FROM filings`, '--json'])).stdout).toBe(
        '[\n{"n": 3}\n]\n',
      );
    expect((await filinglake(['sql', '--jsn', input])).stderr).toContain("unknown option '--jsn'");
    const file = path.join(parent, 'query.sql');
    writeFileSync(file, input);
    expect((await filinglake(['sql', '--file', file, '--format', 'csv', '--at', '0'])).stdout).toBe('n,nothing\n1,\n');
  });

  it('queries the lake at a time, which must have a zone', async () => {
    const count = (at: string) =>
      filinglake(['sql', 'SELECT count(*) AS n FROM filings', '--format', 'csv', '--at', at]);
    expect((await count('2999-01-01T00:00:00-05:00')).stdout).toBe('n\n3\n');
    const early = await count('1999-01-01T00:00:00Z');
    expect(early.status).toBe(2);
    expect(early.stderr).toContain('the lake had no version at 1999-01-01T00:00:00.000Z');
    for (const at of ['2026-01-01T00:00:00', '2026-13-01']) {
      expect(await count(at), at).toMatchObject({ status: 2, stdout: '' });
    }
  });

  it('exits with 2 and the position of a mistake in SQL', async () => {
    const { status, stdout, stderr } = await filinglake(['sql', 'SELECT form FROM filings']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/"form" not found[\s\S]*LINE 1: SELECT form FROM filings\n\s+\^/);
  });

  it('prints Arrow and Parquet to a pipe or a file, which appears only when it is complete', async () => {
    const query = 'SELECT accession_number, cik FROM filings ORDER BY 1';
    const file = path.join(parent, 'filings.parquet');
    expect(await filinglake(['sql', query, '--format', 'parquet', '--output', file])).toMatchObject({
      status: 0,
      stdout: '',
    });
    const back = (await filinglake(['sql', `SELECT * FROM read_parquet('${file}')`, '--format', 'csv'])).stdout;
    expect(back).toBe((await filinglake(['sql', query, '--format', 'csv'])).stdout);
    const piped = (await commandLine(['sql', query, '--format', 'parquet'], { cwd: parent })).bytes;
    expect([piped.subarray(0, 4).toString(), piped.length]).toEqual(['PAR1', statSync(file).size]);
    const arrow = (await commandLine(['sql', query, '--format', 'arrow'], { cwd: parent })).bytes;
    expect(
      tableFromIPC(arrow)
        .toArray()
        .map((row) => row.toJSON().cik),
    ).toEqual(['1', '2', '3']);
    const broken = await filinglake(['sql', "SELECT error('late') FROM filings", '--format', 'csv', '--output', file]);
    expect(broken.status).toBe(2);
    expect((await filinglake(['sql', 'SELECT FROM', '--format', 'parquet', '--output', file])).status).toBe(2);
    expect(statSync(file).size).toBe(piped.length);
    expect(readdirSync(parent).filter((name) => name.startsWith('filings'))).toEqual(['filings.parquet']);
    expect(await filinglake(['sql', query, '--output', path.join(parent, 'no', 'x')])).toMatchObject({ status: 2 });
  });

  it('writes sums of whole numbers into Parquet with every digit', async () => {
    const file = path.join(parent, 'sums.parquet');
    const query = 'SELECT sum(n)::HUGEINT AS "a sum", 1 AS n FROM (VALUES (9007199254740993::BIGINT)) AS t(n) -- all';
    expect((await filinglake(['sql', query, '--output', file])).status).toBe(0);
    const back = `SELECT typeof("a sum") AS kind, "a sum"::VARCHAR AS digits, n FROM read_parquet('${file}')`;
    expect(JSON.parse((await filinglake(['sql', back, '--json'])).stdout)).toEqual([
      { kind: 'DECIMAL(38,0)', digits: '9007199254740993', n: 1 },
    ]);
  });

  it('ends with 2 without a query or a lake', async () => {
    expect(await filinglake(['sql'])).toMatchObject({ status: 2 });
    const none = await filinglake(['sql', 'SELECT 1', '--lake', 'nowhere']);
    expect(none.status).toBe(2);
    expect(none.stderr).toContain('there is no lake in');
  });
});

describe('filinglake lake', () => {
  it('check exits with 0 for a sound lake and with 1 for another, with its problems', async () => {
    const whole = await filinglake(['lake', 'check', '--json']);
    expect(whole.status).toBe(0);
    expect(JSON.parse(whole.stdout)).toMatchObject({
      ok: true,
      version: 1,
      problems: [],
      tables: { filings: { rows: 3 } },
    });
    const broken = path.join(temporaryFolder(), 'broken');
    const lake = await openLake(broken, { create: true });
    await bring(lake, { batch: 'b0' }, filingRows(1));
    const [part] = [...(await lake.snapshot()).tables.get('coverage')!.parts.keys()];
    await lake.close();
    rmSync(path.join(broken, 'coverage', part!));
    const { status, stdout } = await filinglake(['lake', 'check', '--lake', broken]);
    expect(status).toBe(1);
    expect(stdout).toContain(`wrong: coverage/${part} is missing (1 row)`);
    expect(stdout).toMatch(/^table .*(?:\n\w+ +[1-9].*)+\n\d+ tables without rows: entities, /);
  });

  it('log and versions tell the history, newest first', async () => {
    const log = JSON.parse((await filinglake(['lake', 'log', '--json'])).stdout) as {
      version: number;
      batch_id: string;
    }[];
    expect(log.map(({ version, batch_id }) => [version, batch_id])).toEqual([
      [1, 'b1'],
      [0, 'b0'],
    ]);
    const versions = (await filinglake(['lake', 'log', '--delta', '--json', '--limit', '1'])).stdout;
    expect(JSON.parse(versions)).toMatchObject([{ version: 1, delta: { filings: 2, entities: 0 } }]);
    expect((await filinglake(['lake', 'log', '--limit', 'x'])).status).toBe(2);
  });

  it('lists the run of each version: by the export’s name once the run has ended, in lines that fit a terminal', async () => {
    const named = path.join(parent, 'named');
    const lake = await openLake(named, { create: true });
    const ended = { run_id: 'r1', export: 'annual-reports', state: 'completed', ended_at: '2024-03-01T00:00:00Z' };
    await bring(lake, { run: 'r1', batch: 'b0' }, filingRows(1));
    await bring(lake, { run: 'r1', batch: 'finish' }, { export_runs: [ended] });
    await bring(lake, { run: 'r2', batch: 'b0' }, filingRows(2));
    await lake.close();
    for (const option of ['--json', '--delta']) {
      const said = await filinglake(['lake', 'log', option, '--lake', named, '--json']);
      const entries = JSON.parse(said.stdout) as object[];
      expect(entries).toMatchObject([
        { version: 2, run_id: 'r2', export: null },
        { version: 1, run_id: 'r1', export: 'annual-reports' },
        { version: 0, run_id: 'r1', export: 'annual-reports' },
      ]);
    }
    expect((await filinglake(['lake', 'log', '--lake', named])).stdout).toMatch(
      /\n +0 {2}20[-0-9]+ [:0-9]+ {2}annual-reports +4 /,
    );
    const versions = (await filinglake(['lake', 'log', '--delta', '--lake', named])).stdout.split('\n');
    expect(versions[2]).toMatch(/^ +1 {2}20[-0-9]+ [:0-9]+ {2}annual-reports {2}r1$/);
    expect(versions[5]).toMatch(/^Delta version of +2 {2}1 {2}0$/);
    for (const line of versions) expect(line.length).toBeLessThan(80);
  });
});

describe('the upkeep of a lake', () => {
  it('is lake compact, which merges many parts into few, and lake vacuum, which lists what it would delete', async () => {
    const kept = path.join(temporaryFolder(), 'kept');
    const lake = await openLake(kept, { create: true });
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.dropStaging('run');
    await lake.close();
    const compacted = await filinglake(['lake', 'compact', 'filings', '--lake', kept, '--json']);
    expect(JSON.parse(compacted.stdout)).toMatchObject({
      version: 3,
      commits: 1,
      tables: { filings: { parts_before: 3, parts_after: 1 } },
    });
    expect((await filinglake(['lake', 'compact', '--lake', kept])).stdout).toContain('version 4: 6 parts became 2');
    expect(await filinglake(['lake', 'compact', 'fillings', '--lake', kept])).toMatchObject({ status: 2 });
    const part = path.join(kept, 'filings', 'part-00000000-0000-4000-8000-000000000001.zstd.parquet');
    writeFileSync(part, 'left');
    utimesSync(part, new Date(0), new Date(0));
    const dry = await filinglake(['lake', 'vacuum', '--dry-run', '--lake', kept]);
    expect(dry.stdout).toMatch(/parts of filings +1 +4 B/);
    expect(dry.stdout).toContain('1 file (4 B) would be removed');
    expect(dry.stdout).toContain('readable: the newest version, and all that were the newest at some moment since 20');
    const done = await filinglake(['lake', 'vacuum', '--keep', '36h', '--lake', kept, '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ dry_run: false, parts: { filings: { files: 1, bytes: 4 } } });
    expect(existsSync(part)).toBe(false);
    const nothing = (await filinglake(['lake', 'vacuum', '--keep', '0h', '--lake', kept])).stdout;
    expect(nothing).toContain(': nothing to remove\n');
    expect(nothing).toContain('certainly readable: only the newest version\nfiles younger than a day stay, whatever');
    expect((await filinglake(['lake', 'vacuum', '--keep', '7', '--lake', kept])).status).toBe(2);
  });
});

describe('filinglake lake repair', () => {
  it('shows what it would do, and does it with --yes; an error of a lost part names it and the command', {
    timeout: 120_000,
  }, async () => {
    const torn = path.join(temporaryFolder(), 'torn');
    const lake = await openLake(torn, { create: true });
    for (let n = 1; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const [part] = [...(await lake.snapshot()).tables.get('filings')!.parts.keys()];
    await lake.close();
    rmSync(path.join(torn, 'filings', part!));
    const asked = await filinglake(['sql', 'SELECT * FROM filings', '--lake', torn]);
    expect(asked.status).toBe(1);
    expect(asked.stderr).toContain(`error: part filings/${part} is missing`);
    expect(asked.stderr).toContain('`filinglake lake repair`');
    const shown = await filinglake(['lake', 'repair', '--lake', torn]);
    expect(shown.status).toBe(1);
    expect(shown.stdout).toMatch(new RegExp(`filings/${part} +1 +is missing`));
    expect(shown.stdout).toContain('1 part would be dropped');
    expect(shown.stdout).toContain('version 1: nothing was changed\nRun `filinglake lake repair --yes` to do it.');
    const json = JSON.parse((await filinglake(['lake', 'repair', '--lake', torn, '--json'])).stdout) as object;
    expect(json).toMatchObject({ dry_run: true, version: 1, lost: [{ table: 'filings', part, rows: 1 }] });
    const done = await filinglake(['lake', 'repair', '--lake', torn, '--yes']);
    expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining('version 2: repaired') as string });
    expect(
      (await filinglake(['sql', 'SELECT count(*) AS n FROM filings', '--lake', torn, '--format', 'csv'])).stdout,
    ).toBe('n\n1\n');
    const again = await filinglake(['lake', 'repair', '--lake', torn]);
    // No export has run since, and this check misses the row.
    expect(again.stdout).toContain('left to the next export: 1 accession_number of documents');
    expect(again.stdout).toContain('version 2: nothing to repair');
    expect((await filinglake(['lake', 'repair', '--lake', torn, '--yes', '--dry-run'])).status).toBe(2);
  });
});

describe('filinglake schema', () => {
  it('prints one table or all, for people or scripts', async () => {
    expect((await filinglake(['schema', 'filings'])).stdout).toMatch(/accession_number +VARCHAR +key/);
    const tables = JSON.parse((await filinglake(['schema', '--json'])).stdout) as { name: string }[];
    expect(tables.map(({ name }) => name)).toEqual(TABLES.map(({ name }) => name));
    expect(await filinglake(['schema', 'filling'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'filings'") as string,
    });
  });
});

describe('a table on a terminal', () => {
  function result(types: Record<string, string>, rows: Cell[][]): QueryResult {
    return {
      version: 0,
      columns: Object.entries(types).map(([name, type]) => ({ name, type })),
      async *chunks() {
        for (let at = 0; at < rows.length; at += 100) yield rows.slice(at, at + 100);
      },
      async *arrow() {},
      close() {},
      async [Symbol.asyncDispose]() {},
    };
  }
  async function lines(from: QueryResult, screen: number | null): Promise<string[]> {
    let text = '';
    for await (const chunk of tableText(from, screen)) text += chunk;
    return text.trimEnd().split('\n');
  }

  it('cuts the widest cells to fit, keeps each row on a line and control characters off', async () => {
    const wide = result({ id: 'BIGINT', text: 'VARCHAR' }, [[7, `Item 1.\n\nBusiness \u001b[31m${'x'.repeat(300)}`]]);
    const [, row] = await lines(wide, 40);
    expect(row).toHaveLength(40);
    expect(row).toMatch(/^ *7 {2}Item 1\. ↵ Business {2}\[31mx+…$/);
  });

  it('keeps keys whole, and names the columns that then do not fit', async () => {
    const names = ['key', 'name', 'text', 'url', 'n'];
    const row = ['0000320193-24-000123-104', 'x'.repeat(30), 'y'.repeat(200), 'https://www.sec.gov/Archives/edgar', 1];
    const of = result(Object.fromEntries(names.map((name) => [name, name === 'n' ? 'INTEGER' : 'VARCHAR'])), [row]);
    const [head, shown, hidden] = await lines(of, 76);
    expect(head!.split(/ +/)).toEqual(['key', 'name', 'text']);
    expect(shown!.split(/ +/)).toEqual([row[0], `${'x'.repeat(23)}…`, `${'y'.repeat(23)}…`]);
    expect(hidden).toBe('3 of 5 columns fit here: not url, n');
    expect(await lines(of, 10)).toEqual(['key', '000032019…', '1 of 5 columns fit here: not name, text, url, n']);
    expect((await lines(of, 400)).length).toBe(2);
  });

  it('cuts and pads nothing in a pipe, has a tab between cells, and prints every row of many', async () => {
    const rows = Array.from({ length: 1234 }, (_, n) => [n, n % 2 === 0 ? null : 'x'.repeat(n % 7)]);
    const all = await lines(result({ n: 'INTEGER', text: 'VARCHAR' }, rows), null);
    expect(all).toHaveLength(1235);
    expect(all[0]).toBe('n\ttext');
    expect(all[1]).toBe('0\t');
    expect(all.at(-1)).toBe('1233\tx');
    const long = await lines(
      result({ text: 'VARCHAR', n: 'INTEGER' }, [
        ['x'.repeat(10_000), 1],
        ['a\tb', 2],
      ]),
      null,
    );
    expect(long[2]).toBe('a b\t2');
  });

  it('prints only a header if there are no rows', async () => {
    expect(await lines(result({ a: 'INTEGER', b: 'VARCHAR' }, []), 80)).toEqual(['a  b']);
  });
});

describe('the format of a file', () => {
  it('is that of its name, and a name of no format is refused before anything is written', async () => {
    const query = ['sql', 'SELECT accession_number FROM filings ORDER BY 1'];
    const lines = path.join(parent, 'rows.jsonl');
    expect((await filinglake([...query, '--output', lines])).status).toBe(0);
    expect(readFileSync(lines, 'utf8')).toBe(
      [1, 2, 3].map((n) => `{"accession_number": "${accession(n)}"}\n`).join(''),
    );
    for (const name of ['rows.dta', 'rows.xlsx', 'rows.feather', 'rows.csv.gz']) {
      const { status, stderr } = await filinglake([...query, '--output', path.join(parent, name)]);
      expect([status, stderr]).toEqual([2, expect.stringContaining('.jsonl, .ndjson, .csv')]);
      expect(existsSync(path.join(parent, name))).toBe(false);
    }
    const named = await filinglake([...query, '--format', 'csv', '--output', path.join(parent, 'rows.data')]);
    expect(named.status).toBe(0);
  });
});

describe('views', () => {
  it('are in SHOW TABLES beside the tables', async () => {
    const { stdout } = await filinglake(['sql', 'SHOW TABLES']);
    const names = stdout.split('\n');
    expect(names).toEqual(expect.arrayContaining(['filings', 'company_names', 'section_years', 'places']));
  });

  it.each([
    ['f13_positions', /filer_cik +VARCHAR/],
    ['facts_as_of', /facts_as_of\(moment\)\n/],
    ['sec345.NONDERIV_TRANS', /NONDERIV_TRANS_SK/],
    ['ownership', /ownership_reports\n[\s\S]*ownership_signatures\n/],
    ['items', /^revenue +income +money +total revenue[\s\S]*^deposits +balance +money +bank /m],
  ])('are described by schema %s', async (name, expected) => {
    expect((await filinglake(['schema', name])).stdout).toMatch(expected);
  });

  it('are in the list of schema, and a wrong name gets the nearest', async () => {
    const { stdout } = await filinglake(['schema']);
    for (const name of ['filings', 'ownership', 'coverage', 'f13_positions', 'sec345'])
      expect(stdout).toContain(`\n  ${name} `);
    const { status, stderr } = await filinglake(['schema', 'f13_position']);
    expect([status, stderr]).toEqual([2, expect.stringContaining("did you mean 'f13_positions'?")]);
  });
});

describe('a table that no export has asked for', () => {
  it('is named beside its 0 rows, and not if an export asked for it', async () => {
    const asked = path.join(parent, 'asked');
    const lake = await openLake(asked, { create: true });
    const definition = JSON.stringify({ tables: ['filings', 'items_8k'] });
    await bring(lake, { batch: 'b0' }, together(filingRows(1), { export_runs: [{ run_id: 'r', definition }] }));
    await lake.close();
    const ask = (table: string) => filinglake(['sql', `SELECT count(*) AS n FROM ${table}`, '--lake', asked]);
    expect(await ask('risk_factors')).toMatchObject({
      stdout: 'n\n0\n',
      stderr: 'note: no export of this lake has asked for risk_factors: add it to `tables` of the definition\n',
    });
    for (const table of ['items_8k', 'filings']) expect((await ask(table)).stderr).toBe('');
  });
});
