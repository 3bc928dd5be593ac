/**
 * An export against the least that its work can cost: a bare undici loop that sends the same requests with the same concurrency,
 * parses the JSON, makes the text of sections and appends it to NDJSON, and a bare DuckDB COPY of that.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Accounts, ingest, loadPlans } from '../src/catalog/index.ts';
import { formatTable } from '../src/cli/terminal.ts';
import { writeSample } from '../src/sample/index.ts';

export const summary = 'an export against a bare loop of the same requests and a bare COPY: [FILINGS] (default 1,000)';

const RUNS = 3;
const CONNECTIONS = 8;

/** What one side reports of itself. CPU is that of all its processes. */
interface Side {
  wall_seconds: number;
  cpu_seconds: number;
  rss_mb: number;
  requests: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const filings = Number(args[0] ?? 1000);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  let service: ChildProcess | null = null;
  try {
    const corpus = join(folder, 'corpus');
    const catalogFolder = join(folder, 'catalog');
    process.stderr.write(`making ${filings} filings\n`);
    await writeSample({ filings, seed: 3, out: corpus });
    await ingest([corpus], catalogFolder, {});
    const accounts = Accounts.open(catalogFolder, loadPlans());
    const { api_key } = accounts.createKey('unlimited');
    accounts.close();
    service = spawn(
      process.execPath,
      [
        resolve(import.meta.dirname, '../src/cli/main.ts'),
        'serve',
        '--catalog',
        catalogFolder,
        '--port',
        '0',
        '--json',
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(service.stdout!, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };

    const sides: Record<'product' | 'loop' | 'copy', Side[]> = { product: [], loop: [], copy: [] };
    for (let i = 0; i < RUNS; i++) {
      process.stderr.write(`run ${i + 1} of ${RUNS}\n`);
      const spool = join(folder, `spool-${i}`);
      const given = {
        url,
        api_key,
        connections: CONNECTIONS,
        spool,
        lake: join(folder, `lake-${i}`),
        home: join(folder, 'home'),
      };
      // Taken in turns, and in turned order, so that a machine that slows down slows both.
      for (const side of i % 2 === 0
        ? (['loop', 'copy', 'product'] as const)
        : (['product', 'loop', 'copy'] as const)) {
        sides[side].push(await measured(side, given));
      }
      rmSync(spool, { recursive: true, force: true });
    }
    const product = median(sides.product);
    const loop = median(sides.loop);
    const copy = median(sides.copy);
    const ratio = (name: 'wall_seconds' | 'cpu_seconds') => product[name] / (loop[name] + copy[name]);
    const result = {
      filings,
      connections: CONNECTIONS,
      runs: RUNS,
      export: product,
      bare_loop: loop,
      bare_copy: copy,
      wall_ratio: round(ratio('wall_seconds')),
      cpu_ratio: round(ratio('cpu_seconds')),
    };
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else {
      const rows = Object.entries({ export: product, 'bare loop': loop, 'bare COPY': copy }).map(([what, side]) => ({
        what,
        ...side,
      }));
      process.stdout.write(formatTable(rows, ['what', 'wall_seconds', 'cpu_seconds', 'rss_mb', 'requests']));
      process.stdout.write(
        `export / (loop + COPY): wall ${result.wall_ratio}, CPU ${result.cpu_ratio} (medians of ${RUNS}; service not counted)\n`,
      );
    }
  } finally {
    service?.kill('SIGTERM');
    if (service && service.exitCode === null) await once(service, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs one side in a process of its own: what one leaves in memory is not the other's cost. */
async function measured(side: string, given: object): Promise<Side> {
  const child = fork(join(import.meta.dirname, 'export-sides', `${side}.ts`), [JSON.stringify(given)]);
  const answered = once(child, 'message') as Promise<[Side]>;
  const ended = once(child, 'exit') as Promise<[number]>;
  const first = await Promise.race([answered, ended]);
  if (typeof first[0] === 'number') throw new Error(`the ${side} side ended with ${first[0]}`);
  await ended;
  return first[0];
}

function median(sides: readonly Side[]): Side {
  const of = (name: keyof Side) =>
    round([...sides].map((side) => side[name]).sort((a, b) => a - b)[Math.floor(sides.length / 2)]!);
  return {
    wall_seconds: of('wall_seconds'),
    cpu_seconds: of('cpu_seconds'),
    rss_mb: of('rss_mb'),
    requests: of('requests'),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
