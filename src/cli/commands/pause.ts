/** `filinglake pause ID`: a run pauses at the end of its batch. */
import { Command } from 'commander';
import { commandNameOf } from '../../export/runtime/index.ts';
import { keyOfRun } from '../terminal/key-of-run.ts';
import { printJson } from '../terminal/terminal.ts';
import { withRuns } from '../terminal/with-runs.ts';

export function command(): Command {
  return new Command('pause')
    .description('Pause a run at the end of its batch, until filinglake resume')
    .argument('<id>', "an export's name, or export/NAME")
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      '\nFILINGLAKE_API_KEY must be the key that the run was started with.\n\nExit codes: 0 it is paused, or will be; 1 it has ended; 2 there is no such run; 4 its key is another.\n\nExample:\n  filinglake pause annual-reports',
    )
    .action(async (id: string, options: { json?: boolean }) => {
      const key = await keyOfRun(id);
      await withRuns({ command: 'pause', apiKey: key, silent: options.json === true }, async ({ runs }) => {
        const handle = await runs.open(id, key);
        const { id: run, progress } = await runs.status(handle);
        const already = progress.stopped_by === 'pause';
        if (!already) await handle.executeUpdate('pause');
        if (options.json) printJson({ id: handle.workflowId, state: 'paused' });
        else if (already) process.stdout.write(`${handle.workflowId} is paused already\n`);
        else process.stdout.write(`${handle.workflowId} pauses at the end of its batch\n`);
        if (!options.json) process.stderr.write(`filinglake resume ${commandNameOf(run)} continues it\n`);
      });
    });
}
