-- Rows of files of CRSP (names of securities) and Compustat (companies, links to CRSP), each column told by its name: link_files('FROM read_csv(''names.csv'', all_varchar = true)'). `problem` says why a row can't be read, `unused_cusip` has a CUSIP without a meaning
-- A row with a GVKEY is of Compustat. CRSP's NCUSIP, and CUSIP of its newer layout, are of the row's days; Compustat's CUSIP is the newest. Links of
-- types other than LU and LC have no PERMNO. The first of NCUSIP, NCUSIP9, CUSIP9 and CUSIP that a file has is read: beside NCUSIP, CUSIP is today's. In a column
-- with proven CUSIPs of nine, one of eight may have lost a zero in a spreadsheet. `link_file`, a column that the query may add, tells several files apart.
-- The last name of a PERMNO ends with its last trading day: four days more reach over a weekend, if nothing else has its CUSIP then.
-- `gvkey`: of a row of Compustat, six digits; null: a row of CRSP
-- `permno`: of a link of type LU or LC, or of a name of CRSP
-- `cusip`: eight characters
-- `cik`: of a row of Compustat, without zeros before it
-- `symbols`: tickers of a name of CRSP, with its class and without
-- `is_common`: whether it is common stock or an ADR; null if the file does not say
-- `is_primary`: whether a link is of the primary security
-- `from_day`: first day that it counts
-- `to_day`: last day that it counts
-- `unused_cusip`: a CUSIP that is neither eight characters nor nine with their check digit
-- `problem`: why the row can not be read
-- reads: fundamentals
CREATE OR REPLACE TEMP MACRO link_files(files_sql) AS TABLE
WITH layout AS (
  SELECT NULL::VARCHAR AS permno, NULL::VARCHAR AS lpermno, NULL::VARCHAR AS ncusip, NULL::VARCHAR AS ncusip9, NULL::VARCHAR AS cusip, NULL::VARCHAR AS cusip9, NULL::VARCHAR AS namedt, NULL::VARCHAR AS nameenddt,
    NULL::VARCHAR AS nameendt, NULL::VARCHAR AS secinfostartdt, NULL::VARCHAR AS secinfoenddt, NULL::VARCHAR AS ticker, NULL::VARCHAR AS tsymbol, NULL::VARCHAR AS tradingsymbol,
    NULL::VARCHAR AS shrcls, NULL::VARCHAR AS shareclass, NULL::VARCHAR AS shrcd, NULL::VARCHAR AS securitytype, NULL::VARCHAR AS securitysubtype, NULL::VARCHAR AS sharetype,
    NULL::VARCHAR AS gvkey, NULL::VARCHAR AS cik, NULL::VARCHAR AS linkprim, NULL::VARCHAR AS linktype, NULL::VARCHAR AS linkdt, NULL::VARCHAR AS linkenddt, NULL::VARCHAR AS link_file, NULL::VARCHAR AS cusip_1 WHERE false
), texts AS (
  SELECT DISTINCT link_file, upper(trim(COLUMNS('^(l?permno|n?cusip9?|namedt|nameendd?t|secinfo(start|end)dt|ticker|tsymbol|tradingsymbol|shrcls|shareclass|shrcd|securitytype|securitysubtype|sharetype|gvkey|cik|linkprim|linktype|linkdt|linkenddt)$'))),
    -- Of two columns of one name DuckDB gives the second this one.
    coalesce(*COLUMNS('(?i)^(l?permno|n?cusip9?|namedt|nameendd?t|secinfo(start|end)dt|ticker|tsymbol|tradingsymbol|shrcls|shareclass|shrcd|securitytype|securitysubtype|sharetype|gvkey|cik|linkprim|linktype|linkdt|linkenddt)_1$')) AS second
  FROM (FROM layout UNION ALL BY NAME FROM query(coalesce(files_sql, 'SELECT NULL::VARCHAR AS cik WHERE false')))
), cells AS (
  -- A query that has '' for an empty cell tells an open end from a column that is not there.
  SELECT link_file, second, nullif(nullif(COLUMNS(* EXCLUDE (link_file, second)), ''), '.'),
    count(coalesce(linkdt, namedt, secinfostartdt)) OVER same > 0 AS has_begins, count(coalesce(linkenddt, nameenddt, nameendt, secinfoenddt)) OVER same > 0 AS has_stops
  FROM texts WINDOW same AS (PARTITION BY link_file, coalesce(gvkey, '') IN ('', '.'))
), told AS (
  SELECT *, translate(ticker, './ ', '---') AS symbol, coalesce(shrcls, shareclass) AS class, gvkey IS NOT NULL AS is_company,
    CASE WHEN gvkey IS NULL THEN permno WHEN coalesce(linktype, 'LU') IN ('LU', 'LC') THEN coalesce(lpermno, permno) END AS said_permno,
    regexp_replace(CASE WHEN gvkey IS NOT NULL AND count(cusip) OVER same > 0 THEN cusip WHEN count(ncusip) OVER same > 0 THEN ncusip WHEN count(ncusip9) OVER same > 0 THEN ncusip9
      WHEN count(cusip9) OVER same > 0 THEN cusip9 ELSE cusip END, '[\s-]', '', 'g') AS said_cusip,
    regexp_extract(cik, '^(?:CIK)?0*(\d{1,10})(?:\.0*)?$', 1) AS said_cik,
    nullif(nullif(coalesce(linkdt, namedt, secinfostartdt), 'B'), '.B') AS said_from,
    nullif(nullif(coalesce(linkenddt, nameenddt, nameendt, secinfoenddt), 'E'), '.E') AS said_to FROM cells WINDOW same AS (PARTITION BY link_file, gvkey IS NULL)
), parsed AS (
  SELECT *, TRY_CAST(regexp_extract(said_permno, '^0*([1-9]\d*)(\.0*)?$', 1) AS INTEGER) AS number, link_day(said_from) AS begins, link_day(said_to) AS stops,
    bool_or(is_cusip(said_cusip)) OVER (PARTITION BY link_file, is_company) AS has_nine FROM told
), usable AS (
  SELECT *, CASE WHEN is_cusip(said_cusip) OR (regexp_full_match(said_cusip, '[0-9A-Z*@#]{8}') AND said_cusip <> '00000000' AND NOT (has_nine AND is_cusip('0' || said_cusip)))
    THEN substr(said_cusip, 1, 8) END AS eight FROM parsed
)
SELECT CASE WHEN is_company THEN repeat('0', greatest(0, 6 - length(split_part(gvkey, '.', 1)))) || split_part(gvkey, '.', 1) END AS gvkey, number AS permno, eight AS cusip,
  CASE WHEN is_company THEN nullif(said_cik, '') END AS cik, list_distinct(list_filter([symbol, symbol || '-' || class, translate(coalesce(tsymbol, tradingsymbol), './ ', '---')], lambda one: one IS NOT NULL)) AS symbols,
  coalesce(regexp_matches(shrcd, '^[13]\d'), securitytype = 'EQTY' AND coalesce(securitysubtype, 'COM') = 'COM' AND coalesce(sharetype, 'NS') IN ('NS', 'AD')) AS is_common,
  linkprim IN ('P', 'C') AS is_primary, coalesce(begins, DATE '0001-01-01') AS from_day, coalesce(CASE WHEN NOT is_company AND stops = max(stops) OVER (PARTITION BY is_company, number)
    THEN greatest(stops, least(stops + 4, lead(begins) OVER (PARTITION BY is_company, eight ORDER BY begins, stops) - 1)) ELSE stops END, DATE '9999-12-31') AS to_day, CASE WHEN eight IS NULL THEN said_cusip END AS unused_cusip,
  CASE WHEN second IS NOT NULL THEN 'a column stands twice' WHEN said_from IS NOT NULL AND begins IS NULL THEN said_from || ' is not a day' WHEN said_to IS NOT NULL AND stops IS NULL THEN said_to || ' is not a day'
    WHEN is_company AND NOT regexp_full_match(gvkey, '\d+(\.0*)?') THEN gvkey || ' is not a GVKEY'
    WHEN is_company AND said_cik = '' THEN cik || ' is not a CIK' WHEN NOT is_company AND number IS NULL THEN 'a row has neither PERMNO nor GVKEY'
    WHEN NOT is_company AND begins IS NULL THEN 'a row with a PERMNO has no day from which it counts: NAMEDT or SecInfoStartDt'
    WHEN (begins IS NOT NULL OR number IS NOT NULL) AND NOT has_stops THEN 'no column says until when a row counts: NAMEENDDT, SecInfoEndDt or LINKENDDT. Of a row that still counts, its cell is E'
    WHEN is_company AND (stops IS NOT NULL OR number IS NOT NULL) AND NOT has_begins THEN 'no column says from when a row counts: LINKDT'
    WHEN stops < begins THEN said_from || ' to ' || said_to || ' has no day' END AS problem
FROM usable;

-- PERMNO and GVKEY of companies and periods, how each was found or why not, by three queries: panel_links('SELECT cik, period_end FROM panel', 'FROM files', 'FROM spans'). The last has rows of security_spans
-- The names' own days count, since a span of ours begins with the first filing that says it. Of a CUSIP that filings state of several companies, the days of these
-- filings count. Ways are cusip, cik (a link with both), permno (for a GVKEY); a ticker only if no other way finds one, and no CUSIP speaks against it. A candidate
-- must be found by every way that finds any. Another class with the issuer's number of a CUSIP is a candidate too, though no filing states it. Of several the only
-- common stock counts, if the others are known to be none, else the only primary link: the note names the others. Else, or if another company of the files and
-- the known spans, asked for or not, would have it on that day, none is given. A row that can't be read is an error.
-- `cik`: the company, as asked
-- `period_end`: last day of the period
-- `permno`: null if none is found, or if it is doubtful
-- `permno_by`: ways that found it: cik, cusip; or ticker
-- `permno_note`: why it is null, or the other candidates
-- `gvkey`: six digits; null if none is found, or if it is doubtful
-- `gvkey_by`: ways that found it: cik, cusip, permno
-- `gvkey_note`: why it is null, or the other candidates
-- reads: fundamentals
CREATE OR REPLACE TEMP MACRO panel_links(periods_sql, files_sql, known_sql) AS TABLE
WITH wanted AS MATERIALIZED (
  SELECT DISTINCT cik AS given, cik_of(cik) AS cik, CAST(period_end AS DATE) AS period_end FROM query(coalesce(periods_sql, 'SELECT NULL::VARCHAR AS cik, NULL::DATE AS period_end WHERE false'))
), rows AS MATERIALIZED (FROM link_files(files_sql) WHERE CASE WHEN problem IS NULL THEN true ELSE error('a row of the files can''t be read: ' || problem) END
), names AS (FROM rows WHERE gvkey IS NULL
), companies AS (FROM rows WHERE gvkey IS NOT NULL
), known AS MATERIALIZED (SELECT cik, kind, value, class, from_day, coalesce(until_day - 1, last_day + 366) AS ends, last_day, contradicts FROM query(coalesce(known_sql, 'SELECT NULL::VARCHAR AS cik, NULL::VARCHAR AS kind, NULL::VARCHAR AS value, NULL::VARCHAR AS class, NULL::DATE AS from_day, NULL::DATE AS until_day, NULL::DATE AS last_day, NULL::VARCHAR[] AS contradicts WHERE false'))
), cusips AS MATERIALIZED (
  SELECT cik, substr(value, 1, 8) AS cusip, bool_or(regexp_full_match(class, 'common|adr|class .')) AS is_equity, min(from_day) AS from_day, max(last_day) AS last_day,
    count(*) OVER (PARTITION BY substr(value, 1, 8)) AS owners FROM known WHERE kind = 'cusip' GROUP BY cik, substr(value, 1, 8)
), tickers AS (SELECT *, coalesce(list_any_value(list_filter(contradicts, lambda one: one LIKE '% also of CIK %')) IS NOT NULL, false) AS is_shared FROM known WHERE kind = 'ticker'
), symbols AS (SELECT permno, cusip, from_day, to_day, unnest(symbols) AS symbol FROM names
), reach AS MATERIALIZED (
  -- Who may have which id, on any day
  SELECT c.cik, n.permno FROM cusips c JOIN names n ON substr(n.cusip, 1, 6) = substr(c.cusip, 1, 6)
  UNION SELECT cik, permno FROM companies WHERE permno IS NOT NULL AND cik IS NOT NULL
  UNION SELECT t.cik, n.permno FROM tickers t JOIN symbols n ON n.symbol = t.value
), reached AS MATERIALIZED (
  SELECT cik, CAST(permno AS VARCHAR) AS id FROM reach UNION SELECT cik, 'GVKEY ' || gvkey FROM companies WHERE cik IS NOT NULL
  UNION SELECT c.cik, 'GVKEY ' || n.gvkey FROM cusips c JOIN companies n USING (cusip) UNION SELECT r.cik, 'GVKEY ' || n.gvkey FROM reach r JOIN companies n USING (permno)
), rivals AS MATERIALIZED (SELECT DISTINCT r.cik, o.cik AS rival FROM (FROM reached SEMI JOIN wanted USING (cik)) r JOIN reached o ON o.id = r.id AND o.cik <> r.cik
), asked AS MATERIALIZED (
  -- A successor, whose row in the files may reach back to days of its predecessor, is not there before a filing says anything of it; with a year on both sides.
  SELECT cik, period_end FROM wanted UNION SELECT r.rival, w.period_end FROM wanted w JOIN rivals r USING (cik)
  LEFT JOIN (SELECT cik, min(from_day) - 366 AS begins, max(ends) AS stops FROM known GROUP BY cik) k ON k.cik = r.rival WHERE coalesce(w.period_end BETWEEN k.begins AND k.stops, true)
), claims AS MATERIALIZED (
  -- A bank has thousands of CUSIPs of notes.
  SELECT a.cik, a.period_end, c.cusip, string_agg(DISTINCT o.cik, ', ' ORDER BY o.cik) AS others, a.period_end BETWEEN c.from_day AND c.last_day AS covers,
    CASE WHEN c.owners = 1 THEN 'own' WHEN coalesce(bool_or(a.period_end BETWEEN o.from_day AND o.last_day), false) THEN CASE WHEN covers THEN 'shared' ELSE 'other' END WHEN covers THEN 'own' ELSE 'shared' END AS state
  FROM asked a JOIN (FROM cusips SEMI JOIN rows USING (cusip)) c USING (cik) LEFT JOIN cusips o ON c.owners > 1 AND o.cusip = c.cusip AND o.cik <> c.cik
  GROUP BY a.cik, a.period_end, c.cusip, c.from_day, c.last_day, c.owners
), stated AS MATERIALIZED (
  SELECT c.cik, c.period_end, n.permno, c.cusip, n.is_common FROM claims c JOIN names n ON n.cusip = c.cusip AND c.period_end BETWEEN n.from_day AND n.to_day WHERE c.state = 'own'
), firm AS MATERIALIZED (
  SELECT cik, period_end, permno, 'cusip' AS way FROM stated
  UNION SELECT s.cik, s.period_end, n.permno, 'cusip' FROM stated s JOIN names n ON substr(n.cusip, 1, 6) = substr(s.cusip, 1, 6) AND s.period_end BETWEEN n.from_day AND n.to_day
  WHERE s.is_common IS DISTINCT FROM false AND n.is_common IS DISTINCT FROM false AND NOT EXISTS (SELECT 1 FROM cusips o WHERE o.cusip = n.cusip AND o.cik <> s.cik)
  UNION SELECT a.cik, a.period_end, n.permno, 'cik' FROM asked a JOIN companies n ON n.cik = a.cik AND a.period_end BETWEEN n.from_day AND n.to_day WHERE n.permno IS NOT NULL
), found AS MATERIALIZED (
  FROM firm
  UNION ALL SELECT DISTINCT a.cik, a.period_end, n.permno, 'ticker' FROM (FROM asked ANTI JOIN firm USING (cik, period_end)) a
  JOIN tickers t ON t.cik = a.cik AND NOT t.is_shared AND a.period_end BETWEEN t.from_day AND t.ends JOIN symbols n ON n.symbol = t.value AND a.period_end BETWEEN n.from_day AND n.to_day
    AND t.from_day <= n.to_day - 4 -- Who takes the ticker in the four days after the last name is not in the file.
  WHERE NOT EXISTS (SELECT 1 FROM cusips c WHERE c.cik = a.cik AND c.is_equity AND a.period_end BETWEEN c.from_day AND c.last_day)
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.cik = a.cik AND c.period_end = a.period_end AND c.state = 'shared')
    AND NOT EXISTS (SELECT 1 FROM cusips o WHERE o.cusip = n.cusip AND o.cik <> a.cik)
), tallied AS (
  SELECT f.cik, f.period_end, f.permno, string_agg(DISTINCT f.way, ', ' ORDER BY f.way) AS found_by, count(DISTINCT f.way) = max(w.ways) AS is_agreed,
    bool_or(n.is_common) AS is_common, coalesce(bool_or(p.is_primary), false) AS is_primary
  FROM found f JOIN (SELECT cik, period_end, count(DISTINCT way) AS ways FROM found GROUP BY ALL) w USING (cik, period_end)
  LEFT JOIN names n ON n.permno = f.permno AND f.period_end BETWEEN n.from_day AND n.to_day LEFT JOIN companies p ON p.permno = f.permno AND f.period_end BETWEEN p.from_day AND p.to_day
  GROUP BY f.cik, f.period_end, f.permno
), several AS (
  SELECT cik, period_end, string_agg(permno, ', ' ORDER BY permno) AS every, count(*) AS n, list({p: permno, b: found_by}) FILTER (is_agreed) AS agreed, list({p: permno, b: found_by}) FILTER (is_agreed AND is_common IS DISTINCT FROM false) AS common, coalesce(bool_or(is_agreed AND is_common), false) AS is_sure,
    list({p: permno, b: found_by}) FILTER (is_agreed AND is_primary) AS prim, list({p: permno, b: found_by}) FILTER (is_agreed AND is_common IS DISTINCT FROM false AND is_primary) AS main FROM tallied GROUP BY cik, period_end
), chosen AS (
  SELECT *, CASE WHEN len(agreed) = 1 THEN agreed[1] WHEN len(common) = 1 AND is_sure THEN common[1] WHEN len(main) = 1 THEN main[1] WHEN common IS NULL AND len(prim) = 1 THEN prim[1] END AS one FROM several
), permnos AS MATERIALIZED (
  SELECT a.cik, a.period_end, CASE WHEN count(*) OVER same = 1 THEN c.one.p END AS permno, CASE WHEN permno IS NOT NULL THEN c.one.b END AS found_by,
    CASE WHEN c.one IS NOT NULL AND permno IS NULL THEN 'doubtful: of several companies: PERMNO ' || c.one.p || ' of CIK ' || array_to_string(list_sort(list(a.cik) OVER same), ', ')
      WHEN permno IS NOT NULL THEN CASE WHEN c.n > 1 THEN 'one of several: ' || c.every END
      WHEN c.agreed IS NOT NULL THEN 'doubtful: several candidates: ' || c.every WHEN c.every IS NOT NULL THEN 'doubtful: CUSIP and CIK disagree: ' || c.every
      WHEN s.others IS NOT NULL THEN 'doubtful: CUSIP of several companies: also CIK ' || s.others WHEN s.is_other THEN 'not matched: CUSIP of another company then'
      WHEN t.is_shared THEN 'doubtful: ticker of several companies' WHEN s.in_files OR l.cik IS NOT NULL OR t.in_files THEN 'not matched: on other days'
      WHEN t.cik IS NULL AND a.cik NOT IN (SELECT cik FROM cusips) THEN 'not matched: no CUSIP and no ticker in the lake'
      ELSE 'not matched: not in the files' END AS note
  FROM asked a LEFT JOIN chosen c USING (cik, period_end) LEFT JOIN (SELECT DISTINCT cik FROM companies WHERE permno IS NOT NULL AND cik IS NOT NULL) l USING (cik)
  LEFT JOIN (SELECT k.cik, k.period_end, string_agg(DISTINCT k.others, ', ') FILTER (k.state = 'shared' AND k.period_end BETWEEN n.from_day AND n.to_day) AS others,
      coalesce(bool_or(k.state = 'other' AND n.permno IS NOT NULL), false) AS is_other, coalesce(bool_or(n.permno IS NOT NULL), false) AS in_files
    FROM claims k LEFT JOIN names n ON n.cusip = k.cusip GROUP BY k.cik, k.period_end) s USING (cik, period_end)
  LEFT JOIN (SELECT d.cik, d.period_end, coalesce(bool_or(t.is_shared AND d.period_end BETWEEN t.from_day AND t.ends AND d.period_end BETWEEN n.from_day AND n.to_day), false) AS is_shared,
      coalesce(bool_or(n.permno IS NOT NULL), false) AS in_files
    FROM asked d JOIN tickers t USING (cik) LEFT JOIN symbols n ON n.symbol = t.value GROUP BY d.cik, d.period_end) t USING (cik, period_end)
  WINDOW same AS (PARTITION BY a.period_end, coalesce(CAST(c.one.p AS VARCHAR), 'CIK ' || a.cik))
), keys AS (
  SELECT a.cik, a.period_end, n.gvkey, 'cik' AS way FROM asked a JOIN companies n ON n.cik = a.cik AND a.period_end BETWEEN n.from_day AND n.to_day
  UNION SELECT c.cik, c.period_end, n.gvkey, 'cusip' FROM claims c JOIN companies n ON n.cusip = c.cusip AND c.period_end BETWEEN n.from_day AND n.to_day WHERE c.state = 'own'
  UNION SELECT s.cik, s.period_end, n.gvkey, 'permno' FROM permnos s JOIN companies n ON n.permno = s.permno AND s.period_end BETWEEN n.from_day AND n.to_day
), firms AS (
  SELECT cik, period_end, string_agg(gvkey, ', ' ORDER BY gvkey) AS every, count(*) AS n, list({g: gvkey, b: found_by}) FILTER (ways = all_ways) AS agreed
  FROM (SELECT k.cik, k.period_end, k.gvkey, string_agg(k.way, ', ' ORDER BY k.way) AS found_by, count(*) AS ways, max(w.ways) AS all_ways
    FROM keys k JOIN (SELECT cik, period_end, count(DISTINCT way) AS ways FROM keys GROUP BY ALL) w USING (cik, period_end) GROUP BY k.cik, k.period_end, k.gvkey) GROUP BY cik, period_end
), linked AS (
  SELECT s.cik, s.period_end, s.permno, s.found_by AS permno_by, s.note AS permno_note, CASE WHEN len(f.agreed) = 1 AND count(*) OVER same = 1 THEN f.agreed[1].g END AS gvkey,
    CASE WHEN gvkey IS NOT NULL THEN f.agreed[1].b END AS gvkey_by,
    CASE WHEN gvkey IS NOT NULL THEN CASE WHEN f.n > 1 THEN 'one of several: ' || f.every END
      WHEN len(f.agreed) = 1 THEN 'doubtful: of several companies: GVKEY ' || f.agreed[1].g || ' of CIK ' || array_to_string(list_sort(list(s.cik) OVER same), ', ')
      WHEN f.agreed IS NOT NULL THEN 'doubtful: several candidates: ' || f.every WHEN f.every IS NOT NULL THEN 'doubtful: CIK, CUSIP and PERMNO disagree: ' || f.every
      WHEN s.cik IN (SELECT cik FROM companies WHERE cik IS NOT NULL) THEN 'not matched: on other days' ELSE 'not matched: not in the files' END AS gvkey_note
  FROM permnos s LEFT JOIN firms f USING (cik, period_end)
  WINDOW same AS (PARTITION BY s.period_end, CASE WHEN len(f.agreed) = 1 THEN f.agreed[1].g ELSE 'CIK ' || s.cik END)
)
SELECT w.given AS cik, l.* EXCLUDE (cik) FROM wanted w JOIN linked l ON l.cik IS NOT DISTINCT FROM w.cik AND l.period_end IS NOT DISTINCT FROM w.period_end;

-- A sentence for PERMNO and one for GVKEY: how many periods are matched, doubtful and not matched, and why: link_counts('FROM links'), of a query with the rows of panel_links
-- `key`: permno or gvkey
-- `sentence`: counts of matched, doubtful and not matched periods
-- reads: fundamentals
CREATE OR REPLACE TEMP MACRO link_counts(links_sql) AS TABLE
WITH links AS (FROM query(coalesce(links_sql, 'SELECT NULL::INTEGER AS permno, NULL::VARCHAR AS permno_by, NULL::VARCHAR AS permno_note, NULL::VARCHAR AS gvkey, NULL::VARCHAR AS gvkey_by, NULL::VARCHAR AS gvkey_note WHERE false'))
), outcomes AS (
  SELECT key, string_split(outcome, ': ')[1] AS outcome, string_split(outcome, ': ')[2] AS why, count(*) AS n
  FROM (SELECT 'permno' AS key, CASE WHEN permno IS NULL THEN permno_note ELSE 'matched: ' || permno_by END AS outcome FROM links
    UNION ALL SELECT 'gvkey', CASE WHEN gvkey IS NULL THEN gvkey_note ELSE 'matched: ' || gvkey_by END FROM links) GROUP BY ALL
)
SELECT key, key || ': ' || string_agg(of || ' ' || format('{:,}', coalesce(n, 0)) || coalesce(' (' || whys || ')', ''), '; ' ORDER BY place) AS sentence
FROM (VALUES ('permno'), ('gvkey')) AS k(key) CROSS JOIN (VALUES (1, 'matched'), (2, 'doubtful'), (3, 'not matched')) AS o(place, of)
LEFT JOIN (SELECT key, outcome AS of, CAST(sum(n) AS BIGINT) AS n, string_agg(why || ' ' || format('{:,}', n), '; ' ORDER BY n DESC, why) AS whys FROM outcomes GROUP BY key, outcome) USING (key, of)
GROUP BY key HAVING sum(n) > 0 ORDER BY key DESC;
