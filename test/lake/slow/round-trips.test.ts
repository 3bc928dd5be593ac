/** How many requests a lake in a bucket takes, and that what saves them is never believed against the log. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { applyCommit, type LakeCommit, snapshotFileOf } from '../../../src/lake/log/log.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { packed, unpacked } from '../../../src/lake/storage/compressed-file.ts';
import { commitPath, RECENT_FILE, snapshotPath } from '../../../src/lake/storage/layout.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { startS3Stub } from '../../support/lake/s3-stub.ts';
import { accession, bring, FEW_TABLES, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const stub = await startS3Stub();
afterAll(() => stub.stop());

let place: string;
const lakes: Lake[] = [];

beforeEach(() => {
  place = `s3://bucket/${randomUUID()}`;
});
afterEach(async () => {
  stub.rule = () => null;
  stub.listingLagMs = 0;
  for (const lake of lakes.splice(0)) await lake.close();
});

/** Each has a cache of its own, as another machine has. */
async function opened(create = false, tables = FEW_TABLES): Promise<Lake> {
  const env = stub.env(temporaryFolder());
  Object.assign(process.env, env);
  const lake = await openLake(place, { create, tables, storage: new S3Storage(place, env) });
  lakes.push(lake);
  return lake;
}

async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  stub.clear();
  await work();
  return [...stub.seen];
}

const key = (path: string) => `${place.slice('s3://bucket/'.length)}/${path}`;
const count = (lake: Lake) => lake.query('SELECT count(*)::INT AS n FROM filings');

/** A lake whose log has this many versions: one with rows, the others empty, as a long series of runs leaves them. */
async function longLake(versions: number): Promise<void> {
  const lake = await opened(true);
  await bring(lake, { batch: 'first' }, filingRows(1));
  await lake.close();
  let snapshot = await lake.snapshot();
  const { promises, format } = JSON.parse((await lake.storage.read(commitPath(0)))!.toString('utf8')) as LakeCommit;
  for (let version = 1; version < versions; version++) {
    const ids = { run_id: 'older', batch_id: `b${version}` };
    const committed_at = snapshot.committed_at!;
    const commit: LakeCommit = { format, version, committed_at, term: 0, ...ids, tables: {}, promises };
    snapshot = applyCommit(snapshot, commit);
    stub.seed('bucket', key(commitPath(version)), Buffer.from(`${JSON.stringify(commit)}\n`));
    if (version % 50 === 49 && version > versions - 100)
      stub.seed('bucket', key(snapshotPath(version)), snapshotFileOf(snapshot));
  }
}

describe('a lake in a bucket', () => {
  it('of 10,000 versions is opened with fewer than ten requests', async () => {
    await longLake(9_999);
    const cold = await opened();
    await bring(cold, { batch: 'newest' }, filingRows(2));
    await cold.close();
    const other = await requestsOf(() => opened());
    expect(other.length, other.join('\n')).toBeLessThan(10);
    expect(await lakes.at(-1)!.currentVersion()).toBe(9_999);
    expect(await count(lakes.at(-1)!)).toEqual([{ n: 2 }]);
  });

  it('commits eight tables with few requests, and asks nothing of files that it wrote', async () => {
    const names = [
      'entities',
      'filings',
      'documents',
      'sections',
      'section_contents',
      'items_8k',
      'parties',
      'coverage',
    ];
    const eight = TABLES.filter(({ name }) => names.includes(name));
    const lake = await opened(true, eight);
    const rowsOf = (n: number) => ({
      ...filingRows(n),
      entities: [{ cik: String(n), name: 'A' }],
      sections: [{ accession_number: accession(n), section: 'part1item1' }],
      section_contents: [{ accession_number: accession(n), section: 'part1item1', text: 'text' }],
      items_8k: [{ accession_number: accession(n), item: '1.01' }],
      parties: [{ accession_number: accession(n), position: 1 }],
    });
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, rowsOf(n));
    const writer = lake.openStaging('run', 'counted', 1);
    for (const [table, rows] of Object.entries(rowsOf(5))) for (const row of rows) writer.append(table, row);
    const segment = (await writer.seal())!;
    const batch = { run_id: 'run', batch_id: 'counted', base_version: 1, segments: [segment] };
    await lake.close();
    const all = await requestsOf(async () => {
      await lake.commitBatch(batch);
      await lake.close();
    });
    const by = (method: string) => all.filter((line) => line.startsWith(method)).length;
    // Parts, Delta commits, manifest, the log, lake.sql, the newest commits.
    expect(by('PUT'), all.join('\n')).toBe(8 + 8 + 4);
    // That the parts are still there, and the Delta commits before.
    expect(by('HEAD')).toBe(8 + 8);
    expect(by('GET')).toBeLessThanOrEqual(8);
    expect(all.filter((line) => line.includes('.ndjson'))).toEqual([]);
  });

  it('asks for no part again that it has read', async () => {
    const lake = await opened(true);
    await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
    const other = await opened();
    expect(await count(other)).toEqual([{ n: 2 }]);
    const again = await requestsOf(() => count(other));
    expect(again.length, again.join('\n')).toBeLessThanOrEqual(1);
  });

  it('that was copied while it was written shows all readers the same from the next run on', async () => {
    const lake = await opened(true);
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    const from = key('').slice(0, -1);
    const to = randomUUID();
    stub.copy('bucket', `${from}/_lake`, `${to}/_lake`);
    for (let n = 3; n < 5; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const isOfLog = (name: string) => name.startsWith(`${from}/_lake/`);
    for (const name of stub.keys('bucket').filter((one) => one.startsWith(`${from}/`) && !isOfLog(one)))
      stub.seed('bucket', `${to}${name.slice(from.length)}`, (await lake.storage.read(name.slice(from.length + 1)))!);
    place = `s3://bucket/${to}`;
    const copy = await opened();
    expect((await checkLake(copy)).problems).toContainEqual(expect.objectContaining({ code: 'delta-differs' }));
    await copy.proveWritable();
    expect((await checkLake(copy)).problems.filter(({ code }) => code.startsWith('delta'))).toEqual([]);
    for (let n = 3; n < 5; n++) await bring(copy, { run: 'copy', batch: `b${n}` }, filingRows(n));
    expect((await checkLake(copy)).problems).toEqual([]);
    const other = await opened();
    const all = await requestsOf(() => other.proveWritable());
    const asked = all.filter((line) => !line.includes('_probe'));
    // For each table: its parts; the hint, the listing and the last commit of its Delta log. And the newest version.
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(4 * FEW_TABLES.length + 1);
  });

  it('is read by one GET after the other only where the listing ends', async () => {
    const lake = await opened(true);
    for (let n = 0; n < 12; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    await lake.storage.remove(RECENT_FILE);
    const other = await opened();
    expect(await other.currentVersion()).toBe(11);
    expect((await checkLake(other)).problems).toEqual([]);
  });
});

describe('the file of the newest commits', () => {
  /** A lake at version 5, and its file as it was at an older version. */
  async function made(): Promise<{ lake: Lake; olderFile: Buffer }> {
    const lake = await opened(true);
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    const olderFile = (await lake.storage.read(RECENT_FILE))!;
    for (let n = 3; n < 6; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    return { lake, olderFile };
  }

  it('may be old: a slower writer came last', async () => {
    const { lake, olderFile } = await made();
    await lake.storage.replace(RECENT_FILE, olderFile);
    const other = await opened();
    expect(await count(other)).toEqual([{ n: 6 }]);
    await bring(other, { batch: 'after', base: 5 }, filingRows(50));
    const later = await opened();
    expect(await count(later)).toEqual([{ n: 7 }]);
    expect((await checkLake(later)).problems).toEqual([]);
  });

  it('may be damaged, empty, of another shape, or missing', async () => {
    const { lake } = await made();
    for (const text of ['{"format": 1, "comm', '', '[]', '{"format": 1}', 'null']) {
      await lake.storage.replace(RECENT_FILE, Buffer.from(text));
      expect(await (await opened()).currentVersion(), text).toBe(5);
    }
    await lake.storage.remove(RECENT_FILE);
    expect(await (await opened()).currentVersion()).toBe(5);
  });

  it('is of no use if the log was restored from an older copy', async () => {
    const { lake } = await made();
    await lake.storage.remove(commitPath(5));
    await lake.storage.remove(commitPath(4));
    expect(await (await opened()).currentVersion()).toBe(3);
  });

  it('is not believed against the log, nor from another lake', async () => {
    const { lake } = await made();
    const text = (await unpacked((await lake.storage.read(RECENT_FILE))!)).toString('utf8');
    const file = JSON.parse(text) as { lake: string; commits: { batch_id: string }[] };
    const changed = { ...file, newest: { ...file.commits.at(-1)!, batch_id: 'other' } };
    for (const wrong of [changed, { ...file, lake: randomUUID() }, { ...file, commits: file.commits.slice(1) }]) {
      await lake.storage.replace(RECENT_FILE, await packed(Buffer.from(JSON.stringify(wrong))));
      expect(await count(await opened())).toEqual([{ n: 6 }]);
    }
  });

  it('hides no hole in the log', async () => {
    const { lake, olderFile } = await made();
    await lake.storage.replace(RECENT_FILE, olderFile);
    await lake.storage.remove(commitPath(4));
    await expect(opened()).rejects.toMatchObject({ code: 'lake-damaged' });
  });

  it('finds commits that a listing does not show yet', async () => {
    const { lake, olderFile } = await made();
    await lake.storage.replace(RECENT_FILE, olderFile);
    stub.listingLagMs = 3_600_000;
    const other = await opened();
    expect(await other.currentVersion()).toBe(5);
    await bring(other, { batch: 'late', base: 5 }, filingRows(60));
    stub.listingLagMs = 0;
    const later = await opened();
    expect(await count(later)).toEqual([{ n: 7 }]);
    expect((await checkLake(later)).problems).toEqual([]);
  });
});
