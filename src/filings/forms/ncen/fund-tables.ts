/** Tables of Form N-CEN about each fund of the registrant. */
import { boolean, decimal, group, integer, position, text } from '../map/descriptor.ts';
import { answer, table } from './table.ts';

const fund = integer('fund', '', 'position in ncen_funds');

export const ncenFunds = table('ncen_funds', {
  meaning: 'Funds of a management company, one row for each series',
  key: [position],
  columns: [
    text('name', 'mgmtInvFundName', 'name of the fund'),
    text('series_id', 'mgmtInvSeriesId', 'S000…'),
    text('lei', 'mgmtInvLei', 'LEI'),
    boolean('is_first_filing', 'isFirstFilingByFund', 'first report of the fund'),
    integer('classes_authorized', 'numAuthorizedClass', 'classes of shares'),
    integer('classes_added', 'numAddedClass', 'classes added in the period'),
    integer('classes_terminated', 'numTerminatedClass', 'classes ended in the period'),
    boolean('is_non_diversified', 'isNonDiversifiedCompany', 'non-diversified company'),
    answer('has_foreign_subsidiary', 'isForeignSubsidiary', 'invests through a foreign subsidiary'),
    answer('may_lend_securities', 'isFundSecuritiesLending', 'authorized to lend securities'),
    boolean(
      'lent_securities',
      ['fundLendSecurities/@didFundLendSecurities', 'didFundLendSecurities'],
      'lent securities in the period',
    ),
    ...group('fundLendSecurities', null, [
      boolean('lending_liquidated_collateral', 'isFundLiquidated', 'collateral of a borrower in default was sold'),
      boolean('lending_adverse_impact', 'isFundAdverselyImpacted', 'a default harmed the fund otherwise'),
    ]),
    decimal('lent_value_average', 'avgPortfolioSecuritiesValue', 'monthly average of securities on loan, dollars'),
    decimal('lending_income', 'netIncomeSecuritiesLending', 'net income of lending, dollars'),
    boolean('has_expense_limit', 'isExpenseLimitationInPlace', 'an expense limit was in place'),
    boolean('expenses_waived', 'isExpenseReducedOrWaived', 'expenses were reduced or waived'),
    boolean('fees_recoupable', 'isFeesWaivedRecoupable', 'waived fees may be recouped'),
    boolean('waived_recouped', 'isExpenseWaivedRecoupable', 'waived expenses were recouped'),
    boolean('transfer_agent_changed', 'isTransferAgentHiredOrTerminated', 'hired or terminated in the period'),
    boolean('pricing_service_changed', 'isPricingServiceHiredOrTerminated', 'hired or terminated in the period'),
    boolean('custodian_changed', 'isCustodianHiredOrTerminated', 'hired or terminated in the period'),
    boolean('shareholder_agent_changed', 'isShareholderServiceHiredTerminated', 'hired or terminated in the period'),
    boolean('administrator_changed', 'isAdminHiredOrTerminated', 'hired or terminated in the period'),
    boolean('liquidity_service_changed', 'isLiquidityHiredTerminated', 'hired or terminated in the period'),
    decimal('commissions_total', 'aggregateCommission', 'brokerage commissions of the period, dollars'),
    decimal('principal_total', 'principalAggregatePurchase', 'principal transactions of the period, dollars'),
    boolean('paid_for_research', 'isBrokerageResearchPayment', 'commissions paid for research'),
    decimal('net_assets_average', 'mnthlyAvgNetAssets', 'monthly average of net assets, dollars'),
    boolean('has_credit_line', ['lineOfCredit/@hasLineOfCredit', 'hasLineOfCredit'], 'has a line of credit'),
    answer('lent_to_funds', 'isInterfundLending', 'lent to other funds of the family'),
    answer('borrowed_from_funds', 'isInterfundBorrowing', 'borrowed from other funds of the family'),
    answer('swing_pricing', 'isSwingPricing', 'used swing pricing'),
  ],
});

export const ncenFundTerms = table('ncen_fund_terms', {
  meaning: 'Values of which a fund may have several; N/A gives no row',
  key: [fund, text('kind', '', 'fund_type, rule (relied on) or lending_payment (how agents are paid)'), position],
  columns: [text('value', '.', 'as filed: Exchange-Traded Fund')],
});

export const ncenClasses = table('ncen_classes', {
  meaning: 'Classes of shares of a fund',
  key: [fund, position],
  columns: [
    text('name', '@sharesOutstandingClassName', 'name'),
    text('class_id', '@sharesOutstandingClassId', 'C000…'),
    text('ticker', '@sharesOutstandingTickerSymbol', 'ticker'),
  ],
});

/** The same values have other names for each kind. */
const PROVIDERS = [
  'investmentAdviser',
  'transferAgent',
  'pricingService',
  'custodian',
  'shareholderServiceAgent',
  'admin',
  'liquidity',
];
/** Paths for each prefix in place of `*`. */
const each = (prefixes: readonly string[], ...paths: string[]) =>
  paths.flatMap((path) => prefixes.map((prefix) => path.replaceAll('*', prefix)));

export const ncenProviders = table('ncen_providers', {
  meaning: 'Service providers of a fund',
  key: [
    fund,
    text(
      'kind',
      '',
      'adviser, transfer_agent, pricing_service, custodian, shareholder_agent, administrator, liquidity_service or collateral_manager',
    ),
    position,
  ],
  columns: [
    text('name', [...each(PROVIDERS, '*Name'), '@collateralManagerName'], 'name'),
    text('file_number', ['investmentAdviserFileNo', 'transferAgentFileNo'], '801-… or 84-… as filed'),
    text('crd_number', 'investmentAdviserCrdNo', 'as filed'),
    text('lei', [...each(PROVIDERS, '*Lei'), '@collateralManagerLei'], 'LEI'),
    text('other_id', 'pricingServiceOther', 'another number'),
    text('other_id_kind', 'pricingServiceIdNumberDesc', 'kind of that number'),
    text('state', each(PROVIDERS, '*StateCountry/@*State'), 'ISO code: US-MA', { empty: 'outside the US' }),
    text('country', each(PROVIDERS, '*StateCountry/@*Country', '*Country'), 'ISO code: US'),
    boolean(
      'is_affiliated',
      [
        'isTransferAgentAffiliated',
        'isPricingServiceAffiliated',
        'isCustodianAffiliated',
        'isShareholderServiceAgentAffiliated',
        'isAdminAffiliated',
        'isAffiliatedPerson',
        '@isCollateralManagerAffliliated',
      ],
      'affiliated with the fund or its adviser; a collateral manager: with the lending agent',
    ),
    boolean('is_affiliated_with_fund', '@isCollateralManagerAffliliatedWithFund', 'of a collateral manager'),
    boolean(
      'is_sub_provider',
      ['isTransferAgentSubAgent', 'isSubCustodian', 'isShareholderServiceAgentSubshare', 'isAdminSubAdmin'],
      'works for another provider',
    ),
    text('custody_type', 'custodyType', 'rule of the custody', { empty: 'no custodian' }),
    boolean('was_hired', 'isInvestmentAdviserHired', 'hired in the period', { empty: 'no adviser' }),
  ],
});

export const ncenLiquidityAssets = table('ncen_liquidity_assets', {
  meaning: 'Classes of assets that a liquidity service classifies',
  key: [fund, integer('service', '', 'position in ncen_providers, kind liquidity_service'), position],
  columns: [text('asset_class', '.', 'as filed')],
});

export const ncenLendingAgents = table('ncen_lending_agents', {
  meaning: 'Agents for lending securities',
  key: [fund, position],
  columns: [
    text('name', 'securitiesAgentName', 'name'),
    text('lei', 'securitiesAgentLei', 'LEI'),
    boolean('is_affiliated', 'isSecuritiesAgentAffiliated', 'affiliated with the fund or its adviser'),
    boolean('has_indemnity', 'securityAgentIdemnity/@isSecurityAgentIdemnity', 'indemnifies the fund'),
    boolean('indemnity_used', 'securityAgentIdemnity/didIndemnificationRights', 'the fund exercised its rights'),
  ],
});

export const ncenIndemnityProviders = table('ncen_indemnity_providers', {
  meaning: 'Other persons that indemnify the fund for an agent; N/A gives no row',
  key: [fund, integer('agent', '', 'position in ncen_lending_agents'), position],
  columns: [text('name', '@idemnityProviderName', 'name')],
});

const BROKERS = ['brokerDealer', 'broker', 'principal'];

export const ncenBrokers = table('ncen_brokers', {
  meaning: 'Brokers and dealers that a fund paid or traded with',
  key: [
    fund,
    text('kind', '', 'affiliated, broker (most commissions) or principal (most principal transactions)'),
    position,
  ],
  columns: [
    text('name', each(BROKERS, '*Name'), 'name'),
    text('file_number', each(BROKERS, '*FileNo'), '8-… as filed'),
    text('crd_number', each(BROKERS, '*CrdNo'), 'as filed'),
    text('lei', each(BROKERS, '*Lei'), 'LEI'),
    text('state', each(BROKERS, '*StateCountry/@*State'), 'ISO code: US-NY', { empty: 'outside the US' }),
    text('country', each(BROKERS, '*StateCountry/@*Country', '*Country'), 'ISO code: US'),
    decimal(
      'amount',
      ['brokerDealerCommission', 'grossCommission', 'principalTotalPurchaseSale'],
      'dollars: commissions; of a principal, purchases and sales',
    ),
  ],
});

export const ncenCreditLines = table('ncen_credit_lines', {
  meaning: 'Lines of credit of a fund',
  key: [fund, position],
  columns: [
    text('commitment', 'isCreditLineCommitted', 'Committed or uncommitted, as filed'),
    decimal('size', 'lineOfCreditSize', 'dollars'),
    text('sharing', 'sharedCreditType/@creditType', 'Shared or sole, as filed'),
    boolean('was_used', 'isCreditLineUsed', 'drawn in the period'),
  ],
});

const line = integer('line', '', 'position in ncen_credit_lines');

export const ncenCreditInstitutions = table('ncen_credit_institutions', {
  meaning: 'Institutions of a line of credit',
  key: [fund, line, position],
  columns: [text('name', '@creditInstitutionName', 'name')],
});

export const ncenCreditUsers = table('ncen_credit_users', {
  meaning: 'Funds that share a line of credit',
  key: [fund, line, position],
  columns: [text('name', '@fundName', 'name of the fund'), text('file_number', '@secFileNo', '811-… as filed')],
});
