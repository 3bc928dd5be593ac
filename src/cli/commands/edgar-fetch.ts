/** `filinglake edgar fetch`: stores a selection of EDGAR's filings in a catalog. */
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { FilinglakeError, invalidValue, systemErrorWords } from '../../core/index.ts';
import { parseAccessionNumber, parseCik } from '../../filings/api/index.ts';
import {
  type FetchPlan,
  type FetchSelection,
  fetchSelected,
  recheckSelected,
  selectFilings,
} from '../../service/edgar-sync/index.ts';
import { withSession } from '../terminal/edgar-session.ts';
import { calendarDay } from '../terminal/option-values.ts';
import { formatBytes, formatCount, formatDuration, printJson, printResult } from '../terminal/terminal.ts';

interface SelectionOptions {
  catalog: string;
  forms?: string[];
  ciks?: string[];
  ciksFile?: string;
  tickers?: string[];
  from?: string;
  to?: string;
  accessionNumbers?: string;
  json?: boolean;
}

interface Options extends SelectionOptions {
  plan?: boolean;
  gaps?: boolean;
  list?: boolean;
  recheck?: boolean;
}

export function fetchCommand(): Command {
  return new Command('fetch')
    .description('Download the filings of a selection from EDGAR, and ingest them')
    .requiredOption('--catalog <dir>', 'folder of the catalog; created if there is none')
    .option('--forms <names>', 'form types: 10-K,10-Q; 10-K* for all that begin so', listOf('--forms'))
    .option('--ciks <numbers>', 'companies by CIK', listOf('--ciks'))
    .option('--ciks-file <file>', 'companies by CIK, one a line')
    .option('--tickers <symbols>', 'companies by ticker of today', listOf('--tickers'))
    .option(
      '--from <date>',
      'first filing date, YYYY-MM-DD (default with companies: 1993-01-01)',
      calendarDay('--from'),
    )
    .option('--to <date>', 'last filing date (default: today)', calendarDay('--to'))
    .option('--accession-numbers <file>', 'single filings, an accession number a line')
    .option('--json', 'print events as JSON, one a line')
    .addOption(
      new Option('--plan', 'print how many filings, bytes and hours, and download none').conflicts(['gaps', 'recheck']),
    )
    .addOption(new Option('--gaps', 'count the filings that the catalog lacks, and download none').conflicts('recheck'))
    .option('--list', 'with --gaps: print each missing filing too: number, form, date, and why it is missing')
    .option('--recheck', 'ask again for filings that the catalog has, and replace those that changed')
    .addHelpText(
      'after',
      `
filinglake finds the filings in EDGAR's quarterly indexes, whose rows it keeps, or in SEC's records of the companies if that costs less. It downloads each submission once. Stop it at
any time: the same command continues.

Needs FILINGLAKE_EDGAR_AGENT (your name and e-mail).
--gaps reads the indexes of the selection, those that changed since the last look. --recheck finds files that EDGAR replaced
without a trace in its indexes: a redaction, a removed document. It costs a request a stored filing; only a changed one is
downloaded, and once each filing that came from an archive or from files of yours.
Exit code 0: the catalog has all; 3: some filings are missing or not available, each is listed with its reason; 5: EDGAR can't be reached.

Examples:
  filinglake edgar fetch --catalog ./catalog --tickers AAPL,MSFT --forms 10-K --plan
  filinglake edgar fetch --catalog ./catalog --forms 8-K --from 2025-01-01 --to 2025-03-31
  filinglake edgar fetch --catalog ./catalog --forms 10-K --from 2024-01-01 --gaps --list`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const selection = selectionOf(options);
  const what = options.recheck ? 'checking' : options.gaps ? 'comparing' : 'fetching';
  await withSession(options, what, async (session, print) => {
    const selected = await selectFilings(session, selection, options.json ? undefined : print);
    const { plan } = selected;
    if (options.gaps) {
      printGaps(selected, options);
      return { missing: plan.to_fetch + plan.unknown.length + plan.unindexed.length };
    }
    if (options.recheck) {
      if (!options.json) print(`${formatCount(plan.stored)} stored filings to check`);
      await recheckSelected(session, selected);
      return { missing: session.counts.missing };
    }
    if (options.plan) {
      printResult(options.json, { event: 'plan', ...plan }, describe(plan));
      return { missing: 0 };
    }
    if (!options.json) print(describe(plan));
    for (const quarter of plan.unindexed)
      session.onEvent({ event: 'gap', message: `EDGAR has no index of ${quarter}` });
    await fetchSelected(session, selected);
    return { missing: session.counts.missing + plan.unindexed.length };
  });
}

function printGaps(selected: Awaited<ReturnType<typeof selectFilings>>, { list, json }: Options): void {
  for (const which of list ? (['missing', 'refused'] as const) : [])
    for (const page of selected.pages(which))
      for (const { accession_number, form_type, filing_date, reason } of page) {
        const why = reason ?? 'not requested yet';
        const line = `${accession_number}  ${form_type}  ${filing_date}  ${why}`;
        printResult(json, { event: 'missing', accession_number, form_type, filing_date, reason: why }, line);
      }
  const { filings, stored, to_fetch, unindexed, unknown } = selected.plan;
  if (json) {
    printJson({ event: 'gaps', filings, stored, missing: to_fetch, unknown, unindexed });
    return;
  }
  const share = filings === 0 ? '' : ` (${((100 * to_fetch) / filings).toFixed(2)} %)`;
  process.stdout.write(
    `EDGAR has ${formatCount(filings)} filings of this selection; the catalog lacks ${formatCount(to_fetch)}${share}\n`,
  );
  if (unknown.length > 0) process.stdout.write(`named by no index: ${unknown.join(', ')}\n`);
  if (unindexed.length > 0) process.stdout.write(`without an index: ${unindexed.join(', ')}\n`);
}

function describe({ filings, stored, to_fetch, bytes_estimate, hours_estimate, unknown, read }: FetchPlan): string {
  const records = read.company_records > 0 ? ` and ${formatCount(read.company_records)} records of companies` : '';
  const lines = [
    `read: ${formatCount(read.quarters)} quarterly indexes${records}; their rows are kept, and read again only if they changed`,
    `${formatCount(filings)} filings are selected; the catalog has ${formatCount(stored)}`,
    `to fetch: ${formatCount(to_fetch)} filings, at most about ${formatBytes(bytes_estimate)} at today's sizes, ` +
      `${formatDuration(hours_estimate * 3600)} at EDGAR's rate`,
  ];
  if (unknown.length > 0) lines.push(`not in EDGAR's indexes: ${unknown.slice(0, 20).join(', ')}`);
  return lines.join('\n');
}

function selectionOf(options: SelectionOptions): FetchSelection {
  const { forms, tickers, from, to } = options;
  // Indexes are by Eastern days. A day east of them may have begun.
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  if (from !== undefined && from > tomorrow) throw usage(`--from (${from}) is in the future`);
  const ciks = [...(options.ciks ?? []), ...(options.ciksFile === undefined ? [] : linesOf(options.ciksFile))];
  const numbers = options.accessionNumbers === undefined ? null : linesOf(options.accessionNumbers);
  if (from !== undefined && to !== undefined && from > to) throw usage(`--from (${from}) is after --to (${to})`);
  return {
    ...(forms ? { forms } : {}),
    ...(ciks.length > 0 ? { ciks: ciks.map(requireCik) } : {}),
    ...(tickers ? { tickers } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(numbers === null ? {} : { accessionNumbers: [...new Set(numbers.map(requireAccessionNumber))] }),
  };
}

function requireCik(text: string): string {
  const cik = parseCik(text);
  if (cik === null) throw usage(`'${text}' is not a CIK`);
  return cik;
}

function requireAccessionNumber(text: string): string {
  const accession = parseAccessionNumber(text);
  if (accession === null) throw usage(`'${text}' is not an accession number`);
  return accession;
}

/** Lines of a file, without blank ones and comments; the first word of each. */
function linesOf(file: string): string[] {
  let words: string[];
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/);
    words = lines.map((line) => line.trim().split(/[\s,;]/)[0]!).filter((word) => word !== '' && !word.startsWith('#'));
  } catch (cause) {
    throw usage(`${file} can't be read: ${systemErrorWords(cause)}`);
  }
  // Without its companies a selection would have all of EDGAR.
  if (words.length === 0) throw usage(`${file} has no number: an empty list selects nothing`);
  return words;
}

function usage(message: string): FilinglakeError {
  return new FilinglakeError('argument-invalid', message);
}

function listOf(option: string): (text: string) => string[] {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    const given = words.filter((word) => word !== '');
    if (given.length > 0) return given;
    throw invalidValue('argument-invalid', option, 'one value or more, separated by commas', text);
  };
}
