/** fulltext_search over the catalog (docs/api.md#fulltext_search): the hits of a window, their passages, and the parties of the page. */
import { FilinglakeError } from '../../../core/index.ts';
import {
  type AccessionNumber,
  documentId,
  FULLTEXT_WINDOW_DEFAULT,
  type FulltextEnvelope,
  type FulltextHit,
  type FulltextSearchParameters,
} from '../../../filings/api/index.ts';
import { decode, PassageFinder } from '../fulltext/passages.ts';
import { parseQuery } from '../fulltext/query.ts';
import { QueryError } from '../fulltext/query-error.ts';
import { decompress } from '../packs/frames.ts';
import type { PackReader } from '../packs/packs.ts';
import type { Statements } from '../rows/statements.ts';
import { searchSnapshot } from './fulltext-engine.ts';
import type { FoundHit } from './fulltext-hits.ts';
import type { PageLimits } from './page.ts';
import type { CatalogSource } from './source.ts';

export interface FulltextPage {
  total: number;
  hits: FulltextHit[];
  /** JSON texts of the hits */
  records: string[];
  /** The parties of the hits on this page, each once. */
  entities: FulltextEnvelope['entities'];
  /** Whether `maxBytes`, or the time for passages, ended the page before the window did. */
  truncated: boolean;
}

/** For reading texts and cutting passages from them */
const PASSAGES_TIME_MAX_MS = 4_000;
/** Hits whose rows are read together */
const HITS_A_READ = 64;

/** @throws QueryError if the query can't be read; FilinglakeError `search-too-wide`, and as filingLookup */
export function fulltextSearch(
  { statements, packs, fulltext }: CatalogSource,
  p: FulltextSearchParameters,
  limits: PageLimits = {},
): FulltextPage {
  if (p.query === undefined) throw new QueryError('query is required', null);
  const query = parseQuery(p.query, p.query_type);
  const from = p.from ?? 0;
  const to = p.to ?? FULLTEXT_WINDOW_DEFAULT;
  return searchSnapshot(statements, () => {
    const isScored = p.sort_by === '_score' && to > from;
    const search = fulltext(query, p, { isScored, limitMs: limits.limitMs });
    const total = search.countHits();
    const order = p.sort_order ?? 'desc';
    const found =
      to > from && total > from
        ? isScored
          ? search.hitsByScore(order, from, to)
          : search.hitsByDate(order, from, to)
        : [];
    const finder = new PassageFinder(query.marked);
    const hits: FulltextHit[] = [];
    const records: string[] = [];
    const page = (truncated: boolean) => ({ total, hits, records, entities: entitiesOf(statements, hits), truncated });
    let bytes = 1;
    const startedAt = performance.now();
    for (const { hit, row, parties } of rowsOf(statements, found)) {
      statements.stillWanted();
      // A page of thousands of long texts is cut short, like one of too many bytes: the caller continues after it.
      if (hits.length > 0 && performance.now() - startedAt > PASSAGES_TIME_MAX_MS) return page(true);
      const written = writeHit(packs, hit, row, parties, finder, p.include_text ?? false);
      const record = JSON.stringify(written);
      if (limits.maxBytes !== undefined) {
        bytes += Buffer.byteLength(record) + 1;
        if (bytes > limits.maxBytes && hits.length > 0) return page(true);
      }
      hits.push(written);
      records.push(record);
    }
    return page(false);
  });
}

type HitRow = [
  id: number,
  filing: number,
  sequence: number,
  type: string | null,
  description: string | null,
  filename: string | null,
  size: number,
  pack: number,
  textOffset: number,
  textLength: number,
  accession: AccessionNumber,
  filingDate: string,
  acceptance: string | null,
  formType: string,
];
interface Parties {
  ciks: string[];
  sics: string[];
}

/** The hits with their rows, in order. A statement for each hit would cost more than its text. */
function* rowsOf(
  statements: Statements,
  found: readonly FoundHit[],
): Generator<{ hit: FoundHit; row: HitRow; parties: Parties }> {
  for (let at = 0; at < found.length; at += HITS_A_READ) {
    const some = found.slice(at, at + HITS_A_READ);
    const rows = new Map(
      (
        statements
          .prepareArrays(
            `SELECT d.id, d.filing, d.sequence, d.type, d.description, d.filename, d.size, d.pack, d.text_offset, d.text_length,
             f.accession, f.filing_date, f.acceptance, f.form_type
             FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value CROSS JOIN filings f ON f.id = d.filing`,
          )
          .all(JSON.stringify(some.map(({ rowid }) => rowid))) as unknown as HitRow[]
      ).map((row) => [row[0], row]),
    );
    const parties = partiesOf(statements, [...new Set([...rows.values()].map(([, filing]) => filing))]);
    for (const hit of some) {
      const row = rows.get(hit.rowid);
      // A join leaves out a hit without a document. That must not look like a shorter page.
      if (!row) throw new FilinglakeError('catalog-unreadable', 'a text of the catalog has no document');
      yield { hit, row, parties: parties.get(row[1]) ?? { ciks: [], sics: [] } };
    }
  }
}

function partiesOf(statements: Statements, filings: readonly number[]): Map<number, Parties> {
  const rows = statements
    .prepareArrays(
      `SELECT p.filing, p.cik, p.sic FROM json_each(?) i CROSS JOIN filing_parties p ON p.filing = i.value
       ORDER BY i.key, p.position`,
    )
    .all(JSON.stringify(filings)) as unknown as [number, number | null, string | null][];
  const parties = new Map<number, Parties>();
  for (const [filing, cik, sic] of rows) {
    let of = parties.get(filing);
    if (!of) {
      of = { ciks: [], sics: [] };
      parties.set(filing, of);
    }
    addDistinct(of.ciks, cik === null ? null : String(cik));
    addDistinct(of.sics, sic);
  }
  return parties;
}

function addDistinct(values: string[], value: string | null): void {
  if (value !== null && !values.includes(value)) values.push(value);
}

function writeHit(
  packs: PackReader,
  hit: FoundHit,
  row: HitRow,
  { ciks, sics }: Parties,
  finder: PassageFinder,
  includeText: boolean,
): FulltextHit {
  const [, , sequence, type, description, filename, size, pack, offset, length, accession, date, acceptance, form] =
    row;
  const bytes = decompress(packs.read({ pack, offset, length }));
  return {
    id: documentId(accession, sequence),
    score: hit.score,
    accession_number: accession,
    form_type: form,
    filing_date: date,
    acceptance_date_time: acceptance,
    document_type: type,
    document_description: description,
    file_name: filename,
    ciks,
    sics,
    size,
    highlights: finder.passagesOfBytes(bytes),
    text_content: includeText ? decode(bytes) : null,
  };
}

function entitiesOf(statements: Statements, hits: readonly FulltextHit[]): FulltextEnvelope['entities'] {
  const ciks = [...new Set(hits.flatMap((hit) => hit.ciks))];
  const rows = statements
    .prepareArrays('SELECT e.cik, e.record FROM json_each(?) i CROSS JOIN entities e ON e.cik = i.value')
    .all(JSON.stringify(ciks.map(Number))) as unknown as [number, string][];
  const records = new Map(rows.map(([cik, record]) => [String(cik), record]));
  return ciks.map((cik) => {
    const record = records.get(cik);
    const entity = record === undefined ? null : (JSON.parse(record) as { name: string | null; tickers: string[] });
    return { cik, name: entity?.name ?? null, tickers: entity?.tickers ?? [] };
  });
}
