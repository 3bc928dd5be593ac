/**
 * The digest of a table's rows: SHA-256 over the names and types of its columns, and the sorted SHA-256 digests of the rows. It doesn't
 * depend on their order, on files, or on the machine. Each row counts as often as it occurs.
 * docs/internals/decisions/digests-of-rows.md says why not a sum.
 */
import { createHash, type Hash } from 'node:crypto';
import type { DuckDBConnection, DuckDBUBigIntVector } from '@duckdb/node-api';
import { quoteName } from '../../core/index.ts';
import type { ColumnType } from '../tables/index.ts';

/** Changes if rows get another digest. */
export const DIGEST_METHOD = 'filinglake-rows-2';

export interface DigestedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export interface RowsDigest {
  readonly rows: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * SQL for the SHA-256 of a row, hexadecimal. The row's text is its columns in their order: `-` for null, else the number of the value's
 * bytes, a colon, and the value. Instead of bytes, and of a text of more than 64 bytes, stands their SHA-256.
 */
export function rowDigestSql(columns: readonly DigestedColumn[]): string {
  const texts = columns.map(({ name, type }) => `coalesce(${textOf(quoteName(name), type)}, '-')`);
  return `sha256(${texts.length === 0 ? "''" : texts.join(' || ')})`;
}

/** Null for null; else the same text in every version of DuckDB. */
function textOf(value: string, type: ColumnType): string {
  const sized = (text: string) => `strlen(${text})::VARCHAR || ':' || ${text}`;
  switch (type) {
    case 'VARCHAR':
      return `strlen(${value})::VARCHAR || ':' || CASE WHEN strlen(${value}) > 64 THEN sha256(${value}) ELSE ${value} END`;
    case 'BLOB':
      return `octet_length(${value})::VARCHAR || ':' || sha256(${value})`;
    case 'DOUBLE':
      // Its 64 bits: 0 and -0 differ. All NaN are one value.
      return sized(`CASE WHEN isnan(${value}) THEN 'nan' ELSE ${value}::BIT::VARCHAR END`);
    case 'TIMESTAMP':
    case 'TIMESTAMPTZ':
      // Microseconds since 1970, whatever the session's time zone is.
      return sized(`CASE WHEN isfinite(${value}) THEN epoch_us(${value})::VARCHAR ELSE ${value}::VARCHAR END`);
    case 'INTEGER':
    case 'BIGINT':
    case 'DECIMAL(38,12)':
    case 'BOOLEAN':
    case 'DATE':
      return sized(`${value}::VARCHAR`);
  }
}

const LANES = [0, 1, 2, 3] as const;

/** A line for each column, so that exchanged names are another table. */
function begun(columns: readonly DigestedColumn[]): Hash {
  return createHash('sha256').update(columns.map(({ name, type }) => `${name} ${type}\n`).join(''));
}

export function digestOfNoRows(columns: readonly DigestedColumn[]): RowsDigest {
  return { rows: 0, sha256: begun(columns).digest('hex') };
}

/** Streams the digests of the rows in order. DuckDB sorts on disk what memory can't hold. @param from a FROM item */
export async function digestRows(
  connection: DuckDBConnection,
  from: string,
  columns: readonly DigestedColumn[],
): Promise<RowsDigest> {
  // Four numbers of 64 bits are sorted and read many times faster than texts.
  const lanes = LANES.map((lane) => `('0x' || substr(d, ${lane * 16 + 1}, 16))::UBIGINT AS lane${lane}`).join(', ');
  const result = await connection.stream(
    `SELECT ${lanes} FROM (SELECT ${rowDigestSql(columns)} AS d FROM ${from}) ORDER BY ALL`,
  );
  const digest = begun(columns);
  let rows = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    const vectors = LANES.map((lane) => chunk.getColumnVector(lane) as DuckDBUBigIntVector);
    const bytes = Buffer.alloc(chunk.rowCount * 32);
    for (let row = 0; row < chunk.rowCount; row++) {
      for (const lane of LANES) bytes.writeBigUInt64BE(vectors[lane]!.getItem(row)!, row * 32 + lane * 8);
    }
    digest.update(bytes);
    rows += chunk.rowCount;
  }
  return { rows, sha256: digest.digest('hex') };
}
