/** `manifest.json`: what a release's folder has, and the digests of its rows. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ColumnType, TableDefinition } from '../tables/index.ts';
import type { DigestedColumn } from './row-digest.ts';

export const MANIFEST_FORMAT = 1;
export const MANIFEST = 'manifest.json';
/** SHA-256 of every other file, in the format of `sha256sum -c`. Written last. */
export const SUMS = 'SHA256SUMS';

export interface ReleasedPart {
  /** Path within the release's folder. */
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReleasedTable {
  readonly meaning: string;
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: ColumnType; readonly meaning: string }[];
  readonly rows: number;
  /** Of the rows, over `columns`. Null: rows of two exports of the same filings differ. */
  readonly digest: { readonly sha256: string; readonly columns: readonly string[] } | null;
  /** What the digest doesn't cover, and why. `column` null: the whole table. */
  readonly left_out: readonly { readonly column: string | null; readonly why: string }[];
  readonly parts: readonly ReleasedPart[];
}

/** What a lake knows of its release. Who writes the folder adds more members. */
export interface LakeManifest {
  readonly format: number;
  readonly name: string;
  readonly lake: { readonly id: string; readonly version: number; readonly committed_at: string | null };
  /** How digests of rows are made. */
  readonly method: string;
  /** Of all tables with a digest and rows. */
  readonly digest: string;
  readonly tables: Readonly<Record<string, ReleasedTable>>;
}

/** The columns that a digest covers; null: none. */
export function digestedColumns(table: TableDefinition): DigestedColumn[] | null {
  if (table.varies !== undefined) return null;
  return table.columns.filter(({ varies }) => varies === undefined).map(({ name, type }) => ({ name, type }));
}

export function leftOut(table: TableDefinition): ReleasedTable['left_out'] {
  if (table.varies !== undefined) return [{ column: null, why: table.varies }];
  return table.columns.flatMap(({ name, varies }) => (varies === undefined ? [] : { column: name, why: varies }));
}

/** One digest of a whole release. Tables without rows don't count: a lake may lack them. */
export function releaseDigest(tables: Readonly<Record<string, Pick<ReleasedTable, 'rows' | 'digest'>>>): string {
  const lines = Object.entries(tables)
    .filter(([, { rows, digest }]) => digest !== null && rows > 0)
    .map(([name, { rows, digest }]) => `${name} ${rows} ${digest!.sha256}\n`)
    .sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** The text of SHA256SUMS. @param sums by path */
export function sumsText(sums: ReadonlyMap<string, string>): string {
  const lines = [...sums].map(([file, sha256]) => `${sha256}  ${file}\n`);
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('');
}

const COLUMN_TYPES = [
  ...(['VARCHAR', 'INTEGER', 'BIGINT', 'DECIMAL(38,12)', 'DOUBLE', 'BOOLEAN', 'DATE'] as const),
  ...(['TIMESTAMP', 'TIMESTAMPTZ', 'BLOB'] as const),
] satisfies ColumnType[];
const sqlName = z.string().regex(/^\w{1,100}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a stranger's manifest must be before its names go into paths and SQL. Other members may be there. */
const MANIFEST_SHAPE = z.looseObject({
  format: z.number(),
  name: z.string(),
  lake: z.looseObject({ id: z.string(), version: z.number() }),
  method: z.string(),
  digest: sha256,
  tables: z.record(
    sqlName,
    z.looseObject({
      meaning: z.string(),
      key: z.array(sqlName),
      columns: z.array(z.looseObject({ name: sqlName, type: z.enum(COLUMN_TYPES), meaning: z.string() })),
      rows: z.number(),
      digest: z.looseObject({ sha256, columns: z.array(sqlName) }).nullable(),
      left_out: z.array(z.looseObject({ column: sqlName.nullable(), why: z.string() })),
      parts: z.array(
        z.looseObject({
          file: z.string().regex(/^tables\/\w+\/\d+\.parquet$/),
          rows: z.number(),
          bytes: z.number(),
          sha256,
        }),
      ),
    }),
  ),
});

/** @returns why it is none; null: it is one */
export function manifestFault(value: unknown): string | null {
  const { error } = MANIFEST_SHAPE.safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue === undefined ? null : `${issue.path.join('.') || 'it'}: ${issue.message}`;
}
