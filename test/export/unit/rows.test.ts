import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledRevision, isSameContent, mergedRecord, revisionOf } from '../../../src/export/revisions/index.ts';
import type { Entity, Filing, FilingInfo } from '../../../src/filings/api/index.ts';
import { type RowsResult, rowsOf, TABLES } from '../../../src/lake/tables/index.ts';
import { entity, filing, filingInfo } from '../../support/client/records.ts';

const ACCESSION = '0000320193-24-000123';

const FILING: Filing = {
  accession_number: ACCESSION,
  cik: '320193',
  form_type: '8-K',
  filing_date: '2024-11-01',
  acceptance_datetime: '2024-11-01T06:01:36',
  entity_name: 'SAMPLE CORP',
  report_date: null,
  size: 9_000_000_000,
  documents: [{ document_id: `${ACCESSION}-1`, sequence: 1, filename: 'a.htm', description: null, type: '8-K' }],
};

const INFO: FilingInfo = {
  accession_number: ACCESSION,
  cik: '320193',
  entity_name: 'SAMPLE CORP',
  form_type: '8-K',
  filing_date: '2024-11-01',
  acceptance_datetime: null,
  report_date: null,
  documents: [
    { document_id: `${ACCESSION}-1`, sequence: 1, filename: 'a.htm', description: null, type: '8-K', size: 12 },
  ],
  sections: [],
  items_8k: [
    { item: '2.02', title: 'Results', exhibits: [] },
    {
      item: '9.01',
      title: 'Exhibits',
      named_in: 'header',
      exhibits: [{ exhibit: '99.1', description: 'Release', document_id: `${ACCESSION}-2` }],
    },
    {
      item: '9.01',
      title: 'Exhibits',
      named_in: 'body',
      exhibits: [{ exhibit: '99.2', description: null, document_id: null }],
    },
  ],
  parties: [],
};

const NO_REFERENCE = { reference_exhibit: null, reference_pages: null, reference_heading: null };

/** Columns that no record states: a run writes them. */
const OF_RUNS: ReadonlySet<string> = new Set(['removed_at', 'fetched_at']);

/** Every row has the columns of its table and no other, a value in each of the key, and no key twice. */
function expectFits({ rows }: RowsResult): void {
  for (const [name, list] of Object.entries(rows)) {
    const table = TABLES.find((definition) => definition.name === name)!;
    for (const row of list) {
      const stated = table.columns.filter(({ name, computed }) => computed === undefined && !OF_RUNS.has(name));
      expect(Object.keys(row).sort()).toEqual(stated.map((column) => column.name).sort());
      for (const column of table.key) expect(row[column]).not.toBeNull();
    }
    const keys = list.map((row) => table.key.map((column) => row[column]).join(' '));
    expect(new Set(keys).size).toBe(keys.length);
  }
}

describe('rows', () => {
  it('of a filing are its own and those of its documents', () => {
    const { rows, violations } = rowsOf('lookup', FILING);
    const { documents: _documents, ...own } = FILING;
    expect(rows.filings).toEqual([own]);
    expect(rows.documents).toEqual([{ ...FILING.documents[0], accession_number: ACCESSION, size: null }]);
    expect(violations).toEqual([]);
  });

  it('of filing_info have sizes, and one item with the exhibits of both if it is named twice', () => {
    const { rows, violations } = rowsOf('info', INFO);
    expect(rows.documents![0]).toMatchObject({ size: 12 });
    expect(rows.items_8k).toEqual([
      {
        accession_number: ACCESSION,
        item: '2.02',
        title: 'Results',
        named_in: null,
        start_index: null,
        end_index: null,
      },
      {
        accession_number: ACCESSION,
        item: '9.01',
        title: 'Exhibits',
        named_in: 'both',
        start_index: null,
        end_index: null,
      },
    ]);
    expect(rows.exhibits_8k).toEqual([
      {
        accession_number: ACCESSION,
        item: '9.01',
        position: 0,
        exhibit: '99.1',
        description: 'Release',
        document_id: `${ACCESSION}-2`,
      },
      { accession_number: ACCESSION, item: '9.01', position: 1, exhibit: '99.2', description: null, document_id: null },
    ]);
    expect(violations).toEqual([]);
  });

  it('of sections have their text beside their HTML', () => {
    const sections = [{ section: '1A', title: 'Risk Factors', heading: 'Item 1A.', html: '<p>Risk</p>' }];
    const { rows } = rowsOf('sections', {
      accession_number: ACCESSION,
      sections: sections.map((section) => ({ ...section, text: 'Risk' })),
    });
    const unknown = {
      document_id: null,
      by_reference: null,
      kind: null,
      source: null,
      substance_start: null,
      substance_end: null,
      ...NO_REFERENCE,
    };
    expect(rows.section_contents).toEqual([{ accession_number: ACCESSION, ...sections[0], text: 'Risk', ...unknown }]);
  });

  it('of sections state their document, and what they refer to in place of their text', () => {
    const index = { section: '7', title: null, heading: null, start_index: 0, end_index: 9 };
    const document_id = `${ACCESSION}-1`;
    const reference = { exhibit: '13', pages: '32-43', heading: null };
    const of = (place: object) => rowsOf('info', { ...INFO, sections: [{ ...index, ...place }] }).rows.sections![0];
    expect(of({ document_id, by_reference: reference, kind: 'pointer_exhibit' })).toMatchObject({
      document_id,
      by_reference: true,
      kind: 'pointer_exhibit',
      reference_exhibit: '13',
      reference_pages: '32-43',
      reference_heading: null,
    });
    expect(of({ document_id, by_reference: null })).toMatchObject({
      document_id,
      by_reference: false,
      ...NO_REFERENCE,
    });
    expect(of({ document_id })).toMatchObject({ document_id, by_reference: false });
    expect(of({})).toMatchObject({ document_id: null, by_reference: null, ...NO_REFERENCE });
  });

  it('of a document hold text, JSON text or bytes', () => {
    const document = {
      document_id: `${ACCESSION}-1`,
      accession_number: ACCESSION,
      sequence: 1,
      type: null,
      filename: null,
      description: null,
      content_type: 'x/y',
      size: 3,
      sha256: 'ab',
    };
    const row = (encoding: 'utf-8' | 'base64' | 'json', content: unknown) =>
      rowsOf('document', { ...document, encoding, content }).rows.document_contents![0];
    expect(row('utf-8', 'abc')).toMatchObject({ content: 'abc', bytes: null });
    expect(row('json', { a: '1' })).toMatchObject({ content: '{"a":"1"}', bytes: null });
    expect(row('json', 'text')).toMatchObject({ content: '"text"' });
    expect(row('base64', 'YWJj')).toMatchObject({ content: null, bytes: 'YWJj', encoding: 'base64' });
    expect(rowsOf('document', { ...document, encoding: 'utf-8', content: { a: 1 } }).violations).toEqual([
      { path: 'content', value: 'no text: object' },
    ]);
    expectFits(rowsOf('document', { ...document, encoding: 'utf-8', content: '' }));
  });

  it('of an entity set ticker and exchange side by side', () => {
    const record: Entity = {
      cik: '1',
      name: 'A',
      tickers: ['AA', 'AB', 'AC'],
      exchanges: ['NYSE', ''],
      sic: null,
      sic_description: null,
      state_of_incorporation: null,
      fiscal_year_end: null,
      entity_type: 'OTHER',
      category: null,
      addresses: { business: { street1: '1 St', street2: null, city: null, state: null, zip: null } },
    };
    const { rows } = rowsOf('entity', record);
    expect(rows.entity_tickers).toEqual([
      { cik: '1', position: 0, ticker: 'AA', exchange: 'NYSE' },
      { cik: '1', position: 1, ticker: 'AB', exchange: '' },
      { cik: '1', position: 2, ticker: 'AC', exchange: null },
    ]);
    const pairs = (tickers: string[], exchanges: string[]) =>
      rowsOf('entity', { ...record, tickers, exchanges }).rows.entity_tickers!.map((row) => [
        row.position,
        row.ticker,
        row.exchange,
      ]);
    expect(pairs(['AA'], ['NYSE', 'NASDAQ', 'NYSE'])).toEqual([
      [0, 'AA', 'NYSE'],
      [1, null, 'NASDAQ'],
      [2, null, 'NYSE'],
    ]);
    expect(pairs([], ['OTC'])).toEqual([[0, null, 'OTC']]);
    expect(pairs(['AA', 'AA'], [])).toEqual([
      [0, 'AA', null],
      [1, 'AA', null],
    ]);
    expect(pairs([], [])).toEqual([]);
    expect(rows.entity_addresses).toMatchObject([{ cik: '1', kind: 'business', street1: '1 St' }]);
  });

  it('of an entity say all tickers and exchanges that it was given, in their order', () => {
    fc.assert(
      fc.property(entity, (record) => {
        const rows = rowsOf('entity', record).rows.entity_tickers ?? [];
        const said = (name: string) => rows.map((row) => row[name]).filter((value) => value !== null);
        expect(said('ticker')).toEqual(record.tickers);
        expect(said('exchange')).toEqual(record.exchanges);
        expect(rows.map((row) => row.position)).toEqual(rows.map((_, i) => i));
      }),
    );
  });

  it('of any record fit their tables', () => {
    fc.assert(
      fc.property(filing, filingInfo, entity, (aFiling, info, anEntity) => {
        expectFits(rowsOf('lookup', aFiling));
        expectFits(rowsOf('info', info));
        expectFits(rowsOf('entity', anEntity));
      }),
    );
  });
});

describe('a value that its column cannot hold', () => {
  it.each<[Partial<Filing>, string]>([
    [{ filing_date: '2024-02-31' }, 'filing_date'],
    [{ report_date: 'soon' }, 'report_date'],
    [{ acceptance_datetime: '2024-02-01T24:00:00' }, 'acceptance_datetime'],
    [{ size: 2 ** 53 }, 'size'],
  ])('is reported, and its row has null: %j', (change, path) => {
    const { rows, violations } = rowsOf('lookup', { ...FILING, ...change });
    expect(rows.filings).toEqual([{ ...rowsOf('lookup', FILING).rows.filings![0]!, [path]: null }]);
    expect(rows.documents).toHaveLength(1);
    expect(violations).toEqual([{ path, value: Object.values(change)[0] }]);
  });

  it('such as a sequence beyond 31 bits, and a document or section named twice', () => {
    const [document] = INFO.documents;
    const section = { section: '1', title: null, heading: null, start_index: 0, end_index: 1 };
    const { rows, violations } = rowsOf('info', {
      ...INFO,
      documents: [document!, document!, { ...document!, document_id: `${ACCESSION}-2`, sequence: 2 ** 31 }],
      sections: [section, section],
    });
    expect(rows.documents!.map(({ sequence }) => sequence)).toEqual([document!.sequence, null]);
    expect(rows.sections).toHaveLength(1);
    expect(violations).toEqual([
      { path: 'documents[1]', value: `a second row for ${ACCESSION}-1` },
      { path: 'documents[2].sequence', value: 2 ** 31 },
      { path: 'sections[1]', value: 'a second row for 1' },
    ]);
  });
});

describe('the revision of a filing', () => {
  it('is the same for the same content, whatever the order of members and documents', () => {
    const { accession_number, ...rest } = FILING;
    expect(revisionOf({ ...rest, accession_number })).toBe(revisionOf(FILING));
    expect(revisionOf(FILING)).toMatch(/^([0-9a-f]{8})?\.([0-9a-f]{8})?\.([0-9a-f]{8})?$/);
    const [one] = FILING.documents;
    const both = [one!, { ...one!, document_id: 'another', sequence: one!.sequence + 1 }];
    expect(revisionOf({ ...FILING, documents: both })).toBe(revisionOf({ ...FILING, documents: both.toReversed() }));
  });

  it('does not depend on names, sizes, dates, or how documents are described', () => {
    const [one] = FILING.documents;
    for (const over of [
      { size: 1 },
      { entity_name: 'ANOTHER' },
      { report_date: '2024-10-01' },
      { filing_date: '2024-10-01' },
      { cik: '1' },
      {
        documents: [
          { ...one!, size: 5, description: 'x', type: 'EX-1', filename: 'x.htm' },
          ...FILING.documents.slice(1),
        ],
      },
    ])
      expect(revisionOf({ ...FILING, ...over })).toBe(revisionOf(FILING));
  });

  it('is another one for another form, another acceptance time, and other documents', () => {
    const [one] = FILING.documents;
    const revisions = [
      FILING,
      { ...FILING, form_type: '8-K/A' },
      { ...FILING, acceptance_datetime: '1999-01-01T00:00:00' },
      { ...FILING, documents: [{ ...one!, document_id: 'another' }] },
      { ...FILING, documents: [...FILING.documents, { ...one!, document_id: 'another' }] },
    ].map(revisionOf);
    expect(new Set(revisions).size).toBe(revisions.length);
    for (const revision of revisions.slice(1)) expect(isSameContent(revision, revisions[0]!)).toBe(false);
  });

  it('has the same content if a service states less, or begins to state more', () => {
    const stated = { ...FILING, acceptance_datetime: '1999-01-01T00:00:00', form_type: '8-K' };
    for (const over of [{ form_type: null }, { acceptance_datetime: null }, { documents: [] }]) {
      const less = revisionOf({ ...stated, ...over });
      expect(isSameContent(less, revisionOf(stated))).toBe(true);
      expect(filledRevision(less, revisionOf(stated))).toBe(revisionOf(stated));
    }
    // Revisions of lakes made before there were members.
    expect(isSameContent('0123456789abcdef', revisionOf(stated))).toBe(true);
    expect(filledRevision(revisionOf(stated), '0123456789abcdef')).toBe(revisionOf(stated));
  });

  it('is another one if the service says so, and the same if one of two services does not say', () => {
    const [first, second] = ['k3Jd92_x-0', 'k3Jd92_x-1'].map((revision) => revisionOf({ ...FILING, revision }));
    const without = revisionOf(FILING);
    expect(isSameContent(first!, second!)).toBe(false);
    for (const none of [without, revisionOf({ ...FILING, revision: null })]) {
      expect(isSameContent(none, first!)).toBe(true);
      expect(filledRevision(none, first!)).toBe(first);
    }
    expect(filledRevision(second!, without)).toBe(second);
    expect(filledRevision(without, without)).toBe(without);
    const other = revisionOf({ ...FILING, form_type: '8-K/A', revision: 'k3Jd92_x-0' });
    expect(isSameContent(other, first!)).toBe(false);
  });

  it('is the same for two records whose form, time and documents are the same, and for no others', () => {
    const content = ({ form_type, acceptance_datetime, documents }: Filing) =>
      JSON.stringify([form_type, acceptance_datetime, documents.map(({ document_id }) => document_id)]);
    fc.assert(
      fc.property(filing, filing, (a, b) => {
        expect(revisionOf(a) === revisionOf(b)).toBe(content(a) === content(b));
      }),
    );
  });
});

describe('a record that states less than the rows of the lake, or spells differently', () => {
  const stored: Filing = { ...FILING, entity_name: 'Größe AG', size: 5, report_date: '2024-10-01' };

  it('changes nothing', () => {
    const less = { ...stored, entity_name: 'GRÖSSE, AG.', size: null, report_date: null, documents: [] };
    expect(mergedRecord({ ...less, entity_name: 'GRÖßE AG' }, stored)).toEqual(stored);
    expect(mergedRecord({ ...less, entity_name: null }, stored)).toEqual(stored);
  });

  it('gives its own values if they differ', () => {
    expect(mergedRecord({ ...stored, entity_name: 'B', size: 6 }, stored)).toEqual({
      ...stored,
      entity_name: 'B',
      size: 6,
    });
  });
});
