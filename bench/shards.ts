/**
 * One export by 1, 2, 4 and 8 workers, each a process with 8 connections, from a service that takes 100 ms for each answer. The more
 * workers, the more filings: each has the same share. The workers' own CPU says what the machine could do at most.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readSettings } from '../src/core/environment/index.ts';
import { ensureTemporal } from '../src/export/runtime/index.ts';
import { openLake } from '../src/lake/index.ts';
import { hundredths as round, show } from './recording/measuring.ts';
import { cpuSecondsOf } from './recording/proc.ts';
import type { Asked } from './shards-sides/service.ts';

export const summary =
  'one export by 1, 2, 4, 8 workers from a slow service: [FILINGS_A_WORKER] [DELAY_MS] [WORKERS,…] (default 2,000 100 1,2,4,8)';

const CONNECTIONS = 8;
const MAIN = resolve(import.meta.dirname, '../src/cli/main.ts');

interface Row {
  workers: number;
  requests: number;
  repeated: number;
  most_in_flight: number;
  seconds: number;
  requests_per_second: number;
  /** Of the rate of one worker, for each worker. */
  linear: number;
  /** Of `connections` / delay, for each worker. */
  of_the_limit: number;
  /** Of the workers, while they fetched and before: all their processes. */
  cpu_seconds: number;
  /** Processors that they kept busy; the machine has as many as the note says. */
  processors: number;
  /** Processors that were busy on the whole machine, by whatever process: if all were, the machine was the limit. */
  machine_busy: number;
  versions: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const share = Number(args[0] ?? 2_000);
  const delayMs = Number(args[1] ?? 100);
  const counts = (args[2] ?? '1,2,4,8').split(',').map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-shards-'));
  const home = join(folder, 'home');
  const temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home }));
  const rows: Row[] = [];
  try {
    for (const workers of counts) {
      process.stderr.write(`${workers} ${workers === 1 ? 'worker' : 'workers'}\n`);
      const env = {
        ...process.env,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        FILINGLAKE_HOME: home,
        FILINGLAKE_API_KEY: `shards-${workers}`,
      };
      const one = await measuredBy(workers, share * workers, delayMs, folder, env);
      const first = rows[0]?.requests_per_second ?? one.requests_per_second;
      const limit = (CONNECTIONS * 1_000) / delayMs;
      rows.push({
        ...one,
        linear: round(one.requests_per_second / workers / (first / (rows[0]?.workers ?? workers))),
        of_the_limit: round(one.requests_per_second / workers / limit),
      });
    }
  } finally {
    await temporal.release();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const given = { filings_a_worker: share, delay_ms: delayMs, processors: cpus().length };
  show(rows, json, { ...given, rows });
}

async function measuredBy(
  count: number,
  filings: number,
  delayMs: number,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Omit<Row, 'linear' | 'of_the_limit'>> {
  const service = fork(resolve(import.meta.dirname, 'shards-sides/service.ts'), [String(filings), String(delayMs)]);
  const workers: ChildProcess[] = [];
  try {
    const [{ url }] = (await once(service, 'message')) as [{ url: string }];
    for (let n = 0; n < count; n++) workers.push(await startWorker(env));
    const lake = join(folder, `lake-${count}`);
    const file = join(folder, `shards-${count}.yaml`);
    writeFileSync(
      file,
      `service: { base_url: ${url}, connections: ${CONNECTIONS} }\nselect: {}\ntables: [filings, parties]\n`,
    );
    const cpu = () => workers.reduce((sum, { pid }) => sum + cpuSecondsOf(pid!), 0);
    const before = cpu();
    const machineBefore = machineSeconds();
    const began = performance.now();
    const command = spawn(process.execPath, [MAIN, 'export', file, '--lake', lake, '--no-worker', '--json'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(command, 'close')) as [number];
    if (code !== 0) throw new Error(`the export ended with ${code}`);
    const cpuSeconds = cpu() - before;
    const busy = (machineSeconds() - machineBefore) / ((performance.now() - began) / 1_000);
    service.send('take');
    const [{ asked }] = (await once(service, 'message')) as [{ asked: Asked }];
    const opened = await openLake(lake);
    const versions = (await opened.currentVersion()) + 1;
    const [{ n }] = (await opened.query('SELECT count(*) AS n FROM filings')) as [{ n: bigint }];
    await opened.close();
    if (Number(n) !== filings) throw new Error(`the lake has ${n} of ${filings} filings`);
    return {
      workers: count,
      requests: asked.infos + asked.lookups,
      repeated: asked.repeated,
      most_in_flight: asked.mostInFlight,
      seconds: round(asked.seconds),
      requests_per_second: round(asked.infos / asked.seconds),
      cpu_seconds: round(cpuSeconds),
      processors: round(cpuSeconds / asked.seconds),
      machine_busy: round(busy),
      versions,
    };
  } finally {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
    service.disconnect();
  }
}

/** Resolves when it polls. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [MAIN, 'worker', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: worker.stdout! })) if (line.includes('task_queue')) break;
  worker.stdout!.resume();
  return worker;
}

/** Seconds of work of all processors since the machine started. */
function machineSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1_000, 0);
}
