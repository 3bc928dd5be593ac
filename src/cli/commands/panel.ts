/** `filinglake panel`: standard items of companies by fiscal period, as CSV, Parquet, Stata or JSON. */
import { existsSync, readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { counted, EXIT, FilinglakeError } from '../../core/index.ts';
import { statementRules } from '../../filings/statements/index.ts';
import { csvText, jsonText, keepPanel, type Lake, PANEL_PERIODS, type Panel, stataRows } from '../../lake/index.ts';
import { filingsWithout, mayCount, sentencesOfWithout } from '../../lake/report/index.ts';
import { ciksOf } from '../terminal/companies.ts';
import { terminalMemoryBytes, withLake } from '../terminal/lake-folder.ts';
import { type Output, openOutput } from '../terminal/output.ts';
import { formatByName } from '../terminal/output-format.ts';
import { tableText } from '../terminal/result-table.ts';
import { isOfShares, knownItem, momentOf, refuseWithoutFundamentals } from '../terminal/statement-options.ts';

const ENDINGS = { csv: ['csv'], parquet: ['parquet'], dta: ['dta'], json: ['json'] } as const;
type Format = keyof typeof ENDINGS | 'table';

interface Options {
  items: string;
  by: Panel['by'];
  asOf?: string;
  companies?: string;
  long?: boolean;
  asReported?: boolean;
  comparatives?: boolean;
  link?: string[];
  printed: boolean;
  out?: string;
  json?: boolean;
  lake?: string;
}

export function command(): Command {
  return new Command('panel')
    .description('Write items of statements by company and fiscal period, as they were known at a moment')
    .requiredOption('--items <list>', 'items by commas: revenue,net_income; filinglake schema items lists them')
    .addOption(
      new Option(
        '--by <period>',
        'year, quarter, the last twelve months at the end of each quarter, or years as each first annual report stated its own',
      )
        .choices(PANEL_PERIODS)
        .default('year'),
    )
    .option(
      '--as-of <moment>',
      'use no filing that EDGAR accepted later: a day (its beginning), or day and time, Eastern',
    )
    .option('--companies <list>', 'CIKs and tickers by commas, or a file with one a line (default: all)')
    .option('--long', 'a row for each value, with its method, filing and time')
    .option('--as-reported', 'leave values per share and counts of shares as filed, over splits too')
    .option('--comparatives', 'also periods that only later reports state, beside their own')
    .option('--link <file...>', 'add PERMNO and GVKEY by files of CRSP and Compustat: CSV or Parquet')
    .option('--no-printed', 'leave out values that were read from printed pages, of before XBRL')
    .option('--out <file>', 'write to a file: .csv, .parquet, .dta (Stata 14 and later) or .json')
    .addOption(new Option('--json', 'print JSON').conflicts('out'))
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .addHelpText(
      'after',
      `
A row is one period of one company: cik, ticker, fiscal_year, fiscal_period, period_end, known_from, accession_number,
filing_date, currency, split_factor, the items. In a lake with printed_fundamentals also printed: the items of the row that
were read from printed pages.
known_from is the acceptance of the newest filing that the row is made of; accession_number names the filing of its
newest value. A value that no filing states is empty.
A period whose own report the lake lacks is left out, and counted. --comparatives takes it in, with fewer items.
--by first_reported has each year as its own annual report stated it: no later correction.
--as-of leaves out what was filed later.
Quarters that no filing states are differences, such as the year less nine months, of numbers known by then.
Values per share and counts of shares are on the newest basis that was known: a later filing restates them for a split.
split_factor is the largest number of new shares for each old one in the row. With --as-reported they stay as filed.
--link reads names of CRSP (PERMNO, NCUSIP, NAMEDT …) and companies or links of Compustat (GVKEY, CIK, CUSIP, LPERMNO …).
permno_by and gvkey_by say how an id was found, permno_note and gvkey_note why not: of several candidates none is given.
With --as-of 2020-06-30 nothing of 30 June is used: give 2020-06-30T16:00 for what was known when the market closed.

The lake needs the tables filings and fundamentals, or printed_fundamentals. A lake with documents gets them by \`filinglake remap --tables statements\`.

Exit code 3: a company of --companies has no values.

Examples:
  filinglake panel --items revenue,net_income --by quarter --as-of 2020-06-30 --out panel.csv
  filinglake panel --items total_assets,shares_outstanding --companies AAPL,MSFT,789019 --out panel.dta
  filinglake panel --items revenue,eps_diluted --by first_reported --as-reported --out first.csv
  filinglake panel --items net_income --by ttm --long --link stocknames.csv ccm.parquet --json`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const items = itemsOf(options.items);
  const asOf = options.asOf === undefined ? null : momentOf(options.asOf);
  const format = options.json ? 'json' : formatOf(options.out);
  await withLake(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, async (lake) => {
    const at = await lake.currentVersion();
    await refuseWithoutFundamentals(lake, at);
    const companies = options.companies === undefined ? null : await ciksOf(lake, at, wordsOf(options.companies));
    const ciks = companies && [...new Set(companies.values())];
    const { by, asReported = false, long = false } = options;
    const comparatives = options.comparatives ? 'taken in' : 'left out';
    const { tables } = await lake.snapshot(at);
    const printed = !options.printed ? 'left out' : tables.has('printed_fundamentals') ? 'taken in' : 'none';
    const panel: Panel = { items, by, asOf, ciks, long, asReported, comparatives, printed };
    const { query, sentences } = await keepPanel(lake, panel, at, options.link);
    const sql = query(panel);
    await using output = await openOutput(options.out);
    await write(lake, sql, at, format, output);
    await output.done();
    for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
    if (items.some(isOfShares)) await warnOfSplits(lake, query({ ...panel, long: true }), at, asReported);
    if (!options.comparatives)
      await sayWhatIsLeftOut(lake, query({ ...panel, long: false, comparatives: 'alone' }), at);
    await sayWhatIsWithout(lake, at);
    if (options.out === undefined && companies === null) return;
    const made = await companiesOf(lake, sql, at);
    if (options.out !== undefined) process.stdout.write(`${options.out}: ${summaryOf(made)}\n`);
    if (companies !== null) warnOfMissing(made, companies);
  });
}

/** @param sql of the periods that are left out */
async function sayWhatIsLeftOut(lake: Lake, sql: string, at: number): Promise<void> {
  const [left] = await lake.query(`SELECT count(*) AS periods, count(DISTINCT cik) AS companies FROM (${sql})`, { at });
  const [periods, companies] = [Number(left?.periods), Number(left?.companies)];
  if (periods === 0) return;
  process.stderr.write(
    `${counted(periods, 'period')} of ${counted(companies, 'company', 'companies')} left out: only later reports state them. --comparatives has them\n`,
  );
}

/** A panel has no row of a report without statements, so this is said beside it. */
async function sayWhatIsWithout(lake: Lake, at: number): Promise<void> {
  const { tables } = await lake.snapshot(at);
  if (!mayCount(tables)) return;
  const groups = await filingsWithout((sql) => lake.query(sql, { at }));
  for (const sentence of sentencesOfWithout(groups.filter(({ rows }) => rows === 'statements')))
    process.stderr.write(`${sentence}\n`);
}

function itemsOf(list: string): string[] {
  const words = list.split(',').map((word) => word.trim());
  const items = [...new Set(words.filter((word) => word !== ''))].map(knownItem);
  if (items.length > 0) return items;
  throw new FilinglakeError('argument-missing', '--items names no item', {
    remedy: 'Give for example --items revenue,net_income.',
  });
}

function formatOf(file: string | undefined): Format {
  return (file === undefined ? null : formatByName('--out', file, ENDINGS)) ?? 'table';
}

function wordsOf(companies: string): string[] {
  const isFile = existsSync(companies);
  const words = (isFile ? readFileSync(companies, 'utf8').split(/[\r\n,]+/) : companies.split(','))
    .map((word) => word.trim().replace(/^\uFEFF/, ''))
    .filter((word) => word !== '');
  if (words.length > 0) return words;
  throw new FilinglakeError('argument-missing', '--companies names no company', {
    remedy: 'Give CIKs or tickers by commas, or a file with one a line.',
  });
}

const LABELS: Readonly<Record<string, string>> = {
  cik: 'CIK of the company',
  period_end: 'Last day of the period',
  known_from: 'Acceptance of the newest filing that the row is made of, Eastern',
  accession_number: 'Number of a filing that the row is made of',
  printed: 'Items that were read from printed pages',
  split_factor: 'Largest number of new shares for each old one in the row',
};

/** `operating_income`: `Operating income, money`. */
function labelOf(column: string): string {
  const words = column.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const unit = statementRules().items.get(column)?.unit;
  return LABELS[column] ?? (unit === undefined ? words : `${words}, ${unit}`);
}

async function write(lake: Lake, sql: string, at: number, format: Format, output: Output): Promise<void> {
  if (format === 'parquet') {
    if (output.file === null)
      throw new FilinglakeError('output-unwritable', 'Parquet needs a file that can be written at any place', {
        remedy: 'Give --out a plain file.',
      });
    return lake.writeParquet(sql, output.file, { at });
  }
  if (format === 'dta') return output.write(stataRows(lake, sql, at, labelOf));
  // A narrow terminal hides the last columns: not the items that were asked for.
  const last =
    "c IN ('known_from', 'accession_number', 'filing_date', 'currency', 'split_factor', 'printed', 'permno_by', 'permno_note', 'gvkey_by', 'gvkey_note')";
  const shown =
    output.columns === null ? sql : `SELECT COLUMNS(lambda c: NOT ${last}), COLUMNS(lambda c: ${last}) FROM (${sql})`;
  await using result = await lake.stream(shown, { at });
  if (format === 'json') await output.write(jsonText(result));
  else await output.write(format === 'csv' ? csvText(result) : tableText(result, output.columns));
}

interface Company {
  readonly cik: string;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

async function companiesOf(lake: Lake, sql: string, at: number): Promise<Company[]> {
  const rows = await lake.query(
    `SELECT cik, count(*) AS n, min(period_end) AS first, max(period_end) AS last FROM (${sql}) GROUP BY cik`,
    { at },
  );
  return rows.map(({ cik, n, first, last }) => ({
    cik: String(cik),
    rows: Number(n),
    first: String(first),
    last: String(last),
  }));
}

function summaryOf(companies: readonly Company[]): string {
  if (companies.length === 0) return 'no row: the lake has no value of these items';
  const rows = companies.reduce((sum, company) => sum + company.rows, 0);
  const days = companies.flatMap(({ first, last }) => [first, last]).sort();
  return `${counted(rows, 'row')} of ${counted(companies.length, 'company', 'companies')}, ${days[0]} to ${days.at(-1)}`;
}

async function warnOfSplits(lake: Lake, sql: string, at: number, asReported: boolean): Promise<void> {
  const [counts] = await lake.query(
    `SELECT count(*) FILTER (split_factor <> 1) AS older, count(*) FILTER (value IS NULL) AS unknown FROM (${sql})`,
    { at },
  );
  const [older, unknown] = [Number(counts?.older), Number(counts?.unknown)];
  if (asReported && older > 0)
    process.stderr.write(`warning: ${counted(older, 'value')} as filed before a split: see split_factor\n`);
  if (!asReported && unknown > 0)
    process.stderr.write(
      `warning: ${counted(unknown, 'value')} left out: the lake does not say on which side of a split. --as-reported has them\n`,
    );
}

function warnOfMissing(made: readonly Company[], companies: ReadonlyMap<string, string>): void {
  const found = new Set(made.map(({ cik }) => cik));
  const missing = [...companies].filter(([, cik]) => !found.has(cik)).map(([word]) => word);
  if (missing.length === 0) return;
  process.stderr.write(`warning: the lake has no value of ${missing.join(', ')}\n`);
  process.exitCode = EXIT.finishedWithFailures;
}
