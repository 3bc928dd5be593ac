/** Views in the names of SEC's data set of Form N-PORT. */
import { day, FILED, type FormView, id, secView, tenDigits, yesNo } from './view.ts';

const MONTHLY = ['sales', 'reinvestment', 'redemption', 'net_realized_gain', 'net_unrealized_appreciation'];
const amounts = [1, 2, 3].flatMap((month) =>
  MONTHLY.map((column) => `max(CASE WHEN month = ${month} THEN ${column} END) AS ${column}${month}`),
);
/** SEC's names for the terms of a sensitivity, with our columns. */
const TERMS = { '3MON': 'months_3', '1YR': 'years_1', '5YR': 'years_5', '10YR': 'years_10', '30YR': 'years_30' };
const byTerm = (name: (term: string) => string, column: (column: string) => string) =>
  Object.fromEntries(Object.entries(TERMS).map(([term, own]) => [name(term), column(own)]));
const spreads = (grade: string, alias: string) =>
  byTerm(
    (term) => `CREDIT_SPREAD_${term}_${grade}`,
    (column) => `${alias}.${column}`,
  );
const spreadJoin = (alias: string, metric: string) => `LEFT JOIN nport_rate_risks ${alias}
  ON ${alias}.accession_number = t.accession_number AND ${alias}.metric = '${metric}' AND ${alias}.position = 0`;

/** The three months of a report beside each other, and the sensitivity to spreads. */
const MONTHS_AND_SPREADS = {
  sql: `LEFT JOIN (SELECT accession_number, ${amounts.join(', ')} FROM nport_months GROUP BY accession_number) m
  ON m.accession_number = t.accession_number
${spreadJoin('i', 'spread_investment_grade')}
${spreadJoin('n', 'spread_non_investment_grade')}`,
  tables: ['nport_months', 'nport_rate_risks'],
};

/** A change by 1 basis point beside one by 100: a report may state one of them only. */
const RATE_CHANGES = {
  sql: `FULL JOIN (SELECT * FROM nport_rate_risks WHERE metric = 'dv100') h
  ON h.accession_number = t.accession_number AND h.currency IS NOT DISTINCT FROM t.currency AND t.metric = 'dv01'`,
  tables: [],
};

export const NPORT_VIEWS: readonly FormView[] = [
  secView({
    schema: 'secnport',
    name: 'SUBMISSION',
    meaning: 'Reports on Form N-PORT',
    table: 'nport_funds',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      FILING_DATE: FILED,
      FILE_NUM: 'registrant_file_number',
      SUB_TYPE: 'form_type',
      REPORT_ENDING_PERIOD: day('fiscal_year_end'),
      REPORT_DATE: day('report_date'),
      IS_LAST_FILING: yesNo('is_final'),
    },
  }),
  secView({
    schema: 'secnport',
    name: 'REGISTRANT',
    meaning: 'Registrants',
    table: 'nport_funds',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      CIK: tenDigits('registrant_cik'),
      REGISTRANT_NAME: 'registrant_name',
      FILE_NUM: 'registrant_file_number',
      LEI: 'registrant_lei',
      ADDRESS1: 'street1',
      ADDRESS2: 'street2',
      CITY: 'city',
      STATE: 'state',
      COUNTRY: 'country',
      ZIP: 'zip',
      PHONE: 'phone',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'FUND_REPORTED_INFO',
    meaning: 'Assets and flows of a series',
    table: 'nport_funds',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      SERIES_NAME: 'series_name',
      SERIES_ID: 'series_id',
      SERIES_LEI: 'series_lei',
      TOTAL_ASSETS: 'total_assets',
      TOTAL_LIABILITIES: 'total_liabilities',
      NET_ASSETS: 'net_assets',
      ASSETS_ATTRBT_TO_MISC_SECURITY: 'assets_miscellaneous',
      ASSETS_INVESTED: 'assets_invested',
      BORROWING_PAY_WITHIN_1YR: 'borrowings_1y_banks',
      CTRLD_COMPANIES_PAY_WITHIN_1YR: 'borrowings_1y_controlled',
      OTHER_AFFILIA_PAY_WITHIN_1YR: 'borrowings_1y_affiliates',
      OTHER_PAY_WITHIN_1YR: 'borrowings_1y_other',
      BORROWING_PAY_AFTER_1YR: 'borrowings_after_1y_banks',
      CTRLD_COMPANIES_PAY_AFTER_1YR: 'borrowings_after_1y_controlled',
      OTHER_AFFILIA_PAY_AFTER_1YR: 'borrowings_after_1y_affiliates',
      OTHER_PAY_AFTER_1YR: 'borrowings_after_1y_other',
      DELAYED_DELIVERY: 'delayed_delivery',
      STANDBY_COMMITMENT: 'standby_commitment',
      LIQUIDATION_PREFERENCE: 'liquidation_preference',
      CASH_NOT_RPTD_IN_C_OR_D: 'cash_not_reported',
      ...spreads('INVEST', 'i'),
      ...spreads('NONINVEST', 'n'),
      IS_NON_CASH_COLLATERAL: yesNo('has_non_cash_collateral'),
      SALES_FLOW_MON1: 'm.sales1',
      REINVESTMENT_FLOW_MON1: 'm.reinvestment1',
      REDEMPTION_FLOW_MON1: 'm.redemption1',
      NET_REALIZE_GAIN_NONDERIV_MON1: 'm.net_realized_gain1',
      NET_UNREALIZE_AP_NONDERIV_MON1: 'm.net_unrealized_appreciation1',
      SALES_FLOW_MON2: 'm.sales2',
      REINVESTMENT_FLOW_MON2: 'm.reinvestment2',
      REDEMPTION_FLOW_MON2: 'm.redemption2',
      NET_REALIZE_GAIN_NONDERIV_MON2: 'm.net_realized_gain2',
      NET_UNREALIZE_AP_NONDERIV_MON2: 'm.net_unrealized_appreciation2',
      SALES_FLOW_MON3: 'm.sales3',
      REINVESTMENT_FLOW_MON3: 'm.reinvestment3',
      REDEMPTION_FLOW_MON3: 'm.redemption3',
      NET_REALIZE_GAIN_NONDERIV_MON3: 'm.net_realized_gain3',
      NET_UNREALIZE_AP_NONDERIV_MON3: 'm.net_unrealized_appreciation3',
    },
    join: MONTHS_AND_SPREADS,
  }),
  secView({
    schema: 'secnport',
    name: 'FUND_REPORTED_HOLDING',
    meaning: 'Portfolio holdings',
    table: 'nport_holdings',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      HOLDING_ID: id('position'),
      ISSUER_NAME: 'name',
      ISSUER_LEI: 'lei',
      ISSUER_TITLE: 'title',
      ISSUER_CUSIP: 'cusip',
      BALANCE: 'balance',
      UNIT: 'units',
      OTHER_UNIT_DESC: 'units_description',
      CURRENCY_CODE: 'currency',
      CURRENCY_VALUE: 'value_usd',
      EXCHANGE_RATE: 'exchange_rate',
      PERCENTAGE: 'percent',
      PAYOFF_PROFILE: 'payoff_profile',
      ASSET_CAT: 'asset_category',
      OTHER_ASSET: 'asset_description',
      ISSUER_TYPE: 'issuer_category',
      OTHER_ISSUER: 'issuer_description',
      INVESTMENT_COUNTRY: 'country',
      IS_RESTRICTED_SECURITY: yesNo('is_restricted'),
      FAIR_VALUE_LEVEL: 'fair_value_level',
      DERIVATIVE_CAT: 'derivative_category',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'IDENTIFIERS',
    meaning: 'Identifiers of holdings',
    table: 'nport_identifiers',
    columns: {
      HOLDING_ID: id('holding'),
      IDENTIFIERS_ID: id('holding', 'position'),
      IDENTIFIER_ISIN: `CASE WHEN t.kind = 'isin' THEN t.value END`,
      IDENTIFIER_TICKER: `CASE WHEN t.kind = 'ticker' THEN t.value END`,
      OTHER_IDENTIFIER: `CASE WHEN t.kind = 'other' THEN t.value END`,
      OTHER_IDENTIFIER_DESC: 'description',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'DEBT_SECURITY',
    meaning: 'Debt securities',
    table: 'nport_debt',
    columns: {
      HOLDING_ID: id('holding'),
      MATURITY_DATE: day('maturity_date'),
      COUPON_TYPE: 'coupon_kind',
      ANNUALIZED_RATE: 'annual_rate',
      IS_DEFAULT: yesNo('is_default'),
      ARE_ANY_INTEREST_PAYMENT: yesNo('interest_in_arrears'),
      IS_ANY_PORTION_INTEREST_PAID: yesNo('paid_in_kind'),
      IS_CONVTIBLE_MANDATORY: yesNo('is_mandatory_convertible'),
      IS_CONVTIBLE_CONTINGENT: yesNo('is_contingent_convertible'),
      DELTA: 'delta_text',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'MONTHLY_TOTAL_RETURN',
    meaning: 'Total returns of classes',
    table: 'nport_returns',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      MONTHLY_TOTAL_RETURN_ID: id('position'),
      CLASS_ID: 'class_id',
      MONTHLY_TOTAL_RETURN1: 'return_month1',
      MONTHLY_TOTAL_RETURN2: 'return_month2',
      MONTHLY_TOTAL_RETURN3: 'return_month3',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'BORROWER',
    meaning: 'Borrowers of securities',
    table: 'nport_borrowers',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      BORROWER_ID: id('position'),
      NAME: 'name',
      LEI: 'lei',
      AGGREGATE_VALUE: 'value',
    },
  }),
  secView({
    schema: 'secnport',
    name: 'INTEREST_RATE_RISK',
    meaning: 'Change of value if interest rates change by 1 and by 100 basis points, by currency',
    table: 'nport_rate_risks',
    columns: {
      ACCESSION_NUMBER: 'coalesce(t.accession_number, h.accession_number)',
      INTEREST_RATE_RISK_ID: `coalesce(t.accession_number, h.accession_number) || '-' || coalesce(t.currency, h.currency, '')`,
      CURRENCY_CODE: 'coalesce(t.currency, h.currency)',
      ...byTerm(
        (term) => `INTRST_RATE_CHANGE_${term}_DV01`,
        (column) => `t.${column}`,
      ),
      ...byTerm(
        (term) => `INTRST_RATE_CHANGE_${term}_DV100`,
        (column) => `h.${column}`,
      ),
    },
    join: RATE_CHANGES,
    where: `t.metric = 'dv01' OR t.metric IS NULL`,
  }),
  secView({
    schema: 'secnport',
    name: 'FUND_VAR_INFO',
    meaning: 'Indexes to which funds compare their value at risk',
    table: 'nport_funds',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      DESIGNATED_INDEX_NAME: 'var_index_name',
      DESIGNATED_INDEX_IDENTIFIER: 'var_index_id',
    },
    where: 't.var_index_name IS NOT NULL OR t.var_index_id IS NOT NULL',
  }),
  secView({
    schema: 'secnport',
    name: 'SECURITIES_LENDING',
    meaning: 'Loans of holdings, and their collateral',
    table: 'nport_holdings',
    columns: {
      HOLDING_ID: id('position'),
      IS_CASH_COLLATERAL: yesNo('is_cash_collateral'),
      CASH_COLLATERAL_AMOUNT: 'cash_collateral_value',
      IS_NON_CASH_COLLATERAL: yesNo('is_non_cash_collateral'),
      NON_CASH_COLLATERAL_VALUE: 'non_cash_collateral_value',
      IS_LOAN_BY_FUND: yesNo('is_on_loan'),
      LOAN_VALUE: 'loan_value',
    },
    where: 'coalesce(t.is_cash_collateral, t.is_non_cash_collateral, t.is_on_loan) IS NOT NULL',
  }),
  secView({
    schema: 'secnport',
    name: 'DERIVATIVE_COUNTERPARTY',
    meaning: 'Counterparties of derivatives',
    table: 'nport_counterparties',
    columns: {
      HOLDING_ID: id('holding'),
      DERIVATIVE_COUNTERPARTY_ID: id('holding', 'path', 'position'),
      DERIVATIVE_COUNTERPARTY_NAME: 'name',
      DERIVATIVE_COUNTERPARTY_LEI: 'lei',
    },
    where: `t.path <> 'repo'`,
  }),
  secView({
    schema: 'secnport',
    name: 'FWD_FOREIGNCUR_CONTRACT_SWAP',
    meaning: 'Forwards and swaps of foreign currencies',
    table: 'nport_derivatives',
    columns: {
      HOLDING_ID: id('holding'),
      CURRENCY_SOLD_AMOUNT: 'amount_sold',
      DESC_CURRENCY_SOLD: 'currency_sold',
      CURRENCY_PURCHASED_AMOUNT: 'amount_purchased',
      DESC_CURRENCY_PURCHASED: 'currency_purchased',
      SETTLEMENT_DATE: day('settlement_date'),
      UNREALIZED_APPRECIATION: 'unrealized_appreciation',
    },
    where: 't.currency_sold IS NOT NULL OR t.currency_purchased IS NOT NULL',
  }),
  secView({
    schema: 'secnport',
    name: 'EXPLANATORY_NOTE',
    meaning: 'Explanatory notes',
    table: 'nport_notes',
    columns: {
      ACCESSION_NUMBER: 'accession_number',
      EXPLANATORY_NOTE_ID: id('position'),
      ITEM_NO: 'item',
      EXPLANATORY_NOTE: 'note',
    },
  }),
];
