/** The column of Arrow for each of DuckDB's types: lists and structs of them, and texts for types that Arrow lacks. */
import { type DuckDBType, DuckDBTypeId, DuckDBVector } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import {
  Binary,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  Struct,
  TimeMicrosecond,
  TimeNanosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { Column, Source } from './column.ts';
import {
  BoolColumn,
  BytesColumn,
  DECIMAL_BYTES,
  FixedColumn,
  type FixedValues,
  NarrowDecimalColumn,
} from './flat-columns.ts';

/** Types that Arrow or its readers lack: as DuckDB's text. */
class TextColumn extends BytesColumn {
  readonly #duckdbType: DuckDBType;

  constructor(type: DuckDBType) {
    super(new Utf8());
    this.#duckdbType = type;
  }

  protected override appendValues(source: Source, from: number, to: number): void {
    const vector = DuckDBVector.create(source.vector, source.count, this.#duckdbType);
    const before = this.length;
    for (let row = from; row < to; row++) {
      const value = vector.getItem(row);
      this.appendText(value === null ? null : String(value));
      this.length++;
    }
    this.length = before;
  }
}

class NullColumn extends Column {
  readonly bytes = 0;

  constructor() {
    super(new Null());
  }

  protected appendValues(): void {}

  protected made(length: number): Data {
    return makeData({ type: new Null(), length });
  }
}

class StructColumn extends Column {
  readonly #children: readonly Column[];

  constructor(names: readonly string[], children: readonly Column[]) {
    super(new Struct(children.map((child, i) => new Field(names[i]!, child.type, true))));
    this.#children = children;
  }

  get bytes(): number {
    return this.#children.reduce((sum, child) => sum + child.bytes, 0);
  }

  protected appendValues(source: Source, from: number, to: number): void {
    for (const [i, child] of this.#children.entries()) {
      child.append(new Source(duckdb.struct_vector_get_child(source.vector, i), source.count), from, to);
    }
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    const children = this.#children.map((child) => child.finish());
    return makeData({ type: this.type, length, nullCount, nullBitmap, children } as never);
  }
}

/** Lists, maps (lists of keys and values), and arrays of a fixed length. */
class ListColumn extends Column {
  readonly #child: Column;
  readonly #fixed: number | null;
  #offsets: number[] = [0];

  constructor(child: Column, fixed: number | null = null) {
    super(new List(new Field('item', child.type, true)));
    this.#child = child;
    this.#fixed = fixed;
  }

  get bytes(): number {
    return this.#child.bytes + this.length * 4;
  }

  protected appendValues(source: Source, from: number, to: number): void {
    const placeOf = this.#placesIn(source);
    const child =
      this.#fixed === null
        ? new Source(duckdb.list_vector_get_child(source.vector), duckdb.list_vector_get_size(source.vector))
        : new Source(duckdb.array_vector_get_child(source.vector), source.count * this.#fixed);
    let end = this.#offsets.at(-1)!;
    for (let row = from; row < to; row++) {
      if (source.isValid(row)) {
        const { at, count } = placeOf(row);
        if (count > 0) this.#child.append(child, at, at + count);
        end += count;
      }
      this.#offsets.push(end);
    }
  }

  /** Position of a row's items in the child. */
  #placesIn(source: Source): (row: number) => { at: number; count: number } {
    const fixed = this.#fixed;
    if (fixed !== null) return (row) => ({ at: row * fixed, count: fixed });
    const data = source.data(16);
    const entries = new BigUint64Array(data.buffer, data.byteOffset, source.count * 2);
    return (row) => ({ at: Number(entries[row * 2]), count: Number(entries[row * 2 + 1]) });
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    const valueOffsets = Int32Array.from(this.#offsets);
    this.#offsets = [0];
    return makeData({
      type: this.type,
      length,
      nullCount,
      nullBitmap,
      valueOffsets,
      child: this.#child.finish(),
    } as never);
  }
}

type Make = () => Column;
const fixed =
  (type: () => DataType, values: FixedValues): Make =>
  () =>
    new FixedColumn(type(), values);
const int64 = (type: () => DataType) => fixed(type, BigInt64Array);

const SIMPLE: Readonly<Partial<Record<DuckDBTypeId, Make>>> = {
  [DuckDBTypeId.SQLNULL]: () => new NullColumn(),
  [DuckDBTypeId.BOOLEAN]: () => new BoolColumn(),
  [DuckDBTypeId.TINYINT]: fixed(() => new Int8(), Int8Array),
  [DuckDBTypeId.SMALLINT]: fixed(() => new Int16(), Int16Array),
  [DuckDBTypeId.INTEGER]: fixed(() => new Int32(), Int32Array),
  [DuckDBTypeId.BIGINT]: int64(() => new Int64()),
  [DuckDBTypeId.UTINYINT]: fixed(() => new Uint8(), Uint8Array),
  [DuckDBTypeId.USMALLINT]: fixed(() => new Uint16(), Uint16Array),
  [DuckDBTypeId.UINTEGER]: fixed(() => new Uint32(), Uint32Array),
  [DuckDBTypeId.UBIGINT]: fixed(() => new Uint64(), BigUint64Array),
  // Sums of BIGINT: the same type as in DuckDB's own Arrow.
  [DuckDBTypeId.HUGEINT]: () => new FixedColumn(new Decimal(0, 38), Uint32Array, DECIMAL_BYTES),
  [DuckDBTypeId.FLOAT]: fixed(() => new Float32(), Float32Array),
  [DuckDBTypeId.DOUBLE]: fixed(() => new Float64(), Float64Array),
  [DuckDBTypeId.DATE]: fixed(() => new DateDay(), Int32Array),
  [DuckDBTypeId.TIME]: int64(() => new TimeMicrosecond()),
  [DuckDBTypeId.TIME_NS]: int64(() => new TimeNanosecond()),
  [DuckDBTypeId.TIMESTAMP]: int64(() => new TimestampMicrosecond()),
  [DuckDBTypeId.TIMESTAMP_S]: int64(() => new TimestampSecond()),
  [DuckDBTypeId.TIMESTAMP_MS]: int64(() => new TimestampMillisecond()),
  [DuckDBTypeId.TIMESTAMP_NS]: int64(() => new TimestampNanosecond()),
  [DuckDBTypeId.TIMESTAMP_TZ]: int64(() => new TimestampMicrosecond('UTC')),
  [DuckDBTypeId.VARCHAR]: () => new BytesColumn(new Utf8()),
  [DuckDBTypeId.BLOB]: () => new BytesColumn(new Binary()),
};

export function columnFor(type: DuckDBType): Column {
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as { width: number; scale: number } & DuckDBType;
      const decimal = new Decimal(scale, width);
      if (width > 18) return new FixedColumn(decimal, Uint32Array, DECIMAL_BYTES);
      return new NarrowDecimalColumn(decimal, width <= 4 ? 2 : width <= 9 ? 4 : 8);
    }
    case DuckDBTypeId.LIST:
      return new ListColumn(columnFor((type as unknown as { valueType: DuckDBType }).valueType));
    case DuckDBTypeId.ARRAY: {
      const { valueType, length } = type as unknown as { valueType: DuckDBType; length: number };
      return new ListColumn(columnFor(valueType), length);
    }
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as unknown as { entryNames: string[]; entryTypes: DuckDBType[] };
      return new StructColumn(entryNames, entryTypes.map(columnFor));
    }
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as unknown as { keyType: DuckDBType; valueType: DuckDBType };
      return new ListColumn(new StructColumn(['key', 'value'], [columnFor(keyType), columnFor(valueType)]));
    }
    default:
      return SIMPLE[type.typeId]?.() ?? new TextColumn(type);
  }
}
