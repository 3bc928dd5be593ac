import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Entity,
  type EntityFilter,
  type EntityLookupParameters,
  type Filing,
  type FilingLookupParameters,
  normalTicker,
  SORT_FIELDS,
} from '../../../../src/filings/api/index.ts';
import { Catalog, type FilingsPage, ingest } from '../../../../src/service/catalog/index.ts';
import { filingsOf } from '../../../support/catalog/filings-page.ts';
import {
  type MadeUpSubmission,
  submissionsJsonOf,
  temporaryFolder,
  tickersJsonOf,
  txtOf,
  writeFiles,
} from '../../../support/catalog/synthetic-filings.ts';
import { runs } from '../../../support/property-runs.ts';

const FORMS = ['10-K', '10-K/A', '10-Q', '8-K', '8-K/A', '4', 'n-csr', 'SC 13G'];
const NAMES = [
  'Alpha Mills',
  'ALPHA MILLS HOLDINGS',
  'Beta Æther Co',
  'Ångström Ltd',
  'Zeta /DE/',
  'Straße & Söhne',
  'beta corp',
  'Éclair SA',
];
const STATES = ['DE', 'CA', 'X0', ''];
const SICS = ['3571', '6722', '2834', ''];

/** Small worlds make ties: few dates, few acceptance times, few sizes. */
function world(): MadeUpSubmission[] {
  let seed = 7;
  const pick = <T>(values: readonly T[]): T => {
    seed = (seed * 48271) % 2147483647;
    return values[seed % values.length]!;
  };
  return Array.from({ length: 240 }, (_, i) => {
    const date = `${pick([2012, 2019, 2020])}-0${pick([1, 2])}-0${pick([1, 2])}`;
    const form = pick(FORMS);
    const party = () => {
      const cik = pick([1, 2, 3, 4, 5, 6, 7, 8]);
      return {
        cik: String(cik),
        name: NAMES[cik - 1]!,
        state: STATES[cik % 4]!,
        sic: SICS[cik % 3]!,
        role: 'FILER' as const,
      };
    };
    const items = form.startsWith('8-K')
      ? pick([['Results of Operations and Financial Condition'], ['Other Events'], []])
      : [];
    return {
      accession: `${String(pick([11, 12])).padStart(10, '0')}-20-${String(i).padStart(6, '0')}`,
      form,
      date,
      acceptance: pick([null, `${date}T09:00:00`, `${date}T16:30:00`]),
      items,
      parties: pick([0, 1, 2, 3]) === 0 ? [party(), party()] : [party()],
      documents: [{ content: pick(['one', 'three', 'seven words stand here and no more']) }],
    };
  });
}

describe('look-ups', () => {
  const folder = join(temporaryFolder(), 'catalog');
  const files = temporaryFolder();
  const submissions = world();
  let catalog: Catalog;
  let filings: Filing[];
  let partiesOf: Map<string, Set<string>>;
  let itemsOf: Map<string, string[]>;
  let entities: Entity[];

  beforeAll(async () => {
    writeFiles(files, Object.fromEntries(submissions.map((s) => [`${s.accession}.txt`, txtOf(s)])));
    writeFiles(files, {
      'CIK0000000001.json': submissionsJsonOf({
        cik: '1',
        name: 'Alpha',
        asOf: '2021-01-01',
        tickers: ['ALP-A', 'ALPQ'],
        exchanges: ['NYSE', 'OTC'],
        category: 'Large',
      }),
      'CIK0000000003.json': submissionsJsonOf({ cik: '3', name: 'Beta', asOf: '2021-01-01', entityType: 'investment' }),
      'tickers.json': tickersJsonOf([
        { cik: 2, ticker: 'TWO', exchange: 'Nasdaq' },
        { cik: 99, ticker: 'NONE', exchange: 'NYSE' },
      ]),
    });
    await ingest([files], folder, { threads: 0, batchFilings: 50 });
    catalog = Catalog.open(folder);
    filings = filingsOf(catalog.filingLookup({}));
    const infos = filings.map((filing) => catalog.filing(filing.accession_number as never)!);
    partiesOf = new Map(infos.map((info) => [info.accession_number, new Set(info.parties.map((p) => p.cik!))]));
    itemsOf = new Map(infos.map((info) => [info.accession_number, (info.items_8k ?? []).map((item) => item.item)]));
    entities = catalog
      .entityLookup({ name_excludes: ['no such name'], to: 10_000 })
      .records.map((text) => JSON.parse(text) as Entity);
  });
  afterAll(() => catalog.close());

  it('returns the stored bytes', () => {
    expect(filings.length).toBe(submissions.length);
    expect(entities.length).toBe(8);
  });

  // The rules of the contract, without a database.
  const upper = (text: string) => text.normalize('NFC').toUpperCase();
  const any = <T>(values: readonly T[] | undefined, test: (value: T) => boolean) =>
    !values || values.length === 0 || values.some(test);

  function entityMatches(entity: Entity, q: EntityFilter): boolean {
    return (
      any(q.ciks, (cik) => cik === entity.cik) &&
      any(q.tickers, (ticker) => entity.tickers.map(normalTicker).includes(normalTicker(ticker))) &&
      any(q.exchanges, (exchange) => entity.exchanges.includes(exchange)) &&
      any(q.sics, (sic) => sic === entity.sic) &&
      any(q.states, (state) => state.toUpperCase() === entity.state_of_incorporation) &&
      any(q.entity_types, (type) => type === entity.entity_type) &&
      (q.name_includes ?? []).every((part) => upper(entity.name!).includes(upper(part))) &&
      !(q.name_excludes ?? []).some((part) => upper(entity.name!).includes(upper(part)))
    );
  }

  function filingMatches(filing: Filing, p: FilingLookupParameters): boolean {
    const form = filing.form_type!.toUpperCase();
    return (
      any(p.form_types, (type) => type.toUpperCase() === form) &&
      !(p.excluded_form_types ?? []).some((type) => type.toUpperCase() === form) &&
      !(p.exclude_amendments && form.endsWith('/A')) &&
      (p.date_from === undefined || filing.filing_date! >= p.date_from) &&
      (p.date_to === undefined || filing.filing_date! <= p.date_to) &&
      any(p.items, (item) => itemsOf.get(filing.accession_number)!.includes(item.replace(/^item /i, ''))) &&
      (p.entity_query === undefined ||
        entities.some((e) => partiesOf.get(filing.accession_number)!.has(e.cik) && entityMatches(e, p.entity_query!)))
    );
  }

  function compareCodePoints(a: string, b: string): number {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }

  function sorted(rows: Filing[], p: FilingLookupParameters): Filing[] {
    const sign = p.sort_order === 'asc' ? 1 : -1;
    const fields = {
      filing_date: (f: Filing) => f.filing_date,
      acceptance_date_time: (f: Filing) => f.acceptance_datetime,
      form: (f: Filing) => f.form_type!.toUpperCase(),
      size: (f: Filing) => f.size,
      entity_name: (f: Filing) => (f.entity_name === null ? null : upper(f.entity_name)),
    };
    const compare = (a: string | number | null, b: string | number | null) => {
      if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
      return sign * (typeof a === 'number' ? a - (b as number) : compareCodePoints(a, b as string));
    };
    const field = fields[p.sort_by ?? 'filing_date'];
    return [...rows].sort(
      (a, b) =>
        compare(field(a), field(b)) ||
        compare(a.acceptance_datetime, b.acceptance_datetime) ||
        compareCodePoints(a.accession_number, b.accession_number),
    );
  }

  const some = <T>(values: readonly T[]) =>
    fc.option(fc.array(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined });
  const entityFilter = fc
    .record(
      {
        tickers: some(['alp/a', 'ALPQ', 'two', 'NONE']),
        ciks: some(['1', '2', '3', '4', '99']),
        name_includes: some(['alpha', 'Æther', 'STRASSE', 'ström', 'e']),
        name_excludes: some(['holdings', 'é', '/de/']),
        exchanges: some(['NYSE', 'NASDAQ', 'OTC', 'CBOE']),
        sics: some(['3571', '6722', '2834']),
        states: some(['de', 'CA', 'X0']),
        entity_types: some(['OPERATING', 'INVESTMENT', 'OTHER']),
      },
      { requiredKeys: [] },
    )
    .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, v]) => v !== undefined)) as EntityFilter)
    .filter((filter) => Object.values(filter).some((values) => values !== undefined && values.length > 0));

  const filingParameters = fc
    .record(
      {
        entity_query: fc.option(entityFilter, { nil: undefined, freq: 2 }),
        form_types: some(['10-k', '10-K/A', '8-K', '4', 'N-CSR']),
        excluded_form_types: some(['4', '8-k', '10-Q']),
        exclude_amendments: fc.boolean(),
        items: fc.option(fc.constantFrom(['2.02'], ['Item 8.01', '2.02'], ['9.01']), { nil: undefined, freq: 4 }),
        date_from: fc.option(fc.constantFrom('2019-02-02', '2020-01-02', '2020-02-01'), { nil: undefined }),
        date_to: fc.option(fc.constantFrom('2012-02-01', '2020-02-02', '2020-01-31'), { nil: undefined }),
        sort_by: fc.constantFrom(undefined, ...SORT_FIELDS),
        sort_order: fc.constantFrom(undefined, 'asc', 'desc'),
      },
      { requiredKeys: [] },
    )
    .map((p) => Object.fromEntries(Object.entries(p).filter(([, v]) => v !== undefined)) as FilingLookupParameters);

  const accessions = (page: FilingsPage) => filingsOf(page).map((filing) => filing.accession_number);

  it('filters and sorts filings as in the contract, in any combination', () => {
    fc.assert(
      fc.property(filingParameters, (p) => {
        const expected = sorted(
          filings.filter((filing) => filingMatches(filing, p)),
          p,
        );
        const page = catalog.filingLookup(p);
        expect(page.count).toBe(expected.length);
        expect(accessions(page)).toEqual(expected.map((filing) => filing.accession_number));
      }),
      { numRuns: runs(300) },
    );
  });

  it('cuts the same list into pages, wherever they are cut', () => {
    fc.assert(
      fc.property(filingParameters, fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }), (p, steps) => {
        const whole = accessions(catalog.filingLookup(p));
        let from = 0;
        for (const step of steps) {
          const page = catalog.filingLookup({ ...p, from, to: from + step });
          expect(page.count).toBe(whole.length);
          expect(accessions(page)).toEqual(whole.slice(from, from + step));
          from += step;
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('filters entities as in the contract, by CIK as a number', () => {
    fc.assert(
      fc.property(entityFilter, fc.nat(4), fc.nat(8), (filter, from, length) => {
        const expected = entities
          .filter((entity) => entityMatches(entity, filter))
          .sort((a, b) => Number(a.cik) - Number(b.cik));
        const page = catalog.entityLookup({ ...filter, from, to: from + length } as EntityLookupParameters);
        expect(page.count).toBe(expected.length);
        expect(page.records.map((text) => JSON.parse(text) as Entity)).toEqual(expected.slice(from, from + length));
      }),
      { numRuns: runs(200) },
    );
  });

  it('returns at least one record, marked as truncated, if the page would be too long', () => {
    const short = catalog.filingLookup({}, { maxBytes: 10 });
    expect([filingsOf(short).length, short.truncated, short.count]).toEqual([1, true, submissions.length]);
    const bytes = Buffer.concat(catalog.filingLookup({ to: 7 }).pieces).byteLength + 2;
    const exact = catalog.filingLookup({}, { maxBytes: bytes });
    expect(filingsOf(exact).length).toBe(7);
    expect(catalog.filingLookup({ to: 7 }, { maxBytes: bytes }).truncated).toBe(false);
  });

  it('fills a page up to the limit of bytes, and never beyond it', () => {
    const lengths = filings.map((filing) => Buffer.byteLength(JSON.stringify(filing)));
    fc.assert(
      fc.property(fc.nat(filings.length - 1), fc.integer({ min: 1, max: 60_000 }), (from, maxBytes) => {
        let [fits, bytes] = [0, 1];
        while (from + fits < lengths.length && bytes + lengths[from + fits]! + 1 <= maxBytes) {
          bytes += lengths[from + fits]! + 1;
          fits++;
        }
        const expected = filings.slice(from, from + Math.max(1, fits));
        const page = catalog.filingLookup({ from }, { maxBytes });
        expect(filingsOf(page)).toEqual(expected);
        expect(page.truncated).toBe(from + expected.length < filings.length);
      }),
      { numRuns: runs(100) },
    );
  });

  it('counts again what an ingest has added since', async () => {
    const [files, folder] = [temporaryFolder(), temporaryFolder()];
    const [first, second] = submissions;
    writeFiles(files, { 'a.txt': txtOf(first!) });
    await ingest([files], folder, { threads: 0 });
    const reader = Catalog.open(folder);
    const numbers = () => [reader.filingLookup({}), reader.filingLookup({})].map(({ count }) => count);
    expect(numbers()).toEqual([1, 1]);
    writeFiles(files, { 'b.txt': txtOf(second!) });
    await ingest([files], folder, { threads: 0 });
    expect(numbers()).toEqual([2, 2]);
    reader.close();
  });

  it('refuses a page with a filing whose record is missing', () => {
    const db = new DatabaseSync(join(catalog.folder, 'catalog.db'));
    const id = db.prepare('SELECT max(filing) AS id FROM filing_records').get() as { id: number };
    const { record } = db.prepare('SELECT record FROM filing_records WHERE filing = ?').get(id.id) as {
      record: string;
    };
    db.prepare('DELETE FROM filing_records WHERE filing = ?').run(id.id);
    expect(() => catalog.filingLookup({})).toThrow('a filing of the catalog has no record');
    db.prepare('INSERT INTO filing_records VALUES (?, ?)').run(id.id, record);
    db.close();
    expect(filingsOf(catalog.filingLookup({}))).toEqual(filings);
  });

  it('refuses an entity filter with nothing in it', () => {
    expect(() => catalog.entityLookup({})).toThrow('entity filter is required');
    expect(() => catalog.entityLookup({ tickers: [] })).toThrow('entity filter is required');
    expect(() => catalog.filingLookup({ entity_query: {} })).toThrow('entity filter is required');
  });
});
