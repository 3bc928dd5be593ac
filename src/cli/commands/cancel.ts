/** `filinglake cancel ID`: ends a run; the lake stays as its last commit left it. */
import { Command } from 'commander';
import { readSettings } from '../../core/environment/index.ts';
import { printResult } from '../terminal/terminal.ts';
import { withRuns } from '../terminal/with-runs.ts';

/** An active worker ends the run after its current commit. Without a worker, the server terminates the run. */
const SILENCE_MS = 15_000;
const END_MS = 300_000;

export function command(): Command {
  return new Command('cancel')
    .description('Cancel a run. The lake keeps what was committed')
    .argument('<id>', "an export's name, or export/NAME")
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
An active worker gets up to 5 minutes to finish its batch. If no worker has been heard from for 15 seconds, the run is
terminated.

Exit codes: 0 it is cancelled, or was before; 1 it has ended already; 2 there is no such run; 5 Temporal can't be reached.

Examples:
  filinglake cancel annual-reports`,
    )
    .action(run);
}

async function run(id: string, options: { json?: boolean }): Promise<void> {
  const { apiKey } = readSettings();
  const of = { command: 'cancel', silent: options.json === true };
  await withRuns({ ...of, apiKey: null }, async ({ runs }) => {
    // A run must end even if its key is lost or revoked: it is terminated, since no worker of this key can receive the request.
    const { id: newest, state } = await runs.status(await runs.handleOf(id));
    if (state === 'cancelled') return told(newest, 'was cancelled before', options);
    const handle = await runs.open(id, null);
    await handle.cancel();
    const onMessage = (line: string) => options.json || process.stderr.write(`${line}\n`);
    // If the key is set, a worker of this process ends the run, even if no other is active. It starts after the request:
    // before, it would do the run's work.
    await withRuns({ ...of, apiKey }, () => runs.end(handle, { silenceMs: SILENCE_MS, mostMs: END_MS, onMessage }));
    told(handle.workflowId, 'is cancelled', options);
  });
}

function told(id: string, what: string, options: { json?: boolean }): void {
  printResult(options.json, { id, state: 'cancelled' }, `${id} ${what}; the lake keeps what was committed`);
}
