import { describe, expect, it } from 'vitest';
import {
  EdgarFileError,
  factsOfJson,
  readSubmissionsJson,
  readTickersJson,
} from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles, realSubmission } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const columns = { accessionNumber: ['0000000001-24-000001'], filingDate: ['2024-01-31'], form: ['8-K'] };

describe('submissions JSON', () => {
  it('gives null if a member is missing, empty or null', () => {
    expect(readSubmissionsJson(json({ cik: 1, name: '', sic: null, filings: { recent: columns } }))).toEqual({
      entity: {
        cik: '1',
        name: null,
        tickers: [],
        exchanges: [],
        sic: null,
        sic_description: null,
        state_of_incorporation: null,
        fiscal_year_end: null,
        entity_type: null,
        category: null,
        addresses: {},
        ein: null,
        phone: null,
        former_names: [],
      },
      filings: [
        {
          accessionNumber: '0000000001-24-000001',
          formType: '8-K',
          filingDate: '2024-01-31',
          reportDate: null,
          acceptanceAsGiven: null,
          act: null,
          fileNumber: null,
          filmNumber: null,
          items: [],
          size: null,
          isXbrl: false,
          isInlineXbrl: false,
          primaryDocument: null,
          primaryDocumentDescription: null,
        },
      ],
      olderPages: [],
    });
  });

  it('keeps tickers and exchanges side by side', () => {
    const entity = { cik: '1', tickers: ['A', 'B', 'C'], exchanges: ['Nasdaq', null], entityType: 'investment' };
    expect(readSubmissionsJson(json({ ...entity, filings: { recent: columns } })).entity).toMatchObject({
      tickers: ['A', 'B', 'C'],
      exchanges: ['NASDAQ', '', ''],
      entity_type: 'INVESTMENT',
    });
  });

  it.each([
    ['{', 'Expected'],
    ['[]', 'the file'],
    ['{}', 'cik'],
    [JSON.stringify({ ...columns, form: [] }), 'form has 0 values, accessionNumber 1'],
    [JSON.stringify({ ...columns, size: [1, 2] }), 'size has 2 values, accessionNumber 1'],
    [JSON.stringify({ ...columns, accessionNumber: ['1'] }), "accessionNumber.0: '1' is none"],
    [JSON.stringify({ ...columns, filingDate: ['x'] }), "filingDate.0: 'x' is not a date"],
    [JSON.stringify({ cik: 'x', filings: { recent: columns } }), "'x' is not a CIK"],
  ])('refuses %s with the reason', (text, reason) => {
    expect(() => readSubmissionsJson(Buffer.from(text))).toThrow(EdgarFileError);
    expect(() => readSubmissionsJson(Buffer.from(text))).toThrow(reason);
  });
});

describe('tickers JSON', () => {
  it('is read in either of SEC’s two shapes, columns by their names', () => {
    expect(readTickersJson(json({ 0: { cik_str: 1, ticker: 'A', title: 'ONE' } }))).toEqual([
      { cik: '1', name: 'ONE', ticker: 'A', exchange: null },
    ]);
    const table = {
      fields: ['ticker', 'exchange', 'cik', 'name'],
      data: [
        ['A', 'Nasdaq', 1, 'ONE'],
        ['B', null, 2, 'TWO'],
      ],
    };
    expect(readTickersJson(json(table))).toEqual([
      { cik: '1', name: 'ONE', ticker: 'A', exchange: 'NASDAQ' },
      { cik: '2', name: 'TWO', ticker: 'B', exchange: null },
    ]);
  });

  it('is refused with the row that is wrong', () => {
    const table = {
      fields: ['cik', 'name', 'ticker', 'exchange'],
      data: [
        [1, 'ONE', 'A', 'NYSE'],
        [2, 'TWO', 7, 'NYSE'],
      ],
    };
    expect(() => readTickersJson(json(table))).toThrow('row 1: ticker');
    expect(() => readTickersJson(json({ fields: 'x' }))).toThrow(EdgarFileError);
    expect(() => readTickersJson(Buffer.from('<html>'))).toThrow(EdgarFileError);
  });
});

describe.skipIf(!sharedFolder)('real JSON files', () => {
  const names = sharedFolder ? [...realFiles('json'), ...realFiles('json/jadchaar-2024')] : [];
  const pages = names.filter((name) => /CIK\d+/.test(name));

  it.each(pages)('%s is read whole', (name) => {
    const raw = JSON.parse(realFile(name).toString());
    const recent = raw.filings?.recent ?? raw;
    const read = readSubmissionsJson(realFile(name));
    expect(read.filings.map((filing) => filing.accessionNumber)).toEqual(recent.accessionNumber);
    expect(read.filings.map((filing) => filing.items)).toEqual(
      recent.items.map((items: string) => items.split(',').filter(Boolean)),
    );
    expect(read.filings.map((filing) => filing.size)).toEqual(recent.size);
    expect(read.entity?.name ?? null).toBe(raw.name ?? null);
    expect(read.entity?.tickers ?? []).toEqual(raw.tickers ?? []);
    expect(read.olderPages).toEqual(raw.filings?.files ?? []);
  });

  it('52: an older page has the columns at its top, and no entity', () => {
    const older = readSubmissionsJson(realFile('json/CIK0001318605-submissions-001.json'));
    expect(older.entity).toBeNull();
    expect(older.filings).toHaveLength(720);
  });

  it('51, 52: give the items and the size of a filing; its time is unchanged, since it can’t be trusted', () => {
    const { entity, filings } = readSubmissionsJson(realFile('json/CIK0000320193.json'));
    expect(entity).toMatchObject({
      cik: '320193',
      exchanges: ['NASDAQ'],
      entity_type: 'OPERATING',
      category: 'Large accelerated filer',
      addresses: { business: { street1: 'ONE APPLE PARK WAY', street2: null, state: 'CA' } },
    });
    const filing = filings.find((each) => each.accessionNumber === '0000320193-24-000005')!;
    expect(filing).toMatchObject({
      formType: '8-K',
      items: ['2.02', '9.01'],
      acceptanceAsGiven: '2024-02-01T16:30:30.000Z',
    });
    const submission = realSubmission('0000320193-24-000005');
    expect([filing.size, filing.filingDate]).toEqual([submission.size, submission.filingDate]);
  });

  it('52: the size is that of the submission file, wherever both are at hand', () => {
    const sizes = new Map(
      pages.flatMap((name) =>
        readSubmissionsJson(realFile(name)).filings.map((each) => [each.accessionNumber as string, each.size]),
      ),
    );
    const common = realFiles('full-submissions').flatMap((path) => {
      const size = sizes.get(path.slice('full-submissions/'.length).replace(/\..*$/, ''));
      return size === undefined ? [] : [[size, realFile(path).length]];
    });
    expect(common.length).toBe(37);
    for (const [given, counted] of common) expect(counted).toBe(given);
  });

  it('an address without anything in it is none', () => {
    const person = readSubmissionsJson(realFile('json/CIK0001771340.json')).entity!;
    expect(Object.keys(person.addresses)).toEqual(['mailing']);
    expect(person.entity_type).toBe('OTHER');
  });

  it('tickers of both files', () => {
    const plain = readTickersJson(realFile('json/company_tickers.json.gz'));
    const listed = readTickersJson(realFile('json/company_tickers_exchange.json.gz'));
    expect([plain.length, listed.length]).toEqual([9610, 10069]);
    expect(new Set(plain.map((row) => row.exchange))).toEqual(new Set([null]));
    expect(new Set(listed.map((row) => row.exchange))).toEqual(new Set(['NASDAQ', 'NYSE', 'OTC', 'CBOE', null]));
    expect(listed).toContainEqual({ cik: '320193', name: 'Apple Inc.', ticker: 'AAPL', exchange: 'NASDAQ' });
  });
});

describe('a filing of SEC’s list, without its header', () => {
  const facts = (formType: string) => {
    const list = { ...columns, form: [formType], primaryDocument: ['main.htm'] };
    const { filings } = readSubmissionsJson(json({ cik: 7, filings: { recent: list } }));
    return factsOfJson({ filings }, { cik: '7', name: 'SEVEN SEAS INC' });
  };

  it.each(['10-K', '424B5', '497', '485BPOS', '40-F', '305B2', '13F-HR', 'DEF 14A', 'POS AM'])(
    '%s: its filer is known',
    (form) => {
      expect(facts(form)).toMatchObject([{ formType: form, mainDocument: 'main.htm' }]);
    },
  );

  it.each([
    '3',
    '4',
    '4/A',
    '5',
    '144',
    '144/A',
    'SC 13D/A',
    'SCHEDULE 13G',
    'SC 14D9',
    'SC TO-T',
    '425',
    'DFAN14A',
    'PREN14A',
    'PX14A6G',
  ])('%s: only its header says who filed it, and about whom', (form) => {
    expect(facts(form)).toEqual([]);
  });
});
