/** Lakes in buckets: requests and time of a commit and of an opening, with a delay added to each request of a store in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { type Lake, openLake, type Row } from '../src/lake/index.ts';
import { S3Storage } from '../src/lake/storage/s3/s3-storage.ts';
import { TABLES } from '../src/tables/index.ts';
import { type S3Stub, startS3Stub } from '../test/support/lake/s3-stub.ts';

export const summary =
  'requests and time of commits and openings in a bucket, and races of many writers: [DELAY_MS] [COMMITS] [WRITERS,WRITERS,...]';

/** As an export of documents and sections fills them. */
const EIGHT = [
  ...['entities', 'entity_tickers', 'entity_addresses', 'filings'],
  ...['documents', 'sections', 'section_contents', 'coverage'],
];
const TWO = ['filings', 'coverage'];

interface Measured {
  what: string;
  requests: number;
  put: number;
  get: number;
  head: number;
  list: number;
  /** The longest series of requests that begin after the one before was answered; the median. */
  rounds: number;
  median_ms: number;
  p95_ms: number;
  /** CPU of the process, the store's with it; the median. */
  cpu_ms: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const delayMs = Number(args[0] ?? 30);
  const commits = Number(args[1] ?? 60);
  const writers = (args[2] ?? '1,8,32').split(',').map(Number);
  const stub = await startS3Stub();
  try {
    const rows: Measured[] = [];
    for (const tables of [TWO, EIGHT]) rows.push(...(await measure(stub, tables, delayMs, commits)));
    const races: Races[] = [];
    for (const number of writers) races.push(await race(stub, number, delayMs));
    if (json) process.stdout.write(`${JSON.stringify({ delay_ms: delayMs, measured: rows, races })}\n`);
    else {
      process.stdout.write(formatTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!)));
      process.stdout.write(formatTable(races as unknown as Record<string, unknown>[], Object.keys(races[0]!)));
    }
  } finally {
    await stub.stop();
  }
}

async function measure(stub: S3Stub, names: readonly string[], delayMs: number, commits: number): Promise<Measured[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
  const place = `s3://bench/${names.length}`;
  const open = async (create = false) => {
    const env = stub.env(mkdtempSync(path.join(folder, 'machine-')));
    Object.assign(process.env, env);
    return openLake(place, { create, storage: new S3Storage(place, env) });
  };
  stub.delayMs = 0;
  const lake = await open(true);
  await commit(lake, names, 0);
  stub.delayMs = delayMs;
  const committing: Sample[] = [];
  for (let n = 1; n <= commits; n++) {
    const batch = await staged(lake, names, n);
    committing.push(await sampled(stub, () => lake.commitBatch(batch)));
  }
  const opening: Sample[] = [];
  for (let n = 0; n < 10; n++) {
    opening.push(
      await sampled(stub, async () => {
        const one = await open();
        if ((await one.currentVersion()) !== commits) throw new Error('an older version was opened');
        await one.close();
      }),
    );
  }
  await lake.close();
  rmSync(folder, { recursive: true });
  return [summed(`commit, ${names.length} tables`, committing), summed(`opening at version ${commits}`, opening)];
}

interface Races {
  writers: number;
  commits: number;
  /** Entries of the log that another writer had put first. */
  lost_races: number;
  lost_per_commit: number;
  requests_per_commit: number;
  seconds: number;
  commits_per_second: number;
  /** Of one writer: the slowest against the fastest shows whether any starves. */
  first_done_s: number;
  last_done_s: number;
}

const COMMITS_PER_WRITER = 4;

/** Runs of their own, each with a process's own view of the lake, that commit into one lake as fast as they can. */
async function race(stub: S3Stub, writers: number, delayMs: number): Promise<Races> {
  const folder = mkdtempSync(path.join(tmpdir(), 'filinglake-bench-'));
  const place = `s3://bench/writers-${writers}`;
  const open = (create = false) => {
    const env = stub.env(mkdtempSync(path.join(folder, 'machine-')));
    Object.assign(process.env, env);
    return openLake(place, { create, storage: new S3Storage(place, env) });
  };
  stub.delayMs = 0;
  const first = await open(true);
  const lakes = [first, ...(await Promise.all(Array.from({ length: writers - 1 }, () => open())))];
  let lost = 0;
  // The store's own count: a put of the log that found an entry.
  stub.onAnswer = ({ method, url }, status) => {
    if (method === 'PUT' && status === 412 && url.includes('/_lake/')) lost++;
  };
  stub.delayMs = delayMs;
  stub.clear();
  const began = performance.now();
  const ends = await Promise.all(
    lakes.map(async (lake, writer) => {
      for (let n = 0; n < COMMITS_PER_WRITER; n++) {
        const batch = await staged(lake, TWO, 1 + writer * COMMITS_PER_WRITER + n);
        await lake.commitBatch({ ...batch, base_version: await lake.currentVersion() });
      }
      return (performance.now() - began) / 1000;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const commits = writers * COMMITS_PER_WRITER;
  const requests = stub.seen.length;
  stub.delayMs = 0;
  stub.onAnswer = () => undefined;
  if ((await first.currentVersion()) !== commits - 1) throw new Error('a commit is missing or doubled');
  await Promise.all(lakes.map((lake) => lake.close()));
  rmSync(folder, { recursive: true });
  return {
    writers,
    commits,
    lost_races: lost,
    lost_per_commit: round(lost / commits),
    requests_per_commit: round(requests / commits),
    seconds: round(seconds),
    commits_per_second: round(commits / seconds),
    first_done_s: round(Math.min(...ends)),
    last_done_s: round(Math.max(...ends)),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

interface Sample {
  ms: number;
  cpuMs: number;
  rounds: number;
  seen: string[];
}

async function sampled(stub: S3Stub, work: () => Promise<unknown>): Promise<Sample> {
  const began = new Map<number, number>();
  const requests: Interval[] = [];
  stub.clear();
  stub.rule = ({ number }) => {
    began.set(number, performance.now());
    return null;
  };
  stub.onAnswer = ({ number }) => requests.push({ from: began.get(number)!, to: performance.now() });
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpuBefore);
  stub.rule = () => null;
  stub.onAnswer = () => undefined;
  return { ms, cpuMs: (user + system) / 1000, rounds: roundsOf(requests), seen: [...stub.seen] };
}

interface Interval {
  from: number;
  to: number;
}

function roundsOf(requests: readonly Interval[]): number {
  let rounds = 0;
  let answered = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...requests].sort((a, b) => a.to - b.to)) {
    if (from < answered) continue;
    rounds++;
    answered = to;
  }
  return rounds;
}

function summed(what: string, samples: readonly Sample[]): Measured {
  const sorted = (of: (one: Sample) => number) => samples.map(of).sort((a, b) => a - b);
  const median = (of: (one: Sample) => number) => Math.round(sorted(of)[samples.length >> 1]!);
  const ms = sorted((one) => one.ms);
  const count = (test: (line: string) => boolean) =>
    Math.round((samples.reduce((sum, { seen }) => sum + seen.filter(test).length, 0) / samples.length) * 10) / 10;
  const isList = (line: string) => line.includes('list-type=2');
  return {
    what,
    requests: count(() => true),
    put: count((line) => line.startsWith('PUT')),
    get: count((line) => line.startsWith('GET') && !isList(line)),
    head: count((line) => line.startsWith('HEAD')),
    list: count(isList),
    rounds: median((one) => one.rounds),
    median_ms: median((one) => one.ms),
    p95_ms: Math.round(ms[Math.floor(ms.length * 0.95)]!),
    cpu_ms: median((one) => one.cpuMs),
  };
}

async function commit(lake: Lake, names: readonly string[], n: number): Promise<void> {
  await lake.commitBatch(await staged(lake, names, n));
}

async function staged(lake: Lake, names: readonly string[], n: number) {
  const writer = lake.openStaging('bench', `b${n}`, 1);
  for (const name of names) for (const row of rowsOf(name, n)) writer.append(name, row);
  const segment = (await writer.seal())!;
  return { run_id: 'bench', batch_id: `b${n}`, base_version: -1, segments: [segment] };
}

/** Ten rows of a table, with all its keys. */
function rowsOf(name: string, n: number): Row[] {
  const table = TABLES.find((one) => one.name === name)!;
  return Array.from({ length: 10 }, (_, i) => {
    const key = `${String(n).padStart(10, '0')}-24-${String(i).padStart(6, '0')}`;
    const values = table.columns.map(({ name: column, type }) => [column, sampleValue(column, type, key)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Row;
  });
}

function sampleValue(column: string, type: string, key: string): string | number | boolean | null {
  if (column === 'status') return 'done';
  if (type === 'VARCHAR') return column === 'html' || column === 'text' ? 'text '.repeat(400) : key;
  if (type === 'DATE') return '2024-03-01';
  if (type === 'BOOLEAN') return true;
  if (type === 'TIMESTAMPTZ') return '2024-03-01T00:00:00Z';
  return type === 'TIMESTAMP' ? '2024-03-01T00:00:00' : 1;
}
