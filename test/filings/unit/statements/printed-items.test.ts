/** Items of statements that are printed without tags: named by words, places and sums; contradicted ones have no value. */
import { describe, expect, it } from 'vitest';
import { pageRows } from '../../../../src/filings/documents/index.ts';
import type { Row } from '../../../../src/filings/forms/index.ts';
import { mapFiling, neededFor } from '../../../../src/filings/statements/index.ts';
import { filingText } from '../../../support/documents/labelled.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';
import { inlineReport, report } from '../../../support/statements.ts';

const PRINTED = 'printed_fundamentals';

function rowsOf(text: string, formType = '10-K', type: string | null = formType): Row[] {
  const documents = [{ name: 'a.txt', type, text: () => text }];
  const filing = { accessionNumber: '0000000042-98-000001', filingDate: '1998-03-01', formType, documents };
  return [...mapFiling(filing, new Set([PRINTED]), pageRows)].flatMap(({ table, row }) =>
    table === PRINTED ? [row] : [],
  );
}

/** `{ revenue: '5400000' }` of the newest period, or the reason. */
function itemsOf(text: string, formType?: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { item, value, reason } of rowsOf(text, formType)) found[String(item)] ??= String(value ?? reason);
  return found;
}

const line = (label: string, ...cells: string[]) =>
  `  ${label.padEnd(44)}${cells.map((cell) => cell.padStart(14)).join('')}`;

/** A report of 1997 with lines in place of others. */
const page = (others: Record<string, string> = {}) => {
  const lines = (list: readonly (readonly [string, ...string[]])[]) =>
    list.map(([label, ...cells]) => others[label] ?? line(label, ...cells)).join('\n');
  return `
                      FORM 10-K
      For the fiscal year ended December 31, 1997

             ACME CORPORATION AND SUBSIDIARIES
            CONSOLIDATED STATEMENTS OF INCOME
        (In thousands, except per share amounts)

                                              Year ended December 31,
                                                      1997          1996
                                                    --------      --------
${lines([
  ['Net sales', '$  5,400', '$  5,000'],
  ['Cost of goods sold', '(3,000)', '(2,900)'],
  ['Gross profit', '2,400', '2,100'],
  ['Selling, general and administrative', '(1,400)', '(1,300)'],
  ['Operating income', '1,000', '800'],
  ['Interest expense', '(100)', '(90)'],
  ['Income before income taxes', '900', '710'],
  ['Provision for income taxes', '(300)', '(210)'],
  ['Net income', '$    600', '$    500'],
])}
  Earnings per share:
${lines([
  ['Basic', '$   1.20', '$   1.00'],
  ['Diluted', '$   1.15', '$    .97'],
])}

             ACME CORPORATION AND SUBSIDIARIES
               CONSOLIDATED BALANCE SHEETS
                     (In thousands)

                                              December 31,
                                                      1997          1996
                                                    --------      --------
  Assets
  Current assets:
${lines([
  ['Cash and cash equivalents', '$    500', '$    400'],
  ['Accounts receivable, net', '700', '650'],
  ['Inventories', '800', '750'],
  ['Total current assets', '2,000', '1,800'],
  ['Property, plant and equipment, net', '3,000', '2,900'],
  ['', '$  5,000', '$  4,700'],
])}
  Liabilities and Shareholders' Equity
  Current liabilities:
${lines([
  ['Accounts payable', '$    600', '$    550'],
  ['Accrued expenses', '400', '350'],
  ['Total current liabilities', '1,000', '900'],
  ['Long-term debt, less current maturities', '1,500', '1,600'],
  ['Common stock', '100', '100'],
  ['Retained earnings', '2,400', '2,100'],
  ["Total shareholders' equity", '2,500', '2,200'],
  ["Total liabilities and shareholders' equity", '$  5,000', '$  4,700'],
])}

             ACME CORPORATION AND SUBSIDIARIES
           CONSOLIDATED STATEMENTS OF CASH FLOWS
                     (In thousands)

                                              Year ended December 31,
                                                      1997          1996
                                                    --------      --------
${lines([
  ['Net income', '$    600', '$    500'],
  ['Depreciation and amortization', '300', '280'],
  ['Net cash provided by operating activities', '900', '780'],
  ['Capital expenditures', '(400)', '(380)'],
  ['Net cash used in investing activities', '(400)', '(380)'],
  ['Repayment of long-term debt', '(100)', '(50)'],
  ['Dividends paid', '(300)', '(300)'],
  ['Net cash used in financing activities', '(400)', '(350)'],
  ['Net increase in cash', '100', '50'],
  ['Cash at beginning of year', '400', '350'],
  ['Cash at end of year', '$    500', '$    400'],
])}
`;
};

describe('items of printed statements', () => {
  it('have a number behind a sign that blanks part from it, though one blank parts the sign from the number before', () => {
    const crowded = '  Net income                                $ (816) $   424';
    expect(itemsOf(page({ 'Net income': crowded, 'Provision for income taxes': '' })).net_income).toBe('-816000');
  });

  it('take total sales as revenue, and not as what selling costs', () => {
    const sales = [line('Products', '4,400', '4,000'), line('Services', '1,000', '1,000')];
    const all = ['  Sales:', ...sales, line('Total sales', '5,400', '5,000')].join('\n');
    expect(itemsOf(page({ 'Net sales': all }))).toMatchObject({ revenue: '5400000', selling_general_admin: '1400000' });
  });

  it('have the revenues of a broker after interest, if they are what interest leaves', () => {
    const broker = (net: string) =>
      itemsOf(
        page({
          'Net sales': line('Total revenues', '5,500', '5,090'),
          'Cost of goods sold': line('Interest expense', '100', '90'),
          'Gross profit': line('Net revenues', net, '5,000'),
          'Selling, general and administrative': line('Compensation expense', '4,500', '4,290'),
          'Operating income': '',
          'Interest expense': '',
          'Income before income taxes': line('Income before taxes and dividends on preferred securities', '900', '710'),
        }),
      );
    expect(broker('5,400')).toMatchObject({ revenue: '5400000', interest_expense: '100000', pretax_income: '900000' });
    expect(broker('5,300').revenue).toBe('contradicted');
  });

  it('are those of the tagged ones, with costs as positive numbers and totals without words', () => {
    expect(itemsOf(page())).toMatchObject({
      revenue: '5400000',
      cost_of_revenue: '3000000',
      gross_profit: '2400000',
      selling_general_admin: '1400000',
      operating_income: '1000000',
      interest_expense: '100000',
      pretax_income: '900000',
      income_tax: '300000',
      net_income: '600000',
      eps_basic: '1.2',
      eps_diluted: '1.15',
      total_assets: '5000000',
      current_assets: '2000000',
      cash: '500000',
      receivables: '700000',
      inventory: '800000',
      ppe_net: '3000000',
      total_liabilities: '2500000',
      current_liabilities: '1000000',
      long_term_debt: '1500000',
      stockholders_equity: '2500000',
      retained_earnings: '2400000',
      cash_from_operations: '900000',
      cash_from_investing: '-400000',
      cash_from_financing: '-400000',
      depreciation_amortization: '300000',
      capex: '400000',
      dividends_paid: '300000',
      research_and_development: 'no_line',
    });
  });

  it('have their period, their words, and the place of their digits; several numbers are parts', () => {
    const text = page();
    const rows = rowsOf(text);
    const [revenue, before] = rows.filter(({ item }) => item === 'revenue');
    expect(revenue).toMatchObject({
      fiscal_year: 1997,
      fiscal_period: 'FY',
      period_start: '1997-01-01',
      period_end: '1997-12-31',
      unit: 'USD',
      decimals: '-3',
      method: 'printed',
      line: 'Net sales',
      parts: null,
    });
    expect(before).toMatchObject({ fiscal_year: 1996, value: '5000000' });
    for (const { value, start_index, end_index } of rows)
      if (typeof start_index === 'number') {
        const digits = text.slice(start_index, end_index as number).replace(/\D/g, '');
        expect(String(value).replace(/\D/g, '').replace(/0+$/, '')).toContain(digits.replace(/^0+|0+$/g, ''));
      }
    const owed = rows.find(({ item }) => item === 'total_liabilities')!;
    expect([owed.start_index, owed.concept]).toEqual([null, null]);
    const parts = JSON.parse(String(owed.parts)) as { weight: number; value: string; start_index: number }[];
    expect(parts.reduce((sum, { weight, value }) => sum + weight * Number(value), 0)).toBe(Number(owed.value));
    expect(parts.map(({ start_index }) => text.slice(start_index, start_index + 5))).toEqual(['5,000', '2,500']);
  });

  it('have no value where an identity speaks against them', () => {
    const wrong = page({
      'Net cash used in investing activities': line('Net cash used in investing activities', '(500)', '(380)'),
    });
    const flows = rowsOf(wrong).filter(({ item }) => item === 'cash_from_investing');
    expect(flows.map(({ fiscal_year, value, reason }) => [fiscal_year, value, reason])).toEqual([
      [1996, '-380000', null],
      [1997, null, 'contradicted'],
    ]);
    expect(
      itemsOf(page({ 'Provision for income taxes': line('Provision for income taxes', '250', '250') })),
    ).toMatchObject({
      income_tax: 'contradicted',
      pretax_income: 'contradicted',
      net_income: 'contradicted',
      revenue: '5400000',
    });
    expect(itemsOf(page({ Basic: line('Basic', '$  (1.20)', '$   1.00') })).eps_basic).toBe('1');
  });

  it('have no value in columns that other statements contradict', () => {
    const other = page().replace(/(CASH FLOWS[\s\S]*?)1997 {10}1996/, '$11996          1997');
    expect(itemsOf(other)).toMatchObject({
      cash_from_operations: 'contradicted',
      capex: 'contradicted',
      total_assets: 'contradicted',
      net_income: '600000',
    });
  });

  it('have no amount if earnings per share say that its scale is not printed', () => {
    const count = line('Weighted average diluted shares', '521,700', '515,400');
    const own = page({ Diluted: `${line('Diluted', '$   1.15', '$    .97')}\n${count}` });
    expect(itemsOf(own)).toMatchObject({ net_income: '600000', eps_diluted: '1.15' });
    const bare = own.replace(/\(In thousands[^)]*\)/g, '');
    expect(itemsOf(bare)).toMatchObject({
      revenue: 'contradicted',
      total_assets: 'contradicted',
      net_income: 'contradicted',
      eps_diluted: '1.15',
    });
  });

  it('take earnings per share before other effects for those of net income only if there are none', () => {
    const before = line('Before cumulative effect of accounting changes', '$   1.20', '$   1.00');
    const own = page({ Basic: before });
    expect(itemsOf(own).eps_basic).toBe('1.2');
    const effect = line('Cumulative effect of accounting changes', '(50)', '--');
    const net = line('Net income', '$    600', '$    500');
    expect(itemsOf(own.replace(net, `${effect}\n${net}`)).eps_basic).not.toBe('1.2');
  });

  it('are null if sales are a part: other revenue beside them, sales of another business, costs that do not make the gross profit', () => {
    const other = `${line('Net sales', '$  5,400', '$  5,000')}\n${line('Franchise fees', '40', '50')}`;
    expect(itemsOf(page({ 'Net sales': other })).revenue).toBe('contradicted');
    const total = `${other}\n${line('', '5,440', '5,050')}`;
    const whole = itemsOf(page({ 'Net sales': total, 'Gross profit': '', 'Operating income': '' }));
    expect(whole).toMatchObject({ revenue: '5440000', cost_of_revenue: '3000000' });
    const second = `${line('Operating income', '1,000', '800')}\n${line('Revenues', '900', '800')}`;
    expect(itemsOf(page({ 'Operating income': second }))).toMatchObject({
      revenue: 'contradicted',
      operating_income: 'contradicted',
    });
    const less = line('Gross profit', '2,300', '2,000');
    expect(itemsOf(page({ 'Gross profit': less }))).toMatchObject({ revenue: 'contradicted', total_assets: '5000000' });
  });

  it('of a sheet with totals for each business are not those of one of them', () => {
    const totals = (kind: string) =>
      `${line(`Total Automotive ${kind}`, '4,000', '3,700')}\n${line(`Total Financial Services ${kind}`, '1,000', '1,000')}`;
    const sheet = page({
      'Property, plant and equipment, net': `${line('Property, plant and equipment, net', '3,000', '2,900')}\n${totals('assets')}`,
      'Total current liabilities': `${line('Total current liabilities', '1,000', '900')}\n${totals('liabilities')}`,
    });
    expect(itemsOf(sheet)).toMatchObject({ receivables: 'contradicted', inventory: 'contradicted' });
  });

  it('are of the company: not of another whose statements stand before, nor of what would have been', () => {
    const own = page();
    const title = 'ACME CORPORATION AND SUBSIDIARIES';
    const half = own.replaceAll(/\d,\d00(?=\s)/g, (amount) => String(Number(amount.replace(',', '')) / 2));
    const others = [
      half.replaceAll(title, 'ACME HOLDINGS, INC. (PARENT COMPANY)'),
      half.replaceAll(title, 'ACME CAPITAL CORP.').replaceAll('CONSOLIDATED ', ''),
    ];
    for (const other of others)
      expect(itemsOf(other + own)).toMatchObject({ revenue: '5400000', total_assets: '5000000' });
    const pro = page({
      'Net income': line('Pro forma net income', '600', '500'),
      Basic: line('Pro forma basic', '1.20', '1.00'),
    });
    expect(itemsOf(pro)).toMatchObject({ net_income: 'no_line', eps_basic: 'no_line' });
  });

  it('are none if lines of cells stand for rows: a blank that one cell lacks would move all below it', () => {
    const cells = [
      'NET SALES<BR>COST OF SALES<BR>GROSS PROFIT<BR>EXPENSES:<BR>Selling, general and administrative<BR>NET INCOME',
      '418,226<BR>276,040<BR>142,186<BR>91,334<BR>50,852<BR>',
      '391,770<BR>262,488<BR>129,282<BR>&nbsp;<BR>91,652<BR>37,630',
    ].map((cell) => `<TD>${cell}</TD>`);
    const titles =
      '<P>FORM 10-K<BR>For the fiscal year ended December 31, 2004</P><P>CONSOLIDATED STATEMENTS OF INCOME</P>';
    const found = itemsOf(
      `${titles}<TABLE><TR><TD></TD><TD>2004</TD><TD>2003</TD></TR><TR>${cells.join('')}</TR></TABLE>`,
    );
    expect(found).toMatchObject({ revenue: 'no_statement', selling_general_admin: 'no_statement' });
  });

  it('are those of each company of a joint report, and none if no title says whose they are', () => {
    const cover = `Form 10-K for the fiscal year ended December 31, 1997\n
1-3526   Acme Corporation (A Delaware Corporation)   58-0690070
1-3164   Acme Power Company (An Alabama Corporation)   63-0004250\n${'Indicate by check mark.\n'.repeat(60)}PART I\n`;
    const title = 'ACME CORPORATION AND SUBSIDIARIES';
    const own = page().replace(/FORM 10-K\n.*/, '');
    const other = own.replaceAll(/\d,\d00(?=\s)/g, (amount) => String(Number(amount.replace(',', '')) / 2));
    const totals = (text: string) =>
      rowsOf(text)
        .filter(({ item, period_end }) => item === 'total_assets' && period_end === '1997-12-31')
        .map(({ registrant, cik, value, reason }) => [registrant, cik, value ?? reason]);
    expect(totals(cover + other.replaceAll(title, 'ACME POWER COMPANY') + own)).toEqual([
      ['ACME POWER COMPANY', null, '2500000'],
      ['ACME CORPORATION', null, '5000000'],
      ['', null, 'several_companies'],
    ]);
    const told = (...names: [string, string]) => {
      const known = cover
        .replace('Acme Corporation', names[0])
        .replace('Acme Power Company', names[1].replace(/\s+/g, ' '));
      return totals(
        known + other.replaceAll(title, names[1].toUpperCase()) + own.replaceAll(title, names[0].toUpperCase()),
      );
    };
    const rest = ['', null, 'several_companies'];
    // A name without a word for its kind, of two lines, or that of its parent but for the kind
    expect(told('Northeast Utilities', 'Acme Power Company')).toEqual([['ACME POWER COMPANY', null, '2500000'], rest]);
    expect(told('Indiana Gas Company', 'Southern\n  Indiana Gas Company')).toEqual([
      ['SOUTHERN INDIANA GAS COMPANY', null, '2500000'],
      ['INDIANA GAS COMPANY', null, '5000000'],
      rest,
    ]);
    expect(told('Indiana Gas Corp.', 'Southern Gas\n  and Electric Company')[0]).toEqual([
      'SOUTHERN GAS AND ELECTRIC COMPANY',
      null,
      '2500000',
    ]);
    expect(told('Acme Partners Corporation', 'Acme Partners, L.P.').slice(0, 2)).toEqual([
      ['ACME PARTNERS, L.P', null, '2500000'],
      ['ACME PARTNERS CORPORATION', null, '5000000'],
    ]);
    expect(told('Acme Corporation', 'Acme Corporation')).toEqual([rest]);
    const bare = [other, own].map((text) => text.replaceAll(title, ''));
    expect(totals(cover + bare.join(''))).toEqual([['', null, 'several_companies']]);
    const quarter = cover.replace('fiscal year ended December 31, 1997', 'quarterly period ended June 30, 1997');
    const quarterly = rowsOf(quarter + bare.join('').replaceAll('December 31,\n', 'June 30, Dec. 31,\n'), '10-Q');
    expect(new Set(quarterly.map(({ reason }) => reason))).toEqual(new Set(['several_companies']));
    expect(totals(cover + bare[1])).toEqual([['', null, '5000000']]);
    const sheet = /ACME CORP[A-Z ]*(?=\s+CONSOLIDATED BAL)/;
    expect(totals(cover + own.replace(sheet, ''))).toEqual([['', null, '5000000']]);
    // An associate’s statements, which the report has to show.
    const single = cover.replace(/1-3164.*\n/, '');
    for (const name of ['ACEM CORPORATION', 'BETA FOODS, INC.'])
      expect(totals(single + own.replace(sheet, name))).toEqual([['', null, '5000000']]);
    expect(totals(single + other.replaceAll(title, 'BOREAL POWER CO.') + own)).toEqual([['', null, '5000000']]);
  });

  it('have no first day of a year of 52 or 53 weeks that nothing states', () => {
    const weeks = page()
      .replaceAll('December 31, 1997', 'September 27, 1997')
      .replaceAll(/( +)(?:Year ended )?December 31,\n.*1997.*1996/g, '$1 Sept. 27, 1997 Sept. 28, 1996');
    const starts = (text: string) =>
      rowsOf(text).flatMap(({ item, period_start }) => (item === 'revenue' ? [period_start] : []));
    expect(starts(weeks)).toEqual(['1996-09-29', null]);
    expect(starts(`${weeks} As of September 30, 1995 and September 30, 1995.`)).toEqual(['1996-09-29', '1995-10-01']);
  });

  it('have no value beside a transition period, unless the column states its months', () => {
    const year = 'Year ended December 31,';
    const mixed = page().replaceAll(year, 'Year and transition period ended December 31,');
    expect(itemsOf(mixed)).toMatchObject({ revenue: 'no_statement', total_assets: '5000000' });
  });

  it('are of the fiscal year that the calendar counts, as in schedules and quarterly reports, whatever the words call it', () => {
    const ended = page().replaceAll('December 31', 'January 31').replaceAll('1997', '1998').replaceAll('1996', '1997');
    const years = (words: string) =>
      new Set(rowsOf(ended + words).map(({ fiscal_year, period_end }) => `${fiscal_year} ${period_end}`));
    for (const words of ['', 'Fiscal 1997 compared with fiscal 1996. Fiscal 1997, which ended January 31, 1998.'])
      expect(years(words)).toEqual(new Set(['1998 1998-01-31', '1997 1997-01-31']));
  });

  it('have no value in a currency or scale that is not known', () => {
    for (const words of ['(In thousands of Mexican pesos)', '(In ten thousands)'])
      expect(itemsOf(page().replaceAll(/\(In thousands[^)]*\)/g, words)).total_assets).not.toBe('5000000');
  });

  it('have no value if several lines could be it', () => {
    const twice = `${line('Inventories', '800', '750')}\n${line('Inventories', '20', '30')}`;
    expect(itemsOf(page({ Inventories: twice })).inventory).toBe('ambiguous');
  });

  it('take words of a loss for a loss, and a tax in brackets for a tax', () => {
    const loss = {
      'Selling, general and administrative': line('Selling, general and administrative', '3,400', '3,300'),
      'Operating income': line('Loss from operations', '1,000', '1,200'),
      'Income before income taxes': line('Loss before income taxes', '1,100', '1,290'),
      'Provision for income taxes': '',
      'Net income': line('Net loss', '1,100', '1,290'),
      Basic: line('Basic net loss per share', '2.20', '2.58'),
      Diluted: '',
    };
    expect(itemsOf(page(loss))).toMatchObject({
      operating_income: '-1000000',
      pretax_income: '-1100000',
      net_income: '-1100000',
      eps_basic: '-2.2',
    });
  });
});

describe('rows of printed statements', () => {
  it('are of 10-K and 10-Q, and of none whose facts are tagged', () => {
    expect(rowsOf(page(), '8-K')).toEqual([]);
    const tagged = report({ income: [['Net sales', 'Revenues', '100']], balance: [['Total assets', 'Assets', '7']] });
    expect(rowsOf(inlineReport(tagged))).toEqual([]);
  });

  it('say that there is no statement', () => {
    const found = rowsOf('For the fiscal year ended December 31, 1997. Item 8. Incorporated by reference.');
    expect(new Set(found.map(({ reason }) => reason))).toEqual(new Set(['no_statement']));
    expect(rowsOf('Nothing at all')).toEqual([]);
  });

  const named = (filename: string, type: string) => ({ filename, type });
  const LIST = [
    named('a.txt', '10-K405'),
    named('ex10.txt', 'EX-10.1'),
    named('ex13.txt', 'EX-13'),
    named('ex27.txt', 'EX-27'),
  ];
  const needed = (documents: typeof LIST, wanted: readonly string[], form = '10-K405') =>
    neededFor({ form, filed: null }, documents, wanted);

  it('need the report and Exhibit 13, and nothing if the table is not wanted', () => {
    const { tables, documents } = needed(LIST, [PRINTED]);
    expect([tables, documents.map(({ filename }) => filename)]).toEqual([[PRINTED], ['a.txt', 'ex13.txt']]);
    expect(needed(LIST, ['fundamentals']).documents.map(({ filename }) => filename)).toEqual(['ex27.txt']);
    const both = needed(LIST, ['fundamentals', PRINTED]);
    expect(both.documents.map(({ filename }) => filename)).toEqual(['a.txt', 'ex13.txt', 'ex27.txt']);
    expect(both.tables).toEqual(['fundamentals', PRINTED]);
    expect(needed(LIST, [PRINTED], '8-K').tables).toEqual([]);
  });

  it('need nothing of a filing with a taxonomy', () => {
    const list = [
      named('a.htm', '10-K'),
      named('acme-20101231.xml', 'EX-101.INS'),
      named('acme-20101231.xsd', 'EX-101.SCH'),
    ];
    expect(needed(list, [PRINTED], '10-K')).toMatchObject({ tables: [], documents: [] });
  });
});

describe.skipIf(sharedFolder === null)('real reports of 1998 to 2017', () => {
  it('are of the company, though only its signature is written like its cover', () => {
    const items = itemsOf(filingText('labelled/seagate-2017-10q.htm.gz'), '10-Q');
    expect(items).toMatchObject({ total_assets: '9739000000', revenue: '2674000000' });
  });

  it.each([
    '0000320193-98-000003',
    '0000320193-99-000004',
    '0000320193-99-000009',
    '0000912057-00-003201',
    '0000912057-00-023442',
  ])('%s: what is given is what its schedule states', (number) => {
    const rows = [
      ...mapFiling(filingOf(`edgar/full-submissions/${number}.txt`), new Set(['fundamentals', PRINTED]), pageRows),
    ];
    const of = (name: string) =>
      new Map(
        rows.flatMap(({ table, row }) =>
          table === name && row.value !== null
            ? [[`${row.item} ${row.fiscal_period} ${row.period_end}`, Number(row.value)] as const]
            : [],
        ),
      );
    const [stated, printed] = [of('fundamentals'), of(PRINTED)];
    const both = [...stated.keys()].filter((key) => printed.has(key));
    expect(both.length).toBeGreaterThanOrEqual(10);
    for (const key of both) expect([key, printed.get(key)]).toEqual([key, stated.get(key)]);
  });
});
