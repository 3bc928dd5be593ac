import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AccessionNumber, documentId, filingInfoSchema, filingSchema } from '../../../../src/filings/api/index.ts';
import { Catalog, checkCatalog, type IngestSummary, ingest } from '../../../../src/service/catalog/index.ts';
import { filingsOf } from '../../../support/catalog/filings-page.ts';
import { contentOf, temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { sharedFolder } from '../../../support/shared.ts';

interface TruthDocument {
  sequence: string;
  type: string;
  filename: string | null;
  description: string | null;
  size: number;
  sha256: string;
  inner_size?: number;
  inner_sha256?: string;
}
interface Truth {
  file: string;
  dialect: 'txt' | 'nc';
  accession_number: AccessionNumber;
  form_type: string;
  filing_date: string;
  acceptance_datetime: string | null;
  ciks: { cik: string; role: string }[];
  documents: TruthDocument[];
}

const ATOM_FEED = /^<\?xml[^>]*>\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom"/;

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1', 0, 4_096);
}

describe.skipIf(!sharedFolder)('a catalog of real files', () => {
  const edgar = join(sharedFolder ?? '', 'edgar');
  const folder = join(temporaryFolder(), 'catalog');
  let summary: IngestSummary;
  let truths: Truth[];

  beforeAll(async () => {
    summary = await ingest([edgar], folder);
    const rows = readFileSync(join(edgar, 'truth.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Truth);
    // The .txt is kept if an accession number exists in both dialects.
    const kept = new Map<string, Truth>();
    for (const row of rows)
      if (row.dialect === 'txt' || !kept.has(row.accession_number)) kept.set(row.accession_number, row);
    truths = [...kept.values()];
  });

  const reading = async <T>(use: (catalog: Catalog) => T): Promise<T> => {
    const catalog = Catalog.open(folder);
    try {
      return use(catalog);
    } finally {
      catalog.close();
    }
  };

  it('has a filing for each distinct accession number, and fails at nothing', async () => {
    expect(summary.failures).toEqual([]);
    expect(summary.filings.new).toBe(235);
    expect(await reading((catalog) => catalog.totals().filings)).toBe(235);
    // Counted here by a sign of each kind that the catalog doesn't use: the folder may grow.
    const files = readdirSync(edgar, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    const indexes = files.filter((file) => /\.idx(\.gz)?$/.test(file)).length;
    const feeds = files.filter((file) => ATOM_FEED.test(textOf(file))).length;
    expect(indexes).toBeGreaterThanOrEqual(6);
    expect(feeds).toBeGreaterThanOrEqual(9);
    expect(summary.skipped).toMatchObject({ atom: feeds, filing_index: indexes, directory_json: 1 });
  });

  it('holds every document as the independent reading has it', () =>
    reading((catalog) => {
      for (const truth of truths) {
        const stored = catalog.documents(truth.accession_number);
        const found = stored.map((d) => [d.sequence, d.type, d.filename, d.description, d.size, d.sha256]);
        const expected = truth.documents.map((d) => [
          Number(d.sequence),
          d.type,
          d.filename,
          d.description,
          d.inner_size ?? d.size,
          d.inner_sha256 ?? d.sha256,
        ]);
        expect(found, truth.file).toEqual(expected);
      }
    }));

  it('gives records by the contract, with parties in the order of the header', () =>
    reading((catalog) => {
      for (const truth of truths) {
        const info = filingInfoSchema.parse(catalog.filing(truth.accession_number));
        expect(info.form_type).toBe(truth.form_type);
        expect(info.filing_date?.replaceAll('-', '')).toBe(truth.filing_date);
        expect(info.acceptance_datetime?.replace(/\D/g, '') ?? null).toBe(truth.acceptance_datetime);
        expect(info.parties.map((p) => [Number(p.cik), p.role])).toEqual(
          truth.ciks.map((c) => [Number(c.cik), c.role.toLowerCase().replaceAll(/[- ]/g, '_')]),
        );
        const page = catalog.filingLookup({
          entity_query: { ciks: [info.parties[0]!.cik as never] },
          form_types: [truth.form_type],
          date_from: info.filing_date!,
          date_to: info.filing_date!,
        });
        const [record] = filingsOf(page)
          .map((filing) => filingSchema.parse(filing))
          .filter((f) => f.accession_number === truth.accession_number);
        expect(record?.documents.length, truth.file).toBe(truth.documents.length);
      }
    }));

  it('finds filings by each of their parties', () =>
    reading((catalog) => {
      const ciks = new Set(truths.flatMap((truth) => truth.ciks.map((c) => String(Number(c.cik)))));
      for (const cik of ciks) {
        const expected = truths
          .filter((truth) => truth.ciks.some((c) => Number(c.cik) === Number(cik)))
          .map((t) => t.accession_number);
        const page = catalog.filingLookup({ entity_query: { ciks: [cik as never] } });
        const found = filingsOf(page).map((filing) => filing.accession_number as string);
        expect(found.sort(), cik).toEqual([...new Set(expected)].sort());
        expect(page.count).toBe(found.length);
        expect(catalog.entityLookup({ ciks: [cik as never] }).count).toBe(1);
      }
    }));

  it('knows tickers, exchanges, category and entity type from SEC’s JSON', () =>
    reading((catalog) => {
      const { count, records } = catalog.entityLookup({ tickers: ['aapl'] });
      expect(count).toBe(1);
      expect(JSON.parse(records[0]!)).toMatchObject({
        cik: '320193',
        name: 'Apple Inc.',
        tickers: ['AAPL'],
        exchanges: ['NASDAQ'],
        sic: '3571',
        state_of_incorporation: 'CA',
        entity_type: 'OPERATING',
        category: 'Large accelerated filer',
      });
      expect(catalog.entityLookup({ tickers: ['BRK.B'] }).records).toEqual(
        catalog.entityLookup({ tickers: ['brk/b'] }).records,
      );
    }));

  it('gives a document by name, and the main document, which is the form', () =>
    reading((catalog) => {
      const accession = '0000320193-24-000005' as AccessionNumber;
      const main = catalog.mainDocument(accession)!;
      expect([main.type, main.content_type]).toEqual(['8-K', 'text/html']);
      expect(catalog.documentByName(accession, main.filename!.toUpperCase())?.document_id).toBe(main.document_id);
      expect(catalog.document(main.document_id)?.read().equals(main.read())).toBe(true);
      expect(catalog.document(documentId(accession, 999))).toBeNull();
      expect(catalog.filing('0000000000-00-000000' as AccessionNumber)).toBeNull();
    }));

  it('searches the filer’s text, not EDGAR’s additions', () =>
    reading((catalog) => {
      const page = catalog.fulltextSearch({ query: '"Apple Inc" quarterly', query_type: 'query_string', to: 100 });
      expect(page.total).toBeGreaterThan(0);
      for (const hit of page.hits) {
        expect(hit.highlights.length).toBeGreaterThan(0);
        expect(hit.highlights.join(' ')).toMatch(/<mark>/);
      }
      const everything = catalog.fulltextSearch({ query: 'the OR an* OR of', query_type: 'query_string', to: 0 }).total;
      expect(everything).toBeGreaterThan(235);
      const added = catalog.fulltextSearch({ query: 'the', document_types: ['XML', 'EX-101*', 'GRAPHIC'], to: 10 });
      expect(added.total).toBe(0);
    }));

  it('is sound', () => {
    const report = checkCatalog(folder);
    expect(report.problems).toEqual([]);
    expect(report.documents).toBe(truths.reduce((sum, truth) => sum + truth.documents.length, 0));
  });

  it('is unchanged by the same files, whichever comes first', async () => {
    const before = contentOf(folder);
    const again = await ingest([edgar], folder);
    expect(again.filings).toEqual({ new: 0, replaced: 0, unchanged: 235, deleted: 0 });
    expect(again.documents + again.entities).toBe(0);
    expect(contentOf(folder)).toEqual(before);

    const other = join(temporaryFolder(), 'backwards');
    const files = readdirSync(edgar, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    await ingest(files.sort().reverse(), other, { batchFilings: 17 });
    expect(contentOf(other)).toEqual(before);
  });

  it('keeps the bytes of a document as in EDGAR', () =>
    reading((catalog) => {
      const form4 = join(edgar, 'feed-nc/0000774352-01-000002.nc.gz');
      const text = gunzipSync(readFileSync(form4)).toString('latin1');
      const main = catalog.mainDocument('0000774352-01-000002' as AccessionNumber)!;
      expect(text).toContain(main.read().toString('latin1').trim());
    }));
});
