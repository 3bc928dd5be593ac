/** `filinglake edgar gaps`: what a catalog lacks of EDGAR, for any selection. */
import { Command } from 'commander';
import { selectFilings } from '../../service/edgar-sync/index.ts';
import { withSession } from '../terminal/edgar-session.ts';
import { formatCount, printJson } from '../terminal/terminal.ts';
import { type SelectionOptions, selectionOf, withSelection } from './edgar-fetch.ts';

interface Options extends SelectionOptions {
  list?: boolean;
}

export function gapsCommand(): Command {
  return withSelection(new Command('gaps'))
    .description('Count the filings that EDGAR has and the catalog lacks')
    .option('--list', 'print each missing filing too: number, form, date, and why it is missing')
    .addHelpText(
      'after',
      `
It reads the quarterly indexes of the selection, those that changed since the last look, and downloads no filing.

Exit code 0: nothing is missing; 3: something is, or an index could not be read.

Examples:
  filinglake edgar gaps --catalog ./catalog --from 2020-01-01
  filinglake edgar gaps --catalog ./catalog --forms 10-K --from 2024-01-01 --list`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const selection = selectionOf(options);
  await withSession(options, 'comparing', async (session, print) => {
    const selected = await selectFilings(session, selection, options.json ? undefined : print);
    const { plan } = selected;
    if (options.list)
      for (const which of ['missing', 'refused'] as const)
        for (const page of selected.pages(which))
          for (const { accession_number, form_type, filing_date, reason } of page) {
            const why = reason ?? 'not requested yet';
            if (options.json) printJson({ event: 'missing', accession_number, form_type, filing_date, reason: why });
            else process.stdout.write(`${accession_number}  ${form_type}  ${filing_date}  ${why}\n`);
          }
    const { filings, stored, to_fetch, unindexed, unknown } = plan;
    if (options.json) printJson({ event: 'gaps', filings, stored, missing: to_fetch, unknown, unindexed });
    else {
      const share = filings === 0 ? '' : ` (${((100 * to_fetch) / filings).toFixed(2)} %)`;
      process.stdout.write(
        `EDGAR has ${formatCount(filings)} filings of this selection; the catalog lacks ${formatCount(to_fetch)}${share}\n`,
      );
      if (unknown.length > 0) process.stdout.write(`named by no index: ${unknown.join(', ')}\n`);
      if (unindexed.length > 0) process.stdout.write(`without an index: ${unindexed.join(', ')}\n`);
    }
    return { missing: to_fetch + unknown.length + unindexed.length };
  });
}
