/** A statement that is several tables: the quarter, then the months so far. */
import { describe, expect, it } from 'vitest';
import { type Report, type StatementLine, statementsOf } from '../../../support/statements.ts';

const QUARTER = ['2024-07-01/2024-09-30', '2023-07-01/2023-09-30'];
const MONTHS = ['2024-01-01/2024-09-30', '2023-01-01/2023-09-30'];
type Values = readonly [string | null, string | null];
const statement = (values: (times: number) => Values): StatementLine[] => {
  const line = (label: string, concept: string, times: number): StatementLine => [label, concept, ...values(times)];
  return [
    line('Net sales', 'Revenues', 310),
    line('Cost of sales', 'CostOfRevenue', 180),
    line('Selling, general and administrative', 'SellingGeneralAndAdministrativeExpense', 60),
    line('Income taxes', 'IncomeTaxExpenseBenefit', 10),
    line('Net income', 'NetIncomeLoss', 60),
    line('Basic', 'EarningsPerShareBasic', 2),
  ];
};
const first = statement((times) => [String(times), String(times - 1)]);
/** The columns of the second table. */
const second = (more: (lines: StatementLine[]) => StatementLine[] = (lines) => lines): StatementLine[] =>
  more(statement((times) => [String(times * 3), String(times * 2)])).map(
    ([label, concept, ...values]): StatementLine => [label, concept, null, null, ...values],
  );
const report = (income: readonly StatementLine[], notes: readonly (readonly StatementLine[])[]): Report => ({
  end: '2024-09-30',
  year: 2024,
  period: 'Q3',
  durations: [...QUARTER, ...MONTHS],
  days: ['2024-09-30'],
  income,
  notes,
});
const valuesOf = (made: Report, item: string) =>
  statementsOf(made)
    .fundamentals!.filter((row) => row.item === item && row.value !== null)
    .map(({ fiscal_period, fiscal_year, value }) => [fiscal_period, fiscal_year, value]);

const BOTH = [
  ['Q3', 2024, '310000000'],
  ['Q3', 2023, '309000000'],
  ['9M', 2024, '930000000'],
  ['9M', 2023, '620000000'],
];

describe('an income statement in two tables', () => {
  it('has the periods of both, in either order', () => {
    expect(valuesOf(report(first, [second()]), 'revenue')).toEqual(BOTH);
    expect(valuesOf(report(second(), [first]), 'revenue')).toEqual([...BOTH.slice(2), ...BOTH.slice(0, 2)]);
    expect(valuesOf(report(first, [second()]), 'eps_basic').map(([, , value]) => value)).toEqual(['2', '1', '6', '4']);
  });

  it('has a line that only the second table has, with its period', () => {
    const more = (lines: StatementLine[]) =>
      lines.toSpliced(3, 0, ['Research', 'ResearchAndDevelopmentExpense', '9', '8'] as StatementLine);
    const made = report(first, [second(more)]);
    expect(valuesOf(made, 'research_and_development')).toEqual([
      ['9M', 2024, '9000000'],
      ['9M', 2023, '8000000'],
    ]);
    expect(valuesOf(made, 'income_tax')).toHaveLength(4);
  });

  it('takes no periods from a summary in a note, or from a table that only says the same again', () => {
    const summary = second().filter(([label]) => ['Net sales', 'Income taxes', 'Net income'].includes(label));
    expect(valuesOf(report(first, [summary]), 'revenue')).toEqual(BOTH.slice(0, 2));
    const other = first.map(([label, concept]): StatementLine => [label, concept, '7', '7']);
    expect(valuesOf(report(first, [other]), 'revenue')).toEqual(BOTH.slice(0, 2));
  });
});
