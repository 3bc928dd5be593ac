CREATE SCHEMA IF NOT EXISTS secnport;

-- Reports on Form N-PORT
-- reads: nport_funds, filings
CREATE OR REPLACE VIEW secnport.SUBMISSION AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  upper(strftime(g.filing_date, '%d-%b-%Y')) AS FILING_DATE,
  t.registrant_file_number AS FILE_NUM,
  t.form_type AS SUB_TYPE,
  upper(strftime(t.fiscal_year_end, '%d-%b-%Y')) AS REPORT_ENDING_PERIOD,
  upper(strftime(t.report_date, '%d-%b-%Y')) AS REPORT_DATE,
  CASE WHEN t.is_final THEN 'Y' WHEN NOT t.is_final THEN 'N' END AS IS_LAST_FILING
FROM nport_funds t
LEFT JOIN filings g ON g.accession_number = t.accession_number;

-- Registrants
-- reads: nport_funds
CREATE OR REPLACE VIEW secnport.REGISTRANT AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  lpad(t.registrant_cik, 10, '0') AS CIK,
  t.registrant_name AS REGISTRANT_NAME,
  t.registrant_file_number AS FILE_NUM,
  t.registrant_lei AS LEI,
  t.street1 AS ADDRESS1,
  t.street2 AS ADDRESS2,
  t.city AS CITY,
  t.state AS STATE,
  t.country AS COUNTRY,
  t.zip AS ZIP,
  t.phone AS PHONE
FROM nport_funds t;

-- Assets and flows of a series
-- reads: nport_funds, nport_months, nport_rate_risks
CREATE OR REPLACE VIEW secnport.FUND_REPORTED_INFO AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.series_name AS SERIES_NAME,
  t.series_id AS SERIES_ID,
  t.series_lei AS SERIES_LEI,
  t.total_assets AS TOTAL_ASSETS,
  t.total_liabilities AS TOTAL_LIABILITIES,
  t.net_assets AS NET_ASSETS,
  t.assets_miscellaneous AS ASSETS_ATTRBT_TO_MISC_SECURITY,
  t.assets_invested AS ASSETS_INVESTED,
  t.borrowings_1y_banks AS BORROWING_PAY_WITHIN_1YR,
  t.borrowings_1y_controlled AS CTRLD_COMPANIES_PAY_WITHIN_1YR,
  t.borrowings_1y_affiliates AS OTHER_AFFILIA_PAY_WITHIN_1YR,
  t.borrowings_1y_other AS OTHER_PAY_WITHIN_1YR,
  t.borrowings_after_1y_banks AS BORROWING_PAY_AFTER_1YR,
  t.borrowings_after_1y_controlled AS CTRLD_COMPANIES_PAY_AFTER_1YR,
  t.borrowings_after_1y_affiliates AS OTHER_AFFILIA_PAY_AFTER_1YR,
  t.borrowings_after_1y_other AS OTHER_PAY_AFTER_1YR,
  t.delayed_delivery AS DELAYED_DELIVERY,
  t.standby_commitment AS STANDBY_COMMITMENT,
  t.liquidation_preference AS LIQUIDATION_PREFERENCE,
  t.cash_not_reported AS CASH_NOT_RPTD_IN_C_OR_D,
  i.months_3 AS CREDIT_SPREAD_3MON_INVEST,
  i.years_1 AS CREDIT_SPREAD_1YR_INVEST,
  i.years_5 AS CREDIT_SPREAD_5YR_INVEST,
  i.years_10 AS CREDIT_SPREAD_10YR_INVEST,
  i.years_30 AS CREDIT_SPREAD_30YR_INVEST,
  n.months_3 AS CREDIT_SPREAD_3MON_NONINVEST,
  n.years_1 AS CREDIT_SPREAD_1YR_NONINVEST,
  n.years_5 AS CREDIT_SPREAD_5YR_NONINVEST,
  n.years_10 AS CREDIT_SPREAD_10YR_NONINVEST,
  n.years_30 AS CREDIT_SPREAD_30YR_NONINVEST,
  CASE WHEN t.has_non_cash_collateral THEN 'Y' WHEN NOT t.has_non_cash_collateral THEN 'N' END AS IS_NON_CASH_COLLATERAL,
  m.sales1 AS SALES_FLOW_MON1,
  m.reinvestment1 AS REINVESTMENT_FLOW_MON1,
  m.redemption1 AS REDEMPTION_FLOW_MON1,
  m.net_realized_gain1 AS NET_REALIZE_GAIN_NONDERIV_MON1,
  m.net_unrealized_appreciation1 AS NET_UNREALIZE_AP_NONDERIV_MON1,
  m.sales2 AS SALES_FLOW_MON2,
  m.reinvestment2 AS REINVESTMENT_FLOW_MON2,
  m.redemption2 AS REDEMPTION_FLOW_MON2,
  m.net_realized_gain2 AS NET_REALIZE_GAIN_NONDERIV_MON2,
  m.net_unrealized_appreciation2 AS NET_UNREALIZE_AP_NONDERIV_MON2,
  m.sales3 AS SALES_FLOW_MON3,
  m.reinvestment3 AS REINVESTMENT_FLOW_MON3,
  m.redemption3 AS REDEMPTION_FLOW_MON3,
  m.net_realized_gain3 AS NET_REALIZE_GAIN_NONDERIV_MON3,
  m.net_unrealized_appreciation3 AS NET_UNREALIZE_AP_NONDERIV_MON3
FROM nport_funds t
LEFT JOIN (SELECT accession_number, max(CASE WHEN month = 1 THEN sales END) AS sales1, max(CASE WHEN month = 1 THEN reinvestment END)
    AS reinvestment1, max(CASE WHEN month = 1 THEN redemption END) AS redemption1, max(CASE WHEN month = 1 THEN net_realized_gain END)
    AS net_realized_gain1, max(CASE WHEN month = 1 THEN net_unrealized_appreciation END) AS net_unrealized_appreciation1, max(CASE WHEN month = 2
    THEN sales END) AS sales2, max(CASE WHEN month = 2 THEN reinvestment END) AS reinvestment2, max(CASE WHEN month = 2 THEN redemption END)
    AS redemption2, max(CASE WHEN month = 2 THEN net_realized_gain END) AS net_realized_gain2, max(CASE WHEN month = 2
    THEN net_unrealized_appreciation END) AS net_unrealized_appreciation2, max(CASE WHEN month = 3 THEN sales END) AS sales3, max(CASE WHEN month = 3
    THEN reinvestment END) AS reinvestment3, max(CASE WHEN month = 3 THEN redemption END) AS redemption3, max(CASE WHEN month = 3
    THEN net_realized_gain END) AS net_realized_gain3, max(CASE WHEN month = 3 THEN net_unrealized_appreciation END) AS net_unrealized_appreciation3
    FROM nport_months GROUP BY accession_number) m
  ON m.accession_number = t.accession_number
LEFT JOIN nport_rate_risks i
  ON i.accession_number = t.accession_number AND i.metric = 'spread_investment_grade' AND i.position = 0
LEFT JOIN nport_rate_risks n
  ON n.accession_number = t.accession_number AND n.metric = 'spread_non_investment_grade' AND n.position = 0;

-- Portfolio holdings
-- reads: nport_holdings
CREATE OR REPLACE VIEW secnport.FUND_REPORTED_HOLDING AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.accession_number || '-' || t.position AS HOLDING_ID,
  t.name AS ISSUER_NAME,
  t.lei AS ISSUER_LEI,
  t.title AS ISSUER_TITLE,
  t.cusip AS ISSUER_CUSIP,
  t.balance AS BALANCE,
  t.units AS UNIT,
  t.units_description AS OTHER_UNIT_DESC,
  t.currency AS CURRENCY_CODE,
  t.value_usd AS CURRENCY_VALUE,
  t.exchange_rate AS EXCHANGE_RATE,
  t.percent AS PERCENTAGE,
  t.payoff_profile AS PAYOFF_PROFILE,
  t.asset_category AS ASSET_CAT,
  t.asset_description AS OTHER_ASSET,
  t.issuer_category AS ISSUER_TYPE,
  t.issuer_description AS OTHER_ISSUER,
  t.country AS INVESTMENT_COUNTRY,
  CASE WHEN t.is_restricted THEN 'Y' WHEN NOT t.is_restricted THEN 'N' END AS IS_RESTRICTED_SECURITY,
  t.fair_value_level AS FAIR_VALUE_LEVEL,
  t.derivative_category AS DERIVATIVE_CAT
FROM nport_holdings t;

-- Identifiers of holdings
-- reads: nport_identifiers
CREATE OR REPLACE VIEW secnport.IDENTIFIERS AS
SELECT
  t.accession_number || '-' || t.holding AS HOLDING_ID,
  t.accession_number || '-' || t.holding || '-' || t.position AS IDENTIFIERS_ID,
  CASE WHEN t.kind = 'isin' THEN t.value END AS IDENTIFIER_ISIN,
  CASE WHEN t.kind = 'ticker' THEN t.value END AS IDENTIFIER_TICKER,
  CASE WHEN t.kind = 'other' THEN t.value END AS OTHER_IDENTIFIER,
  t.description AS OTHER_IDENTIFIER_DESC
FROM nport_identifiers t;

-- Debt securities
-- reads: nport_debt
CREATE OR REPLACE VIEW secnport.DEBT_SECURITY AS
SELECT
  t.accession_number || '-' || t.holding AS HOLDING_ID,
  upper(strftime(t.maturity_date, '%d-%b-%Y')) AS MATURITY_DATE,
  t.coupon_kind AS COUPON_TYPE,
  t.annual_rate AS ANNUALIZED_RATE,
  CASE WHEN t.is_default THEN 'Y' WHEN NOT t.is_default THEN 'N' END AS IS_DEFAULT,
  CASE WHEN t.interest_in_arrears THEN 'Y' WHEN NOT t.interest_in_arrears THEN 'N' END AS ARE_ANY_INTEREST_PAYMENT,
  CASE WHEN t.paid_in_kind THEN 'Y' WHEN NOT t.paid_in_kind THEN 'N' END AS IS_ANY_PORTION_INTEREST_PAID,
  CASE WHEN t.is_mandatory_convertible THEN 'Y' WHEN NOT t.is_mandatory_convertible THEN 'N' END AS IS_CONVTIBLE_MANDATORY,
  CASE WHEN t.is_contingent_convertible THEN 'Y' WHEN NOT t.is_contingent_convertible THEN 'N' END AS IS_CONVTIBLE_CONTINGENT,
  t.delta_text AS DELTA
FROM nport_debt t;

-- Total returns of classes
-- reads: nport_returns
CREATE OR REPLACE VIEW secnport.MONTHLY_TOTAL_RETURN AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.accession_number || '-' || t.position AS MONTHLY_TOTAL_RETURN_ID,
  t.class_id AS CLASS_ID,
  t.return_month1 AS MONTHLY_TOTAL_RETURN1,
  t.return_month2 AS MONTHLY_TOTAL_RETURN2,
  t.return_month3 AS MONTHLY_TOTAL_RETURN3
FROM nport_returns t;

-- Borrowers of securities
-- reads: nport_borrowers
CREATE OR REPLACE VIEW secnport.BORROWER AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.accession_number || '-' || t.position AS BORROWER_ID,
  t.name AS NAME,
  t.lei AS LEI,
  t.value AS AGGREGATE_VALUE
FROM nport_borrowers t;

-- Change of value if interest rates change by 1 and by 100 basis points, by currency
-- reads: nport_rate_risks
CREATE OR REPLACE VIEW secnport.INTEREST_RATE_RISK AS
SELECT
  coalesce(t.accession_number, h.accession_number) AS ACCESSION_NUMBER,
  coalesce(t.accession_number, h.accession_number) || '-' || coalesce(t.currency, h.currency, '') AS INTEREST_RATE_RISK_ID,
  coalesce(t.currency, h.currency) AS CURRENCY_CODE,
  t.months_3 AS INTRST_RATE_CHANGE_3MON_DV01,
  t.years_1 AS INTRST_RATE_CHANGE_1YR_DV01,
  t.years_5 AS INTRST_RATE_CHANGE_5YR_DV01,
  t.years_10 AS INTRST_RATE_CHANGE_10YR_DV01,
  t.years_30 AS INTRST_RATE_CHANGE_30YR_DV01,
  h.months_3 AS INTRST_RATE_CHANGE_3MON_DV100,
  h.years_1 AS INTRST_RATE_CHANGE_1YR_DV100,
  h.years_5 AS INTRST_RATE_CHANGE_5YR_DV100,
  h.years_10 AS INTRST_RATE_CHANGE_10YR_DV100,
  h.years_30 AS INTRST_RATE_CHANGE_30YR_DV100
FROM nport_rate_risks t
FULL JOIN (SELECT * FROM nport_rate_risks WHERE metric = 'dv100') h
  ON h.accession_number = t.accession_number AND h.currency IS NOT DISTINCT FROM t.currency AND t.metric = 'dv01'
WHERE t.metric = 'dv01' OR t.metric IS NULL;

-- Indexes to which funds compare their value at risk
-- reads: nport_funds
CREATE OR REPLACE VIEW secnport.FUND_VAR_INFO AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.var_index_name AS DESIGNATED_INDEX_NAME,
  t.var_index_id AS DESIGNATED_INDEX_IDENTIFIER
FROM nport_funds t
WHERE t.var_index_name IS NOT NULL OR t.var_index_id IS NOT NULL;

-- Loans of holdings, and their collateral
-- reads: nport_holdings
CREATE OR REPLACE VIEW secnport.SECURITIES_LENDING AS
SELECT
  t.accession_number || '-' || t.position AS HOLDING_ID,
  CASE WHEN t.is_cash_collateral THEN 'Y' WHEN NOT t.is_cash_collateral THEN 'N' END AS IS_CASH_COLLATERAL,
  t.cash_collateral_value AS CASH_COLLATERAL_AMOUNT,
  CASE WHEN t.is_non_cash_collateral THEN 'Y' WHEN NOT t.is_non_cash_collateral THEN 'N' END AS IS_NON_CASH_COLLATERAL,
  t.non_cash_collateral_value AS NON_CASH_COLLATERAL_VALUE,
  CASE WHEN t.is_on_loan THEN 'Y' WHEN NOT t.is_on_loan THEN 'N' END AS IS_LOAN_BY_FUND,
  t.loan_value AS LOAN_VALUE
FROM nport_holdings t
WHERE coalesce(t.is_cash_collateral, t.is_non_cash_collateral, t.is_on_loan) IS NOT NULL;

-- Counterparties of derivatives
-- reads: nport_counterparties
CREATE OR REPLACE VIEW secnport.DERIVATIVE_COUNTERPARTY AS
SELECT
  t.accession_number || '-' || t.holding AS HOLDING_ID,
  t.accession_number || '-' || t.holding || '-' || t.path || '-' || t.position AS DERIVATIVE_COUNTERPARTY_ID,
  t.name AS DERIVATIVE_COUNTERPARTY_NAME,
  t.lei AS DERIVATIVE_COUNTERPARTY_LEI
FROM nport_counterparties t
WHERE t.path <> 'repo';

-- Forwards and swaps of foreign currencies
-- reads: nport_derivatives
CREATE OR REPLACE VIEW secnport.FWD_FOREIGNCUR_CONTRACT_SWAP AS
SELECT
  t.accession_number || '-' || t.holding AS HOLDING_ID,
  t.amount_sold AS CURRENCY_SOLD_AMOUNT,
  t.currency_sold AS DESC_CURRENCY_SOLD,
  t.amount_purchased AS CURRENCY_PURCHASED_AMOUNT,
  t.currency_purchased AS DESC_CURRENCY_PURCHASED,
  upper(strftime(t.settlement_date, '%d-%b-%Y')) AS SETTLEMENT_DATE,
  t.unrealized_appreciation AS UNREALIZED_APPRECIATION
FROM nport_derivatives t
WHERE t.currency_sold IS NOT NULL OR t.currency_purchased IS NOT NULL;

-- Explanatory notes
-- reads: nport_notes
CREATE OR REPLACE VIEW secnport.EXPLANATORY_NOTE AS
SELECT
  t.accession_number AS ACCESSION_NUMBER,
  t.accession_number || '-' || t.position AS EXPLANATORY_NOTE_ID,
  t.item AS ITEM_NO,
  t.note AS EXPLANATORY_NOTE
FROM nport_notes t;
