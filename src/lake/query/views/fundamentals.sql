-- Standard items. A value has the time from which it was known and, if a later filing states another, until when. Also quarters that no filing states (method quarter) and the last twelve months (ttm)
-- It has the name of its table: what a filing states is in fundamentals_as_filed. A value is known from the acceptance of its filing; without
-- an acceptance time from the end of the day. Who states a value again, or a rounding of it, opens no row. A later null closes none: a filing
-- need not repeat a value. A year and a part of it are of one basis if both were restated as often, or if one
-- was stated again after the restatement of the other: else nothing is derived from them. Values per share and counts of shares do not add up.
-- reads: fundamentals, filings
CREATE OR REPLACE TEMP VIEW fundamentals AS
WITH filed AS (
  SELECT u.* REPLACE (coalesce(u.cik, g.cik) AS cik), g.form_type, coalesce(g.acceptance_datetime, CAST(g.filing_date + 1 AS TIMESTAMP)) AS stated_at,
    coalesce(CASE u.decimals WHEN 'INF' THEN 99 ELSE TRY_CAST(u.decimals AS INTEGER) END, 99) AS e
  FROM fundamentals_as_filed u JOIN filings g USING (accession_number)
), ordered AS (
  SELECT *, lag({e: e, v: value}) OVER earlier AS last,
    max({e: e, a: stated_at, n: accession_number, v: value}) OVER (PARTITION BY cik, item, fiscal_period, period_end
      ORDER BY stated_at, accession_number, file ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS exact
  FROM filed WHERE value IS NOT NULL WINDOW earlier AS (PARTITION BY cik, item, fiscal_period, period_end ORDER BY stated_at, accession_number, file)
), compared AS (
  SELECT * EXCLUDE (last, exact), last.v AS value_before, CASE
      WHEN abs(value - last.v) > CASE WHEN least(e, last.e) < 99 THEN 0.5000001 * pow(10.0, -least(e, last.e)) ELSE 0 END THEN 'restated'
      WHEN abs(value - exact.v) > CASE WHEN least(e, exact.e) < 99 THEN 0.5000001 * pow(10.0, -least(e, exact.e)) ELSE 0 END
        AND abs(last.v - exact.v) <= CASE WHEN least(last.e, exact.e) < 99 THEN 0.5000001 * pow(10.0, -least(last.e, exact.e)) ELSE 0 END THEN 'restated'
      WHEN last IS NULL THEN 'first' WHEN e > exact.e AND value <> exact.v THEN 'exact' END AS opens
  FROM ordered
), statements AS (
  SELECT * EXCLUDE (opens), max(CASE WHEN opens IS NOT NULL THEN stated_at END) OVER sofar AS known_from,
    count(opens) OVER sofar AS turn, count(CASE opens WHEN 'restated' THEN 1 END) OVER sofar AS restated, opens
  FROM compared WINDOW sofar AS (PARTITION BY cik, item, fiscal_period, period_end ORDER BY stated_at, accession_number, file
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), opened AS (
  SELECT * EXCLUDE (stated_at, e, opens), lead(known_from) OVER (PARTITION BY cik, item, fiscal_period, period_end ORDER BY turn) AS known_until
  FROM statements WHERE opens IS NOT NULL
), flows AS (
  SELECT s.cik, s.item, s.fiscal_year, s.fiscal_period, s.period_start, s.period_end, s.statement, s.unit, s.stated_at, s.turn, s.restated,
    o.value, o.accession_number, o.file, o.form_type, o.known_from, o.known_until
  FROM statements s JOIN opened o USING (cik, item, fiscal_period, period_end, turn)
  WHERE s.period_start IS NOT NULL AND s.unit NOT LIKE '%/%' AND s.unit NOT ILIKE '%share%'
), pairs AS (
  SELECT w.cik, w.item, w.statement, w.unit, w.fiscal_year, w.fiscal_period AS whole, p.fiscal_period AS part, w.period_start, w.period_end,
    p.period_end AS part_end, w.value, p.value AS part_value, w.file, w.form_type,
    CASE WHEN w.known_from >= p.known_from THEN w.accession_number ELSE p.accession_number END AS accession_number,
    min(greatest(w.stated_at, p.stated_at)) AS known_from, least(any_value(w.known_until), any_value(p.known_until)) AS known_until
  FROM flows w JOIN flows p ON p.cik = w.cik AND p.item = w.item AND p.unit = w.unit AND p.period_start = w.period_start AND p.period_end < w.period_end
  WHERE (w.fiscal_period = 'FY' AND p.fiscal_period IN ('Q1', 'H1', '9M') OR w.fiscal_period = '9M' AND p.fiscal_period = 'H1'
      OR w.fiscal_period = 'H1' AND p.fiscal_period = 'Q1')
    AND (w.restated <= p.restated OR p.stated_at >= w.known_from) AND (p.restated <= w.restated OR w.stated_at >= p.known_from)
  GROUP BY ALL
), quarters AS (
  SELECT * EXCLUDE (known_until, stated_from), least(known_until, stated_from) AS known_until FROM (
    SELECT p.cik, p.fiscal_year, CASE p.whole WHEN 'FY' THEN 'Q4' WHEN '9M' THEN 'Q3' ELSE 'Q2' END AS fiscal_period, p.part_end + 1 AS period_start,
      p.period_end, p.statement, p.item, p.value - p.part_value AS value, p.unit, 'quarter' AS method, p.accession_number, p.file, p.form_type,
      p.known_from, p.known_until
    FROM pairs p WHERE p.whole || p.part IN ('FY9M', '9MH1', 'H1Q1')
  ) LEFT JOIN (SELECT cik, item, fiscal_period, period_end, min(known_from) AS stated_from FROM opened GROUP BY ALL)
    USING (cik, item, fiscal_period, period_end)
), years AS (
  SELECT n.cik, n.fiscal_year, 'TTM' AS fiscal_period, p.part_end + 1 AS period_start, n.period_end, n.statement, n.item,
    p.value + n.value - p.part_value AS value, n.unit, 'ttm' AS method, n.accession_number, n.file, n.form_type,
    greatest(p.known_from, n.known_from) AS known_from, least(p.known_until, n.known_until) AS known_until
  FROM pairs p JOIN flows n ON n.cik = p.cik AND n.item = p.item AND n.unit = p.unit AND n.fiscal_period = p.part AND n.period_start = p.period_end + 1
  WHERE p.whole = 'FY' AND n.stated_at = n.known_from
), unknown AS (
  SELECT u.* EXCLUDE (e, stated_at), u.stated_at AS known_from, v.known_until
  FROM filed u LEFT JOIN (SELECT cik, item, fiscal_period, period_end, min(known_from) AS known_until
    FROM (FROM opened UNION ALL BY NAME FROM quarters WHERE known_from < coalesce(known_until, 'infinity')) GROUP BY ALL) v
    USING (cik, item, fiscal_period, period_end)
  WHERE u.value IS NULL AND u.stated_at < coalesce(v.known_until, 'infinity')
  QUALIFY row_number() OVER (PARTITION BY u.cik, u.item, u.fiscal_period, u.period_end ORDER BY u.stated_at, u.accession_number, u.file) = 1
)
SELECT * EXCLUDE (turn, restated) FROM opened
UNION ALL BY NAME SELECT * FROM quarters WHERE known_from < coalesce(known_until, 'infinity')
UNION ALL BY NAME SELECT * FROM years WHERE known_from < coalesce(known_until, 'infinity')
UNION ALL BY NAME FROM unknown;

-- Items as they were known at a moment, Eastern time: the rows of fundamentals that were open then: fundamentals_as_of('2024-03-01 16:00')
-- Times of EDGAR have no zone: one with a zone would be hours off.
-- reads: fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_as_of(moment) AS TABLE
SELECT * FROM fundamentals WHERE known_from <= CASE WHEN regexp_matches(CAST(moment AS VARCHAR), ':\d\d[^-+a-z]*([-+]|[a-z])', 'i')
    THEN error('fundamentals_as_of takes Eastern time without a zone, not ' || CAST(moment AS VARCHAR)) ELSE CAST(moment AS TIMESTAMP) END
  AND (known_until IS NULL OR known_until > CAST(moment AS TIMESTAMP));

-- Identities of fundamental_checks that do not hold: leave these values out, or look at them
-- reads: fundamental_checks
CREATE OR REPLACE TEMP VIEW doubts AS
SELECT c.accession_number, c.cik, c.fiscal_year, c.fiscal_period, c.period_end, c.identity, c.left_value, c.right_value, c.difference, c.tolerance
FROM fundamental_checks c WHERE NOT c.holds;
