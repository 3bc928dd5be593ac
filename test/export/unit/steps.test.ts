import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import { primaryDocument } from '../../../src/export/selectors/document-choice.ts';
import { chosenDocuments, documentRequest } from '../../../src/export/selectors/index.ts';
import {
  type CoveredStep,
  filingSelector,
  infoSelector,
  joinedSelector,
  pendingSteps,
  selectorCovers,
} from '../../../src/export/steps/index.ts';
import { stepsFor } from '../../../src/export/steps/steps.ts';
import type { DocumentReference, Filing, FilingInfo } from '../../../src/filings/api/index.ts';

const ACCESSION = '0000320193-24-000123';

function document(
  sequence: number,
  type: string | null,
  filename: string | null = `d${sequence}.htm`,
  description: string | null = null,
): DocumentReference {
  return { document_id: `${ACCESSION}-${sequence}`, sequence, type, filename, description };
}

const DOCUMENTS = [
  document(2, 'EX-21.1'),
  document(1, '10-K', 'main.htm'),
  document(3, 'EX-99.1', 'release.htm'),
  document(4, 'GRAPHIC', 'logo.jpg'),
  document(5, 'EX-101.INS', 'data.xml'),
  document(6, 'ZIP', 'xbrl.zip'),
  document(7, 'XML', 'R1.htm', 'IDEA: XBRL DOCUMENT'),
];

function filing(form_type: string | null, documents = DOCUMENTS): Filing {
  return {
    accession_number: ACCESSION,
    cik: '320193',
    form_type,
    filing_date: '2024-11-01',
    acceptance_datetime: null,
    entity_name: null,
    report_date: null,
    size: null,
    documents,
  };
}

function definition(tables: string, documents = ''): ExportDefinition {
  const yaml = `select: {}\ntables: [${tables}]\n${documents}`;
  return parseExportDefinition(yaml, 'x.yaml', { FILINGLAKE_BASE_URL: 'http://h' }).definition;
}

function steps(tables: string, form: string | null, documents = ''): string[] {
  return stepsFor(definition(tables, documents), filing(form)).map(({ step }) => step);
}

describe('the steps that a filing needs', () => {
  it('name the documents of a form in their order in the filing, however they are listed', () => {
    const listed = [3, 1, 2].map((n) => document(n, n === 1 ? '13F-HR' : 'INFORMATION TABLE', `${n}.xml`));
    const [step] = stepsFor(definition('f13'), filing('13F-HR', listed)).filter(({ step: name }) => name === 'forms');
    expect(step).toMatchObject({ documents: [1, 2, 3].map((n) => ({ document_id: `${ACCESSION}-${n}` })) });
  });

  it.each<[string, string, string | null, string[]]>([
    ['nothing for what the lookup brings', 'filings, entities', '10-K', []],
    ['info for sizes of documents', 'documents', '4', ['info']],
    ['info for parties', 'parties', '4', ['info']],
    ['info for sections of a 10-K', 'sections', '10-K405/A', ['info']],
    ['no info for sections of another form', 'sections, section_contents', '8-K', []],
    ['info for items of an 8-K', 'items_8k', '8-K/A', ['info']],
    ['no info for items of another form', 'items_8k, exhibits_8k', '10-K', []],
    ['sections of a 10-Q', 'section_contents', '10-Q', ['sections']],
    ['info where the form is not known', 'items_8k', null, ['info']],
    ['info alone for sections of a 20-F: it says whether the service has some', 'section_contents', '20-F/A', ['info']],
    ['nothing more for a 20-F without sections', 'document_contents', '20-F', [`document:${ACCESSION}-1`]],
    ['the main document', 'document_contents', '10-K', [`document:${ACCESSION}-1`]],
    [
      'the cheap step first',
      'document_contents, sections, section_contents',
      '10-K',
      ['info', 'sections', `document:${ACCESSION}-1`],
    ],
  ])('are %s', (_name, tables, form, expected) => {
    expect(steps(tables, form)).toEqual(expected);
  });

  it.each(['10-K', null])('delete a document that a changed filing lists no more (form %s)', (form) => {
    const wanted = definition('filings, document_contents', 'documents: { types: [exhibits] }');
    const covered = new Map<string, CoveredStep>();
    const before = pendingSteps(wanted, filing(form), covered);
    for (const { step, selector } of before.steps)
      covered.set(step, { selector, revision: before.revision, status: 'done' });
    const list = DOCUMENTS.filter(({ sequence }) => sequence !== 3);
    const { steps } = pendingSteps(wanted, filing(form, list), covered);
    expect(steps.filter((step) => 'gone' in step)).toEqual([
      { step: `document:${ACCESSION}-3`, selector: 'raw', gone: true },
    ]);
  });

  it('ask filing_info once in a run about a failed document that another export wanted', () => {
    const wanted = definition('filings, document_contents', 'documents: { types: [EX-99*] }');
    const unnamed = filing('10-K', []);
    const covered = new Map<string, CoveredStep>();
    const { revision, steps } = pendingSteps(wanted, unnamed, covered);
    for (const { step, selector } of steps) covered.set(step, { selector, revision, status: 'done' });
    covered.set(`document:${ACCESSION}-1`, { selector: 'raw', revision, status: 'failed' });
    const pending = () => pendingSteps(wanted, unnamed, covered).steps.map(({ step }) => step);
    expect(pending()).toEqual(['info']);
    covered.set('info', { ...covered.get('info')!, isOwn: true });
    expect(pending()).toEqual([]);
  });

  it('leave info out if sizes are not wanted', () => {
    expect(steps('documents', '4', 'documents: { sizes: false }')).toEqual([]);
  });

  it('say which section labels to ask for', () => {
    expect(stepsFor(definition('section_contents'), filing('10QSB'))).toEqual([
      { step: 'sections', selector: '10-Q', form_type: '10-Q' },
    ]);
  });

  it.each<[string, Partial<FilingInfo>, object]>([
    [
      'are requested of a 20-F whose list has some',
      { sections: [{}] as FilingInfo['sections'] },
      { form_type: '20-F' },
    ],
    [
      'are requested of a 20-F whose list could not be read',
      { sections: [], not_read: [{ part: 'sections', document_id: null, reason: '' }] },
      { form_type: '20-F' },
    ],
    ['are said to be absent of a 20-F whose list is empty', { sections: [] }, { gone: true }],
  ])('sections %s', (_name, info, how) => {
    const steps = stepsFor(definition('section_contents'), filing('20FR12B'), {
      documents: [],
      ...info,
    } as unknown as FilingInfo);
    expect(steps.slice(1)).toEqual([{ step: 'sections', selector: '20-F', ...how }]);
  });

  it('begin with info if the lookup names no documents, and continue with those that it names', () => {
    const wanted = definition('document_contents');
    const bare = filing('10-K', []);
    expect(stepsFor(wanted, bare).map(({ step }) => step)).toEqual(['info']);
    const info = { form_type: '10-K', documents: DOCUMENTS } as unknown as FilingInfo;
    expect(stepsFor(wanted, bare, info).map(({ step }) => step)).toEqual(['info', `document:${ACCESSION}-1`]);
  });
});

describe('the documents whose content is wanted', () => {
  const chosen = (types: string[], graphics = false) =>
    chosenDocuments({ types, xml: 'json', graphics, sizes: false }, DOCUMENTS, '10-K').map(({ sequence }) => sequence);

  it.each<[string[], boolean, number[]]>([
    [['primary'], false, [1]],
    [['exhibits'], false, [2, 3, 5]],
    [['primary', 'ex-99*'], false, [1, 3]],
    [['EX-21.1'], false, [2]],
    [['all'], false, [1, 2, 3, 5, 7]],
    [['all'], true, [1, 2, 3, 4, 5, 6, 7]],
    [['XML'], false, [7]],
    [['GRAPHIC'], true, [4]],
  ])('for %j with graphics %s are %j', (types, graphics, expected) => {
    expect(chosen(types, graphics)).toEqual(expected);
  });

  it('have as main document the first of the form, else the first', () => {
    const sequence = (documents: DocumentReference[], form: string | null) =>
      primaryDocument(documents, form)?.sequence ?? null;
    expect(sequence([document(1, 'COVER'), document(2, '8-K')], '8-K')).toBe(2);
    expect(sequence([document(1, 'COVER'), document(2, '10-K')], '10-K/A')).toBe(2);
    expect(sequence([document(1, 'COVER'), document(2, '10-KSB')], '10KSB')).toBe(2);
    expect(sequence([document(3, 'LETTER'), document(2, null)], 'UPLOAD')).toBe(2);
    expect(sequence([], '8-K')).toBeNull();
  });

  it('have a main document even if it is a graphic', () => {
    const only = [document(1, 'GRAPHIC', 'scan.jpg')];
    expect(chosenDocuments({ types: ['primary'], xml: 'json', graphics: false, sizes: false }, only, '40-F')).toEqual(
      only,
    );
  });

  it('are requested as JSON only if the file is named XML', () => {
    const as = (filename: string | null, xml: 'json' | 'raw' = 'json', type = 'X') =>
      documentRequest({ types: ['all'], xml, graphics: true, sizes: false }, document(1, type, filename)).output_format;
    expect([as('form4.xml'), as('inline-xbrl.htm'), as(null), as('form4.xml', 'raw')]).toEqual([
      'json',
      'raw',
      'raw',
      'raw',
    ]);
    // Without a name its type tells.
    expect([as(null, 'json', 'EX-101.INS'), as('r.htm', 'json', 'EX-101.INS'), as(null, 'json', 'EX-10.1')]).toEqual([
      'json',
      'raw',
      'raw',
    ]);
  });
});

describe('what coverage remembers', () => {
  it('are the tables that were written', () => {
    const wanted = definition('documents, parties, sections, section_contents');
    expect(filingSelector(wanted, { documents: false })).toBe('documents,filings');
    expect(filingSelector(wanted, { documents: true })).toBe('filings');
    expect(infoSelector(wanted, filing('10-K'))).toBe('documents,parties,sections');
  });

  it('include the chosen documents, if the lookup names none', () => {
    const wanted = definition('parties, document_contents', 'documents: { types: [primary, EX-99*], graphics: true }');
    expect(infoSelector(wanted, filing('10-K'))).toBe('parties');
    expect(infoSelector(wanted, filing('10-K', []))).toBe(
      'parties,contents:primary+json,contents:EX-99*+json+graphics',
    );
  });

  it('covers what it names, and no more', () => {
    expect(selectorCovers('documents,parties', 'parties')).toBe(true);
    expect(selectorCovers('parties', 'documents,parties')).toBe(false);
    expect(selectorCovers('raw', 'json')).toBe(false);
    expect(selectorCovers('', '')).toBe(true);
  });

  it('grows with later requests', () => {
    expect(joinedSelector('parties', 'documents,sections')).toBe('documents,parties,sections');
    expect(joinedSelector(null, '10-K')).toBe('10-K');
  });
});
