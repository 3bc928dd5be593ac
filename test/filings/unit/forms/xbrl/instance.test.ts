import { describe, expect, it } from 'vitest';
import { mapped } from '../../../../support/forms/mapped.ts';
import { instance } from '../../../../support/forms/xbrl-documents.ts';

describe('a fact of an instance', () => {
  it('has the columns of a fact; hidden and target are of inline documents', () => {
    const text = instance(
      '<gaap:Assets contextRef="day" unitRef="usd" decimals="-3" id="a"> 1.60\n</gaap:Assets><dei:DocumentType contextRef="year">10-K &amp;amp; more</dei:DocumentType>',
    );
    const { xbrl_facts: facts, form_problems: problems } = mapped(text);
    expect(problems).toBeUndefined();
    expect(facts).toMatchObject([
      {
        file: 'doc1.xml',
        position: 0,
        fact_id: 'a',
        concept: 'us-gaap:Assets',
        entity_cik: '320193',
        period_end: '2024-12-31',
        unit: 'USD',
        decimals: '-3',
        value: '1.60',
        value_number: 1.6,
        is_hidden: null,
        start_index: text.indexOf('<gaap:Assets'),
        end_index: text.indexOf('<dei:DocumentType'),
      },
      { position: 1, concept: 'dei:DocumentType', value: '10-K &amp; more', unit: null, is_text_block: false },
    ]);
  });

  it('has the decimals that its precision stands for', () => {
    const accuracy = (precision: string, value: string) =>
      mapped(instance(`<gaap:A contextRef="day" unitRef="usd" precision="${precision}">${value}</gaap:A>`))
        .xbrl_facts![0]!.decimals;
    expect(accuracy('4', '1234567')).toBe('-3');
    expect(accuracy('4', '-56.789')).toBe('2');
    expect(accuracy('2', '0.00123')).toBe('4');
    expect(accuracy('INF', '5')).toBe('INF');
    expect(accuracy('3', '0')).toBe('INF');
    expect(accuracy('0', '12')).toBe(null);
    expect(accuracy('3', '1e5')).toBe(null);
  });

  it('is a text block by its name, or by a tag in its text', () => {
    const text = instance(
      '<gaap:NotesTextBlock contextRef="year">plain</gaap:NotesTextBlock><gaap:Policy contextRef="year">&lt;p&gt;A &amp;amp; B&lt;/p&gt;</gaap:Policy><gaap:Other contextRef="year">1 &lt; 2</gaap:Other><gaap:C contextRef="year"><![CDATA[<div>c</div>]]></gaap:C>',
    );
    expect(mapped(text).xbrl_facts!.map(({ value, is_text_block }) => [value, is_text_block])).toEqual([
      ['plain', true],
      ['<p>A &amp; B</p>', true],
      ['1 < 2', false],
      ['<div>c</div>', true],
    ]);
  });

  it('may be nil, lie in a tuple, or be a fraction', () => {
    const text = instance(
      `<gaap:Nil contextRef="year" unitRef="usd" xsi:nil="true"/><MARA:Tuple><gaap:Inner contextRef="year">x</gaap:Inner></MARA:Tuple>
       <gaap:Share contextRef="year" unitRef="usd"><numerator>1</numerator><denominator>8</denominator></gaap:Share>`,
    );
    expect(mapped(text).xbrl_facts).toMatchObject([
      { position: 0, is_nil: true, value: null },
      { position: 1, value: 'x' },
      { position: 2, value: '1/8', value_number: 0.125 },
    ]);
  });

  it('has footnotes through the arcs of a footnote link', () => {
    const text = instance(
      `<gaap:A contextRef="year" id="a">1</gaap:A><gaap:B contextRef="year" id="b">2</gaap:B><link:footnoteLink xlink:type="extended">
       <link:loc xlink:label="one" xlink:href="#a"/><link:loc xlink:label="one" xlink:href="x.xml#b"/>
       <link:footnote xlink:label="n" id="note" xml:lang="en">Some <b xmlns="http://www.w3.org/1999/xhtml">bold</b> words</link:footnote>
       <link:footnote xlink:label="m">Without id</link:footnote>
       <link:footnoteArc xlink:from="one" xlink:to="n"/><link:footnoteArc xlink:from="one" xlink:to="m"/></link:footnoteLink>`,
    );
    const rows = mapped(text);
    expect(rows.xbrl_facts!.map((row) => row.footnotes)).toEqual(['["m","note"]', '["m","note"]']);
    expect(rows.xbrl_footnotes).toMatchObject([
      { footnote_id: 'note', language: 'en', text: 'Some bold words' },
      { footnote_id: 'm', language: null, text: 'Without id' },
    ]);
  });

  it('keeps its row if the context is missing, which is a problem', () => {
    const rows = mapped(instance('<gaap:A contextRef="gone">1</gaap:A>'));
    expect(rows.xbrl_facts).toMatchObject([{ value: '1', dimensions: null, period_end: null }]);
    expect(rows.form_problems).toMatchObject([{ reason: 'no_context', value: 'gone' }]);
  });
});

describe('an instance with a fault', () => {
  const fact = '<gaap:Assets contextRef="day" unitRef="usd" decimals="0" id="a">5</gaap:Assets>';
  const problems = (text: string) =>
    (mapped(text).form_problems ?? []).map(({ reason, column_name, value }) => [reason, column_name, value]);
  const day = '<instant>2024-12-31</instant>';

  it('names an id that is defined twice, differently, and takes neither', () => {
    const text = instance(fact);
    const [context] = /<context id="day">.*?<\/context>/s.exec(text)!;
    const [unit] = /<xbrli:unit id="usd">.*?<\/xbrli:unit>/s.exec(text)!;
    expect(problems(text.replace(context, context + context))).toEqual([]);
    const dated = text.replace(context, context + context.replace('2024-12-31', '2023-12-31'));
    expect(problems(dated)).toEqual([['ambiguous', 'context_id', 'day']]);
    expect(mapped(dated).xbrl_facts![0]).toMatchObject({
      value: '5',
      entity_cik: null,
      period_end: null,
      dimensions: null,
    });
    const measured = text.replace(unit, unit + unit.replace('USD', 'EUR'));
    expect(problems(measured)).toEqual([['ambiguous', 'unit', 'usd']]);
    expect(mapped(measured).xbrl_facts![0]).toMatchObject({ value: '5', unit: null, value_number: null });
  });

  it.each(['2024-13-31', '2023-02-29', '12/31/2024', '2024-12-31x'])(
    'names a date that does not exist: %s',
    (wrong) => {
      const text = instance(fact);
      expect(text).toContain(day);
      const damaged = text.replace(day, day.replace('2024-12-31', wrong));
      expect(problems(damaged)).toEqual([['not_a_date', 'period_end', wrong]]);
      expect(mapped(damaged).xbrl_facts![0]).toMatchObject({ value: '5', entity_cik: '320193', period_end: null });
    },
  );

  it.each(['', 'abc', '1,000', '0x10'])('names a text that is not a number: %j', (wrong) => {
    expect(problems(instance(fact.replace('>5<', `>${wrong}<`)))).toEqual([['not_a_number', 'value', wrong]]);
  });

  it.each(['INF', '-INF', 'NaN', '1e3', '-.5', '+5'])('takes a number as XML Schema has it: %s', (right) => {
    expect(problems(instance(fact.replace('>5<', `>${right}<`)))).toEqual([]);
  });
});
