import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { Catalog, checkCatalog, type IngestSummary, ingest } from '../../../../src/service/catalog/index.ts';
import { filingsOf } from '../../../support/catalog/filings-page.ts';
import { contentOf, temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { truthsOfCatalog } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const ATOM_FEED = /^<\?xml[^>]*>\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom"/;

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1', 0, 4_096);
}

describe.skipIf(!sharedFolder)('a catalog of real files', () => {
  const edgar = join(sharedFolder ?? '', 'edgar');
  const folder = join(temporaryFolder(), 'catalog');
  let summary: IngestSummary;
  const truths = truthsOfCatalog();

  beforeAll(async () => {
    summary = await ingest([edgar], folder);
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
});
