/** Writes Avro object container files (Avro 1.11): the few types that Iceberg's manifests need. */
import { createHash } from 'node:crypto';

export type AvroSchema =
  | 'null'
  | 'int'
  | 'long'
  | 'string'
  | 'bytes'
  | { readonly type: 'array'; readonly items: AvroSchema; readonly logicalType?: 'map' }
  | { readonly type: 'record'; readonly name: string; readonly fields: readonly AvroField[] }
  | readonly ['null', AvroSchema];

interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  /** Iceberg's number of the field. */
  readonly 'field-id': number;
}

export type AvroValue =
  | null
  | number
  | string
  | Uint8Array
  | readonly AvroValue[]
  | { readonly [field: string]: AvroValue };

/** The same bytes for the same records: the marker between blocks is a hash of them. */
export function avroFile(
  schema: AvroSchema,
  records: readonly AvroValue[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const body = Buffer.concat(records.map((record) => encoded(schema, record)));
  const meta = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata };
  const entries = Object.entries(meta).flatMap(([key, value]) => [text(key), text(value)]);
  const header = Buffer.concat([Buffer.from('Obj\x01'), long(entries.length / 2), ...entries, long(0)]);
  const marker = createHash('sha256').update(header).update(body).digest().subarray(0, 16);
  const block = records.length === 0 ? [] : [long(records.length), long(body.length), body, marker];
  return Buffer.concat([header, marker, ...block]);
}

function encoded(schema: AvroSchema, value: AvroValue): Buffer {
  if (Array.isArray(schema)) {
    return value === null ? long(0) : Buffer.concat([long(1), encoded(schema[1] as AvroSchema, value)]);
  }
  if (schema === 'null') return Buffer.alloc(0);
  if (schema === 'int' || schema === 'long') return long(value as number);
  if (schema === 'string') return text(value as string);
  if (schema === 'bytes') return Buffer.concat([long((value as Uint8Array).length), value as Uint8Array]);
  const kind = schema as Exclude<AvroSchema, string | readonly ['null', AvroSchema]>;
  if (kind.type === 'array') {
    const items = (value as readonly AvroValue[]).map((item) => encoded(kind.items, item));
    return Buffer.concat(items.length === 0 ? [long(0)] : [long(items.length), ...items, long(0)]);
  }
  const { fields } = kind as { fields: readonly AvroField[] };
  return Buffer.concat(
    fields.map(({ name, type }) => encoded(type, (value as Record<string, AvroValue>)[name] ?? null)),
  );
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([long(bytes.length), bytes]);
}

/** Zigzag, seven bits a byte, the lowest first. */
function long(value: number): Buffer {
  let rest = value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value);
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
