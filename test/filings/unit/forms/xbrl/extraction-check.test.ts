import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../../support/forms/mapped.ts';
import { inlineDocument, instance } from '../../../../support/forms/xbrl-documents.ts';

function filing(files: Record<string, string>): Record<string, Row[]> {
  const documents = Object.entries(files).map(([name, text]) => ({ name, type: null, text: () => text }));
  return rowsOf({ accessionNumber: '0000000000-25-000001', filingDate: null, formType: null, documents });
}

const report = inlineDocument(
  `<ix:nonFraction id="a" name="gaap:Assets" contextRef="year" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal">1,000</ix:nonFraction>
   <ix:nonNumeric id="t" name="gaap:NoteTextBlock" contextRef="year" escape="true"><p style="a">One <b>two</b></p></ix:nonNumeric>`,
);
const assets = (value: string) =>
  `<gaap:Assets id="a" contextRef="year" unitRef="usd" decimals="-6">${value}</gaap:Assets>`;
const note =
  '<gaap:NoteTextBlock id="t" contextRef="year">&lt;p&gt;One&lt;b&gt; two&lt;/b&gt;&lt;/p&gt;</gaap:NoteTextBlock>';

describe("EDGAR's extraction beside inline documents", () => {
  it('gives no facts of its own, but a check', () => {
    const rows = filing({ 'x.htm': report, 'x_htm.xml': instance(assets('1000000000') + note) });
    expect(rows.xbrl_facts!.map((row) => row.file)).toEqual(['x.htm', 'x.htm']);
    expect(rows.xbrl_checks).toMatchObject([{ file: 'x_htm.xml', facts: 2, extracted: 2, equal: 2, differ: 0 }]);
    expect(rows.form_problems).toBeUndefined();
  });

  it('shows each fact that differs, that we lack, and that we have more', () => {
    const more = '<gaap:Cash contextRef="year" unitRef="usd">5</gaap:Cash>';
    const rows = filing({ 'x.htm': report, 'x_htm.xml': instance(assets('1000000001') + more) });
    expect(rows.xbrl_checks).toMatchObject([{ facts: 2, extracted: 2, equal: 0, differ: 1 }]);
    expect(rows.form_problems!.map(({ reason, document, path }) => [reason, document, path])).toEqual([
      ['differs', 'x_htm.xml', 'a'],
      ['differs', 'x_htm.xml', 't'],
      ['differs', 'x_htm.xml', 'us-gaap:Cash'],
    ]);
  });

  it('is of the document with its name, else of all', () => {
    const fee = inlineDocument('<ix:nonNumeric name="dei:Fee" contextRef="year">9</ix:nonNumeric>');
    const exhibit = inlineDocument('<ix:nonNumeric id="e" name="dei:More" contextRef="year">m</ix:nonNumeric>');
    const rows = filing({
      'x.htm': report,
      'ex13.htm': exhibit,
      'fee.htm': fee,
      'x_htm.xml': instance(`${assets('1000000000')}${note}<dei:More id="e" contextRef="year">m</dei:More>`),
      'fee_htm.xml': instance('<dei:Fee contextRef="year">9</dei:Fee>'),
    });
    expect(rows.xbrl_checks).toMatchObject([
      { file: 'x_htm.xml', facts: 3, extracted: 3, equal: 3 },
      { file: 'fee_htm.xml', facts: 1, extracted: 1, equal: 1 },
    ]);
  });

  it('gives the facts if no inline document can be read', () => {
    const rows = filing({ 'x.htm': report.slice(0, -30), 'x_htm.xml': instance(assets('1000000000')) });
    expect(rows.form_problems).toMatchObject([{ reason: 'malformed', document: 'x.htm' }]);
    expect(rows.xbrl_facts).toMatchObject([{ file: 'x_htm.xml', value: '1000000000' }]);
    expect(rows.xbrl_checks).toBeUndefined();
  });
});
