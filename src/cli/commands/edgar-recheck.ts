/** `filinglake edgar recheck`: asks EDGAR whether stored filings have changed. */
import { Command } from 'commander';
import { recheckSelected, selectFilings } from '../../service/edgar-sync/index.ts';
import { withSession } from '../terminal/edgar-session.ts';
import { formatCount } from '../terminal/terminal.ts';
import { type SelectionOptions, selectionOf, withSelection } from './edgar-fetch.ts';

export function recheckCommand(): Command {
  return withSelection(new Command('recheck'))
    .description('Ask EDGAR again for the stored filings of a selection, and replace those that changed')
    .addHelpText(
      'after',
      `
EDGAR may replace a file without a trace in its indexes: a redaction, a removed document. Each stored filing costs a
request; only a changed one is downloaded. Filings that came from archives or from files of yours are downloaded once.

Exit code 0: every filing was checked; 3: some could not be; 5: EDGAR can't be reached.

Example:
  filinglake edgar recheck --catalog ./catalog --from 2025-01-01 --to 2025-03-31`,
    )
    .action(run);
}

async function run(options: SelectionOptions): Promise<void> {
  const selection = selectionOf(options);
  await withSession(options, 'checking', async (session, print) => {
    const selected = await selectFilings(session, selection, options.json ? undefined : print);
    if (!options.json) print(`${formatCount(selected.plan.stored)} stored filings to check`);
    await recheckSelected(session, selected);
    return { missing: session.counts.missing };
  });
}
