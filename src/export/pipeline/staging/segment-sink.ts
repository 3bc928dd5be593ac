/** Writes fetched rows to the open segment of an attempt as they arrive. A kill loses only what was in flight. */
import type { Replacement, SegmentRef, SegmentWriter, TableRow } from '../../../lake/index.ts';
import type { RowsByTable } from '../../../lake/tables/index.ts';

/** After a kill, at most this many bytes are read again. */
const SEAL_BYTES = 16_000_000;

/** The manifest of a sealed segment: the steps that its rows complete, and the older rows that they replace. */
export interface SegmentMeta {
  /** `<accession number> <step>` */
  done: string[];
  replace: Replacement[];
  failures: number;
  /** In a refresh: steps that were requested again, and those of them that had not changed. */
  refreshed?: number;
  unchanged?: number;
}

/** Rows that belong together. */
export interface RowBatch extends SegmentMeta {
  rows: RowsByTable & Record<string, unknown>;
  /** Rows that are too many to be held in memory: made when they are written. */
  more?: Iterable<TableRow>[];
}

export class SegmentSink {
  readonly #writer: SegmentWriter;
  #sealing: Promise<void> | null = null;
  readonly sealed: SegmentRef[] = [];

  constructor(writer: SegmentWriter) {
    this.#writer = writer;
  }

  /** Takes rows: no kill loses them then. Waits for a segment to be sealed only if the next one is full too. */
  async take({ rows, more = [], ...meta }: RowBatch): Promise<void> {
    const own = rows as Parameters<SegmentWriter['deliver']>[0];
    await this.#writer.deliver(own, meta satisfies SegmentMeta, rowsOfAll(more));
    if (this.#writer.bytes < SEAL_BYTES) return;
    await this.#sealing;
    if (this.#writer.bytes >= SEAL_BYTES) this.#begin();
  }

  /** Seals everything taken. @throws the error of any seal */
  async seal(): Promise<void> {
    while (this.#sealing) await this.#sealing;
    await this.#sealOne();
  }

  /** Call it at the end in every case. Unsealed rows stay for the next attempt. */
  async close(): Promise<void> {
    await this.#writer.abandon();
  }

  #begin(): void {
    const sealing = this.#sealOne().finally(() => {
      if (this.#sealing === sealing) this.#sealing = null;
    });
    // The next caller gets the failure: the writer accepts no more.
    sealing.catch(() => undefined);
    this.#sealing = sealing;
  }

  async #sealOne(): Promise<void> {
    const segment = await this.#writer.seal(joinMetas);
    if (segment) this.sealed.push(segment);
  }
}

/** The manifest of all that a segment holds. */
export function joinMetas(metas: readonly unknown[]): SegmentMeta {
  const joined: SegmentMeta = { done: [], replace: [], failures: 0 };
  for (const { done, replace, failures, ...again } of metas as SegmentMeta[]) {
    joined.done.push(...done);
    joined.failures += failures;
    addRefreshed(joined, again);
    mergeReplacements(joined.replace, replace);
  }
  return joined;
}

export function addRefreshed(
  into: Pick<SegmentMeta, 'refreshed' | 'unchanged'>,
  { refreshed = 0, unchanged = 0 }: Pick<SegmentMeta, 'refreshed' | 'unchanged'>,
): void {
  if (refreshed === 0) return;
  into.refreshed = (into.refreshed ?? 0) + refreshed;
  into.unchanged = (into.unchanged ?? 0) + unchanged;
}

/** Joins replacements of the same columns of a table into one list of values. */
export function mergeReplacements(into: Replacement[], more: readonly Replacement[]): void {
  for (const { table, columns, values } of more) {
    const same = into.find((one) => one.table === table && areSame(one.columns, columns));
    if (same === undefined) into.push({ table, columns, values: [...values] });
    // Pushed, not copied: copying the list for each of ten thousand filings would take quadratic time.
    else for (const value of values) (same.values as (readonly string[])[]).push(value);
  }
}

function areSame(columns: readonly string[], others: readonly string[]): boolean {
  return columns.length === others.length && columns.every((name, place) => name === others[place]);
}

function* rowsOfAll(lists: readonly Iterable<TableRow>[]): Iterable<TableRow> {
  for (const list of lists) yield* list;
}
