/** fulltext_search over the catalog (docs/api.md#fulltext_search): hits in a total order, their passages, and the parties of the page. */
import { isAscii } from 'node:buffer';
import type { SQLInputValue } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import {
  type AccessionNumber,
  documentId,
  FULLTEXT_WINDOW_DEFAULT,
  type FulltextEnvelope,
  type FulltextHit,
  type FulltextSearchParameters,
} from '../../api/index.ts';
import { codeKey, filingConditions } from '../filters.ts';
import { PassageFinder } from '../fulltext/passages.ts';
import { parseQuery } from '../fulltext/query.ts';
import { QueryError } from '../fulltext/query-error.ts';
import type { PackReader } from '../packs.ts';
import { DOCUMENTS_A_DAY, dayNumber, interruptible } from '../schema.ts';
import { Conditions, given, type Statements } from '../statements.ts';
import type { PageLimits } from './page.ts';
import type { CatalogSource } from './source.ts';

export interface FulltextPage {
  total: number;
  hits: FulltextHit[];
  /** The parties of the hits on this page, each once. */
  entities: FulltextEnvelope['entities'];
  /** Whether `maxBytes`, or the time for passages, ended the page before the window did. */
  truncated: boolean;
}

/** For reading texts and cutting passages from them */
const PASSAGES_TIME_MAX_MS = 4_000;

/** @throws QueryError if the query can't be read; FilinglakeError `entity-filter-missing` as filingLookup */
export function fulltextSearch(
  { statements, packs }: CatalogSource,
  p: FulltextSearchParameters,
  limits: PageLimits = {},
): FulltextPage {
  if (p.query === undefined) throw new QueryError('query is required', null);
  const query = parseQuery(p.query, p.query_type);
  const from = p.from ?? 0;
  const to = p.to ?? FULLTEXT_WINDOW_DEFAULT;
  return statements.snapshot(() => {
    const where = documentConditions(p, statements);
    const total = countHits(statements, query.expression, where);
    const found =
      to > from && total > from
        ? p.sort_by === '_score'
          ? hitsByScore(statements, query.expression, where, p.sort_order ?? 'desc', from, to)
          : hitsByDate(statements, query.expression, where, p.sort_order ?? 'desc', from, to)
        : [];
    const finder = new PassageFinder(query.marked);
    const hits: FulltextHit[] = [];
    const parties = new Map<number, Party[]>();
    let bytes = 1;
    const startedAt = performance.now();
    for (const hit of found) {
      statements.stillWanted();
      // A page of thousands of long texts is cut short, like one of too many bytes: the caller continues after it.
      if (hits.length > 0 && performance.now() - startedAt > PASSAGES_TIME_MAX_MS) {
        return { total, hits, entities: entitiesOf(statements, hits), truncated: true };
      }
      const written = writeHit(statements, packs, hit, finder, p.include_text ?? false, parties);
      if (limits.maxBytes !== undefined) {
        bytes += Buffer.byteLength(JSON.stringify(written)) + 1;
        if (bytes > limits.maxBytes && hits.length > 0) {
          return { total, hits, entities: entitiesOf(statements, hits), truncated: true };
        }
      }
      hits.push(written);
    }
    return { total, hits, entities: entitiesOf(statements, hits), truncated: false };
  });
}

interface DocumentConditions {
  /** Conditions on rows `d` of documents and `f` of filings, beyond the text and the days */
  joined: Conditions;
  /** FTS row ids carry the filing date: a date filter is a range of them, and needs no join. */
  rowidFrom: number | null;
  rowidTo: number | null;
}

function documentConditions(p: FulltextSearchParameters, statements: Statements): DocumentConditions {
  const { date_from, date_to, ...rest } = p;
  const joined = filingConditions(rest, statements);
  if (given(p.accession_numbers)) {
    const ranges = p.accession_numbers.map(accessionRange);
    // Not a condition on each hit: SQLite finds these filings once, by their index.
    joined.add(
      `f.id IN (SELECT n.id FROM json_each(?) r CROSS JOIN filings n
        ON n.accession >= r.value ->> 0 AND n.accession < r.value ->> 1)`,
      JSON.stringify(ranges),
    );
  }
  if (given(p.document_types)) {
    const exact: string[] = [];
    const prefixes: string[] = [];
    for (const type of p.document_types) {
      if (type.endsWith('*')) prefixes.push(codeKey(type.slice(0, -1)));
      else exact.push(codeKey(type));
    }
    // One JSON array for each: a condition for each value would pass the depth that SQLite allows an expression.
    joined.add(
      `(d.type_key IN (SELECT value FROM json_each(?)) OR
        EXISTS (SELECT 1 FROM json_each(?) b WHERE substr(d.type_key, 1, length(b.value)) = b.value))`,
      JSON.stringify(exact),
      JSON.stringify(prefixes),
    );
  }
  return {
    joined,
    rowidFrom: date_from === undefined ? null : dayNumber(date_from) * DOCUMENTS_A_DAY,
    rowidTo: date_to === undefined ? null : (dayNumber(date_to) + 1) * DOCUMENTS_A_DAY - 1,
  };
}

/** The accession numbers that begin like this: with dashes, as plain digits, whole or in part. */
function accessionRange(text: string): [string, string] {
  const digits = text.replaceAll('-', '');
  if (!/^\d{10,18}$/.test(digits)) {
    throw new QueryError(
      `accession_numbers is invalid: '${text}' must be 10 to 18 digits of an accession number`,
      null,
    );
  }
  const parts = [digits.slice(0, 10), digits.slice(10, 12), digits.slice(12)].filter((part) => part !== '');
  const prefix = parts.join('-');
  return [prefix, `${prefix}~`];
}

interface FoundHit {
  rowid: number;
  score: number;
}

interface Source {
  sql: string;
  values: SQLInputValue[];
}

/** FROM and WHERE of the hits. Without a filter on filings or documents no table is joined. */
function hitSource(expression: string, where: DocumentConditions): Source {
  const conditions = new Conditions().add('document_texts MATCH ?', expression);
  if (where.rowidFrom !== null) conditions.add('document_texts.rowid >= ?', where.rowidFrom);
  if (where.rowidTo !== null) conditions.add('document_texts.rowid <= ?', where.rowidTo);
  const joins = where.joined.clauses.length > 0;
  // CROSS JOIN fixes the order of the loops: text first. A word is nearly always the narrower.
  const from = joins
    ? 'document_texts CROSS JOIN documents d ON d.id = document_texts.rowid CROSS JOIN filings f ON f.id = d.filing'
    : 'document_texts';
  conditions.add(interruptible('document_texts.rowid'));
  if (joins) conditions.add(where.joined.sql, ...where.joined.values);
  return { sql: `${from} WHERE ${conditions.sql}`, values: conditions.values };
}

function countHits(statements: Statements, expression: string, where: DocumentConditions): number {
  const source = hitSource(expression, where);
  return statements.count(`SELECT count(*) FROM ${source.sql}`, source.values);
}

/**
 * Row ids grow with the filing date, but not with the accession number within a day: hits are read a day at a time, and the
 * days that the window touches are sorted by accession number and sequence.
 */
function hitsByDate(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  order: 'asc' | 'desc',
  from: number,
  to: number,
): FoundHit[] {
  const source = hitSource(expression, where);
  const rows = statements
    .prepareArrays(
      `SELECT document_texts.rowid, bm25(document_texts) FROM ${source.sql} ORDER BY document_texts.rowid ${order === 'asc' ? 'ASC' : 'DESC'}`,
    )
    .iterate(...source.values) as Iterable<unknown> as Iterable<[number, number]>;
  const hits: FoundHit[] = [];
  let day: FoundHit[] = [];
  let dayOf = Number.NaN;
  let position = 0;
  const endDay = () => {
    const start = position;
    position += day.length;
    if (position > from && start < to) {
      if (day.length > 1) sortWithinDay(statements, day);
      hits.push(...day.slice(Math.max(0, from - start), to - start));
    }
    day = [];
  };
  for (const [rowid, rank] of rows) {
    const rowDay = Math.floor(rowid / DOCUMENTS_A_DAY);
    if (rowDay !== dayOf) {
      endDay();
      if (position >= to) break;
      dayOf = rowDay;
    }
    day.push({ rowid, score: -rank });
  }
  endDay();
  return hits;
}

function sortWithinDay(statements: Statements, day: FoundHit[]): void {
  const keys = new Map<number, [string, number]>();
  const rows = statements
    .prepareArrays(
      'SELECT d.id, f.accession, d.sequence FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value CROSS JOIN filings f ON f.id = d.filing',
    )
    .iterate(JSON.stringify(day.map((hit) => hit.rowid))) as Iterable<unknown> as Iterable<[number, string, number]>;
  for (const [id, accession, sequence] of rows) keys.set(id, [accession, sequence]);
  day.sort((a, b) => {
    const [accessionA, sequenceA] = keys.get(a.rowid)!;
    const [accessionB, sequenceB] = keys.get(b.rowid)!;
    return accessionA < accessionB ? -1 : accessionA > accessionB ? 1 : sequenceA - sequenceB;
  });
}

function hitsByScore(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
  order: 'asc' | 'desc',
  from: number,
  to: number,
): FoundHit[] {
  const joined = new Conditions();
  joined.add(where.joined.sql, ...where.joined.values);
  const source = hitSource(expression, { ...where, joined });
  // bm25 is lower for better matches.
  const rows = statements
    .prepareArrays(
      `SELECT document_texts.rowid, bm25(document_texts) AS rank_value FROM ${source.sql}
       ORDER BY rank_value ${order === 'desc' ? 'ASC' : 'DESC'}, f.filing_date DESC, f.accession, d.sequence LIMIT ? OFFSET ?`,
    )
    .all(...source.values, to - from, from) as unknown as [number, number][];
  return rows.map(([rowid, rank]) => ({ rowid, score: -rank }));
}

interface HitRow {
  filing: number;
  sequence: number;
  type: string | null;
  description: string | null;
  filename: string | null;
  size: number;
  pack: number;
  text_offset: number;
  text_length: number;
  accession: AccessionNumber;
  filing_date: string;
  acceptance: string | null;
  form_type: string;
}
interface Party {
  cik: number | null;
  sic: string | null;
}

function writeHit(
  statements: Statements,
  packs: PackReader,
  hit: FoundHit,
  finder: PassageFinder,
  includeText: boolean,
  partiesOfFilings: Map<number, Party[]>,
): FulltextHit {
  const row = statements
    .prepare(
      `SELECT d.filing, d.sequence, d.type, d.description, d.filename, d.size, d.pack, d.text_offset, d.text_length,
       f.accession, f.filing_date, f.acceptance, f.form_type
       FROM documents d JOIN filings f ON f.id = d.filing WHERE d.id = ?`,
    )
    .get(hit.rowid) as unknown as HitRow;
  let parties = partiesOfFilings.get(row.filing);
  if (!parties) {
    parties = statements
      .prepare('SELECT cik, sic FROM filing_parties WHERE filing = ? ORDER BY position')
      .all(row.filing) as unknown as Party[];
    partiesOfFilings.set(row.filing, parties);
  }
  const frame = packs.read({ pack: row.pack, offset: row.text_offset, length: row.text_length });
  const bytes = zstdDecompressSync(frame);
  // Most texts are: read without decoding, and folded without a look at each character.
  const ascii = isAscii(bytes);
  const text = bytes.toString(ascii ? 'latin1' : 'utf8');
  return {
    id: documentId(row.accession, row.sequence),
    score: hit.score,
    accession_number: row.accession,
    form_type: row.form_type,
    filing_date: row.filing_date,
    acceptance_date_time: row.acceptance,
    document_type: row.type,
    document_description: row.description,
    file_name: row.filename,
    ciks: distinct(parties.map((party) => (party.cik === null ? null : String(party.cik)))),
    sics: distinct(parties.map((party) => party.sic)),
    size: row.size,
    highlights: finder.passages(text, { ascii }),
    text_content: includeText ? text : null,
  };
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

function entitiesOf(statements: Statements, hits: readonly FulltextHit[]): FulltextEnvelope['entities'] {
  const ciks = [...new Set(hits.flatMap((hit) => hit.ciks))];
  const read = statements.prepare('SELECT record FROM entities WHERE cik = ?');
  return ciks.map((cik) => {
    const row = read.get(Number(cik)) as { record: string } | undefined;
    const entity = row ? (JSON.parse(row.record) as { name: string | null; tickers: string[] }) : null;
    return { cik, name: entity?.name ?? null, tickers: entity?.tickers ?? [] };
  });
}
