/** An export into a bucket on this machine beside the same onto the disk, and with 30 ms added to each request of the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Stub } from '../test/support/lake/s3-stub.ts';
import { measured, withService } from './export.ts';
import { median, hundredths as round, show } from './recording/measuring.ts';

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
  const copies = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  const stub = await startS3Stub();
  Object.assign(process.env, stub.env(copies));
  await withService(filings, async (at, folder) => {
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
        const side = await measured('product', { ...at, spool: '', lake: lake(i) });
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
        place,
        wall_seconds: round(wall),
        cpu_seconds: round(cpu),
        wall_ratio: round(wall / disk.wall),
        cpu_ratio: round(cpu / disk.cpu),
        put: count(/^PUT/),
        get: count(/^GET (?!.*list-type)/),
        head: count(/^HEAD/),
        list_delete: count(/^(GET .*list-type|DELETE|POST)/),
      };
    });
    show(rows, json, { filings, runs: times, delay_ms: delayMs, rows });
  }).finally(async () => {
    await stub.stop();
    rmSync(copies, { recursive: true, force: true });
  });
}

function medians(of: readonly { wall: number; cpu: number }[]): { wall: number; cpu: number } {
  return { wall: median(of.map(({ wall }) => wall)), cpu: median(of.map(({ cpu }) => cpu)) };
}
