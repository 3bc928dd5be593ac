-- Annual reports (10-K, 20-F, 40-F and amendments), a row for each registrant, with the fiscal year by the company's own count
-- A year that ends in January to June may have the number of the year before: the covers of the company's reports say so. A cover that says
-- anything else is a slip. A year of 52 or 53 weeks may end a few days into the next month: 14 days before its end is in its last month.
-- Registrants: the filer, and others that the cover names by member and CIK.
-- reads: filings, xbrl_facts
CREATE OR REPLACE TEMP VIEW annual_reports AS
WITH registrants AS (
  SELECT DISTINCT accession_number, dimensions, ltrim(value, '0') AS cik
  FROM xbrl_facts WHERE concept = 'dei:EntityCentralIndexKey' AND value IS NOT NULL AND dimensions LIKE '{"dei:LegalEntityAxis":%'
      AND dimensions NOT LIKE '%,%'
), reports AS (
  SELECT *, CAST(coalesce(avg(CASE WHEN month((period_end - 14)) <= 6 THEN year((period_end - 14)) - focus END)
      FILTER (WHERE focus - year((period_end - 14)) IN (-1, 0)) OVER (PARTITION BY cik), 0) > 0.5 AS INTEGER) AS later
  FROM (
    SELECT g.accession_number, r.cik, g.form_type, g.filing_date, g.acceptance_datetime, c.focus, c.period_start, c.accession_number IS NOT NULL
        AS has_facts,
      coalesce(c.stated_end, c.period_end, g.report_date) AS period_end
    FROM filings g
    JOIN (SELECT accession_number, cik FROM filings UNION SELECT accession_number, cik FROM registrants) r ON r.accession_number = g.accession_number
    LEFT JOIN (
      SELECT accession_number, max(TRY_CAST(value AS DATE)) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS stated_end,
        max(TRY_CAST(value AS INTEGER)) FILTER (WHERE concept = 'dei:DocumentFiscalYearFocus') AS focus,
        max(period_end) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS period_end,
        max(period_start) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS period_start
      FROM xbrl_facts GROUP BY accession_number
    ) c ON c.accession_number = g.accession_number
    WHERE regexp_matches(g.form_type, '^(10-?K|20-?F|40-?F)') AND stood_at(g.removed_at, NULL)
  )
)
SELECT accession_number, cik, form_type, filing_date, acceptance_datetime, CAST(year((period_end - 14)) - CASE WHEN month((period_end - 14)) <= 6
    THEN later ELSE 0 END AS INTEGER) AS fiscal_year, period_end, has_facts
FROM reports;

-- Facts of whole fiscal years and of their ends, as each annual report states them. One row for a report, company, fiscal year, concept, unit and dimensions; facts of quarters and of other days are left out
-- The ends of a company's fiscal years: periods of a year in its annual reports that end on an anniversary of the report's end, and the
-- reports' own ends. If two ends have one number, the one with more values counts: a cover may state the end of the month.
-- reads: xbrl_facts, filings
CREATE OR REPLACE TEMP VIEW annual_facts AS
WITH registrants AS (
  SELECT DISTINCT accession_number, dimensions, ltrim(value, '0') AS cik
  FROM xbrl_facts WHERE concept = 'dei:EntityCentralIndexKey' AND value IS NOT NULL AND dimensions LIKE '{"dei:LegalEntityAxis":%'
      AND dimensions NOT LIKE '%,%'
), reports AS (
  SELECT *, CAST(coalesce(avg(CASE WHEN month((period_end - 14)) <= 6 THEN year((period_end - 14)) - focus END)
      FILTER (WHERE focus - year((period_end - 14)) IN (-1, 0)) OVER (PARTITION BY cik), 0) > 0.5 AS INTEGER) AS later
  FROM (
    SELECT g.accession_number, r.cik, g.form_type, g.filing_date, g.acceptance_datetime, c.focus, c.period_start, c.accession_number IS NOT NULL
        AS has_facts,
      coalesce(c.stated_end, c.period_end, g.report_date) AS period_end
    FROM filings g
    JOIN (SELECT accession_number, cik FROM filings UNION SELECT accession_number, cik FROM registrants) r ON r.accession_number = g.accession_number
    LEFT JOIN (
      SELECT accession_number, max(TRY_CAST(value AS DATE)) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS stated_end,
        max(TRY_CAST(value AS INTEGER)) FILTER (WHERE concept = 'dei:DocumentFiscalYearFocus') AS focus,
        max(period_end) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS period_end,
        max(period_start) FILTER (WHERE concept = 'dei:DocumentPeriodEndDate') AS period_start
      FROM xbrl_facts GROUP BY accession_number
    ) c ON c.accession_number = g.accession_number
    WHERE regexp_matches(g.form_type, '^(10-?K|20-?F|40-?F)') AND stood_at(g.removed_at, NULL)
  )
), facts AS (
  SELECT f.* REPLACE (CASE WHEN o.cik IS NULL THEN f.dimensions ELSE '{}' END AS dimensions), coalesce(o.cik, f.entity_cik) AS cik, o.cik IS NOT NULL
      AS is_member,
    r.form_type, r.filing_date, r.acceptance_datetime, r.later, r.period_end AS report_end, r.period_start AS report_start,
    f.period_end - f.period_start + 1 AS days
  FROM xbrl_facts f LEFT JOIN registrants o ON o.accession_number = f.accession_number AND o.dimensions = f.dimensions
  JOIN reports r ON r.accession_number = f.accession_number AND r.cik = coalesce(o.cik, f.entity_cik)
), ends AS (
  SELECT cik, CAST(year((period_end - 14)) - CASE WHEN month((period_end - 14)) <= 6 THEN later ELSE 0 END AS INTEGER) AS fiscal_year, period_end,
    count(*) FILTER (WHERE days BETWEEN 350 AND 380) AS values_of_year, max(period_start) FILTER (WHERE days < 350 AND period_start = report_start)
        AS short_start
  FROM facts
  WHERE dimensions = '{}' AND (days BETWEEN 350 AND 380 OR period_end = report_end)
    AND abs((report_end - period_end) - 365.25 * round((report_end - period_end) / 365.25)) <= 10
  GROUP BY cik, period_end, later
  QUALIFY row_number() OVER (PARTITION BY cik, fiscal_year ORDER BY values_of_year DESC, period_end DESC) = 1
)
SELECT f.cik, e.fiscal_year, f.concept, f.unit, f.dimensions, f.value, f.value_number, f.decimals, f.period_start, f.period_end,
  f.accession_number, f.form_type, f.filing_date, f.acceptance_datetime, f.file, f.position
FROM facts f JOIN ends e ON e.cik = f.cik AND e.period_end = f.period_end
WHERE f.period_start IS NULL OR CASE WHEN e.values_of_year > 0 THEN f.days BETWEEN 350 AND 380 ELSE f.period_start = e.short_start END
QUALIFY row_number() OVER (PARTITION BY f.accession_number, f.cik, e.fiscal_year, f.concept, f.unit, f.dimensions
  ORDER BY f.is_member, f.value IS NULL, exactness(f.decimals) DESC NULLS LAST,
      abs(f.days - 365), f.file, f.position) = 1;
