/** `filinglake edgar days`: each day of publication, and whether the catalog is complete for it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { FilinglakeError, shellWord } from '../../core/index.ts';
import { edgarDays, Ledger, ledgerError } from '../../service/edgar-sync/index.ts';
import { printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  catalog: string;
  json?: boolean;
}

const COLUMNS = ['day', 'expected', 'in_catalog', 'missing', 'lag_p50_s', 'lag_p99_s', 'proven_at'];

export function daysCommand(): Command {
  return new Command('days')
    .description('List the days that were followed: filings of the index, filings in the catalog, and the proof')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .option('--json', 'print a JSON array with a member for each day')
    .addHelpText(
      'after',
      `
expected    filings that EDGAR's index of the day names, each once
in_catalog  of those: in the catalog
missing     of those: neither in the catalog nor withdrawn by EDGAR since
lag_*_s     seconds from acceptance to the catalog (median, 99th percentile), of filings that the feed named
proven_at   when nothing was missing any more; empty: not proven

Example:
  filinglake edgar days --catalog ./catalog`,
    )
    .action(run);
}

function run(options: Options): void {
  const catalogFolder = resolve(options.catalog);
  if (!existsSync(join(catalogFolder, 'edgar.db'))) {
    throw new FilinglakeError('edgar-unfollowed', `the catalog in ${options.catalog} has not followed EDGAR`, {
      remedy: `Run \`filinglake edgar follow --catalog ${shellWord(options.catalog)} --once\` to begin.`,
    });
  }
  const ledger = Ledger.open(catalogFolder);
  try {
    const days = edgarDays(ledger, catalogFolder);
    if (options.json) printJson(days);
    else printTable(days as unknown as Record<string, unknown>[], COLUMNS);
  } catch (error) {
    throw ledgerError(error, catalogFolder);
  } finally {
    ledger.close();
  }
}
