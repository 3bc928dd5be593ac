/** The query of a panel: standard items of companies by fiscal period, as they were known at a moment. */
import { quoteName, quoteText } from '../../core/index.ts';
import { keepLinks, type LinkedLake, type Links } from './link.ts';

/** `first_reported`: years, each as its own annual report states it. */
export const PANEL_PERIODS = ['year', 'quarter', 'ttm', 'first_reported'] as const;

const OF_COMPARATIVES = { 'left out': 'has_own_report', 'taken in': 'true', alone: 'NOT has_own_report' } as const;

export interface Panel {
  readonly items: readonly string[];
  readonly by: (typeof PANEL_PERIODS)[number];
  /** Eastern time without a zone; null: all that the lake has. */
  readonly asOf: string | null;
  /** CIKs; null: all. */
  readonly ciks: readonly string[] | null;
  /** A row for each value, not for each period. */
  readonly long: boolean;
  /** Values per share and counts of shares as their filings state them, not on the newest basis. */
  readonly asReported: boolean;
  /** Periods that only later reports state, as comparatives, with fewer items. */
  readonly comparatives: keyof typeof OF_COMPARATIVES;
  /** Values of printed pages; none: the lake has no table of them. */
  readonly printed: 'none' | 'taken in' | 'left out';
}

/**
 * Columns: cik, ticker, permno and gvkey if linked, fiscal_year, fiscal_period, period_end, then known_from, accession_number and filing_date of the filing of its newest value,
 * currency, split_factor and the items; or item, value, unit, method, known_from, accession_number, filing_date, split_factor.
 * Before the items stands `printed`, the names of the row's items that are, in a lake with printed values.
 * The macro panel_values decides which value counts; the Python package asks it too.
 */
export function panelSql(
  { items, long, asReported, ...panel }: Panel,
  values = panelValues(items, panel),
  linked: Links['linked'] = [],
): string {
  const head = ['cik', 'ticker', ...linked, 'fiscal_year', 'fiscal_period', 'period_end'].join(', ');
  const notes = linked.map((key) => `, ${key}_by, ${key}_note`).join('');
  const order = 'ORDER BY TRY_CAST(cik AS BIGINT), cik, period_end';
  const value = asReported ? 'as_filed' : 'value';
  const from = linked.length === 0 ? values : `FROM (${values} LEFT JOIN kept.links USING (cik, period_end))`;
  const rows = `${from} WHERE ${OF_COMPARATIVES[panel.comparatives]}`;
  if (long)
    return `SELECT ${head}, item, ${value} AS value, unit, method, known_from, accession_number, filing_date, split_factor${notes} ${rows} ${order}, list_position(${list(items)}, item)`;
  const columns = items.map((item) => `max(${value}) FILTER (item = ${quoteText(item)}) AS ${quoteName(item)}`);
  const newest = (column: string) => `arg_max(${column}, {t: known_from, n: accession_number}) AS ${column}`;
  return `SELECT ${head}, max(known_from) AS known_from, ${newest('accession_number')}, ${newest('filing_date')},
  string_agg(DISTINCT unit, ' ' ORDER BY unit) FILTER (unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%') AS currency,
  arg_max(split_factor, abs(ln(split_factor))) AS split_factor,
  ${panel.printed === 'taken in' ? `string_agg(item, ' ' ORDER BY item) FILTER (method = 'printed') AS printed,` : ''}
  ${columns.join(',\n  ')}${notes}
${rows} GROUP BY ${head}${notes} ${order}`;
}

/**
 * Makes the values of a panel once, for all questions about it: DuckDB plans them for longer than it reads a small lake.
 * @param files of CRSP and Compustat; none: no link
 * @returns the query of a panel over them, and what there is to say of its links
 * @throws FilinglakeError as `keepLinks`
 */
export async function keepPanel(
  lake: LinkedLake,
  panel: Panel,
  at: number,
  files: readonly string[] = [],
): Promise<{ query: (asked: Panel) => string; sentences: Links['sentences'] }> {
  await lake.keep('panel', panelValues(panel.items, panel), at);
  const periods = `SELECT DISTINCT cik, period_end FROM kept.panel WHERE ${OF_COMPARATIVES[panel.comparatives]}`;
  const { linked, sentences } =
    files.length === 0
      ? { linked: [], sentences: [] }
      : await keepLinks(lake, files, { periods, asOf: panel.asOf }, at);
  return { query: (asked) => panelSql(asked, 'FROM kept.panel', linked), sentences };
}

function panelValues(
  items: Panel['items'],
  { by, asOf, ciks, printed }: Pick<Panel, 'by' | 'asOf' | 'ciks' | 'printed'>,
): string {
  const companies = ciks === null ? 'NULL' : list(ciks);
  const values = `FROM panel_values(${quoteText(by)}, ${quoteText(asOf ?? '9999-12-31')}, ${companies}, ${list(items)})`;
  return printed === 'left out'
    ? `FROM (SELECT * REPLACE (has_tagged_report AS has_own_report) ${values} WHERE method <> 'printed')`
    : values;
}

const list = (words: readonly string[]) => `[${words.map(quoteText).join(', ')}]`;
