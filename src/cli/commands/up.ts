/** `filinglake up`: keeps Temporal and a worker running, so that runs continue without a command that watches them. */
import { Command } from 'commander';
import { work } from './worker.ts';

export function command(): Command {
  return new Command('up')
    .description('Keep Temporal and a worker running until Ctrl-C or SIGTERM, for runs without a terminal')
    .option('--json', 'print {"task_queue": …} once everything runs')
    .addHelpText(
      'after',
      '\nFor a service unit, see docs/guide/schedules.md.\n\nExample:\n  FILINGLAKE_API_KEY=… filinglake up',
    )
    .action((options: { json?: boolean }) => work('up', options.json === true));
}
