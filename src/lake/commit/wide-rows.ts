/**
 * Rows with a value of tens of megabytes. The value gets a separate file, unchanged. In a line of NDJSON, DuckDB would hold it
 * several times over, in buffers as long as the longest line, for each thread. The table's line has null in its place.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quoteName, quoteText } from '../../core/index.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import type { Row } from './rows.ts';

/** Bytes of UTF-8 from which a value gets a separate file: DuckDB reads lines of 16 MB by default. */
export const WIDE_VALUE_BYTES = 12 * 2 ** 20;
/** Characters written at a time. Between them, the event loop serves the connections. */
const SLICE_CHARACTERS = 2 ** 20;

/** A value in a separate file. */
export interface WideValue {
  /** Within the batch's folder. */
  readonly file: string;
  readonly bytes: number;
}

/** A row whose widest values are in separate files. */
export interface WideRow {
  /** Number of its line in the table's file, where these values are null. */
  readonly ordinal: number;
  /** The row without them. */
  readonly row: Row;
  readonly values: Readonly<Record<string, WideValue>>;
}

/** Columns of a row whose values get separate files. @param limit in bytes */
export function wideColumns(table: TableDefinition, row: Row, limit: number): string[] {
  return table.wide.filter((name) => {
    const value = row[name];
    // A UTF-16 unit has at most three bytes.
    if (typeof value !== 'string' || value.length * 3 <= limit) return false;
    return value.length > limit || Buffer.byteLength(value) > limit;
  });
}

/** Writes a value to a separate file, piece by piece and durably. Nobody else writes there, and it never changes afterwards. */
export async function writeWideValue(
  storage: LakeStorage,
  folder: string,
  { columns }: TableDefinition,
  column: string,
  text: string,
): Promise<WideValue> {
  const name = `${randomUUID()}.value`;
  const file = storage.openGrowing(`${folder}/${name}`);
  const isBytes = columns.find((one) => one.name === column)?.type === 'BLOB';
  let bytes = 0;
  try {
    for (const slice of isBytes ? [Buffer.from(text, 'base64')] : slicesOf(text.toWellFormed())) {
      file.append(slice);
      bytes += slice.length;
      await nextTurn();
    }
    // Durable before any line names it: after a power cut a named file is whole.
    await file.sync();
  } finally {
    file.close();
  }
  return { file: name, bytes };
}

/** As UTF-8; pairs of surrogates stay together. */
function* slicesOf(text: string): Iterable<Buffer> {
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + SLICE_CHARACTERS, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--;
    yield Buffer.from(text.slice(from, end));
    from = end;
  }
}

export function bytesOfWideRow({ values }: WideRow): number {
  return Object.values(values).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A SELECT of one row. @param url the path of a file in the batch's folder */
export function selectWideRow(table: TableDefinition, { row, values }: WideRow, url: (file: string) => string): string {
  const from: string[] = [];
  const columns = table.columns.map(({ name, type }) => {
    const value = values[name];
    if (value) {
      const alias = `_v${from.length}`;
      const read = type === 'BLOB' ? 'read_blob' : 'read_text';
      from.push(`${read}(${quoteText(url(value.file))}) ${alias}`);
      return `${alias}.content AS ${quoteName(name)}`;
    }
    const given = row[name];
    if (given === null || given === undefined) return `NULL::${type} AS ${quoteName(name)}`;
    const literal = literalOf(String(given));
    return `${type === 'BLOB' ? `from_base64(${literal})` : `${literal}::${type}`} AS ${quoteName(name)}`;
  });
  return `SELECT ${columns.join(', ')} FROM ${from.join(', ')}`;
}

/** DuckDB's parser ends a statement at a NUL. */
function literalOf(text: string): string {
  return text.includes('\0') ? `(${text.split('\0').map(quoteText).join(' || chr(0) || ')})` : quoteText(text);
}
