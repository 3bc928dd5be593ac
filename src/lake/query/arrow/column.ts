/** A growing column of Arrow, copied from DuckDB's vectors (laid out as its C API says), which it uses again. */
import duckdb from '@duckdb/node-bindings';
import type { Data, DataType } from 'apache-arrow';

/** A vector of a chunk, with its validity bitmap. */
export class Source {
  readonly vector: duckdb.Vector;
  readonly count: number;
  readonly #validity: Uint8Array | null;
  #data: Uint8Array | null = null;

  constructor(vector: duckdb.Vector, count: number) {
    this.vector = vector;
    this.count = count;
    this.#validity = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8) ?? null;
  }

  get hasNulls(): boolean {
    return this.#validity !== null;
  }

  isValid(row: number): boolean {
    return this.#validity === null || ((this.#validity[row >> 3]! >> (row & 7)) & 1) === 1;
  }

  /** The raw values; the same width in every call. */
  data(bytesEach: number): Uint8Array {
    this.#data ??= duckdb.vector_get_data(this.vector, this.count * bytesEach);
    return this.#data;
  }
}

/** Grows as values are appended; `finish` returns them and starts again. */
export abstract class Column {
  readonly type: DataType;
  protected length = 0;
  protected nulls = 0;
  #validity: Uint8Array = new Uint8Array(0);

  constructor(type: DataType) {
    this.type = type;
  }

  /** Approximate bytes that it holds. */
  abstract get bytes(): number;

  append(source: Source, from: number, to: number): void {
    this.#appendValidity(source, from, to);
    this.appendValues(source, from, to);
    this.length += to - from;
  }

  protected abstract appendValues(source: Source, from: number, to: number): void;
  protected abstract made(length: number, nulls: number, nullBitmap: Uint8Array | null): Data;

  finish(): Data {
    const { length, nulls } = this;
    const bitmap = nulls > 0 ? this.#validity.slice(0, Math.ceil(length / 8)) : null;
    this.length = 0;
    this.nulls = 0;
    this.#validity = new Uint8Array(0);
    return this.made(length, nulls, bitmap);
  }

  #appendValidity(source: Source, from: number, to: number): void {
    if (!source.hasNulls && this.nulls === 0) return;
    const end = this.length + to - from;
    // Bits after the known ones are set: all rows before the first null were filled.
    const before = this.#validity.length;
    if (before * 8 < end) this.#validity = grown(this.#validity, Math.ceil(end / 8));
    this.#validity.fill(0xff, before);
    if (!source.hasNulls) return;
    for (let row = from, bit = this.length; row < to; row++, bit++) {
      if (source.isValid(row)) continue;
      this.#validity[bit >> 3]! &= ~(1 << (bit & 7));
      this.nulls++;
    }
  }
}

/** A larger copy. */
export function grown(bytes: Uint8Array, needed: number): Uint8Array {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2, 1024));
  larger.set(bytes);
  return larger;
}
