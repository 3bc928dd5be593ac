-- Each value of an item with the time from which it was known and, if a later filing states another, until when. Rounding does not count
-- A value is known from the acceptance of its filing; without an acceptance time from the end of the day.
-- reads: fundamentals, filings
CREATE OR REPLACE TEMP VIEW fundamental_history AS
WITH stated AS (
  SELECT u.*, g.form_type, coalesce(g.acceptance_datetime, CAST(g.filing_date + 1 AS TIMESTAMP)) AS known_from
  FROM fundamentals u JOIN filings g USING (accession_number) WHERE u.value IS NOT NULL
), compared AS (
  SELECT *, lag(value) OVER (PARTITION BY cik, item, fiscal_period, period_end ORDER BY known_from, accession_number) AS earlier FROM stated
), changed AS (
  SELECT * EXCLUDE (earlier), earlier AS value_before FROM compared
  WHERE earlier IS NULL OR abs(value - earlier) > CASE WHEN TRY_CAST(decimals AS INTEGER) < 12 THEN 0.5 * pow(10.0, -TRY_CAST(decimals AS INTEGER)) ELSE 0 END
)
SELECT *, lead(known_from) OVER (PARTITION BY cik, item, fiscal_period, period_end ORDER BY known_from, accession_number) AS known_until FROM changed;

-- Items as they were known at a moment, Eastern time; also quarters that no filing states (method quarter: Q4 is the year less nine months) and the last twelve months (ttm): fundamentals_as_of('2024-03-01 16:00')
-- Both numbers of a difference are the newest that were known at the moment. Values per share and counts of shares do not add up. Times of EDGAR
-- have no zone: one with a zone would be hours off.
-- reads: fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_as_of(moment) AS TABLE
WITH stated AS (
  SELECT u.*, g.form_type, coalesce(g.acceptance_datetime, CAST(g.filing_date + 1 AS TIMESTAMP)) AS known_from
  FROM fundamentals u JOIN filings g USING (accession_number) WHERE u.value IS NOT NULL
), known AS (
  SELECT cik, fiscal_year, fiscal_period, period_start, period_end, statement, item, value, unit, method, concept, accession_number, known_from
  FROM stated WHERE known_from <= CASE WHEN regexp_matches(CAST(moment AS VARCHAR), ':\d\d[^-+a-z]*([-+]|[a-z])', 'i')
    THEN error('fundamentals_as_of takes Eastern time without a zone, not ' || CAST(moment AS VARCHAR)) ELSE CAST(moment AS TIMESTAMP) END
  QUALIFY row_number() OVER (PARTITION BY cik, item, fiscal_period, period_end ORDER BY known_from DESC, accession_number DESC) = 1
), flows AS (
  SELECT * FROM known WHERE period_start IS NOT NULL AND unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%'
), quarters AS (
  SELECT w.cik, w.fiscal_year, q.quarter AS fiscal_period, p.period_end + 1 AS period_start, w.period_end, w.statement, w.item,
    w.value - p.value AS value, w.unit, 'quarter' AS method, CAST(NULL AS VARCHAR) AS concept, w.accession_number,
    greatest(w.known_from, p.known_from) AS known_from
  FROM (VALUES ('Q2', 'H1', 'Q1'), ('Q3', '9M', 'H1'), ('Q4', 'FY', '9M')) AS q(quarter, whole, part)
  JOIN flows w ON w.fiscal_period = q.whole
  JOIN flows p ON p.fiscal_period = q.part AND p.cik = w.cik AND p.item = w.item AND p.unit = w.unit AND p.period_start = w.period_start
  WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.cik = w.cik AND k.item = w.item AND k.fiscal_period = q.quarter AND k.period_end = w.period_end)
), years AS (
  SELECT n.cik, n.fiscal_year, 'TTM' AS fiscal_period, b.period_end + 1 AS period_start, n.period_end, n.statement, n.item,
    y.value + n.value - b.value AS value, n.unit, 'ttm' AS method, CAST(NULL AS VARCHAR) AS concept, n.accession_number,
    greatest(n.known_from, y.known_from, b.known_from) AS known_from
  FROM flows n
  JOIN flows y ON y.fiscal_period = 'FY' AND y.cik = n.cik AND y.item = n.item AND y.unit = n.unit AND y.period_end + 1 = n.period_start
  JOIN flows b ON b.fiscal_period = n.fiscal_period AND b.cik = n.cik AND b.item = n.item AND b.unit = n.unit AND b.period_start = y.period_start
  WHERE n.fiscal_period IN ('Q1', 'H1', '9M')
)
FROM known UNION ALL BY NAME FROM quarters UNION ALL BY NAME FROM years;

-- Identities of fundamental_checks that do not hold: leave these values out, or look at them
-- reads: fundamental_checks
CREATE OR REPLACE TEMP VIEW doubts AS
SELECT c.accession_number, c.cik, c.fiscal_year, c.fiscal_period, c.period_end, c.identity, c.left_value, c.right_value, c.difference, c.tolerance
FROM fundamental_checks c WHERE NOT c.holds;
