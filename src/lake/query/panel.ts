/** The query of a panel: standard items of companies by fiscal period, as they were known at a moment. */
import { quoteName, quoteText } from '../../core/index.ts';
import type { LakeReader } from './reader.ts';

/** `first_reported`: years, each as its own annual report states it. */
export const PANEL_PERIODS = ['year', 'quarter', 'ttm', 'first_reported'] as const;

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
  readonly comparatives: 'left out' | 'taken in' | 'alone';
  /** Values of printed pages; none: the lake has no table of them. */
  readonly printed: 'none' | 'taken in' | 'left out';
}

/**
 * Columns: cik, ticker, fiscal_year, fiscal_period, period_end, then known_from, accession_number and filing_date of the filing of its newest value,
 * currency, split_factor and the items; or item, value, unit, method, known_from, accession_number, filing_date, split_factor.
 * Before the items stands `printed`, the names of the row's items that are, in a lake with printed values.
 * The macro panel_values decides which value counts; the Python package asks it too.
 */
export function panelSql(asked: Panel, values = panelValues(asked.items, asked)): string {
  const { items, long, asReported, printed } = asked;
  const head = 'cik, ticker, fiscal_year, fiscal_period, period_end';
  const order = 'ORDER BY TRY_CAST(cik AS BIGINT), cik, period_end';
  const value = asReported ? 'as_filed' : 'value';
  const rows = `${values} WHERE ${ownReport(asked)}${printed === 'left out' ? " AND method <> 'printed'" : ''}`;
  if (long)
    return `SELECT ${head}, item, ${value} AS value, unit, method, known_from, accession_number, filing_date, split_factor ${rows} ${order}, list_position(${list(items)}, item)`;
  const columns = items.map((item) => `max(${value}) FILTER (item = ${quoteText(item)}) AS ${quoteName(item)}`);
  const newest = (column: string) => `arg_max(${column}, {t: known_from, n: accession_number}) AS ${column}`;
  return `SELECT ${head}, max(known_from) AS known_from, ${newest('accession_number')}, ${newest('filing_date')},
  string_agg(DISTINCT unit, ' ' ORDER BY unit) FILTER (unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%') AS currency,
  arg_max(split_factor, abs(ln(split_factor))) AS split_factor,
  ${printed === 'taken in' ? `string_agg(item, ' ' ORDER BY item) FILTER (method = 'printed') AS printed,` : ''}
  ${columns.join(',\n  ')}
${rows} GROUP BY ${head} ${order}`;
}

/**
 * Makes the values of a panel once, for all questions about it: DuckDB plans them for longer than it reads a small lake.
 * @returns the query of a panel over them
 */
export async function keepPanel(lake: Pick<LakeReader, 'keep'>, panel: Panel, at: number): Promise<typeof panelSql> {
  await lake.keep('panel', panelValues(panel.items, panel), at);
  return (asked) => panelSql(asked, 'FROM kept.panel');
}

function panelValues(items: Panel['items'], { by, asOf, ciks }: Pick<Panel, 'by' | 'asOf' | 'ciks'>): string {
  const companies = ciks === null ? 'NULL' : list(ciks);
  return `FROM panel_values(${quoteText(by)}, ${quoteText(asOf ?? '9999-12-31')}, ${companies}, ${list(items)})`;
}

const list = (words: readonly string[]) => `[${words.map(quoteText).join(', ')}]`;

/** A condition on the periods' own reports. */
const ownReport = ({ comparatives, printed }: Panel): string => {
  const has = printed === 'left out' ? 'has_tagged_report' : 'has_own_report';
  return { 'left out': has, 'taken in': 'true', alone: `NOT ${has}` }[comparatives];
};
