/** Stata's file of data, version 118 (Stata 14 and later): `help dta_118`. Our own, since no kept-up library for Node writes it. */
import { quoteName } from '../../core/index.ts';
import type { QueryResult } from './query.ts';
import type { LakeReader } from './reader.ts';
import type { Cell } from './values.ts';

export interface StataColumn {
  /** At most 32 letters, digits and `_`. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'whole' | 'day' | 'time';
  /** Of its longest value, in bytes of UTF-8; of texts only. */
  readonly bytes?: number;
  readonly label?: string;
}

/** Stata cuts longer texts. */
export const STATA_TEXT_BYTES = 2045;
const SECONDS_1960 = Date.UTC(1960, 0, 1);
const DAY_MS = 86_400_000;
const MISSING_DOUBLE = 0x7fe0000000000000n;
const MISSING_LONG = 0x7fffffe5;
const LONG_MAX = 0x7fffffe4;

interface Storage {
  readonly code: number;
  readonly width: number;
  readonly format: string;
  readonly put: (bytes: Buffer, at: number, cell: Cell) => void;
}

const putDouble = (bytes: Buffer, at: number, value: number | null) => {
  if (value === null || !Number.isFinite(value)) bytes.writeBigUInt64LE(MISSING_DOUBLE, at);
  else bytes.writeDoubleLE(value, at);
};
const putLong = (bytes: Buffer, at: number, value: number | null) => {
  if (value !== null && !(Math.abs(value) <= LONG_MAX))
    throw new RangeError(`${value} is not a whole number that Stata can store`);
  bytes.writeInt32LE(value ?? MISSING_LONG, at);
};

/** Days and times count from 1960; times have no zone. */
function storageOf({ kind, bytes = 1 }: StataColumn): Storage {
  const width = Math.min(STATA_TEXT_BYTES, Math.max(1, bytes));
  const msOf = (cell: Cell) => Date.parse(`${String(cell).slice(0, 19)}Z`) - SECONDS_1960;
  switch (kind) {
    case 'text':
      return {
        code: width,
        width,
        format: `%-${width}s`,
        put: (row, at, cell) => void row.write(cell === null ? '' : String(cell), at, width, 'utf8'),
      };
    case 'number':
      return {
        code: 65526,
        width: 8,
        format: '%18.0g',
        put: (row, at, cell) => putDouble(row, at, cell === null ? null : Number(cell)),
      };
    case 'whole':
      return {
        code: 65528,
        width: 4,
        format: '%12.0g',
        put: (row, at, cell) => putLong(row, at, cell === null ? null : Number(cell)),
      };
    case 'day':
      return {
        code: 65528,
        width: 4,
        format: '%td',
        put: (row, at, cell) =>
          putLong(row, at, cell === null ? null : (Date.parse(`${cell}T00:00:00Z`) - SECONDS_1960) / DAY_MS),
      };
    case 'time':
      return {
        code: 65526,
        width: 8,
        format: '%tc',
        put: (row, at, cell) => putDouble(row, at, cell === null ? null : msOf(cell)),
      };
  }
}

const KINDS: Readonly<Record<string, StataColumn['kind']>> = {
  INTEGER: 'whole',
  DOUBLE: 'number',
  DATE: 'day',
  TIMESTAMP: 'time',
};

/** The rows of a query as Stata's file, with a label for each variable. It begins with the number of rows and the length of the longest text. */
export async function* stataRows(
  lake: Pick<LakeReader, 'query' | 'stream'>,
  sql: string,
  at: number,
  labelOf: (column: string) => string,
): AsyncGenerator<Buffer> {
  await using result = await lake.stream(sql, { at });
  yield* stataFile(...(await measured(lake, result, sql, labelOf)), result.chunks());
}

async function measured(
  lake: Pick<LakeReader, 'query'>,
  { columns, version: at }: QueryResult,
  sql: string,
  labelOf: (column: string) => string,
): Promise<[StataColumn[], number]> {
  const texts = columns.filter(({ type }) => KINDS[type] === undefined);
  const lengths = texts.map(({ name }) => `max(strlen(${quoteName(name)})) AS ${quoteName(name)}`);
  const [measures] = await lake.query(`SELECT count(*) AS "row count", ${lengths.join(', ')} FROM (${sql})`, { at });
  const described = columns.map(({ name, type }) => ({
    // A name of Stata has 32 characters.
    name: name.slice(0, 32),
    label: labelOf(name),
    kind: KINDS[type] ?? 'text',
    ...(KINDS[type] === undefined ? { bytes: Number(measures![name] ?? 0) } : {}),
  }));
  return [described, Number(measures!['row count'])];
}

/** @param rows of all chunks: the file states it first @throws RangeError other rows, or a number that is too large */
export async function* stataFile(
  columns: readonly StataColumn[],
  rows: number,
  chunks: AsyncIterable<Cell[][]>,
): AsyncGenerator<Buffer> {
  const storages = columns.map(storageOf);
  const width = storages.reduce((sum, storage) => sum + storage.width, 0);
  const tag = (name: string, ...content: Buffer[]) =>
    Buffer.concat([Buffer.from(`<${name}>`), ...content, Buffer.from(`</${name}>`)]);
  const whole = (bytes: number, value: number) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
    else buffer.writeUIntLE(value, 0, bytes);
    return buffer;
  };
  const padded = (text: string, bytes: number) => {
    const buffer = Buffer.alloc(bytes);
    buffer.write(text, 0, bytes - 1, 'utf8');
    return buffer;
  };
  const header = tag(
    'header',
    tag('release', Buffer.from('118')),
    tag('byteorder', Buffer.from('LSF')),
    tag('K', whole(2, columns.length)),
    tag('N', whole(8, rows)),
    tag('label', whole(2, 0)),
    tag('timestamp', whole(1, 0)),
  );
  const described = [
    tag('variable_types', ...storages.map(({ code }) => whole(2, code))),
    tag('varnames', ...columns.map(({ name }) => padded(name, 129))),
    tag('sortlist', Buffer.alloc(2 * (columns.length + 1))),
    tag('formats', ...storages.map(({ format }) => padded(format, 57))),
    tag('value_label_names', Buffer.alloc(129 * columns.length)),
    tag('variable_labels', ...columns.map(({ label = '' }) => padded(label, 321))),
    tag('characteristics'),
  ];
  const data = { length: '<data></data>'.length + rows * width };
  const ends = [tag('strls'), tag('value_labels')];
  const begin = Buffer.from('<stata_dta>');
  const mapLength = '<map></map>'.length + 14 * 8;
  const places = [0, begin.length + header.length];
  let at = places[1]! + mapLength;
  for (const part of [...described, data, ...ends]) {
    places.push(at);
    at += part.length;
  }
  const end = Buffer.from('</stata_dta>');
  places.push(at, at + end.length);
  yield Buffer.concat([begin, header, tag('map', ...places.map((place) => whole(8, place))), ...described]);
  yield Buffer.from('<data>');
  let written = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.alloc(chunk.length * width);
    let place = 0;
    for (const row of chunk) {
      for (const [k, storage] of storages.entries()) {
        storage.put(bytes, place, row[k]!);
        place += storage.width;
      }
    }
    written += chunk.length;
    yield bytes;
  }
  if (written !== rows) throw new RangeError(`${written} rows came, and ${rows} were announced`);
  yield Buffer.concat([Buffer.from('</data>'), ...ends, end]);
}
