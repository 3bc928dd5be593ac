/** `filinglake edgar …`: stores EDGAR's own files in a catalog. */
import { Command } from 'commander';
import { backfillCommand } from './edgar-backfill.ts';
import { daysCommand } from './edgar-days.ts';
import { fetchCommand } from './edgar-fetch.ts';
import { followCommand } from './edgar-follow.ts';

export function command(): Command {
  return new Command('edgar')
    .description('Fetch filings from EDGAR into a catalog, follow what is published, and see which days are complete')
    .addCommand(fetchCommand())
    .addCommand(followCommand())
    .addCommand(backfillCommand())
    .addCommand(daysCommand())
    .addHelpText(
      'after',
      `
SEC requires your name and e-mail, and allows ten requests a second. Set your name and e-mail first:

  export FILINGLAKE_EDGAR_AGENT="Your Name you@your.domain"

filinglake sends about five requests a second from one machine, over all its processes. If EDGAR refuses, filinglake
waits ten minutes, because each request during a block makes the block longer.

Examples:
  filinglake edgar fetch --catalog ./catalog --tickers AAPL,MSFT --forms 10-K,10-Q --from 2020-01-01
  filinglake edgar follow --catalog ./catalog
  filinglake edgar days --catalog ./catalog`,
    );
}
