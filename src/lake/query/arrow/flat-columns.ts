/** Columns of Arrow without child columns: bytes of DuckDB's vectors, copied, or converted one by one. */
import duckdb from '@duckdb/node-bindings';
import { Bool, type Data, type DataType, type Decimal, makeData } from 'apache-arrow';
import { FilinglakeError } from '../../../core/index.ts';
import { Column, grown, type Source } from './column.ts';

/** The array that Arrow reads values in. */
export interface FixedValues {
  readonly BYTES_PER_ELEMENT: number;
  new (bytes: ArrayBuffer): unknown;
}

/** A decimal is an array of four numbers. */
export const DECIMAL_BYTES = 16;

/** Numbers, days and times: the same bytes in both. */
export class FixedColumn extends Column {
  readonly #width: number;
  readonly #values: FixedValues;
  #data: Uint8Array = new Uint8Array(0);

  constructor(type: DataType, values: FixedValues, width = values.BYTES_PER_ELEMENT) {
    super(type);
    this.#width = width;
    this.#values = values;
  }

  get bytes(): number {
    return this.length * this.#width;
  }

  protected appendValues(source: Source, from: number, to: number): void {
    const end = (this.length + to - from) * this.#width;
    if (this.#data.length < end) this.#data = grown(this.#data, end);
    this.#data.set(source.data(this.#width).subarray(from * this.#width, to * this.#width), this.length * this.#width);
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    const data = new this.#values(this.#data.slice(0, length * this.#width).buffer as ArrayBuffer);
    return makeData({ type: this.type, length, nullCount, nullBitmap, data } as never);
  }
}

/** One bit for each value; DuckDB has a byte. */
export class BoolColumn extends Column {
  #bits: Uint8Array = new Uint8Array(0);

  constructor() {
    super(new Bool());
  }

  get bytes(): number {
    return this.length / 8;
  }

  protected appendValues(source: Source, from: number, to: number): void {
    const end = Math.ceil((this.length + to - from) / 8);
    if (this.#bits.length < end) this.#bits = grown(this.#bits, end);
    const values = source.data(duckdb.sizeof_bool);
    for (let row = from, bit = this.length; row < to; row++, bit++) {
      if (values[row * duckdb.sizeof_bool] !== 0) this.#bits[bit >> 3]! |= 1 << (bit & 7);
      else this.#bits[bit >> 3]! &= ~(1 << (bit & 7));
    }
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    return makeData({
      type: this.type,
      length,
      nullCount,
      nullBitmap,
      data: this.#bits.slice(0, Math.ceil(length / 8)),
    } as never);
  }
}

/** DuckDB stores a DECIMAL of up to 18 digits in 2, 4 or 8 bytes, Arrow in 16. */
export class NarrowDecimalColumn extends Column {
  readonly #width: 2 | 4 | 8;
  #words: BigInt64Array = new BigInt64Array(0);

  constructor(type: Decimal, width: 2 | 4 | 8) {
    super(type);
    this.#width = width;
  }

  get bytes(): number {
    return this.length * 16;
  }

  protected appendValues(source: Source, from: number, to: number): void {
    const end = (this.length + to - from) * 2;
    if (this.#words.length < end) {
      const larger = new BigInt64Array(Math.max(end, this.#words.length * 2));
      larger.set(this.#words);
      this.#words = larger;
    }
    const data = source.data(this.#width);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let row = from, at = this.length * 2; row < to; row++, at += 2) {
      const value =
        this.#width === 8
          ? view.getBigInt64(row * 8, true)
          : BigInt(this.#width === 4 ? view.getInt32(row * 4, true) : view.getInt16(row * 2, true));
      this.#words[at] = value;
      this.#words[at + 1] = value < 0n ? -1n : 0n;
    }
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    const data = new Uint32Array(this.#words.slice(0, length * 2).buffer);
    return makeData({ type: this.type, length, nullCount, nullBitmap, data } as never);
  }
}

const STRING_WIDTH = 16;
/** Longer strings are stored elsewhere, behind a pointer. */
const INLINE_MAX = 12;
const POINTER_OFFSET = 8;
const OFFSET_MAX = 2 ** 31 - 1;

/** Consecutive long strings, read at once: one read costs as much as copying some kilobytes. */
interface Run {
  readonly bytes: Buffer;
  readonly address: number;
  /** Number of its last row. */
  readonly last: number;
}

/**
 * Up to this many bytes may be between two strings of a run: lengths, and short strings, of a Parquet page. It is less than a page
 * of memory: if both strings are readable, so is the gap.
 */
const GAP_MAX = 64;

function runFrom(source: Source, strings: Buffer, first: number, to: number): Run {
  const address = addressAt(strings, first);
  let end = address + strings.readUInt32LE(first * STRING_WIDTH);
  let last = first;
  for (let row = first + 1; row < to; row++) {
    const size = strings.readUInt32LE(row * STRING_WIDTH);
    if (!source.isValid(row) || size <= INLINE_MAX) continue;
    const at = addressAt(strings, row);
    if (at < end || at - end > GAP_MAX) break;
    end = at + size;
    last = row;
  }
  const pointer = strings.byteOffset + first * STRING_WIDTH + POINTER_OFFSET;
  const bytes = duckdb.get_data_from_pointer(strings.buffer as ArrayBuffer, pointer, end - address);
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), address, last };
}

/** Addresses have 48 bits. */
function addressAt(strings: Buffer, row: number): number {
  return strings.readUIntLE(row * STRING_WIDTH + POINTER_OFFSET, 6);
}

/** Texts and bytes: offsets, and the joined bytes. */
export class BytesColumn extends Column {
  #offsets = new Int32Array(1025);
  #data: Uint8Array = new Uint8Array(0);
  #used = 0;

  get bytes(): number {
    return this.#used + this.length * 4;
  }

  protected appendValues(source: Source, from: number, to: number): void {
    const data = source.data(STRING_WIDTH);
    const strings = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.#reserve(to - from);
    let run: Run | null = null;
    for (let row = from, at = this.length + 1; row < to; row++, at++) {
      if (source.isValid(row)) {
        const start = row * STRING_WIDTH;
        const size = strings.readUInt32LE(start);
        if (size <= INLINE_MAX) this.#put(strings, start + 4, size);
        else {
          if (run === null || row > run.last) run = runFrom(source, strings, row, to);
          this.#put(run.bytes, addressAt(strings, row) - run.address, size);
        }
      }
      this.#offsets[at] = this.#used;
    }
  }

  /** Appends a text that is not in a vector of DuckDB. */
  appendText(text: string | null): void {
    this.#reserve(1);
    if (text !== null) {
      const bytes = Buffer.from(text);
      this.#put(bytes, 0, bytes.length);
    }
    this.#offsets[this.length + 1] = this.#used;
  }

  #reserve(rows: number): void {
    const needed = this.length + rows + 1;
    if (this.#offsets.length >= needed) return;
    const larger = new Int32Array(Math.max(needed, this.#offsets.length * 2));
    larger.set(this.#offsets);
    this.#offsets = larger;
  }

  #put(bytes: Buffer, from: number, size: number): void {
    const end = this.#used + size;
    if (end > OFFSET_MAX) {
      throw new FilinglakeError('query-too-large', 'one column of some thousand rows is larger than 2 GiB');
    }
    if (this.#data.length < end) this.#data = grown(this.#data, end);
    bytes.copy(this.#data, this.#used, from, from + size);
    this.#used = end;
  }

  protected made(length: number, nullCount: number, nullBitmap: Uint8Array | null): Data {
    const valueOffsets = this.#offsets.slice(0, length + 1);
    const data = this.#data.slice(0, this.#used);
    this.#used = 0;
    return makeData({ type: this.type, length, nullCount, nullBitmap, valueOffsets, data } as never);
  }
}
