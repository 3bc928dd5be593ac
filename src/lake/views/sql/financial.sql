-- Filings with XBRL, in the names of SEC's Financial Statement Data Sets
-- The newest fact of the cover page counts.
-- reads: xbrl_facts, filings, filing_headers, parties, party_addresses, party_former_names, xbrl_presentation
CREATE OR REPLACE TEMP VIEW sub AS
WITH pages AS (
  SELECT accession_number AS adsh, CAST(max(CASE WHEN role_definition ILIKE '%(Detail%' THEN 1 ELSE 0 END) AS INTEGER) AS detail
  FROM xbrl_presentation GROUP BY ALL
), covers AS (
  SELECT f.accession_number AS adsh, coalesce(min(f.file) FILTER (WHERE f.concept = 'dei:DocumentType'), min(f.file)) AS instance,
      TRY_CAST(max(f.value) FILTER (WHERE f.concept = 'dei:DocumentPeriodEndDate' AND f.dimensions = '{}') AS DATE) AS period,
    TRY_CAST(max(f.value) FILTER (WHERE f.concept = 'dei:DocumentFiscalYearFocus' AND f.dimensions = '{}') AS INTEGER) AS fy,
        max(f.value) FILTER (WHERE f.concept = 'dei:DocumentFiscalPeriodFocus' AND f.dimensions = '{}') AS fp,
    replace(max(f.value) FILTER (WHERE f.concept = 'dei:CurrentFiscalYearEndDate' AND f.dimensions = '{}'), '-', '') AS fye,
        max(f.value) FILTER (WHERE f.concept = 'dei:EntityFilerCategory' AND f.dimensions = '{}') AS category,
    max(f.value) FILTER (WHERE f.concept = 'dei:EntityWellKnownSeasonedIssuer' AND f.dimensions = '{}') AS wksi, count(DISTINCT f.entity_cik)
        AS nciks,
    list(DISTINCT f.entity_cik) AS ciks, max({amount: f.value_number, day: f.period_end})
      FILTER (WHERE f.concept = 'dei:EntityPublicFloat' AND f.dimensions = '{}' AND f.value_number IS NOT NULL) AS public_float
  FROM xbrl_facts f GROUP BY f.accession_number
), s AS (
  SELECT c.*, g.cik, g.entity_name, g.form_type, g.filing_date, g.acceptance_datetime, g.report_date
  FROM covers c LEFT JOIN filings g ON g.accession_number = c.adsh
)
SELECT s.adsh, TRY_CAST(s.cik AS INTEGER) AS cik, coalesce(p.name, s.entity_name) AS name, TRY_CAST(p.sic AS INTEGER) AS sic,
  (SELECT c.country FROM places c WHERE c.code = b.state) AS countryba, b.state AS stprba, b.city AS cityba, b.zip AS zipba,
  b.street1 AS bas1, b.street2 AS bas2, CAST(NULL AS VARCHAR) AS baph,
  (SELECT c.country FROM places c WHERE c.code = m.state) AS countryma, m.state AS stprma, m.city AS cityma, m.zip AS zipma,
  m.street1 AS mas1, m.street2 AS mas2,
  (SELECT c.country FROM places c WHERE c.code = p.state_of_incorporation) AS countryinc, p.state_of_incorporation AS stprinc, p.irs_number AS ein,
  (SELECT max_by(o.name, o.date_of_change) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position) AS former,
  (SELECT max(strftime(o.date_of_change, '%Y%m%d')) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position)
      AS changed,
  CASE lower(s.category) WHEN 'large accelerated filer' THEN '1-LAF' WHEN 'accelerated filer' THEN '2-ACC'
    WHEN 'smaller reporting accelerated filer' THEN '3-SRA' WHEN 'non-accelerated filer' THEN '4-NON'
    WHEN 'smaller reporting company' THEN '5-SML' END AS afs,
  CASE lower(s.wksi) WHEN 'yes' THEN 1 WHEN 'true' THEN 1 WHEN 'no' THEN 0 WHEN 'false' THEN 0 END AS wksi,
  coalesce(right(s.fye, 4), p.fiscal_year_end) AS fye, s.form_type AS form,
  day_number(month_end(coalesce(s.period, s.report_date))) AS period,
  coalesce(s.fy, h.header_fiscal_year) AS fy, coalesce(s.fp, h.header_fiscal_period) AS fp,
  day_number(s.filing_date) AS filed, strftime(s.acceptance_datetime, '%Y-%m-%d %H:%M:%S.0') AS accepted,
  CASE WHEN EXISTS (SELECT 1 FROM filings a WHERE a.cik = s.cik AND a.form_type = s.form_type || '/A' AND a.report_date = s.report_date
    AND a.filing_date >= s.filing_date) THEN 1 ELSE 0 END AS prevrpt, pages.detail, s.instance, s.nciks,
  nullif(array_to_string(list_sort(list_filter(s.ciks, lambda each: each IS DISTINCT FROM s.cik)), ' '), '') AS aciks,
  s.public_float.amount AS pubfloatusd, day_number(s.public_float.day) AS floatdate, CAST(NULL AS VARCHAR) AS floataxis,
      CAST(NULL AS INTEGER) AS floatmems
FROM s LEFT JOIN pages ON pages.adsh = s.adsh LEFT JOIN filing_headers h ON h.accession_number = s.adsh
LEFT JOIN parties p ON p.accession_number = s.adsh AND p.cik = s.cik AND p.role IN ('filer', 'issuer', 'subject_company')
LEFT JOIN party_addresses b ON b.accession_number = s.adsh AND b.position = p.position AND b.kind = 'business'
LEFT JOIN party_addresses m ON m.accession_number = s.adsh AND m.position = p.position AND m.kind = 'mailing'
QUALIFY row_number() OVER (PARTITION BY s.adsh ORDER BY p.position) = 1;

-- Numbers of XBRL. ddate is the nearest end of a month, qtrs counts quarters; both are null if a fact has no end. Of facts that fall together: the most exact, then the nearest to both. coreg of another registrant is its CIK
-- Facts of another registrant than the filer name it by its CIK. datp and durp: how far ddate and qtrs are from the fact, as fractions. Without
-- an end, only facts of one context are about the same.
-- reads: xbrl_facts, xbrl_footnotes, filings
CREATE OR REPLACE TEMP VIEW num AS
SELECT f.accession_number AS adsh, local_name(f.concept) AS tag,
  tag_version(f.concept, f.concept_namespace, f.accession_number) AS version,
  day_number(month_end(f.period_end)) AS ddate, quarters(f.period_start, f.period_end) AS qtrs, f.unit AS uom,
  segments_of(f.dimensions) AS segments, CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN legal_entity(f.dimensions)
    WHEN f.entity_cik <> g.cik AND min(f.entity_cik) OVER (PARTITION BY f.accession_number) <> max(f.entity_cik)
      OVER (PARTITION BY f.accession_number) THEN f.entity_cik END AS coreg,
  f.value_number AS value,
  CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END AS footnote,
  0 AS iprx,
  CAST(coalesce(length(CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END), 0) AS INTEGER) AS footlen, segments_hash(segments) AS dimh,
  CAST(CASE WHEN segments IS NULL THEN 0 ELSE len(json_keys(f.dimensions)) - CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN 1 ELSE 0 END END
    AS INTEGER) AS dimn,
  CASE WHEN f.period_start IS NULL THEN 0 ELSE (f.period_end - f.period_start + 1) / 91.3 - qtrs END AS durp,
  (f.period_end - month_end(f.period_end)) / 31.0 AS datp,
  CASE f.decimals WHEN 'INF' THEN 32767 ELSE TRY_CAST(f.decimals AS INTEGER) END AS dcml
FROM xbrl_facts f LEFT JOIN filings g ON g.accession_number = f.accession_number
WHERE f.unit IS NOT NULL
QUALIFY row_number() OVER (
  PARTITION BY f.accession_number, f.entity_cik, f.concept, month_end(f.period_end), quarters(f.period_start, f.period_end), f.unit, f.dimensions,
    CASE WHEN f.period_end IS NULL THEN f.file || ' ' || f.context_id END
  ORDER BY f.value_number IS NULL, exactness(f.decimals) DESC NULLS LAST, abs(f.period_end - month_end(f.period_end)),
    abs((f.period_end - f.period_start + 1) / 91.3 - quarters(f.period_start, f.period_end)), f.file, f.position
) = 1;

-- Lines of statements and notes with their labels; stmt follows from the name of the statement, or from its root element if the schema is not at hand
-- reads: xbrl_presentation, xbrl_labels, xbrl_facts
CREATE OR REPLACE TEMP VIEW pre AS
WITH labels AS (
  SELECT accession_number, concept, role,
    arg_min(label, (CASE WHEN lower(language) = 'en-us' THEN 0 WHEN language ILIKE 'en%' OR language IS NULL THEN 1 ELSE 2 END, label)) AS label
  FROM xbrl_labels GROUP BY ALL
), namespaces AS (
  SELECT accession_number, split_part(concept, ':', 1) AS prefix, max(concept_namespace) AS namespace FROM xbrl_facts GROUP BY ALL
), roles AS (
  SELECT accession_number, role, statement_kind(any_value(role_definition), any_value(role), arg_min(parent, line) FILTER (WHERE depth = 0)) AS stmt,
    regexp_matches(coalesce(any_value(role_definition), role), 'PARENTHETICAL', 'i') AS is_parenthetical,
    list_distinct(list(concept) || list(parent)) AS elements, list(DISTINCT parent) AS parents
  FROM xbrl_presentation GROUP BY accession_number, role
)
SELECT f.accession_number AS adsh, CAST(dense_rank() OVER (PARTITION BY f.accession_number ORDER BY f.role_definition, f.role) AS INTEGER) AS report,
  f.line + 1 AS line, r.stmt, CAST(r.is_parenthetical AS INTEGER) AS inpth,
  CAST(NULL AS VARCHAR) AS rfile, local_name(f.concept) AS tag, tag_version(f.concept, n.namespace, f.accession_number) AS version,
  f.preferred_label AS prole, coalesce(preferred.label, usual.label) AS plabel, CASE WHEN f.preferred_label ILIKE '%negated%' THEN 1 ELSE 0 END
      AS negating
FROM xbrl_presentation f JOIN roles r USING (accession_number, role)
LEFT JOIN namespaces n ON n.accession_number = f.accession_number AND n.prefix = split_part(f.concept, ':', 1)
LEFT JOIN labels preferred
  ON preferred.accession_number = f.accession_number AND preferred.concept = f.concept AND preferred.role = f.preferred_label
LEFT JOIN labels usual
  ON usual.accession_number = f.accession_number AND usual.concept = f.concept AND usual.role = 'http://www.xbrl.org/2003/role/label';

-- Texts of XBRL, whole and as filed
-- reads: xbrl_facts, xbrl_footnotes, filings
CREATE OR REPLACE TEMP VIEW txt AS
SELECT f.accession_number AS adsh, local_name(f.concept) AS tag,
  tag_version(f.concept, f.concept_namespace, f.accession_number) AS version,
  day_number(month_end(f.period_end)) AS ddate, quarters(f.period_start, f.period_end) AS qtrs,
  CAST(row_number() OVER (
    PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.dimensions, f.language,
      CASE WHEN f.period_end IS NULL THEN f.file || ' ' || f.context_id END ORDER BY f.file, f.position
  ) - 1 AS INTEGER) AS iprx, f.language AS lang,
  segments_of(f.dimensions) AS segments, CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN legal_entity(f.dimensions)
    WHEN f.entity_cik <> g.cik AND min(f.entity_cik) OVER (PARTITION BY f.accession_number) <> max(f.entity_cik)
      OVER (PARTITION BY f.accession_number) THEN f.entity_cik END AS coreg,
  CASE WHEN f.is_text_block THEN 1 ELSE 0 END AS escaped, length(f.value) AS txtlen, f.end_index - f.start_index AS srclen,
  CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END AS footnote,
  CAST(coalesce(length(CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END), 0) AS INTEGER) AS footlen, segments_hash(segments) AS dimh,
  CAST(CASE WHEN segments IS NULL THEN 0 ELSE len(json_keys(f.dimensions)) - CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN 1 ELSE 0 END END
    AS INTEGER) AS dimn,
  CASE WHEN f.period_start IS NULL THEN 0 ELSE (f.period_end - f.period_start + 1) / 91.3 - qtrs END AS durp,
  (f.period_end - month_end(f.period_end)) / 31.0 AS datp,
  32767 AS dcml, f.context_id AS context, f.value
FROM xbrl_facts f LEFT JOIN filings g ON g.accession_number = f.accession_number
WHERE f.unit IS NULL;

-- Tags by name and version, with the labels of a filing; what a standard tag measures follows from its facts, what a company's own one from its schema
-- crdr is known of a company's own tags: standard taxonomies are in no filing. A tag that is only an axis, a member or a heading has no datatype.
-- reads: xbrl_facts, xbrl_presentation, xbrl_labels, xbrl_concepts
CREATE OR REPLACE TEMP VIEW tag AS
WITH labels AS (
  SELECT accession_number, concept, role,
    arg_min(label, (CASE WHEN lower(language) = 'en-us' THEN 0 WHEN language ILIKE 'en%' OR language IS NULL THEN 1 ELSE 2 END, label)) AS label
  FROM xbrl_labels GROUP BY ALL
), namespaces AS (
  SELECT accession_number, split_part(concept, ':', 1) AS prefix, max(concept_namespace) AS namespace FROM xbrl_facts GROUP BY ALL
), facts AS (
  SELECT f.accession_number, f.concept, max(f.unit) AS unit, bool_or(f.is_text_block) AS is_text_block, bool_or(f.period_start IS NULL) AS is_instant
  FROM xbrl_facts f GROUP BY ALL
), used AS (
  SELECT accession_number, concept FROM facts UNION SELECT accession_number, concept FROM xbrl_presentation
), named AS (
  SELECT local_name(f.concept) AS tag, tag_version(f.concept, n.namespace, f.accession_number) AS version,
        f.accession_number,
    x.concept IS NOT NULL AS has_facts, x.unit, x.is_text_block, x.is_instant, usual.label AS tlabel, doc.label AS doc,
    s.is_abstract, s.period_type, s.balance, regexp_replace(local_name(s.type), 'ItemType$', '') AS type
  FROM used f
  LEFT JOIN namespaces n ON n.accession_number = f.accession_number AND n.prefix = split_part(f.concept, ':', 1)
  LEFT JOIN facts x ON x.accession_number = f.accession_number AND x.concept = f.concept
  LEFT JOIN xbrl_concepts s ON s.accession_number = f.accession_number AND s.concept = f.concept
  LEFT JOIN labels usual ON usual.accession_number = f.accession_number AND usual.concept = f.concept
      AND usual.role = 'http://www.xbrl.org/2003/role/label'
  LEFT JOIN labels doc ON doc.accession_number = f.accession_number AND doc.concept = f.concept
      AND doc.role = 'http://www.xbrl.org/2003/role/documentation'
)
SELECT tag, version, CAST(bool_or(version = accession_number) AS INTEGER) AS custom,
  CAST(coalesce(bool_or(is_abstract), NOT bool_or(has_facts) AND regexp_matches(tag, '(Abstract|LineItems|RollForward|Table|Axis|Domain|Member)$'))
      AS INTEGER) AS abstract,
  CASE WHEN bool_or(is_abstract) THEN NULL WHEN max(type) IS NOT NULL THEN max(type) WHEN bool_or(is_text_block) THEN 'textBlock' WHEN max(unit) = 'shares' THEN 'shares' WHEN max(unit) = 'pure' THEN 'pure'
    WHEN max(unit) LIKE '%/shares' THEN 'perShare' WHEN regexp_matches(max(unit), '^[A-Z]{3}$') THEN 'monetary' END AS datatype,
  CASE WHEN bool_or(is_abstract) THEN NULL WHEN max(period_type) IS NOT NULL THEN CASE max(period_type) WHEN 'instant' THEN 'I' ELSE 'D' END
    WHEN bool_or(has_facts) THEN CASE WHEN bool_or(is_instant) THEN 'I' ELSE 'D' END END AS iord,
  CASE max(balance) WHEN 'credit' THEN 'C' WHEN 'debit' THEN 'D' END AS crdr,
  min(tlabel) AS tlabel, min(doc) AS doc
FROM named GROUP BY tag, version;

-- Which tags add up to which, by statement and note; negative is 1 for a part that is taken off
-- reads: xbrl_calculation, xbrl_facts
CREATE OR REPLACE TEMP VIEW cal AS
WITH namespaces AS (
  SELECT accession_number, split_part(concept, ':', 1) AS prefix, max(concept_namespace) AS namespace FROM xbrl_facts GROUP BY ALL
), arcs AS (
  SELECT c.accession_number AS adsh, CAST(dense_rank() OVER (PARTITION BY c.accession_number ORDER BY c.role) AS INTEGER) AS grp,
    CAST(row_number() OVER (PARTITION BY c.accession_number, c.role ORDER BY c.file, c.position) AS INTEGER) AS arc, c.weight, c.parent, c.concept
  FROM xbrl_calculation c
)
SELECT a.adsh, a.grp, a.arc, CAST(a.weight < 0 AS INTEGER) AS negative, local_name(a.parent) AS ptag, tag_version(a.parent, p.namespace, a.adsh) AS pversion,
  local_name(a.concept) AS ctag, tag_version(a.concept, n.namespace, a.adsh) AS cversion
FROM arcs a LEFT JOIN namespaces p ON p.accession_number = a.adsh AND p.prefix = split_part(a.parent, ':', 1)
LEFT JOIN namespaces n ON n.accession_number = a.adsh AND n.prefix = split_part(a.concept, ':', 1);

-- Combinations of dimensions; dimhash joins dimh of num and txt
-- reads: xbrl_facts
CREATE OR REPLACE TEMP VIEW dim AS
WITH f AS (SELECT DISTINCT dimensions FROM xbrl_facts WHERE dimensions <> '{}'), named AS (SELECT segments_of(f.dimensions) AS segments FROM f)
SELECT DISTINCT segments_hash(segments) AS dimhash, segments, 0 AS segt FROM named
UNION SELECT '0x00000000', NULL, 0 FROM xbrl_facts;

-- Statements and notes of filings by their names; report joins report of pre
-- menucat: cover, statement, details, tables, policies, note, other, by the name of the page.
-- reads: xbrl_presentation
CREATE OR REPLACE TEMP VIEW ren AS
WITH f AS (SELECT DISTINCT accession_number, role, role_definition FROM xbrl_presentation)
SELECT f.accession_number AS adsh, CAST(dense_rank() OVER (PARTITION BY f.accession_number ORDER BY f.role_definition, f.role) AS INTEGER) AS report,
    CAST(NULL AS VARCHAR) AS rfile,
  CASE WHEN f.role_definition ILIKE '% - Document - %' THEN 'C' WHEN f.role_definition ILIKE '% - Statement - %' THEN 'S'
      WHEN f.role_definition ILIKE '%(Detail%' THEN 'D' WHEN f.role_definition ILIKE '%(Table%' THEN 'T' WHEN f.role_definition ILIKE '%(Polic%'
      THEN 'P' WHEN f.role_definition ILIKE '% - Disclosure - %' THEN 'N' ELSE 'O' END AS menucat,
  regexp_replace(f.role_definition, '^.*? - +(Statement|Document|Disclosure|Schedule)[^-]* - +', '', 'i') AS shortname, f.role_definition
      AS longname, f.role AS roleuri,
  CAST(NULL AS VARCHAR) AS parentroleuri, CAST(NULL AS INTEGER) AS parentreport, CAST(NULL AS INTEGER) AS ultparentrpt
FROM f;
