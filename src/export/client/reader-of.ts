/** Readers follow from the schemas of src/filings/api. Each is made once, at its first use: reading itself needs no zod. */
import type { z } from 'zod';
import { kindOf, type ValueKind } from '../../filings/api/index.ts';
import { OTHER_NAMES } from './other-names.ts';
import {
  accessionNumber,
  cik,
  content,
  date,
  dateTime,
  digits,
  documentId,
  flag,
  integer,
  itemNumber,
  listOf,
  mapOf,
  number,
  oneOf,
  orNull,
  type Reader,
  revision,
  text,
  utcTime,
  word,
} from './read.ts';
import { recordOf } from './record.ts';

const VALUES: Readonly<Record<ValueKind, Reader<unknown>>> = {
  'accession number': accessionNumber,
  'document id': documentId,
  CIK: cik,
  date,
  'date and time': dateTime,
  'UTC time': utcTime,
  '8-K item': itemNumber,
  revision,
  content,
};

const anything: Reader<unknown> = { canonical: () => true, read: (value) => value };

type Readers = WeakMap<z.core.$ZodType, Reader<unknown>>;
const readers: Readers = new WeakMap();
const partialReaders: Readers = new WeakMap();

/** The tolerant reader of a schema's values. */
export function readerOf<Schema extends z.core.$ZodType>(schema: Schema): Reader<z.output<Schema>> {
  return madeOnce(readers, schema, readerFor) as Reader<z.output<Schema>>;
}

type Nullable<Members> = { [Name in keyof Members]: Members[Name] | null };

/** The reader of a record in which a service may leave out any member. */
export function partialReaderOf<Schema extends z.ZodObject>(schema: Schema): Reader<Nullable<z.output<Schema>>> {
  return madeOnce(partialReaders, schema, () => recordReader(schema, orNull)) as Reader<Nullable<z.output<Schema>>>;
}

function madeOnce(made: Readers, schema: z.core.$ZodType, make: (schema: z.core.$ZodTypes) => Reader<unknown>) {
  const known = made.get(schema) ?? make(schema as z.core.$ZodTypes);
  made.set(schema, known);
  return known;
}

function readerFor(schema: z.core.$ZodTypes): Reader<unknown> {
  const kind = kindOf(schema);
  const { def } = schema._zod;
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return orNull(readerOf(def.innerType));
    case 'string':
      if (kind.digits !== undefined) return digits(kind.digits);
      return kind.value === undefined ? text : VALUES[kind.value];
    // Type and encoding of a file: the client checks the file itself.
    case 'literal':
      return text;
    case 'number':
      return 'format' in def ? integer : number;
    case 'boolean':
      return flag;
    case 'enum':
      return oneOf(Object.values(def.entries).map(String));
    case 'array':
      return listOf(isPlainText(def.element) ? word : readerOf(def.element));
    case 'record':
      return mapOf(readerOf(def.valueType));
    case 'object':
      return recordReader(schema as z.core.$ZodObject);
    case 'unknown':
      return anything;
    default:
      throw new TypeError(`no reader for values of type ${def.type}`);
  }
}

function isPlainText(schema: z.core.$ZodType): boolean {
  const { value, digits } = kindOf(schema);
  return (schema as z.core.$ZodTypes)._zod.def.type === 'string' && value === undefined && digits === undefined;
}

function recordReader(
  schema: z.core.$ZodObject,
  member: (reader: Reader<unknown>) => Reader<unknown> = (reader) => reader,
): Reader<Record<string, unknown>> {
  const shape = Object.entries(schema._zod.def.shape);
  const name = kindOf(schema).record ?? 'record';
  const fields = Object.fromEntries(shape.map(([field, type]) => [field, member(readerOf(type))]));
  const optional = shape.filter(([, type]) => (type as z.core.$ZodTypes)._zod.def.type === 'optional');
  return recordOf(
    name,
    fields,
    OTHER_NAMES[name],
    optional.map(([field]) => field),
  );
}
