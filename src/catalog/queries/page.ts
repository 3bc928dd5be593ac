/** A page of records (docs/api.md#paging-and-order). Records are texts made at ingest; a page is a walk along an index. */
import type { Statements } from '../statements.ts';

export interface LookupPage {
  /** How many records match in all, whatever the window. */
  count: number;
  /** JSON text of each record of the window, in order. */
  records: string[];
  /** Whether `maxBytes` ended the page before the window did. */
  truncated: boolean;
}

export interface PageLimits {
  /** Maximum bytes of the JSON array of records. At least one record is given. */
  maxBytes?: number;
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
