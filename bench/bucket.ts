/** Lakes in buckets: requests and time of a commit and of an opening, with a delay added to each request of a store in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { type Lake, openLake, type Row } from '../src/lake/index.ts';
import { S3Storage } from '../src/lake/storage/s3/s3-storage.ts';
import { TABLES } from '../src/tables/index.ts';
import { type S3Stub, startS3Stub } from '../test/support/lake/s3-stub.ts';

export const summary = 'requests and time of commits and openings in a bucket: [DELAY_MS] [COMMITS]';

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
  median_ms: number;
  p95_ms: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const delayMs = Number(args[0] ?? 30);
  const commits = Number(args[1] ?? 60);
  const stub = await startS3Stub();
  try {
    const rows: Measured[] = [];
    for (const tables of [TWO, EIGHT]) rows.push(...(await measure(stub, tables, delayMs, commits)));
    if (json) process.stdout.write(`${JSON.stringify({ delay_ms: delayMs, measured: rows })}\n`);
    else process.stdout.write(formatTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!)));
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

interface Sample {
  ms: number;
  seen: string[];
}

async function sampled(stub: S3Stub, work: () => Promise<unknown>): Promise<Sample> {
  stub.clear();
  const began = performance.now();
  await work();
  return { ms: performance.now() - began, seen: [...stub.seen] };
}

function summed(what: string, samples: readonly Sample[]): Measured {
  const ms = samples.map((one) => one.ms).sort((a, b) => a - b);
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
    median_ms: Math.round(ms[ms.length >> 1]!),
    p95_ms: Math.round(ms[Math.floor(ms.length * 0.95)]!),
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
