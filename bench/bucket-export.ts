/** An export into a bucket on this machine beside the same onto the disk, and with 30 ms added to each request of the store. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRegister, loadPlans } from '../src/accounts/index.ts';
import { ingest } from '../src/catalog/index.ts';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { readSettings } from '../src/environment/index.ts';
import { ensureTemporal } from '../src/runtime/index.ts';
import { writeSample } from '../src/sample/index.ts';
import { startS3Stub } from '../test/support/lake/s3-stub.ts';
import { measured, startService } from './export.ts';

export const summary = 'an export into a bucket against the disk: [FILINGS] [RUNS] [DELAY_MS] (default 1,000 3 30)';

interface Row {
  place: string;
  wall_seconds: number;
  /** Of the worker, and of Temporal; that of the store is not counted. */
  cpu_seconds: number;
  wall_ratio: number;
  cpu_ratio: number;
  put: number;
  get: number;
  head: number;
  list_delete: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const filings = Number(args[0] ?? 1000);
  const times = Number(args[1] ?? 3);
  const delayMs = Number(args[2] ?? 30);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  const stub = await startS3Stub();
  Object.assign(process.env, stub.env(join(folder, 'copies')));
  let service: ChildProcess | null = null;
  let temporal: Awaited<ReturnType<typeof ensureTemporal>> | null = null;
  try {
    const corpus = join(folder, 'corpus');
    const catalogFolder = join(folder, 'catalog');
    await writeSample({ filings, seed: 3, out: corpus });
    await ingest([corpus], catalogFolder, {});
    const accounts = KeyRegister.open(catalogFolder, loadPlans());
    const { api_key } = accounts.createKey('unlimited');
    accounts.close();
    const started = await startService(catalogFolder);
    service = started.process;
    const home = join(folder, 'home');
    temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home }));
    const places = [
      { place: 'disk', lake: (i: number) => join(folder, `lake-${i}`), delay: 0 },
      { place: 'bucket', lake: (i: number) => `s3://bench/near-${i}`, delay: 0 },
      { place: `bucket, ${delayMs} ms a request`, lake: (i: number) => `s3://bench/far-${i}`, delay: delayMs },
    ];
    const all = places.map(() => [] as { wall: number; cpu: number; seen: string[] }[]);
    for (let i = 0; i < times; i++) {
      for (const [k, { place, lake, delay }] of places.entries()) {
        process.stderr.write(`run ${i + 1} of ${times}: ${place}\n`);
        stub.delayMs = delay;
        stub.clear();
        const given = { url: started.url, api_key, connections: 8, spool: '', lake: lake(i), home };
        const side = await measured('product', given);
        const cpu = side.cpu_seconds + side.temporal_cpu_seconds;
        all[k]!.push({ wall: side.wall_seconds, cpu, seen: [...stub.seen] });
      }
    }
    const disk = medians(all[0]!);
    const rows = places.map(({ place }, k): Row => {
      const { wall, cpu } = medians(all[k]!);
      const { seen } = all[k]!.at(-1)!;
      const count = (test: RegExp) => seen.filter((line) => test.test(line)).length;
      return {
        ...{ place, wall_seconds: round(wall), cpu_seconds: round(cpu) },
        ...{ wall_ratio: round(wall / disk.wall), cpu_ratio: round(cpu / disk.cpu) },
        ...{ put: count(/^PUT/), get: count(/^GET (?!.*list-type)/), head: count(/^HEAD/) },
        list_delete: count(/^(GET .*list-type|DELETE|POST)/),
      };
    });
    if (json) process.stdout.write(`${JSON.stringify({ filings, runs: times, delay_ms: delayMs, rows })}\n`);
    else process.stdout.write(formatTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!)));
  } finally {
    await temporal?.release();
    service?.kill('SIGTERM');
    if (service && service.exitCode === null) await once(service, 'exit');
    await stub.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function medians(of: readonly { wall: number; cpu: number }[]): { wall: number; cpu: number } {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  return { wall: middle(of.map(({ wall }) => wall)), cpu: middle(of.map(({ cpu }) => cpu)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
