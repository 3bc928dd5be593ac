/** Statements without tags: from the rows of a page to lines whose numbers have a period, an amount, a unit and a place. */
import { describe, expect, it } from 'vitest';
import { pageRows } from '../../../../src/filings/documents/index.ts';
import { printedFaces } from '../../../../src/filings/statements/printed/printed-faces.ts';

const report = { formType: '10-K', periodEnd: '2003-12-31', fiscalYearEnd: '1231' };

/** Each number as `label | period | amount unit | printed`, by statement. */
function read(text: string, own: Partial<typeof report> = {}) {
  const found = printedFaces(pageRows(text), { ...report, ...own });
  if ('reason' in found) return found.reason;
  const lines = Object.values(found.faces).flat();
  return lines.flatMap(({ statement, label, facts }) =>
    facts.map(
      ({ period, value, unit, startIndex, endIndex }) =>
        `${statement}: ${label()} | ${period} | ${value} ${unit} | ${text.slice(startIndex, endIndex)}`,
    ),
  );
}

const row = (label: string, ...cells: string[]) =>
  `<tr><td>${label}</td>${cells
    .map((cell) => {
      const [, sign = '', digits = '', close = ''] = /^(\$?)(.*?)(\)?)$/.exec(cell)!;
      return `<td></td><td>${sign}</td><td>${digits}</td><td>${close}</td>`;
    })
    .join('')}</tr>`;
const income = `<p>CONSOLIDATED STATEMENTS OF INCOME</p><p>Years ended December 31,</p>
<p>(In millions, except per share amounts)</p><table>
<tr><td></td><td colspan=4>2003</td><td colspan=4>2002</td></tr>
${row('Net sales', '$1,200', '$1,100')}
${row('Cost of sales', '(700)', '(650)')}
${row('Gross profit', '500', '450')}
${row('Provision for income taxes', '(7)', '(16)')}
${row('Net income', '$123', '$(45)')}
<tr><td>Earnings per share:</td></tr>
${row('Basic', '$1.23', '$(.45)')}
${row('Weighted average shares outstanding', '100', '99.5')}
</table>`;

describe('printed statements', () => {
  it('have the period of each column, full amounts, units, and the place of the digits', () => {
    expect(read(income)).toEqual([
      'income: Net sales | 2003-01-01/2003-12-31 | 1200000000 USD | 1,200',
      'income: Net sales | 2002-01-01/2002-12-31 | 1100000000 USD | 1,100',
      'income: Cost of sales | 2003-01-01/2003-12-31 | -700000000 USD | 700',
      'income: Cost of sales | 2002-01-01/2002-12-31 | -650000000 USD | 650',
      'income: Gross profit | 2003-01-01/2003-12-31 | 500000000 USD | 500',
      'income: Gross profit | 2002-01-01/2002-12-31 | 450000000 USD | 450',
      'income: Provision for income taxes | 2003-01-01/2003-12-31 | -7000000 USD | 7',
      'income: Provision for income taxes | 2002-01-01/2002-12-31 | -16000000 USD | 16',
      'income: Net income | 2003-01-01/2003-12-31 | 123000000 USD | 123',
      'income: Net income | 2002-01-01/2002-12-31 | -45000000 USD | 45',
      'income: Basic | 2003-01-01/2003-12-31 | 1.23 USD/shares | 1.23',
      'income: Basic | 2002-01-01/2002-12-31 | -0.45 USD/shares | .45',
      'income: Weighted average shares outstanding | 2003-01-01/2003-12-31 | 100000000 shares | 100',
      'income: Weighted average shares outstanding | 2002-01-01/2002-12-31 | 99500000 shares | 99.5',
    ]);
  });

  it('have shares in the scale that earnings per share need, if words speak of dollars alone', () => {
    const shares = income
      .replace('(In millions, except', '(Dollars in millions, except')
      .replace('>100<', '>100,000,000<')
      .replace('>99.5<', '>99,500,000<');
    expect(read(shares)).toContain(
      'income: Weighted average shares outstanding | 2003-01-01/2003-12-31 | 100000000 shares | 100,000,000',
    );
  });

  it('of another year than the report’s are none of it', () => {
    expect(read(income, { periodEnd: '2005-12-31' })).toBe('no statements found');
  });

  it('are looked for in statements, not in prose or other tables', () => {
    expect(read('<p>Net income was $123 million.</p><table><tr><td>Office</td><td>2003</td></tr></table>')).toBe(
      'no statements found',
    );
  });
});

const typed = `
                         EXAMPLE CORPORATION
                  CONSOLIDATED STATEMENTS OF CASH FLOWS
             (Dollars in thousands, except per share amounts)

<TABLE>
<CAPTION>
                                              For the Years Ended December 31,
                                            ------------------------------------
                                                 1995        1994        1993
                                               --------    --------    --------
<S>                                            <C>         <C>         <C>
Cash flows from operating activities:
  Net income.................................  $ 12,345    $ 10,222    $  9,001
  Depreciation and amortization, less those of
    discontinued operations..................     1,200       1,150       1,075
  Accrued compensation and employee benefits      (115)        120         (99)
                                               --------    --------    --------
Net cash provided by operating activities....    13,430      11,492       9,977
Cash flows from investing activities:
  Capital expenditures.......................    (3,000)         --      (2,500)
                                               --------    --------    --------
Net cash used in investing activities........    (3,000)         --      (2,500)
Cash flows from financing activities:
  Dividends paid.............................      (500)       (480)       (450)
Net cash used in financing activities........      (500)       (480)       (450)
Net increase in cash.........................     9,930      11,012       7,027
Cash at beginning of year....................    21,012      10,000       2,973
                                               --------    --------    --------
Cash at end of year..........................  $ 30,942    $ 21,012    $ 10,000
                                               ========    ========    ========
</TABLE>
See accompanying notes.
`;

describe('typewritten statements', () => {
  const lines = read(typed, { periodEnd: '1995-12-31' });

  it('have columns below headings of several lines', () => {
    expect(lines).toContain(
      'cash_flow: Net cash provided by operating activities | 1993-01-01/1993-12-31 | 9977000 USD | 9,977',
    );
    expect(lines).toContain('cash_flow: Net income | 1995-01-01/1995-12-31 | 12345000 USD | 12,345');
  });

  it('have labels over several lines', () => {
    expect(lines).toContain(
      'cash_flow: Depreciation and amortization, less those of discontinued operations | 1994-01-01/1994-12-31 | 1150000 USD | 1,150',
    );
  });

  it('keep a number in its column if others of its row are dashes', () => {
    expect(lines).toContain('cash_flow: Capital expenditures | 1993-01-01/1993-12-31 | -2500000 USD | 2,500');
    expect(String(lines)).not.toContain('Capital expenditures | 1994');
  });

  it('have cash at the ends of a period on their days', () => {
    expect(lines).toContain('cash_flow: Cash at beginning of year | 1994-12-31 | 21012000 USD | 21,012');
    expect(lines).toContain('cash_flow: Cash at end of year | 1994-12-31 | 21012000 USD | 21,012');
  });

  it('give no number of two columns that have one period', () => {
    const parts = typed
      .replace('1995        1994        1993', '1995        1995        1994')
      .replace('For the Years Ended December 31,', 'Parent      Bank  December 31,');
    expect(String(read(parts, { periodEnd: '1995-12-31' }))).not.toContain('1995-01-01');
  });

  it('are read in web pages that set columns with hard spaces', () => {
    const page = `<html><body>${typed
      .replace(/<[A-Z]+>/g, '')
      .split('\n')
      .map((line) => `<p>${line.replaceAll(' ', '&nbsp;')}</p>`)
      .join('\n')}`;
    expect(read(page, { periodEnd: '1995-12-31' })).toEqual(lines);
  });
});

describe('the scale of printed statements', () => {
  const unscaled = typed.replace('(Dollars in thousands, except per share amounts)', '');
  const first = (text: string) => {
    const lines = read(text, { periodEnd: '1995-12-31' });
    return Array.isArray(lines) ? lines[0] : lines;
  };

  it('is one if no words state it: thousands among shares are none', () => {
    const shares = unscaled.replace('  Net income', '  (10,000,000 shares authorized)\n  Net income');
    expect(first(shares)).toContain('| 12345 USD |');
  });

  it('is unknown if only other tables state it, and the amounts may be in it', () => {
    expect(first(`${unscaled}\nSelected data (in thousands)\n`)).toBe('scale is not stated');
  });

  it('is that of another statement if one states none', () => {
    const sheet = `
                         CONSOLIDATED BALANCE SHEETS
                               (in thousands)
                                                December 31,
                                              1995        1994
Current assets:
  Cash...................................  $ 30,942    $ 21,012
  Accounts receivable....................    10,000      11,000
  Inventories............................     5,000       4,000
    Total current assets.................    45,942      36,012
Total assets.............................  $ 45,942    $ 36,012
Accounts payable.........................  $  5,942    $  6,012
Retained earnings........................    40,000      30,000
Total liabilities and shareholders' equity $ 45,942    $ 36,012
`;
    const netIncome = (text: string) => read(text, { periodEnd: '1995-12-31' }).toString().split(',cash_flow')[1];
    expect(netIncome(unscaled + sheet)).toContain('| 12345000 USD |');
    expect(netIncome(unscaled + sheet.replace('(in thousands)', ''))).toContain('| 12345 USD |');
  });

  it('do not join a number with the mark of a footnote behind it', () => {
    const marked = income.replace('<td>500</td>', '<td>500<sup>2</sup></td>');
    expect(marked).not.toBe(income);
    expect([read(marked)].flat().map((each) => each.replace('5002', '500'))).toEqual(read(income));
    const cut = read(income.replace('<td>500</td>', '<td>500<b>2</b></td>'));
    expect(cut.length).toBe(read(income).length - 1);
  });

  it('join a number that tags or blanks cut at its comma, and leave marks of footnotes out', () => {
    const cells = [
      '1,<b>200</b>',
      '1,2<i>00</i>',
      '1, 200',
      '1 ,200',
      '1,200<sup>(a)</sup>',
      '1,200<sup>a</sup>',
      '1,200<sup>1,2</sup>',
    ];
    for (const cell of cells) {
      const [sales] = read(income.replace('>1,200<', `>${cell}<`));
      expect(sales).toMatch(/^income: Net sales \| 2003-01-01\/2003-12-31 \| 1200000000 USD \| 1/);
    }
    for (const cell of ['1 200', '12<b>00</b>', '1,20', '1<sup>1/2</sup>'])
      expect(read(income.replace('>1,200<', `>${cell}<`))[0]).toContain('| 2002-01-01');
  });

  it('end years of 52 weeks on the days that the document states, and give no column whose day it does not', () => {
    const years = income
      .replace('Years ended December 31,', 'Three fiscal years ended September 27, 2003')
      .replace('<td colspan=4>2002</td>', '<td colspan=4>2002</td><td colspan=4>2001</td>');
    const three = years.replace(/<tr><td>(Net sales|Net income)<.*?<\/tr>/g, (_, label: string) =>
      row(label, '$1,200', '$1,100', '$1,000'),
    );
    const sheet = `<p>CONSOLIDATED BALANCE SHEETS</p><p>(In millions)</p><table>
<tr><td></td><td colspan=4>September 27, 2003</td><td colspan=4>September 28, 2002</td></tr>
${row('Cash', '5', '4')}${row('Total current assets', '50', '40')}${row('Total assets', '100', '90')}
${row('Accounts payable', '10', '9')}${row('Total current liabilities', '20', '19')}${row('Retained earnings', '30', '29')}
${row('Total liabilities and shareholders’ equity', '100', '90')}</table>`;
    const ends = (text: string) => {
      const own = read(text, { periodEnd: '2003-09-27', fiscalYearEnd: '0927' });
      if (typeof own === 'string') return own;
      const sales = own.filter((each) => each.startsWith('income: Net sales'));
      return sales.map((each) => each.split(' | ')[1]!.split('/')[1]);
    };
    expect(ends(three + sheet)).toEqual(['2003-09-27', '2002-09-28']);
    const stated = '<p>On September 29, 2001 we had 40 stores, and 38 before September 29, 2001 began.</p>';
    expect(ends(three + sheet + stated)).toEqual(['2003-09-27', '2002-09-28', '2001-09-29']);
  });

  it('have the n-th day for the n-th year, if one blank is between days of narrow columns', () => {
    expect(endsOf(narrow('FEBRUARY 1, FEBRUARY 3, JANUARY 28,'), '1997-02-01')).toEqual([
      '1996-02-04/1997-02-01',
      '1995-01-29/1996-02-03',
      '1994-01-30/1995-01-28',
    ]);
  });

  it('have no period if days are fewer than years', () => {
    for (const days of ['FEBRUARY 1, FEBRUARY 3,', '     FEBRUARY 1,     FEBRUARY 3,'])
      expect(endsOf(narrow(days), '1997-02-01')).toBe('no statements found');
  });

  it('have no period if the day of the newest is not the report’s, and no words state it', () => {
    expect(endsOf(narrow('FEBRUARY 3, FEBRUARY 1, JANUARY 28,'), '1997-02-01')).toBe('no statements found');
    const stated = `${narrow('FEBRUARY 3, FEBRUARY 1, JANUARY 28,')}\nOn February 3, 1997 the year ended.\n`;
    expect(endsOf(stated, '1997-02-01')).toContain('1996-02-02/1997-02-03');
  });

  it('have one calendar: years alone end where a title, a list or a balance sheet of the report says', () => {
    const flows = narrow('').replace('FISCAL YEAR ENDED', 'FOR THREE YEARS ENDED DECEMBER 31, 2000');
    const years = flows.replace('1997        1996        1995', '2000        1999        1998');
    const ends = (more: string) => endsOf(`${years}\n${more}`, '2000-12-31');
    expect(ends('')).toEqual(['2000-01-01/2000-12-31', '1999-01-01/1999-12-31', '1998-01-01/1998-12-31']);
    const two = ['2000-01-03/2000-12-31', '1999-01-04/2000-01-02'];
    expect(ends('Balance sheets as of December 31, 2000 and January 2, 2000')).toEqual(two);
    // The first of January is the day on which rules change.
    const adopted =
      'Rules changed on January 1, 1999, and from January 1, 1999 on. Years ended December 31, 2000, and January 2, 2000.';
    expect(ends(adopted)).toEqual(two);
    const listed = 'Fiscal 2000, 1999 and 1998 ended on December 31, 2000, January 2, 2000 and January 3, 1999.';
    expect(ends(listed)).toEqual([...two, '1998-01-05/1999-01-03']);
    // Anything else may end on a day too, and two ends are weeks apart.
    for (const other of [
      'The tender offer ended January 2, 2000.',
      'On December 31, 2000 and January 3, 2000 we sold.',
    ])
      expect(ends(other)).toEqual(ends(''));
  });

  it('take the days of a title over two dates for columns of years', () => {
    const sheet = `
                           CONSOLIDATED BALANCE SHEETS
                 AS OF DECEMBER 31, 2000 AND JANUARY 2, 2000

                                                2000        1999
Current assets:
  Cash...................................  $ 30,942    $ 21,012
  Accounts receivable....................    10,000      11,000
    Total current assets.................    40,942      32,012
Total assets.............................  $ 40,942    $ 32,012
Accounts payable.........................  $  5,942    $  6,012
Retained earnings........................    35,000      26,000
Total liabilities and shareholders' equity $ 40,942    $ 32,012
`;
    expect(endsOf(sheet, '2000-12-31')).toEqual(['2000-12-31', '2000-01-02']);
  });

  const three = (title: string, ...heads: string[]) =>
    income
      .replace('Years ended December 31,', title)
      .replace(
        /<tr><td><\/td><td colspan=4>2003.*/,
        `<tr><td></td>${heads.map((head) => `<td colspan=4>${head}</td>`).join('')}</tr>`,
      )
      .replace(/<tr><td>([^<]+)<\/td><td><\/td>.*?<\/tr>/g, (_, label: string) =>
        row(label, ...heads.map((_, k) => `${k + 2},${k}00`)),
      );
  const calendar = ['2003-01-01/2003-12-31', '2002-01-01/2002-12-31', '2001-01-01/2001-12-31'];

  it('are not of the report’s year if its column is in another table', () => {
    for (const title of ['Years ended December 31, 2003, 2002 and 2001', 'Years ended December 31, 2003', ''])
      expect(endsOf(three(title, '2002', '2001'), '2003-12-31')).toBe('no statements found');
    const early = 'Years ended January 31, 2003, 2002 and 2001';
    expect(endsOf(three(early, '2002', '2001'), '2003-01-31')).toBe('no statements found');
    expect(endsOf(three(early, '2003', '2002'), '2003-01-31')).toEqual([
      '2002-02-01/2003-01-31',
      '2001-02-01/2002-01-31',
    ]);
    // The number of a year that ends in January may be that of the year before.
    const retail = three('Fiscal years ended January 31, 2004', '2003', '2002');
    expect(endsOf(retail, '2004-01-31')[0]).toBe('2003-02-01/2004-01-31');
    expect(endsOf(three('Years ended January 31, 2004 and 2003', '2003', '2002'), '2004-01-31')).toBe(
      'no statements found',
    );
  });

  it('end as the newest column does, if its day alone is stated', () => {
    expect(endsOf(three('', 'Year ended December 31, 2003', '2002', '2001'), '2003-12-31')).toEqual(calendar);
    expect(endsOf(three('', '2001', '2002', 'Year ended December 31, 2003'), '2003-12-31')).toEqual(
      calendar.toReversed(),
    );
    const typed = narrow('FEBRUARY 1, ');
    expect(endsOf(typed, '1997-02-01')).toEqual(['1996-02-04/1997-02-01']);
    // The other column of a quarterly balance sheet ends with the year before.
    const sheet = three('', 'December 31, 2003', '2002')
      .replace('STATEMENTS OF INCOME', 'BALANCE SHEETS')
      .replace('Net sales', 'Total current assets')
      .replace('Cost of sales', 'Total assets')
      .replace('Gross profit', 'Total liabilities and shareholders’ equity');
    const ends = (formType: string) =>
      new Set(
        read(sheet, { formType })
          .toString()
          .match(/(?<=[|] )\d{4}-\d\d-\d\d(?= )/g),
      );
    expect([ends('10-K'), ends('10-Q')]).toEqual([new Set(['2003-12-31', '2002-12-31']), new Set(['2003-12-31'])]);
  });

  it('do not end on a day of something else that a title states', () => {
    for (const [day, periods] of [
      ['March 1, 2002', 1],
      ['January 3, 2003', 1],
      ['December 28, 2002', 2],
    ] as const) {
      const title = `Years ended December 31, 2003 and 2002 (restated for the merger of ${day})`;
      expect(endsOf(three(title, '2003', '2002'), '2003-12-31')).toEqual(calendar.slice(0, periods));
    }
  });

  it('have no period if words around state several lengths', () => {
    for (const title of [
      'Year ended December 31, 2003 and period from June 3, 2002 (inception) to December 31, 2002',
      'Year ended December 31, 2003 and six months ended December 31, 2002',
      'Year ended December 31, 2003 and six-month period ended December 31, 2002',
      'Year ended December 31, 2003 and period ended December 31, 2002',
      'For the year ended December 31, 2003 and the period June 3, 2002 through December 31, 2002',
    ])
      expect(endsOf(three(title, '2003', '2002'), '2003-12-31')).toBe('no statements found');
    const own = three(
      'Year and six months ended December 31',
      'Year ended December 31, 2003',
      'Six months ended December 31, 2002',
    );
    expect(endsOf(own, '2003-12-31')).toEqual(['2003-01-01/2003-12-31', '2002-07-01/2002-12-31']);
  });
});

/** Three years below days. */
const narrow = (days: string): string => `
                      CONSOLIDATED STATEMENTS OF OPERATIONS
                             FISCAL YEAR ENDED
                      ------------------------------------
                      ${days}
                         1997        1996        1995
                      ----------  ----------  ----------
Net sales               $5,400      $5,000      $4,400
Cost of goods sold       3,000       2,900       2,500
Gross profit             2,400       2,100       1,900
Income taxes               300         210         200
Net income                $700        $590        $500
Earnings per share       $1.20       $1.00        $.90
`;

/** Periods of the first line */
function endsOf(text: string, periodEnd: string): string | string[] {
  const found = printedFaces(pageRows(text), { ...report, periodEnd });
  if ('reason' in found) return found.reason;
  return Object.values(found.faces)
    .flat()[0]!
    .facts.map(({ period }: { period: string }) => period);
}
