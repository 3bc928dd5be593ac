import { describe, expect, it } from 'vitest';
import { type Filing, mapFiling, neededFor, type Row } from '../../../../src/filings/forms/index.ts';
import { mapped } from '../../../support/forms/mapped.ts';
import { valuesBySaxes } from '../../../support/forms/values-by-saxes.ts';

const ASKED = new Set(['form_values']);

function filing(text: string, more: Partial<Filing> = {}): Filing {
  return {
    accessionNumber: null,
    filingDate: null,
    formType: null,
    documents: [{ name: 'a.xml', type: null, text: () => text }],
    ...more,
  };
}

function valuesOf(given: Filing, tables: ReadonlySet<string> | null = ASKED): Row[] {
  return [...mapFiling(given, tables)].filter(({ table }) => table === 'form_values').map(({ row }) => row);
}

const said = (rows: readonly Row[]) => rows.map(({ path, indices, value }) => [path, indices, value]);

const DOCUMENTS = {
  'of an unknown root':
    '<?xml version="1.0"?><x:letter xmlns:x="u" date="1"><x:to>A</x:to><x:to>B</x:to><x:end/></x:letter>',
  'with white space': '<?xml version="1.0"?><a>\n <b> 1 \n</b>\n <c>\t</c>\n</a>',
  'with words around elements': '<?xml version="1.0"?><a>one <b>two</b> three<b/> four </a>',
  'with references and CDATA': '<?xml version="1.0"?><a t="&lt;&#10;x">&amp;&#65;<![CDATA[<b>]]></a>',
  'with CDATA after white space': '<?xml version="1.0"?><a><b> \n<![CDATA[x]]></b><b>y<!-- z --> </b></a>',
  'with prefixed attributes':
    '<?xml version="1.0"?><a xmlns:p="u" xmlns:xsi="v" p:k="1" k="2" xsi:nil="true" xml:lang="en"/>',
  'with one name in two namespaces': '<?xml version="1.0"?><a xmlns:p="u"><k>1</k><p:k>2</p:k><k>3</k></a>',
  'with attributes of every level':
    '<?xml version="1.0"?><a i="0"><b i="1"><c i="2"><d i="3">4</d></c></b><b i="5"/></a>',
  'with line ends of Windows': '<?xml version="1.0"?>\r\n<a>\r\n<b>1\r\n2</b>\r\n</a>',
};

describe('form_values', () => {
  it.each(Object.entries(DOCUMENTS))('has every text and attribute of a document %s', (_, text) => {
    const rows = valuesOf(filing(text));
    expect(said(rows)).toEqual(valuesBySaxes(text));
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_row, k) => k));
    expect(new Set(rows.map(({ path, indices }) => `${path} ${indices}`)).size).toBe(rows.length);
  });

  it('counts elements of one name within their parent', () => {
    const text = '<?xml version="1.0"?><a><b><c>1</c><c>2</c></b><d/><b><c>3</c></b></a>';
    expect(said(valuesOf(filing(text)))).toEqual([
      ['a/b/c', '[0,0,0]', '1'],
      ['a/b/c', '[0,0,1]', '2'],
      ['a/d', '[0,0]', null],
      ['a/b/c', '[0,1,0]', '3'],
    ]);
  });

  it('reads a document in pieces of any length', () => {
    for (const text of Object.values(DOCUMENTS)) {
      for (const length of [1, 2, 3, 7]) {
        const pieces = () => text.match(new RegExp(`[^]{1,${length}}`, 'g'))!;
        const documents = [{ name: 'a.xml', type: null, text: () => text, pieces }];
        expect(said(valuesOf(filing('', { documents })))).toEqual(valuesBySaxes(text));
      }
    }
  });

  const effect =
    '<edgarSubmission><submissionType>EFFECT</submissionType><act>33</act><effectiveData><form>S-1</form></effectiveData></edgarSubmission>';
  const other = effect.replace('EFFECT', 'N-MFP9');

  it('has forms without tables by itself, and mapped ones if it is named', () => {
    expect(mapped(effect).form_values).toBeUndefined();
    expect(valuesOf(filing(effect))).toHaveLength(3);
    const rows = mapped(other);
    expect(rows.form_problems).toMatchObject([{ reason: 'no_mapping', value: 'N-MFP9' }]);
    expect(rows.form_values).toHaveLength(3);
    expect(rows.form_values![0]).toMatchObject({ form_type: 'N-MFP9', document: 'doc1.xml' });
    expect(valuesOf(filing(other), new Set(['effect_notices']))).toEqual([]);
  });

  it('leaves out XBRL and web pages', () => {
    for (const root of ['xbrl', 'linkbase', 'html', 'schema', 'InstanceReport'])
      expect(valuesOf(filing(`<?xml version="1.0"?><${root}><a>1</a></${root}>`))).toEqual([]);
  });

  it('gives no row of a broken document, and says so once', () => {
    for (const text of [effect, other, DOCUMENTS['of an unknown root']]) {
      const broken = text.replace(/<\/\w+:?\w*>$/, '');
      const rows = [...mapFiling(filing(broken), ASKED)];
      expect(rows.filter(({ table }) => table === 'form_values')).toEqual([]);
      expect(rows.filter(({ row }) => row.reason === 'malformed')).toHaveLength(1);
    }
  });

  it('needs the XML documents of a filing, not those of XBRL', () => {
    const named = (filename: string | null, type: string | null) => ({ filename, type });
    const needed = (...documents: ReturnType<typeof named>[]) =>
      neededFor({ form: 'ABS-EE', filed: null }, documents, ['form_values']).documents.map(({ filename }) => filename);
    expect(
      needed(
        named('primary_doc.xml', 'ABS-EE'),
        named('ex102.xml', 'EX-102'),
        named('a.htm', 'EX-99'),
        named('R2.xml', 'XML'),
        named('FilingSummary.xml', 'XML'),
        named('a-2020_lab.xml', 'EX-101.LAB'),
        named('a-2020.xml', 'EX-101.INS'),
        named('a_htm.xml', 'XML'),
        named('a.xsd', null),
        named('a.jpg', 'GRAPHIC'),
      ),
    ).toEqual(['primary_doc.xml', 'ex102.xml']);
    expect(needed(named('a.xsd', null), named('a-2020.xml', null))).toEqual([]);
    expect(needed(named('a-2020.xml', null), named('b.txt', null))).toEqual(['a-2020.xml']);
    expect(neededFor({ form: '10-K', filed: null }, [named('a.htm', '10-K')], ['form_values'])).toMatchObject({
      tables: [],
      documents: [],
    });
  });
});
