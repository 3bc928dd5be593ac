/**
 * How the forms that people read most are laid out: their parts in order, and the columns that stand first. Everything else of a form
 * follows from its descriptors, so that a form without a layout is shown as well.
 */
import type { Row } from '../../filings/forms/index.ts';

export interface Part {
  readonly table: string;
  readonly title: string;
  /** Rows that have these values; default: all */
  readonly only?: Row;
  /** Columns that stand first, by name; `a|b` is the first that has a value; `address` is one column of several; `boxes` are all yes-or-no. */
  readonly columns: string;
  /** Column by which the largest rows are shown if there are too many */
  readonly largest?: string;
  /** Columns that name what is held, and how much of it: compared with the report before */
  readonly held?: { readonly by: readonly string[]; readonly amount: string };
}

const TRADE =
  'security_title transaction_date transaction_code acquired_disposed shares|total_value price_per_share shares_following|value_following direct_indirect nature_of_ownership';
const OPTION =
  'underlying_title underlying_shares|underlying_value conversion_or_exercise_price exercise_date expiration_date';
const HELD = 'security_title shares_following|value_following direct_indirect nature_of_ownership';

export const LAYOUTS: Readonly<Record<string, readonly Part[]>> = {
  ownership: [
    {
      table: 'ownership_reports',
      title: 'Report',
      columns: 'issuer_name issuer_trading_symbol issuer_cik period_of_report date_of_original_submission remarks',
    },
    {
      table: 'ownership_owners',
      title: 'Reporting owners',
      columns: 'owner_name boxes officer_title address owner_cik',
    },
    { table: 'ownership_transactions', title: 'Table I: transactions', only: { derivative: false }, columns: TRADE },
    { table: 'ownership_holdings', title: 'Table I: holdings', only: { derivative: false }, columns: HELD },
    {
      table: 'ownership_transactions',
      title: 'Table II: transactions in derivative securities',
      only: { derivative: true },
      columns: TRADE.replace('nature_of_ownership', OPTION),
    },
    {
      table: 'ownership_holdings',
      title: 'Table II: holdings of derivative securities',
      only: { derivative: true },
      columns: HELD.replace('nature_of_ownership', OPTION),
    },
    { table: 'ownership_footnotes', title: 'Notes', columns: 'footnote_id text' },
    { table: 'ownership_signatures', title: 'Signatures', columns: 'signature_name signature_date' },
  ],
  f13: [
    {
      table: 'f13_reports',
      title: 'Report',
      columns:
        'manager_name report_calendar_or_quarter report_type table_entry_total table_value_total value_unit holdings value_sum amendment_type additional_information address manager_address form13f_file_number',
    },
    {
      table: 'f13_holdings',
      title: 'Holdings',
      columns:
        'name_of_issuer title_of_class cusip value_usd|value shares_or_principal shares_or_principal_type put_call',
      largest: 'value',
      held: { by: ['cusip', 'put_call', 'shares_or_principal_type'], amount: 'shares_or_principal' },
    },
    { table: 'f13_managers', title: 'Other managers', columns: 'name form13f_file_number cik' },
  ],
  formd: [
    {
      table: 'formd_offerings',
      title: 'Offering',
      columns:
        'industry_group investment_fund_type date_of_first_sale total_offering_amount total_amount_sold total_remaining minimum_investment total_already_invested number_non_accredited sales_commissions finders_fees gross_proceeds_used revenue_range aggregate_nav_range boxes',
    },
    {
      table: 'formd_issuers',
      title: 'Issuers',
      columns: 'name entity_type jurisdiction year_of_inc address phone cik',
    },
    { table: 'formd_exemptions', title: 'Exemptions claimed', columns: 'item' },
    {
      table: 'formd_persons',
      title: 'Related persons',
      columns: 'first_name middle_name last_name relationship_1 relationship_2 relationship_clarification address',
    },
    { table: 'formd_recipients', title: 'Recipients of sales compensation', columns: 'name crd_number address' },
    {
      table: 'formd_signatures',
      title: 'Signatures',
      columns: 'issuer_name signature_name signature_title signature_date',
    },
  ],
  beneficial: [
    {
      table: 'beneficial_reports',
      title: 'Report',
      columns: 'issuer_name issuer_cik securities_class_title event_date amendment_no issuer_address',
    },
    {
      table: 'beneficial_persons',
      title: 'Reporting persons',
      columns:
        'name aggregate_amount percent_of_class sole_voting shared_voting sole_dispositive shared_dispositive citizenship',
    },
    { table: 'beneficial_items', title: 'Items', columns: 'item field text' },
    { table: 'beneficial_rules', title: 'Rules under which it is filed', columns: 'rule' },
    { table: 'beneficial_signatures', title: 'Signatures', columns: 'person_name signature title signature_date' },
  ],
  form144: [
    {
      table: 'form144_notices',
      title: 'Notice',
      columns: 'issuer_name account_name notice_date issuer_address issuer_phone sec_file_number remarks signature',
    },
    {
      table: 'form144_securities',
      title: 'Securities to be sold',
      columns:
        'class_title units_to_be_sold aggregate_market_value units_outstanding approximate_sale_date exchange broker_name',
    },
    {
      table: 'form144_acquisitions',
      title: 'How they were acquired',
      columns: 'class_title acquired_date nature from_whom amount payment_date nature_of_payment',
    },
    {
      table: 'form144_sales',
      title: 'Sold in the past three months',
      columns: 'seller_name class_title sale_date amount gross_proceeds',
    },
  ],
  nport: [
    {
      table: 'nport_funds',
      title: 'Fund',
      columns:
        'series_name registrant_name report_date net_assets total_assets total_liabilities holdings value_sum fiscal_year_end',
    },
    {
      table: 'nport_holdings',
      title: 'Holdings',
      columns: 'name title cusip asset_category balance units value_usd percent country',
      largest: 'value_usd',
      held: { by: ['name', 'title', 'cusip'], amount: 'balance' },
    },
  ],
};

/** Tables whose rows stand in another: notes beside their values, managers in the line of their holding. */
export const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['ownership_footnote_refs', 'f13_holding_managers']);

/** Labels that the name of a column does not give. */
export const LABELS: Readonly<Record<string, string>> = {
  acquired_disposed: 'Acquired or disposed',
  shares_following: 'Owned after',
  value_following: 'Value owned after',
  price_per_share: 'Price',
  security_title: 'Security',
  transaction_date: 'Date',
  transaction_code: 'Transaction',
  direct_indirect: 'Direct or indirect',
  nature_of_ownership: 'Nature of indirect ownership',
  conversion_or_exercise_price: 'Conversion or exercise price',
  exercise_date: 'Exercisable from',
  expiration_date: 'Expires',
  underlying_title: 'Underlying security',
  issuer_trading_symbol: 'Ticker',
  is_ten_percent_owner: '10% owner',
  aff10b5_one: 'Rule 10b5-1 plan',
  name_of_issuer: 'Issuer',
  title_of_class: 'Class',
  shares_or_principal: 'Shares or principal',
  shares_or_principal_type: 'Type',
  put_call: 'Put or call',
  value_unit: 'Values filed in',
  value_usd: 'Value, $',
  value_sum: 'Sum of the rows',
  holdings: 'Rows of holdings',
  report_calendar_or_quarter: 'For the quarter to',
  aggregate_amount: 'Shares owned',
  percent_of_class: 'Of the class, %',
  percent: 'Of net assets, %',
  sole_voting: 'Sole vote',
  shared_voting: 'Shared vote',
  sole_dispositive: 'Sole power to sell',
  shared_dispositive: 'Shared power to sell',
  footnote_id: 'Note',
  form13f_file_number: 'Form 13F file number',
  first_name: 'First name',
  relationship_1: 'Relationship',
  relationship_2: 'And',
  year_of_inc: 'Since',
  manager_name: 'Manager',
  owner_name: 'Owner',
  owner_cik: 'CIK',
  issuer_name: 'Issuer',
  table_entry_total: 'Rows stated',
  table_value_total: 'Total stated',
};

export const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  value_unit: { thousands: 'thousands of dollars' },
  // General Instruction 8 of Form 4.
  transaction_code: {
    P: 'Purchase',
    S: 'Sale',
    V: 'Reported early',
    A: 'Grant or award',
    D: 'Sale to the issuer',
    F: 'Withheld for price or tax',
    I: 'Discretionary',
    M: 'Exercise or conversion',
    C: 'Conversion',
    E: 'Short position expired',
    H: 'Long position expired',
    O: 'Exercise, out of the money',
    X: 'Exercise, in the money',
    G: 'Gift',
    L: 'Small acquisition',
    W: 'Will or inheritance',
    Z: 'Voting trust',
    J: 'Other',
    K: 'Equity swap',
    U: 'Tender',
  },
  acquired_disposed: { A: 'Acquired', D: 'Disposed' },
  direct_indirect: { D: 'Direct', I: 'Indirect' },
  shares_or_principal_type: { SH: 'Shares', PRN: 'Principal' },
  units: { NS: 'Shares', PA: 'Principal', NC: 'Contracts', OU: 'Other' },
  asset_category: {
    EC: 'Common stock',
    EP: 'Preferred stock',
    DBT: 'Debt',
    STIV: 'Short-term vehicle',
    RA: 'Repurchase agreement',
    LON: 'Loan',
    SN: 'Structured note',
    'ABS-MBS': 'Mortgage-backed',
    'ABS-O': 'Asset-backed',
    'ABS-CBDO': 'CBO or CDO',
    'ABS-APCP': 'Commercial paper',
    COMM: 'Commodity',
    RE: 'Real estate',
    DFE: 'Foreign exchange derivative',
    DE: 'Equity derivative',
    DIR: 'Interest rate derivative',
    DCR: 'Credit derivative',
    DCO: 'Commodity derivative',
    DO: 'Other derivative',
  },
};
