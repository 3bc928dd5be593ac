import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../../support/forms/mapped.ts';
import { CONTEXTS, inlineDocument } from '../../../../support/forms/xbrl-documents.ts';

function filing(...texts: string[]): Record<string, Row[]> {
  const documents = texts.map((text, k) => ({ name: `d${k + 1}.htm`, type: null, text: () => text }));
  return rowsOf({ accessionNumber: '0000000000-25-000001', filingDate: '2025-02-01', formType: '10-K', documents });
}

const factsOf = (...texts: string[]): Row[] => filing(...texts).xbrl_facts ?? [];

/** A number in the body of a document. */
const number = (content: string, attributes = '') =>
  `<ix:nonFraction name="gaap:Assets" contextRef="year" unitRef="usd" ${attributes}>${content}</ix:nonFraction>`;
const words = (content: string, attributes = '') =>
  `<ix:nonNumeric name="dei:Words" contextRef="year" ${attributes}>${content}</ix:nonNumeric>`;

const firstValue = (body: string) => factsOf(inlineDocument(body))[0]!.value;

describe('a fact of an inline document', () => {
  it('has concept, period, unit, dimensions and its place in the document', () => {
    const text = inlineDocument(
      `<p>Total <ix:nonFraction id="f1" name="gaap:Assets" contextRef="day" unitRef="per" decimals="-6" scale="6" format="ixt:num-dot-decimal">1,234.5</ix:nonFraction></p>`,
    );
    const [row] = factsOf(text);
    expect(row).toEqual({
      accession_number: '0000000000-25-000001',
      file: 'd1.htm',
      position: 0,
      fact_id: 'f1',
      concept: 'us-gaap:Assets',
      concept_namespace: 'http://fasb.org/us-gaap/2024',
      context_id: 'day',
      entity_cik: '320193',
      period_start: null,
      period_end: '2024-12-31',
      unit: 'USD/shares',
      decimals: '-6',
      value: '1234500000',
      value_number: 1234500000,
      is_nil: false,
      is_text_block: false,
      dimensions:
        '{"MARA:EndAxis":null,"MARA:StartAxis":"2025 January","us-gaap:StatementClassOfStockAxis":"MARA:Big.Member"}',
      footnotes: '[]',
      language: 'en-US',
      is_hidden: false,
      target: null,
      start_index: text.indexOf('<ix:nonFraction'),
      end_index: text.indexOf('</p>'),
      mapping_version: 1,
    });
  });

  it('ends a duration on its last day, without a time', () => {
    expect(factsOf(inlineDocument(number('1')))[0]).toMatchObject({
      period_start: '2024-01-01',
      period_end: '2024-12-31',
    });
  });

  it('multiplies units', () => {
    const body = number('1').replace('"usd"', '"area"');
    expect(factsOf(inlineDocument(body))[0]!.unit).toBe('foot*foot');
  });

  it.each([
    ['423.1', 'scale="6"', '423100000'],
    ['1.50', 'scale="6"', '1500000'],
    ['1.50', '', '1.50'],
    ['0.00', '', '0.00'],
    ['0.0', 'scale="-2"', '0.000'],
    ['10.0', 'scale="9"', '10000000000.0'],
    ['10.0', 'scale="9" format="ixt:num-dot-decimal"', '10000000000'],
    ['10.0', 'scale="9" format="ixt3:numdotdecimal"', '10000000000.0'],
    ['25.3', 'scale="-2"', '0.253'],
    ['.5', 'format="ixt:num-dot-decimal"', '0.5'],
    ['007', '', '7'],
    ['12,345', 'sign="-" format="ixt:num-dot-decimal"', '-12345'],
    ['&#8212;', 'format="ixt:fixed-zero" scale="6"', '0'],
    ['no', 'format="ixt-sec:numwordsen" scale="3"', '0'],
    ['three million', 'format="ixt-sec:numwordsen"', '3000000'],
    ['123456789012345678901234567890.12', 'scale="0"', '123456789012345678901234567890.12'],
    [' 7 <!-- seven --> ', '', '7'],
    ['1<b>2</b>3', '', '123'],
  ])('writes %s with %s as %s', (content, attributes, value) => {
    expect(firstValue(number(content, attributes))).toBe(value);
  });

  it.each([
    ['about ten', 'format="ixt:num-dot-decimal"', 'format_misfit'],
    ['about ten', '', 'not_a_number'],
    ['1', 'scale="many"', 'not_a_number'],
    ['1', 'scale="999999999"', 'not_a_number'],
    ['1', 'format="ixt:num-dot-hexadecimal"', 'unknown_format'],
    ['1', 'format="nowhere:num-dot-decimal"', 'unknown_format'],
    ['', 'format="ixt:num-dot-decimal"', 'format_misfit'],
  ])('is null and a problem if %s with %s is not a number', (content, attributes, reason) => {
    const rows = filing(inlineDocument(number(content, attributes)));
    expect(rows.xbrl_facts![0]).toMatchObject({ value: null, value_number: null, is_nil: false });
    expect(rows.form_problems).toMatchObject([{ reason, table_name: 'xbrl_facts', column_name: 'value' }]);
  });

  it('may be nil, by any prefix of the namespace', () => {
    const xs = 'xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"';
    for (const nil of ['xsi:nil="true"', 'xsi:nil="1"', `${xs} xs:nil="true"`])
      expect(factsOf(inlineDocument(number('', nil)))[0]).toMatchObject({ is_nil: true, value: null });
    expect(factsOf(inlineDocument(number('5', 'xsi:nil="false"')))[0]).toMatchObject({ is_nil: false, value: '5' });
  });

  it('may be within another of the same text, and be hidden', () => {
    const rows = factsOf(inlineDocument(number(number('644'), 'scale="3"'), { hidden: words('10-K') }));
    expect(rows.map(({ position, value, is_hidden }) => [position, value, is_hidden])).toEqual([
      [0, '10-K', true],
      [1, '644000', false],
      [2, '644', false],
    ]);
  });

  it('may be a fraction', () => {
    const body = `<ix:fraction name="gaap:Share" contextRef="year" unitRef="usd"><ix:numerator>1</ix:numerator> of <ix:denominator format="ixt-sec:numwordsen">four</ix:denominator></ix:fraction>`;
    expect(factsOf(inlineDocument(body))).toMatchObject([{ value: '1/4', value_number: 0.25 }]);
  });

  it('may lie in a tuple, and have a target', () => {
    const body = `<ix:tuple name="MARA:Officer" tupleID="t"><span>${words('Jane', 'order="1" target="other"')}</span></ix:tuple>`;
    expect(factsOf(inlineDocument(body))).toMatchObject([{ concept: 'dei:Words', value: 'Jane', target: 'other' }]);
  });

  it('keeps the prefix of a company, in its case', () => {
    expect(factsOf(inlineDocument(words('x').replace('dei:Words', 'MARA:Words')))[0]!.concept).toBe('MARA:Words');
  });
});

describe('a text of an inline document', () => {
  it('is character data, references resolved once, line ends as LF', () => {
    expect(firstValue(words('A &amp; <b>B</b> &amp;lt; &#8217;&#x2019;\r\nC &amp;#38; D<br/>E'))).toBe(
      'A & B &lt; \u2019\u2019\nC &#38; DE',
    );
    expect(firstValue(words('a &#38;amp; b'))).toBe('a &amp; b');
    expect(firstValue(words('a <![CDATA[<b> & c]]>'))).toBe('a <b> & c');
  });

  it('is null if it is empty', () => {
    expect(factsOf(inlineDocument(words('')))[0]).toMatchObject({ value: null, is_nil: false });
    expect(factsOf(inlineDocument(words('x', 'format="ixt:fixed-empty"')))[0]!.value).toBeNull();
  });

  it('keeps its markup if it is escaped, without tags of Inline XBRL', () => {
    const body = words(`<p class="a>b">Cash is <b>${number('5')}</b> &amp; more</p>`, 'escape="true"');
    expect(factsOf(inlineDocument(body))).toMatchObject([
      { value: '<p class="a>b">Cash is <b>5</b> &amp; more</p>', is_text_block: true },
      { value: '5', is_text_block: false },
    ]);
  });

  it('continues in continuations, in any place, without excluded text', () => {
    const body = `${words('<p>one <ix:exclude>page <b>7</b> <ix:nonFraction name="gaap:Page" contextRef="year" unitRef="usd">7</ix:nonFraction></ix:exclude>two</p>', 'escape="true" continuedAt="c1"')}
      <div><ix:continuation id="c2"><p>four</p></ix:continuation></div>
      ${words('outer <ix:continuation id="c1" continuedAt="c2"><p>three</p></ix:continuation> end')}`;
    const rows = factsOf(inlineDocument(body));
    expect(rows.map(({ value }) => value)).toEqual(['<p>one two</p><p>three</p><p>four</p>', '7', 'outer three end']);
  });

  it('is null and a problem if a continuation is missing or forms a circle', () => {
    for (const [body, reason] of [
      [words('a', 'continuedAt="c9"'), 'no_continuation'],
      [
        `${words('a', 'continuedAt="c1"')}<ix:continuation id="c1" continuedAt="c2">b</ix:continuation><ix:continuation id="c2" continuedAt="c1">c</ix:continuation>`,
        'endless_continuation',
      ],
    ] as const) {
      const rows = filing(inlineDocument(body));
      expect(rows.xbrl_facts![0]!.value).toBeNull();
      expect(rows.form_problems).toMatchObject([{ reason }]);
    }
  });

  it('is put together before its format is applied', () => {
    const body = `${words('December ', 'format="ixt:date-monthname-day-year-en" continuedAt="c1"')}<ix:continuation id="c1">31,&#160;2024</ix:continuation>`;
    expect(firstValue(body)).toBe('2024-12-31');
  });
});

describe('footnotes of an inline document', () => {
  const footnotes = `${number('1', 'id="f1"')}${number('2', 'id="f2"')}
    <ix:footnote id="fn-2" xml:lang="de">Zwei <b>Worte</b><p>Absatz</p></ix:footnote><ix:footnote id="fn-1">One</ix:footnote>`;
  const resources = `<ix:relationship fromRefs="f1 f2" toRefs="fn-2"/><ix:relationship fromRefs="f1" toRefs="fn-1 fn-9"/>`;

  it('are tied to facts; one that no document has is left out', () => {
    const rows = filing(inlineDocument(footnotes, { resources }));
    expect(rows.xbrl_facts!.map((row) => row.footnotes)).toEqual(['["fn-1","fn-2"]', '["fn-2"]']);
    expect(rows.xbrl_footnotes).toMatchObject([
      { position: 0, footnote_id: 'fn-2', language: 'de', text: 'Zwei Worte Absatz' },
      { position: 1, footnote_id: 'fn-1', language: 'en-US', text: 'One' },
    ]);
  });
});

describe('dimensions of contexts', () => {
  it('are rows of their own', () => {
    expect(filing(inlineDocument(number('1'))).xbrl_dimensions).toMatchObject([
      { context_id: 'day', axis: 'MARA:EndAxis', member: null, is_typed: true },
      { context_id: 'day', axis: 'MARA:StartAxis', member: '2025 January', is_typed: true },
      { context_id: 'day', axis: 'us-gaap:StatementClassOfStockAxis', member: 'MARA:Big.Member', is_typed: false },
    ]);
  });
});

describe('several inline documents of a filing', () => {
  const bare = { contexts: '', units: '' };

  it('share contexts, units, continuations and footnotes', () => {
    const first = inlineDocument(`<ix:continuation id="c1">more</ix:continuation>`, {
      resources: '<ix:relationship fromRefs="f1" toRefs="n1"/>',
    });
    const second = inlineDocument(
      `${number('5', 'id="f1"')}${words('text and ', 'continuedAt="c1"')}<ix:footnote id="n1">note</ix:footnote>`,
      bare,
    );
    expect(factsOf(first, second)).toMatchObject([
      { file: 'd2.htm', position: 0, value: '5', unit: 'USD', period_end: '2024-12-31', footnotes: '["n1"]' },
      { file: 'd2.htm', position: 1, value: 'text and more' },
    ]);
  });

  it('have contexts of their own first: a fee exhibit reuses ids', () => {
    const other = CONTEXTS.replaceAll('2025-01-01T', '2024-01-01T');
    const rows = factsOf(inlineDocument(number('1')), inlineDocument(number('2'), { contexts: other }));
    expect(rows.map((row) => row.period_end)).toEqual(['2024-12-31', '2023-12-31']);
  });

  it('leave a context open that two others define differently', () => {
    const other = CONTEXTS.replaceAll('2024', '2023');
    const rows = filing(
      inlineDocument('', {}),
      inlineDocument('', { contexts: other }),
      inlineDocument(number('3') + number('4'), bare),
    );
    expect(rows.xbrl_facts).toMatchObject([
      { value: '3', period_end: null, dimensions: null },
      { value: '4', period_end: null, dimensions: null },
    ]);
    expect(rows.form_problems).toMatchObject([{ document: 'd3.htm', reason: 'ambiguous', value: 'year' }]);
  });

  it('name a context or unit that is nowhere once, and keep the facts', () => {
    const rows = filing(inlineDocument(number('3') + number('4'), bare));
    expect(rows.xbrl_facts).toMatchObject([
      { value: '3', unit: null, dimensions: null, entity_cik: null },
      { value: '4', unit: null, dimensions: null, entity_cik: null },
    ]);
    expect(rows.form_problems!.map(({ reason, value }) => [reason, value])).toEqual([
      ['no_unit', 'usd'],
      ['no_context', 'year'],
    ]);
  });
});

describe('an inline document', () => {
  it('may begin with a line feed or a byte order mark, and have any prefixes', () => {
    const text = inlineDocument(number('5', 'format="ixt:num-dot-decimal"'));
    for (const odd of [
      `\n${text}`,
      `\ufeff${text}`,
      text.replaceAll('ix:', 'inl:').replace('xmlns:ix=', 'xmlns:inl='),
      text.replace('<?xml version="1.0" encoding="UTF-8"?>', ''),
      text
        .replaceAll('<xbrli:context ', '<context xmlns="http://www.xbrl.org/2003/instance" ')
        .replaceAll(
          /(<\/?)xbrli:(?=context|entity|identifier|period|startDate|endDate|instant|segment|scenario)/g,
          '$1',
        ),
    ])
      expect(factsOf(odd)).toMatchObject([{ value: '5', concept: 'us-gaap:Assets', period_end: '2024-12-31' }]);
  });

  it('that is not well-formed gives no row, and is named', () => {
    const text = inlineDocument(number('5'));
    for (const broken of [
      text.slice(0, -20),
      text.replace('</p>', ''),
      text.replace('</ix:nonFraction>', ''),
      text.replace('</ix:header>', '</ix:headers>'),
      `${text}<p/>`,
      text.replace('<title>', '<title class="x>'),
    ].filter((each) => each !== text)) {
      const rows = filing(broken);
      expect(Object.keys(rows)).toEqual(['form_problems']);
      expect(rows.form_problems).toMatchObject([{ reason: 'malformed', document: 'd1.htm' }]);
    }
  });

  it('that only speaks of Inline XBRL is a web page', () => {
    expect(filing('<html><body>See http://www.xbrl.org/2013/inlineXBRL <p>unclosed</body></html>')).toEqual({});
  });
});
