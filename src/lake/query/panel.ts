/** The query of a panel: standard items of companies by fiscal period, as they were known at a moment. */
import { quoteList, quoteName, quoteText } from './quoting.ts';

export const PANEL_PERIODS = ['year', 'quarter', 'ttm'] as const;
export type PanelPeriod = (typeof PANEL_PERIODS)[number];

export interface Panel {
  readonly items: readonly string[];
  readonly by: PanelPeriod;
  /** Eastern time without a zone; null: all that the lake has. */
  readonly asOf: string | null;
  /** CIKs; null: all. */
  readonly ciks: readonly string[] | null;
  /** A row for each value, not for each period. */
  readonly long: boolean;
}

/** Conditions for flows. A balance belongs to the periods that end on its day. */
const PERIODS: Readonly<Record<PanelPeriod, string>> = {
  year: "fiscal_period = 'FY'",
  quarter: "fiscal_period IN ('Q1', 'Q2', 'Q3', 'Q4')",
  ttm: "fiscal_period IN ('TTM', 'FY')",
};

/**
 * Columns: cik, ticker, fiscal_year, fiscal_period, period_end, then known_from, currency and the items; or item, value, unit, method,
 * known_from, accession_number. A period is known by its last day: a changed fiscal year may have two ends. Shares of a cover
 * belong to the period of its report.
 */
export function panelSql({ items, by, asOf, ciks, long }: Panel): string {
  const companies = ciks === null ? '' : ` AND cik IN ${quoteList(ciks)}`;
  const rows = `WITH known AS MATERIALIZED (
  SELECT *, CASE WHEN fiscal_period = 'Q1' THEN 1 WHEN fiscal_period IN ('Q2', 'H1') THEN 2 WHEN fiscal_period IN ('Q3', '9M') THEN 3
    WHEN fiscal_period IN ('Q4', 'FY') THEN 4 END AS quarter
  FROM fundamentals_as_of(${quoteText(asOf ?? '9999-12-31')}) WHERE value IS NOT NULL${companies}
), periods AS (
  SELECT cik, period_end, arg_max(fiscal_year, known_from) AS fiscal_year, arg_max(quarter, known_from) AS quarter
  FROM known WHERE statement <> 'cover' AND quarter IS NOT NULL GROUP BY ALL
), chosen AS (
  SELECT k.cik, p.fiscal_year, ${by === 'year' ? "'FY'" : "'Q' || p.quarter"} AS fiscal_period, p.period_end, k.item,
    CAST(k.value AS DOUBLE) AS value, k.unit, k.method, k.known_from, k.accession_number
  FROM known k JOIN periods p ON p.cik = k.cik AND CASE WHEN k.statement = 'cover'
    THEN p.fiscal_year = k.fiscal_year AND p.quarter = k.quarter ELSE p.period_end = k.period_end END
  WHERE k.item IN ${quoteList(items)} AND ${by === 'year' ? "k.fiscal_period = 'FY'" : `(k.statement IN ('balance', 'cover') OR k.${PERIODS[by]})`}
  QUALIFY row_number() OVER (PARTITION BY k.cik, k.item, p.period_end ORDER BY k.known_from DESC, k.accession_number DESC, k.fiscal_period) = 1
), tickers AS (SELECT cik, ticker FROM entity_tickers WHERE position = 0)`;
  const head = 'c.cik, t.ticker, c.fiscal_year, c.fiscal_period, c.period_end';
  const order = 'ORDER BY TRY_CAST(c.cik AS BIGINT), c.cik, c.period_end';
  if (long)
    return `${rows}
SELECT ${head}, c.item, c.value, c.unit, c.method, c.known_from, c.accession_number
FROM chosen c LEFT JOIN tickers t USING (cik) ${order}, list_position([${items.map(quoteText).join(', ')}], c.item)`;
  const columns = items.map((item) => `max(c.value) FILTER (c.item = ${quoteText(item)}) AS ${quoteName(item)}`);
  return `${rows}
SELECT ${head}, max(c.known_from) AS known_from,
  string_agg(DISTINCT c.unit, ' ' ORDER BY c.unit) FILTER (c.unit NOT LIKE '%/%' AND c.unit NOT ILIKE '%share%') AS currency,
  ${columns.join(',\n  ')}
FROM chosen c LEFT JOIN tickers t USING (cik) GROUP BY ${head} ${order}`;
}
