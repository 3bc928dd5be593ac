/** Forms as a person reads them: the renderer of the pages and the PDFs. */
import { describe, expect, it } from 'vitest';
import { formData } from '../../../../src/service/form-pages/data.ts';
import { columnLabel, elementLabel, numberText } from '../../../../src/service/form-pages/labels.ts';
import { formView } from '../../../../src/service/form-pages/view.ts';
import { form4Xml, holding, tableXml } from '../../../support/service/structured-forms.ts';

const SCREEN = { isPrinted: false };
const filingOf = (formType: string, ...texts: string[]) => ({
  accessionNumber: '0000100011-25-000001',
  filingDate: '2025-03-04',
  formType,
  documents: texts.map((text, k) => ({ name: `d${k}.xml`, type: formType, text: () => text })),
});
const view = (formType: string, text: string, options = SCREEN, rowsMax = 200) =>
  formView(formData(filingOf(formType, text), rowsMax), options);
const words = (html: string) =>
  html
    .replace(/<\/(?:th|td|dt|dd|p)>/g, '|')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');
const part = (parts: ReturnType<typeof view>, title: string) => parts.find((one) => one.title === title)!.html.text;

describe('a Form 4', () => {
  it('says who, what, how many, at what price, and owned after', () => {
    const parts = view('4', form4Xml());
    expect(parts.map(({ title }) => title)).toEqual([
      'Report',
      'Reporting owners',
      'Table I: transactions',
      'Notes',
      'Signatures',
    ]);
    expect(words(part(parts, 'Reporting owners'))).toContain(
      'Doe Jane|☒ Director ☒ Officer |CEO|1 Main St, Reno, NV, 89501|100099|',
    );
    expect(words(part(parts, 'Table I: transactions'))).toContain(
      'Security|Date|Transaction|Acquired or disposed|Shares|Price|Owned after|Direct or indirect|Common Stock|2025-03-03|Sale (S)|Disposed|12,000|151.50 F1|301,097|Direct|',
    );
    expect(part(parts, 'Table I: transactions')).toContain('<a href="#note-F1">F1</a>');
    expect(part(parts, 'Notes')).toContain('<p id="note-F1"><strong>F1</strong> A weighted average price.</p>');
  });

  it('has everything of its rows, on paper without links and folds', () => {
    const screen = view('4', form4Xml());
    const paper = view('4', form4Xml(), { isPrinted: true });
    expect(words(part(screen, 'Table I: transactions'))).toMatch(/2 more columns.*Transaction form type\|.*\|4\|No\|/);
    expect(words(part(paper, 'Table I: transactions'))).toMatch(/Transaction form type\|.*\|4\|No\|/);
    expect(paper.map(({ html }) => html.text).join('')).not.toMatch(/<a |<details/);
  });

  it.each([
    ['markup', '&lt;img src=x onerror=alert(1)&gt;', '&lt;img src=x onerror=alert(1)&gt;'],
    ['quotes', '&quot; onclick=&quot;', '&quot; onclick=&quot;'],
    ['references of HTML within those of XML', '&amp;#167; 12 &amp;#60;b&gt;', '§ 12 &lt;b&gt;'],
    ['another direction', '\u202Egnp.exe', '\u202Egnp.exe'],
    ['2,000 characters', 'x'.repeat(2_000), `<summary>${'x'.repeat(80)}…</summary>${'x'.repeat(2_000)}</details>`],
  ])('escapes a name with %s', (_what, given, shown) => {
    const text = view('4', form4Xml(given))
      .map(({ html }) => html.text)
      .join('');
    expect(text).toContain(shown);
    expect(text).not.toMatch(/<img|<script/);
    expect(text).toContain('ACME &lt;script&gt;');
  });
});

describe('a table that is too long', () => {
  const holdings = Array.from({ length: 1_000 }, (_all, k) =>
    holding(`CO ${k}`, String(100_000_000 + k), 1 + ((k * 7) % 1_000)),
  );

  it('shows its largest rows, says how many there are, and the way to all', () => {
    const shown = part(view('13F-HR', tableXml(holdings), SCREEN, 5), 'Holdings');
    expect(words(shown)).toContain('1,000 rows, the largest 5 of them here.');
    expect(shown).toContain('href="/filings/0000100011-25-000001/tables/f13_holdings.csv">All rows as CSV</a>');
    const rows = [...words(shown).matchAll(/CO \d+\|COM\|\d{9}\|[\d,]+\|([\d,]+)\|/g)].map(([, shares]) => shares);
    expect(rows).toEqual(['1,000', '999', '998', '997', '996']);
  });

  it('is whole on paper, as far as it was read', () => {
    const paper = part(view('13F-HR', tableXml(holdings), { isPrinted: true }, Number.POSITIVE_INFINITY), 'Holdings');
    expect(paper.match(/<tr>/g)).toHaveLength(1_001);
  });
});

describe('a form that has no tables here', () => {
  it('is its values under the names of their elements, each of several in boxes of its own', () => {
    const office = (city: string) => `<office><cityName>${city}</cityName><rptPhone/></office>`;
    const parts = view('MA-I', `<s><formData><offices>${office('Reno')}${office('Erie')}</offices></formData></s>`);
    expect(parts.map(({ title }) => title)).toEqual(['Offices']);
    expect(words(parts[0]!.html.text)).toBe('Office: city name|Reno|Office: city name|Erie|');
    expect(parts[0]!.html.text.match(/<dl/g)).toHaveLength(2);
  });

  it('that is not well-formed says so, whether it has tables or not', () => {
    for (const form of ['4', 'MA-I']) {
      const parts = view(form, '<?xml version="1.0"?><ownershipDocument><issuer>');
      expect([form, parts.map(({ title }) => title)]).toEqual([form, ['The form could not be read']]);
      expect(words(parts[0]!.html.text)).toContain('d0.xml: malformed');
    }
  });

  it('or that has elements more than its tables, shows each of their values', () => {
    const more = '<newThing><a>42</a><a>43</a></newThing><footnotes>';
    const parts = view('4', form4Xml().replace('<footnotes>', more));
    expect(words(part(parts, 'New thing'))).toBe('A|42|A|43|');
  });
});

describe('labels', () => {
  it.each([
    ['rptOwnerCik', 'Reporting owner CIK'],
    ['ns1:nameOfIssuer', 'Name of issuer'],
    ['rptOwnerStreet1', 'Reporting owner street 1'],
    ['issuerPrincipalAddress.zipCode', 'Issuer principal address zip code'],
  ])('of the element %s', (name, label) => expect(elementLabel(name)).toBe(label));

  it('of columns have their unit', () => {
    const label = (name: string, meaning: string) => columnLabel({ name, type: 'DECIMAL(38,12)', meaning });
    expect([label('total_sold', 'dollars'), label('rate', 'per cent of it'), label('shares', 'number')]).toEqual([
      'Total sold, $',
      'Rate, %',
      'Shares',
    ]);
  });

  it('separate the thousands of amounts, and of nothing else', () => {
    expect(['1234567.500000', '-1000', '12.00'].map((value) => numberText(value))).toEqual([
      '1,234,567.5',
      '−1,000',
      '12',
    ]);
    expect([numberText('2024', 'Calendar year'), numberText('1234.5', 'Price')]).toEqual(['2024', '1,234.50']);
  });
});
