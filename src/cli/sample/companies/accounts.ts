/** A company's accounts, in thousands of dollars. A year is the sum of its quarters; prose and tables agree. */
import type { Company } from './company.ts';
import { Random } from './random.ts';

/** Amounts of a period: thousands of dollars and of shares. */
export type Statement = ReturnType<typeof statementOf>;

const SEASONS = [0.23, 0.25, 0.24, 0.28];

/** @param quarter 1 to 4 for a quarter, null for the whole fiscal year (whose revenue is the sum of its quarters) */
export function statementOf(company: Company, fiscalYear: number, quarter: number | null) {
  const base = new Random(company.seed, 'revenue', company.id);
  const r = new Random(company.seed, 'margins', company.id, fiscalYear);
  const start = Math.exp(base.between(Math.log(40_000), Math.log(6_000_000)));
  const growth = (1 + base.between(-0.01, 0.09)) ** ((fiscalYear - company.foundedYear) % 60);
  const full = start * growth * r.between(0.9, 1.1);
  const quarters = SEASONS.map((share) => Math.round(full * share));
  const revenue = quarter === null ? quarters.reduce((a, b) => a + b, 0) : quarters[quarter - 1]!;
  const costOfSales = Math.round(revenue * r.between(0.3, 0.6));
  const grossProfit = revenue - costOfSales;
  const operatingIncome = grossProfit - Math.round(revenue * r.between(0.09, 0.3));
  const netIncome = Math.round(operatingIncome * r.between(0.6, 0.8));
  const shares = Math.round(8_000 + start * 0.05);
  const totalAssets = Math.round(full * r.between(0.6, 1.4));
  const debt = Math.round(totalAssets * r.between(0.1, 0.5));
  let left = revenue;
  const segments = company.segments.map((name, i) => {
    const share = i === company.segments.length - 1 ? left : Math.round(left * r.between(0.42, 0.66));
    left -= share;
    return { name, revenue: share };
  });
  return {
    segments,
    revenue,
    costOfSales,
    grossProfit,
    operatingIncome,
    netIncome,
    shares,
    earningsPerShare: Math.round((netIncome / shares) * 100) / 100,
    cash: Math.round(totalAssets * r.between(0.05, 0.2)),
    totalAssets,
    debt,
    equity: totalAssets - debt,
    employees: Math.round(full / r.between(180, 420)) + 12,
  };
}

/** `1,234,567`; a negative one in parentheses: `(1,234)`. */
export function grouped(n: number): string {
  const digits = String(Math.abs(Math.round(n))).replace(/\B(?=(\d{3})+$)/g, ',');
  return n < 0 ? `(${digits})` : digits;
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

export type Line = readonly [Exclude<keyof Statement, 'segments'>, label: string];
export const INCOME: readonly Line[] = [
  ['revenue', 'Revenue'],
  ['costOfSales', 'Cost of sales'],
  ['grossProfit', 'Gross profit'],
  ['operatingIncome', 'Operating income'],
  ['netIncome', 'Net income'],
];
export const BALANCE: readonly Line[] = [
  ['cash', 'Cash and cash equivalents'],
  ['totalAssets', 'Total assets'],
  ['debt', 'Long-term debt'],
  ['equity', "Stockholders' equity"],
];

/** Amounts of one period, and the head of their column. */
export type Period = Statement & { head: string };

/** The periods that a report compares, the latest first. */
export function periodsOf(
  { company, fiscalYear }: { company: Company; fiscalYear: number },
  quarter: number | null,
  backs: number[],
): Period[] {
  return backs.map((back) => {
    const year = fiscalYear - back;
    return { ...statementOf(company, year, quarter), head: String(year) };
  });
}
