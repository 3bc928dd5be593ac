import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../bench/section-score/score.ts';
import { readableText } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { readPlaces } from '../../../support/documents/places.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe('readableText of HTML', () => {
  const of = (html: string) => readableText(html, 'text/html');

  it('puts blocks on lines and paragraphs apart', () => {
    expect(of('<div>One<br>two</div><div>three</div><p>four &amp; five&nbsp;six</p><p>it&#146;s</p>')).toBe(
      'One\ntwo\n\nthree\n\nfour & five six\n\nit\u2019s',
    );
  });

  it('keeps rows and columns of tables, symbols with their numbers', () => {
    const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const table = `<table>${row(['', '', '2024', '', '', '2023', ''])}${row(['Sales', '$', '12', '', '$', '(3', ')'])}${row(['Change', '', '5', '%', '', '7', '%'])}</table>`;
    expect(of(table)).toBe('\t2024\t2023\nSales\t$12\t$(3)\nChange\t5%\t7%');
  });

  it('keeps the marks of lists', () => {
    expect(of('<ul><li>One<li>Two</ul><ol><li>a</li><li>b</li></ol>')).toBe('• One\n• Two\n\n1. a\n2. b');
  });

  it('keeps the numbers of lists that start later, skip, or have letters', () => {
    expect(of('<ol start="5"><li>a</li><li value=9>b</li><li>c</li></ol>')).toBe('5. a\n9. b\n10. c');
    expect(of('<ol type="a" start="26"><li>x</li><li>y</li></ol>')).toBe('z. x\naa. y');
    expect(of('<ol style="list-style-type: upper-roman"><li>x<ol><li>in</li></ol></li><li>y</li></ol>')).toBe(
      'I. x\n\n1. in\n\nII. y',
    );
  });

  it('keeps rows apart from their labels that look like the sign of a currency', () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const table = `<table>${row('Class', '2024', '2023')}${row('A', '4', '5')}${row('C', '6', '7')}${row('US', '', '9')}${row('D', 'A$', '8')}</table>`;
    expect(of(table)).toBe('Class\t2024\t2023\nA\t4\t5\nC\t6\t7\nUS\t\t9\nD\tA$8');
  });

  it('drops what nobody sees', () => {
    expect(
      of(
        '<html><head><title>t</title></head><body><div style="display:none"><ix:header>x</ix:header></div>y<script>z</script></body>',
      ),
    ).toBe('y');
  });

  it('leaves out page numbers and running headers if pages show them', () => {
    const page = (n: number) => `<p>Example Company</p><p>Words of page ${'abcdefgh'[n]}.</p><p>${n}</p><hr>`;
    const html = Array.from({ length: 7 }, (_, i) => page(i + 1)).join('');
    expect(of(html)).toBe(
      'bcdefgh'
        .split('')
        .map((c) => `Words of page ${c}.`)
        .join('\n\n'),
    );
    expect(of('<p>Words.</p><p>12</p>')).toBe('Words.\n\n12');
  });

  it('leads back to the source', () => {
    const html = '<p>Pro<b>fit</b> &amp; loss</p><table><tr><td>a</td><td>$</td><td>5</td></tr></table>';
    const read = readPlaces(html, 'text/html');
    expect(read.text).toBe('Profit & loss\n\na\t$5');
    expect(html.slice(read.sourceIndex(3)).startsWith('fit')).toBe(true);
    expect(html.slice(read.sourceIndex(read.text.indexOf('&'))).startsWith('&amp;')).toBe(true);
    expect(html[read.sourceIndex(read.text.indexOf('5'))]).toBe('5');
  });

  it('gives the visible letters, each with the place it came from, for any markup', () => {
    const piece = fc.constantFrom(
      ...'<p>,</p>,<b>,</b>,<br>,<table>,<tr>,<td>,</td>,</tr>,</table>,ab, ,c1,$,(,),<li>,<ul>,</ul>,&lt;'.split(','),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = `<p>x${pieces.join('')}`;
        const read = readPlaces(html, 'text/html');
        expect(read.text.toLowerCase().replace(/[^a-z0-9]+/g, '')).toBe(visibleText(html).text);
        for (let i = 0; i < read.text.length; i++) {
          if (/[a-z0-9]/.test(read.text[i]!)) expect(html[read.sourceIndex(i)]).toBe(read.text[i]);
        }
      }),
    );
  });
});

describe('readableText of other documents', () => {
  it('leaves columns of typewritten pages unchanged, and with lines all of it but the tags', () => {
    const page = '<PAGE>\n  Sales       12\n\n     &amp; so on   \n<TABLE>\n<S>  <C>\nx';
    expect(readableText(page, 'text/plain')).toBe('  Sales       12\n\n& so on\n\nx');
    expect(readableText(page, 'text/plain', 'lines')).toBe('  Sales       12\n\n     & so on\n\nx');
  });

  it('names the values of an XML document, and the groups that they are in', () => {
    const of = (xml: string) => readableText(`<?xml version="1.0"?>\n${xml}`, 'application/xml');
    expect(of('<a><title>One</title><b v="2">1 &lt; 2</b><c/></a>')).toBe('a\ntitle: One\nb: 1 < 2');
    expect(
      of(
        '<ns:form><sold><transactionShares><value>1500</value></transactionShares><day>2</day></sold><sold><value>3</value></sold><footnote id="F1">x</footnote></ns:form>',
      ),
    ).toBe('sold\ntransactionShares: 1500\nday: 2\n\nform\nsold: 3\nfootnote F1: x');
    expect(of('<infoTable><cusip>1</cusip><value>9</value></infoTable>')).toBe('infoTable\ncusip: 1\nvalue: 9');
  });

  it('gives nothing for nothing', () => {
    for (const type of ['text/html', 'text/plain', 'application/xml']) expect(readableText('', type)).toBe('');
  });
});

describe.skipIf(!sharedFolder)('readable text of real filings', () => {
  it.each(labels.map((label) => label.file).filter((_, i) => i % 8 === 0))(
    'keeps what a reader sees, and leads back: %s',
    (file) => {
      const source = filingText(`labelled/${file}`);
      const read = readPlaces(source, file.includes('.txt') ? 'text/plain' : 'text/html');
      const shown = read.text.toLowerCase().replace(/[^a-z0-9]+/g, '').length;
      const visible = visibleText(source).text.length;
      // Page numbers and running headers are the difference.
      expect(shown).toBeGreaterThan(visible * 0.96);
      expect(shown).toBeLessThan(visible * 1.005);
      for (let i = 0; i < read.text.length; i += 499) {
        if (/[A-Za-z]/.test(read.text[i]!)) expect(source[read.sourceIndex(i)]).toBe(read.text[i]);
      }
    },
  );
});
