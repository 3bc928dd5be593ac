/** `filinglake edgar backfill`: stores whole days of the past in a catalog. */
import { Command } from 'commander';
import { invalidValue } from '../../core/index.ts';
import { backfill } from '../../service/edgar-sync/index.ts';
import { withSession } from '../terminal/edgar-session.ts';
import { calendarDay } from '../terminal/option-values.ts';

interface Options {
  catalog: string;
  from: string;
  to: string;
  json?: boolean;
}

export function backfillCommand(): Command {
  return new Command('backfill')
    .description('Store everything that EDGAR published from one day to another')
    .requiredOption('--catalog <dir>', 'folder of the catalog; created if there is none')
    .requiredOption('--from <date>', 'first day of publication, YYYY-MM-DD', calendarDay('--from'))
    .requiredOption('--to <date>', 'last day of publication', calendarDay('--to'))
    .option('--json', 'print events as JSON, one a line')
    .addHelpText(
      'after',
      `
Downloads EDGAR's archive of each day, or single filings if the catalog has most of the day. It chooses the cheaper way,
and reports it. A recent archive has some hundred MB, unpacked 1.5 GB. Stop it at any time: the same command continues.

Submissions in archives have no acceptance time. It comes with SEC's record of the company: edgar follow, or ingest.

Needs FILINGLAKE_EDGAR_AGENT (your name and e-mail).
Exit code 0: the catalog has all; 3: something is not available, and is listed; 5: EDGAR can't be reached.

Example:
  filinglake edgar backfill --catalog ./catalog --from 2024-01-02 --to 2024-01-31`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { from, to } = options;
  if (from > to) throw invalidValue('argument-invalid', '--from', 'a day before --to or the same day', from);
  await withSession(options, 'backfilling', async (session, print) => {
    await backfill(session, { from, to, onDay: (line) => !options.json && print(line) });
    return { missing: session.counts.missing };
  });
}
