import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../../support/forms/mapped.ts';

const NAMESPACES =
  'xmlns="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
const loc = (label: string, concept: string) =>
  `<loc xlink:type="locator" xlink:label="${label}" xlink:href="http://x.example/us-gaap.xsd#${concept}"/>`;
const arc = (kind: string, from: string, to: string, more = '') =>
  `<${kind} xlink:type="arc" xlink:from="${from}" xlink:to="${to}" ${more}/>`;

function filing(files: Record<string, string>): Record<string, Row[]> {
  const documents = Object.entries(files).map(([name, text]) => ({ name, type: null, text: () => text }));
  return rowsOf({ accessionNumber: '0000000000-25-000001', filingDate: null, formType: null, documents });
}

describe('labels', () => {
  it('go from concepts to words by their roles; prohibited ones are left out', () => {
    const text = `<linkbase ${NAMESPACES}><labelLink xlink:type="extended">${loc('a', 'us-gaap_Assets')}${loc('b', 'x_My_Own')}
      <label xlink:label="l" xlink:role="http://r/label" xml:lang="en-US">Total &amp;
      assets</label><label xlink:label="l" xlink:role="http://r/terse">Assets</label><label xlink:label="m">Old</label>
      ${arc('labelArc', 'a', 'l')}${arc('labelArc', 'b', 'm')}${arc('labelArc', 'a', 'm', 'use="prohibited"')}</labelLink></linkbase>`;
    expect(filing({ 'x_lab.xml': text }).xbrl_labels).toMatchObject([
      { position: 0, concept: 'us-gaap:Assets', role: 'http://r/label', language: 'en-US', label: 'Total & assets' },
      { position: 1, concept: 'us-gaap:Assets', role: 'http://r/terse', language: null, label: 'Assets' },
      { position: 2, concept: 'x:My_Own', role: null, label: 'Old' },
    ]);
  });
});

describe('presentation', () => {
  const schema = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:link="http://www.xbrl.org/2003/linkbase"><xsd:annotation><xsd:appinfo>
    <link:roleType roleURI="http://r/balance" id="b"><link:definition>0002 - Statement - BALANCE</link:definition></link:roleType></xsd:appinfo></xsd:annotation></xsd:schema>`;
  const presentation = (arcs: string) =>
    `<linkbase ${NAMESPACES}><presentationLink xlink:role="http://r/balance">${[
      'root',
      'assets',
      'cash',
      'other',
      'total',
    ]
      .map((each) => loc(each, `x_${each}`))
      .join('')}${arcs}</presentationLink></linkbase>`;

  it('is read in order of the arcs, whatever their order in the file', () => {
    const text = presentation(
      [
        arc('presentationArc', 'assets', 'other', 'order="10"'),
        arc('presentationArc', 'root', 'total', 'order="2.5" preferredLabel="http://r/total"'),
        arc('presentationArc', 'assets', 'cash', 'order="9"'),
        arc('presentationArc', 'root', 'assets', 'order="1"'),
      ].join(''),
    );
    const rows = filing({ 'x.xsd': schema, 'x_pre.xml': text }).xbrl_presentation!;
    const lines = rows.toSorted((a, b) => Number(a.line) - Number(b.line));
    expect(lines.map(({ concept, depth }) => [concept, depth])).toEqual([
      ['x:assets', 0],
      ['x:cash', 1],
      ['x:other', 1],
      ['x:total', 0],
    ]);
    expect(lines[3]).toMatchObject({
      position: 1,
      role: 'http://r/balance',
      role_definition: '0002 - Statement - BALANCE',
      parent: 'x:root',
      arc_order: '2.5',
      preferred_label: 'http://r/total',
    });
  });

  it('has no line where concepts hang in a circle, and no definition without a schema', () => {
    const text = presentation(
      arc('presentationArc', 'cash', 'other', 'order="1"') + arc('presentationArc', 'other', 'cash', 'order="1"'),
    );
    expect(filing({ 'x_pre.xml': text }).xbrl_presentation).toMatchObject([
      { line: null, depth: null, role_definition: null },
      { line: null, depth: null, role_definition: null },
    ]);
  });

  it('is found in a schema that holds its linkbases', () => {
    const link = presentation(arc('presentationArc', 'root', 'cash')).replace(NAMESPACES, NAMESPACES);
    const text = schema.replace('</xsd:appinfo>', `${link}</xsd:appinfo>`);
    expect(filing({ 'x.xsd': text }).xbrl_presentation).toMatchObject([
      { concept: 'x:cash', role_definition: '0002 - Statement - BALANCE', arc_order: null, line: 0 },
    ]);
  });

  it('that is not well-formed gives no row, and is named', () => {
    const rows = filing({ 'x_pre.xml': presentation('').slice(0, -5) });
    expect(Object.keys(rows)).toEqual(['form_problems']);
    expect(rows.form_problems).toMatchObject([{ reason: 'malformed', document: 'x_pre.xml' }]);
  });
});
