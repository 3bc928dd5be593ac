/** `filinglake worker`: runs a worker for exports. */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { readEdgarSettings } from '../../edgar-sync/index.ts';
import { readSettings } from '../../environment/index.ts';
import { type FollowerOptions, startFollower } from '../../runtime/index.ts';
import { catalogKey } from '../terminal/catalog-service.ts';
import { eventLine } from '../terminal/edgar-events.ts';
import { followerOf, requireOrMakeCatalog } from '../terminal/follow-on-schedule.ts';
import { printJson } from '../terminal/terminal.ts';
import { requiredKey, withRuns } from '../terminal/with-runs.ts';

export interface WorkOptions {
  json?: boolean;
  catalog?: string;
  /** Between two looks at EDGAR; null: it is not followed */
  followMs?: number | null;
}

export function command(): Command {
  return new Command('worker')
    .description('Run a worker for exports with the key in FILINGLAKE_API_KEY, until Ctrl-C or SIGTERM')
    .option('--catalog <dir>', 'work on exports straight from this catalog (service.catalog), which need no key')
    .option('--json', 'print {"task_queue": …} once it works')
    .addHelpText(
      'after',
      '\nAny number of workers may run, on any machine that reaches Temporal (TEMPORAL_ADDRESS) and the lake.\n\nExample:\n  TEMPORAL_ADDRESS=temporal:7233 FILINGLAKE_API_KEY=… filinglake worker',
    )
    .action((options: WorkOptions) => work('worker', options));
}

/** Runs a worker until a signal ends the process. @throws the error of the worker, or of what follows EDGAR */
export async function work(command: 'worker' | 'up', options: WorkOptions): Promise<void> {
  const { json = false, catalog, followMs = null } = options;
  const following = catalog === undefined || followMs === null ? null : await prepareFollowing(catalog, followMs, json);
  const key = catalog === undefined ? requiredKey(readSettings().apiKey) : await catalogKey(catalog);
  await withRuns({ command, apiKey: key, silent: json }, async ({ worker, temporal, interrupted }) => {
    const follower = following && (await startFollower(temporal, { ...following, apiKey: key }));
    if (json) printJson({ task_queue: worker!.taskQueue });
    else {
      process.stderr.write(`working on ${worker!.taskQueue}; Ctrl-C ends it\n`);
      if (follower) process.stderr.write(`following EDGAR into ${catalog}, schedule ${follower.scheduleId}\n`);
    }
    const alive = setInterval(() => {}, 1 << 30);
    const interruption = new Promise<void>((settle) =>
      interrupted.addEventListener('abort', () => settle(), { once: true }),
    );
    try {
      await Promise.race([worker!.ended, ...(follower ? [follower.ended] : []), interruption]);
    } finally {
      clearInterval(alive);
      await follower?.stop();
    }
  });
}

async function prepareFollowing(
  folder: string,
  intervalMs: number,
  json: boolean,
): Promise<Omit<FollowerOptions, 'apiKey'>> {
  const settings = readEdgarSettings(process.env, readSettings().homeFolder);
  const catalog = resolve(folder);
  await requireOrMakeCatalog(catalog);
  const print = (line: string | null) => line !== null && process.stderr.write(`${line}\n`);
  const follow = followerOf({
    ...{ settings, catalog, intervalMs },
    onEvent: (event) => (json ? printJson(event) : print(eventLine(event))),
    onProblem: (message) =>
      print(message === null ? 'EDGAR is followed again' : `EDGAR is not followed now: ${message}`),
  });
  return { catalog, intervalMs, follow };
}
