/** A table of the lake as Iceberg describes it: schema, names of columns in files without field ids, records of manifests. */
import type { ColumnType, TableDefinition } from '../../tables/index.ts';
import type { AvroSchema } from './avro.ts';

const ICEBERG_TYPES: Readonly<Record<ColumnType, string>> = {
  VARCHAR: 'string',
  INTEGER: 'int',
  BIGINT: 'long',
  'DECIMAL(38,12)': 'decimal(38, 12)',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  TIMESTAMPTZ: 'timestamptz',
  BLOB: 'binary',
};

/** Columns are only added at the end, so their places are their ids for good. */
export function icebergSchema({ columns }: TableDefinition): object {
  return {
    type: 'struct',
    'schema-id': 0,
    fields: columns.map(({ name, type, meaning }, i) => ({
      id: i + 1,
      name,
      required: false,
      type: ICEBERG_TYPES[type],
      doc: meaning,
    })),
  };
}

/** The parts have no field ids: readers find columns by their names. */
export function nameMapping({ columns }: TableDefinition): string {
  return JSON.stringify(columns.map(({ name }, i) => ({ 'field-id': i + 1, names: [name] })));
}

const field = (name: string, type: AvroSchema, id: number) => ({ name, type, 'field-id': id });
const optional = (type: AvroSchema): AvroSchema => ['null', type];

/** Values by column id: Avro has no maps with numbers as keys. */
const byColumn = (type: AvroSchema, key: number): AvroSchema => ({
  type: 'array',
  items: {
    type: 'record',
    name: `k${key}_v${key + 1}`,
    fields: [field('key', 'int', key), field('value', type, key + 1)],
  },
  logicalType: 'map',
});

/** An entry of a manifest: a part. */
export const MANIFEST_ENTRY: AvroSchema = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field('status', 'int', 0),
    field('snapshot_id', optional('long'), 1),
    field('sequence_number', optional('long'), 3),
    field('file_sequence_number', optional('long'), 4),
    field(
      'data_file',
      {
        type: 'record',
        name: 'r2',
        fields: [
          field('content', 'int', 134),
          field('file_path', 'string', 100),
          field('file_format', 'string', 101),
          field('partition', { type: 'record', name: 'r102', fields: [] }, 102),
          field('record_count', 'long', 103),
          field('file_size_in_bytes', 'long', 104),
          field('value_counts', byColumn('long', 119), 109),
          field('null_value_counts', byColumn('long', 121), 110),
          field('lower_bounds', byColumn('bytes', 126), 125),
          field('upper_bounds', byColumn('bytes', 129), 128),
        ],
      },
      2,
    ),
  ],
};

/** An entry of a snapshot's list: a manifest. */
export const MANIFEST_FILE: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field('manifest_path', 'string', 500),
    field('manifest_length', 'long', 501),
    field('partition_spec_id', 'int', 502),
    field('content', 'int', 517),
    field('sequence_number', 'long', 515),
    field('min_sequence_number', 'long', 516),
    field('added_snapshot_id', 'long', 503),
    field('added_files_count', 'int', 504),
    field('existing_files_count', 'int', 505),
    field('deleted_files_count', 'int', 506),
    field('added_rows_count', 'long', 512),
    field('existing_rows_count', 'long', 513),
    field('deleted_rows_count', 'long', 514),
  ],
};
