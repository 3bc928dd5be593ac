-- Holdings of managers by quarter, amendments applied: the newest report or restatement, and what was added after it; applied_as says which. From 2013 on: earlier reports are text, in f13_text_holdings
-- Some amendments name no kind. One that repeats half of the securities of the report or restatement before it restates it, any other
-- adds to it. A report that names no quarter or filer counts alone: nothing can replace it.
-- reads: f13_reports, f13_holdings, filings
CREATE OR REPLACE TEMP VIEW f13_positions AS
WITH reports AS (
  SELECT r.accession_number, r.filer_cik, r.period_of_report, f.filing_date, f.acceptance_datetime,
    coalesce(r.filer_cik, r.accession_number) AS filer,
    coalesce(CAST(coalesce(r.period_of_report, r.report_calendar_or_quarter) AS VARCHAR), r.accession_number) AS quarter,
    CASE WHEN upper(r.amendment_type) = 'NEW HOLDINGS' THEN 'addition' WHEN upper(r.amendment_type) = 'RESTATEMENT' THEN 'restatement'
      WHEN r.form_type LIKE '%/A' THEN 'unknown' ELSE 'report' END AS kind
  FROM f13_reports r LEFT JOIN filings f USING (accession_number)
  WHERE coalesce(r.form_type NOT LIKE '13F-NT%', true) AND stood_at(f.removed_at, NULL)
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY filer, quarter ORDER BY filing_date, acceptance_datetime, accession_number) AS place
  FROM reports
), compared AS (
  SELECT u.accession_number, coalesce(arg_max(b.accession_number, b.place) FILTER (b.kind IN ('report', 'restatement')),
    arg_min(b.accession_number, b.place)) AS base
  FROM placed u JOIN placed b USING (filer, quarter)
  WHERE u.kind = 'unknown' AND b.place < u.place AND b.accession_number IN (SELECT accession_number FROM f13_holdings)
  GROUP BY u.accession_number
), held AS (
  SELECT DISTINCT accession_number, coalesce(cusip, upper(name_of_issuer)) AS security FROM f13_holdings
  WHERE accession_number IN (SELECT accession_number FROM compared UNION SELECT base FROM compared)
), repeated AS (
  SELECT u.accession_number, count(*) FILTER (WHERE EXISTS (FROM held a
      WHERE a.accession_number = u.accession_number AND a.security IS NOT DISTINCT FROM b.security)) / count(*) AS share
  FROM compared u JOIN held b ON b.accession_number = u.base GROUP BY u.accession_number
), decided AS (
  SELECT r.*, CASE WHEN kind <> 'unknown' THEN kind WHEN p.share IS NULL THEN 'addition to nothing' WHEN p.share < 0.5 THEN 'addition by its content'
      ELSE 'restatement by its content' END AS applied_as
  FROM placed r LEFT JOIN repeated p USING (accession_number)
), ranked AS (
  SELECT *, applied_as LIKE 'addition%' AS adds FROM decided
), bases AS (
  SELECT filer, quarter, max(place) AS place FROM ranked WHERE NOT adds GROUP BY ALL
)
SELECT r.filer_cik, r.period_of_report, r.filing_date, r.applied_as, h.*
FROM ranked r
LEFT JOIN bases b USING (filer, quarter)
JOIN f13_holdings h USING (accession_number)
WHERE r.place = b.place OR (r.adds AND r.place > coalesce(b.place, 0));

-- Transactions beside each owner of their report. A joint report has a transaction once for each owner: never add these up
-- reads: ownership_transactions, ownership_owners
CREATE OR REPLACE TEMP VIEW ownership_owner_transactions AS
SELECT o.owner, o.owner_cik, o.owner_name, t.*
FROM ownership_transactions t JOIN ownership_owners o USING (accession_number);
