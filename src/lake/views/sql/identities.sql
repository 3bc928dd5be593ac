-- What filings had said of who is who until a moment, a row for each value: identities_as_of('2015-06-30'); null: now. Its kind is name, ticker, exchange, cusip, isin, lei, ein, sic, state, address, fiscal_year_end, file_number, series, class or event
-- Each SELECT of statements is a source. Rows of 13F and N-PORT name companies by CUSIP and name: their cik is null. What one filing says of one
-- security has one `security`. A number whose check digit does not fit stays, with is_proven false. Options are of a security, not securities.
-- A list of tickers has no filing: it is known from the day on which it was seen. changed_day is what a header states beside a former name: mostly the
-- day on which EDGAR began that name, before 1993 the day on which it ended.
-- `cik`: the company; null for a holding of 13F and N-PORT, which states none
-- `kind`: name, ticker, exchange, cusip, isin, lei, ein, sic, state, address, fiscal_year_end, file_number, series, class or event
-- `value`: the name, symbol, number or code, in one form; of an event the form, and the item of an 8-K
-- `title`: title of the security, series or class; words of a SIC code or an item; business or mailing, of an address
-- `name`: name of the company or holding in the same place
-- `security`: the same for what one filing says of one security or party
-- `changed_day`: EDGAR's day of change of a former name
-- `is_proven`: whether the check digits of a CUSIP, ISIN or LEI fit; null for other kinds
-- `stated`: the text that the value is made of
-- `accession_number`: the filing that says it; null for a list of tickers
-- `form_type`: form of that filing
-- `known_from`: its acceptance, Eastern time; null for letters and drafts, which are public later; of a list of tickers the time at which it was fetched
-- `place`: table that has the statement
-- `read_from`: header, form, xbrl, text or list
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO identities_as_of(moment) AS TABLE
WITH known AS (
  SELECT g.accession_number, g.cik AS filing_cik, g.form_type, g.filing_date, CASE WHEN NOT regexp_matches(coalesce(g.form_type, ''), '^(UPLOAD|CORRESP|DRS|DOS)') THEN known_at(g.acceptance_datetime, g.filing_date) END AS known_from
  FROM filings g WHERE stood_at(g.removed_at, moment)
), headers AS NOT MATERIALIZED (
  SELECT *, CAST(position AS VARCHAR) AS security FROM parties
), registrants AS (
  SELECT DISTINCT accession_number, legal_entity(dimensions) AS member, ltrim(value, '0') AS cik
  FROM xbrl_facts WHERE concept = 'dei:EntityCentralIndexKey' AND value IS NOT NULL AND dimensions LIKE '%:LegalEntityAxis"%'
), covers AS NOT MATERIALIZED (
  SELECT accession_number, dimensions AS security, max(coalesce(r.cik, entity_cik)) AS cik, min(c.value) FILTER (concept = 'dei:TradingSymbol') AS ticker,
    nullif(concat_ws(' ', min(list_min(regexp_extract_all(dimensions, ':([CS]\d{9})Member"', 1))), min(c.value) FILTER (concept = 'dei:Security12bTitle')), '') AS title, min(c.value) FILTER (concept = 'dei:SecurityExchangeName') AS exchange,
    min(c.value) FILTER (concept = 'dei:EntityRegistrantName') AS name
  FROM (SELECT accession_number, entity_cik, dimensions, concept, trim(one_blank(value)) AS value, CASE WHEN dimensions LIKE '%:LegalEntityAxis"%' THEN legal_entity(dimensions) END AS member
    FROM xbrl_facts WHERE concept IN ('dei:TradingSymbol', 'dei:Security12bTitle', 'dei:SecurityExchangeName', 'dei:EntityRegistrantName') AND value IS NOT NULL) c
  LEFT JOIN registrants r USING (accession_number, member) GROUP BY ALL
), lists AS NOT MATERIALIZED (
  SELECT t.cik, t.ticker, t.exchange, CAST(t.position AS VARCHAR) AS security, e.name, make_timestamp(epoch_us(e.fetched_at)) - INTERVAL 5 HOUR AS known_from
  FROM entity_tickers t JOIN entities e ON e.cik = t.cik
), held AS NOT MATERIALIZED (
  SELECT accession_number, position, CASE WHEN kind = 'isin' THEN 'isin' WHEN kind = 'ticker' THEN 'ticker' END AS kind, value
  FROM nport_identifiers WHERE kind IN ('isin', 'ticker')
), statements AS (
  SELECT accession_number, cik, 'name' AS kind, name AS value, NULL::VARCHAR AS title, name, security, NULL::DATE AS changed_day, NULL::VARCHAR AS stated,
    'parties' AS place, 'header' AS read_from FROM headers WHERE name IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'name', entity_name, NULL, entity_name, NULL, NULL, NULL, 'filings', 'header'
  FROM filings WHERE entity_name IS NOT NULL AND accession_number NOT IN (SELECT accession_number FROM parties)
  UNION ALL SELECT accession_number, cik, 'ein', regexp_replace(irs_number, '\D', '', 'g'), NULL, name, security, NULL, irs_number, 'parties', 'header'
  FROM headers WHERE irs_number IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'sic', sic, sic_description, name, security, NULL, NULL, 'parties', 'header' FROM headers WHERE sic IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'state', state_of_incorporation, NULL, name, security, NULL, NULL, 'parties', 'header'
  FROM headers WHERE state_of_incorporation IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'fiscal_year_end', fiscal_year_end, NULL, name, security, NULL, NULL, 'parties', 'header'
  FROM headers WHERE fiscal_year_end IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'file_number', file_number, NULL, name, security, NULL, NULL, 'parties', 'header'
  FROM headers WHERE file_number IS NOT NULL
  UNION ALL SELECT a.accession_number, h.cik, 'address', concat_ws(', ', street1, street2, city, state, zip), a.kind, h.name, h.security, NULL, NULL,
    'party_addresses', 'header' FROM party_addresses a JOIN headers h USING (accession_number, position)
  UNION ALL SELECT n.accession_number, h.cik, 'name', n.name, NULL, h.name, h.security, n.date_of_change, NULL, 'party_former_names', 'header'
  FROM party_former_names n JOIN headers h USING (accession_number, position) WHERE n.name IS NOT NULL
  UNION ALL SELECT accession_number, issuer_cik, 'ticker', unnest(tickers_in(issuer_trading_symbol)), NULL, issuer_name, NULL, NULL, issuer_trading_symbol,
    'ownership_reports', 'form' FROM ownership_reports WHERE issuer_trading_symbol IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'ticker', unnest(tickers_stated(ticker)), title, name, security, NULL, ticker, 'xbrl_facts', 'xbrl'
  FROM covers WHERE ticker IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'exchange', exchange_named(exchange), title, name, security, NULL, exchange, 'xbrl_facts', 'xbrl'
  FROM covers WHERE exchange IS NOT NULL
  UNION ALL SELECT accession_number, cik, 'name', name, NULL, name, security, NULL, NULL, 'xbrl_facts', 'xbrl' FROM covers WHERE name IS NOT NULL
  UNION ALL SELECT c.accession_number, r.issuer_cik, 'cusip', upper(regexp_replace(c.cusip, '[\s-]', '', 'g')), r.securities_class_title, r.issuer_name, NULL, NULL,
    c.cusip, 'beneficial_cusips', 'form' FROM beneficial_cusips c JOIN beneficial_reports r USING (accession_number)
  UNION ALL SELECT c.accession_number, CASE WHEN coalesce(p.subjects, 1) = 1 THEN coalesce(p.cik, k.filing_cik) END, 'cusip', c.cusip, c.securities_class_title, c.issuer_name,
    NULL, NULL, c.cusip, 'beneficial_text_cusips', 'text' FROM beneficial_text_cusips c JOIN known k USING (accession_number) LEFT JOIN (SELECT accession_number, min(cik) AS cik,
    count(DISTINCT cik) AS subjects FROM parties WHERE role = 'subject_company' GROUP BY ALL) p USING (accession_number)
  UNION ALL SELECT accession_number, NULL, 'cusip', upper(regexp_replace(cusip, '[\s-]', '', 'g')), title_of_class, name_of_issuer, CAST(position AS VARCHAR), NULL,
    cusip, 'f13_holdings', 'form' FROM f13_holdings WHERE cusip IS NOT NULL AND put_call IS NULL
  UNION ALL SELECT accession_number, NULL, 'cusip', upper(cusip), title_of_class, name_of_issuer, CAST(position AS VARCHAR), NULL, cusip, 'f13_text_holdings', 'text'
  FROM f13_text_holdings WHERE cusip IS NOT NULL AND NOT coalesce(regexp_matches(rest, '\b(PUT|CALL)S?\b', 'i'), false)
  UNION ALL SELECT accession_number, NULL, 'cusip', upper(cusip), title, name, CAST(position AS VARCHAR), NULL, cusip, 'nport_holdings', 'form'
  FROM nport_holdings WHERE cusip IS NOT NULL
  UNION ALL SELECT accession_number, NULL, 'lei', lei, title, name, CAST(position AS VARCHAR), NULL, NULL, 'nport_holdings', 'form'
  FROM nport_holdings WHERE lei IS NOT NULL
  UNION ALL SELECT i.accession_number, NULL, 'isin', upper(i.value), h.title, h.name, CAST(h.position AS VARCHAR), NULL, i.value, 'nport_identifiers', 'form'
  FROM held i JOIN nport_holdings h USING (accession_number, position) WHERE i.kind = 'isin'
  UNION ALL SELECT i.accession_number, NULL, 'ticker', unnest(tickers_in(i.value)), h.title, h.name, CAST(h.position AS VARCHAR), NULL, i.value,
    'nport_identifiers', 'form' FROM held i JOIN nport_holdings h USING (accession_number, position) WHERE i.kind = 'ticker'
  UNION ALL SELECT accession_number, registrant_cik, 'lei', coalesce(series_lei, registrant_lei), series_name, registrant_name, series_id, NULL, NULL, 'nport_funds', 'form'
  FROM nport_funds WHERE coalesce(series_lei, registrant_lei) IS NOT NULL
  UNION ALL SELECT accession_number, registrant_cik, 'series', series_id, series_name, registrant_name, series_id, NULL, NULL, 'nport_funds', 'form'
  FROM nport_funds WHERE series_id IS NOT NULL
  UNION ALL SELECT f.accession_number, r.registrant_cik, 'series', f.series_id, f.name, r.name, f.series_id, NULL, NULL, 'ncen_funds', 'form'
  FROM ncen_funds f JOIN ncen_reports r USING (accession_number) WHERE f.series_id IS NOT NULL
  UNION ALL SELECT f.accession_number, r.registrant_cik, 'lei', f.lei, f.name, r.name, f.series_id, NULL, NULL, 'ncen_funds', 'form'
  FROM ncen_funds f JOIN ncen_reports r USING (accession_number) WHERE f.lei IS NOT NULL
  UNION ALL SELECT c.accession_number, r.registrant_cik, 'class', c.class_id, c.name, r.name, c.class_id, NULL, NULL, 'ncen_classes', 'form'
  FROM ncen_classes c JOIN ncen_reports r USING (accession_number) WHERE c.class_id IS NOT NULL
  UNION ALL SELECT c.accession_number, r.registrant_cik, 'ticker', unnest(tickers_stated(c.ticker)), concat_ws(' ', c.class_id, c.name), r.name, c.class_id, NULL, c.ticker,
    'ncen_classes', 'form' FROM ncen_classes c JOIN ncen_reports r USING (accession_number) WHERE c.ticker IS NOT NULL
  UNION ALL SELECT DISTINCT accession_number, owner_cik, u.kind, u.value, u.title, name, u.security, NULL::DATE, u.stated, 'header_series', 'header' FROM (
    SELECT s.accession_number, owner_cik, h.name, unnest(list_concat([{kind: 'series', value: series_id, title: series_name, security: series_id, stated: NULL::VARCHAR},
      {kind: 'class', value: class_id, title: nullif(concat_ws(' ', series_name, nullif(class_name, series_name)), ''), security: class_id, stated: NULL}], list_transform(tickers_stated(ticker), lambda one:
      {kind: 'ticker', value: one, title: concat_ws(' ', class_id, series_name, nullif(class_name, series_name)), security: class_id, stated: ticker}))) AS u
    FROM (SELECT h.* REPLACE (coalesce(owner_cik, CASE WHEN status IN ('existing', 'new') THEN o.cik END) AS owner_cik) FROM header_series h LEFT JOIN (
        SELECT accession_number, min(cik) AS cik FROM headers WHERE role = 'filer' GROUP BY ALL HAVING count(DISTINCT cik) = 1) o USING (accession_number)) s
      LEFT JOIN (SELECT accession_number, cik, min(name) AS name FROM headers GROUP BY ALL) h ON h.accession_number = s.accession_number AND h.cik = s.owner_cik)
  UNION ALL SELECT k.accession_number, coalesce(h.cik, filing_cik), 'event', form_type, NULL, h.name, h.security, NULL, NULL, 'filings', 'header'
  FROM known k LEFT JOIN headers h ON h.accession_number = k.accession_number
    AND coalesce(h.role, '') NOT IN ('filed_by', 'reporting_owner') WHERE regexp_matches(form_type, '^(25|15F?)(-|$)|^8-K1[25]')
  UNION ALL SELECT accession_number, filing_cik, 'event', form_type || ' item ' || i.item, i.title, NULL, NULL, NULL, NULL, 'items_8k', 'header'
  FROM items_8k i JOIN known USING (accession_number) WHERE i.item IN ('2', '2.01', '3.01', '5.03')
)
SELECT cik, kind, value, title, name, security, changed_day, CASE kind WHEN 'cusip' THEN is_cusip(value) WHEN 'isin' THEN is_isin(value) WHEN 'lei' THEN is_lei(value) END AS is_proven,
  stated, accession_number, k.form_type, k.filing_date, k.known_from, place, read_from
FROM statements s JOIN known k USING (accession_number) WHERE value IS NOT NULL AND (moment IS NULL OR k.known_from <= eastern_time(moment, 'identities_as_of'))
UNION ALL BY NAME
SELECT cik, 'ticker' AS kind, unnest(tickers_stated(ticker)) AS value, name, security, ticker AS stated, known_from, 'entity_tickers' AS place, 'list' AS read_from
FROM lists WHERE ticker IS NOT NULL AND (moment IS NULL OR known_from <= eastern_time(moment, 'identities_as_of'))
UNION ALL BY NAME
SELECT cik, 'exchange' AS kind, exchange_named(exchange) AS value, name, security, exchange AS stated, known_from, 'entity_tickers' AS place, 'list' AS read_from
FROM lists WHERE exchange_named(exchange) IS NOT NULL AND (moment IS NULL OR known_from <= eastern_time(moment, 'identities_as_of'));

-- What filings say about who is who: the rows of identities_as_of now
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP VIEW identities AS
FROM identities_as_of(NULL);

-- From which day to which a company's ticker, its exchange and its CUSIP held, as known at a moment, for some of these kinds, and CUSIPs of some companies alone: security_spans(null, ['cusip'], ['1418091']); null: now, all
-- A CUSIP belongs to the company that a Schedule 13D or 13G states, or whose issuer number it has: linked_by says which. Names link none: a
-- successor and a fund may have them. A value ends when another of the same class has begun and outlasts it, if most of
-- each lies outside the other; or with a Form 25 or 15 after which nobody states it: not of a fund, whose class these forms do not name. A ticker that its company leaves for a year, while it
-- states others, begins a new span, and so does one that another company takes a year after the last filing with it.
-- What several steps read is materialized: DuckDB 1.3 would plan it again for each, and never end. It would lose all rows if
-- one of these steps had none by its text alone: hence tickers of any kinds, and schedules that are not.
-- `cik`: the company
-- `kind`: ticker, exchange or cusip
-- `ticker`: of an exchange: the ticker that it is of
-- `value`: the ticker, exchange or CUSIP
-- `class`: common, class A, adr; else the title of the security in capitals; null: only a list or the symbol of a preferred, warrant, unit or note says that it exists
-- `title`: title that most filings have
-- `from_day`: day of the first filing that states it
-- `until_day`: day from which it is not so; null: no end is known
-- `until_by`: the next value, form, CIK or class that ends it
-- `last_day`: day of the last filing that states it
-- `filings`: how many filings state it
-- `first_accession_number`: the first of them
-- `last_accession_number`: the last of them
-- `linked_by`: of a CUSIP: schedule, or issuer number; else company
-- `spellings`: of a ticker: as filings and lists have it
-- `contradicts`: other companies and classes with the same value at the time, and other values of the same class
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO security_spans(moment, kinds, companies) AS TABLE
WITH evidence AS NOT MATERIALIZED (
  SELECT i.cik, i.kind, i.value, i.title, i.security, i.place, coalesce(i.filing_date, CAST(i.known_from AS DATE)) AS day, coalesce(i.accession_number, '') AS number
  FROM identities_as_of(moment) i WHERE i.kind IN ('ticker', 'exchange', 'cusip') AND (i.kind = 'ticker' OR list_contains(kinds, i.kind)) AND (i.kind = 'cusip' OR i.cik IS NOT NULL)
), symbols AS MATERIALIZED (
  SELECT DISTINCT cik, value, title, security, place, day, number FROM evidence WHERE kind = 'ticker'
), tickers AS MATERIALIZED (
  -- Classes of funds have numbers. What states none is of the class that had the ticker last, else first.
  SELECT * REPLACE (coalesce(fund, last_value(fund IGNORE NULLS) OVER (PARTITION BY cik, value ORDER BY day, number, fund),
    min({k: day, n: number, f: fund}) FILTER (fund IS NOT NULL) OVER (PARTITION BY cik, value).f, '') AS fund) FROM (
  SELECT s.* RENAME (value AS spelt), coalesce(f.value, s.value) AS value, nullif(regexp_extract(title, '^C\d{9}\b'), '') AS fund FROM symbols s LEFT JOIN (
    SELECT cik, value, unnest([replace(value, '-', ''), replace(value, '-P', 'PR')]) AS spelt FROM (SELECT DISTINCT cik, value FROM symbols) WHERE contains(value, '-')) f ON f.cik = s.cik AND f.spelt = s.value)
), events AS MATERIALIZED (
  SELECT cik, value, filing_date AS day FROM identities_as_of(moment) WHERE kind = 'event'
), ordered AS (
  SELECT *, lag(day) OVER (PARTITION BY cik, value, fund ORDER BY day, number) AS before FROM tickers
), gaps AS (
  SELECT DISTINCT o.cik, o.value, o.fund, o.day FROM (FROM ordered WHERE day - before > 550) o
  JOIN (SELECT cik, day FROM tickers UNION ALL SELECT cik, day FROM events WHERE regexp_matches(value, '^15F?-12')) x ON x.cik = o.cik AND x.day > o.before AND x.day < o.day
), said AS (
  SELECT cik, 'ticker' AS kind, '' AS scope, value, spelt, title, place, day, number, 'company' AS linked_by, fund,
    (SELECT count(*) FROM gaps g WHERE g.cik = t.cik AND g.value = t.value AND g.fund = t.fund AND g.day <= t.day) AS stretch FROM tickers t
  UNION ALL
  SELECT e.cik, 'exchange', t.value, e.value, NULL, t.title, e.place, e.day, e.number, 'company', t.fund, 0
  FROM evidence e JOIN tickers t ON t.cik = e.cik AND t.number = e.number AND t.place = e.place AND t.security = e.security WHERE e.kind = 'exchange'
  QUALIFY e.place <> 'entity_tickers' OR NOT bool_or(contains(e.value, ' ')) OVER (PARTITION BY e.cik, t.value, t.fund, split_part(e.value, ' ', 1))
), schedules AS (
  SELECT cik, value, n FROM (SELECT cik, value, count(DISTINCT number) AS n FROM evidence WHERE kind = 'cusip' AND cik IS NOT NULL GROUP BY ALL) WHERE is_cusip(value)
), issuers AS (
  -- Two companies with as many schedules: nobody can tell whose the other numbers are.
  SELECT issuer, CASE WHEN count(*) FILTER (n = most) = 1 THEN max({n: n, cik: cik}).cik END AS cik
  FROM (SELECT *, max(n) OVER (PARTITION BY issuer) AS most FROM (SELECT substr(value, 1, 6) AS issuer, cik, sum(n) AS n FROM schedules GROUP BY ALL)) GROUP BY ALL
), owned AS MATERIALIZED (
  SELECT s.cik, value, 'schedule' AS linked_by, coalesce(s.cik = i.cik, false) AS is_issuer FROM schedules s JOIN issuers i ON i.issuer = substr(value, 1, 6)
  UNION ALL SELECT DISTINCT i.cik, h.value, 'issuer number', true FROM (SELECT DISTINCT value FROM evidence WHERE kind = 'cusip' AND cik IS NULL) h
  JOIN issuers i ON i.issuer = substr(h.value, 1, 6) WHERE i.cik IS NOT NULL AND is_cusip(h.value) AND h.value NOT IN (SELECT value FROM schedules)
), owners AS (
  FROM owned WHERE companies IS NULL OR value IN (SELECT value FROM owned WHERE list_contains(companies, cik))
), spans AS MATERIALIZED (
  -- A preferred's, warrant's, unit's or note's symbol without a title, and one of a list alone, has no class but itself. Of a list's only symbol see below.
  SELECT * REPLACE (title.t AS title), CASE kind WHEN 'ticker' THEN value WHEN 'exchange' THEN scope END AS symbol, coalesce(nullif(fund, ''), share_class(title.t), CASE
      WHEN regexp_matches(symbol, '-(P[A-Z]?|WT[A-Z]?|UN|RI)$|[0-9]') THEN symbol WHEN regexp_matches(symbol, '-[A-Z]$') AND filings > 0 THEN 'class ' || right(symbol, 1) END) AS share
  FROM (SELECT cik, kind, scope, value, fund, stretch, min(linked_by) AS linked_by, bool_or(place = 'entity_tickers') AS listed, list(DISTINCT spelt) AS spellings,
    list_reverse_sort(list_transform(map_entries(histogram(title)), lambda one: {has: share_class(one.key) IS NOT NULL, n: one.value, t: one.key}))[1] AS title,
    min(day) AS from_day, max(day) AS last_day, count(DISTINCT nullif(number, '')) AS filings,
    min({k: day, n: number}) FILTER (number <> '').n AS first_number, max({k: day, n: number}) FILTER (number <> '').n AS last_number
  FROM (FROM said UNION ALL BY NAME SELECT o.cik, 'cusip' AS kind, '' AS scope, e.value, e.title, e.place, e.day, e.number, o.linked_by, '' AS fund, 0 AS stretch
    FROM evidence e JOIN owners o ON o.value = e.value WHERE e.kind = 'cusip' AND (e.cik = o.cik OR (e.cik IS NULL AND o.is_issuer))) GROUP BY ALL)
), classed AS MATERIALIZED (
  -- One class of stock may be `COM` for one filing and `Class A` for another, and nothing in a list: a company that has one in each kind has one.
  SELECT s.* EXCLUDE (share, listed, equity), CASE WHEN s.kind = 'exchange' THEN max(named) FILTER (s.kind = 'ticker') OVER (PARTITION BY s.cik, s.symbol, s.fund) ELSE named END AS class FROM (
    SELECT s.*, CASE WHEN filings = 0 AND (one IS NULL OR sum(CAST(listed AND kind = 'ticker' AS INTEGER)) OVER (PARTITION BY s.cik) > 1) THEN symbol
      WHEN equity AND coalesce(one, true) THEN coalesce(titled, 'common') ELSE share END AS named
    FROM (SELECT * REPLACE (coalesce(share, CASE WHEN kind = 'cusip' THEN upper(title) END, 'common') AS share), regexp_full_match(coalesce(share, 'common'), 'common|adr|class .') AS equity FROM spans) s
    LEFT JOIN (SELECT cik, max(share) FILTER (share <> 'common') AS titled, max(shares) <= 1 AS one FROM (
      SELECT cik, kind, max(share) AS share, count(DISTINCT share) AS shares FROM spans WHERE regexp_full_match(coalesce(share, 'common'), 'common|adr|class .') AND filings > 0 GROUP BY cik, kind) GROUP BY cik) USING (cik)) s
), ended AS (
  SELECT a.cik, a.kind, a.scope, a.value, a.fund, a.stretch, min(b.from_day) AS until_day, min({d: b.from_day, v: CASE WHEN b.value = a.value AND b.fund <> a.fund THEN 'class ' || b.fund ELSE b.value END}).v AS until_by
  FROM classed a JOIN classed b ON b.cik = a.cik AND b.kind = a.kind AND b.scope = a.scope AND CASE WHEN b.value <> a.value THEN b.class = a.class ELSE b.fund <> a.fund OR (b.class = a.class AND b.stretch > a.stretch) END
    AND b.from_day > a.from_day AND b.last_day > a.last_day AND (b.filings <> 1 OR a.filings < 3 OR b.kind <> 'ticker' OR (b.value = a.value AND b.fund = a.fund)) AND (b.from_day > a.last_day OR 2 * (a.last_day - b.from_day) < least(a.last_day - a.from_day, b.last_day - b.from_day))
  GROUP BY ALL
  UNION ALL SELECT a.cik, a.kind, a.scope, a.value, a.fund, a.stretch, min(b.from_day), min({d: b.from_day, v: 'CIK ' || b.cik}).v
  FROM classed a JOIN classed b ON a.kind = 'ticker' AND b.kind = 'ticker' AND b.value = a.value AND b.cik <> a.cik AND b.from_day > a.from_day AND b.from_day >= a.last_day - 30
  WHERE (b.filings > 1 AND b.last_day > a.last_day + 365) OR (a.filings < 3 AND b.from_day > a.last_day + 365) OR EXISTS (SELECT 1 FROM events e WHERE e.cik = b.cik AND regexp_matches(e.value, '^8-K1') AND abs(e.day - b.from_day) <= 365) GROUP BY ALL
  UNION ALL SELECT c.cik, c.kind, c.scope, c.value, c.fund, c.stretch, greatest(min(e.day), max(c.from_day) + 1), min({d: e.day, v: 'form ' || e.value}).v
  FROM classed c JOIN events e ON e.cik = c.cik AND regexp_matches(e.value, '^(25|15F?-12)') AND e.day >= c.from_day
    AND c.last_day <= e.day + CASE c.kind WHEN 'cusip' THEN 50 ELSE 3 END
  WHERE c.cik NOT IN (SELECT cik FROM classed WHERE fund <> '') GROUP BY ALL
), closed AS MATERIALIZED (
  SELECT c.*, n.until_day, n.until_by FROM classed c LEFT JOIN (SELECT cik, kind, scope, value, fund, stretch, min(until_day) AS until_day, min({d: until_day, v: until_by}).v AS until_by FROM ended GROUP BY ALL) n
  USING (cik, kind, scope, value, fund, stretch)
)
SELECT c.cik, c.kind, nullif(c.scope, '') AS ticker, c.value, nullif(c.class, c.symbol) AS class, c.title, c.from_day, c.until_day, c.until_by, c.last_day, c.filings, c.first_number AS first_accession_number,
  c.last_number AS last_accession_number, c.linked_by, c.spellings, nullif(list_sort(list_concat(
    coalesce((SELECT list(DISTINCT c.kind || ' ' || c.value || ' also of CIK ' || o.cik) FROM closed o WHERE o.kind = c.kind AND o.kind <> 'exchange' AND o.value = c.value AND o.cik <> c.cik
      AND o.from_day < coalesce(c.until_day, c.last_day + 366) AND c.from_day < coalesce(o.until_day, o.last_day + 366)), []),
    coalesce((SELECT list(DISTINCT 'also ' || c.kind || ' ' || o.value) FROM closed o WHERE o.cik = c.cik AND o.kind = c.kind AND o.scope = c.scope AND o.class = c.class AND o.value <> c.value
      AND o.from_day <= c.last_day AND o.last_day >= c.from_day), []),
    coalesce((SELECT list(DISTINCT 'ticker ' || c.value || ' also of class ' || o.fund) FROM closed o WHERE o.cik = c.cik AND o.kind = 'ticker' AND c.kind = 'ticker' AND o.value = c.value AND o.fund <> c.fund
      AND o.from_day < coalesce(c.until_day, DATE '9999-12-31') AND c.from_day < coalesce(o.until_day, DATE '9999-12-31')), []))), []) AS contradicts
FROM closed c WHERE list_contains(kinds, c.kind);

-- Which security a company had from day to day, as known at a moment: class, ticker, exchange and CUSIP, the filings that show it, and what contradicts it: securities_as_of('2015-06-30'); null: now
-- A row begins and ends where any of the three does. A ticker and a CUSIP share a row if each is the only one of its class: of
-- several nobody says which belong together.
-- `ticker`: null if only a CUSIP is known
-- `exchange`: of the ticker; of several the one that most filings state, NYSE or NASDAQ first: `contradicts` names the others
-- `cusip`: with the check digit; null if only a ticker is known
-- `from_day`: day from which the three are known together
-- `last_day`: day of the last filing that states the ticker or the CUSIP
-- `ticker_filings`: how many filings state the ticker
-- `ticker_first`: the first of them
-- `ticker_last`: the last of them
-- `cusip_filings`: how many filings state the CUSIP
-- `cusip_first`: the first of them
-- `cusip_last`: the last of them
-- `cusip_linked_by`: schedule, or issuer number: how the CUSIP is known to be the company's
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO securities_as_of(moment) AS TABLE
WITH spans AS MATERIALIZED (
  SELECT * REPLACE (coalesce(class, ticker, value) AS class), coalesce(until_day, DATE '9999-12-31') AS ends FROM security_spans(moment, ['ticker', 'exchange', 'cusip'], NULL)
), bounds AS (
  SELECT cik, class, from_day AS day FROM spans UNION SELECT cik, class, ends FROM spans
), pieces AS (
  SELECT cik, class, day AS from_day, lead(day) OVER (PARTITION BY cik, class ORDER BY day) AS ends FROM bounds
), said AS (
  SELECT p.cik, p.class, p.from_day, p.ends, s.kind, s.ticker AS scope, s.* EXCLUDE (cik, class, from_day, ends, kind, ticker),
    CASE WHEN count(*) OVER (PARTITION BY p.cik, p.class, p.from_day, s.kind) > 1 THEN s.value ELSE '' END AS several
  FROM pieces p JOIN spans s ON s.cik = p.cik AND s.class = p.class AND s.from_day <= p.from_day AND s.ends > p.from_day WHERE p.ends IS NOT NULL AND s.kind <> 'exchange'
)
SELECT cik, nullif(class, t.value) AS class, coalesce(t.title, c.title) AS title, t.value AS ticker, x.value AS exchange, c.value AS cusip, from_day, nullif(ends, DATE '9999-12-31') AS until_day,
  CASE WHEN t.until_day = ends THEN t.until_by WHEN c.until_day = ends THEN c.until_by WHEN x.until_day = ends THEN x.until_by END AS until_by,
  greatest(t.last_day, c.last_day) AS last_day, t.filings AS ticker_filings, t.first_accession_number AS ticker_first, t.last_accession_number AS ticker_last,
  c.filings AS cusip_filings, c.first_accession_number AS cusip_first, c.last_accession_number AS cusip_last, c.linked_by AS cusip_linked_by,
  nullif(list_concat(coalesce(t.contradicts, []), coalesce(c.contradicts, []), coalesce(x.contradicts, [])), []) AS contradicts
FROM (FROM said WHERE kind = 'ticker') t FULL JOIN (FROM said WHERE kind = 'cusip') c USING (cik, class, from_day, ends, several)
LEFT JOIN (SELECT cik AS of_cik, class AS of_class, ticker AS of_ticker, from_day AS x_from, ends AS x_ends, value, until_day, until_by, contradicts, filings FROM spans WHERE kind = 'exchange') x
  ON x.of_cik = cik AND x.of_class = class AND x.of_ticker = t.value AND x.x_from <= from_day AND x.x_ends > from_day
QUALIFY row_number() OVER (PARTITION BY cik, class, t.value, t.first_accession_number, c.value, from_day ORDER BY x.filings DESC, coalesce(x.value IN ('NYSE', 'NASDAQ'), false) DESC, x.value) = 1;

-- Which security a company had from day to day: the rows of securities_as_of now
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP VIEW securities AS
FROM securities_as_of(NULL);

-- Who had a ticker on a day, with the company's name by the newest filing of that day or before: who_was('TWTR', '2015-06-30'). is_between: filings state it before and after that day
-- `cik`: the company
-- `name`: by the newest filing of that day or before
-- `ticker`: as spans have it: BRK-B
-- `is_between`: whether a filing of that day or later states it too
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO who_was(some_ticker, some_day) AS TABLE
SELECT s.cik, (SELECT coalesce(max({d: coalesce(n.known_from, n.filing_date), v: n.value}) FILTER (n.filing_date <= CAST(some_day AS DATE)).v, min({d: coalesce(n.known_from, n.filing_date), v: n.value}).v)
    FROM identities_as_of(NULL) n WHERE n.kind = 'name' AND n.cik = s.cik AND n.place <> 'party_former_names' AND n.filing_date IS NOT NULL) AS name,
  s.value AS ticker, s.class, s.from_day, s.until_day, s.until_by, s.last_day, s.last_day >= CAST(some_day AS DATE) AS is_between, s.filings, s.first_accession_number,
  s.last_accession_number, s.contradicts
FROM security_spans(NULL, ['ticker'], NULL) s
WHERE list_has_any(list_append(tickers_in(some_ticker), symbol_form(some_ticker)), list_append(s.spellings, s.value)) AND s.from_day <= CAST(some_day AS DATE) AND coalesce(s.until_day, DATE '9999-12-31') > CAST(some_day AS DATE)
ORDER BY is_between DESC, s.last_day DESC, s.filings DESC, s.cik;

-- Tickers of a company on a day, by class: ticker_of('1418091', '2015-06-30')
-- `ticker`: as spans have it: BRK-B
-- `is_between`: whether a filing of that day or later states it too
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO ticker_of(some_cik, some_day) AS TABLE
SELECT s.value AS ticker, s.class, s.title, s.from_day, s.until_day, s.until_by, s.last_day, s.last_day >= CAST(some_day AS DATE) AS is_between, s.filings, s.contradicts
FROM security_spans(NULL, ['ticker'], NULL) s
WHERE s.cik = cik_of(some_cik) AND s.from_day <= CAST(some_day AS DATE) AND coalesce(s.until_day, DATE '9999-12-31') > CAST(some_day AS DATE)
ORDER BY s.filings DESC, s.value;

-- CUSIPs of a company in a stretch of days, by class: cusips_of('1418091', '2013-01-01', '2022-12-31')
-- `cusip`: with the check digit
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO cusips_of(some_cik, first_day, final_day) AS TABLE
SELECT s.value AS cusip, s.class, s.title, s.from_day, s.until_day, s.until_by, s.last_day, s.filings, s.linked_by, s.contradicts
FROM security_spans(NULL, ['cusip'], [cik_of(some_cik)]) s
WHERE s.cik = cik_of(some_cik) AND s.from_day <= CAST(final_day AS DATE) AND coalesce(s.until_day, DATE '9999-12-31') > CAST(first_day AS DATE)
ORDER BY s.from_day, s.value;

-- Names of a company as filings spell them, oldest first: the days on which they first and last had each, and EDGAR's day of change of a former name: names_of('1326801')
-- A name that EDGAR began twice has a row for each day of change, and one that came back after others a row without. What filings say of a name is with the day of change before them.
-- `name`: as filings spell it
-- `first_day`: day of the first filing under that name; null: only later headers state it as a former name
-- `last_day`: day of the last filing under that name
-- `filings`: how many filings have that name
-- `first_accession_number`: the first filing that states it
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO names_of(some_cik) AS TABLE
WITH said AS (
  SELECT i.value AS name, i.filing_date AS day, i.changed_day, i.accession_number, i.place = 'party_former_names' AS is_former FROM identities_as_of(NULL) i WHERE i.kind = 'name' AND i.cik = cik_of(some_cik)
), dated AS (
  SELECT * REPLACE (coalesce(changed_day, (SELECT CASE WHEN max({d: f.changed_day, n: f.name}) FILTER (f.changed_day <= s.day).n = s.name THEN max(f.changed_day) FILTER (f.changed_day <= s.day)
    WHEN coalesce(min(f.changed_day) FILTER (f.name = s.name) > s.day, false) THEN min(f.changed_day) FILTER (f.name = s.name) END FROM said f)) AS changed_day) FROM said s
)
SELECT name, min(day) FILTER (NOT is_former) AS first_day, max(day) FILTER (NOT is_former) AS last_day, changed_day, count(DISTINCT accession_number) FILTER (NOT is_former) AS filings,
  min({k: day, n: accession_number}).n AS first_accession_number
FROM dated GROUP BY name, changed_day ORDER BY least(changed_day, first_day), min(day), name;

-- What filings say of a company's former names, successors and other CIKs: same_company('1652044'). other_cik is null if no filing names one
-- A ticker that another company takes on within a year of a notice of a successor (8-K12B, 8-K12G3, 8-K15D5) goes with the company.
-- `other_cik`: null if no filing names one
-- `other_name`: its newest name
-- `how`: former name, a form, same EIN, same CUSIP, or same ticker and a notice of a successor
-- `detail`: the name, EIN, CUSIP or ticker
-- `day`: on which it is known, or EDGAR changed the name
-- `accession_number`: a filing that shows it
-- reads: ownership_reports|xbrl_facts|beneficial_reports|beneficial_text_cusips|f13_holdings|f13_text_holdings|nport_funds|ncen_reports|header_series, parties, filings, party_former_names, party_addresses, entity_tickers, entities, items_8k, beneficial_cusips, nport_holdings, nport_identifiers, ncen_funds, ncen_classes
CREATE OR REPLACE TEMP MACRO same_company(some_cik) AS TABLE
WITH said AS MATERIALIZED (
  SELECT i.kind, i.cik, i.value, i.changed_day, i.place, i.accession_number, i.filing_date AS day FROM identities_as_of(NULL) i
  WHERE i.kind IN ('name', 'ein', 'cusip', 'event') AND i.cik IS NOT NULL
), own AS (FROM said WHERE cik = cik_of(some_cik)
), notices AS (FROM said WHERE kind = 'event' AND regexp_matches(value, '^8-K1')
), held AS MATERIALIZED (FROM security_spans(NULL, ['ticker'], NULL)
), links AS (
  SELECT NULL::VARCHAR AS other_cik, 'former name' AS how, value AS detail, max(changed_day) AS day, min({k: day, n: accession_number}).n AS accession_number
  FROM own WHERE kind = 'name' AND place = 'party_former_names' GROUP BY value
  UNION ALL SELECT o.cik, 'form ' || e.value, NULL, e.day, e.accession_number
  FROM own e LEFT JOIN said o ON o.kind = 'event' AND o.accession_number = e.accession_number AND o.value = e.value AND o.cik <> e.cik
  WHERE e.kind = 'event' AND regexp_matches(e.value, '^(8-K1|15|25)')
  UNION ALL SELECT o.cik, 'same EIN', e.value, min(o.day), min({k: o.day, n: o.accession_number}).n
  FROM (SELECT DISTINCT value, cik FROM own WHERE kind = 'ein') e JOIN said o ON o.kind = 'ein' AND o.value = e.value AND o.cik <> e.cik
  WHERE regexp_full_match(e.value, '[0-9]{9}') AND e.value NOT IN ('000000000', '999999999', '123456789') GROUP BY o.cik, e.value
  UNION ALL SELECT o.cik, 'same CUSIP', c.value, min(o.day), min({k: o.day, n: o.accession_number}).n
  FROM (SELECT DISTINCT value, cik FROM own WHERE kind = 'cusip' AND is_cusip(value)) c JOIN said o ON o.kind = 'cusip' AND o.value = c.value AND o.cik <> c.cik GROUP BY o.cik, c.value
  UNION ALL SELECT b.cik, 'same ticker, and a notice of a successor', a.value, b.from_day, b.first_accession_number
  FROM held a JOIN held b ON b.value = a.value AND b.cik <> a.cik WHERE a.cik = cik_of(some_cik) AND EXISTS (SELECT 1 FROM notices n
    WHERE n.cik IN (a.cik, b.cik) AND abs(n.day - greatest(a.from_day, b.from_day)) <= 365)
)
SELECT DISTINCT l.other_cik, (SELECT max({d: n.day, v: n.value}).v FROM said n WHERE n.kind = 'name' AND n.cik = l.other_cik AND n.place <> 'party_former_names') AS other_name, l.how, l.detail, l.day, l.accession_number
FROM links l ORDER BY l.day, l.how, l.other_cik;
