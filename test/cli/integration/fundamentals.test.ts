import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { mapFiling } from '../../../src/filings/statements/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { inlineReport, type Report } from '../../support/statements.ts';

const TABLES = new Set(['fundamentals', 'fundamental_sources', 'fundamental_checks']);

function report(end: string, period: string, sales: Record<string, string>): Report {
  const durations = Object.keys(sales);
  const same = (value: string) => durations.map(() => value);
  return {
    end,
    year: 2024,
    period,
    durations,
    days: [end],
    income: [
      ['Total sales', 'Revenues', ...Object.values(sales)],
      ['Marketing', 'SellingAndMarketingExpense', ...same('3')],
      ['Administration', 'GeneralAndAdministrativeExpense', ...same('4')],
      ['Net income', 'NetIncomeLoss', ...same('8')],
    ],
    balance: [
      ['Total assets', 'Assets', '50'],
      ['Equity', 'StockholdersEquity', '30'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '53'],
    ],
  };
}
const FILED: [accepted: string, form: string, Report][] = [
  [
    '2024-11-01T10:00:00',
    '10-Q',
    report('2024-09-30', 'Q3', { '2024-07-01/2024-09-30': '24', '2024-01-01/2024-09-30': '66' }),
  ],
  ['2025-02-20T16:30:00', '10-K', report('2024-12-31', 'FY', { '2024-01-01/2024-12-31': '96' })],
];

/** Of a company that states quarters only. */
const QUARTERS = [
  ['FY', '90', '2023-01-01', '2023-12-31'],
  ['Q1', '20', '2024-01-01', '2024-03-31'],
  ['Q2', '22', '2024-04-01', '2024-06-30'],
  ['Q3', '24', '2024-07-01', '2024-09-30'],
  ['FY', '96', '2024-01-01', '2024-12-31'],
] as const;

describe('filinglake fundamentals', () => {
  let folder: string;

  beforeAll(async () => {
    folder = path.join(temporaryFolder(), 'lake');
    const rows: Record<string, Row[]> = { filings: [], documents: [], document_contents: [], entity_tickers: [] };
    for (const table of TABLES) rows[table] = [];
    rows.entity_tickers!.push({ cik: '42', position: 0, ticker: 'ACME' });
    for (const [n, [acceptance_datetime, form_type, of]] of FILED.entries()) {
      const accession_number = accession(n);
      const content = inlineReport(of);
      const ids = { accession_number, document_id: `${accession_number}-1` };
      rows.filings!.push({
        accession_number,
        cik: '42',
        form_type,
        filing_date: acceptance_datetime.slice(0, 10),
        acceptance_datetime,
      });
      rows.documents!.push({ ...ids, sequence: 1, filename: 'acme.htm', type: form_type });
      if (n === 1) rows.document_contents!.push({ ...ids, encoding: 'utf-8', content });
      const documents = [{ name: 'acme.htm', type: form_type, text: () => content }];
      const filing = { accessionNumber: accession_number, filingDate: null, formType: form_type, documents };
      for (const { table, row } of mapFiling(filing, TABLES)) if (TABLES.has(table)) rows[table]!.push(row);
    }
    for (const [fiscal_period, value, period_start, period_end] of QUARTERS)
      rows.fundamentals!.push({
        accession_number: accession(fiscal_period === 'FY' ? 1 : 0),
        file: 'other.htm',
        cik: '43',
        fiscal_year: Number(period_end.slice(0, 4)),
        fiscal_period,
        period_start,
        period_end,
        statement: 'income',
        item: 'revenue',
        value,
        unit: 'USD',
        decimals: '0',
        registrant: '',
        method: 'reported',
        concept: 'us-gaap:Revenues',
      });
    rows.fundamentals!.push({
      accession_number: accession(0),
      file: '5',
      cik: '42',
      fiscal_year: 1997,
      fiscal_period: 'FY',
      period_start: null,
      period_end: '1997-12-31',
      statement: 'income',
      item: 'revenue',
      value: '12',
      unit: 'USD',
      registrant: '',
      method: 'reported',
      concept: 'ex27:TOTAL-REVENUES',
      rule: 'schedules/revenue',
      start_index: null,
    });
    await using lake = await openLake(folder, { create: true });
    await bring(lake, { batch: 'b' }, rows);
  });

  const ask = (...args: string[]) => commandLine(['fundamentals', ...args, '--lake', folder]);

  it('explains a printed line down to its place in the page', async () => {
    const { stdout, status } = await ask('--explain', 'acme', 'revenue', '2024');
    expect(status).toBe(0);
    expect(stdout).toContain('revenue 2024 FY (2024-01-01 to 2024-12-31): 96,000,000 USD');
    expect(stdout).toContain('from 2025-02-20T16:30:00');
    expect(stdout).toMatch(/rule {6}revenue\/\d+: \S/);
    expect(stdout).toMatch(/page {6}acme\.htm, \d+ to \d+: 96\n {12}Total sales 96\n/);
  });

  it('names the facts of a sum with their weights, as JSON too', async () => {
    const [one] = JSON.parse((await ask('--explain', '42', 'selling_general_admin', 'FY2024', '--json')).stdout);
    expect(one).toMatchObject({ value: '7000000', method: 'summed', accession_number: accession(1), parts: [] });
    expect(one.facts).toMatchObject([
      { weight: 1, concept: 'us-gaap:SellingAndMarketingExpense', value: '3000000', printed: '3', line: 'Marketing 3' },
      { weight: 1, concept: 'us-gaap:GeneralAndAdministrativeExpense', value: '4000000', printed: '4' },
    ]);
  });

  it('takes a quarter that no filing states apart', async () => {
    const [one] = JSON.parse((await ask('--explain', '42', 'revenue', '2024Q4', '--json')).stdout);
    expect(one).toMatchObject({ value: '30000000', method: 'quarter', facts: [] });
    expect(one.parts).toMatchObject([
      { weight: 1, of: { fiscal_period: 'FY', value: '96000000', facts: [{ printed: '96' }] } },
      { weight: -1, of: { fiscal_period: '9M', value: '66000000', facts: [{ printed: null, line: null }] } },
    ]);
    expect((await ask('--explain', '42', 'revenue', '2024Q4')).stdout).toContain(
      '(the lake does not have the document: export it with documents: { types: [all] })',
    );
  });

  it('takes a quarter apart whose months are quarters in a row', async () => {
    const [one] = JSON.parse((await ask('--explain', '43', 'revenue', '2024Q4', '--json')).stdout);
    expect(one).toMatchObject({ value: '30', method: 'quarter' });
    expect(one.parts.map(({ weight, of }: { weight: number; of: Row }) => [weight, of.fiscal_period])).toEqual([
      [1, 'FY'],
      [-1, 'Q1'],
      [-1, 'Q2'],
      [-1, 'Q3'],
    ]);
    const [year] = JSON.parse((await ask('--explain', '43', 'revenue', '2024', '--json')).stdout);
    expect(year).toMatchObject({ value: '96', method: 'reported', parts: [] });
  });

  it('shows checks that fail, and why a value is null', async () => {
    expect((await ask('--explain', '42', 'total_assets', '2024Q4')).stdout).toContain(
      'assets_equal_claims: 50,000,000 and 53,000,000 DIFFER',
    );
    expect((await ask('--explain', '42', 'goodwill', '2024')).stdout).toContain('null, no_line');
  });

  it('names the exhibit of a value without a place in it', async () => {
    const { stdout } = await ask('--explain', '42', 'revenue', '1997');
    expect(stdout).toMatch(/revenue: of the schedule \(EX-27\)\n {2}fact {6}ex27:TOTAL-REVENUES\n {2}page {6}5\n/);
    expect((await ask('--explain', '42', 'revenue', '1997Q4')).status).toBe(3);
  });

  it('lists values, and uses nothing that was accepted later', async () => {
    const periods = async (...more: string[]) =>
      JSON.parse((await ask('42', 'revenue', '--json', ...more)).stdout).map((row: Row) => row.fiscal_period);
    expect(await periods()).toEqual(['FY', '9M', 'Q3', 'FY', 'Q4']);
    expect(await periods('--as-of', '2025-02-20')).toEqual(['FY', '9M', 'Q3']);
    expect(await periods('--as-of', '2025-02-20T16:30')).toEqual(['FY', '9M', 'Q3', 'FY', 'Q4']);
  });

  it('ends with 3 if the lake has no such value, and names the periods that it has', async () => {
    const { status, stderr } = await ask('42', 'revenue', '2019');
    expect(status).toBe(3);
    expect(stderr).toBe('the lake has no revenue of 42 for 2019; it has 1997-FY, 2024-9M, 2024-Q3, 2024-FY, 2024-Q4\n');
  });

  it.each([
    [['42', 'revenu'], /did you mean revenue/],
    [['42', 'revenue', 'Q4'], /PERIOD must be a fiscal year/],
    [['--explain', '42', 'revenue'], /--explain needs an item and a period/],
    [['NONE', 'revenue'], /no company of the lake has the ticker 'NONE'/],
    [['42', '--as-of', 'May'], /--as-of must be a day/],
  ])('refuses %s', async (args, message) => {
    const { status, stderr } = await ask(...args);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
