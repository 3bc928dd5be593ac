import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORM_GROUPS, FORM_TABLES, inlineNamesOf, neededFor } from '../../../../../src/filings/forms/index.ts';
import { runs } from '../../../../support/property-runs.ts';

const ALL = FORM_GROUPS.get('xbrl')!.map(({ name }) => name);
const document = (filename: string | null, type: string | null) => ({ filename, type });

const report = [
  document('acme-20241231.htm', '10-K'),
  document('ex10.htm', 'EX-10.1'),
  document('ex13.htm', 'EX-13'),
  document('ex31.htm', 'EX-31.1'),
  document('acme-20241231.xsd', 'EX-101.SCH'),
  document('acme-20241231_cal.xml', 'EX-101.CAL'),
  document('acme-20241231_lab.xml', 'EX-101.LAB'),
  document('acme-20241231_pre.xml', 'EX-101.PRE'),
  document('logo.jpg', 'GRAPHIC'),
  document('R2.htm', 'XML'),
  document('FilingSummary.xml', 'XML'),
  document('MetaLinks.json', 'JSON'),
  document('acme-20241231_htm.xml', 'XML'),
];
const names = (list: readonly { filename: string | null }[]) => list.map(({ filename }) => filename);
const needed = (
  documents: readonly { filename: string | null; type: string | null }[],
  wanted = ALL,
  form = '10-K',
  filed: string | null = '2025-02-03',
) => {
  const { tables, documents: list, undecided } = neededFor({ form, filed }, documents, wanted);
  return { tables, documents: names(list), undecided: names(undecided) };
};

describe('the documents that XBRL tables need', () => {
  it('of a report are its page, its linkbases and the extraction; a summary decides about other pages', () => {
    expect(needed(report)).toEqual({
      tables: ALL.filter((name) => name !== 'ex27_facts').sort(),
      documents: [
        'acme-20241231.htm',
        'acme-20241231.xsd',
        'acme-20241231_cal.xml',
        'acme-20241231_lab.xml',
        'acme-20241231_pre.xml',
        'FilingSummary.xml',
        'acme-20241231_htm.xml',
      ],
      undecided: ['ex13.htm'],
    });
  });

  it('follow from the tables', () => {
    const single = report.filter(({ type }) => type !== 'EX-13');
    expect(needed(single, ['xbrl_facts']).documents).toEqual(['acme-20241231.htm']);
    expect(needed(single, ['xbrl_labels']).documents).toEqual(['acme-20241231_lab.xml']);
    expect(needed(single, ['xbrl_presentation']).documents).toEqual(['acme-20241231.xsd', 'acme-20241231_pre.xml']);
    expect(needed(single, ['xbrl_checks']).documents).toEqual(['acme-20241231.htm', 'acme-20241231_htm.xml']);
    expect(needed(single, ['ex27_facts'])).toEqual({ tables: [], documents: [], undecided: [] });
  });

  it('are all pages of a fitting type without a summary', () => {
    const without = report.filter(({ filename }) => filename !== 'FilingSummary.xml');
    expect(needed(without, ['xbrl_facts'])).toMatchObject({
      documents: ['acme-20241231.htm', 'ex13.htm'],
      undecided: [],
    });
    const unlisted = report.filter(({ type }) => type !== 'XML');
    expect(needed(unlisted, ['xbrl_facts']).documents).toEqual(['acme-20241231.htm', 'ex13.htm']);
    expect(needed(unlisted).tables).not.toContain('xbrl_checks');
  });

  it('of a filing with an instance are the instance, and no page', () => {
    const old = [
      document('d10k.htm', '10-K'),
      document('acme-20101231.xml', 'EX-101.INS'),
      document('acme-20101231.xsd', 'EX-101.SCH'),
      document('acme-20101231_lab.xml', 'EX-101.LAB'),
      document('R1.xml', 'XML'),
    ];
    expect(needed(old).documents).toEqual(['acme-20101231.xml', 'acme-20101231.xsd', 'acme-20101231_lab.xml']);
    expect(needed(old, ['xbrl_facts', 'xbrl_checks'])).toMatchObject({
      tables: ['xbrl_facts'],
      documents: ['acme-20101231.xml'],
    });
  });

  it('of declared fees are the exhibit alone', () => {
    const fees = [
      document('s3.htm', 'S-3ASR'),
      document('ex5.htm', 'EX-5.1'),
      document('fees.htm', 'EX-FILING FEES'),
      document('fees_htm.xml', 'XML'),
    ];
    expect(needed(fees, ALL, 'S-3ASR')).toEqual({
      tables: ['xbrl_checks', 'xbrl_dimensions', 'xbrl_facts', 'xbrl_footnotes'],
      documents: ['fees.htm', 'fees_htm.xml'],
      undecided: [],
    });
  });

  it.each([
    ['10-K', '2005-03-01', [document('d10k.htm', '10-K'), document('ex99.htm', 'EX-99')]],
    ['10-K', '2016-06-12', [document('d10k.htm', null)]],
    ['8-K', '2019-05-31', [document('d8k.htm', '8-K'), document('ex99.htm', 'EX-99.1')]],
    ['4', '2025-02-03', [document('form4.xml', '4')]],
    ['SC 13G', null, [document('sc13g.htm', 'SC 13G')]],
    ['10-D', null, [document('d10d.htm', '10-D')]],
    ['S-3', '2015-02-03', [document('s3.htm', 'S-3'), document('fees.htm', 'EX-FILING FEES')]],
    ['10-K', '2005-03-01', [document(null, '10-K'), document(null, 'GRAPHIC')]],
    ['10-K', '2025-02-03', [document('table.xml', null), document('a.txt', null)]],
    ['10-K', '2025-02-03', [document('a.txt', '10-K'), document('a.jpg', 'GRAPHIC'), document('a.pdf', '10-K')]],
  ] as const)('of a filing that can have no XBRL are none: %s of %s', (form, filed, documents) => {
    expect(needed(documents, ALL, form, filed)).toEqual({ tables: [], documents: [], undecided: [] });
  });

  it.each([
    ['alone', '10-K', [document('acme-20241231.htm', '10-K')], ['acme-20241231.htm'], []],
    ['that a downloader named', '10-K', [document('primary-document.html', '10-K')], ['primary-document.html'], []],
    ['of an amendment', '10-K/A', [document('a.htm', '10-K')], ['a.htm'], []],
    ['beside exhibits', '10-K', report.slice(0, 4), ['acme-20241231.htm'], ['ex13.htm']],
    ['that comes last', '8-K', [document('x.htm', 'EX-99.1'), document('m.htm', '8-K')], ['m.htm'], ['x.htm']],
    ['with fees', 'S-1', [document('s.htm', 'S-1'), document('f.htm', 'EX-FILING FEES')], ['s.htm', 'f.htm'], []],
    ['without a name', '10-K', [document(null, '10-K'), document(null, 'GRAPHIC')], [null], []],
    ['whose name has no ending', '20-F', [document('report', '20-F')], ['report'], []],
    ['without types', '6-K', [document('a.htm', null), document('b.htm', null)], ['a.htm', 'b.htm'], []],
    ['with types of its service', '10-Q', [document('a.htm', 'text.gif')], ['a.htm'], []],
    [
      'that alone has neither name nor type',
      '10-K',
      [document(null, null), document('logo.jpg', 'GRAPHIC')],
      [null],
      [],
    ],
  ] as const)('may be a main document %s, if nothing else shows XBRL', (_, form, documents, list, undecided) => {
    const tables = ['xbrl_dimensions', 'xbrl_facts', 'xbrl_footnotes'];
    for (const filed of ['2025-02-03', null])
      expect(needed(documents, ALL, form, filed)).toEqual({ tables, documents: list, undecided });
    expect(neededFor({ form, filed: null }, documents, ALL).hasFacts).toBe(false);
  });

  it('are an instance by its name, and linkbases without a schema', () => {
    expect(
      needed([document('d10k.htm', null), document('acme-20101231.xml', null)], ALL, '10-K', '2011-02-01'),
    ).toEqual({
      tables: ['xbrl_dimensions', 'xbrl_facts', 'xbrl_footnotes'],
      documents: ['acme-20101231.xml'],
      undecided: [],
    });
    const linked = [document('a.xml', null), document('a_cal.xml', null)];
    expect(needed(linked, ['xbrl_facts'], '10-K', '2011-02-01').documents).toEqual(['a.xml']);
    expect(needed([document('a.htm', '10-K'), document('a.xsd', 'text.gif')], ['xbrl_concepts']).documents).toEqual([
      'a.xsd',
    ]);
  });

  it('follow from types if the service has no names, and from names if it has no types', () => {
    const untitled = [document(null, '10-K'), document(null, 'EX-101.SCH'), document(null, 'EX-101.LAB')];
    expect(needed(untitled).documents).toHaveLength(3);
    const untyped = report.map(({ filename }) => document(filename, null));
    expect(needed(untyped, ['xbrl_facts']).documents).toEqual(['acme-20241231.htm', 'FilingSummary.xml']);
    expect(needed(untyped, ['xbrl_labels']).documents).toEqual(['acme-20241231_lab.xml']);
    const bare = [document(null, null), document(null, null)];
    expect(needed(bare, ['xbrl_facts']).documents).toHaveLength(2);
  });

  it('of schedules of 1993 to 2001 are the schedules', () => {
    const old = [document(null, '10-K'), document(null, 'EX-27'), document(null, 'EX-27.1')];
    const found = needed(old, ALL, '10-K', '1997-03-01');
    expect(found).toMatchObject({ tables: ['ex27_facts'], undecided: [] });
    expect(found.documents).toHaveLength(2);
  });

  it('come beside those of a structured form', () => {
    const both = [document('form4.xml', '4'), document('fees.htm', 'EX-FILING FEES'), document('fees_htm.xml', 'XML')];
    expect(needed(both, ['ownership_reports', 'xbrl_facts'], '4')).toMatchObject({
      tables: ['ownership_reports', 'xbrl_facts'],
      documents: ['form4.xml', 'fees.htm'],
    });
  });
});

describe("EDGAR's summary", () => {
  it('names the inline documents', () => {
    const summary = `<FilingSummary><InputFiles><File doctype="8-K" original="A.htm">A.htm</File><File>a.xsd</File><File>ex99.htm</File></InputFiles></FilingSummary>`;
    expect(inlineNamesOf(summary)).toEqual(new Set(['a.htm']));
    expect(inlineNamesOf('<InputFiles><File>a.htm</File><File>b.htm</File></InputFiles>')).toEqual(
      new Set(['a.htm', 'b.htm']),
    );
    expect(inlineNamesOf('<html>')).toBeNull();
  });
});

describe('the documents of one table', () => {
  it('are among those of all tables, undecided pages too', () => {
    const names = [
      'a.htm',
      'b.htm',
      'a_htm.xml',
      'a.xml',
      'a.xsd',
      'a_lab.xml',
      'a_pre.xml',
      'FilingSummary.xml',
      null,
    ];
    const types = ['4', '10-K', 'EX-99', 'EX-FILING FEES', 'EX-101.INS', 'EX-101.SCH', 'EX-27', 'XML', null];
    const document = fc.record({ filename: fc.constantFrom(...names), type: fc.constantFrom(...types) });
    const wanted = FORM_TABLES.map(({ name }) => name);
    fc.assert(
      fc.property(fc.constantFrom('4', '10-K', '13F-HR'), fc.array(document, { maxLength: 7 }), (form, documents) => {
        const all = neededFor({ form, filed: null }, documents, wanted);
        const ofAll = new Set([...all.documents, ...all.undecided]);
        for (const name of all.tables) {
          const one = neededFor({ form, filed: null }, documents, [name]);
          expect(one.tables).toEqual([name]);
          for (const each of [...one.documents, ...one.undecided]) expect(ofAll.has(each)).toBe(true);
        }
        expect(neededFor({ form, filed: null }, documents, all.tables)).toEqual(all);
      }),
      { numRuns: runs(500) },
    );
  });
});
