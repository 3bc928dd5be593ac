CREATE SCHEMA IF NOT EXISTS secd;

-- Notices on Form D
-- reads: formd_offerings, filing_headers, filings
CREATE OR REPLACE VIEW secd.FORMDSUBMISSION AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  h.file_number AS FILE_NUM,
  upper(strftime(g.filing_date, '%d-%b-%Y')) AS FILING_DATE,
  h.sic AS SIC_CODE,
  t.schema_version AS SCHEMAVERSION,
  t.form_type AS SUBMISSIONTYPE,
  t.test_or_live AS TESTORLIVE,
  CASE WHEN t.over_100_persons THEN 'true' WHEN NOT t.over_100_persons THEN 'false' END AS OVER100PERSONSFLAG,
  CASE WHEN t.over_100_issuers THEN 'true' WHEN NOT t.over_100_issuers THEN 'false' END AS OVER100ISSUERFLAG
FROM formd_offerings t
LEFT JOIN filings g ON g.accession_number = t.accession_number
LEFT JOIN filing_headers h ON h.accession_number = t.accession_number;

-- Issuers
-- reads: formd_issuers, formd_issuer_names
CREATE OR REPLACE VIEW secd.ISSUERS AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  CASE WHEN t.is_primary THEN 'YES' ELSE 'NO' END AS IS_PRIMARYISSUER_FLAG,
  t.issuer + 1 AS ISSUER_SEQ_KEY,
  lpad(t.cik, 10, '0') AS CIK,
  t.name AS ENTITYNAME,
  t.street1 AS STREET1,
  t.street2 AS STREET2,
  t.city AS CITY,
  t.state AS STATEORCOUNTRY,
  t.state_description AS STATEORCOUNTRYDESCRIPTION,
  t.zip AS ZIPCODE,
  t.phone AS ISSUERPHONENUMBER,
  t.jurisdiction AS JURISDICTIONOFINC,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'issuer'
      AND p.position = 0) AS ISSUER_PREVIOUSNAME_1,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'issuer'
      AND p.position = 1) AS ISSUER_PREVIOUSNAME_2,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'issuer'
      AND p.position = 2) AS ISSUER_PREVIOUSNAME_3,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'edgar'
      AND p.position = 0) AS EDGAR_PREVIOUSNAME_1,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'edgar'
      AND p.position = 1) AS EDGAR_PREVIOUSNAME_2,
  (SELECT p.name FROM formd_issuer_names p WHERE p.accession_number = t.accession_number AND p.issuer = t.issuer AND p.kind = 'edgar'
      AND p.position = 2) AS EDGAR_PREVIOUSNAME_3,
  t.entity_type AS ENTITYTYPE,
  t.entity_type_other AS ENTITYTYPEOTHERDESC,
  CASE t.year_of_inc_choice WHEN 'within_five_years' THEN 'withinFiveYears' WHEN 'over_five_years' THEN 'overFiveYears' WHEN 'yet_to_be_formed'
      THEN 'yetToBeFormed' END AS YEAROFINC_TIMESPAN_CHOICE,
  t.year_of_inc AS YEAROFINC_VALUE_ENTERED
FROM formd_issuers t;

-- Offerings
-- reads: formd_offerings, formd_exemptions
CREATE OR REPLACE VIEW secd.OFFERING AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  t.industry_group AS INDUSTRYGROUPTYPE,
  t.investment_fund_type AS INVESTMENTFUNDTYPE,
  CASE WHEN t.is_40_act THEN 'true' WHEN NOT t.is_40_act THEN 'false' END AS IS40ACT,
  t.revenue_range AS REVENUERANGE,
  t.aggregate_nav_range AS AGGREGATENETASSETVALUERANGE,
  (SELECT string_agg(x.item, ',' ORDER BY x.position) FROM formd_exemptions x WHERE x.accession_number = t.accession_number)
      AS FEDERALEXEMPTIONS_ITEMS_LIST,
  CASE WHEN t.is_amendment THEN 'true' WHEN NOT t.is_amendment THEN 'false' END AS ISAMENDMENT,
  t.previous_accession_number AS PREVIOUSACCESSIONNUMBER,
  upper(strftime(t.date_of_first_sale, '%d-%b-%Y')) AS SALE_DATE,
  CASE WHEN t.yet_to_occur THEN 'true' WHEN NOT t.yet_to_occur THEN 'false' END AS YETTOOCCUR,
  CASE WHEN t.more_than_one_year THEN 'true' WHEN NOT t.more_than_one_year THEN 'false' END AS MORETHANONEYEAR,
  CASE WHEN t.is_equity THEN 'true' WHEN NOT t.is_equity THEN 'false' END AS ISEQUITYTYPE,
  CASE WHEN t.is_debt THEN 'true' WHEN NOT t.is_debt THEN 'false' END AS ISDEBTTYPE,
  CASE WHEN t.is_option THEN 'true' WHEN NOT t.is_option THEN 'false' END AS ISOPTIONTOACQUIRETYPE,
  CASE WHEN t.is_security_to_be_acquired THEN 'true' WHEN NOT t.is_security_to_be_acquired THEN 'false' END AS ISSECURITYTOBEACQUIREDTYPE,
  CASE WHEN t.is_pooled_fund THEN 'true' WHEN NOT t.is_pooled_fund THEN 'false' END AS ISPOOLEDINVESTMENTFUNDTYPE,
  CASE WHEN t.is_tenant_in_common THEN 'true' WHEN NOT t.is_tenant_in_common THEN 'false' END AS ISTENANTINCOMMONTYPE,
  CASE WHEN t.is_mineral_property THEN 'true' WHEN NOT t.is_mineral_property THEN 'false' END AS ISMINERALPROPERTYTYPE,
  CASE WHEN t.is_other THEN 'true' WHEN NOT t.is_other THEN 'false' END AS ISOTHERTYPE,
  t.description_of_other AS DESCRIPTIONOFOTHERTYPE,
  CASE WHEN t.is_business_combination THEN 'true' WHEN NOT t.is_business_combination THEN 'false' END AS ISBUSINESSCOMBINATIONTRANS,
  t.business_combination_clarification AS BUSCOMBCLARIFICATIONOFRESP,
  t.minimum_investment AS MINIMUMINVESTMENTACCEPTED,
  CAST(NULL AS VARCHAR) AS OVER100RECIPIENTFLAG,
  CASE WHEN t.total_offering_indefinite THEN 'Indefinite' ELSE regexp_replace(regexp_replace(CAST(t.total_offering_amount AS VARCHAR), '0+$', ''),
      '\.$', '') END AS TOTALOFFERINGAMOUNT,
  t.total_amount_sold AS TOTALAMOUNTSOLD,
  CASE WHEN t.total_remaining_indefinite THEN 'Indefinite' ELSE regexp_replace(regexp_replace(CAST(t.total_remaining AS VARCHAR), '0+$', ''), '\.$',
      '') END AS TOTALREMAINING,
  t.amounts_clarification AS SALESAMTCLARIFICATIONOFRESP,
  CASE WHEN t.has_non_accredited THEN 'true' WHEN NOT t.has_non_accredited THEN 'false' END AS HASNONACCREDITEDINVESTORS,
  t.number_non_accredited AS NUMBERNONACCREDITEDINVESTORS,
  t.total_already_invested AS TOTALNUMBERALREADYINVESTED,
  t.sales_commissions AS SALESCOMM_DOLLARAMOUNT,
  CASE WHEN t.sales_commissions_is_estimate THEN 'true' WHEN NOT t.sales_commissions_is_estimate THEN 'false' END AS SALESCOMM_ISESTIMATE,
  t.finders_fees AS FINDERSFEE_DOLLARAMOUNT,
  CASE WHEN t.finders_fees_is_estimate THEN 'true' WHEN NOT t.finders_fees_is_estimate THEN 'false' END AS FINDERSFEE_ISESTIMATE,
  t.fees_clarification AS FINDERFEECLARIFICATIONOFRESP,
  t.gross_proceeds_used AS GROSSPROCEEDSUSED_DOLLARAMOUNT,
  CASE WHEN t.gross_proceeds_used_is_estimate THEN 'true' WHEN NOT t.gross_proceeds_used_is_estimate THEN 'false' END AS GROSSPROCEEDSUSED_ISESTIMATE,
  t.proceeds_clarification AS GROSSPROCEEDSUSED_CLAROFRESP,
  CASE WHEN t.authorized_representative THEN 'true' WHEN NOT t.authorized_representative THEN 'false' END AS AUTHORIZEDREPRESENTATIVE
FROM formd_offerings t;

-- Related persons
-- reads: formd_persons
CREATE OR REPLACE VIEW secd.RELATEDPERSONS AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  t.person + 1 AS RELATEDPERSON_SEQ_KEY,
  t.first_name AS FIRSTNAME,
  t.middle_name AS MIDDLENAME,
  t.last_name AS LASTNAME,
  t.street1 AS STREET1,
  t.street2 AS STREET2,
  t.city AS CITY,
  t.state AS STATEORCOUNTRY,
  t.state_description AS STATEORCOUNTRYDESCRIPTION,
  t.zip AS ZIPCODE,
  t.relationship_1 AS RELATIONSHIP_1,
  t.relationship_2 AS RELATIONSHIP_2,
  t.relationship_3 AS RELATIONSHIP_3,
  t.relationship_clarification AS RELATIONSHIPCLARIFICATION
FROM formd_persons t;

-- Recipients of sales compensation
-- reads: formd_recipients, formd_recipient_states
CREATE OR REPLACE VIEW secd.RECIPIENTS AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  t.recipient + 1 AS RECIPIENT_SEQ_KEY,
  t.name AS RECIPIENTNAME,
  t.crd_number AS RECIPIENTCRDNUMBER,
  t.associated_bd_name AS ASSOCIATEDBDNAME,
  t.associated_bd_crd_number AS ASSOCIATEDBDCRDNUMBER,
  t.street1 AS STREET1,
  t.street2 AS STREET2,
  t.city AS CITY,
  t.state AS STATEORCOUNTRY,
  t.state_description AS STATEORCOUNTRYDESCRIPTION,
  t.zip AS ZIPCODE,
  CASE WHEN t.all_states THEN 'All States' ELSE (SELECT string_agg(s.state, ',' ORDER BY s.position) FROM formd_recipient_states s
      WHERE s.accession_number = t.accession_number AND s.recipient = t.recipient) END AS STATES_OR_VALUE_LIST,
  (SELECT string_agg(s.description, ',' ORDER BY s.position) FROM formd_recipient_states s WHERE s.accession_number = t.accession_number
      AND s.recipient = t.recipient) AS DESCRIPTIONS_LIST,
  CASE WHEN t.foreign_solicitation THEN 'true' WHEN NOT t.foreign_solicitation THEN 'false' END AS FOREIGNSOLICITATION
FROM formd_recipients t;

-- Signatures
-- reads: formd_signatures
CREATE OR REPLACE VIEW secd.SIGNATURES AS
SELECT
  t.accession_number AS ACCESSIONNUMBER,
  t.position + 1 AS SIGNATURE_SEQ_KEY,
  t.issuer_name AS ISSUERNAME,
  t.signature_name AS SIGNATURENAME,
  t.name_of_signer AS NAMEOFSIGNER,
  t.signature_title AS SIGNATURETITLE,
  upper(strftime(t.signature_date, '%d-%b-%Y')) AS SIGNATUREDATE
FROM formd_signatures t;
