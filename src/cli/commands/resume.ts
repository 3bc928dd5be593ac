/** `filinglake resume ID`: continues a paused or stopped run, and watches it. */
import { Command } from 'commander';
import { followRun } from '../terminal/follow-run.ts';
import { keyOfRun } from '../terminal/key-of-run.ts';
import { tablesText } from '../terminal/run-summary.ts';
import { withRuns } from '../terminal/with-runs.ts';

export function command(): Command {
  return new Command('resume')
    .description('Continue a run that was paused or left, waits for its quota, or could not reach its service')
    .argument('<id>', "an export's name, or export/NAME")
    .option('--no-wait', 'exit with code 6 if the quota is used up, instead of waiting for its reset')
    .option('--json', 'print events as JSON, a line each; the last one is "done"')
    .addHelpText(
      'after',
      '\nFILINGLAKE_API_KEY must be the key that the run was started with. A run that is already active is watched.\n\nExit codes: those of filinglake export; 1 also if the run has ended.\n\nExample:\n  filinglake resume annual-reports',
    )
    .action(run);
}

async function run(id: string, options: { wait: boolean; json?: boolean }): Promise<void> {
  const json = options.json === true;
  const key = await keyOfRun(id);
  process.exitCode = await withRuns(
    { command: 'resume', apiKey: key, silent: json },
    async ({ runs, worker, interrupted }) => {
      const handle = await runs.open(id, key);
      const { id: run, progress } = await runs.status(handle);
      if (!json)
        process.stderr.write(`${progress.stopped_by === null ? 'already active: watching' : 'continuing'} ${run}\n`);
      await handle.executeUpdate('resume');
      const { exitCode, status } = await followRun(runs, handle, { json, wait: options.wait, interrupted, worker });
      if (!json && status.state === 'completed') process.stdout.write(tablesText(status.progress));
      return exitCode;
    },
  );
}
