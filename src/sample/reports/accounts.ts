/** The tables of a report, drawn from a company's accounts: every sum adds up, and the prose names the same numbers. */
import { grouped } from '../amounts.ts';
import type { Statement } from '../finances.ts';
import type { Page, TableRow } from '../pages/page.ts';

type Three = readonly Statement[];

function line(label: string, of: Three, value: (s: Statement) => number, concept?: string, kind?: 'total'): TableRow {
  return {
    label,
    values: of.map((s) => grouped(value(s))),
    ...(concept ? { concept } : {}),
    ...(kind ? { kind } : {}),
  };
}
const head = (columns: readonly string[]): TableRow => ({ label: '', values: columns, kind: 'head' });

export function revenueTable(page: Page, of: Three, columns: readonly string[]): void {
  const rows = of[0]!.segments.map((segment, i) => line(segment.name, of, (s) => s.segments[i]!.revenue));
  page.table([head(columns), ...rows, line('Total revenue', of, (s) => s.revenue, 'Revenues', 'total')], {
    money: true,
    caption: 'Revenue by Segment (in thousands)',
  });
}

export function incomeStatement(page: Page, of: Three, columns: readonly string[]): void {
  const rows = [
    line('Revenue', of, (s) => s.revenue, 'Revenues'),
    line('Cost of sales', of, (s) => s.costOfSales, 'CostOfRevenue'),
    line('Gross profit', of, (s) => s.grossProfit, 'GrossProfit'),
    ...(of[0]!.research > 0
      ? [line('Research and development', of, (s) => s.research, 'ResearchAndDevelopmentExpense')]
      : []),
    line('Selling, general and administrative', of, (s) => s.selling, 'SellingGeneralAndAdministrativeExpense'),
    line('Operating income', of, (s) => s.operatingIncome, 'OperatingIncomeLoss'),
    line('Interest expense', of, (s) => s.interestExpense, 'InterestExpense'),
    line('Income before income taxes', of, (s) => s.pretaxIncome),
    line('Provision for income taxes', of, (s) => s.tax, 'IncomeTaxExpenseBenefit'),
    line('Net income', of, (s) => s.netIncome, 'NetIncomeLoss', 'total'),
    { label: 'Earnings per share', values: of.map((s) => perShare(s.earningsPerShare)) },
    line('Shares outstanding', of, (s) => s.shares),
  ];
  page.table([head(columns), ...rows], { money: true, caption: 'Consolidated Statements of Income (in thousands)' });
}

export function perShare(dollars: number): string {
  return dollars < 0 ? `(${(-dollars).toFixed(2)})` : dollars.toFixed(2);
}

export function balanceSheet(page: Page, of: Three, columns: readonly string[]): void {
  const two = of.slice(0, 2);
  page.table(
    [
      head(columns.slice(0, 2)),
      line('Cash and cash equivalents', two, (s) => s.cash, 'CashAndCashEquivalentsAtCarryingValue'),
      line('Accounts receivable, net', two, (s) => s.receivables, 'AccountsReceivableNetCurrent'),
      line('Inventories', two, (s) => s.inventories, 'InventoryNet'),
      line('Property, plant and equipment, net', two, (s) => s.property, 'PropertyPlantAndEquipmentNet'),
      line('Goodwill', two, (s) => s.goodwill, 'Goodwill'),
      line('Total assets', two, (s) => s.totalAssets, 'Assets', 'total'),
      line('Accounts payable and accrued liabilities', two, (s) => s.payables),
      line('Long-term debt', two, (s) => s.debt, 'LongTermDebt'),
      line("Stockholders' equity", two, (s) => s.equity, 'StockholdersEquity'),
      line(
        "Total liabilities and stockholders' equity",
        two,
        (s) => s.totalAssets,
        'LiabilitiesAndStockholdersEquity',
        'total',
      ),
    ],
    { money: true, caption: 'Consolidated Balance Sheets (in thousands)' },
  );
}

export function cashFlows(page: Page, of: Three, columns: readonly string[]): void {
  page.table(
    [
      head(columns),
      line('Net income', of, (s) => s.netIncome, 'NetIncomeLoss'),
      line('Depreciation and amortization', of, (s) => s.depreciation, 'DepreciationDepletionAndAmortization'),
      line('Changes in operating assets and liabilities', of, (s) => s.operatingCash - s.netIncome - s.depreciation),
      line(
        'Net cash provided by operating activities',
        of,
        (s) => s.operatingCash,
        'NetCashProvidedByUsedInOperatingActivities',
      ),
      line('Capital expenditures', of, (s) => s.investingCash),
      line(
        'Net cash used in investing activities',
        of,
        (s) => s.investingCash,
        'NetCashProvidedByUsedInInvestingActivities',
      ),
      line(
        'Net cash used in financing activities',
        of,
        (s) => s.financingCash,
        'NetCashProvidedByUsedInFinancingActivities',
      ),
      line('Net change in cash', of, (s) => s.operatingCash + s.investingCash + s.financingCash, undefined, 'total'),
    ],
    { money: true, caption: 'Consolidated Statements of Cash Flows (in thousands)' },
  );
}

export function selectedData(page: Page, of: Three, columns: readonly string[]): void {
  page.table(
    [
      head(columns),
      line('Revenue', of, (s) => s.revenue),
      line('Net income', of, (s) => s.netIncome),
      { label: 'Earnings per share', values: of.map((s) => perShare(s.earningsPerShare)) },
      line('Total assets', of, (s) => s.totalAssets),
      line('Long-term debt', of, (s) => s.debt),
      line('Employees', of, (s) => s.employees),
    ],
    { caption: 'Selected Financial Data (in thousands, except per share and employees)' },
  );
}
