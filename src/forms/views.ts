/** Views over tables of forms, as data: DuckDB's SQL, for users of the tables. */
export interface FormView {
  readonly name: string;
  readonly meaning: string;
  /** Tables that it reads; `filings` is the lake's. */
  readonly tables: readonly string[];
  /** A SELECT. */
  readonly sql: string;
}

export const FORM_VIEWS: readonly FormView[] = [
  {
    name: 'f13_positions',
    meaning:
      'Holdings of managers by quarter, amendments applied: the newest report or restatement, and what was added after it',
    tables: ['f13_reports', 'f13_holdings', 'filings'],
    sql: `WITH reports AS (
  SELECT r.accession_number, r.filer_cik, r.period_of_report, f.filing_date,
    coalesce(r.amendment_type, '') = 'NEW HOLDINGS' AS adds
  FROM f13_reports r JOIN filings f USING (accession_number)
  WHERE r.form_type NOT LIKE '13F-NT%'
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY filer_cik, period_of_report ORDER BY filing_date, accession_number) AS place
  FROM reports
), bases AS (
  SELECT filer_cik, period_of_report, max(place) AS place FROM ranked WHERE NOT adds GROUP BY ALL
)
SELECT r.filer_cik, r.period_of_report, r.filing_date, h.*
FROM ranked r
LEFT JOIN bases b USING (filer_cik, period_of_report)
JOIN f13_holdings h USING (accession_number)
WHERE r.place = b.place OR (r.adds AND r.place > coalesce(b.place, 0))`,
  },
  {
    name: 'ownership_owner_transactions',
    meaning:
      'Transactions beside each owner of their report. A joint report has a transaction once for each owner: never add these up',
    tables: ['ownership_transactions', 'ownership_owners'],
    sql: `SELECT o.owner, o.owner_cik, o.owner_name, t.*
FROM ownership_transactions t JOIN ownership_owners o USING (accession_number)`,
  },
];
