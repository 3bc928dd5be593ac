import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import type { LivePart } from '../../../src/lake/log/log.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import type { TableDefinition } from '../../../src/lake/tables/index.ts';
import { planGroups } from '../../../src/lake/upkeep/compaction-plan.ts';
import { FAULTS, type Fault, failingFiles } from '../../support/lake/failing-files.ts';
import { accession, bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { jsonRows } from '../../support/shared.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../support/tier-cases.ts';

const TWO_TABLES = FEW_TABLES.filter(({ name }) => name === 'filings' || name === 'coverage');

async function rowsOfAll(lake: Lake, at?: number): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const { name, key } of lake.tables.values()) {
    rows[name] = await lake.query(`SELECT * FROM "${name}" ORDER BY ${key.join(', ')}`, at === undefined ? {} : { at });
  }
  return rows;
}

async function partsOf(lake: Lake, table: string): Promise<LivePart[]> {
  return [...((await lake.snapshot()).tables.get(table)?.parts.values() ?? [])];
}

quickDescribe('which parts become one', () => {
  const part = (bytes: number, n: number) => ({ part: String(n), bytes }) as LivePart;

  it('are the small ones, in their order, each once, so many that they reach the target and no more', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 }), (sizes) => {
        const parts = sizes.map(part);
        const groups = planGroups(parts, 100);
        const small = parts.filter(({ bytes }) => bytes < 50);
        const chosen = groups.flat();
        expect(small.filter((one) => chosen.includes(one))).toEqual(chosen);
        expect(small.length - chosen.length).toBeLessThanOrEqual(1);
        for (const [i, group] of groups.entries()) {
          const bytes = group.reduce((sum, one) => sum + one.bytes, 0);
          expect(group.length).toBeGreaterThan(1);
          expect(bytes).toBeLessThan(150);
          if (i < groups.length - 1) expect(bytes).toBeGreaterThanOrEqual(100);
        }
      }),
    );
  });
});

describe('lake compact', () => {
  it('changes no row of any table, nor what older versions show', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 6; n++) await bring(lake, { batch: `b${n}` }, together(filingRows(n), filingRows(n + 10)));
    await bring(lake, { batch: 'c' }, filingRows(3, 'r2'), wholeFiling(3));
    const before = await rowsOfAll(lake);
    const third = await rowsOfAll(lake, 3);
    const report = await lake.compact();
    expect(report).toMatchObject({ version: 7, commits: 1 });
    expect(report.tables.filings).toMatchObject({ parts_before: 7, parts_after: 1, written: 1, replaced: 7 });
    expect(await rowsOfAll(lake)).toEqual(before);
    expect(await rowsOfAll(lake, 3)).toEqual(third);
    expect((await checkLake(lake)).problems).toEqual([]);
    expect(await lake.compact()).toMatchObject({ version: 7, commits: 0 });
  });

  it('clusters the rows of a wide table that says by which columns, and changes none', async () => {
    const tables = FEW_TABLES.map((table) =>
      table.name === 'filings' ? { ...table, wide: ['entity_name'], clusteredBy: ['cik', 'accession_number'] } : table,
    );
    await using lake = await openLake(temporaryFolder(), { create: true, tables });
    const order = [11, 3, 19, 5, 12, 0, 8, 16, 2, 9];
    for (const n of order) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const places = async () =>
      (await lake.query('SELECT cik, accession_number FROM filings')).map((row) => Object.values(row).join(' '));
    const before = await rowsOfAll(lake);
    const committed = await places();
    expect(committed).not.toEqual([...committed].sort());
    await lake.compact();
    expect(await partsOf(lake, 'filings')).toHaveLength(1);
    expect(await places()).toEqual([...committed].sort());
    expect(await rowsOfAll(lake)).toEqual(before);
  });

  it('marks its Delta commits as changing no data', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.compact({ tables: ['filings'] });
    expect(await partsOf(lake, 'filings')).toHaveLength(1);
    expect(await partsOf(lake, 'documents')).toHaveLength(3);
    const log = path.join(folder, 'filings', '_delta_log');
    const last = readdirSync(log)
      .filter((name) => /^\d{20}\.json$/.test(name))
      .at(-1)!;
    const actions = jsonRows<Record<string, { dataChange?: boolean }>>(path.join(log, last));
    const changes = actions.flatMap(({ add, remove }) => [add, remove].filter((one) => one !== undefined));
    expect(changes).toHaveLength(4);
    expect(changes.every(({ dataChange }) => dataChange === false)).toBe(true);
    await expect(lake.compact({ tables: ['fillings'] })).rejects.toMatchObject({
      code: 'table-unknown',
      remedy: "Did you mean 'filings'?",
    });
  });

  it('adds missing columns to parts from before they existed, and sorts tables without long text', async () => {
    const folder = temporaryFolder();
    const narrow = (columns: number): TableDefinition[] =>
      TWO_TABLES.map((table) =>
        table.name === 'filings' ? { ...table, columns: table.columns.slice(0, columns) } : table,
      );
    const older = await openLake(folder, { create: true, tables: narrow(5) });
    await bring(older, { batch: 'b0' }, { filings: [2, 0].map((n) => ({ accession_number: accession(n), cik: '1' })) });
    await older.close();
    await using lake = await openLake(folder, { tables: narrow(8) });
    await bring(lake, { batch: 'b1' }, { filings: [1].map((n) => ({ accession_number: accession(n), size: 7 })) });
    await lake.compact();
    const [part] = await partsOf(lake, 'filings');
    expect(part).toMatchObject({ rows: 3, columns: 8 });
    const file = path.join(folder, 'filings', part!.part);
    const rows = await lake.query(`SELECT accession_number AS a, cik, size FROM read_parquet('${file}')`);
    expect(rows).toEqual([
      { a: accession(0), cik: '1', size: null },
      { a: accession(1), cik: null, size: 7 },
      { a: accession(2), cik: '1', size: null },
    ]);
  });

  slowIt('keeps row groups of long text small, however often it comes by', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    let seed = 1;
    const word = () => {
      seed = (seed * 48271) % 0x7fffffff;
      return seed.toString(36);
    };
    const text = () => Array.from({ length: 16_000 }, word).join(' ');
    for (let b = 0; b < 4; b++) {
      const sections = Array.from({ length: 100 }, (_, i) => ({
        accession_number: accession(b * 1000 + i),
        section: '1A',
        text: text(),
      }));
      await bring(lake, { batch: `b${b}` }, { section_contents: sections });
      if (b % 2 === 1) await lake.compact();
    }
    const [part, ...others] = await partsOf(lake, 'section_contents');
    expect([part!.rows, others]).toEqual([400, []]);
    const file = path.join(folder, 'section_contents', part!.part);
    const [groups] = await lake.query(
      `SELECT count(*) AS n, max(bytes) AS most FROM (
         SELECT sum(total_uncompressed_size) AS bytes FROM parquet_metadata('${file}') GROUP BY row_group_id)`,
    );
    expect(Number(groups!.n)).toBeGreaterThan(1);
    expect(Number(groups!.most)).toBeLessThan(32e6);
  });

  it('works in steps: each ends with a commit, and reports whether there is more', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 12; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const before = await rowsOfAll(lake);
    const [first] = await partsOf(lake, 'filings');
    const step = () =>
      lake.compact({ tables: ['filings'], targetBytes: first!.bytes * 3, boxMs: 0, memoryBytes: 2 ** 28 });
    const reports = [];
    do reports.push(await step());
    while (!reports.at(-1)!.whole);
    expect(reports.slice(0, 3).map(({ commits, tables }) => [commits, tables.filings!.written])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(reports.at(-1)!.whole).toBe(true);
    expect(await rowsOfAll(lake)).toEqual(before);
  });

  it('uses the memory of commits if a part needs more than the given memory', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 3; n++) {
      const text = String.fromCharCode(97 + n).repeat(8e6);
      await bring(
        lake,
        { batch: `b${n}` },
        { section_contents: [{ accession_number: accession(n), section: '1', text }] },
      );
    }
    const report = await lake.compact({ memoryBytes: 24 * 2 ** 20 });
    expect(report.tables.section_contents).toMatchObject({ parts_before: 3, parts_after: 1 });
    expect(await checkLake(lake)).toMatchObject({ problems: [], unnamed: { files: 0 }, scratch: { files: 0 } });
  });

  it('skips tables with fewer small parts than the minimum, and counts them', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await bring(lake, { batch: 'c' }, { entities: [{ cik: '1' }] });
    await bring(lake, { batch: 'd' }, { entities: [{ cik: '2' }] });
    expect(Object.fromEntries(await lake.smallParts())).toMatchObject({ filings: 3, entities: 2 });
    await lake.compact({ smallest: 3 });
    expect(Object.fromEntries(await lake.smallParts())).toMatchObject({ filings: 1, entities: 2 });
  });

  it('ends at once on request: committed parts stay, the current one is dropped', async () => {
    const folder = temporaryFolder();
    const lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 12; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const before = await rowsOfAll(lake);
    const [first] = await partsOf(lake, 'filings');
    const told = new AbortController();
    const storage = new LocalStorage(folder);
    const openScratch = storage.openScratch.bind(storage);
    let opened = 0;
    storage.openScratch = () => {
      if (++opened === 3) setImmediate(() => told.abort());
      return openScratch();
    };
    const ended = await openLake(folder, { tables: FEW_TABLES, storage });
    const report = await ended.compact({ targetBytes: first!.bytes * 3, signal: told.signal });
    expect(report.whole).toBe(false);
    expect(report.tables.filings!.written).toBeGreaterThanOrEqual(2);
    expect(report.commits).toBe(1);
    expect(await rowsOfAll(lake)).toEqual(before);
    expect(await checkLake(lake)).toMatchObject({ problems: [], unnamed: { files: 0 }, scratch: { files: 0 } });
    expect((await ended.compact({ signal: AbortSignal.abort() })).commits).toBe(0);
    for (const one of [lake, ended]) await one.close();
  });

  it('skips parts that a batch removes meanwhile, and the next one compacts their replacements', async () => {
    const folder = temporaryFolder();
    const lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    const other = await openLake(folder, { tables: FEW_TABLES });
    for (let n = 0; n < 8; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const racing = new LocalStorage(folder);
    let races = 0;
    const putIfAbsent = racing.putIfAbsent.bind(racing);
    racing.putIfAbsent = async (file, bytes) => {
      if (/^_lake\/\d+\.json$/.test(file) && races++ === 0) {
        await bring(other, { run: 'other', batch: 'c' }, filingRows(5, 'r2', 3), wholeFiling(5));
      }
      return putIfAbsent(file, bytes);
    };
    const racer = await openLake(folder, { tables: FEW_TABLES, storage: racing });
    expect((await racer.compact()).tables.filings).toMatchObject({ written: 0 });
    expect(races).toBe(1);
    const second = await racer.compact();
    expect(second.tables.filings).toMatchObject({ parts_after: 1 });
    const rows = await lake.query('SELECT accession_number, entity_name FROM filings ORDER BY 1');
    expect(rows).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ accession_number: accession(n), entity_name: n === 5 ? 'r2' : 'r1' })),
    );
    const checked = await checkLake(lake);
    expect(checked.problems).toEqual([]);
    expect(checked.unnamed).toEqual({ files: 0, bytes: 0 });
    for (const one of [lake, other, racer]) await one.close();
  });
});

/** Every call in each way takes a minute; by default each call once in one of them. */
const STRIDE = process.env.FILINGLAKE_EVERY_FAULT ? 1 : 6;

async function attempt(folder: string, at: number, fault: Fault): Promise<{ failed: boolean; calls: number }> {
  const files = failingFiles(at, fault);
  let lake: Lake | null = null;
  try {
    lake = await openLake(folder, { tables: TWO_TABLES, storage: new LocalStorage(folder, files) });
    await lake.compact();
    return { failed: false, calls: files.calls() };
  } catch {
    return { failed: true, calls: files.calls() };
  } finally {
    await lake?.close();
  }
}

quickDescribe('a compaction during which the operating system fails', () => {
  it('changes no row, and the next one completes it', async () => {
    const template = temporaryFolder();
    const made = await openLake(template, { create: true, tables: TWO_TABLES });
    for (let n = 0; n < 9; n++) {
      const { filings, coverage } = filingRows(n);
      await bring(made, { batch: `b${n}` }, { filings: filings!, coverage: coverage! });
    }
    const rows = await rowsOfAll(made);
    await made.close();
    const outcomes = { old: 0, new: 0 };
    for (const [i, fault] of FAULTS.entries()) {
      for (let at = 1 + ((2 * i) % STRIDE); ; at += STRIDE) {
        const folder = path.join(temporaryFolder(), 'lake');
        cpSync(template, folder, { recursive: true });
        const { failed, calls } = await attempt(folder, at, fault);
        if (!failed && calls < at) break;
        const where = `${fault} at call ${at}`;
        await using lake = await openLake(folder, { tables: TWO_TABLES });
        outcomes[(await lake.currentVersion()) === 8 ? 'old' : 'new']++;
        expect(await rowsOfAll(lake), where).toEqual(rows);
        expect((await checkLake(lake)).problems, where).toEqual([]);
        await lake.compact();
        expect(await partsOf(lake, 'filings'), where).toHaveLength(1);
        expect(await rowsOfAll(lake), where).toEqual(rows);
      }
    }
    expect(outcomes.old).toBeGreaterThan(4);
    expect(outcomes.new).toBeGreaterThan(4);
  });
});
