CREATE SCHEMA IF NOT EXISTS sec345;

-- Reports on forms 3, 4 and 5
-- reads: ownership_reports, filings
CREATE OR REPLACE VIEW sec345.SUBMISSION AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  upper(strftime(g.filing_date, '%d-%b-%Y')) AS FILING_DATE,
  upper(strftime(t.period_of_report, '%d-%b-%Y')) AS PERIOD_OF_REPORT,
  upper(strftime(t.date_of_original_submission, '%d-%b-%Y')) AS DATE_OF_ORIG_SUB,
  CASE WHEN t.no_securities_owned THEN '1' WHEN NOT t.no_securities_owned THEN '0' END AS NO_SECURITIES_OWNED,
  CASE WHEN t.not_subject_to_section16 THEN '1' WHEN NOT t.not_subject_to_section16 THEN '0' END AS NOT_SUBJECT_SEC16,
  CASE WHEN t.form3_holdings_reported THEN '1' WHEN NOT t.form3_holdings_reported THEN '0' END AS FORM3_HOLDINGS_REPORTED,
  CASE WHEN t.form4_transactions_reported THEN '1' WHEN NOT t.form4_transactions_reported THEN '0' END AS FORM4_TRANS_REPORTED,
  t.form_type AS DOCUMENT_TYPE,
  lpad(t.issuer_cik, 10, '0') AS ISSUERCIK,
  t.issuer_name AS ISSUERNAME,
  t.issuer_trading_symbol AS ISSUERTRADINGSYMBOL,
  t.remarks AS REMARKS,
  CASE WHEN t.aff10b5_one THEN '1' WHEN NOT t.aff10b5_one THEN '0' END AS AFF10B5ONE
FROM ownership_reports t
LEFT JOIN filings g ON g.accession_number = t.accession_number;

-- Reporting owners
-- reads: ownership_owners
CREATE OR REPLACE VIEW sec345.REPORTINGOWNER AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  lpad(t.owner_cik, 10, '0') AS RPTOWNERCIK,
  t.owner_name AS RPTOWNERNAME,
  nullif(concat_ws(',', CASE WHEN t.is_director THEN 'Director' END, CASE WHEN t.is_officer THEN 'Officer' END, CASE WHEN t.is_ten_percent_owner
      THEN 'TenPercentOwner' END, CASE WHEN t.is_other THEN 'Other' END), '') AS RPTOWNER_RELATIONSHIP,
  t.officer_title AS RPTOWNER_TITLE,
  t.other_text AS RPTOWNER_TXT,
  t.street1 AS RPTOWNER_STREET1,
  t.street2 AS RPTOWNER_STREET2,
  t.city AS RPTOWNER_CITY,
  t.state AS RPTOWNER_STATE,
  t.zip AS RPTOWNER_ZIPCODE,
  t.state_description AS RPTOWNER_STATE_DESC,
  CAST(NULL AS VARCHAR) AS FILE_NUMBER
FROM ownership_owners t;

-- Transactions of Table I, with ids of footnotes
-- reads: ownership_transactions, ownership_footnote_refs
CREATE OR REPLACE VIEW sec345.NONDERIV_TRANS AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.line + 1 AS NONDERIV_TRANS_SK,
  t.security_title AS SECURITY_TITLE,
  n.f['security_title'] AS SECURITY_TITLE_FN,
  upper(strftime(t.transaction_date, '%d-%b-%Y')) AS TRANS_DATE,
  n.f['transaction_date'] AS TRANS_DATE_FN,
  upper(strftime(t.deemed_execution_date, '%d-%b-%Y')) AS DEEMED_EXECUTION_DATE,
  n.f['deemed_execution_date'] AS DEEMED_EXECUTION_DATE_FN,
  t.transaction_form_type AS TRANS_FORM_TYPE,
  t.transaction_code AS TRANS_CODE,
  CASE WHEN t.equity_swap_involved THEN '1' WHEN NOT t.equity_swap_involved THEN '0' END AS EQUITY_SWAP_INVOLVED,
  n.f['transaction_coding'] AS EQUITY_SWAP_TRANS_CD_FN,
  t.timeliness AS TRANS_TIMELINESS,
  n.f['timeliness'] AS TRANS_TIMELINESS_FN,
  t.shares AS TRANS_SHARES,
  n.f['shares'] AS TRANS_SHARES_FN,
  t.price_per_share AS TRANS_PRICEPERSHARE,
  n.f['price_per_share'] AS TRANS_PRICEPERSHARE_FN,
  t.acquired_disposed AS TRANS_ACQUIRED_DISP_CD,
  n.f['acquired_disposed'] AS TRANS_ACQUIRED_DISP_CD_FN,
  t.shares_following AS SHRS_OWND_FOLWNG_TRANS,
  n.f['shares_following'] AS SHRS_OWND_FOLWNG_TRANS_FN,
  t.value_following AS VALU_OWND_FOLWNG_TRANS,
  n.f['value_following'] AS VALU_OWND_FOLWNG_TRANS_FN,
  t.direct_indirect AS DIRECT_INDIRECT_OWNERSHIP,
  n.f['direct_indirect'] AS DIRECT_INDIRECT_OWNERSHIP_FN,
  t.nature_of_ownership AS NATURE_OF_OWNERSHIP,
  n.f['nature_of_ownership'] AS NATURE_OF_OWNERSHIP_FN
FROM ownership_transactions t
LEFT JOIN (SELECT accession_number, derivative, line, map_from_entries(list((field, ids))) AS f
  FROM (SELECT accession_number, derivative, line, field, string_agg(footnote_id, ',' ORDER BY position) AS ids
    FROM ownership_footnote_refs GROUP BY ALL) GROUP BY ALL) n
  ON n.accession_number = t.accession_number AND n.derivative = t.derivative AND n.line = t.line
WHERE NOT t.derivative;

-- Holdings of Table I, with ids of footnotes
-- reads: ownership_holdings, ownership_footnote_refs
CREATE OR REPLACE VIEW sec345.NONDERIV_HOLDING AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.line + 1 AS NONDERIV_HOLDING_SK,
  t.security_title AS SECURITY_TITLE,
  n.f['security_title'] AS SECURITY_TITLE_FN,
  t.transaction_form_type AS TRANS_FORM_TYPE,
  n.f['transaction_coding'] AS TRANS_FORM_TYPE_FN,
  t.shares_following AS SHRS_OWND_FOLWNG_TRANS,
  n.f['shares_following'] AS SHRS_OWND_FOLWNG_TRANS_FN,
  t.value_following AS VALU_OWND_FOLWNG_TRANS,
  n.f['value_following'] AS VALU_OWND_FOLWNG_TRANS_FN,
  t.direct_indirect AS DIRECT_INDIRECT_OWNERSHIP,
  n.f['direct_indirect'] AS DIRECT_INDIRECT_OWNERSHIP_FN,
  t.nature_of_ownership AS NATURE_OF_OWNERSHIP,
  n.f['nature_of_ownership'] AS NATURE_OF_OWNERSHIP_FN
FROM ownership_holdings t
LEFT JOIN (SELECT accession_number, derivative, line, map_from_entries(list((field, ids))) AS f
  FROM (SELECT accession_number, derivative, line, field, string_agg(footnote_id, ',' ORDER BY position) AS ids
    FROM ownership_footnote_refs GROUP BY ALL) GROUP BY ALL) n
  ON n.accession_number = t.accession_number AND n.derivative = t.derivative AND n.line = t.line
WHERE NOT t.derivative;

-- Transactions of Table II, with ids of footnotes
-- reads: ownership_transactions, ownership_footnote_refs
CREATE OR REPLACE VIEW sec345.DERIV_TRANS AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.line + 1 AS DERIV_TRANS_SK,
  t.security_title AS SECURITY_TITLE,
  n.f['security_title'] AS SECURITY_TITLE_FN,
  t.conversion_or_exercise_price AS CONV_EXERCISE_PRICE,
  n.f['conversion_or_exercise_price'] AS CONV_EXERCISE_PRICE_FN,
  upper(strftime(t.transaction_date, '%d-%b-%Y')) AS TRANS_DATE,
  n.f['transaction_date'] AS TRANS_DATE_FN,
  upper(strftime(t.deemed_execution_date, '%d-%b-%Y')) AS DEEMED_EXECUTION_DATE,
  n.f['deemed_execution_date'] AS DEEMED_EXECUTION_DATE_FN,
  t.transaction_form_type AS TRANS_FORM_TYPE,
  t.transaction_code AS TRANS_CODE,
  CASE WHEN t.equity_swap_involved THEN '1' WHEN NOT t.equity_swap_involved THEN '0' END AS EQUITY_SWAP_INVOLVED,
  n.f['transaction_coding'] AS EQUITY_SWAP_TRANS_CD_FN,
  t.timeliness AS TRANS_TIMELINESS,
  n.f['timeliness'] AS TRANS_TIMELINESS_FN,
  t.shares AS TRANS_SHARES,
  n.f['shares'] AS TRANS_SHARES_FN,
  t.total_value AS TRANS_TOTAL_VALUE,
  n.f['total_value'] AS TRANS_TOTAL_VALUE_FN,
  t.price_per_share AS TRANS_PRICEPERSHARE,
  n.f['price_per_share'] AS TRANS_PRICEPERSHARE_FN,
  t.acquired_disposed AS TRANS_ACQUIRED_DISP_CD,
  n.f['acquired_disposed'] AS TRANS_ACQUIRED_DISP_CD_FN,
  upper(strftime(t.exercise_date, '%d-%b-%Y')) AS EXCERCISE_DATE,
  n.f['exercise_date'] AS EXCERCISE_DATE_FN,
  upper(strftime(t.expiration_date, '%d-%b-%Y')) AS EXPIRATION_DATE,
  n.f['expiration_date'] AS EXPIRATION_DATE_FN,
  t.underlying_title AS UNDLYNG_SEC_TITLE,
  n.f['underlying_title'] AS UNDLYNG_SEC_TITLE_FN,
  t.underlying_shares AS UNDLYNG_SEC_SHARES,
  n.f['underlying_shares'] AS UNDLYNG_SEC_SHARES_FN,
  t.underlying_value AS UNDLYNG_SEC_VALUE,
  n.f['underlying_value'] AS UNDLYNG_SEC_VALUE_FN,
  t.shares_following AS SHRS_OWND_FOLWNG_TRANS,
  n.f['shares_following'] AS SHRS_OWND_FOLWNG_TRANS_FN,
  t.value_following AS VALU_OWND_FOLWNG_TRANS,
  n.f['value_following'] AS VALU_OWND_FOLWNG_TRANS_FN,
  t.direct_indirect AS DIRECT_INDIRECT_OWNERSHIP,
  n.f['direct_indirect'] AS DIRECT_INDIRECT_OWNERSHIP_FN,
  t.nature_of_ownership AS NATURE_OF_OWNERSHIP,
  n.f['nature_of_ownership'] AS NATURE_OF_OWNERSHIP_FN
FROM ownership_transactions t
LEFT JOIN (SELECT accession_number, derivative, line, map_from_entries(list((field, ids))) AS f
  FROM (SELECT accession_number, derivative, line, field, string_agg(footnote_id, ',' ORDER BY position) AS ids
    FROM ownership_footnote_refs GROUP BY ALL) GROUP BY ALL) n
  ON n.accession_number = t.accession_number AND n.derivative = t.derivative AND n.line = t.line
WHERE t.derivative;

-- Holdings of Table II, with ids of footnotes
-- reads: ownership_holdings, ownership_footnote_refs
CREATE OR REPLACE VIEW sec345.DERIV_HOLDING AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.line + 1 AS DERIV_HOLDING_SK,
  t.security_title AS SECURITY_TITLE,
  n.f['security_title'] AS SECURITY_TITLE_FN,
  t.conversion_or_exercise_price AS CONV_EXERCISE_PRICE,
  n.f['conversion_or_exercise_price'] AS CONV_EXERCISE_PRICE_FN,
  t.transaction_form_type AS TRANS_FORM_TYPE,
  n.f['transaction_coding'] AS TRANS_FORM_TYPE_FN,
  upper(strftime(t.exercise_date, '%d-%b-%Y')) AS EXCERCISE_DATE,
  n.f['exercise_date'] AS EXCERCISE_DATE_FN,
  upper(strftime(t.expiration_date, '%d-%b-%Y')) AS EXPIRATION_DATE,
  n.f['expiration_date'] AS EXPIRATION_DATE_FN,
  t.underlying_title AS UNDLYNG_SEC_TITLE,
  n.f['underlying_title'] AS UNDLYNG_SEC_TITLE_FN,
  t.underlying_shares AS UNDLYNG_SEC_SHARES,
  n.f['underlying_shares'] AS UNDLYNG_SEC_SHARES_FN,
  t.underlying_value AS UNDLYNG_SEC_VALUE,
  n.f['underlying_value'] AS UNDLYNG_SEC_VALUE_FN,
  t.shares_following AS SHRS_OWND_FOLWNG_TRANS,
  n.f['shares_following'] AS SHRS_OWND_FOLWNG_TRANS_FN,
  t.value_following AS VALU_OWND_FOLWNG_TRANS,
  n.f['value_following'] AS VALU_OWND_FOLWNG_TRANS_FN,
  t.direct_indirect AS DIRECT_INDIRECT_OWNERSHIP,
  n.f['direct_indirect'] AS DIRECT_INDIRECT_OWNERSHIP_FN,
  t.nature_of_ownership AS NATURE_OF_OWNERSHIP,
  n.f['nature_of_ownership'] AS NATURE_OF_OWNERSHIP_FN
FROM ownership_holdings t
LEFT JOIN (SELECT accession_number, derivative, line, map_from_entries(list((field, ids))) AS f
  FROM (SELECT accession_number, derivative, line, field, string_agg(footnote_id, ',' ORDER BY position) AS ids
    FROM ownership_footnote_refs GROUP BY ALL) GROUP BY ALL) n
  ON n.accession_number = t.accession_number AND n.derivative = t.derivative AND n.line = t.line
WHERE t.derivative;

-- Footnotes
-- reads: ownership_footnotes
CREATE OR REPLACE VIEW sec345.FOOTNOTES AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.footnote_id AS FOOTNOTE_ID,
  t.text AS FOOTNOTE_TXT
FROM ownership_footnotes t;

-- Signatures
-- reads: ownership_signatures
CREATE OR REPLACE VIEW sec345.OWNER_SIGNATURE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.signature_name AS OWNERSIGNATURENAME,
  upper(strftime(t.signature_date, '%d-%b-%Y')) AS OWNERSIGNATUREDATE
FROM ownership_signatures t;
