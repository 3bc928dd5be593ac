CREATE SCHEMA IF NOT EXISTS sec13f;

-- Reports on Form 13F
-- reads: f13_reports, filings
CREATE OR REPLACE VIEW sec13f.SUBMISSION AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  upper(strftime(g.filing_date, '%d-%b-%Y')) AS FILING_DATE,
  t.form_type AS SUBMISSIONTYPE,
  lpad(t.filer_cik, 10, '0') AS CIK,
  upper(strftime(t.period_of_report, '%d-%b-%Y')) AS PERIODOFREPORT
FROM f13_reports t
LEFT JOIN filings g ON g.accession_number = t.accession_number;

-- Cover pages
-- reads: f13_reports
CREATE OR REPLACE VIEW sec13f.COVERPAGE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  upper(strftime(t.report_calendar_or_quarter, '%d-%b-%Y')) AS REPORTCALENDARORQUARTER,
  CASE WHEN t.is_amendment THEN 'Y' WHEN NOT t.is_amendment THEN 'N' END AS ISAMENDMENT,
  t.amendment_no AS AMENDMENTNO,
  t.amendment_type AS AMENDMENTTYPE,
  CASE WHEN t.conf_denied_expired THEN 'Y' WHEN NOT t.conf_denied_expired THEN 'N' END AS CONFDENIEDEXPIRED,
  upper(strftime(t.date_denied_expired, '%d-%b-%Y')) AS DATEDENIEDEXPIRED,
  upper(strftime(t.date_reported, '%d-%b-%Y')) AS DATEREPORTED,
  t.reason_for_non_confidentiality AS REASONFORNONCONFIDENTIALITY,
  t.manager_name AS FILINGMANAGER_NAME,
  t.manager_street1 AS FILINGMANAGER_STREET1,
  t.manager_street2 AS FILINGMANAGER_STREET2,
  t.manager_city AS FILINGMANAGER_CITY,
  t.manager_state AS FILINGMANAGER_STATEORCOUNTRY,
  t.manager_zip AS FILINGMANAGER_ZIPCODE,
  t.report_type AS REPORTTYPE,
  t.form13f_file_number AS FORM13FFILENUMBER,
  t.crd_number AS CRDNUMBER,
  t.sec_file_number AS SECFILENUMBER,
  CASE WHEN t.provide_info_for_instruction5 THEN 'Y' WHEN NOT t.provide_info_for_instruction5 THEN 'N' END AS PROVIDEINFOFORINSTRUCTION5,
  t.additional_information AS ADDITIONALINFORMATION
FROM f13_reports t;

-- Summary pages, with the totals that the manager states
-- reads: f13_reports
CREATE OR REPLACE VIEW sec13f.SUMMARYPAGE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.other_included_managers_count AS OTHERINCLUDEDMANAGERSCOUNT,
  t.table_entry_total AS TABLEENTRYTOTAL,
  t.table_value_total AS TABLEVALUETOTAL,
  CASE WHEN t.is_confidential_omitted THEN 'Y' WHEN NOT t.is_confidential_omitted THEN 'N' END AS ISCONFIDENTIALOMITTED
FROM f13_reports t;

-- Signatures
-- reads: f13_reports
CREATE OR REPLACE VIEW sec13f.SIGNATURE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.signature_name AS NAME,
  t.signature_title AS TITLE,
  t.signature_phone AS PHONE,
  t.signature AS SIGNATURE,
  t.signature_city AS CITY,
  t.signature_state AS STATEORCOUNTRY,
  upper(strftime(t.signature_date, '%d-%b-%Y')) AS SIGNATUREDATE
FROM f13_reports t;

-- Holdings; VALUE is as filed, in thousands or in dollars
-- reads: f13_holdings
CREATE OR REPLACE VIEW sec13f.INFOTABLE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.position + 1 AS INFOTABLE_SK,
  t.name_of_issuer AS NAMEOFISSUER,
  t.title_of_class AS TITLEOFCLASS,
  t.cusip AS CUSIP,
  t.figi AS FIGI,
  t.value AS VALUE,
  t.shares_or_principal AS SSHPRNAMT,
  t.shares_or_principal_type AS SSHPRNAMTTYPE,
  t.put_call AS PUTCALL,
  t.investment_discretion AS INVESTMENTDISCRETION,
  t.other_managers AS OTHERMANAGER,
  t.voting_sole AS VOTING_AUTH_SOLE,
  t.voting_shared AS VOTING_AUTH_SHARED,
  t.voting_none AS VOTING_AUTH_NONE
FROM f13_holdings t;

-- Managers who report for this one
-- reads: f13_managers
CREATE OR REPLACE VIEW sec13f.OTHERMANAGER AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.position + 1 AS OTHERMANAGER_SK,
  lpad(t.cik, 10, '0') AS CIK,
  t.form13f_file_number AS FORM13FFILENUMBER,
  t.crd_number AS CRDNUMBER,
  t.sec_file_number AS SECFILENUMBER,
  t.name AS NAME
FROM f13_managers t
WHERE t.kind = 'reporting';

-- Managers whose holdings the report includes
-- reads: f13_managers
CREATE OR REPLACE VIEW sec13f.OTHERMANAGER2 AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.sequence_number AS SEQUENCENUMBER,
  lpad(t.cik, 10, '0') AS CIK,
  t.form13f_file_number AS FORM13FFILENUMBER,
  t.crd_number AS CRDNUMBER,
  t.sec_file_number AS SECFILENUMBER,
  t.name AS NAME
FROM f13_managers t
WHERE t.kind = 'included';
