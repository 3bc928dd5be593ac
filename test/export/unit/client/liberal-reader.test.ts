import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../../../src/export/client/page-answers.ts';
import type { ReadNotes } from '../../../../src/export/client/read.ts';
import { readRecord } from '../../../../src/export/client/record-answers.ts';
import { entitySchema, filingInfoSchema, filingSchema } from '../../../../src/filings/api/index.ts';
import { accession, entity, filing, filingInfo, liberties, written } from '../../../support/client/records.ts';
import { runs } from '../../../support/property-runs.ts';

const readEntityPage = (body: unknown, told: ReadNotes) => readPage('entity_lookup', body, told);
const readFilingInfo = (body: unknown, asked: string, told: ReadNotes) =>
  readRecord('filing_info', body, { accession_number: asked }, told);
const readFilingPage = (body: unknown, told: ReadNotes) => readPage('filing_lookup', body, told);

function notes(): ReadNotes {
  return { unknownMembers: new Set(), violations: [], changed: false };
}

const FILING = {
  accession_number: '0000320193-24-000123',
  cik: '320193',
  form_type: '10-K',
  filing_date: '2024-11-01',
  acceptance_datetime: '2024-11-01T06:01:36',
  entity_name: 'SAMPLE CORP',
  report_date: '2024-09-28',
  size: 9_000_000,
  documents: [
    { document_id: '0000320193-24-000123-1', sequence: 1, filename: 'a.htm', description: null, type: '10-K' },
  ],
};

function readOne(record: object) {
  const told = notes();
  const page = readFilingPage({ count: 1, filings: [record], truncated: false }, told);
  return { filing: page.filings[0], ...told, received: page.received };
}

describe('the liberal reader', () => {
  it('uses records in the contract’s form unchanged, without a copy', () => {
    const record = structuredClone(FILING);
    expect(readOne(record).filing).toBe(record);
  });

  it('reads filings written with any liberties as the contract has them', () => {
    fc.assert(
      fc.property(fc.array(filing, { maxLength: 4 }), liberties, (filings, taken) => {
        const told = notes();
        const page = readFilingPage({ count: filings.length, filings: filings.map((f) => written(f, taken)) }, told);
        expect(page.filings).toEqual(filings);
        expect(told.violations).toEqual([]);
        for (const record of page.filings) expect(filingSchema.safeParse(record).success).toBe(true);
      }),
    );
  });

  it('reports that it changed something, unless the answer is the same to the letter', () => {
    fc.assert(
      fc.property(fc.array(filing, { maxLength: 4 }), liberties, fc.boolean(), (filings, taken, liberal) => {
        const told = notes();
        const records = liberal ? filings.map((f) => written(f, taken)) : structuredClone(filings);
        const body = { count: filings.length, filings: records, truncated: false };
        const page = readFilingPage(body, told);
        if (!told.changed) expect(page.filings).toEqual(records);
        if (!liberal) expect(told.changed).toBe(false);
      }),
    );
    const isChanged = (body: object): boolean => {
      const told = notes();
      readFilingPage(body, told);
      return told.changed;
    };
    expect(isChanged({ count: 1, filings: [FILING], truncated: false, response_bytes: 5 })).toBe(false);
    expect(isChanged({ count: 1, filings: [{ ...FILING, more: 1 }] })).toBe(true);
    expect(isChanged({ count: 1, Filings: [FILING] })).toBe(true);
    expect(isChanged({ count: 0, filings: null })).toBe(true);
    // What a service echoes isn't to be kept: it may be the key.
    expect(isChanged({ count: 1, filings: [FILING], request: { api_key: 'k' } })).toBe(true);
  });

  it('takes a text or a number as a revision, and anything else by that name as none', () => {
    const read = (revision: unknown) => readOne({ ...FILING, revision });
    for (const [given, expected] of [
      ['k3-', 'k3-'],
      [7, '7'],
      ['', null],
      [null, null],
      [{ of: 1 }, null],
      [true, null],
    ])
      expect([given, read(given).filing?.revision, read(given).violations]).toEqual([given, expected, []]);
    expect(readOne(FILING).filing).not.toHaveProperty('revision');
  });

  it('reads entities written with any liberties as the contract has them', () => {
    fc.assert(
      fc.property(entity, liberties, (record, taken) => {
        const page = readEntityPage({ count: 1, entities: [written(record, taken)], truncated: false }, notes());
        expect(page.entities).toEqual([record]);
        expect(entitySchema.safeParse(page.entities[0]).success).toBe(true);
      }),
    );
  });

  it('reads filing_info written with any liberties, and with filing and filer apart', () => {
    fc.assert(
      fc.property(filingInfo, liberties, fc.boolean(), (record, taken, apart) => {
        let body = written(record, taken) as Record<string, unknown>;
        if (apart) {
          const { cik, entity_name, entityName, documents, sections, ...own } = body;
          const name = entityName ?? entity_name;
          body = { documents, sections, filing: own, filer: { cik, name, sicCode: 1 } };
        }
        const read = readFilingInfo(body, record.accession_number, notes());
        expect(read).toEqual(record);
        expect(filingInfoSchema.safeParse(read).success).toBe(true);
      }),
    );
  });

  it('takes UTC times for what EDGAR said later, and anything else by these names as none', () => {
    const read = (checked_at: unknown) => {
      const told = notes();
      const record = fc.sample(filingInfo, 1)[0]!;
      const body = { ...record, checked_at };
      return [readFilingInfo(body, record.accession_number, told).checked_at, told.violations];
    };
    for (const given of ['2026-11-26T18:00:00Z', '2026-11-26T18:00:00.123Z']) expect(read(given)).toEqual([given, []]);
    for (const given of ['noon', '2026-11-26', '2026-02-31T18:00:00Z', '0000-01-01T00:00:00Z', 7, {}, null])
      expect(read(given)).toEqual([null, []]);
  });

  it('tells members that it does not know', () => {
    const { filing: read, unknownMembers } = readOne({ ...FILING, ticker: 'SMPL', score: 1 });
    expect(read).toEqual(FILING);
    expect([...unknownMembers]).toEqual(['filing.ticker', 'filing.score']);
  });

  it("prefers the contract's own spelling to an alias, unless it has no value", () => {
    expect(readOne({ ...FILING, formType: '8-K' }).filing!.form_type).toBe('10-K');
    expect(readOne({ ...FILING, form_type: '', formType: '8-K' }).filing!.form_type).toBe('8-K');
  });

  it.each([
    ['2024-11-01T06:01:36', '2024-11-01T06:01:36'],
    ['2024-11-01 06:01:36', '2024-11-01T06:01:36'],
    ['2024-11-01T06:01:36.000', '2024-11-01T06:01:36'],
    ['2024-11-01T06:01:36-04:00', '2024-11-01T06:01:36'],
    ['2024-11-01T10:01:36Z', '2024-11-01T06:01:36'],
    ['2024-12-01T02:30:00.000Z', '2024-11-30T21:30:00'],
  ])('reads the acceptance time %s as Eastern time', (given, expected) => {
    expect(readOne({ ...FILING, acceptance_datetime: given }).filing!.acceptance_datetime).toBe(expected);
  });

  it('reads counts as strings, a missing count as none, and truncated in several words', () => {
    const read = (envelope: object) => readFilingPage(envelope, notes());
    expect(read({ count: '12', filings: [], truncated: 'true' })).toMatchObject({ count: 12, truncated: true });
    expect(read({ filings: [] })).toMatchObject({ count: null, truncated: null, received: 0 });
    expect(read({ count: null, filings: null, truncated: 0 })).toMatchObject({ count: null, filings: [] });
    expect(read({ Count: 3, Filings: [FILING] })).toMatchObject({ count: 3, received: 1 });
  });

  it('gives back the zeros that numbers have lost', () => {
    const record = { cik: 320193, fiscalYearEnd: 930, sic: 3571, addresses: { business: { zip: 2110 } } };
    const { entities } = readEntityPage({ count: 1, entities: [record] }, notes());
    expect(entities[0]).toMatchObject({
      cik: '320193',
      fiscal_year_end: '0930',
      sic: '3571',
      addresses: { business: { zip: '02110', street1: null } },
    });
  });
});

describe('what breaks the contract', () => {
  it.each([
    ['size', 'large', 'filings[0].size'],
    ['size', 1.5, 'filings[0].size'],
    ['filing_date', '01/02/2024', 'filings[0].filing_date'],
    ['acceptance_datetime', 'noon', 'filings[0].acceptance_datetime'],
    ['cik', 'ABC', 'filings[0].cik'],
    ['entity_name', { first: 'A' }, 'filings[0].entity_name'],
    ['documents', 'none', 'filings[0].documents'],
    ['documents', [{ document_id: '0000320193-24-000123-1', sequence: 'one' }], 'filings[0].documents[0].sequence'],
  ])('is named with path and value: %s = %j', (member, value, path) => {
    const { filing: read, violations, received } = readOne({ ...FILING, [member]: value });
    expect(read).toBeUndefined();
    expect(received).toBe(1);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatchObject({ path, subject: FILING.accession_number });
  });

  it('does not include impossible days and times: no column holds them, and the rest of the record is fine', () => {
    for (const [member, value, expected] of [
      ['filing_date', '2024-02-31', '2024-02-31'],
      ['report_date', '2024-13-01 00:00', '2024-13-01'],
      ['acceptance_datetime', '2024-11-01T25:00:00Z', '2024-11-01T25:00:00'],
      ['acceptance_datetime', '2024-02-30 10:00:00', '2024-02-30T10:00:00'],
      ['acceptance_datetime', '2024-11-01T06:01:36+24:30', '2024-11-01T06:01:36+24:30'],
      ['acceptance_datetime', '0001-01-01T00:00:00+14:00', '0001-01-01T00:00:00+14:00'],
    ] as const) {
      const { filing: read, violations } = readOne({ ...FILING, [member]: value });
      expect(read).toEqual({ ...FILING, [member]: expected });
      expect(violations).toEqual([]);
    }
  });

  it('costs a list the broken record and no other', () => {
    const told = notes();
    const second = { ...FILING, accession_number: '0000320193-24-000124' };
    const page = readFilingPage({ count: 3, filings: [FILING, { ...FILING, accession_number: 'x' }, second] }, told);
    expect(page.filings.map((f) => f.accession_number)).toEqual([FILING.accession_number, second.accession_number]);
    expect(page.received).toBe(3);
    expect(told.violations).toEqual([{ path: 'filings[1].accession_number', value: 'x', subject: 'x' }]);
  });

  it('refuses an answer whose list is none', () => {
    expect(() => readFilingPage({ filings: 'none' }, notes())).toThrow(
      'filing_lookup answered filings = "none": not a list',
    );
    expect(() => readFilingPage(['x'], notes())).toThrow('not an object');
    expect(() => readFilingPage({ error: 'try again' }, notes())).toThrow('filings = nothing: missing');
  });

  it('refuses a single record with its path', () => {
    expect(() => readFilingInfo({ accession_number: 'x' }, 'x', notes())).toThrow(
      expect.objectContaining({ code: 'contract-broken', path: 'accession_number', value: 'x' }),
    );
  });

  it('never gets through: whatever is read is a filing of the contract', () => {
    const anything = fc.oneof(fc.anything(), fc.constant(''), fc.constant('2024-02-30'), accession);
    const record = fc.tuple(filing, fc.dictionary(fc.constantFrom(...Object.keys(FILING), 'form', 'foo'), anything));
    fc.assert(
      fc.property(record, ([good, changes]) => {
        const told = notes();
        const body: unknown = JSON.parse(JSON.stringify({ filings: [{ ...good, ...changes }] }) ?? '{}');
        const { filings } = readFilingPage(body, told);
        expect(filings.length + told.violations.length).toBe(1);
        for (const read of filings) expect(filingSchema.strict().safeParse(read).success).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
