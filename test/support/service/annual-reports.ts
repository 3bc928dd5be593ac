/** Annual reports with statements, for the page of their company. */
import { inlineReport } from '../statements.ts';
import type { MadeFiling } from './small-catalog.ts';

export const REPORTING_COMPANY = '100007';
/** The second one restates the sales of 2023. */
export const REPORTS = ['0000100007-24-000001', '0000100007-25-000001'] as const;

/** @param sales in millions, by year: the newest first */
function reportOf(year: number, sales: readonly [year: number, amount: string][]): string {
  const amounts = sales.map(([, amount]) => amount);
  const page = inlineReport({
    end: `${year}-12-31`,
    year,
    period: 'FY',
    days: [`${year}-12-31`],
    durations: sales.map(([of]) => `${of}-01-01/${of}-12-31`),
    income: [
      ['Total sales', 'Revenues', ...amounts],
      ['Marketing', 'SellingAndMarketingExpense', ...amounts.map(() => '3')],
      ['Administration', 'GeneralAndAdministrativeExpense', ...amounts.map(() => '4')],
      ['Net loss', 'NetIncomeLoss', ...amounts.map(() => '-8')],
      ['Basic', 'EarningsPerShareBasic', ...amounts.map(() => '-0.80')],
    ],
    balance: [
      ['Total assets', 'Assets', '5000'],
      ['Equity', 'StockholdersEquity', '3000'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '5000'],
    ],
  });
  let count = 0;
  return page.replaceAll('<ix:nonFraction ', () => `<ix:nonFraction id="f-${++count}" `);
}

export const ANNUAL_REPORTS: readonly MadeFiling[] = [
  {
    year: 2023,
    accession: REPORTS[0],
    sales: [
      [2023, '90'],
      [2022, '80'],
    ] as [number, string][],
  },
  {
    year: 2024,
    accession: REPORTS[1],
    sales: [
      [2024, '1200'],
      [2023, '91'],
    ] as [number, string][],
  },
].map(({ year, accession, sales }) => ({
  accession,
  form: '10-K',
  filed: `${year + 1}0220`,
  period: `${year}1231`,
  cik: '0000100007',
  name: 'STATED FIGURES INC',
  documents: [
    { type: '10-K', filename: 'report.htm', body: reportOf(year, sales) },
    { type: 'EX-101.SCH', filename: 'report.xsd', body: '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>' },
  ],
}));
