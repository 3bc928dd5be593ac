-- What filings state of items, by tags, schedules and printed pages, as known from their acceptance. For some companies and items; null: all
-- Rows of pages have the method printed, also those without a value: one word leaves them out. A page and a schedule, or two pages, may name
-- days for one period that are some days apart: then the day of the schedule counts, else that of the page whose own period it is, and no
-- page changes for one that comes later. Each page's day is among the days, so no row is lost. A filing states a value once. A company of a
-- joint report is told by its printed name; only the filer's CIK is known.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_filed(moment, companies, items) AS TABLE
WITH tagged AS (
  SELECT u.* REPLACE (coalesce(u.cik, g.cik) AS cik), g.form_type, known_at(g.acceptance_datetime, g.filing_date) AS stated_at, false AS is_printed,
    NULL::VARCHAR AS line, NULL::VARCHAR AS parts
  FROM fundamentals_as_filed u JOIN filings g USING (accession_number)
  WHERE stood_at(g.removed_at, moment) AND (companies IS NULL OR list_contains(companies, coalesce(u.cik, g.cik)))
-- [printed_fundamentals
), printed AS (
  SELECT u.* REPLACE (coalesce(u.cik, g.cik) AS cik, 'printed' AS method), g.form_type, known_at(g.acceptance_datetime, g.filing_date) AS stated_at,
    true AS is_printed
  FROM printed_fundamentals u JOIN filings g USING (accession_number)
  WHERE (u.registrant = '' OR plain_name(u.registrant) = plain_name(g.entity_name)) AND stood_at(g.removed_at, moment) AND (companies IS NULL OR list_contains(companies, coalesce(u.cik, g.cik)))
  QUALIFY u.registrant <> '' OR NOT bool_or(u.registrant <> '') OVER (PARTITION BY u.accession_number)
), ends AS (
  SELECT cik, period_end AS day, min(stated_at) AS since, 0 AS rank FROM tagged WHERE value IS NOT NULL AND statement <> 'cover' GROUP BY ALL
  UNION ALL SELECT cik, max(period_end), stated_at, 1 FROM printed WHERE value IS NOT NULL GROUP BY cik, accession_number, stated_at
  UNION ALL SELECT cik, period_end, min(stated_at), 2 FROM printed GROUP BY ALL
), placed AS (
  SELECT p.* REPLACE (e.day AS period_end), abs(e.day - p.period_end) AS days_off
  FROM printed p JOIN ends e ON e.cik = p.cik AND e.since <= p.stated_at AND e.day BETWEEN p.period_end - 7 AND p.period_end + 7
  WHERE items IS NULL OR list_contains(items, p.item)
  QUALIFY row_number() OVER (PARTITION BY p.cik, p.item, p.fiscal_period, p.period_end, p.accession_number, p.file, p.registrant
    ORDER BY e.rank, abs(e.day - p.period_end), e.day) = 1
-- ]
)
FROM tagged WHERE items IS NULL OR list_contains(items, item)
-- [printed_fundamentals
UNION ALL BY NAME SELECT * EXCLUDE (days_off) FROM placed
QUALIFY row_number() OVER (PARTITION BY cik, item, fiscal_period, period_end, accession_number ORDER BY value IS NULL, days_off, file) = 1
-- ]
;

-- Each value that a filing states, by the filings that stood at a moment: what it opens (first, restated, exact; null: nothing new) and until when that was known. For some companies and items; null: now, all
-- A value is known from the acceptance of its filing; without an acceptance time from the end of the day. Who states a value again, or a rounding
-- of it, opens no row. A proxy, a prospectus or a current report opens no row after a report.
-- DuckDB passes one company or item (cik = '320193') from a view down to the files: all windows are of one company and item, and no step is kept
-- that some reader takes unfiltered. It does not pass lists through joins: hence the parameters.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_stated(moment, companies, items) AS TABLE
WITH stated AS (
  SELECT *, coalesce(exactness(decimals), 99) AS e, is_report(form_type) AS reports FROM fundamentals_filed(moment, companies, items)
), filed AS (
  SELECT * EXCLUDE (reports), min(CASE WHEN NOT is_printed AND value IS NOT NULL THEN stated_at END) OVER (PARTITION BY cik, item, fiscal_period, period_end
      ORDER BY stated_at, accession_number, file ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS tagged_from
  FROM stated
  QUALIFY (NOT is_printed OR stated_at < coalesce(tagged_from, 'infinity')) AND (reports
    OR NOT coalesce(bool_or(reports AND value IS NOT NULL AND NOT is_printed) OVER (PARTITION BY cik, item, fiscal_period, period_end
      ORDER BY stated_at, accession_number, file ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false))
), ordered AS (
  SELECT *, lag(CASE WHEN value IS NOT NULL THEN {e: e, v: value} END IGNORE NULLS) OVER earlier AS last,
    max(CASE WHEN value IS NOT NULL THEN {e: e, a: stated_at, n: accession_number, v: value} END) OVER (PARTITION BY cik, item, fiscal_period, period_end, is_printed
      ORDER BY stated_at, accession_number, file ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS exact
  FROM filed WINDOW earlier AS (PARTITION BY cik, item, fiscal_period, period_end, is_printed ORDER BY stated_at, accession_number, file)
), compared AS (
  SELECT * EXCLUDE (last, exact), last.v AS value_before, CASE
      WHEN abs(value - last.v) > rounding_of(least(e, last.e)) THEN 'restated'
      WHEN abs(value - exact.v) > rounding_of(least(e, exact.e))
        AND abs(last.v - exact.v) <= rounding_of(least(last.e, exact.e)) THEN 'restated'
      WHEN last IS NULL AND value IS NOT NULL THEN 'first' WHEN e > exact.e AND value <> exact.v THEN 'exact' END AS opens
  FROM ordered
), holding AS (
  SELECT *, count(CASE opens WHEN 'restated' THEN 1 END) OVER sofar AS restated, last_value(CASE WHEN opens IS NOT NULL
    THEN {held_year: fiscal_year, held_start: period_start, held_value: value, held_number: accession_number, held_file: file, held_form: form_type,
      held_from: stated_at} END IGNORE NULLS) OVER sofar AS held,
  least(CASE WHEN is_printed THEN tagged_from END, min(CASE WHEN opens IS NOT NULL THEN stated_at END) OVER (PARTITION BY cik, item, fiscal_period, period_end, is_printed
    ORDER BY stated_at, accession_number, file ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)) AS known_until
FROM compared WINDOW sofar AS (PARTITION BY cik, item, fiscal_period, period_end, is_printed ORDER BY stated_at, accession_number, file
  ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT * EXCLUDE (held, tagged_from), held.held_year, held.held_start, held.held_value, held.held_number, held.held_file, held.held_form, held.held_from FROM holding;

-- The rows of fundamentals by the filings that stood at a moment, for some companies and items: fundamentals_standing('2024-03-01 16:00', ['320193'], ['revenue']); null: now, all
-- What a filing states is in fundamentals_as_filed. A later null closes none: a filing need not repeat a value. A year and a part of it are of one
-- basis if both were restated as often, or if one was stated again after the restatement of the other: else nothing is derived from them.
-- Values per share and counts of shares do not add up.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_standing(moment, companies, items) AS TABLE
WITH stated AS (
  SELECT * EXCLUDE (held_year, held_start, held_value, held_number, held_file, held_form, held_from), {fiscal_year: held_year, period_start: held_start,
    value: held_value, accession_number: held_number, file: held_file, form_type: held_form, known_from: held_from} AS held
  FROM fundamentals_stated(moment, companies, items)
), opened AS NOT MATERIALIZED (
  SELECT * EXCLUDE (stated_at, e, opens, restated, held), stated_at AS known_from FROM stated
  WHERE opens IS NOT NULL AND stated_at < coalesce(known_until, 'infinity')
), flows AS MATERIALIZED (
  -- Schedules of weeks (EX-27) state no first day: the parts of a fiscal year begin with it..
  SELECT cik, item, fiscal_period, coalesce(CAST(held.period_start AS VARCHAR), CASE WHEN NOT is_printed THEN 'year ' || held.fiscal_year END) AS begins, period_end,
    statement, unit, is_printed, stated_at, restated, held.*, known_until, opens
  FROM stated WHERE value IS NOT NULL AND (period_start IS NOT NULL OR statement IN ('income', 'cash_flow'))
    AND NOT regexp_matches(unit, '/|share|unit', 'i')
), pairs AS (
  SELECT w.cik, w.item, w.statement, w.unit, w.is_printed OR p.is_printed AS is_printed, w.fiscal_year, w.fiscal_period AS whole, p.fiscal_period AS part, w.period_start, w.period_end,
    p.period_end AS part_end, w.value, p.value AS part_value, CASE WHEN w.known_from >= p.known_from THEN w.file ELSE p.file END AS file,
    CASE WHEN w.known_from >= p.known_from THEN w.form_type ELSE p.form_type END AS form_type,
    CASE WHEN w.known_from >= p.known_from THEN w.accession_number ELSE p.accession_number END AS accession_number,
    w.known_from AS whole_from, p.known_from AS part_from, least(w.known_until, p.known_until) AS known_until,
    min(greatest(w.stated_at, p.stated_at)) AS known_from
  FROM flows w JOIN flows p ON p.cik = w.cik AND p.item = w.item AND p.unit = w.unit AND p.begins = w.begins AND p.period_end < w.period_end
  WHERE (w.fiscal_period = 'FY' AND p.fiscal_period IN ('Q1', 'H1', '9M') OR w.fiscal_period = '9M' AND p.fiscal_period = 'H1'
      OR w.fiscal_period = 'H1' AND p.fiscal_period = 'Q1')
    AND (w.restated <= p.restated OR p.stated_at >= w.known_from) AND (p.restated <= w.restated OR w.stated_at >= p.known_from)
  GROUP BY ALL
), fourths AS NOT MATERIALIZED (
  -- Who states quarters only has no nine months: the year less its three quarters, each of one basis with the year, until a filing states them.
  -- DuckDB can't copy a function of several columns with one name: hence the names of times.
  SELECT w.cik, w.fiscal_year, 'Q4' AS fiscal_period, q.period_end + 1 AS period_start, w.period_end, w.statement, w.item,
    w.value - o.value - p.value - q.value AS value, w.unit,
    CASE WHEN w.is_printed OR printed_1 OR printed_2 OR printed_3 THEN 'printed' ELSE 'quarter' END AS method, w.accession_number, w.file, w.form_type,
    least(w.known_until, until_1, until_2, until_3, CASE method WHEN 'printed' THEN months_from ELSE tagged_from END) AS known_until, min(greatest(w.stated_at, at_1, at_2, at_3)) AS known_from
  FROM (SELECT y.*, m.months_from, m.tagged_from FROM flows y LEFT JOIN (SELECT cik, item, unit, begins, min(known_from) AS months_from,
      min(CASE WHEN NOT is_printed THEN known_from END) AS tagged_from FROM flows WHERE fiscal_period = '9M' GROUP BY ALL) m USING (cik, item, unit, begins)
    WHERE y.fiscal_period = 'FY' AND y.stated_at < coalesce(m.tagged_from, 'infinity')) w
  JOIN (SELECT *, stated_at AS at_1, known_from AS from_1, known_until AS until_1, restated AS times_1, is_printed AS printed_1 FROM flows WHERE fiscal_period = 'Q1') o
    ON o.cik = w.cik AND o.item = w.item AND o.unit = w.unit AND o.begins = w.begins
  JOIN (SELECT *, stated_at AS at_2, known_from AS from_2, known_until AS until_2, restated AS times_2, is_printed AS printed_2 FROM flows WHERE fiscal_period = 'Q2') p
    ON p.cik = w.cik AND p.item = w.item AND p.unit = w.unit AND p.period_start = o.period_end + 1
  JOIN (SELECT *, stated_at AS at_3, known_from AS from_3, known_until AS until_3, restated AS times_3, is_printed AS printed_3 FROM flows WHERE fiscal_period = 'Q3') q
    ON q.cik = w.cik AND q.item = w.item AND q.unit = w.unit AND q.period_start = p.period_end + 1
  WHERE w.period_end - q.period_end BETWEEN 75 AND 125
    AND (w.restated <= least(times_1, times_2, times_3) OR least(at_1, at_2, at_3) >= w.known_from)
    AND (greatest(times_1, times_2, times_3) <= w.restated OR w.stated_at >= greatest(from_1, from_2, from_3))
  GROUP BY ALL
), quarters AS (
  SELECT * EXCLUDE (known_until, stated_from, tagged_from), CASE method WHEN 'printed' THEN 'quarter' END AS rule,
    least(known_until, CASE method WHEN 'printed' THEN stated_from ELSE tagged_from END) AS known_until
  FROM (
    SELECT * FROM fourths UNION ALL BY NAME
    SELECT p.cik, p.fiscal_year, CASE p.whole WHEN 'FY' THEN 'Q4' WHEN '9M' THEN 'Q3' ELSE 'Q2' END AS fiscal_period, p.part_end + 1 AS period_start,
      p.period_end, p.statement, p.item, p.value - p.part_value AS value, p.unit, CASE WHEN p.is_printed THEN 'printed' ELSE 'quarter' END AS method, p.accession_number, p.file, p.form_type,
      p.known_from, p.known_until
    -- A short year leaves weeks, not a quarter. Quarters have 12 to 17 weeks.
    FROM pairs p WHERE p.whole || p.part IN ('FY9M', '9MH1', 'H1Q1') AND p.period_end - p.part_end BETWEEN 75 AND 125
  ) LEFT JOIN (SELECT cik, item, fiscal_period, period_end, min(known_from) AS stated_from,
    min(CASE WHEN NOT is_printed THEN known_from END) AS tagged_from FROM opened GROUP BY ALL)
    USING (cik, item, fiscal_period, period_end)
), years AS (
  SELECT n.cik, n.fiscal_year, 'TTM' AS fiscal_period, p.part_end + 1 AS period_start, n.period_end, n.statement, n.item,
    p.value + n.value - p.part_value AS value, n.unit,
    CASE WHEN p.is_printed OR n.is_printed THEN 'printed' ELSE 'ttm' END AS method, n.accession_number, n.file, n.form_type,
    greatest(p.known_from, n.known_from) AS known_from, least(p.known_until, n.known_until) AS known_until
  FROM pairs p JOIN flows n ON n.cik = p.cik AND n.item = p.item AND n.unit = p.unit AND n.fiscal_period = p.part AND n.period_start = p.period_end + 1
  WHERE p.whole = 'FY' AND n.opens IS NOT NULL
  UNION ALL BY NAME
  -- Quarters only: the derived fourth one, the two after it, and the third one of this year or the last.
  SELECT f.cik, n.fiscal_year, 'TTM' AS fiscal_period, least(third_start, f.period_start) AS period_start, greatest(third_end, n.period_end) AS period_end,
    n.statement, n.item, f.value + o.value + n.value + c.value AS value, n.unit,
    CASE WHEN f.method = 'printed' OR o.is_printed OR n.is_printed OR c.is_printed THEN 'printed' ELSE 'ttm' END AS method,
    CASE WHEN third_end > n.period_end THEN c.accession_number ELSE n.accession_number END AS accession_number,
    CASE WHEN third_end > n.period_end THEN c.file ELSE n.file END AS file, CASE WHEN third_end > n.period_end THEN c.form_type ELSE n.form_type END AS form_type,
    greatest(f.known_from, from_1, from_2, from_3) AS known_from,
    least(f.known_until, until_1, until_2, until_3, CASE method WHEN 'printed' THEN months_from ELSE tagged_from END) AS known_until
  FROM fourths f JOIN (SELECT *, known_from AS from_1, known_until AS until_1 FROM flows WHERE fiscal_period = 'Q1') o
    ON o.cik = f.cik AND o.item = f.item AND o.unit = f.unit AND o.period_start = f.period_end + 1
  JOIN (SELECT *, known_from AS from_2, known_until AS until_2 FROM flows WHERE fiscal_period = 'Q2') n
    ON n.cik = f.cik AND n.item = f.item AND n.unit = f.unit AND n.period_start = o.period_end + 1
  JOIN (SELECT *, known_from AS from_3, known_until AS until_3, period_start AS third_start, period_end AS third_end FROM flows WHERE fiscal_period = 'Q3') c
    ON c.cik = f.cik AND c.item = f.item AND c.unit = f.unit
  LEFT JOIN (SELECT cik, item, unit, period_end, min(known_from) AS months_from, min(CASE WHEN NOT is_printed THEN known_from END) AS tagged_from
    FROM flows WHERE fiscal_period IN ('H1', '9M') GROUP BY ALL) m
    ON m.cik = f.cik AND m.item = f.item AND m.unit = f.unit AND m.period_end = greatest(third_end, n.period_end)
  WHERE o.opens IS NOT NULL AND n.opens IS NOT NULL AND c.opens IS NOT NULL AND (third_end + 1 = f.period_start OR third_start = n.period_end + 1)
), unknown AS (
  SELECT u.* EXCLUDE (stated_at, e, opens, restated, held, value_before, known_until), u.stated_at AS known_from, v.known_until
  FROM stated u LEFT JOIN (SELECT cik, item, fiscal_period, period_end, min(known_from) AS known_until
    FROM (FROM opened UNION ALL BY NAME FROM quarters WHERE known_from < coalesce(known_until, 'infinity')) GROUP BY ALL) v
    USING (cik, item, fiscal_period, period_end)
  WHERE u.value IS NULL AND u.stated_at < coalesce(v.known_until, 'infinity')
  QUALIFY row_number() OVER (PARTITION BY u.cik, u.item, u.fiscal_period, u.period_end ORDER BY u.stated_at, u.is_printed, u.accession_number, u.file) = 1
), derived AS (
  SELECT *, min(CASE WHEN method <> 'printed' THEN known_from END) OVER (PARTITION BY cik, item, fiscal_period, period_end) AS tagged_from
  FROM (SELECT * FROM quarters WHERE known_from < coalesce(known_until, 'infinity')
    UNION ALL BY NAME SELECT *, CASE method WHEN 'printed' THEN 'ttm' END AS rule FROM years WHERE known_from < coalesce(known_until, 'infinity'))
)
SELECT * EXCLUDE (is_printed) FROM opened WHERE NOT is_printed
-- [printed_fundamentals
UNION ALL BY NAME
-- A page gives way to a quarter that follows from tags, too.
SELECT o.* EXCLUDE (is_printed) REPLACE (least(o.known_until, q.tagged_from) AS known_until)
FROM opened o LEFT JOIN (SELECT cik, item, fiscal_period, period_end, min(known_from) AS tagged_from
  FROM quarters WHERE method = 'quarter' AND known_from < coalesce(known_until, 'infinity') GROUP BY ALL) q USING (cik, item, fiscal_period, period_end)
WHERE o.is_printed AND o.known_from < coalesce(q.tagged_from, 'infinity')
-- ]
UNION ALL BY NAME
SELECT * EXCLUDE (tagged_from) REPLACE (CASE method WHEN 'printed' THEN least(known_until, tagged_from) ELSE known_until END AS known_until)
FROM derived WHERE method <> 'printed' OR known_from < coalesce(tagged_from, 'infinity')
UNION ALL BY NAME SELECT * EXCLUDE (is_printed) FROM unknown;

-- The rows of fundamentals for some companies and items, and no work on the others: fundamentals_of(['320193'], ['revenue', 'net_income']); null: all
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_of(companies, items) AS TABLE
FROM fundamentals_standing(NULL, companies, items);

-- Standard items. A value has the time from which it was known and, if a later filing states another, until when. Also quarters that no filing states (method quarter) and the last twelve months (ttm)
-- It has the name of its table: what a filing states is in fundamentals_as_filed.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP VIEW fundamentals AS
FROM fundamentals_of(NULL, NULL);

-- Items as they were known at a moment, Eastern time: the rows of fundamentals that were open then: fundamentals_as_of('2024-03-01 16:00')
-- Times of EDGAR have no zone: one with a zone would be hours off.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_as_of(moment) AS TABLE
SELECT * FROM fundamentals_standing(moment, NULL, NULL) WHERE known_from <= eastern_time(moment, 'fundamentals_as_of')
  AND (known_until IS NULL OR known_until > CAST(moment AS TIMESTAMP));

-- A row for each item and fiscal period of a panel, known at a moment: panel_values('quarter', '2024-03-01 16:00', ['320193'], ['revenue']); or 'year', 'ttm', 'first_reported'; null for companies or items: all
-- First reported: each fiscal year as its own annual report states it, the first one whose newest year it is, whatever was known before or later.
-- A balance belongs to the periods that end on its day, and shares of a cover to the period of its report. A period is known by its
-- last day, as a changed fiscal year may have two ends, and named by the newest filing that states it. Values per share and counts of shares
-- are on the newest basis that was known then: as_filed is the value before its split_factor. has_own_report is false of a period that the lake
-- has from later reports alone, as their comparatives.
-- reads: fundamentals|printed_fundamentals, filings, entity_tickers
CREATE OR REPLACE TEMP MACRO panel_values(period, moment, companies, items) AS TABLE
WITH annual AS (
  SELECT *, stated_at AS known_from FROM fundamentals_filed(moment, companies, NULL)
  WHERE period = 'first_reported' AND value IS NOT NULL AND regexp_matches(form_type, '^(10-?K|20-?F|40-?F)')
    AND stated_at <= eastern_time(moment, 'panel_values')
), firsts AS (
  SELECT cik, accession_number, is_printed, max(period_end) AS year_end FROM annual WHERE statement <> 'cover' AND fiscal_period = 'FY' GROUP BY cik, accession_number, is_printed
  QUALIFY row_number() OVER (PARTITION BY cik, max(period_end), is_printed ORDER BY min(known_from), accession_number) = 1
), known AS (
  SELECT *, last_quarter(fiscal_period) AS quarter FROM fundamentals_standing(moment, companies, items)
  WHERE period <> 'first_reported' AND value IS NOT NULL AND known_from <= eastern_time(moment, 'panel_values')
    AND (known_until IS NULL OR known_until > CAST(moment AS TIMESTAMP))
  UNION ALL BY NAME
  SELECT a.*, last_quarter(a.fiscal_period) AS quarter FROM annual a JOIN firsts f ON f.cik = a.cik AND f.accession_number = a.accession_number AND f.is_printed = a.is_printed
    AND (a.statement = 'cover' OR a.period_end = f.year_end AND a.fiscal_period = 'FY')
  WHERE items IS NULL OR list_contains(items, a.item)
), named AS (
  SELECT * EXCLUDE (days), unnest(days, recursive := true) FROM (
    SELECT accession_number, cik, is_printed, stated_at, max(period_end) AS newest,
      list(DISTINCT {period_end: period_end, year: fiscal_year, quarter: last_quarter(fiscal_period)}) AS days
    FROM fundamentals_filed(moment, companies, NULL) WHERE value IS NOT NULL AND statement <> 'cover' AND stated_at <= CAST(moment AS TIMESTAMP)
    GROUP BY ALL)
), periods AS (
  SELECT u.cik, u.period_end, arg_max({year: u.year, quarter: u.quarter}, {is_tagged: NOT u.is_printed, stated_at: u.stated_at, accession_number: accession_number}) AS last,
    bool_or(u.period_end = u.newest OR u.period_end = g.report_date) AS has_own_report,
    coalesce(bool_or(u.period_end = u.newest OR u.period_end = g.report_date) FILTER (NOT u.is_printed), false) AS has_tagged_report
  FROM named u JOIN filings g USING (accession_number) GROUP BY ALL
), tickers AS (SELECT cik, ticker FROM entity_tickers WHERE position = 0
), factors AS (
  FROM split_factors(moment, CASE WHEN items IS NULL OR list_has_any(items, share_items()) THEN companies ELSE [''] END)
)
SELECT k.cik, t.ticker, p.last.year AS fiscal_year, CASE WHEN period IN ('year', 'first_reported') THEN 'FY' ELSE 'Q' || p.last.quarter END AS fiscal_period, p.period_end,
  k.item, CAST(CASE WHEN list_contains(share_items(), k.item) THEN on_newest_basis(k.value, k.unit, f.factor) ELSE k.value END AS DOUBLE) AS value,
  k.unit, k.method, k.known_from, k.accession_number, CAST(k.value AS DOUBLE) AS as_filed,
  CASE WHEN list_contains(share_items(), k.item) THEN f.factor END AS split_factor, g.filing_date, coalesce(p.has_own_report, false) AS has_own_report, p.has_tagged_report
FROM known k JOIN filings g USING (accession_number) JOIN periods p ON p.cik = k.cik AND CASE WHEN k.statement = 'cover'
  THEN p.last.year = k.fiscal_year AND p.last.quarter = k.quarter ELSE p.period_end = k.period_end END
LEFT JOIN tickers t ON t.cik = k.cik
-- A report that only repeats shares is of the basis of who stated them.
ASOF LEFT JOIN factors f ON f.cik = k.cik AND k.known_from >= f.known_from
WHERE CASE period WHEN 'year' THEN k.fiscal_period = 'FY' WHEN 'first_reported' THEN true
  WHEN 'quarter' THEN k.statement IN ('balance', 'cover') OR k.fiscal_period IN ('Q1', 'Q2', 'Q3', 'Q4')
  WHEN 'ttm' THEN k.statement IN ('balance', 'cover') OR k.fiscal_period IN ('TTM', 'FY')
  ELSE error('the period of a panel is year, quarter, ttm or first_reported, not ' || period) END
QUALIFY row_number() OVER (PARTITION BY k.cik, k.item, p.period_end ORDER BY k.method = 'printed', k.known_from DESC, k.accession_number DESC, k.fiscal_period) = 1;

-- Identities between items, and between quarters of several filings: the parts of a year as first stated add up
-- It has the name of its table, which is fundamental_checks_as_filed. Of a restated year the parts may be of another basis: first statements count.
-- reads: fundamental_checks, fundamentals, printed_fundamentals, filings
CREATE OR REPLACE TEMP VIEW fundamental_checks AS
WITH stated AS (
  SELECT cik, item, fiscal_year, fiscal_period, period_start, period_end, unit, value, accession_number, file, known_from, mapping_version,
    CASE WHEN TRY_CAST(decimals AS INTEGER) < 12 THEN 0.5 * pow(10.0, -TRY_CAST(decimals AS INTEGER)) ELSE 0 END AS rounding
  FROM fundamentals WHERE method NOT IN ('quarter', 'ttm') AND coalesce(rule, '') NOT IN ('quarter', 'ttm') AND value_before IS NULL AND period_start IS NOT NULL
    AND unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%'
), sums AS (
  SELECT w.*, p.value + n.value AS right_value, w.rounding + p.rounding + n.rounding AS tolerance
  FROM (VALUES ('H1', 'Q1', 'Q2'), ('9M', 'H1', 'Q3'), ('FY', '9M', 'Q4')) AS q(whole, part, last)
  JOIN stated w ON w.fiscal_period = q.whole
  JOIN stated p ON p.fiscal_period = q.part AND p.cik = w.cik AND p.item = w.item AND p.unit = w.unit AND p.period_start = w.period_start
  JOIN stated n ON n.fiscal_period = q.last AND n.cik = w.cik AND n.item = w.item AND n.unit = w.unit AND n.period_end = w.period_end
    AND n.period_start = p.period_end + 1
)
SELECT * FROM fundamental_checks_as_filed
UNION ALL BY NAME
SELECT accession_number, file, cik, fiscal_year, fiscal_period, period_end, 'quarters ' || item AS identity, value AS left_value,
  CAST(right_value AS DECIMAL(38, 12)) AS right_value, CAST(value - right_value AS DECIMAL(38, 12)) AS difference,
  CAST(tolerance AS DECIMAL(38, 12)) AS tolerance, abs(value - right_value) <= tolerance AS holds, CASE WHEN abs(value - right_value) > tolerance THEN item END AS likeliest_wrong,
  mapping_version
FROM sums;

-- What does not fit: checks of fundamentals that fail, 13F tables that do not add up to their cover, prices of Form 4 far from others of the day
-- A 13F value may be rounded in each row. A price is far if it is more than half or less than twice the median of at least three prices of market
-- trades (P, S) of the same security and day: a slip of a digit, or a total in place of a price.
-- reads: fundamental_checks, fundamentals, printed_fundamentals, filings, f13_reports, ownership_reports, ownership_transactions
CREATE OR REPLACE TEMP VIEW doubts AS
WITH prices AS (
  SELECT t.accession_number, r.issuer_cik, t.transaction_date, t.price_per_share,
    median(t.price_per_share) OVER same AS usual, count(*) OVER same AS trades
  FROM ownership_transactions t JOIN ownership_reports r USING (accession_number)
  WHERE t.transaction_code IN ('P', 'S') AND t.price_per_share > 0
  WINDOW same AS (PARTITION BY r.issuer_cik, upper(t.security_title), t.transaction_date)
)
SELECT c.accession_number, c.cik, c.fiscal_year, c.fiscal_period, c.period_end, c.identity, c.left_value, c.right_value, c.difference, c.tolerance,
  c.likeliest_wrong
FROM fundamental_checks c WHERE NOT c.holds
UNION ALL BY NAME
SELECT accession_number, filer_cik AS cik, coalesce(period_of_report, report_calendar_or_quarter) AS period_end, 'f13_value_total' AS identity,
  table_value_total AS left_value, value_sum AS right_value, table_value_total - value_sum AS difference,
  CAST(0.5 * (holdings + 1) AS DECIMAL(38, 12)) AS tolerance, 'table_value_total' AS likeliest_wrong
FROM f13_reports WHERE abs(table_value_total - value_sum) > 0.5 * (holdings + 1)
UNION ALL BY NAME
SELECT accession_number, filer_cik AS cik, coalesce(period_of_report, report_calendar_or_quarter) AS period_end, 'f13_entry_total' AS identity,
  CAST(table_entry_total AS DECIMAL(38, 12)) AS left_value, CAST(holdings AS DECIMAL(38, 12)) AS right_value,
  CAST(table_entry_total - holdings AS DECIMAL(38, 12)) AS difference, CAST(0 AS DECIMAL(38, 12)) AS tolerance,
  'table_entry_total' AS likeliest_wrong
FROM f13_reports WHERE table_entry_total <> holdings
UNION ALL BY NAME
SELECT DISTINCT accession_number, issuer_cik AS cik, transaction_date AS period_end, 'form4_price' AS identity, price_per_share AS left_value,
  CAST(usual AS DECIMAL(38, 12)) AS right_value, CAST(price_per_share - usual AS DECIMAL(38, 12)) AS difference,
  CAST(usual / 2 AS DECIMAL(38, 12)) AS tolerance, 'price_per_share' AS likeliest_wrong
FROM prices WHERE trades >= 3 AND (price_per_share > 2 * usual OR price_per_share < usual / 2);

-- Counts of shares and amounts for each, as filings stated them until a moment: nothing is derived from them, and so nothing else of fundamentals_standing is needed
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO fundamentals_of_shares(moment, companies) AS TABLE
SELECT * EXCLUDE (is_printed, stated_at, e, opens, restated, held_year, held_start, held_value, held_number, held_file, held_form, held_from), stated_at AS known_from FROM fundamentals_stated(moment, companies, share_items())
WHERE opens IS NOT NULL AND stated_at < coalesce(known_until, 'infinity');

-- Stock splits that restated values show, as known at a moment: splits_restated('2024-03-01 16:00', ['320193']); null: now, all
-- New shares for each old one: 4, or 0.1 for a reverse split. A restated count is within 2 % of the ratio, as options change it a little; earnings
-- per share are within their rounding. Two such values are needed. The split was between old_until and known_from.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO splits_restated(moment, companies) AS TABLE
WITH ratios AS (
  SELECT r AS ratio FROM (SELECT unnest([1.5, 1.25, 2.5] || CAST(range(2, 101) AS DECIMAL(10, 4)[])) AS r)
  UNION SELECT 1 / r FROM (SELECT unnest([1.5] || CAST(range(2, 201) AS DECIMAL(10, 4)[])) AS r)
), restated AS (
  SELECT cik, item, accession_number, known_from, period_end, unit, value, value_before, decimals,
    lag(known_from) OVER (PARTITION BY cik, item, fiscal_period, period_end ORDER BY known_from) AS old_from
  FROM fundamentals_of_shares(moment, companies)
  WHERE (unit ILIKE '%share%' AND value > 0 AND item <> 'shares_outstanding' OR unit LIKE '%/%')
    AND known_from <= coalesce(CAST(moment AS TIMESTAMP), 'infinity')
), changed AS (
  SELECT r.*, s.ratio FROM restated r JOIN ratios s ON CASE WHEN r.unit LIKE '%/%'
      THEN abs(r.value * s.ratio - r.value_before) <= 0.5000001 * pow(10.0, -coalesce(TRY_CAST(r.decimals AS INTEGER), 2)) * (1 + s.ratio)
        AND abs(r.value_before) > 10 * pow(10.0, -coalesce(TRY_CAST(r.decimals AS INTEGER), 2)) * (1 + s.ratio)
      ELSE abs(r.value / r.value_before / s.ratio - 1) < least(0.02, 0.2 * abs(s.ratio - 1)) END
  WHERE r.value_before <> 0 AND r.old_from IS NOT NULL
), counted AS (
  SELECT cik, accession_number, known_from, ratio, min(old_from) AS old_from, max(old_from) AS old_until, count(DISTINCT (item, period_end)) AS restated_values
  FROM changed GROUP BY cik, accession_number, known_from, ratio
  HAVING count(*) FILTER (unit LIKE '%/%') > 0 AND count(*) FILTER (unit NOT LIKE '%/%') > 0
  QUALIFY row_number() OVER (PARTITION BY cik, accession_number ORDER BY count(*) FILTER (unit NOT LIKE '%/%') DESC, count(*) DESC, ratio) = 1
)
SELECT * FROM counted c WHERE NOT EXISTS (FROM counted o
  WHERE o.cik = c.cik AND (o.known_from, o.accession_number) < (c.known_from, c.accession_number) AND o.known_from > c.old_from
    AND abs(o.ratio / c.ratio - 1) < 0.01);

-- Stock splits: share counts and values per share that a later filing restates by one ratio, and ratios that a filing tags
-- A ratio that is tagged alone may be planned, or of another class.
-- reads: fundamentals|printed_fundamentals, filings, xbrl_facts
CREATE OR REPLACE TEMP VIEW splits AS
WITH firsts AS (
  FROM splits_restated(NULL, NULL)
), tagged AS (
  SELECT f.entity_cik AS cik, f.accession_number, known_at(g.acceptance_datetime, g.filing_date) AS known_from,
    f.value_number AS ratio
  FROM xbrl_facts f JOIN filings g USING (accession_number)
  WHERE f.concept = 'us-gaap:StockholdersEquityNoteStockSplitConversionRatio1' AND stood_at(g.removed_at, NULL) AND f.value_number > 0 AND f.value_number <> 1
  QUALIFY row_number() OVER (PARTITION BY f.entity_cik, f.value_number ORDER BY known_from, f.accession_number) = 1
)
SELECT f.cik, CAST(f.ratio AS DOUBLE) AS ratio, 'restated' AS source, f.known_from, f.old_until, f.accession_number, f.restated_values,
  EXISTS (FROM tagged t WHERE t.cik = f.cik AND abs(t.ratio / f.ratio - 1) < 0.01 OR t.cik = f.cik AND abs(t.ratio * f.ratio - 1) < 0.01) AS is_tagged
FROM firsts f
UNION ALL BY NAME
SELECT t.cik, CAST(t.ratio AS DOUBLE) AS ratio, 'tagged' AS source, t.known_from, t.accession_number, true AS is_tagged FROM tagged t
WHERE NOT EXISTS (FROM firsts f WHERE f.cik = t.cik AND (abs(t.ratio / f.ratio - 1) < 0.01 OR abs(t.ratio * f.ratio - 1) < 0.01));

-- New shares for each share of values that became known at a time, by all splits until a moment: split_factors('2024-03-01 16:00', ['320193']); null: now, all. Null if nobody can tell
-- A filing between the last one before a split and the first that restates is of the old or the new basis: its own count of shares says
-- which, if it is nearer to one of both.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP MACRO split_factors(moment, companies) AS TABLE
WITH stated AS MATERIALIZED (
  SELECT cik, item, known_from, period_end, value FROM fundamentals_of_shares(moment, companies)
  WHERE known_from <= coalesce(CAST(moment AS TIMESTAMP), 'infinity')
), counts AS (
  SELECT cik, known_from, max_by(value, {day: period_end, item: item}) AS shares FROM stated
  WHERE item IN ('shares_basic', 'shares_diluted') AND value > 0 GROUP BY ALL
), splits AS (
  FROM splits_restated(moment, companies)
), met AS (
  SELECT k.cik, k.known_from, CASE WHEN s.ratio IS NULL OR k.known_from >= s.known_from THEN 1 WHEN k.known_from <= s.old_until THEN s.ratio
      WHEN abs(ln(c.shares / o.shares / s.ratio)) < abs(ln(c.shares / o.shares)) THEN 1 WHEN c.shares / o.shares > 0 THEN s.ratio END AS ratio
  FROM (SELECT DISTINCT cik, known_from FROM stated) k LEFT JOIN splits s ON s.cik = k.cik
  LEFT JOIN counts c ON c.cik = k.cik AND c.known_from = k.known_from
  LEFT JOIN counts o ON o.cik = s.cik AND o.known_from = s.old_until
)
SELECT cik, known_from, CASE WHEN count(ratio) = count(*) THEN product(ratio) END AS factor FROM met GROUP BY ALL;

-- Values per share and counts of shares as filed, beside the same adjusted for every split that restated values show later
-- A value that was restated for a split is in its own row. Splits that are tagged alone adjust nothing.
-- reads: fundamentals|printed_fundamentals, filings
CREATE OR REPLACE TEMP VIEW per_share_items AS
SELECT u.cik, u.item, u.fiscal_year, u.fiscal_period, u.period_start, u.period_end, u.unit, u.value AS as_filed,
  CAST(on_newest_basis(u.value, u.unit, f.factor) AS DOUBLE) AS adjusted, f.factor, u.known_from, u.known_until, u.accession_number
FROM fundamentals_of(NULL, share_items()) u JOIN split_factors(NULL, NULL) f ON f.cik = u.cik AND f.known_from = u.known_from
WHERE u.value IS NOT NULL;

-- Items by member of one axis (segments, products, regions), as a filing states them, with the sum of the members against the total
-- A member whose amount is just what the sum has too much is a subtotal. The same fact may stand on several pages: the most exact counts.
-- reads: fundamentals, xbrl_facts, filings
CREATE OR REPLACE TEMP VIEW segments AS
WITH members AS (
  SELECT u.accession_number, u.cik, u.item, u.fiscal_year, u.fiscal_period, u.period_start, u.period_end, u.unit, u.value AS total, u.concept,
    json_keys(f.dimensions)[1] AS axis, json_extract_string(f.dimensions, '$."' || json_keys(f.dimensions)[1] || '"') AS member,
    f.value_number AS value, f.file, f.position,
    CASE WHEN TRY_CAST(u.decimals AS INTEGER) < 12 THEN 0.5 * pow(10.0, -TRY_CAST(u.decimals AS INTEGER)) ELSE 0 END AS rounding,
    CASE WHEN TRY_CAST(f.decimals AS INTEGER) < 12 THEN 0.5 * pow(10.0, -TRY_CAST(f.decimals AS INTEGER)) ELSE 0 END AS own_rounding
  FROM fundamentals_as_filed u JOIN xbrl_facts f ON f.accession_number = u.accession_number AND f.concept = u.concept AND f.unit = u.unit
    AND f.period_end = u.period_end AND f.period_start IS NOT DISTINCT FROM u.period_start
  WHERE u.method = 'reported' AND u.concept IS NOT NULL AND u.unit NOT LIKE '%/%' AND f.value_number IS NOT NULL AND f.dimensions <> '{}'
    AND len(json_keys(f.dimensions)) = 1
  QUALIFY row_number() OVER (PARTITION BY u.accession_number, u.file, u.item, u.fiscal_period, u.period_end, f.dimensions
    ORDER BY exactness(f.decimals) DESC NULLS LAST, f.file, f.position) = 1
), summed AS (
  SELECT *, sum(value) OVER whole AS members_sum, rounding + sum(own_rounding) OVER whole AS tolerance FROM members
  WINDOW whole AS (PARTITION BY accession_number, item, fiscal_period, period_end, axis)
), parted AS (
  SELECT *, abs(members_sum - total) > tolerance AND abs(members_sum - total - value) <= tolerance
    AND row_number() OVER (PARTITION BY accession_number, item, fiscal_period, period_end, axis ORDER BY abs(members_sum - total - value), position) = 1
    AS is_subtotal
  FROM summed
), added AS (
  SELECT *, members_sum - coalesce(sum(CASE WHEN is_subtotal THEN value END) OVER (PARTITION BY accession_number, item, fiscal_period, period_end, axis), 0)
    AS parts_sum FROM parted
)
SELECT accession_number, cik, fiscal_year, fiscal_period, period_start, period_end, item, axis, member, value, unit, is_subtotal, total, parts_sum,
  abs(parts_sum - total) <= tolerance AS adds_up, concept, file, position
FROM added;
