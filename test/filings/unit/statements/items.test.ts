import { describe, expect, it } from 'vitest';
import {
  DAY,
  inlineReport,
  itemsOf,
  type Report,
  report,
  type StatementLine,
  statementsOf,
  YEAR,
} from '../../../support/statements.ts';

const BEFORE = '2023-01-01/2023-12-31';
const annual = (income: readonly StatementLine[], more: Partial<Report> = {}): Report =>
  report({ durations: [YEAR, BEFORE], days: [DAY, '2023-12-31'], income, ...more });

const SALES: StatementLine = ['Net sales', 'Revenues', '100', '90'];
const COSTS: StatementLine = ['Cost of sales', 'CostOfRevenue', '60', '50'];
const TAX: StatementLine = ['Income taxes', 'IncomeTaxExpenseBenefit', '8', '9'];
const NET: StatementLine = ['Net income', 'NetIncomeLoss', '32', '31'];
const EPS: StatementLine = ['Basic', 'EarningsPerShareBasic', '1.60', '1.55'];
const OPERATIONS: StatementLine = ['Operations', 'NetCashProvidedByUsedInOperatingActivities', '50', '40'];
const INVESTING: StatementLine = ['Investing', 'NetCashProvidedByUsedInInvestingActivities', '-5', '-4'];

describe('an item', () => {
  it('is a line on the face, with its period, method and place', () => {
    const made = annual([SALES, COSTS, TAX, NET, EPS]);
    const rows = statementsOf(made).fundamentals!.filter(({ item }) => item === 'revenue');
    expect(rows).toMatchObject([
      {
        fiscal_year: 2024,
        fiscal_period: 'FY',
        period_start: '2024-01-01',
        period_end: '2024-12-31',
        value: '100000000',
        unit: 'USD',
        method: 'reported',
        concept: 'us-gaap:Revenues',
        reason: null,
      },
      { fiscal_year: 2023, fiscal_period: 'FY', period_end: '2023-12-31', value: '90000000' },
    ]);
    const { start_index, end_index } = rows[0]!;
    expect(inlineReport(made).slice(Number(start_index), Number(end_index))).toMatch(
      /^<ix:nonFraction.*>100<\/ix:nonFraction>$/,
    );
  });

  it('is not taken from a note', () => {
    const notes = [[['Goodwill impairment', 'InterestExpense', '5', '4'] as StatementLine, SALES]];
    expect(itemsOf(annual([SALES, TAX, NET, EPS], { notes })).interest_expense).toBe('no_line');
  });

  it('has the currency of the report: a column translated for the reader counts for nothing', () => {
    const columns = [SALES, COSTS, TAX, NET].map(
      ([label, concept, now, before]): StatementLine => [
        label,
        concept,
        `${now}€`,
        String(Number(now) / 2),
        `${before}€`,
      ],
    );
    const rows = statementsOf(annual(columns, { durations: [YEAR, YEAR, BEFORE] })).fundamentals!;
    expect(rows.filter(({ item }) => item === 'revenue')).toMatchObject([
      { fiscal_year: 2024, value: '100000000', unit: 'EUR' },
      { fiscal_year: 2023, value: '90000000', unit: 'EUR' },
    ]);
    expect(rows.filter(({ unit }) => unit === 'USD')).toEqual([]);
  });

  it('of a bank has no row for a company whose interest is one net line', () => {
    const interest: StatementLine = ['Interest income (expense), net', 'InterestIncomeExpenseNet', '-3', '-2'];
    const found = itemsOf(annual([SALES, COSTS, interest, TAX, NET, EPS]));
    expect(found).toMatchObject({ revenue: '100000000 FY reported', interest_income_net: '-3000000 FY reported' });
    expect(found).not.toHaveProperty('net_interest_income');
    expect(found).not.toHaveProperty('loans');
  });

  it('has no row in a report without numbers', () => {
    expect(statementsOf(annual([], { durations: [YEAR] }))).toEqual({});
  });

  it('is null if the filing has no such statement', () => {
    expect(itemsOf(annual([SALES, TAX, NET, EPS])).total_assets).toBe('no_statement');
  });

  it('is the total, not one of its parts', () => {
    const product: StatementLine = ['Products', 'RevenueFromContractWithCustomerExcludingAssessedTax', '70', '65'];
    expect(itemsOf(annual([product, SALES, TAX, NET, EPS])).revenue).toBe('100000000 FY reported');
  });

  it('is derived only from one printed total of costs', () => {
    expect(itemsOf(annual([SALES, COSTS, TAX, NET, EPS])).gross_profit).toBe('40000000 FY solved');
    const goods: StatementLine = ['Cost of goods', 'CostOfGoodsAndServicesSold[x:KindAxis=x:GoodsMember]', '40', '30'];
    const services: StatementLine = [
      'Cost of services',
      'CostOfGoodsAndServicesSold[x:KindAxis=x:ServicesMember]',
      '20',
      '20',
    ];
    const found = itemsOf(annual([SALES, goods, services, TAX, NET, EPS]));
    expect(found).toMatchObject({ cost_of_revenue: '60000000 FY summed', gross_profit: 'no_line' });
  });

  it('has no value if revenue has other members than the costs: costs by kind', () => {
    const revenue = ['Goods', 'Services', 'Rent'].map(
      (kind): StatementLine => [kind, `Revenues[x:KindAxis=x:${kind}Member]`, '30', '30'],
    );
    const costs = ['Goods', 'Services'].map(
      (kind): StatementLine => [kind, `CostOfRevenue[x:KindAxis=x:${kind}Member]`, '30', '25'],
    );
    expect(itemsOf(annual([...revenue, SALES, ...costs, TAX, NET, EPS])).cost_of_revenue).toBe('no_line');
  });

  it('of costs is the line next below revenue: further down it is one cost of several', () => {
    const goods: StatementLine = ['Cost of products sold', 'CostOfGoodsAndServicesSold', '60', '50'];
    const medical: StatementLine = ['Medical costs', 'PolicyholderBenefitsAndClaimsIncurredNet', '20', '20'];
    expect(itemsOf(annual([SALES, goods, medical, TAX, NET, EPS])).cost_of_revenue).toBe('60000000 FY reported');
    const after = itemsOf(annual([SALES, medical, goods, TAX, NET, EPS]));
    expect(after).toMatchObject({ cost_of_revenue: 'no_line', gross_profit: 'no_line' });
  });

  it('is the line next above the tax, whatever its concept', () => {
    const own: StatementLine = ['Income before taxes', 'x:IncomeBeforeTaxes', '40', '40'];
    const operating: StatementLine = ['Operating income', 'OperatingIncomeLoss', '44', '43'];
    expect(itemsOf(annual([SALES, operating, own, TAX, NET, EPS])).pretax_income).toBe('40000000 FY reported');
    const wrong: StatementLine = ['Other', 'x:Other', '7', '7'];
    expect(itemsOf(annual([SALES, wrong, TAX, NET, EPS])).pretax_income).toBe('no_line');
  });

  it('is a line of an own concept only at its place', () => {
    const own: StatementLine = ['Depreciation and amortization', 'x:DepreciationOfAll', '12', '11'];
    expect(itemsOf(annual([], { cashFlow: [own, OPERATIONS, INVESTING] })).depreciation_amortization).toBe(
      '12000000 FY reported',
    );
    expect(itemsOf(annual([], { cashFlow: [OPERATIONS, own, INVESTING] })).depreciation_amortization).toBe('no_line');
  });

  it('of a payment is positive', () => {
    const bought: StatementLine = ['Capital expenditures', 'x:CapitalExpenditures', '-5', '-4'];
    expect(itemsOf(annual([], { cashFlow: [OPERATIONS, bought, INVESTING] }))).toMatchObject({
      capex: '5000000 FY reported',
      cash_from_investing: '-5000000 FY reported',
    });
  });

  it('of a payment is negative on a line of what was received', () => {
    const concept = 'PaymentsToAcquireBusinessesNetOfCashAcquired';
    const received: StatementLine = ['Cash received related to acquisitions', concept, '-3', '-2'];
    const found = itemsOf(annual([], { cashFlow: [OPERATIONS, received, INVESTING] }));
    expect(found.acquisitions).toBe('-3000000 FY reported');
  });

  it('that is a sum of kinds has lines of own concepts and of single loans too, but not twice, and not with an unknown sign', () => {
    const flows = (...lines: StatementLine[]): StatementLine[] => [
      OPERATIONS,
      INVESTING,
      ...lines,
      ['Net cash from financing', 'NetCashProvidedByUsedInFinancingActivities', '7', '6'],
    ];
    const secured: StatementLine = ['Proceeds from secured borrowings', 'ProceedsFromIssuanceOfSecuredDebt', '3', '2'];
    const own: StatementLine = ['Proceeds from long-term borrowings', 'x:LongTermBorrowings', '10', '8'];
    const one: StatementLine = [
      'Proceeds of notes due 2029',
      'ProceedsFromIssuanceOfDebt[x:DebtAxis=x:Due2029Member]',
      '5',
      '4',
    ];
    const costs: StatementLine = ['Debt issuance costs', 'x:IssuanceCosts', '1', '1'];
    const issued = (...lines: StatementLine[]) => itemsOf(annual([], { cashFlow: flows(...lines) })).debt_issued;
    expect(issued(own, secured, costs, one)).toBe('18000000 FY summed');
    const total: StatementLine = ['Proceeds from borrowings', 'ProceedsFromIssuanceOfDebt', '5', '4'];
    expect(issued(total, one, costs)).toBe('5000000 FY reported');
    expect(issued(secured, ['Proceeds from long-term borrowings', 'x:PaymentsForDebt', '-10', '-8'])).toBe('no_line');
  });

  it('of the parent is total equity less the share of others, also if it has the concept of the parent', () => {
    const sheet = (equity: string): StatementLine[] => [
      ['Total assets', 'Assets', '100', '90'],
      ['Total liabilities', 'Liabilities', '60', '55'],
      ['Noncontrolling interests', 'MinorityInterest', '5', '5'],
      ['Total equity', equity, '40', '35'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '100', '90'],
    ];
    for (const equity of [
      'StockholdersEquity',
      'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    ])
      expect(itemsOf(annual([], { balance: sheet(equity) })).stockholders_equity).toBe('35000000 FY solved');
  });

  it('without a printed line has its sources', () => {
    const sheet: StatementLine[] = [
      ['Total assets', 'Assets', '100', '90'],
      ['Total equity', 'StockholdersEquity', '40', '35'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '100', '90'],
    ];
    const rows = statementsOf(annual([], { balance: sheet }));
    expect(rows.fundamentals!.find(({ item }) => item === 'total_liabilities')).toMatchObject({
      value: '60000000',
      method: 'solved',
    });
    const sources = rows.fundamental_sources!.filter(
      ({ item, period_end }) => item === 'total_liabilities' && period_end === '2024-12-31',
    );
    expect(sources).toMatchObject([
      { position: 0, weight: 1, concept: 'us-gaap:Assets', value: '100000000' },
      { position: 1, weight: -1, concept: 'us-gaap:StockholdersEquity', value: '40000000' },
    ]);
  });
});

describe('the calculation of the filing', () => {
  const arc = (parent: string, concept: string, weight: number) =>
    `<loc xlink:label="${parent}" xlink:href="x.xsd#${parent}"/><loc xlink:label="${concept}" xlink:href="x.xsd#${concept}"/><calculationArc xlink:from="${parent}" xlink:to="${concept}" weight="${weight}"/>`;
  const linkbase = (arcs: string) =>
    `<linkbase xmlns="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"><calculationLink xlink:role="http://r/income">${arcs}</calculationLink></linkbase>`;

  it("finds an item under the company's own concept", () => {
    const own: StatementLine = ['What customers paid', 'x:Takings', '100', '90'];
    const gross: StatementLine = ['Margin', 'GrossProfit', '40', '40'];
    const made = annual([own, ['Costs', 'x:Costs', '60', '50'], gross, TAX, NET, EPS]);
    const arcs = arc('us-gaap_GrossProfit', 'x_Takings', 1) + arc('us-gaap_GrossProfit', 'x_Costs', -1);
    expect(itemsOf(made, { 'acme-20241231_cal.xml': linkbase(arcs) })).toMatchObject({
      revenue: '100000000 FY reported',
      cost_of_revenue: '60000000 FY reported',
    });
    expect(itemsOf(made)).toMatchObject({ revenue: 'no_line', cost_of_revenue: 'no_line' });
  });

  it('gives sums to check, and counts one with an empty part only if it holds', () => {
    const [hardware, software, sales] = [
      ['Hardware', 'x:Hardware', '60', '50', '40'],
      ['Software', 'x:Software', '41', '45', null],
      ['Sales', 'Revenues', '101', '90', '99'],
    ] as StatementLine[];
    const durations = [YEAR, BEFORE, '2022-01-01/2022-12-31'];
    const made = annual([hardware!, software!, sales!, TAX, NET, EPS], { durations });
    const arcs = arc('us-gaap_Revenues', 'x_Hardware', 1) + arc('us-gaap_Revenues', 'x_Software', 1);
    const checks = statementsOf(made, { 'acme-20241231_cal.xml': linkbase(arcs) }).fundamental_checks!;
    expect(checks.filter(({ identity }) => identity === 'sum us-gaap:Revenues')).toMatchObject([
      { fiscal_year: 2024, left_value: '101000000', right_value: '101000000', tolerance: '1500000', holds: true },
      { fiscal_year: 2023, difference: '-5000000', holds: false },
    ]);
    expect(statementsOf(made).fundamental_checks).toBeUndefined();
  });
});

describe('checks', () => {
  it('have both sides, and say whether they hold within the rounding', () => {
    const cashFlow: StatementLine[] = [
      ['Operating', 'NetCashProvidedByUsedInOperatingActivities', '50', '40'],
      ['Investing', 'NetCashProvidedByUsedInInvestingActivities', '-20', '-10'],
      ['Financing', 'NetCashProvidedByUsedInFinancingActivities', '-10', '-10'],
      ['Change', 'CashAndCashEquivalentsPeriodIncreaseDecrease', '21', '75'],
    ];
    const checks = statementsOf(annual([], { cashFlow })).fundamental_checks!;
    expect(checks).toMatchObject([
      {
        identity: 'cash_flows',
        period_end: '2024-12-31',
        left_value: '21000000',
        right_value: '20000000',
        tolerance: '2000000',
        holds: true,
      },
      { identity: 'cash_flows', period_end: '2023-12-31', difference: '55000000', holds: false },
    ]);
  });

  it('say which sign a filer forgot, if one choice of signs alone makes them hold', () => {
    const cashFlow: StatementLine[] = [
      ['Operating', 'NetCashProvidedByUsedInOperatingActivities', '50'],
      ['Investing', 'NetCashProvidedByUsedInInvestingActivities', '20'],
      ['Financing', 'NetCashProvidedByUsedInFinancingActivities', '-10'],
      ['Change', 'CashAndCashEquivalentsPeriodIncreaseDecrease', '20'],
    ];
    const made = annual([], { durations: [YEAR], cashFlow });
    expect(itemsOf(made)).toMatchObject({
      cash_from_operations: '50000000 FY reported',
      cash_from_investing: '-20000000 FY reported',
    });
    const sources = statementsOf(made).fundamental_sources!;
    expect(sources).toMatchObject([{ item: 'cash_from_investing', weight: -1, value: '20000000' }]);
  });
});
