/** The tables of a report, from a company's accounts. */
import { grouped } from '../amounts.ts';
import type { Statement } from '../finances.ts';
import type { Page, TableRow } from '../pages/page.ts';

type Amount = Exclude<keyof Statement, 'segments'>;

const INCOME: readonly (readonly [Amount, string, string])[] = [
  ['revenue', 'Revenue', 'Revenues'],
  ['costOfSales', 'Cost of sales', 'CostOfRevenue'],
  ['grossProfit', 'Gross profit', 'GrossProfit'],
  ['operatingIncome', 'Operating income', 'OperatingIncomeLoss'],
  ['netIncome', 'Net income', 'NetIncomeLoss'],
];
const BALANCE: readonly (readonly [Amount, string, string])[] = [
  ['cash', 'Cash and cash equivalents', 'CashAndCashEquivalentsAtCarryingValue'],
  ['totalAssets', 'Total assets', 'Assets'],
  ['debt', 'Long-term debt', 'LongTermDebt'],
  ['equity', "Stockholders' equity", 'StockholdersEquity'],
];

const head = (columns: readonly string[]): TableRow => ({ label: '', values: columns, kind: 'head' });

/** A table of amounts, one column a period; the last line is set off. */
function statement(
  lines: typeof INCOME,
  title: string,
  page: Page,
  of: readonly Statement[],
  columns: readonly string[],
): void {
  const rows = lines.map(([key, label, concept], i): TableRow => {
    const kind = i === lines.length - 1 ? { kind: 'total' as const } : {};
    return { label, concept, values: of.map((period) => grouped(period[key])), ...kind };
  });
  page.table([head(columns), ...rows], { money: true, caption: `${title} (in thousands)` });
}

export function incomeStatement(page: Page, of: readonly Statement[], columns: readonly string[]): void {
  statement(INCOME, 'Consolidated Statements of Income', page, of, columns);
}

export function balanceSheet(page: Page, of: readonly Statement[], columns: readonly string[]): void {
  statement(BALANCE, 'Consolidated Balance Sheets', page, of.slice(0, 2), columns.slice(0, 2));
}

export function revenueTable(page: Page, of: readonly Statement[], columns: readonly string[]): void {
  const rows = of[0]!.segments.map(({ name }, i) => ({
    label: name,
    values: of.map((period) => grouped(period.segments[i]!.revenue)),
  }));
  const total: TableRow = {
    label: 'Total revenue',
    values: of.map((s) => grouped(s.revenue)),
    concept: 'Revenues',
    kind: 'total',
  };
  page.table([head(columns), ...rows, total], { money: true, caption: 'Revenue by Segment (in thousands)' });
}

export function perShare(dollars: number): string {
  return dollars < 0 ? `(${(-dollars).toFixed(2)})` : dollars.toFixed(2);
}
