/** A lake that lost parts, repaired, and exported again: the lost rows are fetched, and nothing else. */
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseUnmetDefinition } from '../../../../src/cli/terminal/met-definition.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake, repairLake } from '../../../../src/lake/report/index.ts';
import { TABLES } from '../../../../src/lake/tables/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, listedSection } from '../../../support/pipeline/activity-harness.ts';
import {
  accessionNumber,
  definitionOf,
  filingOfLookup,
  infoOf,
  LakeOfRuns,
  partyOf,
} from '../../../support/pipeline/lake-of-runs.ts';

const FORMS = ['10-K', '8-K', '4', '10-Q'] as const;
const TABLES_WANTED =
  'filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents';
const definition = definitionOf(TABLES_WANTED, 'documents: { types: [EX-1] }', '{}');
const filingOf = (n: number) => filingOfLookup(n, { form_type: FORMS[n % 4]! });
const numberOf = (accession: string) => Number(accession.slice(14, 20));

/** Answers for every filing, and records its requests. */
function service() {
  const asked: string[] = [];
  const note = (what: string, of: string) => {
    asked.push(`${what} ${numberOf(of)}`);
    return numberOf(of);
  };
  const exhibits = [{ exhibit: '99.1', description: null, document_id: null }];
  const client = clientOf({
    info: (accession) => {
      const n = note('info', accession);
      const filing = filingOf(n);
      return {
        ...infoOf(filing),
        parties: [partyOf('1', `party ${n}`)],
        sections: filing.form_type!.startsWith('10-') ? [{ ...listedSection('1A'), end_index: n }] : [],
        items_8k: filing.form_type === '8-K' ? [{ item: '2.02', title: `${n}`, exhibits }] : null,
      };
    },
    sections: (accession) => {
      note('sections', accession);
      return ['1A', '7'].map((code) => [code, `<p>${code}</p>`] as const);
    },
    document: (id) => {
      note('document', id);
      return id;
    },
  });
  return { asked, client };
}

const GROUP = [5, 6, 7, 8];
const ALL = [1, 2, 3, 4, ...GROUP, 9, 10, 11, 12];

let exports = 0;

/** @param ends whether the run's end is recorded */
async function exportAll(lake: Lake, ends = false): Promise<string[]> {
  const runs = new LakeOfRuns(lake, `export-${++exports}-`);
  const { asked, client } = service();
  const groups = [ALL.slice(0, 4), GROUP, ALL.slice(8)];
  for (const [i, numbers] of groups.entries()) {
    const window = { id: 'w', filter: {}, today: '2024-06-30', inexact: null };
    // A proven window without the other filings would be a sign that they were removed.
    const read = { promised: 4, found: 4, proven: false };
    const planned = await runs.lookUp(definition, { records: numbers.map(filingOf) }, { record: { window, read } });
    await runs.fetch(planned, client);
    expect(i).toBeLessThan(3);
  }
  if (ends) await runs.end();
  return asked.sort();
}

const FILING_TABLES = [...TABLES_WANTED.split(', '), 'coverage'];
const UNTIMED = '* EXCLUDE (fetched_at, run_id)';

async function contents(lake: Lake): Promise<Record<string, unknown>> {
  const of = async (table: string) =>
    lake.query(`SELECT ${table === 'coverage' ? UNTIMED : '*'} FROM ${table} ORDER BY ALL`);
  const all = await Promise.all(FILING_TABLES.map(async (table) => [table, await of(table)] as const));
  return Object.fromEntries(all);
}

let template: string;
let before: Record<string, unknown>;
beforeAll(async () => {
  template = temporaryFolder();
  const lake = await openLake(template, { create: true });
  await exportAll(lake);
  expect(await exportAll(lake)).toEqual([]);
  before = await contents(lake);
  for (const table of FILING_TABLES) expect((before[table] as unknown[]).length, table).toBeGreaterThan(0);
  expect((await checkLake(lake)).problems).toEqual([]);
  await lake.close();
});

const open: Lake[] = [];
afterAll(() => Promise.all(open.map((lake) => lake.close())));

async function copyOf(): Promise<Lake> {
  const folder = join(temporaryFolder(), 'lake');
  cpSync(template, folder, { recursive: true });
  const lake = await openLake(folder);
  open.push(lake);
  return lake;
}

/** Parts of a table with rows of the group's filings. */
async function partsOfGroup(lake: Lake, table: string): Promise<string[]> {
  const { parts } = (await lake.snapshot()).tables.get(table)!;
  const [first, last] = [accessionNumber(GROUP[0]!), accessionNumber(GROUP.at(-1)!)];
  return [...parts.values()]
    .filter(({ stats }) => stats.minValues.accession_number! >= first && stats.maxValues.accession_number! <= last)
    .map(({ part }) => join(lake.root, table, part));
}

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'is missing': (file) => rmSync(file),
  'is cut off': (file) => truncateSync(file, 100),
  'has other bytes in its middle': (file) => {
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4, bytes.length - 12);
    writeFileSync(file, bytes);
  },
};

const [info, ofTens, ofEights] = [
  GROUP,
  [5, 7, 8].filter((n) => FORMS[n % 4]!.startsWith('10-')),
  [5, 6, 7, 8].filter((n) => FORMS[n % 4] === '8-K'),
];
const infoOfThese = (numbers: readonly number[]) => numbers.map((n) => `info ${n}`);
const everything = [
  ...infoOfThese(info),
  ...ofTens.map((n) => `sections ${n}`),
  ...GROUP.map((n) => `document ${n}`),
].sort();
const ASKED: Readonly<Record<string, string[]>> = {
  filings: [],
  parties: infoOfThese(info),
  documents: infoOfThese(info),
  sections: infoOfThese(ofTens),
  section_contents: ofTens.map((n) => `sections ${n}`),
  items_8k: infoOfThese(ofEights),
  exhibits_8k: infoOfThese(ofEights),
  document_contents: GROUP.map((n) => `document ${n}`),
  coverage: everything,
};

/** Here one table for each kind of request; test/export/slow/pipeline/repair.test.ts takes all. */
const SAMPLE = ['filings', 'sections', 'document_contents'];
const LOST = Object.entries(ASKED).filter(([table]) => process.env.FILINGLAKE_EVERY_TABLE || SAMPLE.includes(table));

describe('a lake of which parts are lost', () => {
  it.each(LOST)('gets its lost rows of %s back by its repair and the next export', async (table, asked) => {
    // Each table in one of the ways: queries below meet all of them.
    const ways = Object.entries(DAMAGES);
    const nth = Object.keys(ASKED).indexOf(table) % ways.length;
    for (const [what, damage] of ways.slice(nth, nth + 1)) {
      const lake = await copyOf();
      const files = await partsOfGroup(lake, table);
      expect(files.length, table).toBeGreaterThan(0);
      for (const file of files) damage(file);
      const wasAt = await lake.currentVersion();

      const told = await repairLake(lake, { dryRun: true });
      expect(
        told.lost.map(({ table: of }) => of),
        what,
      ).toEqual(files.map(() => table));
      expect(await lake.currentVersion()).toBe(wasAt);

      const done = await repairLake(lake);
      expect(done, what).toMatchObject({ lost: told.lost, again: told.again, version: wasAt + 1, dry_run: false });
      const codes = (await checkLake(lake)).problems.map(({ code }) => code);
      expect(
        codes.filter((code) => code.startsWith('part') || code.startsWith('delta')),
        what,
      ).toEqual([]);

      expect(await exportAll(lake), what).toEqual([...asked].sort());
      expect(await contents(lake), `${table} ${what}`).toEqual(before);
      expect((await checkLake(lake)).problems, what).toEqual([]);
      // A second time there is nothing to do.
      expect(await repairLake(lake)).toMatchObject({ lost: [], again: { filings: 0 } });
    }
  });

  it('gets back lost rows of several tables at once, after a compaction', async () => {
    const lake = await copyOf();
    await lake.compact();
    for (const table of ['filings', 'coverage', 'parties', 'section_contents']) {
      for (const part of (await lake.snapshot()).tables.get(table)!.parts.keys()) rmSync(join(lake.root, table, part));
    }
    const { again, lost } = await repairLake(lake);
    expect(lost).toHaveLength(4);
    expect(again.filings).toBeGreaterThan(0);
    await exportAll(lake);
    expect(await contents(lake)).toEqual(before);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('is not released for its definition until another run has fetched the rows that a repair removed', async () => {
    const lake = await copyOf();
    const file = join(temporaryFolder(), 't.yaml');
    writeFileSync(file, `name: t\nselect: {}\ntables: [${TABLES_WANTED}]\ndocuments: { types: [EX-1] }\n`);
    await exportAll(lake, true);
    const ofVersion = async () => {
      const at = await lake.currentVersion();
      return refuseUnmetDefinition(lake, at, file).then(
        () => null,
        ({ message }: Error) => message,
      );
    };
    // The windows of these runs have no proof.
    expect(await ofVersion()).not.toMatch(/repair|fetched/);
    for (const table of ['document_contents', 'items_8k'])
      for (const lost of await partsOfGroup(lake, table)) rmSync(lost);
    await repairLake(lake);
    expect(await ofVersion()).toMatch(
      /a repair has removed 1 row of items_8k, 4 rows of document_contents, and no run/,
    );
    expect(await ofVersion()).toMatch(/4 steps document not fetched/);
    await exportAll(lake, true);
    expect(await ofVersion()).not.toMatch(/repair|fetched/);
  });

  it('is named with the repair command, in errors of queries and exports', async () => {
    const damages = Object.entries(DAMAGES);
    for (const [what, damage] of process.env.FILINGLAKE_EVERY_TABLE ? damages : damages.slice(0, 1)) {
      const lake = await copyOf();
      const [file] = await partsOfGroup(lake, 'coverage');
      damage(file!);
      const error = await lake.query('SELECT * FROM coverage').catch((caught: unknown) => caught);
      expect(error, what).toMatchObject({
        code: 'part-damaged',
        message: expect.stringContaining(`coverage/${file!.split('/').at(-1)}`),
      });
      expect((error as { remedy: string }).remedy).toContain('filinglake lake repair');
      await expect(exportAll(lake), what).rejects.toMatchObject({ code: 'part-damaged' });
      await expect(lake.compact(), what).rejects.toMatchObject({ code: 'part-damaged' });
    }
  });

  it('of records about runs has nothing fetched for them', async () => {
    const records = TABLES.filter(({ name }) => name.startsWith('export_'));
    for (const table of process.env.FILINGLAKE_EVERY_TABLE ? records : records.slice(0, 1)) {
      const lake = await copyOf();
      const parts = [...((await lake.snapshot()).tables.get(table.name)?.parts.keys() ?? [])];
      for (const part of parts) rmSync(join(lake.root, table.name, part));
      const { lost, again } = await repairLake(lake);
      expect(lost).toHaveLength(parts.length);
      expect(again).toEqual({ filings: 0, steps: {}, entities: 0 });
      expect(await exportAll(lake)).toEqual([]);
    }
  });
});
