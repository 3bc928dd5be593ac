/** A company's accounts, in thousands of dollars, and how filings print them. A year is the sum of its quarters; prose and tables agree. */
import type { Company } from './company.ts';
import type { Page, TableRow } from './page.ts';
import { Random } from './random.ts';

export interface Statement {
  segments: { name: string; revenue: number }[];
  revenue: number;
  costOfSales: number;
  grossProfit: number;
  operatingIncome: number;
  netIncome: number;
  /** thousands */
  shares: number;
  /** dollars */
  earningsPerShare: number;
  cash: number;
  totalAssets: number;
  debt: number;
  equity: number;
  employees: number;
}

const SEASONS = [0.23, 0.25, 0.24, 0.28];

/** @param quarter 1 to 4 for a quarter, null for the whole fiscal year (whose revenue is the sum of its quarters) */
export function statementOf(company: Company, fiscalYear: number, quarter: number | null): Statement {
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

type Amount = Exclude<keyof Statement, 'segments'>;
type Line = readonly [Amount, label: string, concept: string];

export const INCOME: readonly Line[] = [
  ['revenue', 'Revenue', 'Revenues'],
  ['costOfSales', 'Cost of sales', 'CostOfRevenue'],
  ['grossProfit', 'Gross profit', 'GrossProfit'],
  ['operatingIncome', 'Operating income', 'OperatingIncomeLoss'],
  ['netIncome', 'Net income', 'NetIncomeLoss'],
];
export const BALANCE: readonly Line[] = [
  ['cash', 'Cash and cash equivalents', 'CashAndCashEquivalentsAtCarryingValue'],
  ['totalAssets', 'Total assets', 'Assets'],
  ['debt', 'Long-term debt', 'LongTermDebt'],
  ['equity', "Stockholders' equity", 'StockholdersEquity'],
];

/** A table of amounts, one column a period; the last line is set off. */
export function statementTable(
  page: Page,
  title: string,
  lines: readonly Line[],
  of: Statement[],
  heads: string[],
): void {
  const rows = lines.map(([key, label, concept], i): TableRow => {
    const values = of.map((period) => grouped(period[key]));
    return { label, concept, values, ...(i === lines.length - 1 && { kind: 'total' as const }) };
  });
  page.table([{ label: '', values: heads, kind: 'head' }, ...rows], `${title} (in thousands)`);
}

export function revenueTable(page: Page, of: Statement[], heads: string[]): void {
  const rows = of[0]!.segments.map(({ name }, i) => ({
    label: name,
    values: of.map((period) => grouped(period.segments[i]!.revenue)),
  }));
  const values = of.map((s) => grouped(s.revenue));
  const total: TableRow = { label: 'Total revenue', values, concept: 'Revenues', kind: 'total' };
  page.table([{ label: '', values: heads, kind: 'head' }, ...rows, total], 'Revenue by Segment (in thousands)');
}
