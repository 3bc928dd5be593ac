-- Accuracy of a number as places after the point; 99 if it is exact
CREATE OR REPLACE TEMP MACRO exactness(decimals) AS
CASE decimals WHEN 'INF' THEN 99 ELSE TRY_CAST(decimals AS INTEGER) END;

-- How far a number of this exactness may be from what it rounds
CREATE OR REPLACE TEMP MACRO rounding_of(exact) AS
CASE WHEN exact < 99 THEN 0.5000001 * pow(10.0, -exact) ELSE 0 END;

-- Time from which a filing is known: without an acceptance time the end of its day
CREATE OR REPLACE TEMP MACRO known_at(accepted, filed) AS
coalesce(accepted, CAST(filed + 1 AS TIMESTAMP));

-- Whether a filing stood at a moment, Eastern time: one that its service has removed stood until a run found that. Null: now
CREATE OR REPLACE TEMP MACRO stood_at(removed, moment) AS
removed IS NULL OR coalesce(make_timestamp(epoch_us(removed)) - INTERVAL 5 HOUR > CAST(moment AS TIMESTAMP), false);

-- The words and numbers of a sentence: two that differ in quotes, hyphens, blanks or capitals are the same. Numbers keep their signs and points.
CREATE OR REPLACE TEMP MACRO same_words(sentence) AS
regexp_replace(lower(sentence), '[^\p{L}\p{N}%$€£¥]+', '', 'g') || ' ' || coalesce(array_to_string(
  regexp_extract_all(translate(sentence, '–—−', '---'), '(?:^|[^\p{L}\p{N}])([-+(.]*\d(?:[.,/:-]?\d)*)', 1), ' '), '');

-- Whether a form is an annual or quarterly report or its amendment: no other form revises what these state
CREATE OR REPLACE TEMP MACRO is_report(form_type) AS
coalesce(regexp_matches(upper(form_type), '^(10-?[KQ]|20-?F|40-?F|6-?K)'), false);

-- Items that are counts of shares, or amounts for each: a split changes what they mean
CREATE OR REPLACE TEMP MACRO share_items() AS
['eps_basic', 'eps_diluted', 'dividends_per_share', 'shares_basic', 'shares_diluted', 'shares_outstanding'];

-- A value per share or a count of shares, after splits that give so many new shares for each
CREATE OR REPLACE TEMP MACRO on_newest_basis(amount, of_unit, factor) AS
CASE WHEN of_unit LIKE '%/%' THEN amount / factor ELSE amount * factor END;

-- A moment that a macro is asked for, Eastern time: one with a zone would be hours off
CREATE OR REPLACE TEMP MACRO eastern_time(moment, asked) AS
CASE WHEN regexp_matches(CAST(moment AS VARCHAR), ':\d\d[^-+a-z]*([-+]|[a-z])', 'i')
  THEN error(asked || ' takes Eastern time without a zone, not ' || CAST(moment AS VARCHAR) ||
    '. Of a time with a zone write: moment AT TIME ZONE ''America/New_York''') ELSE CAST(moment AS TIMESTAMP) END;

-- Number of the quarter that a fiscal period ends with
CREATE OR REPLACE TEMP MACRO last_quarter(fiscal_period) AS
CASE WHEN fiscal_period = 'Q1' THEN 1 WHEN fiscal_period IN ('Q2', 'H1') THEN 2 WHEN fiscal_period IN ('Q3', '9M') THEN 3
  WHEN fiscal_period IN ('Q4', 'FY') THEN 4 END;

-- A name without its prefix
CREATE OR REPLACE TEMP MACRO local_name(name) AS
regexp_replace(name, '^[^:]*:', '');

-- Version of a tag: us-gaap/2024, or the accession number for a company's own concept
CREATE OR REPLACE TEMP MACRO tag_version(concept, namespace, accession_number) AS
CASE WHEN regexp_matches(coalesce(namespace, ''), '^https?://(fasb\.org|xbrl\.sec\.gov|xbrl\.us|xbrl\.ifrs\.org)/')
  THEN split_part(concept, ':', 1) || '/' || regexp_extract(namespace, '(19|20)\d\d') ELSE accession_number END;

-- Nearest end of a month: fiscal periods end on a Saturday here and there
CREATE OR REPLACE TEMP MACRO month_end(d) AS
CASE WHEN day(d) < day(last_day(d)) - day(d) THEN date_trunc('month', d)::DATE - 1 ELSE last_day(d) END;

-- A day as a number: 20241231
CREATE OR REPLACE TEMP MACRO day_number(d) AS
CAST(strftime(d, '%Y%m%d') AS INTEGER);

-- Quarters of a duration; 0 for an instant, null without an end
CREATE OR REPLACE TEMP MACRO quarters(began, ended) AS
CAST(CASE WHEN ended IS NULL THEN NULL WHEN began IS NULL THEN 0 ELSE round((ended - began + 1) / 91.3) END AS INTEGER);

-- A name of an axis or a member as SEC shortens it
CREATE OR REPLACE TEMP MACRO short_name(name) AS
regexp_replace(regexp_replace(name, '^[^:]*:', ''), '(Axis|Member|Domain)$', '');

-- EquityComponents=AdditionalPaidInCapital; of all axes but the legal entity
CREATE OR REPLACE TEMP MACRO segments_of(dimensions) AS
CASE WHEN dimensions <> '{}' THEN nullif(array_to_string(list_sort(list_transform(
  list_filter(json_keys(dimensions), lambda axis: axis NOT LIKE '%:LegalEntityAxis'),
  lambda axis: regexp_replace(short_name(axis), '^Statement', '') || '=' ||
    coalesce(short_name(json_extract_string(dimensions, '$."' || axis || '"')), '') || ';')), ''), '') END;

-- The legal entity, if the dimensions have one
CREATE OR REPLACE TEMP MACRO legal_entity(dimensions) AS
short_name(json_extract_string(dimensions, '$."' || list_filter(json_keys(dimensions), lambda axis: axis LIKE '%:LegalEntityAxis')[1] || '"'));

-- Equal for equal segments: SEC's own hash is not published
CREATE OR REPLACE TEMP MACRO segments_hash(segments) AS
CASE WHEN segments IS NULL THEN '0x00000000' ELSE '0x' || md5(segments) END;

-- Kind of a statement, as SEC's data sets classify it by the words of the role's name. Without a definition of the role, its root says which it is, unless its URI is that of details
CREATE OR REPLACE TEMP MACRO statement_kind(definition, role, root) AS
CASE WHEN definition IS NULL THEN CASE
    WHEN regexp_matches(role, 'Detail|Table|Polic', 'i') THEN NULL
    WHEN regexp_full_match(root, 'dei:.*|.*:CoverAbstract') THEN 'CP'
    WHEN regexp_full_match(root, '.*StatementOfFinancialPosition.*') THEN 'BS'
    WHEN regexp_full_match(root, '.*StatementOfCashFlows.*') THEN 'CF'
    WHEN regexp_full_match(root, '.*Statement(OfStockholdersEquity|OfPartnersCapital|OfShareholdersEquity).*') THEN 'EQ'
    WHEN regexp_full_match(root, '.*StatementOf(OtherComprehensiveIncome|ComprehensiveIncome|IncomeAndComprehensiveIncome).*') THEN 'CI'
    WHEN regexp_full_match(root, '.*IncomeStatement.*') THEN 'IS' END
  WHEN NOT regexp_matches(definition, '- *(Statement|Document)', 'i') THEN NULL
  WHEN regexp_matches(definition, '- *Document|COVER|ENTITY INFORMATION', 'i') THEN 'CP'
  WHEN regexp_matches(definition, 'CASH FLOW', 'i') THEN 'CF'
  WHEN regexp_matches(definition, 'BALANCE SHEET|FINANCIAL (CONDITION|POSITION)|ASSETS AND LIABILITIES', 'i') THEN 'BS'
  WHEN regexp_matches(definition, '(SHAREHOLDERS|STOCKHOLDERS|SHAREOWNERS|MEMBERS|PARTNERS)?.{0,3} *(EQUITY|DEFICIT|CAPITAL)', 'i') THEN 'EQ'
  WHEN regexp_matches(definition, 'COMPREHENSIVE', 'i')
    AND NOT regexp_matches(definition, 'OPERATIONS|STATEMENTS? OF (NET )?(INCOME|EARNINGS) AND', 'i') THEN 'CI'
  WHEN regexp_matches(definition, 'OPERATIONS|INCOME|EARNINGS|LOSS', 'i') THEN 'IS' ELSE 'UN' END;

-- A CIK without zeros before it, of a number or a text
CREATE OR REPLACE TEMP MACRO cik_of(given) AS
regexp_extract(CAST(given AS VARCHAR), '0*(\d+)', 1);

-- What a digit or a letter of a security's code counts: 0 to 9, then A is 10; *, @ and # are CUSIP's own
CREATE OR REPLACE TEMP MACRO code_value(code, place) AS
instr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#', substr(code, place, 1)) - 1;

-- The digits of what a code's letter at an even place adds to the sum of a CUSIP
CREATE OR REPLACE TEMP MACRO doubled_value(code, place) AS
(2 * code_value(code, place)) // 10 + (2 * code_value(code, place)) % 10;

-- Whether the check digit of a CUSIP fits; nine zeros mean none
CREATE OR REPLACE TEMP MACRO is_cusip(code) AS
regexp_full_match(code, '[0-9A-Z*@#]{8}[0-9]') AND code <> '000000000' AND code_value(code, 9) = (10 - (
  code_value(code, 1) // 10 + code_value(code, 1) % 10 + doubled_value(code, 2) + code_value(code, 3) // 10 + code_value(code, 3) % 10 + doubled_value(code, 4) +
  code_value(code, 5) // 10 + code_value(code, 5) % 10 + doubled_value(code, 6) + code_value(code, 7) // 10 + code_value(code, 7) % 10 + doubled_value(code, 8)) % 10) % 10;

-- A code with each letter as its two digits
CREATE OR REPLACE TEMP MACRO digits_of(code) AS
array_to_string(list_transform(range(1, length(code) + 1), lambda place: CAST(code_value(code, place) AS VARCHAR)), '');

-- Whether the check digit of an ISIN fits: from the right every second digit counts twice
CREATE OR REPLACE TEMP MACRO is_isin(code) AS
regexp_full_match(code, '[A-Z]{2}[0-9A-Z]{9}[0-9]') AND list_sum(list_transform(range(1, length(digits_of(code)) + 1), lambda place:
  (1 + (place + 1) % 2) * TRY_CAST(substr(digits_of(code), -place, 1) AS INTEGER) // 10 + (1 + (place + 1) % 2) * TRY_CAST(substr(digits_of(code), -place, 1) AS INTEGER) % 10)) % 10 = 0;

-- Whether the two check digits of an LEI fit: its number leaves 1 after 97
CREATE OR REPLACE TEMP MACRO is_lei(code) AS
regexp_full_match(code, '[0-9A-Z]{18}[0-9]{2}') AND list_reduce(list_transform(string_split(digits_of(code), ''), lambda digit: TRY_CAST(digit AS INTEGER)),
  lambda sum, digit: (sum * 10 + digit) % 97) = 1;

-- What somebody typed as a ticker, without the names of exchanges
CREATE OR REPLACE TEMP MACRO without_exchange(typed) AS
regexp_replace(regexp_replace(regexp_replace(typed, '\b(NYSE|NASDAQ|NASD|AMEX|OTC|CBOE|BATS|TSX|TSXV|CSE)[A-Z ]*:', ' ', 'gi'),
  '\b(?:NYSE|NASDAQ|OTC[A-Z]*)\b(?: (?:AMERICAN|ARCA|MKT|GS|GM|CM|GLOBAL|SELECT|CAPITAL|NATIONAL|STOCK|MARKETS?|EXCHANGE|BB|QB|QX|PINK|BULLETIN|BOARD)\b)*|\bN/A\b', ' ', 'gi'), '\s+', ' ', 'g');

-- A symbol in one form, that of SEC's list: ORC.A, ORC/A and ORC A are ORC-A; ORC PR C, ORC.PRC and ORCpC ORC-PC; ORC WS ORC-WT, ORC.U ORC-UN, ORC RT ORC-RI
CREATE OR REPLACE TEMP MACRO symbol_form(typed) AS
regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(upper(regexp_replace(trim(typed), '^([A-Z]+)(?:p|[Pp]r)([A-Z])$', '\1-P\2')), '[ ./^-]+', '-', 'g'),
  '-P(?:R|FD)?-?([A-Z])$', '-P\1'), '-W[ST]([A-Z]?)$', '-WT\1'), '-UN?$', '-UN'), '-R[TI]$', '-RI');

-- The tickers that somebody typed: NYSE: BRK.A, [AAPL], GOOG/GOOGL; none of NONE and N/A, of words (See Remarks), nor of more than four. What stands behind
-- a symbol's blank, point or slash is part of it (ORC 25), unless it is a symbol itself.
CREATE OR REPLACE TEMP MACRO tickers_in(typed) AS
list_distinct(list_filter(list_transform(
  CASE WHEN len(regexp_extract_all(typed, '[A-Za-z]+')) <= 6 AND NOT regexp_matches(without_exchange(typed), '[a-z]{2} +[A-Za-z]{3}|[A-Za-z]{3} +[a-z]{3}')
    AND NOT regexp_matches(without_exchange(typed), ' (?:STOCK|SHARES|DETERMINED|TRADED|REMARKS|INC|CORP)\b|\b(?:STOCK|SHARES|COMMON) ', 'i')
    THEN regexp_extract_all(without_exchange(typed), '(?i)[A-Z0-9]+[ ./^-]+(?:PR[ ./-]?[A-Z]|W[ST][A-Z]?|RT|UN|[0-9]+[A-Z]?)\b|[A-Z]{2,5} [A-Z]\b|[A-Z0-9]+(?:[./^-][A-Z]{1,2}\b)?') ELSE [] END, lambda one: symbol_form(one)),
  lambda one: regexp_full_match(one, '[A-Z]{1,6}(-[A-Z0-9]{1,4})?') AND one NOT IN ('NONE', 'N-A', 'NA', 'NOT', 'APPLICABLE', 'UNKNOWN', 'PENDING', 'TBD', 'AND', 'NO', 'SYMBOL', 'TICKER', 'LISTED', 'PRIVATE', 'AMEX', 'PINK', 'SHEETS', 'YET')));

-- The tickers of a cover, a list or a fund's report: one as it stands, with digits too (XOM39A); or what somebody typed
CREATE OR REPLACE TEMP MACRO tickers_stated(symbol) AS
CASE WHEN regexp_full_match(symbol_form(symbol), '[A-Z]{1,5}([0-9]{1,3}[A-Z]?)?(-([A-Z]{1,2}|WT[A-Z]|[0-9]{1,4}[A-Z]?))?')
    AND symbol_form(symbol) NOT IN ('NONE', 'NA', 'N-A', 'TBD') AND NOT regexp_matches(symbol_form(symbol), '^(NYSE|AMEX|OTC)-')
  THEN [symbol_form(symbol)] ELSE tickers_in(symbol) END;

-- An exchange by one name, as covers and lists of tickers spell it
CREATE OR REPLACE TEMP MACRO exchange_named(typed) AS
CASE WHEN regexp_matches(typed, '^(N/?A|NONE)?$', 'i') THEN NULL WHEN regexp_matches(typed, 'AMER|AMEX|NYSE MKT', 'i') THEN 'NYSE American'
  WHEN regexp_matches(typed, 'ARCA', 'i') THEN 'NYSE Arca' WHEN regexp_matches(typed, 'NYSE|NEW YORK STOCK', 'i') THEN 'NYSE' WHEN regexp_matches(typed, 'NASD', 'i') THEN 'NASDAQ'
  WHEN regexp_matches(typed, 'CBOE|BATS', 'i') THEN 'CBOE' ELSE upper(trim(typed)) END;

-- A text with one blank where it has several, or one that does not break
CREATE OR REPLACE TEMP MACRO one_blank(printed) AS
regexp_replace(printed, '[\s\p{Z}]+', ' ', 'g');

-- The class that a title of a security means: common, class A, adr, or the title itself of what is not a company's stock
CREATE OR REPLACE TEMP MACRO share_class(title) AS
CASE WHEN regexp_matches(one_blank(title), '^[CS]\d{9}\b') THEN substr(title, 1, 10)
  WHEN regexp_matches(one_blank(title), 'PREFERRED|PREFERENCE|\bPFD|\bPREF\b|WARRANT|\bWTS?\b|RIGHTS?\b|NOTES?\b|BONDS?\b|DEBENTURE|\bDUE\b|%|\bDEBT|\bETN|^UNITS?\b|\bUNITS?,? EACH', 'i')
    AND (NOT regexp_matches(one_blank(title), '^COM', 'i') OR regexp_matches(title, 'WARRANT', 'i')) THEN trim(regexp_replace(upper(one_blank(title)), '[^A-Z0-9%.]+', ' ', 'g'))
  WHEN regexp_matches(one_blank(title), 'AMERICAN DEPOSIT|\bADS\b|\bADR\b|DEPOSITARY (SHARES|RECEIPTS)|\bSPONS', 'i') THEN 'adr'
  WHEN regexp_matches(one_blank(title), '\b(CL|CLASS|SERIES|SER)\b\.? *"?[A-Z]\b', 'i') THEN 'class ' || upper(regexp_extract(one_blank(title), '\b(?:CL|CLASS|SERIES|SER)\b\.? *"?([A-Z])\b', 1, 'i'))
  WHEN regexp_matches(one_blank(title), '\bCOM|\bCAP|\bORD|SHARES?\b|\bSHS?\b|STOCK\b|UNITS?\b|\bSTK', 'i') THEN 'common' END;

-- A company's name without what filings write in several ways: The, And, points and blanks, a state behind it, Corporation for Corp
CREATE OR REPLACE TEMP MACRO plain_name(name) AS
trim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(name), '\s*[/\\][a-z]{2,3}[/\\]?\s*$', ''), '[.''’]', '', 'g'), '[^a-z0-9]+', ' ', 'g'),
  '\b(?:the|and)\b', ' ', 'g'), '\b(corp|inc|co)(?:oration|orporated|mpany)\b', '\1', 'g'), ' +', ' ', 'g'));

-- A day as files of CRSP and Compustat write it: 2020-12-31, 20201231, 12/31/2020, 31DEC2020. A year has four digits: strptime would take 80 for the year 80
CREATE OR REPLACE TEMP MACRO link_day(written) AS
CASE WHEN regexp_full_match(written, '\d{4}-\d\d-\d\d([ T].*)?') THEN TRY_CAST(substr(written, 1, 10) AS DATE)
  WHEN regexp_full_match(written, '(?i)(\d{8}|\d\d?/\d\d?/\d{4}|\d{4}/\d\d?/\d\d?|\d\d?[A-Z]{3}\d{4}|\d\d?-[A-Z]{3}-\d{4})(\.0*)?')
  THEN CAST(try_strptime(regexp_replace(written, '\.0*$', ''), ['%Y%m%d', '%m/%d/%Y', '%Y/%m/%d', '%d%b%Y', '%d-%b-%Y']) AS DATE) END;
