/** A company's accounts, in thousands of dollars. A year is the sum of its quarters, and statements add up; prose and tables agree. */
import { lastDayOfMonth } from './calendar.ts';
import type { Company } from './company.ts';
import { Random } from './random.ts';

const SEASONS = [0.23, 0.25, 0.24, 0.28];

/** What flows in a quarter, and what is there at its end. */
function quarterOf({ seed, id }: Company, fiscalYear: number, quarter: number) {
  const base = new Random(seed, 'scale', id);
  const r = new Random(seed, 'quarter', id, fiscalYear, quarter);
  const about = (low: number, high: number) => base.between(low, high) * r.between(0.95, 1.05);
  const start = Math.exp(base.between(Math.log(40_000), Math.log(6_000_000)));
  const level = start * (1 + base.between(-0.01, 0.09)) ** (fiscalYear - 2005 + quarter / 4);
  const revenue = Math.round(level * SEASONS[quarter - 1]! * r.between(0.95, 1.05));
  const costOfSales = Math.round(revenue * about(0.3, 0.6));
  const operatingExpenses = Math.round(revenue * about(0.09, 0.36));
  const incomeTaxes = Math.round((revenue - costOfSales - operatingExpenses) * about(0.16, 0.27));
  const property = Math.round(level * base.between(0.4, 0.9));
  const payables = Math.round(costOfSales * about(0.3, 0.6));
  const debt = Math.round(property * base.between(0.1, 0.6));
  const cash = Math.round(level * about(0.05, 0.2));
  const equity = cash + property - payables - debt;
  const flows = { revenue, costOfSales, operatingExpenses, incomeTaxes, depreciation: Math.round(property * 0.02) };
  return { flows, end: { cash, property, payables, debt, equity }, level, start };
}

/** Amounts of the quarters from `first` to `last` of a fiscal year, and what is there at their end. */
export function periodOf(company: Company, fiscalYear: number, first = 1, last = 4) {
  const quarters = Array.from({ length: last - first + 1 }, (_, i) => quarterOf(company, fiscalYear, first + i));
  const { end, level, start, flows } = quarters.at(-1)!;
  const before = quarterOf(company, fiscalYear - Number(first === 1), first === 1 ? 4 : first - 1).end;
  const sum = (key: keyof typeof flows) => quarters.reduce((all, one) => all + one.flows[key], 0);
  const [revenue, costOfSales, operatingExpenses] = [sum('revenue'), sum('costOfSales'), sum('operatingExpenses')];
  const [incomeTaxes, depreciation, grossProfit] = [sum('incomeTaxes'), sum('depreciation'), revenue - costOfSales];
  const operatingIncome = grossProfit - operatingExpenses;
  const netIncome = operatingIncome - incomeTaxes;
  const shares = Math.round(8_000 + start * 0.05);
  const [payablesChange, borrowed] = [end.payables - before.payables, end.debt - before.debt];
  const capitalSpending = end.property - before.property + depreciation;
  const repurchases = netIncome - (end.equity - before.equity);
  const r = new Random(company.seed, 'segments', company.id, fiscalYear);
  let left = revenue;
  const segments = company.segments.map((name, i) => {
    const share = i === company.segments.length - 1 ? left : Math.round(left * r.between(0.42, 0.66));
    left -= share;
    return { name, revenue: share };
  });
  return {
    head: String(fiscalYear),
    from: lastDayOfMonth(fiscalYear, company.fiscalMonth - 15 + first * 3) + 1,
    to: lastDayOfMonth(fiscalYear, company.fiscalMonth - 12 + last * 3),
    segments,
    ...{ revenue, costOfSales, grossProfit, operatingExpenses, operatingIncome, incomeTaxes, netIncome, shares },
    earningsPerShare: Math.round((netIncome / shares) * 100) / 100,
    ...{ ...end, totalAssets: end.cash + end.property, liabilities: end.payables + end.debt },
    ...{ depreciation, payablesChange, operatingCash: netIncome + depreciation + payablesChange },
    ...{ capitalSpending, investingCash: -capitalSpending, borrowed, repurchases },
    ...{ financingCash: borrowed - repurchases, cashChange: end.cash - before.cash },
    employees: Math.round(level / 300) + 12,
  };
}

/** Amounts of one period, and the head of their column. */
export type Period = ReturnType<typeof periodOf>;

/** The periods that a report compares, the latest first. @param toDate all quarters of the year until this one */
export function periodsOf(
  { company, fiscalYear }: { company: Company; fiscalYear: number },
  quarter: number | null,
  backs: number[],
  toDate = quarter === null,
): Period[] {
  return backs.map((back) => periodOf(company, fiscalYear - back, toDate ? 1 : quarter!, quarter ?? 4));
}

/** `1,234,567` */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Thousands of dollars in prose: `$12.3 million`. */
export function dollarsOfThousands(thousands: number): string {
  if (thousands >= 1_000_000) return `$${(thousands / 1_000_000).toFixed(2)} billion`;
  return `$${(thousands / 1000).toFixed(1)} million`;
}

/** `increased 4.2%` */
export function change(now: number, before: number): string {
  return `${now >= before ? 'increased' : 'decreased'} ${Math.abs(((now - before) / before) * 100).toFixed(1)}%`;
}

/** A line of a statement. The concept of `us-gaap` has a minus if the line shows it as an outflow. */
export type Line = readonly [Exclude<keyof Period, 'segments' | 'head'>, label: string, concept: string];

const lines = (text: string) => text.split('\n').map((line) => line.split(' | ')) as unknown as Line[];

export const INCOME = lines(`revenue | Revenue | RevenueFromContractWithCustomerExcludingAssessedTax
costOfSales | Cost of sales | CostOfRevenue
grossProfit | Gross profit | GrossProfit
operatingExpenses | Operating expenses | OperatingExpenses
operatingIncome | Operating income | OperatingIncomeLoss
incomeTaxes | Income taxes | IncomeTaxExpenseBenefit
netIncome | Net income | NetIncomeLoss
earningsPerShare | Diluted earnings per share | EarningsPerShareDiluted
shares | Diluted weighted average shares | WeightedAverageNumberOfDilutedSharesOutstanding`);
export const BALANCE = lines(`cash | Cash and cash equivalents | CashAndCashEquivalentsAtCarryingValue
property | Property and equipment | PropertyPlantAndEquipmentNet
totalAssets | Total assets | Assets
payables | Accounts payable | AccountsPayableCurrent
debt | Long-term debt | LongTermDebtNoncurrent
liabilities | Total liabilities | Liabilities
equity | Stockholders' equity | StockholdersEquity
totalAssets | Total liabilities and equity | LiabilitiesAndStockholdersEquity`);
export const CASH_FLOWS = lines(`netIncome | Net income | NetIncomeLoss
depreciation | Depreciation | Depreciation
payablesChange | Change of accounts payable | IncreaseDecreaseInAccountsPayable
operatingCash | Cash from operating activities | NetCashProvidedByUsedInOperatingActivities
capitalSpending | Purchases of property and equipment | -PaymentsToAcquirePropertyPlantAndEquipment
investingCash | Cash from investing activities | NetCashProvidedByUsedInInvestingActivities
borrowed | Borrowings, net of repayments | ProceedsFromRepaymentsOfDebt
repurchases | Repurchases of common stock | -PaymentsForRepurchaseOfCommonStock
financingCash | Cash from financing activities | NetCashProvidedByUsedInFinancingActivities
cashChange | Change of cash | CashAndCashEquivalentsPeriodIncreaseDecrease`);
