/** Items of financial data schedules: EX-27 of 1993 to 2001. */
import { describe, expect, it } from 'vitest';
import type { Filing, Row } from '../../../../src/filings/forms/index.ts';
import { mapFiling, neededFor } from '../../../../src/filings/statements/index.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const TABLES = new Set(['fundamentals', 'fundamental_sources', 'fundamental_checks', 'fiscal_periods']);

const filingWith = (documents: Filing['documents']): Filing => ({
  accessionNumber: '0000000042-97-000001',
  filingDate: '1997-08-01',
  formType: '10-Q',
  documents,
});

function rowsOf(filing: Filing): Record<string, Row[]> {
  const rows = [...mapFiling(filing, TABLES)];
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, list]) => [table, list.map(({ row }) => row)]),
  );
}
function itemsOf(rows: Record<string, Row[]>): Record<string, string> {
  return Object.fromEntries(
    (rows.fundamentals ?? []).map(({ item, value, fiscal_year, fiscal_period, reason }) => [
      String(item),
      value === null ? String(reason) : `${value} ${fiscal_year} ${fiscal_period}`,
    ]),
  );
}
const made = (head: Record<string, string>, values: Record<string, string>) => {
  const line = ([tag, value]: [string, string]) => `<${tag}> ${value}`;
  const text = ['<TABLE> <S> <C>', ...Object.entries(head).map(line), ...Object.entries(values).map(line), '</TABLE>'];
  return rowsOf(filingWith([{ name: 'ex27.txt', type: 'EX-27', text: () => text.join('\n') }]));
};
const HEAD = {
  ARTICLE: '5',
  MULTIPLIER: '1,000',
  'PERIOD-TYPE': '9-MOS',
  'FISCAL-YEAR-END': 'DEC-31-1996',
  'PERIOD-END': 'SEP-30-1997',
};

describe('a schedule', () => {
  it('gives items by its tags, multiplied once, those per share not at all', () => {
    const found = itemsOf(
      made(HEAD, {
        'TOTAL-REVENUES': '5,467',
        'NET-INCOME': '(884)',
        'EPS-PRIMARY': '(7.04)',
        'TOTAL-ASSETS': '4,341',
      }),
    );
    expect(found).toMatchObject({
      revenue: '5467000 1997 9M',
      net_income: '-884000 1997 9M',
      eps_basic: '-7.04 1997 9M',
      total_assets: '4341000 1997 Q3',
      eps_diluted: 'no_line',
    });
  });

  it('gives no zeros but of the tax: filers write them for what they do not state', () => {
    const found = itemsOf(made(HEAD, { BONDS: '0', 'CURRENT-ASSETS': '0', 'INCOME-TAX': '0', 'INCOME-PRETAX': '-5' }));
    expect(found).toMatchObject({ long_term_debt: 'no_line', current_assets: 'no_line', income_tax: '0 1997 9M' });
  });

  it('gives what its tags say for certain', () => {
    const values = {
      RECEIVABLES: '90',
      ALLOWANCES: '5',
      CGS: '40',
      'TOTAL-COSTS': '60',
      'PP&E': '70',
      DEPRECIATION: '(30)',
    };
    expect(itemsOf(made(HEAD, values))).toMatchObject({
      receivables: 'no_line',
      cost_of_revenue: 'no_line',
      ppe_gross: '70000 1997 Q3',
      accumulated_depreciation: '30000 1997 Q3',
      ppe_net: '40000 1997 Q3',
    });
    const sources = made(HEAD, values).fundamental_sources!.filter(({ item }) => item === 'ppe_net');
    expect(sources).toMatchObject([
      { weight: 1, concept: 'ex27:PP&E', value: '70000', start_index: null },
      { weight: 1, concept: 'ex27:DEPRECIATION', value: '-30000' },
    ]);
    const clear = itemsOf(made(HEAD, { ...values, ALLOWANCES: '0', 'TOTAL-COSTS': '40' }));
    expect(clear).toMatchObject({ receivables: '90000 1997 Q3', cost_of_revenue: '40000 1997 9M' });
  });

  it('gives no flows of a period that is none of the company', () => {
    const found = itemsOf(made({ ...HEAD, 'PERIOD-TYPE': '6-MOS' }, { 'TOTAL-REVENUES': '5', 'TOTAL-ASSETS': '4' }));
    expect(found).toMatchObject({ revenue: 'no_period', total_assets: '4000 1997 Q3' });
    expect(itemsOf(made({ ...HEAD, 'PERIOD-TYPE': '3-MOS' }, { 'TOTAL-REVENUES': '5' })).revenue).toBe('5000 1997 Q3');
  });

  it('of a fund, or of several companies, gives nothing', () => {
    expect(made({ ...HEAD, ARTICLE: '6' }, { 'TOTAL-ASSETS': '4' })).toEqual({});
    const text = (name: string) => () =>
      `<ARTICLE> UT\n<NAME> ${name}\n<FISCAL-YEAR-END> DEC-31-1997\n<PERIOD-END> DEC-31-1997\n<TOTAL-ASSETS> 5\n`;
    const documents = ['ONE', 'TWO'].map((name, k) => ({ name: `${k}.txt`, type: 'EX-27', text: text(name) }));
    expect(rowsOf(filingWith(documents))).toEqual({});
    expect(itemsOf(rowsOf(filingWith(documents.slice(0, 1)))).total_assets).toBe('5 1997 FY');
  });

  it('has a doubt if its two totals differ', () => {
    const checks = made(HEAD, { 'TOTAL-ASSETS': '81,490', 'TOTAL-LIABILITY-AND-EQUITY': '81,499' }).fundamental_checks!;
    expect(checks).toMatchObject([{ identity: 'assets_equal_claims', difference: '-9000', holds: false }]);
  });
});

const REAL: Record<string, Record<string, string>> = {
  '0000320193-94-000016.txt.gz': {
    revenue: '9188748000 1994 FY',
    net_income: '310178000 1994 FY',
    eps_basic: '2.61 1994 FY',
  },
  '0000320193-97-000014.txt': { revenue: 'no_period', total_assets: '4341000000 1997 Q3' },
  '0000320193-98-000008.txt': { revenue: '4385000000 1998 9M', eps_diluted: '1.4 1998 9M' },
  '0000912057-00-003201.txt': { revenue: '2343000000 2000 Q1', net_income: '183000000 2000 Q1' },
  '0000912057-00-053623.txt.gz': {
    revenue: '7983000000 2000 FY',
    total_assets: '6803000000 2000 FY',
    long_term_debt: '300000000 2000 FY',
  },
  '0000950130-96-000896.txt.gz': {
    revenue: '16681000000 1995 FY',
    ppe_net: '5269000000 1995 FY',
    income_tax: '1462000000 1995 FY',
  },
  '0001047469-98-012291.txt.gz': {
    revenue: '78508000000 1997 FY',
    cost_of_revenue: 'no_line',
    long_term_debt: 'no_line',
  },
};

it('are documents that an export of fundamentals asks for', () => {
  const documents = [
    { filename: null, type: '10-K' },
    { filename: null, type: 'EX-27' },
    { filename: null, type: 'EX-13' },
  ];
  const needed = neededFor({ form: '10-K', filed: null }, documents, ['fundamentals']);
  expect(needed.tables).toEqual(['fundamentals']);
  expect(needed.documents).toContainEqual({ filename: null, type: 'EX-27' });
});

describe.skipIf(sharedFolder === null)('schedules of real filings', () => {
  it.each(Object.entries(REAL))('%s', (name, expected) => {
    expect(itemsOf(rowsOf(filingOf(`edgar/full-submissions/${name}`)))).toMatchObject(expected);
  });
});
