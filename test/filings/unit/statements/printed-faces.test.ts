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

  it('of another year than the report’s are none of it', () => {
    expect(read(income, { periodEnd: '2005-12-31' })).toBe('no statements found');
  });

  it('are looked for in statements, not in prose or other tables', () => {
    expect(read('<p>Net income was $123 million.</p><table><tr><td>Office</td><td>2003</td></tr></table>')).toBe(
      'no statements found',
    );
  });
});
