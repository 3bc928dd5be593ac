/** Views of what was known when: facts at a moment, and facts that were stated differently later. */
import { EXACTNESS } from './statements.ts';
import type { FormView } from './view.ts';

/**
 * A fact with the moment from which on it was public. A filing without acceptance time counts from the end of its day: a fact is never
 * known too early.
 */
const KNOWN = `SELECT f.*, g.form_type, coalesce(g.acceptance_datetime, CAST(g.filing_date + 1 AS TIMESTAMP)) AS accepted
  FROM xbrl_facts f JOIN filings g ON g.accession_number = f.accession_number`;

/** What a statement is about. */
const SUBJECT = ['entity_cik', 'concept', 'period_start', 'period_end', 'unit', 'dimensions'];
const subject = (alias: string) => SUBJECT.map((column) => `${alias}.${column}`).join(', ');

/** Times of EDGAR have no zone. DuckDB drops one or moves the time to another zone: facts would be known hours too early. */
const MOMENT = `CASE WHEN regexp_matches(CAST(moment AS VARCHAR), ':\\d\\d[^-+a-z]*([-+]|[a-z])', 'i')
    THEN error('facts_as_of takes Eastern time without a zone, not ' || CAST(moment AS VARCHAR) ||
      '. Of a time with a zone write: moment AT TIME ZONE ''America/New_York''') ELSE CAST(moment AS TIMESTAMP) END`;

/** Texts may be in several languages: en and en-US are one, and nothing means English. For numbers, xml:lang is ignored. */
const LANGUAGE = `CASE WHEN f.unit IS NULL THEN coalesce(lower(regexp_extract(f.language, '^[A-Za-z]+')), 'en') END`;

/** What a statement leaves open on each side, by its exactness. */
const half = (exactness: string) => `CASE WHEN ${exactness} < 99 THEN 0.5000001 * pow(10.0, -${exactness}) ELSE 0 END`;

/** A difference that rounding can't explain, of two statements { e: exactness, a: accepted, n: accession number, v: value }. */
const differ = (one: string, other: string) => `abs(${one}.v - ${other}.v) > ${half(`least(${one}.e, ${other}.e)`)}`;

/**
 * The newest statement decides. If it only rounds an earlier one, the earlier one is given: the most exact that fits all later ones.
 * Texts, and numbers that a later filing leaves empty, fit nothing.
 */
const FACTS_AS_OF = `WITH known AS (${KNOWN}), stated AS (
  SELECT f.*, ${LANGUAGE} AS spoken, CASE WHEN f.unit IS NOT NULL THEN f.value_number END AS v, coalesce(${EXACTNESS}, 99) AS e
  FROM known f WHERE f.accepted <= ${MOMENT} AND f.entity_cik IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY f.accession_number, ${subject('f')}, ${LANGUAGE}
    ORDER BY f.value IS NULL, ${EXACTNESS} DESC NULLS LAST, f.file, f.position) = 1
), bounded AS (
  SELECT *, max(coalesce(v - ${half('e')}, 'infinity')) OVER later AS low, min(coalesce(v + ${half('e')}, '-infinity')) OVER later AS high
  FROM stated s WINDOW later AS (PARTITION BY ${subject('s')}, s.spoken
    ORDER BY s.accepted DESC, s.accession_number DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT * EXCLUDE (spoken, v, e, low, high) FROM bounded b WHERE low IS NULL OR v BETWEEN low AND high
QUALIFY row_number() OVER (PARTITION BY ${subject('b')}, b.spoken ORDER BY e DESC, accepted DESC, accession_number DESC) = 1`;

/** A rounded statement between two exact ones fits both: it would hide that they differ. */
const FACT_REVISIONS = `WITH known AS (${KNOWN}), stated AS (
  SELECT ${subject('f')}, f.accession_number, f.form_type, f.accepted, f.decimals, f.value_number AS value,
    {e: coalesce(${EXACTNESS}, 99), a: f.accepted, n: f.accession_number, v: f.value_number} AS this
  FROM known f WHERE f.unit IS NOT NULL AND f.value_number IS NOT NULL AND f.entity_cik IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY f.accession_number, ${subject('f')}
    ORDER BY ${EXACTNESS} DESC NULLS LAST, f.file, f.position) = 1
), ordered AS (
  SELECT *, lag(this) OVER earlier AS last, max(this) OVER (
    PARTITION BY ${subject('s')} ORDER BY accepted, accession_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS exact
  FROM stated s WINDOW earlier AS (PARTITION BY ${subject('s')} ORDER BY accepted, accession_number)
), compared AS (
  SELECT *, CASE WHEN ${differ('this', 'last')} THEN last
    WHEN ${differ('this', 'exact')} AND NOT (${differ('last', 'exact')}) THEN exact END AS previous FROM ordered
)
SELECT * EXCLUDE (this, last, exact, previous), previous.v AS previous_value, previous.n AS previous_accession_number,
  previous.a AS previous_accepted, value - previous.v AS change
FROM compared WHERE previous IS NOT NULL`;

export const POINT_IN_TIME_VIEWS: readonly FormView[] = [
  {
    name: 'facts_as_of',
    parameters: ['moment'],
    meaning:
      "Of each fact the newest statement that EDGAR had accepted at a moment, Eastern time; a day alone means its beginning: facts_as_of('2024-03-01 16:00'). If it only rounds an earlier statement, the more exact one",
    tables: ['xbrl_facts', 'filings'],
    sql: FACTS_AS_OF,
  },
  {
    name: 'fact_revisions',
    meaning:
      'Numbers that a later filing states differently, beside the statement before, or a more exact one before that; rounding does not count',
    tables: ['xbrl_facts', 'filings'],
    sql: FACT_REVISIONS,
  },
];
