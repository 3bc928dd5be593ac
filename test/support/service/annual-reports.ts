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

/** Second quarters: as ANNUAL_REPORTS, with a balance sheet beside that of the last year's end, and an item that changed. */
export const QUARTERS = ['0000100007-23-000002', '0000100007-24-000002'] as const;

export const QUARTERLY_REPORTS: readonly MadeFiling[] = QUARTERS.map((accession, k) => {
  const year = 2023 + k;
  const ends = [year, year - 1].map((of) => `${of}-06-30`);
  const page = inlineReport({
    end: ends[0]!,
    year,
    period: 'Q2',
    days: [ends[0]!, `${year - 1}-12-31`, ends[1]!],
    durations: [
      ...ends.map((end) => `${end.slice(0, 4)}-04-01/${end}`),
      ...ends.map((end) => `${end.slice(0, 4)}-01-01/${end}`),
    ],
    income: [
      ['Total sales', 'Revenues', '100', '80', '180', '150'],
      ['Marketing', 'SellingAndMarketingExpense', '3', '3', '6', '6'],
      ['Administration', 'GeneralAndAdministrativeExpense', '4', '4', '8', '8'],
      ['Net income', 'NetIncomeLoss', '9', '8', '12', '10'],
    ],
    balance: [
      ['Total assets', 'Assets', '5000', '4000'],
      ['Equity', 'StockholdersEquity', '3000', '2500', '2000'],
      ['Total', 'LiabilitiesAndStockholdersEquity', '5000', '4000'],
    ],
    cashFlow: [['Cash from sales', 'NetCashProvidedByUsedInOperatingActivities', null, null, '44', '40']],
  });
  const risks = k === 0 ? ['Boats may sink.'] : ['Boats may sink.', 'Nets may <b>tear</b>.'];
  const items = [
    'PART II. OTHER INFORMATION',
    'Item 1. Legal Proceedings',
    'There are none.',
    'Item 1A. Risk Factors',
    ...risks,
    'Item 6. Exhibits',
    `Certification of ${year}.`,
  ];
  return {
    accession,
    form: '10-Q',
    filed: `${year}0809`,
    period: `${year}0630`,
    cik: '0000100007',
    name: 'STATED FIGURES INC',
    documents: [
      {
        type: '10-Q',
        filename: 'report.htm',
        body: page.replace('</body>', `${items.map((item) => `<p>${item}</p>`).join('\n')}</body>`),
      },
      { type: 'EX-101.SCH', filename: 'report.xsd', body: '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>' },
    ],
  };
});
