/** The query of a panel: standard items of companies by fiscal period, as they were known at a moment. */
import { quoteName, quoteText } from '../../core/index.ts';

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
}

/**
 * Columns: cik, ticker, fiscal_year, fiscal_period, period_end, then known_from, currency, split_factor and the items; or item, value, unit,
 * method, known_from, accession_number, split_factor. As first reported a row is of one filing, whose number follows known_from. The macro panel_values decides which value counts; the Python package asks it too.
 */
export function panelSql({ items, by, asOf, ciks, long, asReported }: Panel): string {
  const list = (words: readonly string[]) => `[${words.map(quoteText).join(', ')}]`;
  const companies = ciks === null ? 'NULL' : list(ciks);
  const rows = `FROM panel_values(${quoteText(by)}, ${quoteText(asOf ?? '9999-12-31')}, ${companies}, ${list(items)})`;
  const head = 'cik, ticker, fiscal_year, fiscal_period, period_end';
  const order = 'ORDER BY TRY_CAST(cik AS BIGINT), cik, period_end';
  const value = asReported ? 'as_filed' : 'value';
  if (long)
    return `SELECT ${head}, item, ${value} AS value, unit, method, known_from, accession_number, split_factor ${rows} ${order}, list_position(${list(items)}, item)`;
  const columns = items.map((item) => `max(${value}) FILTER (item = ${quoteText(item)}) AS ${quoteName(item)}`);
  const filing = by === 'first_reported' ? ' max(accession_number) AS accession_number,' : '';
  return `SELECT ${head}, max(known_from) AS known_from,${filing}
  string_agg(DISTINCT unit, ' ' ORDER BY unit) FILTER (unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%') AS currency,
  arg_max(split_factor, abs(ln(split_factor))) AS split_factor,
  ${columns.join(',\n  ')}
${rows} GROUP BY ${head} ${order}`;
}
