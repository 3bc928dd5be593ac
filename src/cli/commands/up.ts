/** `filinglake up`: keeps Temporal and a worker running, so that runs continue without a command that watches them. */
import { Command } from 'commander';
import { FilinglakeError } from '../../core/index.ts';
import { duration, metricsAddress } from '../terminal/option-values.ts';
import { type WorkOptions, work } from './worker.ts';

interface UpOptions extends WorkOptions {
  follow?: number | true;
}

const INTERVAL_MS = 60_000;

export function command(): Command {
  return new Command('up')
    .description('Keep Temporal and a worker running until Ctrl-C or SIGTERM, for runs without a terminal')
    .option('--catalog <dir>', 'work on exports straight from this catalog (service.catalog), which need no key')
    .option(
      '--follow [interval]',
      'follow EDGAR into the catalog too: a look each 60s, 5m, 1h (default: 60s)',
      duration('--follow', 'smh', '60s, 5m or 1h', 1000),
    )
    .option('--metrics <address>', 'serve metrics of exports at a port or HOST:PORT, path /metrics', metricsAddress)
    .option('--json', 'print {"task_queue": …} once everything runs; with --follow events too, one a line')
    .addHelpText(
      'after',
      `
With --follow, it does what \`filinglake edgar follow\` does, beside the exports. The catalog is created if there is none. Needs FILINGLAKE_EDGAR_AGENT (your name and e-mail).

Looks at the schedules each 30 seconds, and tells whom the key notify of a definition names: docs/guide/alerts.md.
For a service unit, see docs/guide/schedules.md.

Examples:
  FILINGLAKE_API_KEY=… filinglake up
  filinglake up --catalog ./catalog --follow`,
    )
    .action(({ follow, ...options }: UpOptions) => {
      if (follow !== undefined && options.catalog === undefined) {
        throw new FilinglakeError(
          'argument-invalid',
          '--follow needs --catalog DIR: the catalog that gets the filings',
        );
      }
      return work('up', { ...options, followMs: follow === true ? INTERVAL_MS : (follow ?? null) });
    });
}
