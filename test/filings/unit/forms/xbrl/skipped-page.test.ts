/** The web page around the facts is skipped unread, where that is safe. The facts must be the same either way. */
import { describe, expect, it } from 'vitest';
import { INLINE, XBRLI } from '../../../../../src/filings/forms/xbrl/markup/namespaces.ts';
import { TagReader } from '../../../../../src/filings/forms/xbrl/markup/tag-reader.ts';
import { readContext } from '../../../../../src/filings/forms/xbrl/model/contexts.ts';
import { usualContext } from '../../../../../src/filings/forms/xbrl/model/usual-context.ts';
import { mapped } from '../../../../support/forms/mapped.ts';
import { CONTEXTS, inlineDocument } from '../../../../support/forms/xbrl-documents.ts';

const fact = (text: string, more = '') =>
  `<ix:nonFraction name="gaap:Assets" contextRef="year" unitRef="usd" decimals="0"${more}>${text}</ix:nonFraction>`;

/** Names of the tags at which the reader stops. */
function stops(text: string, only: readonly string[] | null): string[] {
  const reader = new TagReader(text, false, only);
  const names: string[] = [];
  while (reader.next())
    names.push(
      `${reader.opens ? '' : '/'}${reader.name.local} ${reader.scope.language}${reader.name.namespace?.includes('other') ? ' other' : ''}`,
    );
  return names.filter((name) => /nonFraction|nonNumeric|footnote|context /.test(name));
}

describe('the page around facts', () => {
  const pages: [string, string, string[]][] = [
    [
      'all kinds of tags',
      `<p class="a">x<br/><br /><img src='b' alt="c > d"/></p><table><tr><td >${fact('1')}</td></tr></table>`,
      ['1'],
    ],
    [
      'values that end in odd ways',
      `<p class="">${fact('2')}</p><p title=">">${fact('3')}</p><p title="/>">${fact('4')}</p><p title='x"'>${fact('5')}</p>`,
      ['2', '3', '4', '5'],
    ],
    [
      'comments, instructions and CDATA with tags in them',
      `<p><!-- <b>${fact('6')} --><?x <ix:y>?><![CDATA[<i><ix:nonFraction>]]>${fact('7')}</p>`,
      ['7'],
    ],
    [
      'a namespace declared on a plain element',
      `<div xmlns:y="http://www.xbrl.org/2013/inlineXBRL"><y:nonFraction name="gaap:Assets" contextRef="year">8</y:nonFraction></div>`,
      ['8'],
    ],
    [
      'another meaning of a prefix below',
      `<div xmlns:ix="http://other.example/"><ix:nonFraction>9</ix:nonFraction></div>${fact('10')}`,
      ['10'],
    ],
    ['a language declared on a plain element', `<div xml:lang="fr">${fact('11')}</div>${fact('12')}`, ['11', '12']],
    ['a language declared on a fact', `${fact('13', ' xml:lang="de"')}${fact('14')}`, ['13', '14']],
    [
      'a declaration on an element without content',
      `<link:schemaRef xmlns:q="http://other.example/"></link:schemaRef>${fact('15')}`,
      ['15'],
    ],
    ['names that begin like watched ones', `<h1>a</h1><html5>b</html5><i>c</i><ixx:y/>${fact('16')}`, ['16']],
    ['the word xmlns in a text', `<p>xmlns:a="b" xml:lang</p>${fact('17')}`, ['17']],
  ];

  it.each(pages)('may have %s', (_, page, values) => {
    const text = inlineDocument(page);
    const read = mapped(text, { accessionNumber: '0000000000-25-000001' });
    expect(read.form_problems).toBeUndefined();
    const whole = stops(text, null);
    expect(whole.filter((name) => name.startsWith('nonFraction')).length).toBeGreaterThan(0);
    let skipping = whole;
    try {
      skipping = stops(text, [...INLINE, XBRLI]);
    } catch {
      // Then the document is read whole.
    }
    const inline = (names: string[]) => names.filter((name) => !name.includes(' other'));
    expect(inline(skipping)).toEqual(inline(whole));
    expect((read.xbrl_facts ?? []).map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ['an end tag less', '<p>'],
    ['an end tag more', '</p>'],
    ['a quote less', '<p class="x>y</p>'],
    ['a tag within a tag', '<p <b>y</b></p>'],
    ['a sign that begins no tag', '<p>1 < 2</p>'],
    ['a comment that does not end', '<!-- <p>'],
    ['a second root', '</body></html><html><body>'],
  ])('is malformed with %s', (_, page) => {
    const rows = mapped(inlineDocument(fact('1') + page), { accessionNumber: '0000000000-25-000001' });
    expect(Object.keys(rows)).toEqual(['form_problems']);
    expect(rows.form_problems).toMatchObject([{ reason: 'malformed' }]);
  });
});

describe('a context in the usual shape', () => {
  const entity = '<xbrli:identifier scheme="http://www.sec.gov/CIK"> 0000320193 </xbrli:identifier>';
  const member = (axis: string, name: string) =>
    `\n<xbrldi:explicitMember dimension="${axis}"> ${name} </xbrldi:explicitMember>`;
  const shapes = [
    `<xbrli:context id="a"><xbrli:entity>${entity}</xbrli:entity><xbrli:period><xbrli:instant>2024-12-31</xbrli:instant></xbrli:period></xbrli:context>`,
    `<xbrli:context id="b">\n<xbrli:entity>\n${entity}\n<xbrli:segment>${member('gaap:ZAxis', 'MARA:One.Member')}${member('MARA:AAxis', 'gaap:TwoMember')}\n</xbrli:segment>\n</xbrli:entity>\n<xbrli:period>\n<xbrli:startDate>2024-01-01</xbrli:startDate>\n<xbrli:endDate> 2024-12-31\n</xbrli:endDate></xbrli:period></xbrli:context>`,
  ];
  const others = [
    shapes[0]!.replace('2024-12-31', '2024-12-31T00:00:00'),
    shapes[0]!.replace('2024-12-31', '<!-- no -->2024-12-31'),
    shapes[0]!.replace('id="a"', "id='a'"),
    shapes[0]!.replace('id="a"', 'id="a&amp;b"'),
    shapes[0]!.replace('</xbrli:entity>', '<xbrli:segment/></xbrli:entity>'),
    shapes[0]!.replace('</xbrli:context>', '<xbrli:scenario/></xbrli:context>'),
    CONTEXTS,
  ];
  const both = (context: string) => {
    const reader = new TagReader(inlineDocument('', { contexts: context }));
    while (reader.next() && !(reader.opens && reader.name.local === 'context'));
    const usual = usualContext(reader.text, reader.start, reader.scope);
    const attributes = reader.attributes();
    const read = readContext(reader, attributes[attributes.indexOf('id') + 1]!);
    return { usual, read, end: reader.end };
  };

  it('is the same as one that is read tag by tag', () => {
    for (const shape of shapes) {
      const { usual, read, end } = both(shape);
      expect(usual).toEqual({ context: read, end });
    }
  });

  it('is left alone if its shape is another', () => {
    for (const other of others) expect(both(other).usual, other).toBeNull();
  });
});
