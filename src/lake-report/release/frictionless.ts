/**
 * datapackage.json: the release as a Frictionless Data Package. Each file is a resource: files of several paths would be joined byte by byte.
 * There is no `bytes`: frictionless compares it, and does not count the bytes of Parquet files.
 */
import type { ColumnType } from '../../tables/index.ts';
import { filledTables, type ReleaseManifest, summaryOf } from './manifest.ts';

const TYPES: Readonly<Record<ColumnType, string>> = {
  VARCHAR: 'string',
  INTEGER: 'integer',
  BIGINT: 'integer',
  'DECIMAL(38,12)': 'number',
  DOUBLE: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'datetime',
  TIMESTAMPTZ: 'datetime',
  BLOB: 'any',
};

/** frictionless reads Parquet through pandas, where a null among integers is NaN. */
const NULL_AS_READ = ['', 'nan'];

export function dataPackage(manifest: ReleaseManifest): object {
  const { citation, name, released_at, lake } = manifest;
  return {
    name: name.toLowerCase(),
    id: `${lake.id}/${name}`,
    title: citation.title,
    description: summaryOf(manifest),
    created: released_at,
    ...(citation.license === null ? {} : { licenses: [licenseOf(citation.license)] }),
    ...(citation.creators.length === 0
      ? {}
      : { contributors: citation.creators.map((title) => ({ title, role: 'author' })) }),
    sources: [{ title: 'EDGAR, U.S. Securities and Exchange Commission', path: 'https://www.sec.gov/edgar' }],
    resources: filledTables(manifest).flatMap(([table, { meaning, key, columns, parts }]) =>
      parts.map(({ file, sha256 }, n) => ({
        name: `${table.replaceAll('_', '-')}-${n + 1}`,
        title: table,
        description: meaning,
        type: 'table',
        path: file,
        scheme: 'file',
        format: 'parquet',
        mediatype: 'application/vnd.apache.parquet',
        hash: `sha256:${sha256}`,
        schema: {
          fields: columns.map((column) => ({
            name: column.name,
            type: TYPES[column.type],
            description: column.meaning,
            ...(TYPES[column.type] === 'integer' && { missingValues: NULL_AS_READ }),
          })),
          primaryKey: key,
        },
      })),
    ),
  };
}

function licenseOf(license: string): object {
  return /^https?:/.test(license) ? { path: license } : { name: license };
}
