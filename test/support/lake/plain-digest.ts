/** The digest of rows again, from its description alone: no DuckDB, no SQL. */
import { createHash } from 'node:crypto';
import type { ColumnType } from '../../../src/lake/tables/index.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();

/** A value as `lake.query` gives it: times ISO 8601, bytes base64. */
function textOf(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return '-';
  if (type === 'BLOB') {
    const bytes = Buffer.from(String(value), 'base64');
    return `${bytes.length}:${sha256(bytes).toString('hex')}`;
  }
  let text = String(value);
  if (type === 'TIMESTAMP' || type === 'TIMESTAMPTZ') text = microseconds(text);
  if (type === 'DECIMAL(38,12)') text = decimals(text);
  if (type === 'DOUBLE') text = bits(Number(value));
  const bytes = Buffer.from(text);
  return `${bytes.length}:${type === 'VARCHAR' && bytes.length > 64 ? sha256(bytes).toString('hex') : text}`;
}

/** Twelve digits after the point. */
function decimals(text: string): string {
  const [whole, fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}

function bits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}

function microseconds(text: string): string {
  const [, day, time, fraction = ''] = /^(\S+)[T ]([\d:]+)(?:\.(\d+))?/.exec(text)!;
  return String(BigInt(Date.parse(`${day}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0')));
}

export function plainDigest(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly { name: string; type: ColumnType }[],
): string {
  const digests = rows.map((row) => sha256(columns.map(({ name, type }) => textOf(row[name], type)).join('')));
  return createHash('sha256')
    .update(columns.map(({ name, type }) => `${name} ${type}\n`).join(''))
    .update(Buffer.concat(digests.sort(Buffer.compare)))
    .digest('hex');
}
