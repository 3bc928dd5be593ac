/**
 * Filings to tables through filing_lookup alone: the export, dlt, a bare Python loop, and the minimum for a reader in this
 * language.
 * All read the same records in pages of 10,000 from one service, a process whose work isn't counted. The export uses only the /v2
 * interface, whose lookups end at position 10,000, and splits windows; the others get plain offset pages without an end.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome, readSettings } from '../src/core/environment/index.ts';
import { ensureTemporal } from '../src/export/runtime/index.ts';
import { readTemporalState } from '../src/export/runtime/temporal/state.ts';
import { type PythonReaders, pythonPackages } from '../test/support/lake/python-readers.ts';
import type { Given, Measured } from './lookup-sides/given.ts';
import { median, hundredths as round, show } from './recording/measuring.ts';
import { bundle, PUBLISHED } from './recording/published.ts';

export const summary =
  'filings to tables, against dlt and bare loops: [FILINGS] [RUNS] [DELAY_MS] [PAGE] (default 200,000 3 0 10,000; with a delay, the export alone)';

const SIDES = join(import.meta.dirname, 'lookup-sides');
const PAGE = 10_000;

interface SideOf {
  what: string;
  documents: boolean;
  command: string[];
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [filings = 200_000, times = 3, delayMs = 0, page_size = PAGE] = args.map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  const home = join(folder, 'home');
  const python: PythonReaders = delayMs > 0 ? { missing: 'the service is slow' } : findPython();
  if ('missing' in python) process.stderr.write(`dlt and the Python loop are left out: ${python.missing}\n`);
  const service = fork(join(SIDES, 'service.ts'), [String(filings), String(delayMs)]);
  let temporal: Awaited<ReturnType<typeof ensureTemporal>> | null = null;
  try {
    const [{ url }] = (await once(service, 'message')) as [{ url: string }];
    // Held over all runs, as by `filinglake up`: its start isn't an export's cost.
    temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home }));
    const server = readTemporalState(openHome(home).temporalState)!.server!.pid;
    bundle();
    const sides = sidesOf(python);
    const measured = new Map<SideOf, Measured[]>(sides.map((side) => [side, []]));
    for (let i = 0; i < times; i++) {
      // In alternating order, so that a machine that slows down slows all.
      for (const side of i % 2 === 0 ? sides : [...sides].reverse()) {
        process.stderr.write(`run ${i + 1} of ${times}: ${side.what}${side.documents ? ', documents' : ''}\n`);
        const own = mkdtempSync(join(folder, 'side-'));
        const given: Given = {
          url,
          filings,
          page_size,
          documents: side.documents,
          folder: own,
          home,
          temporal: server,
          program: join(PUBLISHED, 'src/library/index.js'),
        };
        const result = await measure(side, given, python);
        if (result.rows !== filings) throw new Error(`${side.what} has ${result.rows} rows`);
        measured.get(side)!.push(result);
        rmSync(own, { recursive: true, force: true });
      }
    }
    print(measured, { filings, page_size, runs: times }, json);
  } finally {
    await temporal?.release();
    service.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    rmSync(PUBLISHED, { recursive: true, force: true });
  }
}

function sidesOf(python: PythonReaders): SideOf[] {
  const node = (side: string) => [process.execPath, join(SIDES, `${side}.ts`)];
  const sides: SideOf[] = [{ what: 'undici and JSON.parse alone', documents: false, command: node('parse') }];
  for (const documents of [false, true]) {
    sides.push({ what: 'export', documents, command: node('export') });
    if ('missing' in python) continue;
    sides.push({ what: 'dlt', documents, command: [python.command, join(SIDES, 'dlt_pipeline.py')] });
    sides.push({ what: 'bare Python loop', documents, command: [python.command, join(SIDES, 'loop.py')] });
  }
  return sides;
}

async function measure({ what, command }: SideOf, given: Given, python: PythonReaders): Promise<Measured> {
  const [program, ...args] = command as [string, ...string[]];
  const modules = 'missing' in python ? '' : python.modules;
  const child: ChildProcess = spawn(program, [...args, JSON.stringify(given)], {
    // Compiled code is cached between runs, as by the filinglake command and by Python.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(given.home, 'compiled'),
      PYTHONPATH: modules,
      PYTHONWARNINGS: 'ignore',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout!.on('data', (data: Buffer) => {
    out += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const line = out.trim().split('\n').at(-1);
  if (code !== 0 || !line) throw new Error(`${what} ended with ${code}`);
  return JSON.parse(line) as Measured;
}

/** With the packages of the requirements, in the user's cache: downloaded once (some 250 MB), then found. */
function findPython(): PythonReaders {
  const packages = readFileSync(join(SIDES, 'requirements.txt'), 'utf8').trim().split('\n');
  return pythonPackages('python-dlt', packages, ['--no-deps']);
}

function print(
  measured: ReadonlyMap<SideOf, Measured[]>,
  given: { filings: number; page_size: number; runs: number },
  json: boolean,
): void {
  const rows = [...measured].map(([{ what, documents }, runs]) => {
    const of = (value: (run: Measured) => number) => median(runs.map(value));
    return {
      what,
      tables: what.includes('parse') ? '' : documents ? 'filings, documents' : 'filings',
      wall_seconds: round(of((run) => run.wall_seconds)),
      cpu_seconds: round(of((run) => run.cpu_seconds)),
      rows_per_cpu_second: Math.round(of((run) => run.rows / run.cpu_seconds)),
      requests: of((run) => run.requests),
      rss_mb: Math.round(of((run) => run.rss_mb)),
    };
  });
  const withRatios = rows.map((row) => {
    const dlt = rows.find((other) => other.what === 'dlt' && other.tables === row.tables);
    return { ...row, times_dlt: dlt ? round(row.rows_per_cpu_second / dlt.rows_per_cpu_second) : null };
  });
  show(withRatios, json, { ...given, sides: withRatios });
  if (json) return;
  process.stdout.write(
    `${given.filings} filings; medians of ${given.runs}; CPU of all processes, Temporal's included, the service's not\n`,
  );
}
