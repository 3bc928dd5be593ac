-- Filings with XBRL, in the names of SEC's Financial Statement Data Sets
-- countries: ISO codes of EDGAR's codes of states. The newest fact of the cover page counts.
-- reads: xbrl_facts, filings, filing_headers, parties, party_addresses, party_former_names, xbrl_presentation
CREATE OR REPLACE TEMP VIEW sub AS
WITH countries(code, country) AS (VALUES ('AL', 'US'), ('AK', 'US'), ('AZ', 'US'), ('AR', 'US'), ('CA', 'US'), ('CO', 'US'), ('CT', 'US'), ('DE',
    'US'), ('DC', 'US'), ('FL', 'US'), ('GA', 'US'), ('HI', 'US'), ('ID', 'US'), ('IL', 'US'), ('IN', 'US'), ('IA', 'US'), ('KS', 'US'), ('KY',
    'US'), ('LA', 'US'), ('ME', 'US'), ('MD', 'US'), ('MA', 'US'), ('MI', 'US'), ('MN', 'US'), ('MS', 'US'), ('MO', 'US'), ('MT', 'US'), ('NE',
    'US'), ('NV', 'US'), ('NH', 'US'), ('NJ', 'US'), ('NM', 'US'), ('NY', 'US'), ('NC', 'US'), ('ND', 'US'), ('OH', 'US'), ('OK', 'US'), ('OR',
    'US'), ('PA', 'US'), ('RI', 'US'), ('SC', 'US'), ('SD', 'US'), ('TN', 'US'), ('TX', 'US'), ('UT', 'US'), ('VT', 'US'), ('VA', 'US'), ('WA',
    'US'), ('WV', 'US'), ('WI', 'US'), ('WY', 'US'), ('GU', 'GU'), ('PR', 'PR'), ('VI', 'VI'), ('X1', 'US'), ('A0', 'CA'), ('A1', 'CA'), ('A2',
    'CA'), ('A3', 'CA'), ('A4', 'CA'), ('A5', 'CA'), ('A6', 'CA'), ('A7', 'CA'), ('A8', 'CA'), ('A9', 'CA'), ('B0', 'CA'), ('Z4', 'CA'), ('B2',
    'AF'), ('Y6', 'AX'), ('B3', 'AL'), ('B4', 'DZ'), ('B5', 'AS'), ('B6', 'AD'), ('B7', 'AO'), ('1A', 'AI'), ('B8', 'AQ'), ('B9', 'AG'), ('C1',
    'AR'), ('1B', 'AM'), ('1C', 'AW'), ('C3', 'AU'), ('C4', 'AT'), ('1D', 'AZ'), ('C5', 'BS'), ('C6', 'BH'), ('C7', 'BD'), ('C8', 'BB'), ('1F',
    'BY'), ('C9', 'BE'), ('D1', 'BZ'), ('G6', 'BJ'), ('D0', 'BM'), ('D2', 'BT'), ('D3', 'BO'), ('1E', 'BA'), ('B1', 'BW'), ('D4', 'BV'), ('D5',
    'BR'), ('D6', 'IO'), ('D9', 'BN'), ('E0', 'BG'), ('X2', 'BF'), ('E2', 'BI'), ('E3', 'KH'), ('E4', 'CM'), ('E8', 'CV'), ('E9', 'KY'), ('F0',
    'CF'), ('F2', 'TD'), ('F3', 'CL'), ('F4', 'CN'), ('F6', 'CX'), ('F7', 'CC'), ('F8', 'CO'), ('F9', 'KM'), ('G0', 'CG'), ('Y3', 'CD'), ('G1',
    'CK'), ('G2', 'CR'), ('L7', 'CI'), ('1M', 'HR'), ('G3', 'CU'), ('G4', 'CY'), ('2N', 'CZ'), ('G7', 'DK'), ('1G', 'DJ'), ('G9', 'DM'), ('G8',
    'DO'), ('H1', 'EC'), ('H2', 'EG'), ('H3', 'SV'), ('H4', 'GQ'), ('1J', 'ER'), ('1H', 'EE'), ('H5', 'ET'), ('H7', 'FK'), ('H6', 'FO'), ('H8',
    'FJ'), ('H9', 'FI'), ('I0', 'FR'), ('I3', 'GF'), ('I4', 'PF'), ('2C', 'TF'), ('I5', 'GA'), ('I6', 'GM'), ('2Q', 'GE'), ('2M', 'DE'), ('J0',
    'GH'), ('J1', 'GI'), ('J3', 'GR'), ('J4', 'GL'), ('J5', 'GD'), ('J6', 'GP'), ('J8', 'GT'), ('Y7', 'GG'), ('J9', 'GN'), ('S0', 'GW'), ('K0',
    'GY'), ('K1', 'HT'), ('K4', 'HM'), ('X4', 'VA'), ('K2', 'HN'), ('K3', 'HK'), ('K5', 'HU'), ('K6', 'IS'), ('K7', 'IN'), ('K8', 'ID'), ('K9',
    'IR'), ('L0', 'IQ'), ('L2', 'IE'), ('Y8', 'IM'), ('L3', 'IL'), ('L6', 'IT'), ('L8', 'JM'), ('M0', 'JP'), ('Y9', 'JE'), ('M2', 'JO'), ('1P',
    'KZ'), ('M3', 'KE'), ('J2', 'KI'), ('M4', 'KP'), ('M5', 'KR'), ('M6', 'KW'), ('1N', 'KG'), ('M7', 'LA'), ('1R', 'LV'), ('M8', 'LB'), ('M9',
    'LS'), ('N0', 'LR'), ('N1', 'LY'), ('N2', 'LI'), ('1Q', 'LT'), ('N4', 'LU'), ('N5', 'MO'), ('1U', 'MK'), ('N6', 'MG'), ('N7', 'MW'), ('N8',
    'MY'), ('N9', 'MV'), ('O0', 'ML'), ('O1', 'MT'), ('1T', 'MH'), ('O2', 'MQ'), ('O3', 'MR'), ('O4', 'MU'), ('2P', 'YT'), ('O5', 'MX'), ('1K',
    'FM'), ('1S', 'MD'), ('O9', 'MC'), ('P0', 'MN'), ('Z5', 'ME'), ('P1', 'MS'), ('P2', 'MA'), ('P3', 'MZ'), ('E1', 'MM'), ('T6', 'NA'), ('P5',
    'NR'), ('P6', 'NP'), ('P7', 'NL'), ('P8', 'AN'), ('1W', 'NC'), ('Q2', 'NZ'), ('Q3', 'NI'), ('Q4', 'NE'), ('Q5', 'NG'), ('Q6', 'NU'), ('Q7',
    'NF'), ('1V', 'MP'), ('Q8', 'NO'), ('P4', 'OM'), ('R0', 'PK'), ('1Y', 'PW'), ('1X', 'PS'), ('R1', 'PA'), ('R2', 'PG'), ('R4', 'PY'), ('R5',
    'PE'), ('R6', 'PH'), ('R8', 'PN'), ('R9', 'PL'), ('S1', 'PT'), ('S3', 'QA'), ('S4', 'RE'), ('S5', 'RO'), ('1Z', 'RU'), ('S6', 'RW'), ('Z0',
    'BL'), ('U8', 'SH'), ('U7', 'KN'), ('U9', 'LC'), ('Z1', 'MF'), ('V0', 'PM'), ('V1', 'VC'), ('Y0', 'WS'), ('S8', 'SM'), ('S9', 'ST'), ('T0',
    'SA'), ('T1', 'SN'), ('Z2', 'RS'), ('T2', 'SC'), ('T8', 'SL'), ('U0', 'SG'), ('2B', 'SK'), ('2A', 'SI'), ('D7', 'SB'), ('U1', 'SO'), ('T3',
    'ZA'), ('1L', 'GS'), ('U3', 'ES'), ('F1', 'LK'), ('V2', 'SD'), ('V3', 'SR'), ('L9', 'SJ'), ('V6', 'SZ'), ('V7', 'SE'), ('V8', 'CH'), ('V9',
    'SY'), ('F5', 'TW'), ('2D', 'TJ'), ('W0', 'TZ'), ('W1', 'TH'), ('Z3', 'TL'), ('W2', 'TG'), ('W3', 'TK'), ('W4', 'TO'), ('W5', 'TT'), ('W6',
    'TN'), ('W8', 'TR'), ('2E', 'TM'), ('W7', 'TC'), ('2G', 'TV'), ('W9', 'UG'), ('2H', 'UA'), ('C0', 'AE'), ('X0', 'GB'), ('2J', 'UM'), ('X3',
    'UY'), ('2K', 'UZ'), ('2L', 'VU'), ('X5', 'VE'), ('Q1', 'VN'), ('D8', 'VG'), ('X8', 'WF'), ('U5', 'EH'), ('T7', 'YE'), ('Y4', 'ZM'), ('Y5', 'ZW')
), pages AS (
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
  (SELECT c.country FROM countries c WHERE c.code = (SELECT a.state FROM party_addresses a WHERE a.accession_number = s.adsh
      AND a.position = p.position AND a.kind = 'business')) AS countryba, (SELECT a.state FROM party_addresses a WHERE a.accession_number = s.adsh
      AND a.position = p.position AND a.kind = 'business') AS stprba, (SELECT a.city FROM party_addresses a WHERE a.accession_number = s.adsh
      AND a.position = p.position AND a.kind = 'business') AS cityba, (SELECT a.zip FROM party_addresses a WHERE a.accession_number = s.adsh
      AND a.position = p.position AND a.kind = 'business') AS zipba,
  (SELECT a.street1 FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'business') AS bas1,
      (SELECT a.street2 FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'business') AS bas2,
  CAST(NULL AS VARCHAR) AS baph, (SELECT c.country FROM countries c WHERE c.code = (SELECT a.state FROM party_addresses a
      WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing')) AS countryma,
  (SELECT a.state FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing') AS stprma,
      (SELECT a.city FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing') AS cityma,
      (SELECT a.zip FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing') AS zipma,
  (SELECT a.street1 FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing') AS mas1,
      (SELECT a.street2 FROM party_addresses a WHERE a.accession_number = s.adsh AND a.position = p.position AND a.kind = 'mailing') AS mas2,
  (SELECT c.country FROM countries c WHERE c.code = p.state_of_incorporation) AS countryinc, p.state_of_incorporation AS stprinc, p.irs_number AS ein,
  (SELECT max_by(o.name, o.date_of_change) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position) AS former,
  (SELECT max(strftime(o.date_of_change, '%Y%m%d')) FROM party_former_names o WHERE o.accession_number = s.adsh AND o.position = p.position)
      AS changed,
  CASE lower(s.category) WHEN 'large accelerated filer' THEN '1-LAF' WHEN 'accelerated filer' THEN '2-ACC'
    WHEN 'smaller reporting accelerated filer' THEN '3-SRA' WHEN 'non-accelerated filer' THEN '4-NON'
    WHEN 'smaller reporting company' THEN '5-SML' END AS afs,
  CASE lower(s.wksi) WHEN 'yes' THEN 1 WHEN 'true' THEN 1 WHEN 'no' THEN 0 WHEN 'false' THEN 0 END AS wksi,
  coalesce(right(s.fye, 4), p.fiscal_year_end) AS fye, s.form_type AS form, CAST(strftime(CASE WHEN day(coalesce(s.period,
      s.report_date)) < day(last_day(coalesce(s.period, s.report_date))) - day(coalesce(s.period, s.report_date)) THEN date_trunc('month',
      coalesce(s.period, s.report_date))::DATE - 1 ELSE last_day(coalesce(s.period, s.report_date)) END, '%Y%m%d') AS INTEGER) AS period,
  coalesce(s.fy, h.fiscal_year) AS fy, coalesce(s.fp, h.fiscal_period) AS fp,
  CAST(strftime(s.filing_date, '%Y%m%d') AS INTEGER) AS filed, strftime(s.acceptance_datetime, '%Y-%m-%d %H:%M:%S.0') AS accepted,
  CASE WHEN EXISTS (SELECT 1 FROM filings a WHERE a.cik = s.cik AND a.form_type = s.form_type || '/A' AND a.report_date = s.report_date
    AND a.filing_date >= s.filing_date) THEN 1 ELSE 0 END AS prevrpt, pages.detail, s.instance, s.nciks,
  nullif(array_to_string(list_sort(list_filter(s.ciks, lambda each: each IS DISTINCT FROM s.cik)), ' '), '') AS aciks,
  s.public_float.amount AS pubfloatusd, CAST(strftime(s.public_float.day, '%Y%m%d') AS INTEGER) AS floatdate, CAST(NULL AS VARCHAR) AS floataxis,
      CAST(NULL AS INTEGER) AS floatmems
FROM s LEFT JOIN pages ON pages.adsh = s.adsh LEFT JOIN filing_headers h ON h.accession_number = s.adsh
LEFT JOIN parties p ON p.accession_number = s.adsh AND p.cik = s.cik AND p.role IN ('filer', 'issuer', 'subject_company')
QUALIFY row_number() OVER (PARTITION BY s.adsh ORDER BY p.position) = 1;

-- Numbers of XBRL. ddate is the nearest end of a month, qtrs counts quarters; both are null if a fact has no end. Of facts that fall together: the most exact, then the nearest to both. coreg of another registrant is its CIK
-- ddate: the end of a month that is nearest, since fiscal periods end on a Saturday here and there. qtrs: quarters of a duration, 0 for an
-- instant, null without an end. A version is us-gaap/2024, or the accession number for a company's own concepts. segments: EquityComponents=
-- AdditionalPaidInCapital, of all axes but the legal entity, which is coreg. Facts of another registrant than the filer name it by its CIK.
-- dimh: SEC's hash of the dimensions is not published; this one is equal for equal texts. datp and durp: how far ddate and qtrs are from the
-- fact, as fractions. Without an end, only facts of one context are about the same.
-- reads: xbrl_facts, xbrl_footnotes, filings
CREATE OR REPLACE TEMP VIEW num AS
SELECT f.accession_number AS adsh, regexp_replace(f.concept, '^[^:]*:', '') AS tag, CASE WHEN regexp_matches(f.concept_namespace,
    '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(f.concept, ':', 1) || '/' || regexp_extract(f.concept_namespace, '(19|20)\d\d') ELSE f.accession_number END AS version,
  CAST(strftime(CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end) THEN date_trunc('month', f.period_end)::DATE - 1
      ELSE last_day(f.period_end) END, '%Y%m%d') AS INTEGER) AS ddate, CAST(CASE WHEN f.period_end IS NULL THEN NULL WHEN f.period_start IS NULL
      THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER) AS qtrs, f.unit AS uom, CASE WHEN f.dimensions <> '{}'
      THEN nullif(array_to_string(list_sort(list_transform(
    list_filter(json_keys(f.dimensions), lambda axis: axis NOT LIKE '%:LegalEntityAxis'),
    lambda axis: regexp_replace(regexp_replace(regexp_replace(axis, '^[^:]*:', ''), '(Axis|Member|Domain)$', ''), '^Statement',
        '') || '=' || coalesce(regexp_replace(regexp_replace(json_extract_string(f.dimensions, '$."' || axis || '"'), '^[^:]*:', ''),
        '(Axis|Member|Domain)$', ''), '') || ';')), ''), '') END AS segments, CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%'
        THEN regexp_replace(regexp_replace(json_extract_string(f.dimensions, '$."' || list_filter(json_keys(f.dimensions),
        lambda axis: axis LIKE '%:LegalEntityAxis')[1] || '"'), '^[^:]*:', ''), '(Axis|Member|Domain)$', '') ELSE CASE WHEN f.entity_cik <> g.cik
        AND min(f.entity_cik) OVER (PARTITION BY f.accession_number) <>
    max(f.entity_cik) OVER (PARTITION BY f.accession_number) THEN f.entity_cik END END AS coreg, f.value_number AS value, CASE
        WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END AS footnote,
  0 AS iprx, CAST(coalesce(length(CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END), 0) AS INTEGER)
        AS footlen, CASE WHEN segments IS NULL THEN '0x00000000' ELSE '0x' || md5(segments) END AS dimh,
  CAST(CASE WHEN segments IS NULL THEN 0 ELSE len(json_keys(f.dimensions)) - CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN 1 ELSE 0 END END
      AS INTEGER) AS dimn,
  CASE WHEN f.period_start IS NULL THEN 0 ELSE (f.period_end - f.period_start + 1) / 91.3 - CAST(CASE WHEN f.period_end IS NULL THEN NULL
      WHEN f.period_start IS NULL THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER) END AS durp,
  (f.period_end - CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end) THEN date_trunc('month', f.period_end)::DATE - 1
      ELSE last_day(f.period_end) END) / 31.0 AS datp, CASE f.decimals WHEN 'INF' THEN 32767 ELSE TRY_CAST(f.decimals AS INTEGER) END AS dcml
FROM xbrl_facts f LEFT JOIN filings g ON g.accession_number = f.accession_number WHERE f.unit IS NOT NULL
QUALIFY row_number() OVER (
  PARTITION BY f.accession_number, f.entity_cik, f.concept, CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end)
      THEN date_trunc('month', f.period_end)::DATE - 1 ELSE last_day(f.period_end) END, CAST(CASE WHEN f.period_end IS NULL THEN NULL
      WHEN f.period_start IS NULL THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER), f.unit, f.dimensions, CASE
      WHEN f.period_end IS NULL THEN f.file || ' ' || f.context_id END
  ORDER BY f.value_number IS NULL, CASE f.decimals WHEN 'INF' THEN 99 ELSE TRY_CAST(f.decimals AS INTEGER) END DESC NULLS LAST,
      abs(f.period_end - CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end) THEN date_trunc('month',
      f.period_end)::DATE - 1 ELSE last_day(f.period_end) END),
    abs((f.period_end - f.period_start + 1) / 91.3 - CAST(CASE WHEN f.period_end IS NULL THEN NULL WHEN f.period_start IS NULL THEN 0
        ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER)), f.file, f.position
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
  SELECT accession_number, role, CASE WHEN any_value(role_definition) IS NULL THEN CASE WHEN regexp_matches(any_value(role), 'Detail|Table|Polic',
      'i') THEN NULL WHEN regexp_full_match(arg_min(parent, line) FILTER (WHERE depth = 0), 'dei:.*|.*:CoverAbstract') THEN 'CP'
      WHEN regexp_full_match(arg_min(parent, line) FILTER (WHERE depth = 0), '.*StatementOfFinancialPosition.*') THEN 'BS'
      WHEN regexp_full_match(arg_min(parent, line) FILTER (WHERE depth = 0), '.*StatementOfCashFlows.*') THEN 'CF'
      WHEN regexp_full_match(arg_min(parent, line) FILTER (WHERE depth = 0),
      '.*Statement(OfStockholdersEquity|OfPartnersCapital|OfShareholdersEquity).*') THEN 'EQ' WHEN regexp_full_match(arg_min(parent,
      line) FILTER (WHERE depth = 0), '.*StatementOf(OtherComprehensiveIncome|ComprehensiveIncome|IncomeAndComprehensiveIncome).*') THEN 'CI'
      WHEN regexp_full_match(arg_min(parent, line) FILTER (WHERE depth = 0), '.*IncomeStatement.*') THEN 'IS' END ELSE CASE
      WHEN NOT regexp_matches(any_value(role_definition), '- *(Statement|Document)', 'i') THEN NULL
    WHEN regexp_matches(any_value(role_definition), '- *Document|COVER|ENTITY INFORMATION', 'i') THEN 'CP'
    WHEN regexp_matches(any_value(role_definition), 'CASH FLOW', 'i') THEN 'CF'
    WHEN regexp_matches(any_value(role_definition), 'BALANCE SHEET|FINANCIAL (CONDITION|POSITION)|ASSETS AND LIABILITIES', 'i') THEN 'BS'
    WHEN regexp_matches(any_value(role_definition), '(SHAREHOLDERS|STOCKHOLDERS|SHAREOWNERS|MEMBERS|PARTNERS)?.{0,3} *(EQUITY|DEFICIT|CAPITAL)', 'i')
        THEN 'EQ'
    WHEN regexp_matches(any_value(role_definition), 'COMPREHENSIVE', 'i') AND NOT regexp_matches(any_value(role_definition),
        'OPERATIONS|STATEMENTS? OF (NET )?(INCOME|EARNINGS) AND', 'i') THEN 'CI'
    WHEN regexp_matches(any_value(role_definition), 'OPERATIONS|INCOME|EARNINGS|LOSS', 'i') THEN 'IS' ELSE 'UN' END END AS stmt,
    regexp_matches(coalesce(any_value(role_definition), role), 'PARENTHETICAL', 'i') AS is_parenthetical,
    list_distinct(list(concept) || list(parent)) AS elements, list(DISTINCT parent) AS parents
  FROM xbrl_presentation GROUP BY accession_number, role
)
SELECT f.accession_number AS adsh, CAST(dense_rank() OVER (PARTITION BY f.accession_number ORDER BY f.role_definition, f.role) AS INTEGER) AS report,
  f.line + 1 AS line, r.stmt, CAST(r.is_parenthetical AS INTEGER) AS inpth,
  CAST(NULL AS VARCHAR) AS rfile, regexp_replace(f.concept, '^[^:]*:', '') AS tag, CASE WHEN regexp_matches(coalesce(n.namespace, ''),
      '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(f.concept, ':', 1) || '/' || regexp_extract(coalesce(n.namespace, ''), '(19|20)\d\d') ELSE f.accession_number END AS version,
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
SELECT f.accession_number AS adsh, regexp_replace(f.concept, '^[^:]*:', '') AS tag, CASE WHEN regexp_matches(f.concept_namespace,
    '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(f.concept, ':', 1) || '/' || regexp_extract(f.concept_namespace, '(19|20)\d\d') ELSE f.accession_number END AS version,
  CAST(strftime(CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end) THEN date_trunc('month', f.period_end)::DATE - 1
      ELSE last_day(f.period_end) END, '%Y%m%d') AS INTEGER) AS ddate, CAST(CASE WHEN f.period_end IS NULL THEN NULL WHEN f.period_start IS NULL
      THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER) AS qtrs, CAST(row_number() OVER (
    PARTITION BY f.accession_number, f.entity_cik, f.concept, f.period_start, f.period_end, f.dimensions, f.language, CASE WHEN f.period_end IS NULL
        THEN f.file || ' ' || f.context_id END ORDER BY f.file, f.position
  ) - 1 AS INTEGER) AS iprx, f.language AS lang, CASE WHEN f.dimensions <> '{}' THEN nullif(array_to_string(list_sort(list_transform(
    list_filter(json_keys(f.dimensions), lambda axis: axis NOT LIKE '%:LegalEntityAxis'),
    lambda axis: regexp_replace(regexp_replace(regexp_replace(axis, '^[^:]*:', ''), '(Axis|Member|Domain)$', ''), '^Statement',
        '') || '=' || coalesce(regexp_replace(regexp_replace(json_extract_string(f.dimensions, '$."' || axis || '"'), '^[^:]*:', ''),
        '(Axis|Member|Domain)$', ''), '') || ';')), ''), '') END AS segments, CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%'
        THEN regexp_replace(regexp_replace(json_extract_string(f.dimensions, '$."' || list_filter(json_keys(f.dimensions),
        lambda axis: axis LIKE '%:LegalEntityAxis')[1] || '"'), '^[^:]*:', ''), '(Axis|Member|Domain)$', '') ELSE CASE WHEN f.entity_cik <> g.cik
        AND min(f.entity_cik) OVER (PARTITION BY f.accession_number) <>
    max(f.entity_cik) OVER (PARTITION BY f.accession_number) THEN f.entity_cik END END AS coreg,
  CASE WHEN f.is_text_block THEN 1 ELSE 0 END AS escaped, length(f.value) AS txtlen, f.end_index - f.start_index AS srclen, CASE
      WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END AS footnote,
        CAST(coalesce(length(CASE WHEN f.footnotes <> '[]' THEN (SELECT string_agg(n.text, ' ' ORDER BY n.file, n.position) FROM xbrl_footnotes n
    WHERE n.accession_number = f.accession_number AND list_contains(from_json(f.footnotes, '["VARCHAR"]'), n.footnote_id)) END), 0) AS INTEGER)
        AS footlen, CASE WHEN segments IS NULL THEN '0x00000000' ELSE '0x' || md5(segments) END AS dimh,
  CAST(CASE WHEN segments IS NULL THEN 0 ELSE len(json_keys(f.dimensions)) - CASE WHEN f.dimensions LIKE '%LegalEntityAxis"%' THEN 1 ELSE 0 END END
      AS INTEGER) AS dimn,
  CASE WHEN f.period_start IS NULL THEN 0 ELSE (f.period_end - f.period_start + 1) / 91.3 - CAST(CASE WHEN f.period_end IS NULL THEN NULL
      WHEN f.period_start IS NULL THEN 0 ELSE round((f.period_end - f.period_start + 1) / 91.3) END AS INTEGER) END AS durp,
  (f.period_end - CASE WHEN day(f.period_end) < day(last_day(f.period_end)) - day(f.period_end) THEN date_trunc('month', f.period_end)::DATE - 1
      ELSE last_day(f.period_end) END) / 31.0 AS datp, 32767 AS dcml, f.context_id AS context, f.value
FROM xbrl_facts f LEFT JOIN filings g ON g.accession_number = f.accession_number WHERE f.unit IS NULL;

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
  SELECT regexp_replace(f.concept, '^[^:]*:', '') AS tag, CASE WHEN regexp_matches(coalesce(n.namespace, ''),
      '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(f.concept, ':', 1) || '/' || regexp_extract(coalesce(n.namespace, ''), '(19|20)\d\d') ELSE f.accession_number END AS version,
        f.accession_number,
    x.concept IS NOT NULL AS has_facts, x.unit, x.is_text_block, x.is_instant, usual.label AS tlabel, doc.label AS doc,
    s.is_abstract, s.period_type, s.balance, regexp_replace(regexp_replace(s.type, '^[^:]*:', ''), 'ItemType$', '') AS type
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
SELECT a.adsh, a.grp, a.arc, CAST(a.weight < 0 AS INTEGER) AS negative, regexp_replace(a.parent, '^[^:]*:', '') AS ptag,
  CASE WHEN regexp_matches(coalesce(p.namespace, ''), '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(a.parent, ':', 1) || '/' || regexp_extract(p.namespace, '(19|20)\d\d') ELSE a.adsh END AS pversion,
  regexp_replace(a.concept, '^[^:]*:', '') AS ctag,
  CASE WHEN regexp_matches(coalesce(n.namespace, ''), '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
    THEN split_part(a.concept, ':', 1) || '/' || regexp_extract(n.namespace, '(19|20)\d\d') ELSE a.adsh END AS cversion
FROM arcs a LEFT JOIN namespaces p ON p.accession_number = a.adsh AND p.prefix = split_part(a.parent, ':', 1)
LEFT JOIN namespaces n ON n.accession_number = a.adsh AND n.prefix = split_part(a.concept, ':', 1);

-- Combinations of dimensions; dimhash joins dimh of num and txt
-- reads: xbrl_facts
CREATE OR REPLACE TEMP VIEW dim AS
WITH f AS (SELECT DISTINCT dimensions FROM xbrl_facts WHERE dimensions <> '{}'), named AS (SELECT CASE WHEN f.dimensions <> '{}'
    THEN nullif(array_to_string(list_sort(list_transform(
    list_filter(json_keys(f.dimensions), lambda axis: axis NOT LIKE '%:LegalEntityAxis'),
    lambda axis: regexp_replace(regexp_replace(regexp_replace(axis, '^[^:]*:', ''), '(Axis|Member|Domain)$', ''), '^Statement',
        '') || '=' || coalesce(regexp_replace(regexp_replace(json_extract_string(f.dimensions, '$."' || axis || '"'), '^[^:]*:', ''),
        '(Axis|Member|Domain)$', ''), '') || ';')), ''), '') END AS segments FROM f)
SELECT DISTINCT CASE WHEN segments IS NULL THEN '0x00000000' ELSE '0x' || md5(segments) END AS dimhash, segments, 0 AS segt FROM named
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
