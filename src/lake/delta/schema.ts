/** Converts a table of the lake to Delta's schema and protocol. */
import type { ColumnType, TableDefinition } from '../tables/index.ts';

const DELTA_TYPES: Readonly<Record<ColumnType, string>> = {
  VARCHAR: 'string',
  INTEGER: 'integer',
  BIGINT: 'long',
  'DECIMAL(38,12)': 'decimal(38,12)',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp_ntz',
  TIMESTAMPTZ: 'timestamp',
  BLOB: 'binary',
};

/** `schemaString` of a Delta `metaData` action. Every column is nullable: a later one is null in old parts. */
export function deltaSchema(table: TableDefinition): string {
  const fields = table.columns.map(({ name, type, meaning }) => ({
    name,
    type: DELTA_TYPES[type],
    nullable: true,
    metadata: { comment: meaning },
  }));
  return JSON.stringify({ type: 'struct', fields });
}

export interface DeltaProtocol {
  minReaderVersion: number;
  minWriterVersion: number;
  readerFeatures?: string[];
  writerFeatures?: string[];
}

/** The oldest protocol that every reader knows. A time without zone needs the newest, with that one feature. */
export function deltaProtocol(table: TableDefinition): DeltaProtocol {
  if (!table.columns.some((column) => column.type === 'TIMESTAMP')) return { minReaderVersion: 1, minWriterVersion: 2 };
  return {
    minReaderVersion: 3,
    minWriterVersion: 7,
    readerFeatures: ['timestampNtz'],
    writerFeatures: ['timestampNtz'],
  };
}

/** Whether a table with one protocol supports everything that another requires. */
export function protocolSuffices(has: DeltaProtocol, needed: DeltaProtocol): boolean {
  const features = (list: readonly string[] | null | undefined, of: readonly string[] | undefined) =>
    (of ?? []).every((feature) => list?.includes(feature));
  return (
    has.minReaderVersion >= needed.minReaderVersion &&
    has.minWriterVersion >= needed.minWriterVersion &&
    features(has.readerFeatures, needed.readerFeatures) &&
    features(has.writerFeatures, needed.writerFeatures)
  );
}
