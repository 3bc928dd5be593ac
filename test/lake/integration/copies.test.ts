/** Copies of a lake that were made while it was written: each is whole for every reader, or is refused with its remedy. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake, repairLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { byDelta, byLakeSql, type SeenRows } from '../../support/lake/plain-readers.ts';
import { pythonReaders, readByOthers } from '../../support/lake/python-readers.ts';
import { COPY_ORDERS, interrupted, SlowCopy } from '../../support/lake/slow-copy.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { seededChance } from '../../support/seeded-chance.ts';
import { IN_SLOW_TIER, quickIt } from '../../support/tier-cases.ts';

const TABLES = FEW_TABLES.filter(({ name }) => ['filings', 'documents', 'coverage'].includes(name));
const NAMES = TABLES.map(({ name }) => name);
const LATER_MS = 30 * 24 * 3600 * 1000;

async function bySql(lake: Lake): Promise<SeenRows> {
  const seen: SeenRows = {};
  for (const name of NAMES) {
    const rows = await lake.query(`SELECT to_json(t)::VARCHAR AS row FROM "${name}" t ORDER BY 1`);
    seen[name] = rows.map(({ row }) => String(row));
  }
  return seen;
}

/** Every reader sees the same. @returns what */
async function seenByAll(lake: Lake, what: string): Promise<SeenRows> {
  const seen = await bySql(lake);
  // Tables without a row have no columns for the reader of Delta logs.
  expect(await byDelta(lake.root, NAMES), `${what}: Delta`).toEqual(seen);
  expect(await byLakeSql(lake.root, NAMES), `${what}: lake.sql`).toEqual(seen);
  if (python !== null && pythonLeft-- > 0) {
    for (const [table, readers] of Object.entries(readByOthers(python, lake.root, TABLES))) {
      const rows = Object.fromEntries(Object.entries(readers).map(([reader, one]) => [reader, one.rows]));
      const n = seen[table]!.length;
      expect(rows, what).toEqual({ deltalake: n, polars: n, pyarrow: n, duckdb: n });
      expect(new Set(Object.values(readers).map(({ checksum }) => checksum)).size, what).toBe(1);
    }
  }
  return seen;
}

/** Those of Python take seconds: the slow tier asks them about the first copies. */
const found = IN_SLOW_TIER ? pythonReaders() : null;
const python = found !== null && 'command' in found ? found : null;
let pythonLeft = 20;
if (found !== null && python === null) console.warn(`not read from Python: ${'missing' in found ? found.missing : ''}`);

/** A history with everything that adds and removes files; copies are made meanwhile. */
async function copiesOf(count: number, commits: number, chance: () => number) {
  const folder = path.join(temporaryFolder(), 'lake');
  const waiting: { copy: SlowCopy; from: number; pace: number }[] = [];
  let now = 0;
  const meanwhile = () => {
    for (const { copy, from, pace } of waiting) {
      if (now < from) continue;
      for (let steps = pace * 2 * chance(); steps > 0 && !copy.done; steps--)
        if (chance() < Math.min(1, steps)) copy.step();
    }
  };
  const storage = new LocalStorage(folder, interrupted(meanwhile));
  const lake = await openLake(folder, { create: true, tables: TABLES, storage });
  for (let i = 0; i < count; i++) {
    const copy = new SlowCopy(
      folder,
      path.join(temporaryFolder(), 'copy'),
      COPY_ORDERS[i % COPY_ORDERS.length]!,
      chance,
    );
    waiting.push({ copy, from: Math.floor(chance() * commits), pace: 0.05 + chance() ** 3 * 5 });
  }
  const versions = new Map<number, SeenRows>([[-1, Object.fromEntries(NAMES.map((name) => [name, []]))]]);
  for (; now < commits; now++) {
    const again = Math.floor(chance() * now);
    const replaced = chance() < 0.4 && now > 0;
    const rows = replaced ? together(filingRows(now), filingRows(again, `r${now}`)) : filingRows(now);
    await bring(
      lake,
      { batch: `b${now}` },
      rows,
      replaced ? wholeFiling(again).filter(({ table }) => NAMES.includes(table)) : [],
    );
    versions.set(await lake.currentVersion(), await bySql(lake));
    if (chance() < 0.15) {
      const before = await lake.currentVersion();
      await lake.compact();
      // It changes no row.
      for (let v = before + 1; v <= (await lake.currentVersion()); v++) versions.set(v, versions.get(before)!);
    }
    if (chance() < 0.15) await lake.vacuum({ keepMs: 0, nowMs: Date.now() + LATER_MS });
  }
  for (const { copy } of waiting) copy.finish();
  await lake.close();
  return { copies: waiting.map(({ copy }) => copy), versions };
}

/** A repair leaves documents of filings that the next export brings back. */
const isWrong = ({ code }: { code: string }) => code !== 'reference-broken';

async function written(lake: Lake, batch: string, what: string): Promise<void> {
  const before = await bySql(lake);
  await bring(lake, { run: 'copy', batch }, filingRows(900 + Number(batch.slice(1)), 'copy'));
  const after = await seenByAll(lake, `${what}, written`);
  for (const name of NAMES) expect(after[name], what).toEqual(expect.arrayContaining(before[name]!));
  expect((await checkLake(lake)).problems.filter(isWrong), what).toEqual([]);
}

/** @returns how the copy was found */
async function tried(
  copy: SlowCopy,
  versions: ReadonlyMap<number, SeenRows>,
): Promise<'whole' | 'repaired' | 'refused'> {
  let lake: Lake;
  let found: 'whole' | 'repaired' = 'whole';
  try {
    lake = await openLake(copy.folder, { tables: TABLES });
  } catch (error) {
    // It has no lake.json, or the log has a hole.
    expect(error).toBeInstanceOf(FilinglakeError);
    expect(['lake-missing', 'lake-damaged']).toContain((error as FilinglakeError).code);
    return 'refused';
  }
  try {
    const version = await lake.currentVersion();
    const what = `${copy.order}, at version ${version}`;
    try {
      await lake.proveWritable();
      expect(await seenByAll(lake, what), what).toEqual(versions.get(version));
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      expect(['part-damaged', 'lake-damaged'], what).toContain(error.code);
      expect(`${error.message} ${error.remedy}`, what).toContain('filinglake lake repair');
      found = 'repaired';
      const { left } = await repairLake(lake);
      expect(left.filter(isWrong), what).toEqual([]);
      await lake.proveWritable();
      const seen = await seenByAll(lake, `${what}, repaired`);
      for (const name of NAMES.filter((one) => one !== 'coverage'))
        expect(versions.get(version)![name], what).toEqual(expect.arrayContaining(seen[name]!));
    }
    await written(lake, 'b1', what);
  } finally {
    await lake.close();
  }
  const again = await openLake(copy.folder, { tables: TABLES });
  await written(again, 'b2', `${copy.order}, opened again`);
  await again.close();
  return found;
}

describe('a copy of a lake', () => {
  it('made during commits, compactions and vacuums is whole for every reader, or is refused with its remedy', {
    timeout: 600_000,
  }, async () => {
    const { copies, versions } = await copiesOf(IN_SLOW_TIER ? 24 : 6, IN_SLOW_TIER ? 70 : 20, seededChance());
    const outcomes: Record<string, number> = {};
    for (const copy of copies) {
      const key = `${copy.order}: ${await tried(copy, versions)}`;
      outcomes[key] = (outcomes[key] ?? 0) + 1;
    }
    console.info('copies', outcomes);
    expect(Object.keys(outcomes).filter((key) => key.endsWith('whole')).length).toBeGreaterThan(0);
  });

  quickIt(
    'whose Delta logs and lake.sql are ahead of its own log shows all readers what is written to it',
    async () => {
      const folder = path.join(temporaryFolder(), 'lake');
      const copy = path.join(temporaryFolder(), 'copy');
      const original = await openLake(folder, { create: true, tables: TABLES });
      for (let n = 0; n < 2; n++) await bring(original, { batch: `b${n}` }, filingRows(n));
      cpSync(path.join(folder, '_lake'), path.join(copy, '_lake'), { recursive: true });
      for (let n = 2; n < 4; n++) await bring(original, { batch: `b${n}` }, filingRows(n));
      cpSync(folder, copy, { recursive: true, filter: (source) => source !== path.join(folder, '_lake') });
      await original.close();
      await using lake = await openLake(copy, { tables: TABLES });
      expect((await seenByAll(lake, 'opened')).filings).toHaveLength(2);
      // The same version numbers as in the original.
      for (let n = 5; n < 7; n++) await bring(lake, { run: 'copy', batch: `b${n}` }, filingRows(n));
      expect((await seenByAll(lake, 'written')).filings).toHaveLength(4);
      expect((await checkLake(lake)).problems).toEqual([]);
    },
  );

  quickIt('is refused before a run if it lacks a part, and names the part and the repair', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: TABLES });
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const [part] = (await lake.snapshot()).tables.get('documents')!.parts.keys();
    const file = path.join(folder, 'documents', part!);
    const bytes = readFileSync(file);
    for (const harm of [() => rmSync(file), () => writeFileSync(file, bytes.subarray(1))]) {
      harm();
      await expect(lake.proveWritable()).rejects.toMatchObject({
        code: 'part-damaged',
        message: expect.stringContaining(`documents/${part}`),
        remedy: expect.stringContaining('filinglake lake repair'),
      });
    }
    rmSync(path.join(folder, 'documents'), { recursive: true });
    await expect(lake.proveWritable()).rejects.toMatchObject({
      message: expect.stringContaining('and so is 1 other part'),
    });
    await repairLake(lake);
    await lake.proveWritable();
  });
});
