/**
 * An export against the minimum cost of its work. A bare undici loop sends the same requests with the same concurrency, parses the
 * JSON, makes the text of sections and appends it to NDJSON; a bare DuckDB COPY follows. A second export, which finds nothing new,
 * shows the fixed cost: code loaded, worker started, lookup read.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSample } from '../src/cli/sample/index.ts';
import { readSettings } from '../src/core/environment/index.ts';
import { ensureTemporal } from '../src/export/runtime/index.ts';
import { KeyRegister, loadPlans } from '../src/service/accounts/index.ts';
import { ingest } from '../src/service/catalog/index.ts';
import type { Side } from './export-sides/given.ts';
import { median, hundredths as round, show } from './recording/measuring.ts';
import { type Server, startService } from './service-sides/server.ts';

export const summary =
  'an export against a bare loop of the same requests and a bare COPY: [FILINGS] [RUNS] (default 1,000 3)';

const CONNECTIONS = 8;
const ORDERS = [
  ['loop', 'copy', 'product', 'again'],
  ['product', 'again', 'loop', 'copy'],
] as const;
type SideName = (typeof ORDERS)[number][number];

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const filings = Number(args[0] ?? 1000);
  const times = Number(args[1] ?? 3);
  await withService(filings, async (at, folder) => {
    const sides: Record<SideName, Side[]> = { product: [], again: [], loop: [], copy: [] };
    for (let i = 0; i < times; i++) {
      process.stderr.write(`run ${i + 1} of ${times}\n`);
      const spool = join(folder, `spool-${i}`);
      const lake = join(folder, `lake-${i}`);
      const given = { ...at, spool, lake };
      // In alternating order, so that a machine that slows down slows both.
      for (const name of ORDERS[i % 2]!) {
        sides[name].push(await measured(name === 'again' ? 'product' : name, given));
      }
      sameWork(sides.product.at(-1)!, sides.loop.at(-1)!);
      rmSync(spool, { recursive: true, force: true });
      rmSync(lake, { recursive: true, force: true });
    }
    print(filings, sides, json);
  });
}

/**
 * Makes filings, and runs the service over them and a Temporal, which is held over all runs, as by `filinglake up`: its start isn't an
 * export's cost.
 */
export async function withService(
  filings: number,
  work: (given: { url: string; api_key: string; connections: number; home: string }, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  let service: Server | null = null;
  let temporal: Awaited<ReturnType<typeof ensureTemporal>> | null = null;
  try {
    const corpus = join(folder, 'corpus');
    const catalogFolder = join(folder, 'catalog');
    process.stderr.write(`making ${filings} filings\n`);
    await writeSample({ filings, seed: 3, out: corpus });
    await ingest([corpus], catalogFolder, {});
    const accounts = KeyRegister.open(catalogFolder, loadPlans());
    const { api_key } = accounts.createKey('unlimited');
    accounts.close();
    service = await startService(catalogFolder, 1);
    const home = join(folder, 'home');
    temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home }));
    await work({ url: service.url, api_key, connections: CONNECTIONS, home }, folder);
  } finally {
    await temporal?.release();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs one side in a separate process: memory left by one is not the other's cost. */
export async function measured(side: string, given: object): Promise<Side> {
  const child = fork(join(import.meta.dirname, 'export-sides', `${side}.ts`), [JSON.stringify(given)]);
  const answered = once(child, 'message') as Promise<[Side]>;
  const ended = once(child, 'exit') as Promise<[number]>;
  const first = await Promise.race([answered, ended]);
  if (typeof first[0] === 'number') throw new Error(`the ${side} side ended with ${first[0]}`);
  await ended;
  return first[0];
}

/** A ratio of two sides means something only if both did the same. At the end of a lookup either may ask for an empty page. */
function sameWork(product: Side, loop: Side): void {
  const done = ({ requests, rows }: Side) => JSON.stringify({ requests, ...rows });
  const rowsDiffer = JSON.stringify(product.rows) !== JSON.stringify(loop.rows);
  if (rowsDiffer || Math.abs(product.requests - loop.requests) > 1)
    throw new Error(`the export did ${done(product)}, the loop ${done(loop)}`);
}

function print(filings: number, sides: Record<SideName, Side[]>, json: boolean): void {
  const product = mediansOf(sides.product);
  const again = mediansOf(sides.again);
  const loop = mediansOf(sides.loop);
  const copy = mediansOf(sides.copy);
  const ratio = (name: 'wall_seconds' | 'cpu_seconds', less = 0) =>
    round((product[name] - less) / (loop[name] + copy[name]));
  const rows = [
    { what: 'export', ...product },
    { what: 'the same again: nothing new', ...again },
    { what: 'bare loop', ...loop },
    { what: 'bare COPY', ...copy },
  ];
  const result = {
    filings,
    connections: CONNECTIONS,
    runs: sides.product.length,
    wall_ratio: ratio('wall_seconds'),
    cpu_ratio: ratio('cpu_seconds'),
    wall_ratio_without_fixed: ratio('wall_seconds', again.wall_seconds),
    cpu_ratio_without_fixed: ratio('cpu_seconds', again.cpu_seconds),
    sides: rows,
  };
  show(rows, json, result);
  if (json) return;
  process.stdout.write(
    `export / (loop + COPY): wall ${result.wall_ratio}, CPU ${result.cpu_ratio}; without what an export costs whatever its size: ` +
      `wall ${result.wall_ratio_without_fixed}, CPU ${result.cpu_ratio_without_fixed}\n` +
      `(medians of ${result.runs}; CPU of all processes, Temporal's included, the service's not)\n`,
  );
}

type Medians = Omit<Side, 'rows'>;

/** CPU including Temporal's, which is also shown separately. */
function mediansOf(sides: readonly Side[]): Medians {
  const of = (value: (side: Side) => number) => round(median(sides.map(value)));
  return {
    wall_seconds: of((side) => side.wall_seconds),
    cpu_seconds: of((side) => side.cpu_seconds + side.temporal_cpu_seconds),
    temporal_cpu_seconds: of((side) => side.temporal_cpu_seconds),
    rss_mb: of((side) => side.rss_mb),
    requests: of((side) => side.requests),
  };
}
