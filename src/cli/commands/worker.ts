/** `filinglake worker`: runs a worker for exports. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings } from '../../core/environment/index.ts';
import { freePort } from '../../export/runtime/index.ts';
import { readEdgarSettings } from '../../service/edgar-sync/index.ts';
import { catalogKey } from '../terminal/catalog-service.ts';
import { eventLine } from '../terminal/edgar-events.ts';
import { metricsText, serveMetrics } from '../terminal/export-metrics.ts';
import {
  type FollowBesideExports,
  followBesideExports,
  requireOrMakeCatalog,
} from '../terminal/follow-beside-exports.ts';
import { metricsAddress } from '../terminal/option-values.ts';
import { type Look, ScheduleWatch } from '../terminal/schedule-watch.ts';
import { printJson } from '../terminal/terminal.ts';
import { requiredKey, withRuns } from '../terminal/with-runs.ts';

export interface WorkOptions {
  json?: boolean;
  catalog?: string;
  /** Between two looks at EDGAR; null: it is not followed */
  followMs?: number | null;
  metrics?: { host: string; port: number };
}

/** Between two looks at schedules and runs. */
const LOOK_MS = 30_000;

export function command(): Command {
  return new Command('worker')
    .description('Run a worker for exports with the key in FILINGLAKE_API_KEY, until Ctrl-C or SIGTERM')
    .option('--catalog <dir>', 'work on exports straight from this catalog (service.catalog), which need no key')
    .option('--metrics <address>', 'serve metrics of exports at a port or HOST:PORT, path /metrics', metricsAddress)
    .option('--json', 'print {"task_queue": …} once it works')
    .addHelpText(
      'after',
      '\nAny number of workers may run, on any machine that reaches Temporal (TEMPORAL_ADDRESS) and the lake.\n\nExample:\n  TEMPORAL_ADDRESS=temporal:7233 FILINGLAKE_API_KEY=… filinglake worker',
    )
    .action((options: WorkOptions) => work('worker', options));
}

/** Runs a worker until a signal ends the process. @throws the error of the worker */
export async function work(command: 'worker' | 'up', options: WorkOptions): Promise<void> {
  const { json = false, catalog, followMs = null } = options;
  const following = catalog === undefined || followMs === null ? null : await prepareFollowing(catalog, followMs, json);
  const sdkMetrics = options.metrics && `127.0.0.1:${await freePort()}`;
  const key = catalog === undefined ? requiredKey(readSettings().apiKey) : await catalogKey(catalog);
  const ofWorker = { command, apiKey: key, silent: json, ...(sdkMetrics && { sdkMetrics }) };
  await withRuns(ofWorker, async ({ worker, interrupted, runs, schedules }) => {
    if (json) printJson({ task_queue: worker!.taskQueue });
    else {
      process.stderr.write(`working on ${worker!.taskQueue}; Ctrl-C ends it\n`);
      if (following) process.stderr.write(`following EDGAR into ${catalog}\n`);
    }
    const leaving = new AbortController();
    const followed = following ? followBesideExports(following, leaving.signal) : null;
    const alive = setInterval(() => {}, 1 << 30);
    const print = (line: string) => process.stderr.write(`${line}\n`);
    const watch = new ScheduleWatch({ runs, schedules, onProblem: print, watchedSince: Date.now() });
    // Of several workers one tells: that of `up`.
    const watching = keepLooking(watch, command === 'up', options.metrics !== undefined, interrupted, print);
    const metrics =
      options.metrics &&
      (await serveMetrics(
        options.metrics,
        async () => metricsText(watching.last(), Date.now(), worker!.problems()) + (await metricsOf(sdkMetrics!)),
        () => worker!.problems(),
      ));
    if (metrics && !json) print(`metrics at http://${options.metrics!.host}:${options.metrics!.port}/metrics`);
    try {
      await Promise.race([worker!.ended, ...(followed ? [followed] : []), once(interrupted, 'abort')]);
    } finally {
      clearInterval(alive);
      watching.stop();
      metrics?.close();
      metrics?.closeAllConnections();
      leaving.abort();
      await followed;
    }
  });
}

/** Of Temporal's SDK, which serves them at a port of this machine. Empty if it sends them to a collector. */
async function metricsOf(address: string): Promise<string> {
  try {
    return await (await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
  } catch {
    return '';
  }
}

/** Looks at schedules and runs, as long as the worker works. A look that fails is no reason to end. */
function keepLooking(
  watch: ScheduleWatch,
  tell: boolean,
  isMeasured: boolean,
  interrupted: AbortSignal,
  print: (line: string) => void,
): { last: () => Look | null; stop: () => void } {
  let last: Look | null = null;
  let problem = '';
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    try {
      last = await watch.look(tell);
      problem = '';
    } catch (error) {
      const message = (error as Error).message;
      if (message !== problem && !interrupted.aborted) print(`schedules can't be looked at: ${message}`);
      problem = message;
    }
    timer = setTimeout(look, LOOK_MS).unref();
  };
  if (tell || isMeasured) timer = setTimeout(look, 0).unref();
  return { last: () => last, stop: () => clearTimeout(timer) };
}

async function prepareFollowing(folder: string, intervalMs: number, json: boolean): Promise<FollowBesideExports> {
  const settings = readEdgarSettings(process.env, readSettings().homeFolder);
  const catalog = resolve(folder);
  await requireOrMakeCatalog(catalog);
  const print = (line: string | null) => line !== null && process.stderr.write(`${line}\n`);
  return {
    settings,
    catalog,
    intervalMs,
    onEvent: (event) => (json ? printJson(event) : print(eventLine(event))),
    onProblem: (message) =>
      print(message === null ? 'EDGAR is followed again' : `EDGAR is not followed now: ${message}`),
  };
}
