/** `filinglake pause ID`: a run stands still at its next batch's end. */
import { Command } from 'commander';
import { readSettings } from '../runtime/index.ts';
import { printJson } from './terminal.ts';
import { requiredKey, withRuns } from './with-runs.ts';

export function command(): Command {
  return new Command('pause')
    .description('Let a run stand still at the end of its batch, until filinglake resume')
    .argument('<id>', "an export's name, or export/NAME")
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', '\nExample:\n  filinglake pause annual-reports')
    .action(async (id: string, options: { json?: boolean }) => {
      const key = requiredKey(readSettings().apiKey);
      await withRuns({ command: 'pause', apiKey: key, silent: options.json === true }, async ({ runs }) => {
        const handle = await runs.open(id, key);
        await handle.executeUpdate('pause');
        if (options.json) printJson({ id: handle.workflowId, state: 'paused' });
        else process.stdout.write(`${handle.workflowId} pauses at the end of its batch\n`);
      });
    });
}
