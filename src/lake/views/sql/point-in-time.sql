-- Of each fact the newest statement that EDGAR had accepted at a moment, Eastern time; a day alone means its beginning: facts_as_of('2024-03-01 16:00'). If it only rounds an earlier statement, the more exact one
-- A filing without acceptance time counts from the end of its day: a fact is never known too early. Times of EDGAR have no zone. DuckDB drops
-- one or moves the time to another zone: facts would be known hours too early. Texts may be in several languages: en and en-US are one, and
-- nothing means English. Numbers have none. The newest statement decides. If it only rounds an earlier one, the earlier one is given: the most
-- exact that fits all later ones. Texts, and numbers that a later filing leaves empty, fit nothing. What an annual or quarterly report states,
-- no proxy, prospectus or current report replaces: their numbers may be of another scale, or another exactness than they claim.
-- reads: xbrl_facts, filings
CREATE OR REPLACE TEMP MACRO facts_as_of(moment) AS TABLE
WITH known AS (SELECT f.*, g.form_type, known_at(g.acceptance_datetime, g.filing_date) AS accepted
  FROM xbrl_facts f JOIN filings g ON g.accession_number = f.accession_number WHERE stood_at(g.removed_at, moment)), stated AS (
  SELECT f.*, CASE WHEN f.unit IS NULL THEN coalesce(lower(regexp_extract(f.language, '^[A-Za-z]+')), 'en') END AS spoken, CASE
      WHEN f.unit IS NOT NULL THEN f.value_number END AS v, coalesce(exactness(f.decimals), 99)
      AS e
  FROM known f WHERE f.accepted <= eastern_time(moment, 'facts_as_of') AND f.entity_cik IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.unit, f.dimensions, CASE
      WHEN f.unit IS NULL THEN coalesce(lower(regexp_extract(f.language, '^[A-Za-z]+')), 'en') END
    ORDER BY f.value IS NULL, exactness(f.decimals) DESC NULLS LAST, f.file, f.position) = 1
), heard AS (
  SELECT * FROM stated s QUALIFY is_report(s.form_type) OR NOT bool_or(is_report(s.form_type)) OVER (
    PARTITION BY s.entity_cik, s.concept, s.period_start, s.period_end, s.unit, s.dimensions, s.spoken)
), bounded AS (
  SELECT *, max(coalesce(v - rounding_of(e), 'infinity')) OVER later AS low, min(coalesce(v + rounding_of(e), '-infinity')) OVER later AS high
  FROM heard s WINDOW later AS (PARTITION BY s.entity_cik, s.concept, s.period_start, s.period_end, s.unit, s.dimensions, s.spoken
    ORDER BY s.accepted DESC, s.accession_number DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT * EXCLUDE (spoken, v, e, low, high) FROM bounded b WHERE low IS NULL OR v BETWEEN low AND high
QUALIFY row_number() OVER (PARTITION BY b.entity_cik, b.concept, b.period_start, b.period_end, b.unit, b.dimensions, b.spoken ORDER BY e DESC,
    accepted DESC, accession_number DESC) = 1;

-- Numbers that a later filing states differently, beside the statement before, or a more exact one before that; rounding does not count, nor what another form than a report states after a report
-- A difference that rounding can't explain: e exactness, a accepted, n accession number, v value. A rounded statement between two exact ones
-- fits both: it would hide that they differ.
-- reads: xbrl_facts, filings
CREATE OR REPLACE TEMP VIEW fact_revisions AS
WITH known AS (SELECT f.*, g.form_type, known_at(g.acceptance_datetime, g.filing_date) AS accepted
  FROM xbrl_facts f JOIN filings g ON g.accession_number = f.accession_number WHERE stood_at(g.removed_at, NULL)), stated AS (
  SELECT f.entity_cik, f.concept, f.period_start, f.period_end, f.unit, f.dimensions, f.accession_number, f.form_type, f.accepted, f.decimals,
      f.value_number AS value,
    {e: coalesce(exactness(f.decimals), 99), a: f.accepted, n: f.accession_number,
        v: f.value_number} AS this
  FROM known f WHERE f.unit IS NOT NULL AND f.value_number IS NOT NULL AND f.entity_cik IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.unit, f.dimensions
    ORDER BY exactness(f.decimals) DESC NULLS LAST, f.file, f.position) = 1
), heard AS (
  SELECT * FROM stated s QUALIFY is_report(s.form_type) OR NOT coalesce(bool_or(is_report(s.form_type)) OVER (
    PARTITION BY s.entity_cik, s.concept, s.period_start, s.period_end, s.unit, s.dimensions ORDER BY accepted, accession_number
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false)
), ordered AS (
  SELECT *, lag(this) OVER earlier AS last, max(this) OVER (
    PARTITION BY s.entity_cik, s.concept, s.period_start, s.period_end, s.unit, s.dimensions ORDER BY accepted,
        accession_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS exact
  FROM heard s WINDOW earlier AS (PARTITION BY s.entity_cik, s.concept, s.period_start, s.period_end, s.unit, s.dimensions ORDER BY accepted,
      accession_number)
), compared AS (
  SELECT *, CASE WHEN abs(this.v - last.v) > rounding_of(least(this.e, last.e))
      THEN last
    WHEN abs(this.v - exact.v) > rounding_of(least(this.e, exact.e))
        AND NOT (abs(last.v - exact.v) > rounding_of(least(last.e, exact.e)))
        THEN exact END AS previous FROM ordered
)
SELECT * EXCLUDE (this, last, exact, previous), previous.v AS previous_value, previous.n AS previous_accession_number,
  previous.a AS previous_accepted, value - previous.v AS change
FROM compared WHERE previous IS NOT NULL;

-- Numbers of proxies, prospectuses and current reports that fit no annual or quarterly report's number of the same fact, beside the newest of these
-- A number that fits an older report was right when it was stated.
-- reads: xbrl_facts, filings
CREATE OR REPLACE TEMP VIEW fact_disagreements AS
WITH stated AS (
  SELECT f.entity_cik, f.concept, f.period_start, f.period_end, f.unit, f.dimensions, f.value_number AS value, f.decimals, f.accession_number,
    g.form_type, known_at(g.acceptance_datetime, g.filing_date) AS accepted, f.file, f.position, coalesce(exactness(f.decimals), 99) AS e,
    coalesce(CAST(f.period_start AS VARCHAR), '') AS begins
  FROM xbrl_facts f JOIN filings g ON g.accession_number = f.accession_number
  WHERE f.unit IS NOT NULL AND f.value_number IS NOT NULL AND f.entity_cik IS NOT NULL AND stood_at(g.removed_at, NULL)
  QUALIFY row_number() OVER (PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.unit, f.dimensions
    ORDER BY exactness(f.decimals) DESC NULLS LAST, f.file, f.position) = 1
)
SELECT o.* EXCLUDE (e, begins), r.value AS report_value, r.accession_number AS report_accession_number, r.form_type AS report_form_type,
  r.accepted AS report_accepted, o.value - r.value AS difference
FROM stated o JOIN stated r ON r.entity_cik = o.entity_cik AND r.concept = o.concept AND r.period_end = o.period_end AND r.begins = o.begins
  AND r.unit = o.unit AND r.dimensions = o.dimensions
WHERE NOT is_report(o.form_type) AND is_report(r.form_type)
QUALIFY min(abs(o.value - r.value) - rounding_of(least(o.e, r.e))) OVER (PARTITION BY o.accession_number, o.file, o.position) > 0
  AND row_number() OVER (PARTITION BY o.accession_number, o.file, o.position ORDER BY r.accepted DESC, r.accession_number DESC) = 1;
