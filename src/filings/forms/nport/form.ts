/** Form N-PORT: a fund's report and its portfolio, in which derivatives may refer to derivatives. */
import { addRead } from '../map/document-mapping.ts';
import type { Form, RowSource } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import type { KnownPath } from '../map/known-paths.ts';
import type { Element } from '../xml/element.ts';
import { derivatives, knownDerivative } from './derivatives.ts';
import { identifierKinds } from './identifiers.ts';
import { monthRows } from './months.ts';
import {
  nportBorrowers,
  nportClasses,
  nportConversions,
  nportCounterparties,
  nportDebt,
  nportDebtInstruments,
  nportDerivativeGains,
  nportDerivatives,
  nportFunds,
  nportHoldings,
  nportIdentifiers,
  nportIndexComponents,
  nportMonths,
  nportNotes,
  nportNotionalAmounts,
  nportRateResets,
  nportRateRisks,
  nportReferenceIds,
  nportRepoCollateral,
  nportRepos,
  nportReturns,
  nportSwapLegs,
} from './tables.ts';

const FUND = 'formData/fundInfo';

const rateRisk = (metric: string, at: string, currency = false): RowSource => ({
  table: nportRateRisks,
  at: `${FUND}/${at}`,
  set: { metric },
  rule: (element, mapping) => ({ currency: currency ? mapping.rows.text(element.parent!, 'curCd') : null }),
});

const holdings: RowSource = {
  table: nportHoldings,
  at: 'formData/invstOrSecs/invstOrSec',
  below: 'holding',
  streamed: true,
  sum: 'value_usd',
  rule: (element, mapping) => ({
    derivative_category: mapping.rows.valueAt(nportHoldings, 'derivative_category', outermost(element), '@derivCat'),
  }),
  finish: (row, element, mapping) => derivatives(element, row.position as number, mapping),
  sources: [
    {
      table: nportIdentifiers,
      at: 'identifiers/*',
      rule: (element) => ({ kind: element.name }),
    },
    {
      table: nportDebt,
      at: 'debtSec',
      sources: [
        {
          table: nportDebtInstruments,
          at: 'dbtSecRefInstruments/dbtSecRefInstrument',
          ...identifierKinds(nportDebtInstruments),
        },
        { table: nportConversions, at: 'currencyInfos/currencyInfo' },
      ],
    },
    {
      table: nportRepos,
      at: 'repurchaseAgrmt',
      sources: [
        { table: nportRepoCollateral, at: 'repurchaseCollaterals/repurchaseCollateral' },
        {
          table: nportCounterparties,
          at: [
            'clearedCentCparty/counterpartyInfos/counterpartyInfo',
            'notClearedCentCparty/counterpartyInfos/counterpartyInfo',
          ],
          set: { path: 'repo' },
        },
      ],
    },
  ],
};

export const nport: Form = {
  name: 'nport',
  types: nportFunds.forms,
  family: /^NPORT-N?P/,
  namespace: /^nport$/,
  root: 'edgarSubmission',
  nullWords: ['N/A'],
  tables: [
    nportFunds,
    nportClasses,
    nportReturns,
    nportMonths,
    nportDerivativeGains,
    nportRateRisks,
    nportBorrowers,
    nportHoldings,
    nportIdentifiers,
    nportDebt,
    nportDebtInstruments,
    nportConversions,
    nportRepos,
    nportRepoCollateral,
    nportDerivatives,
    nportCounterparties,
    nportReferenceIds,
    nportSwapLegs,
    nportRateResets,
    nportNotionalAmounts,
    nportIndexComponents,
    nportNotes,
  ],
  sources: [
    holdings,
    {
      table: nportFunds,
      at: '',
      rule: (_, mapping) => ({ holdings: mapping.count(nportHoldings), value_sum: mapping.sum(nportHoldings) }),
    },
    { table: nportClasses, at: 'headerData/filerInfo/seriesClassInfo/classId' },
    { table: nportReturns, at: `${FUND}/returnInfo/monthlyTotReturns/monthlyTotReturn` },
    rateRisk('dv01', 'curMetrics/curMetric/intrstRtRiskdv01', true),
    rateRisk('dv100', 'curMetrics/curMetric/intrstRtRiskdv100', true),
    rateRisk('spread_investment_grade', 'creditSprdRiskInvstGrade'),
    rateRisk('spread_non_investment_grade', 'creditSprdRiskNonInvstGrade'),
    { table: nportBorrowers, at: `${FUND}/borrowers/borrower` },
    { table: nportNotes, at: 'formData/explntrNotes/explntrNote' },
  ],
  reads: [`${FUND}/curMetrics/curMetric/curCd`],
  ignored: [
    'schemaVersion',
    ...HEADER_DATA,
    'documents/**',
    'formData/signature/nameOfApplicant',
    'formData/signature/signature',
    // Not in the documents that EDGAR disseminates.
    `${FUND}/liquidInvst/**`,
    `${FUND}/derivTrans/**`,
    `${FUND}/aggregateCondition/aggregateInfos/**`,
  ],
  extendKnown,
  code: monthRows,
};

function outermost(holding: Element): Element | null {
  return holding.child('derivativeInfo')?.children[0] ?? null;
}

function extendKnown(root: KnownPath): void {
  const holding = ['formData', 'invstOrSecs', 'invstOrSec'].reduce((known, step) => known.child(step), root);
  for (const path of ['fundCat', 'fundCats/**', 'notDissem']) addRead(holding, path);
  knownDerivative(holding.child('derivativeInfo'));
  const fund = FUND.split('/').reduce((known, step) => known.child(step), root);
  for (const month of [1, 2, 3]) {
    for (const name of ['sales', 'reinvestment', 'redemption']) addRead(fund, `mon${month}Flow/@${name}`);
    for (const name of ['netRealizedGain', 'netUnrealizedAppr']) {
      addRead(fund, `returnInfo/othMon${month}/@${name}`);
      addRead(fund, `returnInfo/monthlyReturnCats/*/mon${month}/@${name}`);
      addRead(fund, `returnInfo/monthlyReturnCats/*/*/instrMon${month}/@${name}`);
    }
  }
}
