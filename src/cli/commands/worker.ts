/** `filinglake worker`: runs a worker for exports. */
import { Command } from 'commander';
import { readSettings } from '../../environment/index.ts';
import { catalogKey } from '../terminal/catalog-service.ts';
import { printJson } from '../terminal/terminal.ts';
import { requiredKey, withRuns } from '../terminal/with-runs.ts';

export interface WorkOptions {
  json?: boolean;
  catalog?: string;
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

/** Runs a worker until a signal ends the process. */
export async function work(command: 'worker' | 'up', { json = false, catalog }: WorkOptions): Promise<void> {
  const key = catalog === undefined ? requiredKey(readSettings().apiKey) : catalogKey(catalog);
  await withRuns({ command, apiKey: key, silent: json }, async ({ worker, interrupted }) => {
    if (json) printJson({ task_queue: worker!.taskQueue });
    else process.stderr.write(`working on ${worker!.taskQueue}; Ctrl-C ends it\n`);
    const alive = setInterval(() => {}, 1 << 30);
    try {
      await Promise.race([worker!.ended, new Promise((resolve) => interrupted.addEventListener('abort', resolve))]);
    } finally {
      clearInterval(alive);
    }
  });
}
