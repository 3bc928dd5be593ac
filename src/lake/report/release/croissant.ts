/** croissant.json: the release in MLCommons' Croissant 1.0, which hubs and loaders of data sets read. */
import type { ColumnType } from '../../tables/index.ts';
import { citationText, filledTables, type ReleaseManifest, summaryOf } from './manifest.ts';

/** Croissant's name of the format. */
const PARQUET = 'application/x-parquet';

/** The context that the specification gives. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
} as const;

const TYPES: Readonly<Record<ColumnType, string>> = {
  VARCHAR: 'sc:Text',
  INTEGER: 'sc:Integer',
  BIGINT: 'sc:Integer',
  'DECIMAL(38,12)': 'sc:Float',
  DOUBLE: 'sc:Float',
  BOOLEAN: 'sc:Boolean',
  DATE: 'sc:Date',
  TIMESTAMP: 'sc:DateTime',
  TIMESTAMPTZ: 'sc:DateTime',
  BLOB: 'sc:Text',
};

export function croissant(manifest: ReleaseManifest): object {
  const { citation, name, released_at } = manifest;
  const tables = filledTables(manifest);
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: citation.title,
    description: manifest.note === null ? summaryOf(manifest) : `${summaryOf(manifest)} ${manifest.note}`,
    citeAs: citationText(manifest),
    datePublished: released_at.slice(0, 10),
    version: /^\d+\.\d+\.\d+$/.test(name) ? name : '1.0.0',
    alternateName: name,
    ...(citation.license === null ? {} : { license: citation.license }),
    ...(citation.creators.length === 0
      ? {}
      : { creator: citation.creators.map((one) => ({ '@type': 'sc:Person', name: one })) }),
    ...(citation.publisher === null ? {} : { publisher: { '@type': 'sc:Organization', name: citation.publisher } }),
    url: citation.doi === null ? 'https://www.sec.gov/edgar' : `https://doi.org/${citation.doi}`,
    isLiveDataset: false,
    distribution: tables.flatMap(([table, { parts }]) => [
      {
        '@type': 'cr:FileSet',
        '@id': table,
        name: table,
        encodingFormat: PARQUET,
        includes: `tables/${table}/*.parquet`,
      },
      ...parts.map(({ file, bytes, sha256 }) => ({
        '@type': 'cr:FileObject',
        '@id': file,
        name: file.split('/').at(-1),
        contentUrl: file,
        contentSize: `${bytes} B`,
        encodingFormat: PARQUET,
        sha256,
      })),
    ]),
    recordSet: tables.map(([table, { meaning, key, columns }]) => ({
      '@type': 'cr:RecordSet',
      '@id': `rows/${table}`,
      name: table,
      description: meaning,
      key: key.map((column) => ({ '@id': `rows/${table}/${column}` })),
      field: columns.map((column) => ({
        '@type': 'cr:Field',
        '@id': `rows/${table}/${column.name}`,
        name: column.name,
        description: column.meaning,
        dataType: TYPES[column.type],
        source: { fileSet: { '@id': table }, extract: { column: column.name } },
      })),
    })),
  };
}
