/**
 * Queries of a catalog of millions of filings, in CPU: the first time, again, and after a commit of new filings. The catalog is a small
 * one with its rows many times (`service-sides/multiplied.ts`).
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSample } from '../src/cli/sample/index.ts';
import { Catalog, ingest } from '../src/service/catalog/index.ts';
import { cpuSeconds, show } from './recording/measuring.ts';
import { multiply, RARE_WORD } from './service-sides/multiplied.ts';

export const summary =
  'queries of a catalog of millions of filings: CPU at first, again, after commits, of the next process: --millions N [--folder DIR, made if missing] [--commits N]';

const COPIES = 900;
/** EDGAR has some 800,000 filers. */
const ENTITIES = 800_000;

interface Query {
  name: string;
  run: (catalog: Catalog) => number;
}

const look = (name: string, p: Parameters<Catalog['filingLookup']>[0]): Query => ({
  name,
  run: (catalog) => catalog.filingLookup({ to: 20, ...p }).count,
});
const search = (name: string, p: Parameters<Catalog['fulltextSearch']>[0]): Query => ({
  name,
  run: (catalog) => catalog.fulltextSearch({ to: 0, ...p }).total,
});

const QUERIES: readonly Query[] = [
  look('no filter', {}),
  look('form 4', { form_types: ['4'] }),
  look('exclude_amendments', { exclude_amendments: true }),
  look('states DE', { entity_query: { states: ['DE'] } }),
  look('items 2.02', { items: ['2.02'] }),
  search('"the"', { query: 'the' }),
  search('"the", form 8-K', { query: 'the', form_types: ['8-K'] }),
  search('"the", states DE', { query: 'the', entity_query: { states: ['DE'] } }),
  search('a rare word', { query: RARE_WORD }),
];

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { millions: { type: 'string' }, folder: { type: 'string' }, commits: { type: 'string' } },
  });
  const millions = Number(values.millions ?? 1);
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'filinglake-catalog-'));
  try {
    const catalogFolder = join(folder, 'catalog');
    if (!existsSync(join(catalogFolder, 'catalog.db'))) await make(folder, catalogFolder, millions);
    const rows = await measure(folder, catalogFolder, Number(values.commits ?? 5));
    show(rows, json, { millions, rows });
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function make(folder: string, catalog: string, millions: number): Promise<void> {
  const filings = Math.round((millions * 1_000_000) / (COPIES + 1));
  await writeSample({ out: join(folder, 'files'), filings, seed: 1 });
  await ingest([join(folder, 'files')], catalog);
  const opened = Catalog.open(catalog);
  const { entities } = opened.totals();
  opened.close();
  multiply(catalog, COPIES, { isLean: true, entityCopies: Math.max(1, Math.round(ENTITIES / entities)) });
}

interface Row {
  query: string;
  count: number;
  /** CPU milliseconds */
  first: number;
  again: number;
  after_a_commit_p50: number;
  after_a_commit_max: number;
  /** By a reader that is opened then */
  next_reader: number;
}

async function measure(folder: string, catalogFolder: string, commits: number): Promise<Row[]> {
  const catalog = Catalog.open(catalogFolder);
  const cpuMs = (query: Query, of = catalog) => cpuSeconds(() => query.run(of)) * 1_000;
  const first = QUERIES.map((query) => cpuMs(query));
  const again = QUERIES.map((query) => cpuMs(query));
  // The newest of other filings, as `edgar follow` brings them.
  const news = join(folder, `news-${Date.now()}`);
  await writeSample({ out: news, filings: 250, seed: Date.now() % 1_000_000, from: '2025-10-01', to: '2025-12-31' });
  const files = readdirSync(news, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).slice(-commits);
  const after: number[][] = [];
  for (const path of paths) {
    await ingest([path], catalogFolder, { threads: 0 });
    after.push(QUERIES.map((query) => cpuMs(query)));
  }
  const next = Catalog.open(catalogFolder);
  const nextReader = QUERIES.map((query) => cpuMs(query, next));
  next.close();
  const rows = QUERIES.map((query, i) => {
    const each = after.map((of) => of[i]!).sort((a, b) => a - b);
    return {
      query: query.name,
      count: query.run(catalog),
      first: round(first[i]!),
      again: round(again[i]!),
      after_a_commit_p50: round(each[each.length >> 1]!),
      after_a_commit_max: round(each.at(-1)!),
      next_reader: round(nextReader[i]!),
    };
  });
  catalog.close();
  rmSync(news, { recursive: true, force: true });
  return rows;
}

const round = (value: number) => Math.round(value * 10) / 10;
