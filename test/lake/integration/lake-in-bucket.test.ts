/** A lake in a bucket does all that a lake on disk does, beside other writers, and when answers are lost. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake, exportRelease, verifyRelease } from '../../../src/lake/report/index.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/lake/faulty-proxy.ts';
import { type S3Server, s3Server } from '../../support/lake/s3-server.ts';
import { accession, bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { seededChance } from '../../support/seeded-chance.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';

const s3 = s3Server();
if ('missing' in s3) console.warn(`lakes in buckets are not tested: ${s3.missing}`);

describe.skipIf('missing' in s3)('a lake in a bucket', () => {
  let server: S3Server;
  let bucket: string;
  let proxy: FaultyProxy;
  let url: string;
  const lakes: Lake[] = [];

  beforeAll(async () => {
    if ('missing' in s3) return;
    server = await s3.start();
    bucket = await server.makeBucket();
    proxy = await startFaultyProxy(server.url);
  });
  afterAll(() => proxy?.stop());

  beforeEach(() => {
    url = `s3://${bucket}/${randomUUID()}/lake`;
    proxy.rule = () => null;
    return async () => {
      for (const lake of lakes.splice(0)) await lake.close();
    };
  });

  /** Each has a cache of its own, as another machine has. */
  async function opened(create = false, tables = FEW_TABLES): Promise<Lake> {
    const env = server.env(proxy.url);
    Object.assign(process.env, env);
    const lake = await openLake(url, { create, tables, storage: new S3Storage(url, env) });
    lakes.push(lake);
    return lake;
  }

  async function rowsOfAll(lake: Lake, at?: number): Promise<Record<string, unknown>> {
    const rows: Record<string, unknown> = {};
    for (const { name, key } of lake.tables.values()) {
      rows[name] = await lake.query(
        `SELECT * FROM "${name}" ORDER BY ${key.map((column) => `"${column}"`).join(', ')}`,
        at === undefined ? {} : { at },
      );
    }
    return rows;
  }

  it('has releases: one of two writers gets a name, and vacuums keep the version', async () => {
    const [lake, other] = [await opened(true), await opened()];
    await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
    const before = await rowsOfAll(lake);
    const made = await Promise.allSettled([lake, other].map((one) => one.makeRelease({ name: 'v1' })));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await bring(lake, { batch: 'b' }, filingRows(1, 'r2'), wholeFiling(1));
    await lake.compact();
    await lake.dropStaging('run');
    const later = { keepMs: 0, nowMs: Date.now() + 30 * 24 * 3600 * 1000 };
    await other.vacuum(later);
    expect((await other.release('v1')).version).toBe(0);
    expect(await rowsOfAll(other, 0)).toEqual(before);
    expect((await checkLake(other)).problems).toEqual([]);
    const folder = path.join(temporaryFolder(), 'release');
    const versions = { filinglake: '0', mapping: 1 };
    await exportRelease(other, await other.release('v1'), folder, { versions, citation: {} });
    expect(await verifyRelease(folder)).toMatchObject({ ok: true, rows: Object.values(before).flat().length });
    await other.deleteRelease('v1');
    expect((await lake.vacuum(later)).parts.filings!.files).toBeGreaterThan(0);
    await expect(rowsOfAll(lake, 0)).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
  });

  it('is committed, replaced, compacted, vacuumed, checked and queried, and seen by others', async () => {
    const lake = await opened(true);
    for (let n = 0; n < 11; n++) await bring(lake, { batch: `b${n}` }, together(filingRows(n), filingRows(n + 20)));
    await bring(lake, { batch: 'c' }, filingRows(3, 'r2'), wholeFiling(3));
    const other = await opened();
    const before = await rowsOfAll(lake);
    expect(await rowsOfAll(other)).toEqual(before);
    expect(await other.query('SELECT count(*)::INT AS n FROM filings JOIN documents USING (accession_number)')).toEqual(
      [{ n: 44 }],
    );
    expect(await other.query('SELECT count(*)::INT AS n FROM filings', { at: 3 })).toEqual([{ n: 8 }]);
    expect((await other.compact()).commits).toBe(1);
    expect(await rowsOfAll(lake)).toEqual(before);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.dropStaging('run');
    const report = await lake.vacuum({ nowMs: Date.now() + 30 * 86_400_000 });
    expect(report.parts.filings!.files).toBeGreaterThan(10);
    const later = await opened();
    expect(await rowsOfAll(later)).toEqual(before);
    expect((await checkLake(later)).problems).toEqual([]);
  });

  slowIt('works alike if the bucket keeps old versions of objects, and vacuum says what it deletes', async () => {
    const versioned = await server.makeBucket(true);
    url = `s3://${versioned}/lake`;
    const lake = await opened(true, TABLES);
    for (let n = 0; n < 11; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await bring(lake, { batch: 'c' }, filingRows(3, 'r2'), wholeFiling(3));
    const before = await rowsOfAll(lake);
    expect((await (await opened(false, TABLES)).compact()).commits).toBe(1);
    await lake.dropStaging('run');
    const report = await lake.vacuum({ nowMs: Date.now() + 30 * 86_400_000 });
    expect(report.parts.filings!.files).toBeGreaterThan(10);
    // The store has all of it, as versions that are not current: none is read or listed again.
    const old = await server.oldVersions(versioned);
    expect([...old.keys()].filter((key) => key.startsWith('lake/filings/part-')).length).toBeGreaterThan(10);
    expect([...old.keys()].filter((key) => key.startsWith('lake/_staging/')).length).toBeGreaterThan(10);
    expect([...old.keys()].filter((key) => /^lake\/_lake\/\d+\.json$/.test(key))).toEqual([]);
    const env = server.env();
    for (const [name, value] of Object.entries(env)) process.env[name] = value;
    for (const words of [['check'], ['vacuum', '--dry-run'], ['log', '--delta'], ['compact']]) {
      const { status, stdout, stderr } = await commandLine(['lake', ...words, '--lake', url]);
      expect(status, stdout + stderr).toBe(0);
      if (words[0] === 'vacuum') expect(stdout).toMatch(/nothing/i);
    }
    const later = await opened(false, TABLES);
    expect(await rowsOfAll(later)).toEqual(before);
    expect((await later.vacuum({ nowMs: Date.now() + 30 * 86_400_000 })).parts.filings!.files).toBe(0);
    // A key whose object was deleted is free again, and only one of two gets it.
    const storage = new S3Storage(url, env);
    expect(await storage.putIfAbsent('_staging/again', Buffer.from('1'))).toBe(true);
    expect(await storage.putIfAbsent('_staging/again', Buffer.from('2'))).toBe(false);
    await storage.remove('_staging/again');
    expect(await storage.putIfAbsent('_staging/again', Buffer.from('3'))).toBe(true);
    expect(String(await storage.read('_staging/again'))).toBe('3');
    await storage.proveFit();
    await bring(later, { batch: 'd' }, filingRows(12));
    expect((await checkLake(await opened(false, TABLES))).problems).toEqual([]);
  });

  it('takes of two runs that planned at one version the first', async () => {
    const [one, other] = [await opened(true), await opened()];
    const base = await one.currentVersion();
    await bring(one, { run: 'a', batch: 'b', base }, filingRows(1, 'r1', 1));
    const rows = together(filingRows(1, 'r2', 3), filingRows(2));
    await expect(bring(other, { run: 'b', batch: 'b', base }, rows)).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(await one.query('SELECT entity_name AS r FROM filings')).toEqual([{ r: 'r1' }]);
    expect((await checkLake(one)).problems).toEqual([]);
  });

  slowIt('is written by three processes at a time, and loses nothing', async () => {
    await opened(true);
    const script = path.join(import.meta.dirname, 'committer.ts');
    const committer = async (run: number) => {
      const env = { ...process.env, ...server.env() };
      const { stdout } = await promisify(execFile)(process.execPath, [script, url, String(run), '3'], { env });
      return (JSON.parse(stdout) as { versions: number[] }).versions;
    };
    const versions = (await Promise.all([0, 1, 2].map(committer))).flat();
    expect([...versions].sort((a, b) => a - b)).toEqual(Array.from({ length: 9 }, (_, n) => n));
    const lake = await opened();
    const found = await lake.query('SELECT accession_number AS a FROM filings ORDER BY 1');
    const expected = [1, ...[1, 2, 3].flatMap((run) => [0, 1, 2].map((n) => 100 * run + n))].map((n) => accession(n));
    expect(found.map(({ a }) => a)).toEqual(expected.sort());
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  slowIt('has each batch once, whichever answers are lost', async () => {
    const lake = await opened(true);
    const chance = seededChance();
    proxy.rule = () => (chance() < 0.1 ? (['lose', 'cut', 503] as const)[Math.floor(chance() * 3)]! : null);
    for (let n = 0; n < 5; n++) {
      await bring(lake, { batch: `b${n}` }, filingRows(n));
      // A retry of the activity.
      await lake.commitFirstSealed({ run_id: 'run', batch_id: `b${n}`, base_version: -1, segments: [] });
    }
    await lake.compact();
    proxy.rule = () => null;
    const other = await opened();
    expect(await other.currentVersion()).toBe(5);
    expect(await other.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 5 }]);
    expect((await checkLake(other)).problems).toEqual([]);
  });

  it('is committed when its store is back, after it was away', async () => {
    const lake = await opened(true);
    await bring(lake, { batch: 'a' }, filingRows(1));
    let refused = 0;
    // From its first put of the log on the store is away, until it was asked six times.
    proxy.rule = ({ method, url: asked }) => {
      if (refused === 0 && !(method === 'PUT' && asked.includes('/_lake/'))) return null;
      return refused++ < 6 ? 'cut' : null;
    };
    expect((await bring(lake, { batch: 'b' }, filingRows(2))).version).toBe(1);
    expect(refused).toBeGreaterThan(6);
    expect(await (await opened()).query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 2 }]);
  });

  it('gives another machine what a killed worker had synced, and nothing twice', async () => {
    const [dead, next] = [await opened(true), await opened()];
    const writer = dead.openStaging('run', 'b', 1);
    for (let n = 0; n < 5; n++) await writer.deliver(filingRows(n), { n });
    // As a worker whose attempt fails; one that is killed syncs every two seconds.
    await writer.abandon();
    const taken = await next.takeUpSegments('run', 'b', (metas) => metas);
    expect(taken.map(({ meta }) => meta)).toEqual([[{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]]);
    await next.commitBatch({ run_id: 'run', batch_id: 'b', base_version: -1, segments: taken });
    expect(await next.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 5 }]);
    expect((await checkLake(next)).problems).toEqual([]);
  });

  it('names a part that is missing', async () => {
    const lake = await opened(true);
    await bring(lake, { batch: 'b' }, filingRows(1));
    const [part] = [...(await lake.snapshot()).tables.get('filings')!.parts.keys()];
    await lake.storage.remove(`filings/${part}`);
    const other = await opened();
    await expect(other.query('FROM filings')).rejects.toMatchObject({ code: 'part-damaged' });
    expect((await checkLake(other)).problems.map(({ code }) => code)).toContain('part-missing');
  });

  it('takes so many requests for a commit, a query and an opening', async () => {
    const lake = await opened(true);
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const counted = async (work: () => Promise<unknown>) => {
      proxy.clear();
      await work();
      return Map.groupBy(proxy.seen, (line) => line.split(' ')[0]!);
    };
    const commit = await counted(() => bring(lake, { batch: 'counted' }, filingRows(9)));
    const open = await counted(() => opened());
    const query = await counted(() => lake.query('SELECT count(*) FROM filings'));
    const numbers = (one: Map<string, string[]>) =>
      Object.fromEntries([...one].map(([method, all]) => [method, all.length]));
    console.info('requests', JSON.stringify({ commit: numbers(commit), open: numbers(open), query: numbers(query) }));
    expect(commit.get('PUT')!.length).toBeLessThanOrEqual(16);
    expect([...commit.values()].flat().length).toBeLessThanOrEqual(45);
    expect([...query.values()].flat().length).toBeLessThanOrEqual(6);
  });
});
