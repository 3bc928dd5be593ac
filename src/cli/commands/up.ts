/** `filinglake up`: keeps Temporal and a worker running, so that runs continue without a command that watches them. */
import { Command } from 'commander';
import { type WorkOptions, work } from './worker.ts';

export function command(): Command {
  return new Command('up')
    .description('Keep Temporal and a worker running until Ctrl-C or SIGTERM, for runs without a terminal')
    .option('--catalog <dir>', 'work on exports straight from this catalog (service.catalog), which need no key')
    .option('--json', 'print {"task_queue": …} once everything runs')
    .addHelpText(
      'after',
      '\nFor a service unit, see docs/guide/schedules.md.\n\nExample:\n  FILINGLAKE_API_KEY=… filinglake up',
    )
    .action((options: WorkOptions) => work('up', options));
}
