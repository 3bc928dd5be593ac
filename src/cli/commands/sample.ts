/** `filinglake sample --filings N --seed S --out DIR`: EDGAR-shaped files of invented companies. */
import { Command } from 'commander';
import { writeSample } from '../sample/index.ts';
import { calendarDay, wholeNumber } from '../terminal/option-values.ts';
import { counted, formatBytes, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';

interface Options {
  filings: number;
  seed: number;
  out: string;
  from?: string;
  to?: string;
  force?: boolean;
  json?: boolean;
}

export function command(): Command {
  return new Command('sample')
    .description('Generate sample EDGAR files of invented companies')
    .requiredOption('--out <dir>', 'folder to write into; created if there is none')
    .option('--filings <n>', 'how many filings', wholeNumber('--filings', 1, 10_000_000), 250)
    .option('--seed <n>', 'another number gives other companies', wholeNumber('--seed', 0, 2 ** 53 - 1), 1)
    .option('--from <date>', 'first filing date, YYYY-MM-DD (default 2005-01-03; none before)', calendarDay('--from'))
    .option('--to <date>', 'last filing date, YYYY-MM-DD (default 2025-12-31)', calendarDay('--to'))
    .option('--force', 'write into a folder that holds other files')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The same number, seed and dates give the same bytes. The folder has EDGAR's layout: edgar/data/<cik>/<accession>.txt,
Feed/…/<accession>.nc, submissions/CIK….json, files/company_tickers_exchange.json.
If the folder already has these files, nothing is written.

Examples:
  filinglake sample --out ./sample
  filinglake sample --filings 100000 --seed 7 --out ./big --json
  filinglake sample --filings 20000 --from 2024-01-01 --to 2024-03-31 --out ./quarter`,
    )
    .action(run);
}

async function run({ json, ...options }: Options): Promise<void> {
  const progress = openProgress({ label: 'writing', unit: 'filings', total: options.filings, silent: json === true });
  const written = await writeSample({
    ...options,
    onProgress: (done) => progress.update(done.filings, formatBytes(done.bytes)),
  });
  if (json) return printJson({ ...written, seconds: Math.round(written.seconds * 1000) / 1000 });
  const amount = `${counted(written.filings, 'filing')}, ${counted(written.files, 'file')}, ${formatBytes(written.bytes)}`;
  progress.finish(
    written.unchanged
      ? `${options.out} holds this sample already: ${amount}`
      : `${options.out}: ${amount} in ${formatDuration(written.seconds)}`,
  );
}
