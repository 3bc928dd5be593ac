/** A release: its rows stay, whatever compactions, corrections and vacuums do. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { nodeFileOperations } from '../../../src/lake/storage/local/file-operations.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { commandLine } from '../../support/command-line.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Keeps only the newest version, of parts that are two days old. */
async function vacuumAll(by: Lake = lake) {
  for (const table of FEW_TABLES) {
    for (const part of parts(table.name)) {
      const at = new Date(Date.now() - 2 * DAY_MS);
      utimesSync(path.join(folder, table.name, part), at, at);
    }
  }
  return by.vacuum({ keepMs: 0 });
}

let folder: string;
let lake: Lake;
beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
});
afterEach(() => lake.close());

const rows = (at?: number) => lake.query('FROM filings ORDER BY accession_number', at === undefined ? {} : { at });
function parts(table = 'filings'): string[] {
  const place = path.join(folder, table);
  return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.parquet')) : [];
}

/** Two commits; then every row is corrected and all parts are compacted. */
async function grown(): Promise<void> {
  await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
  await bring(lake, { batch: 'b' }, together(filingRows(3), filingRows(4)));
}
async function corrected(): Promise<void> {
  await bring(lake, { batch: 'c' }, together(filingRows(1, 'r2'), filingRows(3, 'r2')), wholeFiling(1, 3));
  await lake.compact();
  await lake.dropStaging('run');
}

describe('a release', () => {
  it('keeps its rows through corrections, compactions and vacuums, until it is deleted', async () => {
    await grown();
    const before = await rows();
    const made = await lake.makeRelease({ name: 'paper-1', note: 'of our paper' });
    expect(made).toMatchObject({ name: 'paper-1', version: 1, note: 'of our paper' });
    await corrected();
    const after = await rows();
    await vacuumAll();
    expect(await rows(1)).toEqual(before);
    expect(await rows()).toEqual(after);
    expect(after).not.toEqual(before);
    expect((await checkLake(lake)).problems).toEqual([]);
    expect((await checkLake(lake)).unnamed.files).toBe(0);
    // What no release names went.
    await expect(rows(2)).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
    await lake.deleteRelease('paper-1');
    expect((await vacuumAll()).parts.filings!.files).toBeGreaterThan(0);
    await expect(rows(1)).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
  });

  it('can be an older version, while that can be read', async () => {
    await grown();
    await corrected();
    expect((await lake.makeRelease({ name: 'first', version: 0 })).version).toBe(0);
    await vacuumAll();
    expect(await rows(0)).toHaveLength(2);
    await expect(lake.makeRelease({ name: 'second', version: 1 })).rejects.toMatchObject({
      code: 'lake-version-vacuumed',
    });
    await expect(lake.makeRelease({ name: 'third', version: 99 })).rejects.toMatchObject({
      code: 'lake-version-unknown',
    });
    expect((await lake.releases()).map(({ name }) => name)).toEqual(['first']);
  });

  it('has its name for good: of eight processes one gets it, and the others hear of it', async () => {
    await grown();
    const others = await Promise.all(Array.from({ length: 8 }, () => openLake(folder, { tables: FEW_TABLES })));
    const made = await Promise.allSettled(others.map((one, i) => one.makeRelease({ name: 'v1', version: i % 2 })));
    const won = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const refused = made.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect([won.length, refused.length, new Set(refused)]).toEqual([1, 7, new Set(['release-exists'])]);
    expect(await lake.release('v1')).toEqual(won[0]);
    await Promise.all(others.map((one) => one.close()));
  });

  it.each(['', '7', 'a/b', '..', '.hidden', 'list', 'delete', 'main', 'ä', 'x'.repeat(81)])(
    'is not named "%s"',
    async (name) => {
      await grown();
      await expect(lake.makeRelease({ name })).rejects.toMatchObject({ code: 'argument-invalid' });
    },
  );

  it('stops a vacuum that cannot read it', async () => {
    await grown();
    await lake.makeRelease({ name: 'v1' });
    await corrected();
    writeFileSync(path.join(folder, '_releases', 'v1.json'), '{"format": 1, "na');
    const before = parts();
    await expect(vacuumAll()).rejects.toMatchObject({ code: 'lake-damaged' });
    expect(parts()).toEqual(before);
    expect((await checkLake(lake)).problems).toMatchObject([{ code: 'release-damaged' }]);
  });
});

/** A lake on files of which one operation does something else first. */
async function disturbed(at: (operation: string, file: string) => Promise<void>): Promise<Lake> {
  const operations = {
    ...nodeFileOperations,
    async link(from: string, to: string) {
      await at('before link', to);
      await nodeFileOperations.link(from, to);
      await at('link', to);
    },
    async unlink(file: string) {
      await at('unlink', file);
      await nodeFileOperations.unlink(file);
    },
  };
  return openLake(folder, { tables: FEW_TABLES, storage: new LocalStorage(folder, operations) });
}

describe('a release beside a vacuum', () => {
  /** The release is made at some moment of a vacuum; then either it can be read, or it was refused. */
  const MOMENTS = ['vacuum announces itself', 'vacuum deletes its first part', 'vacuum ends'] as const;

  it.each(MOMENTS)('is readable or refused, if it is made when the %s', async (moment) => {
    await grown();
    const before = await rows();
    await corrected();
    let outcome: { version: number } | { code: string } | null = null;
    const other = await openLake(folder, { tables: FEW_TABLES });
    const vacuuming = await disturbed(async (operation, file) => {
      const isMark = file.includes(path.join('_releases', 'vacuums'));
      const now =
        (moment === MOMENTS[0] && operation === 'link' && isMark) ||
        (moment === MOMENTS[1] && operation === 'unlink' && file.endsWith('.parquet')) ||
        (moment === MOMENTS[2] && operation === 'unlink' && isMark);
      if (!now || outcome !== null) return;
      outcome = await other.makeRelease({ name: 'v1', version: 1 }).catch((error) => ({ code: error.code }));
    });
    await vacuumAll(vacuuming);
    const code = { [MOMENTS[0]]: 'release-refused', [MOMENTS[1]]: 'release-refused', [MOMENTS[2]]: 'release-refused' }[
      moment
    ];
    expect(outcome).toEqual({ code });
    expect(await lake.releases()).toEqual([]);
    await expect(rows(1)).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
    // The newest version has all its parts, vacuum or not.
    expect(before).toHaveLength(4);
    await Promise.all([vacuuming.close(), other.close()]);
  });

  it.each(['pin', 'name'] as const)('is kept by a vacuum that begins before its %s is put', async (what) => {
    await grown();
    const before = await rows();
    const vacuuming = await openLake(folder, { tables: FEW_TABLES });
    let vacuums = 0;
    const releasing = await disturbed(async (operation, file) => {
      const isPin = file.includes(path.join('_releases', 'pins'));
      const isName = file.endsWith('v1.json');
      if (operation !== 'before link' || !(what === 'pin' ? isPin : isName) || vacuums++ > 0) return;
      // The version stops being the newest, and a vacuum keeps only the newest.
      await corrected();
      await vacuumAll(vacuuming);
    });
    const made = await releasing.makeRelease({ name: 'v1' });
    await vacuumAll();
    expect(vacuums).toBeGreaterThan(0);
    // Either the version that was the newest before, whole, or the one after.
    expect(await rows(made.version)).toEqual(what === 'name' ? before : await rows());
    expect((await checkLake(lake)).problems).toEqual([]);
    await Promise.all([vacuuming.close(), releasing.close()]);
  });

  it('that slept since its pin, while a vacuum took the pin for a leftover, is refused', async () => {
    await grown();
    const vacuuming = await openLake(folder, { tables: FEW_TABLES });
    let slept = false;
    const releasing = await disturbed(async (operation, file) => {
      if (operation !== 'before link' || !file.endsWith('v1.json') || slept) return;
      slept = true;
      await corrected();
      await vacuuming.vacuum({ keepMs: 0, nowMs: Date.now() + 3 * DAY_MS });
    });
    await expect(releasing.makeRelease({ name: 'v1' })).rejects.toMatchObject({ code: 'release-refused' });
    expect(await lake.releases()).toEqual([]);
    expect((await checkLake(lake)).problems).toEqual([]);
    await Promise.all([vacuuming.close(), releasing.close()]);
  });
});

describe('reading a release', () => {
  it('works by name in SQL, in plain DuckDB and by Delta versions', async () => {
    await grown();
    await lake.makeRelease({ name: 'v1' });
    await corrected();
    await vacuumAll();
    const count = async (...more: string[]) => {
      const query = "SELECT string_agg(entity_name, ' ' ORDER BY accession_number) AS r FROM filings";
      const { stdout } = await commandLine(['sql', query, '--lake', folder, '--json', ...more]);
      return JSON.parse(stdout)[0].r;
    };
    expect([await count(), await count('--release', 'v1')]).toEqual(['r2 r1 r2 r1', 'r1 r1 r1 r1']);
    const sql = readFileSync(path.join(folder, '_releases', 'v1.sql'), 'utf8');
    expect(sql).toContain('-- Views of lake version 1,');
    const named = [...sql.matchAll(/'\/(filings\/part-[^']+)'/g)].map((match) => match[1]!);
    expect(named).toHaveLength(2);
    expect(named.every((file) => existsSync(path.join(folder, file)))).toBe(true);
    const delta = await lake.deltaVersions(1);
    const shown = await lake.versions(10);
    expect(delta).toEqual(shown.find(({ version }) => version === 1)!.delta);
    const missing = await commandLine(['sql', 'SELECT 1', '--lake', folder, '--release', 'v2']);
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('Its releases: v1.')]);
  });

  it('is a command: make, list, delete', async () => {
    await grown();
    const run = (...args: string[]) => commandLine(['lake', 'release', ...args, '--lake', folder]);
    expect(await run('v1', '--at', '0', '--note', 'the first')).toMatchObject({ status: 0 });
    expect((await run('v1')).status).toBe(2);
    expect((await run()).stdout).toContain('the first');
    const [listed] = JSON.parse((await run('--json')).stdout);
    expect(listed).toMatchObject({ name: 'v1', version: 0, note: 'the first', delta: { filings: 1 } });
    expect((await run('delete', 'v1')).status).toBe(0);
    expect(JSON.parse((await run('--json')).stdout)).toEqual([]);
    expect(existsSync(path.join(folder, '_releases', 'v1.sql'))).toBe(false);
  });
});
