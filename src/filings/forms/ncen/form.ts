/**
 * Form N-CEN: management companies and their ETFs. Closed-end funds, small business companies and unit investment trusts have other
 * parts. These have no table yet, and are counted as unknown elements.
 */
import type { Form, RowSource } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import { type Element, textOf } from '../xml/element.ts';
import { ncenAuthorizedParticipants, ncenEtfExchanges, ncenEtfs } from './etf-tables.ts';
import {
  ncenBrokers,
  ncenClasses,
  ncenCreditInstitutions,
  ncenCreditLines,
  ncenCreditUsers,
  ncenFunds,
  ncenFundTerms,
  ncenIndemnityProviders,
  ncenLendingAgents,
  ncenLiquidityAssets,
  ncenProviders,
} from './fund-tables.ts';
import {
  ncenAccountants,
  ncenBooks,
  ncenComplianceOfficers,
  ncenDirectorFiles,
  ncenDirectors,
  ncenOfficerEmployers,
  ncenReports,
  ncenSeries,
  ncenSeriesClasses,
  ncenUnderwriters,
  ncenWebsites,
} from './registrant-tables.ts';

const NOT_APPLICABLE = 'N/A';

/** The form requires these elements: a filer without such a value writes N/A. */
const unlessNotApplicable = (value: (element: Element) => string | null) => (element: Element) =>
  value(element) === NOT_APPLICABLE ? null : {};

const provider = (kind: string, at: string, sources?: readonly RowSource[]): RowSource => ({
  table: ncenProviders,
  at,
  set: { kind },
  ...(sources ? { below: 'service', sources } : {}),
});

const broker = (kind: string, at: string): RowSource => ({ table: ncenBrokers, at, set: { kind } });

const term = (kind: string, at: readonly string[]): RowSource => ({
  table: ncenFundTerms,
  at,
  set: { kind },
  rule: unlessNotApplicable(textOf),
});

const registrant: readonly RowSource[] = [
  { table: ncenReports, at: '' },
  {
    table: ncenSeries,
    at: 'headerData/seriesClass/reportSeriesClass/rptSeriesClassInfo',
    below: 'series',
    sources: [{ table: ncenSeriesClasses, at: 'classInfo' }],
  },
  { table: ncenWebsites, at: 'formData/registrantInfo/websites/website' },
  { table: ncenBooks, at: 'formData/registrantInfo/locationBooksRecords/locationBooksRecord' },
  {
    table: ncenDirectors,
    at: 'formData/registrantInfo/directors/director',
    below: 'director',
    sources: [{ table: ncenDirectorFiles, at: 'fileNumbers/fileNumberInfo' }],
  },
  {
    table: ncenComplianceOfficers,
    at: 'formData/registrantInfo/chiefComplianceOfficers/chiefComplianceOfficer',
    below: 'officer',
    sources: [
      {
        table: ncenOfficerEmployers,
        at: 'ccoEmployers/ccoEmployer',
        rule: unlessNotApplicable((element) => element.attribute('ccoEmployerName')),
      },
    ],
  },
  { table: ncenUnderwriters, at: 'formData/registrantInfo/principalUnderwriters/principalUnderwriter' },
  { table: ncenAccountants, at: 'formData/registrantInfo/publicAccountants/publicAccountant' },
];

const fund: readonly RowSource[] = [
  { table: ncenClasses, at: 'sharesOutstandings/sharesOutstanding' },
  term('fund_type', ['fundTypes/fundType', 'fundType']),
  term('rule', ['relyOnRuleTypes/relyOnRuleType']),
  term('lending_payment', ['paymentToAgentManagers/paymentToAgentManagerType', 'paymentToAgentManagerType']),
  {
    table: ncenLendingAgents,
    at: 'securityLendings/securityLending',
    below: 'agent',
    sources: [
      {
        table: ncenIndemnityProviders,
        at: 'securityAgentIdemnity/idemnityProviders/idemnityProvider',
        rule: unlessNotApplicable((element) => element.attribute('idemnityProviderName')),
      },
    ],
  },
  provider('collateral_manager', 'collateralManagers/collateralManager'),
  provider('adviser', 'investmentAdvisers/investmentAdviser'),
  provider('transfer_agent', 'transferAgents/transferAgent'),
  provider('pricing_service', 'pricingServices/pricingService'),
  provider('custodian', 'custodians/custodian'),
  provider('shareholder_agent', 'shareholderServicingAgents/shareholderServicingAgent'),
  provider('administrator', 'admins/admin'),
  provider('liquidity_service', 'liquidityClassifications/liquidityClassificationService', [
    { table: ncenLiquidityAssets, at: 'assetClassType' },
  ]),
  broker('affiliated', 'brokerDealers/brokerDealer'),
  broker('broker', 'brokers/broker'),
  broker('principal', 'principalTransactions/principalTransaction'),
  {
    table: ncenCreditLines,
    at: 'lineOfCredit/lineOfCreditDetails/lineOfCreditDetail',
    below: 'line',
    sources: [
      { table: ncenCreditInstitutions, at: 'lineOfCreditInstitutions/lineOfCreditInstitution' },
      { table: ncenCreditUsers, at: 'sharedCreditType/creditUser' },
    ],
  },
];

export const ncen: Form = {
  name: 'ncen',
  types: ncenReports.forms,
  family: /^N-CEN/,
  namespace: /^ncen$/,
  root: 'edgarSubmission',
  tables: [
    ncenReports,
    ncenSeries,
    ncenSeriesClasses,
    ncenWebsites,
    ncenBooks,
    ncenDirectors,
    ncenDirectorFiles,
    ncenComplianceOfficers,
    ncenOfficerEmployers,
    ncenUnderwriters,
    ncenAccountants,
    ncenFunds,
    ncenFundTerms,
    ncenClasses,
    ncenProviders,
    ncenLiquidityAssets,
    ncenLendingAgents,
    ncenIndemnityProviders,
    ncenBrokers,
    ncenCreditLines,
    ncenCreditInstitutions,
    ncenCreditUsers,
    ncenEtfs,
    ncenEtfExchanges,
    ncenAuthorizedParticipants,
  ],
  nullWords: [NOT_APPLICABLE],
  sources: [
    ...registrant,
    {
      table: ncenFunds,
      at: 'formData/managementInvestmentQuestionSeriesInfo/managementInvestmentQuestion',
      below: 'fund',
      sources: fund,
    },
    {
      table: ncenEtfs,
      at: 'formData/exchangeSeriesInfo/exchangeTradedFund',
      below: 'etf',
      sources: [
        { table: ncenEtfExchanges, at: 'securityExchanges/securityExchange' },
        { table: ncenAuthorizedParticipants, at: 'authorizedParticipants/authorizedParticipant' },
      ],
    },
  ],
  ignored: [...HEADER_DATA, 'documents/**'],
};
