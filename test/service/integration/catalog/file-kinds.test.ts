/** A kind of EDGAR file is a folder and a line in src/filings/edgar, and its apply in src/service/catalog: shown by adding one. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EdgarFileError, FILE_KINDS, type RecordKind } from '../../../../src/filings/edgar/index.ts';
import { enrichment } from '../../../../src/service/catalog/enrichments/enrichment.ts';
import { ENRICHMENTS } from '../../../../src/service/catalog/enrichments/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';

/** A list of former tickers, which SEC doesn't publish: `FORMER TICKERS` and a line each. */
const formerTickersKind: RecordKind<'former_tickers', { cik: number; ticker: string }[]> = {
  name: 'former_tickers',
  recognise: (head) => head.text.startsWith('FORMER TICKERS'),
  read: (bytes) =>
    bytes
      .toString('utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [cik, ticker] = line.split('|');
        if (!/^\d+$/.test(cik ?? '') || !ticker) throw new EdgarFileError('list of former tickers', `'${line}'`);
        return { cik: Number(cik), ticker };
      }),
};
const formerTickers = enrichment(
  formerTickersKind,
  ['list of former tickers', 'lists of former tickers'],
  (rows, { db, entities }, stamp) => {
    const known = db.prepare("SELECT value FROM meta WHERE key = 'former_tickers'").get() as
      | { value: string }
      | undefined;
    if (known && known.value >= stamp) return false;
    for (const [position, { cik, ticker }] of rows.entries()) {
      db.prepare("INSERT OR REPLACE INTO listed_tickers VALUES ('former', ?, ?, ?, NULL)").run(cik, position, ticker);
      entities.refresh(cik);
    }
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('former_tickers', ?)").run(stamp);
    return true;
  },
);
/** What ingest counts if no file enriches anything. */
const NONE = Object.fromEntries(ENRICHMENTS.map(({ kind }) => [kind.name, 0]));
const MORE = { threads: 0, kinds: [...FILE_KINDS, formerTickersKind], enrichments: [...ENRICHMENTS, formerTickers] };

function inputs(): { folder: string; catalog: string; write: (name: string, text: string, at: number) => void } {
  const root = temporaryFolder();
  const folder = join(root, 'in');
  mkdirSync(folder);
  const write = (name: string, content: string | Buffer, at: number) => {
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), at, at);
  };
  const filing = {
    accession: '0000000007-25-000001',
    form: '8-K',
    date: '2025-01-10',
    parties: [{ cik: '7', name: 'SAMPLE CORP' }],
    documents: [{ type: '8-K', content: 'Text.' }],
  };
  write('filing.txt', txtOf(filing), 1_700_000_000);
  return { folder, catalog: join(root, 'catalog'), write };
}

function tickersOf(catalogFolder: string): string[] {
  const catalog = Catalog.open(catalogFolder);
  try {
    const [record] = catalog.entityLookup({ ciks: ['7' as never] }).records;
    return (JSON.parse(record!) as { tickers: string[] }).tickers;
  } finally {
    catalog.close();
  }
}

describe('the kinds of EDGAR files', () => {
  it('hold all that enrich entities: one that is not recognised would never be read', () => {
    expect(ENRICHMENTS.map(({ kind }) => kind).filter((kind) => !FILE_KINDS.includes(kind))).toEqual([]);
    expect(new Set(FILE_KINDS.map(({ name }) => name)).size).toBe(FILE_KINDS.length);
  });
});

describe('a new kind of EDGAR file', () => {
  it('is recognised, read, applied and counted once it is registered', async () => {
    const { folder, catalog, write } = inputs();
    write('former.txt', 'FORMER TICKERS\n7|OLD\n', 1_700_000_000);
    const before = await ingest([folder], catalog, { threads: 0 });
    expect(before.enriched).toEqual(NONE);
    expect(before.skipped).toEqual({ unknown: 1 });
    expect(tickersOf(catalog)).toEqual([]);

    const after = await ingest([folder], catalog, MORE);
    expect(after.enriched).toEqual({ ...NONE, former_tickers: 1 });
    expect(after.skipped).toEqual({});
    expect(tickersOf(catalog)).toEqual(['OLD']);
  });

  it('counts a file without news as nothing, and a newer one again', async () => {
    const { folder, catalog, write } = inputs();
    write('former.txt', 'FORMER TICKERS\n7|OLD\n', 1_700_000_000);
    await ingest([folder], catalog, MORE);
    expect((await ingest([folder], catalog, MORE)).enriched.former_tickers).toBe(0);
    write('former.txt', 'FORMER TICKERS\n7|OLDER\n', 1_700_000_100);
    expect((await ingest([folder], catalog, MORE)).enriched.former_tickers).toBe(1);
    expect(tickersOf(catalog)).toEqual(['OLDER']);
  });

  it('reports a broken file by its path, and stores nothing of it', async () => {
    const { folder, catalog, write } = inputs();
    write('former.txt', 'FORMER TICKERS\n7|OLD\nseven|OLD\n', 1_700_000_000);
    const summary = await ingest([folder], catalog, MORE);
    expect(summary.failures).toEqual([
      { path: join(folder, 'former.txt'), offset: null, message: expect.stringContaining("'seven|OLD'") },
    ]);
    expect(summary.enriched.former_tickers).toBe(0);
    expect(summary.filings.new).toBe(1);
    expect(tickersOf(catalog)).toEqual([]);
  });

  it('comes after the kinds before it: a submission stays a submission', async () => {
    const { folder, catalog } = inputs();
    const greedy: RecordKind = { name: 'greedy', recognise: () => true, read: () => null };
    const summary = await ingest([folder], catalog, {
      threads: 0,
      kinds: [...FILE_KINDS, greedy],
      enrichments: [enrichment(greedy, ['greedy file', 'greedy files'], () => true)],
    });
    expect(summary.filings.new).toBe(1);
    expect(summary.enriched).toEqual({ greedy: 0 });
  });
});
