import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

const row = (...cells: string[]) =>
  `<tr>${cells.map((cell) => (cell.startsWith('<td') ? cell : `<td>${cell}</td>`)).join('')}</tr>`;
const cellsOf = (html: string) => tablesOf(html).flatMap(({ cells }) => cells);

describe('cells of tables', () => {
  it('have rows, columns, spans and places', () => {
    const html = `<table>${row('<td rowspan=2>Class</td>', '<td colspan="2">Shares</td>')}${row('2024', '2023')}${row('A', '1', '2')}</table>`;
    const cells = cellsOf(html);
    expect(cells.map(({ row, column, rowspan, colspan, text }) => [row, column, rowspan, colspan, text])).toEqual([
      [1, 1, 2, 1, 'Class'],
      [1, 2, 1, 2, 'Shares'],
      [2, 2, 1, 1, '2024'],
      [2, 3, 1, 1, '2023'],
      [3, 1, 1, 1, 'A'],
      [3, 2, 1, 1, '1'],
      [3, 3, 1, 1, '2'],
    ]);
    for (const { start_index, text } of cells) expect(html.slice(start_index)).toMatch(new RegExp(`^${text}`));
  });

  it('are numbers with sign, unit and marks, whatever cells the signs are in', () => {
    const numbers = (...cells: string[]) =>
      cellsOf(`<table>${row('Net', ...cells)}${row('Other', '12', '13')}</table>`)
        .filter((cell) => cell.row === 1 && cell.text !== 'Net')
        .map(({ number, unit, marks }) => [number, unit, marks]);
    expect(numbers('$', '1,234.50', '(', '56', ')')).toEqual([
      ['1234.50', '$', null],
      ['-56', null, null],
    ]);
    expect(numbers('$(7', ')', '12', '%')).toEqual([
      ['-7', '$', null],
      ['12', '%', null],
    ]);
    expect(numbers('1,234(1)', '5<sup>(a)</sup>')).toEqual([
      ['1234', null, '(1)'],
      ['5', null, '(a)'],
    ]);
    expect(numbers('-3', '\u2014')).toEqual([
      ['-3', null, null],
      [null, null, null],
    ]);
    expect(numbers('(6)', 'Note 4')).toEqual([
      ['-6', null, null],
      [null, null, null],
    ]);
    expect(numbers('10', '(1)', '1 of 2')).toEqual([
      ['10', null, null],
      [null, null, null],
      [null, null, null],
    ]);
  });

  it('have the scale that words state, in the table or above it, and say which', () => {
    const table = `<table>${row('', '2024')}${row('Sales', '5')}</table>`;
    const scales = (html: string) => tablesOf(html).map(({ scale, scale_from }) => [scale, scale_from]);
    expect(scales(`<p>(in millions, except shares in thousands)</p>${table}`)).toEqual([[6, 'table']]);
    expect(scales(`<p>Dollars in thousands</p>${table}<p>Words.</p>${table}`)).toEqual([
      [3, 'table'],
      [3, 'above'],
    ]);
    expect(scales(table)).toEqual([[null, null]]);
  });

  it('leave out tables that only place text, and keep tables in tables', () => {
    expect(
      tablesOf(`<table>${row('\u2022', 'One')}${row('\u2022', 'Two')}</table><table>${row('Words')}</table>`),
    ).toEqual([]);
    const inner = `<table>${row('Sales', '5')}</table>`;
    expect(cellsOf(`<table><tr><td>${inner}</td></tr></table>`).map(({ text }) => text)).toEqual(['Sales', '5']);
  });

  it('lose no digit of what is printed', () => {
    const amount = fc.tuple(fc.nat(10 ** 9), fc.boolean(), fc.constantFrom('', '$', '\u20ac'));
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 6 }), (amounts) => {
        const printed = amounts.flatMap(([n, isNegative, sign]) => [
          sign,
          isNegative ? `(${n.toLocaleString('en')}` : n.toLocaleString('en'),
          isNegative ? ')' : '',
        ]);
        const cells = cellsOf(`<table>${row('Net', ...printed)}${row('x', '1')}</table>`)
          .filter((cell) => cell.row === 1)
          .slice(1);
        const wanted = amounts.map(([n, isNegative]) => (isNegative && n > 0 ? -n : n));
        const isMark = amounts.map(([n, isNegative, sign]) => isNegative && n < 10 && sign === '');
        for (const [k, cell] of cells.entries()) if (!isMark[k]) expect(Number(cell.number)).toBe(wanted[k]);
        expect(cells).toHaveLength(amounts.length);
      }),
    );
  });
});

describe.skipIf(sharedFolder === null)('numbers of tables against inline XBRL', () => {
  const some = labels.filter(({ file }) => /(apple|ko|gamestop|amd)-202\d-10k/.test(file)).map(({ file }) => file);

  it.each(some)('%s: at least 0.999 of the facts that fill a cell are its number', (file) => {
    const text = filingText(`labelled/${file}`);
    const cells = tablesOf(text).flatMap((table) => table.cells);
    const byPlace = cells.toSorted((a, b) => a.start_index - b.start_index);
    let [facts, right, at] = [0, 0, 0];
    for (const match of text.matchAll(/<ix:nonFraction\b[^>]*>([\d,.]+)<\/ix:nonFraction>/g)) {
      const place = match.index + match[0].indexOf('>') + 1;
      const cell = text.slice(text.lastIndexOf('<td', match.index), text.indexOf('</td', place));
      const visible = cell.replace(/<[^>]*>/g, '').replace(/&[#\w]+;/g, '');
      if (cell.includes('</td') || /[A-Za-z]|\d[^\d.,]+\d/.test(visible)) continue;
      facts++;
      while (at + 1 < byPlace.length && byPlace[at + 1]!.start_index <= place) at++;
      if (Number(byPlace[at]?.number?.replace('-', '')) === Number(match[1]!.replaceAll(',', ''))) right++;
    }
    expect(facts).toBeGreaterThan(500);
    expect(right / facts).toBeGreaterThanOrEqual(0.999);
  });
});
