/** `filinglake edgar follow`: stores new filings of EDGAR in a catalog, with a proof for each day. */
import { Command, Option } from 'commander';
import { follow, followOnce } from '../../service/edgar-sync/index.ts';
import { FollowLock } from '../terminal/edgar-lock.ts';
import { withSession } from '../terminal/edgar-session.ts';
import { duration } from '../terminal/option-values.ts';

interface Options {
  catalog: string;
  once?: boolean;
  interval: number;
  json?: boolean;
}

export function followCommand(): Command {
  return new Command('follow')
    .description('Store new filings as EDGAR publishes them, and prove each day against its index')
    .requiredOption('--catalog <dir>', 'folder of the catalog; created if there is none')
    .option('--once', 'do the work that is due now, and end')
    .addOption(
      new Option('--interval <duration>', 'time between two checks: 60s, 5m, 1h')
        .argParser(duration('--interval', 'smh', '60s, 5m or 1h', 1000))
        .default(60_000, '60s'),
    )
    .option('--json', 'print events as JSON, one a line')
    .addHelpText(
      'after',
      `
Three sources make sure that nothing is missed. The feed of current filings is fast and has gaps. The daily index, published at
night, proves a day: filings that it names and the catalog lacks are fetched. The quarterly indexes, read each week, add late letters,
corrections and withdrawals. A corrected filing replaces the one before; a withdrawn filing is marked and stays.

Needs FILINGLAKE_EDGAR_AGENT (your name and e-mail).
Exit code 0: all due work is done; 3: with --once, some filings are not available yet and will be retried; 5: EDGAR can't be reached.

Examples:
  filinglake edgar follow --catalog ./catalog
  filinglake edgar follow --catalog ./catalog --once --json`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  if (options.once) {
    await withSession(options, 'following', async (session) => {
      await followOnce(session);
      return { missing: session.counts.missing };
    });
    return;
  }
  await withSession({ ...options, ifBusy: 'own' }, 'following', async (session, print) => {
    using lock = new FollowLock(session.catalogFolder);
    lock.take();
    const onProblem = (error: Error) => !options.json && print(error.message);
    await follow(session, { intervalMs: options.interval, onProblem, withLock: (look) => lock.during(look) });
    return { missing: 0 };
  });
}
