/** A page of records (docs/api.md#paging-and-order). Records are texts made at ingest; a page is a walk along an index. */
import { FilinglakeError } from '../../../core/index.ts';
import type { Statements } from '../rows/statements.ts';

export interface LookupPage {
  /** Matching records in all, not only those of the window. */
  count: number;
  /** JSON text of each record of the window, in order. */
  records: string[];
  /** Whether `maxBytes` ended the page before the window did. */
  truncated: boolean;
}

export interface PageLimits {
  /** Maximum bytes of the JSON array of records. At least one record is given. */
  maxBytes?: number;
  /** Milliseconds. Work that can not end within them is refused before it runs */
  limitMs?: number | undefined;
}

export function takeRecords(
  statements: Statements,
  rows: Iterable<unknown>,
  maxBytes = Number.POSITIVE_INFINITY,
): Omit<LookupPage, 'count'> {
  const records: string[] = [];
  // `[`, and after each record `,` or `]`.
  let bytes = 1;
  for (const row of rows) {
    const record = (row as [string])[0];
    if (maxBytes !== Number.POSITIVE_INFINITY) {
      bytes += Buffer.byteLength(record) + 1;
      if (bytes > maxBytes && records.length > 0) return { records, truncated: true };
    }
    records.push(record);
    if (records.length % 256 === 0) statements.stillWanted();
  }
  return { records, truncated: false };
}

/** A page of filings, as bytes: a full page is never decoded, and costs a third of one made of strings. */
export interface FilingsPage {
  /** Matching filings in all, not only those of the window. */
  count: number;
  /** UTF-8 of the JSON texts of the window's records, in order, separated by commas. In pieces, for the caller to join */
  pieces: Uint8Array[];
  /** Whether `maxBytes` ended the page before the window did. */
  truncated: boolean;
}

/** Filings whose records SQLite joins at a time. More at once make SQLite enlarge its buffer again and again. */
const RECORDS_A_PIECE = 256;
const COMMA = Buffer.from(',');

/** @param ids of the window's filings, in order */
export function joinFilingRecords(
  statements: Statements,
  ids: readonly number[],
  maxBytes = Number.POSITIVE_INFINITY,
): Omit<FilingsPage, 'count'> {
  const pieces: Uint8Array[] = [];
  // `[`, and after each record `,` or `]`.
  let bytes = 1;
  let truncated = false;
  const add = (some: readonly number[]): void => {
    statements.stillWanted();
    const piece = recordsOf(statements, some);
    const isFirst = pieces.length === 0;
    if (bytes + piece.byteLength + 1 <= maxBytes || (isFirst && some.length === 1)) {
      if (!isFirst) pieces.push(COMMA);
      pieces.push(piece);
      bytes += piece.byteLength + 1;
      return;
    }
    if (some.length > 1) {
      const half = some.length >> 1;
      add(some.slice(0, half));
      if (!truncated) add(some.slice(half));
    } else truncated = true;
  };
  for (let at = 0; at < ids.length && !truncated; at += RECORDS_A_PIECE) add(ids.slice(at, at + RECORDS_A_PIECE));
  return { pieces, truncated };
}

function recordsOf(statements: Statements, ids: readonly number[]): Uint8Array {
  const { n, json } = statements
    .prepare(
      `SELECT count(*) AS n, CAST(group_concat(record, ',') AS BLOB) AS json
       FROM (SELECT record FROM json_each(?) CROSS JOIN filing_records ON filing = value)`,
    )
    .get(JSON.stringify(ids)) as { n: number; json: Uint8Array };
  // A join drops a filing without a record. That must not look like a shorter page.
  if (n !== ids.length) throw new FilinglakeError('catalog-unreadable', 'a filing of the catalog has no record');
  return json;
}
