/** Views in the names of SEC's Financial Statement and Notes Data Sets: sub, num, pre, txt. */
import { PLACES } from '../../core/index.ts';
import { EXACTNESS, LABELS, ROLES } from './statements.ts';
import type { FormView } from './view.ts';

/** Standard taxonomies: any other concept is the company's own. */
const STANDARD = '^https?://(fasb\\.org|xbrl\\.sec\\.gov|xbrl\\.us|xbrl\\.ifrs\\.org)/';

/** us-gaap/2024; the accession number for a company's own concepts. */
const versionOf = (concept: string, namespace: string) =>
  `CASE WHEN regexp_matches(${namespace}, '${STANDARD}')
    THEN split_part(${concept}, ':', 1) || '/' || regexp_extract(${namespace}, '(19|20)\\d\\d') ELSE f.accession_number END`;
const tagOf = (concept: string) => `regexp_replace(${concept}, '^[^:]*:', '')`;
const number = (day: string) => `CAST(strftime(${day}, '%Y%m%d') AS INTEGER)`;

/** The end of a month that is nearest: fiscal periods end on a Saturday here and there. */
const monthEnd = (day: string) =>
  `CASE WHEN day(${day}) < day(last_day(${day})) - day(${day}) THEN date_trunc('month', ${day})::DATE - 1 ELSE last_day(${day}) END`;

/** Quarters of a duration, 0 for an instant, null without an end. */
const QTRS = `CAST(CASE WHEN f.period_end IS NULL THEN NULL WHEN f.period_start IS NULL THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER)`;

const short = (name: string) => `regexp_replace(regexp_replace(${name}, '^[^:]*:', ''), '(Axis|Member|Domain)$', '')`;
const LEGAL_ENTITY = `%:LegalEntityAxis`;
const member = (axis: string) => `json_extract_string(f.dimensions, '$."' || ${axis} || '"')`;

/** A filing may report for several registrants. Facts of another one than the filer name it by its CIK. */
const OTHER_REGISTRANT = `CASE WHEN f.entity_cik <> g.cik AND min(f.entity_cik) OVER (PARTITION BY f.accession_number) <>
    max(f.entity_cik) OVER (PARTITION BY f.accession_number) THEN f.entity_cik END`;
const FACTS = 'FROM xbrl_facts f LEFT JOIN filings g ON g.accession_number = f.accession_number';

/** EquityComponents=AdditionalPaidInCapital; of all axes but the legal entity, which is `coreg`. */
const SEGMENTS = `CASE WHEN f.dimensions <> '{}' THEN nullif(array_to_string(list_sort(list_transform(
    list_filter(json_keys(f.dimensions), lambda axis: axis NOT LIKE '${LEGAL_ENTITY}'),
    lambda axis: regexp_replace(${short('axis')}, '^Statement', '') || '=' || coalesce(${short(member('axis'))}, '') || ';')), ''), '') END`;
const NAMES_ENTITY = `f.dimensions LIKE '%LegalEntityAxis"%'`;
const COREG = `CASE WHEN ${NAMES_ENTITY} THEN ${short(
  member(`list_filter(json_keys(f.dimensions), lambda axis: axis LIKE '${LEGAL_ENTITY}')[1]`),
)} ELSE ${OTHER_REGISTRANT} END`;

const FOOTNOTE = `CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END`;

/** Without an end, only facts of one context are about the same. */
const UNDATED = `CASE WHEN f.period_end IS NULL THEN f.file || ' ' || f.context_id END`;

const FACT_COLUMNS = `f.accession_number AS adsh, ${tagOf('f.concept')} AS tag, ${versionOf('f.concept', 'f.concept_namespace')} AS version,
  ${number(monthEnd('f.period_end'))} AS ddate, ${QTRS} AS qtrs`;

/** SEC's hash of the dimensions is not published. This one is equal for equal texts. */
export const DIMENSION_HASH = `CASE WHEN segments IS NULL THEN '0x00000000' ELSE '0x' || md5(segments) END`;

/** Further columns of the Financial Statement and Notes sets: how far ddate and qtrs are from the fact, as fractions. */
const NOTES_COLUMNS = `CAST(coalesce(length(${FOOTNOTE}), 0) AS INTEGER) AS footlen, ${DIMENSION_HASH} AS dimh,
  CAST(CASE WHEN segments IS NULL THEN 0 ELSE len(json_keys(f.dimensions)) - CASE WHEN ${NAMES_ENTITY} THEN 1 ELSE 0 END END AS INTEGER) AS dimn,
  CASE WHEN f.period_start IS NULL THEN 0 ELSE (f.period_end - f.period_start + 1) / 91.3 - ${QTRS} END AS durp,
  (f.period_end - ${monthEnd('f.period_end')}) / 31.0 AS datp`;

/** The newest fact of the cover page, by its name. */
const cover = (tag: string) => `max(f.value) FILTER (WHERE f.concept = 'dei:${tag}' AND f.dimensions = '{}')`;
const address = (kind: 'business' | 'mailing', column: string) =>
  `(SELECT a.${column} FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = '${kind}')`;

/** ISO code of the country of one of EDGAR's codes of states. */
const country = (code: string) => `(SELECT c.country FROM countries c WHERE c.code = ${code})`;
const COUNTRIES = PLACES.flatMap(([code, , iso]) => (iso === null ? [] : [`('${code}', '${iso}')`])).join(', ');
const NOTHING = 'CAST(NULL AS VARCHAR)';

const SUB = `WITH countries(code, country) AS (VALUES ${COUNTRIES}
), pages AS (
  SELECT accession_number AS adsh, CAST(max(CASE WHEN role_definition ILIKE '%(Detail%' THEN 1 ELSE 0 END) AS INTEGER) AS detail
  FROM xbrl_presentation GROUP BY ALL
), covers AS (
  SELECT f.accession_number AS adsh, coalesce(min(f.file) FILTER (WHERE f.concept = 'dei:DocumentType'), min(f.file)) AS instance, TRY_CAST(${cover('DocumentPeriodEndDate')} AS DATE) AS period,
    TRY_CAST(${cover('DocumentFiscalYearFocus')} AS INTEGER) AS fy, ${cover('DocumentFiscalPeriodFocus')} AS fp,
    replace(${cover('CurrentFiscalYearEndDate')}, '-', '') AS fye, ${cover('EntityFilerCategory')} AS category,
    ${cover('EntityWellKnownSeasonedIssuer')} AS wksi, count(DISTINCT f.entity_cik) AS nciks,
    list(DISTINCT f.entity_cik) AS ciks, max({amount: f.value_number, day: f.period_end})
      FILTER (WHERE f.concept = 'dei:EntityPublicFloat' AND f.dimensions = '{}' AND f.value_number IS NOT NULL) AS public_float
  FROM xbrl_facts f GROUP BY f.accession_number
), s AS (
  SELECT c.*, g.cik, g.entity_name, g.form_type, g.filing_date, g.acceptance_datetime, g.report_date
  FROM covers c LEFT JOIN filings g ON g.accession_number = c.adsh
)
SELECT s.adsh, TRY_CAST(s.cik AS INTEGER) AS cik, coalesce(p.name, s.entity_name) AS name, TRY_CAST(p.sic AS INTEGER) AS sic,
  ${country(address('business', 'state'))} AS countryba, ${address('business', 'state')} AS stprba, ${address('business', 'city')} AS cityba, ${address('business', 'zip')} AS zipba,
  ${address('business', 'street1')} AS bas1, ${address('business', 'street2')} AS bas2,
  ${NOTHING} AS baph, ${country(address('mailing', 'state'))} AS countryma,
  ${address('mailing', 'state')} AS stprma, ${address('mailing', 'city')} AS cityma, ${address('mailing', 'zip')} AS zipma,
  ${address('mailing', 'street1')} AS mas1, ${address('mailing', 'street2')} AS mas2,
  ${country('p.state_of_incorporation')} AS countryinc, p.state_of_incorporation AS stprinc, p.irs_number AS ein,
  (SELECT max_by(o.name, o.date_of_change) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position) AS former,
  (SELECT max(strftime(o.date_of_change, '%Y%m%d')) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position) AS changed,
  CASE lower(s.category) WHEN 'large accelerated filer' THEN '1-LAF' WHEN 'accelerated filer' THEN '2-ACC'
    WHEN 'smaller reporting accelerated filer' THEN '3-SRA' WHEN 'non-accelerated filer' THEN '4-NON'
    WHEN 'smaller reporting company' THEN '5-SML' END AS afs,
  CASE lower(s.wksi) WHEN 'yes' THEN 1 WHEN 'true' THEN 1 WHEN 'no' THEN 0 WHEN 'false' THEN 0 END AS wksi,
  coalesce(right(s.fye, 4), p.fiscal_year_end) AS fye, s.form_type AS form, ${number(monthEnd('coalesce(s.period, s.report_date)'))} AS period,
  coalesce(s.fy, h.fiscal_year) AS fy, coalesce(s.fp, h.fiscal_period) AS fp,
  ${number('s.filing_date')} AS filed, strftime(s.acceptance_datetime, '%Y-%m-%d %H:%M:%S.0') AS accepted,
  CASE WHEN EXISTS (SELECT 1 FROM filings a WHERE a.cik = s.cik AND a.form_type = s.form_type || '/A' AND a.report_date = s.report_date
    AND a.filing_date >= s.filing_date) THEN 1 ELSE 0 END AS prevrpt, pages.detail, s.instance, s.nciks,
  nullif(array_to_string(list_sort(list_filter(s.ciks, lambda each: each IS DISTINCT FROM s.cik)), ' '), '') AS aciks,
  s.public_float.amount AS pubfloatusd, ${number('s.public_float.day')} AS floatdate, ${NOTHING} AS floataxis, CAST(NULL AS INTEGER) AS floatmems
FROM s LEFT JOIN pages ON pages.adsh = s.adsh LEFT JOIN filing_headers h ON h.accession_number = s.adsh
LEFT JOIN parties p ON p.accession_number = s.adsh AND p.cik = s.cik AND p.role IN ('filer', 'issuer', 'subject_company')
QUALIFY row_number() OVER (PARTITION BY s.adsh ORDER BY p.position) = 1`;

const NUM = `SELECT ${FACT_COLUMNS}, f.unit AS uom, ${SEGMENTS} AS segments, ${COREG} AS coreg, f.value_number AS value, ${FOOTNOTE} AS footnote,
  0 AS iprx, ${NOTES_COLUMNS}, CASE f.decimals WHEN 'INF' THEN 32767 ELSE TRY_CAST(f.decimals AS INTEGER) END AS dcml
${FACTS} WHERE f.unit IS NOT NULL
QUALIFY row_number() OVER (
  PARTITION BY f.accession_number, f.entity_cik, f.concept, ${monthEnd('f.period_end')}, ${QTRS}, f.unit, f.dimensions, ${UNDATED}
  ORDER BY f.value_number IS NULL, ${EXACTNESS} DESC NULLS LAST, abs(f.period_end - ${monthEnd('f.period_end')}),
    abs((f.period_end - f.period_start + 1) / 91.3 - ${QTRS}), f.file, f.position
) = 1`;

const TXT = `SELECT ${FACT_COLUMNS}, CAST(row_number() OVER (
    PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.dimensions, f.language, ${UNDATED} ORDER BY f.file, f.position
  ) - 1 AS INTEGER) AS iprx, f.language AS lang, ${SEGMENTS} AS segments, ${COREG} AS coreg,
  CASE WHEN f.is_text_block THEN 1 ELSE 0 END AS escaped, length(f.value) AS txtlen, f.end_index - f.start_index AS srclen, ${FOOTNOTE} AS footnote, ${NOTES_COLUMNS}, 32767 AS dcml, f.context_id AS context, f.value
${FACTS} WHERE f.unit IS NULL`;

/** Place of a role among the roles of its filing. */
const REPORT = `CAST(dense_rank() OVER (PARTITION BY f.accession_number ORDER BY f.role_definition, f.role) AS INTEGER)`;

/** The namespace of each prefix of a filing. */
const NAMESPACES = `SELECT accession_number, split_part(concept, ':', 1) AS prefix, max(concept_namespace) AS namespace FROM xbrl_facts GROUP BY ALL`;

const PRE = `WITH labels AS (
  ${LABELS}
), namespaces AS (
  ${NAMESPACES}
), roles AS (
  ${ROLES}
)
SELECT f.accession_number AS adsh, ${REPORT} AS report,
  f.line + 1 AS line, r.stmt, CAST(r.is_parenthetical AS INTEGER) AS inpth,
  ${NOTHING} AS rfile, ${tagOf('f.concept')} AS tag, ${versionOf('f.concept', "coalesce(n.namespace, '')")} AS version,
  f.preferred_label AS prole, coalesce(preferred.label, usual.label) AS plabel, CASE WHEN f.preferred_label ILIKE '%negated%' THEN 1 ELSE 0 END AS negating
FROM xbrl_presentation f JOIN roles r USING (accession_number, role)
LEFT JOIN namespaces n ON n.accession_number = f.accession_number AND n.prefix = split_part(f.concept, ':', 1)
LEFT JOIN labels preferred
  ON preferred.accession_number = f.accession_number AND preferred.concept = f.concept AND preferred.role = f.preferred_label
LEFT JOIN labels usual
  ON usual.accession_number = f.accession_number AND usual.concept = f.concept AND usual.role = 'http://www.xbrl.org/2003/role/label'`;

const ABSTRACT = '(Abstract|LineItems|RollForward|Table|Axis|Domain|Member)$';
const ROLE = 'http://www.xbrl.org/2003/role/';

/** Schemas are not read: what a tag measures follows from its facts. */
const TAG = `WITH labels AS (
  ${LABELS}
), namespaces AS (
  ${NAMESPACES}
), facts AS (
  SELECT f.accession_number, f.concept, max(f.unit) AS unit, bool_or(f.is_text_block) AS is_text_block, bool_or(f.period_start IS NULL) AS is_instant
  FROM xbrl_facts f GROUP BY ALL
), used AS (
  SELECT accession_number, concept FROM facts UNION SELECT accession_number, concept FROM xbrl_presentation
), named AS (
  SELECT ${tagOf('f.concept')} AS tag, ${versionOf('f.concept', "coalesce(n.namespace, '')")} AS version, f.accession_number,
    x.concept IS NOT NULL AS has_facts, x.unit, x.is_text_block, x.is_instant, usual.label AS tlabel, doc.label AS doc
  FROM used f
  LEFT JOIN namespaces n ON n.accession_number = f.accession_number AND n.prefix = split_part(f.concept, ':', 1)
  LEFT JOIN facts x ON x.accession_number = f.accession_number AND x.concept = f.concept
  LEFT JOIN labels usual ON usual.accession_number = f.accession_number AND usual.concept = f.concept AND usual.role = '${ROLE}label'
  LEFT JOIN labels doc ON doc.accession_number = f.accession_number AND doc.concept = f.concept AND doc.role = '${ROLE}documentation'
)
SELECT tag, version, CAST(bool_or(version = accession_number) AS INTEGER) AS custom,
  CAST(NOT bool_or(has_facts) AND regexp_matches(tag, '${ABSTRACT}') AS INTEGER) AS abstract,
  CASE WHEN bool_or(is_text_block) THEN 'textBlock' WHEN max(unit) = 'shares' THEN 'shares' WHEN max(unit) = 'pure' THEN 'pure'
    WHEN max(unit) LIKE '%/shares' THEN 'perShare' WHEN regexp_matches(max(unit), '^[A-Z]{3}$') THEN 'monetary' END AS datatype,
  CASE WHEN bool_or(has_facts) THEN CASE WHEN bool_or(is_instant) THEN 'I' ELSE 'D' END END AS iord, ${NOTHING} AS crdr,
  min(tlabel) AS tlabel, min(doc) AS doc
FROM named GROUP BY tag, version`;

const DIM = `WITH f AS (SELECT DISTINCT dimensions FROM xbrl_facts WHERE dimensions <> '{}'), named AS (SELECT ${SEGMENTS} AS segments FROM f)
SELECT DISTINCT ${DIMENSION_HASH} AS dimhash, segments, 0 AS segt FROM named
UNION SELECT '0x00000000', NULL, 0 FROM xbrl_facts`;

const SHORT_NAME = `regexp_replace(f.role_definition, '^.*? - +(Statement|Document|Disclosure|Schedule)[^-]* - +', '', 'i')`;

const KINDS = {
  ' - Document - ': 'C',
  ' - Statement - ': 'S',
  '(Detail': 'D',
  '(Table': 'T',
  '(Polic': 'P',
  ' - Disclosure - ': 'N',
};
/** The kind of a page by its name: cover, statement, details, tables, policies, note, other. */
const MENU = `CASE ${Object.entries(KINDS)
  .map(([words, kind]) => `WHEN f.role_definition ILIKE '%${words}%' THEN '${kind}'`)
  .join(' ')} ELSE 'O' END`;

const REN = `WITH f AS (SELECT DISTINCT accession_number, role, role_definition FROM xbrl_presentation)
SELECT f.accession_number AS adsh, ${REPORT} AS report, ${NOTHING} AS rfile,
  ${MENU} AS menucat,
  ${SHORT_NAME} AS shortname, f.role_definition AS longname, f.role AS roleuri,
  ${NOTHING} AS parentroleuri, CAST(NULL AS INTEGER) AS parentreport, CAST(NULL AS INTEGER) AS ultparentrpt
FROM f`;

const COVER_TABLES = [
  'xbrl_facts',
  'filings',
  'filing_headers',
  'parties',
  'party_addresses',
  'party_former_names',
  'xbrl_presentation',
];

export const FINANCIAL_VIEWS: readonly FormView[] = [
  {
    name: 'sub',
    meaning: "Filings with XBRL, in the names of SEC's Financial Statement Data Sets",
    tables: COVER_TABLES,
    sql: SUB,
  },
  {
    name: 'num',
    meaning:
      'Numbers of XBRL. ddate is the nearest end of a month, qtrs counts quarters; both are null if a fact has no end. Of facts that fall together: the most exact, then the nearest to both. coreg of another registrant is its CIK',
    tables: ['xbrl_facts', 'xbrl_footnotes', 'filings'],
    sql: NUM,
  },
  {
    name: 'pre',
    meaning:
      'Lines of statements and notes with their labels; stmt follows from the name of the statement, or from its root element if the schema is not at hand',
    tables: ['xbrl_presentation', 'xbrl_labels', 'xbrl_facts'],
    sql: PRE,
  },
  {
    name: 'txt',
    meaning: 'Texts of XBRL, whole and as filed',
    tables: ['xbrl_facts', 'xbrl_footnotes', 'filings'],
    sql: TXT,
  },
  {
    name: 'tag',
    meaning: 'Tags by name and version, with the labels of a filing; what a tag measures follows from its facts',
    tables: ['xbrl_facts', 'xbrl_presentation', 'xbrl_labels'],
    sql: TAG,
  },
  {
    name: 'dim',
    meaning: 'Combinations of dimensions; dimhash joins dimh of num and txt',
    tables: ['xbrl_facts'],
    sql: DIM,
  },
  {
    name: 'ren',
    meaning: 'Statements and notes of filings by their names; report joins report of pre',
    tables: ['xbrl_presentation'],
    sql: REN,
  },
];
