/** Where fetched rows go: the open segment of an attempt, written as they come, so that a kill costs what was in flight and no more. */

import type { Replacement, SegmentRef, SegmentWriter } from '../../lake/index.ts';
import type { RowsByTable } from '../../tables/index.ts';

/** So much is read again by whoever takes up what a kill left. */
const SEAL_BYTES = 16_000_000;

/** What a sealed segment says of the attempt: which steps its rows complete, and which older rows they replace. */
export interface SegmentMeta {
  /** `<accession number> <step>` */
  done: string[];
  replace: Replacement[];
  failures: number;
}

/** One piece of work whose rows belong together. */
export interface RowBatch {
  rows: RowsByTable & Record<string, unknown>;
  done: string[];
  replace: Replacement[];
  failures: number;
}

export class SegmentSink {
  readonly #writer: SegmentWriter;
  #sealing: Promise<void> | null = null;
  readonly sealed: SegmentRef[] = [];

  constructor(writer: SegmentWriter) {
    this.#writer = writer;
  }

  /** Takes rows: once it resolves, a kill doesn't cost them. Waits for a segment to be sealed only if the next one is full too. */
  async take({ rows, ...meta }: RowBatch): Promise<void> {
    await this.#writer.deliver(rows as Parameters<SegmentWriter['deliver']>[0], meta satisfies SegmentMeta);
    if (this.#writer.bytes < SEAL_BYTES) return;
    await this.#sealing;
    if (this.#writer.bytes >= SEAL_BYTES) this.#begin();
  }

  /** Seals all that was taken. @throws what any seal failed of */
  async seal(): Promise<void> {
    while (this.#sealing) await this.#sealing;
    await this.#sealOne();
  }

  /** To be called at the end, whatever came of the work. What is not sealed stays for the next attempt to take up. */
  async close(): Promise<void> {
    await this.#writer.abandon();
  }

  #begin(): void {
    const sealing = this.#sealOne().finally(() => {
      if (this.#sealing === sealing) this.#sealing = null;
    });
    // Who comes next hears of a failure: the writer takes no more.
    sealing.catch(() => undefined);
    this.#sealing = sealing;
  }

  async #sealOne(): Promise<void> {
    const segment = await this.#writer.seal(joinMetas);
    if (segment) this.sealed.push(segment);
  }
}

/** What a segment says of all that was delivered to it. */
export function joinMetas(metas: readonly unknown[]): SegmentMeta {
  const joined: SegmentMeta = { done: [], replace: [], failures: 0 };
  for (const { done, replace, failures } of metas as SegmentMeta[]) {
    joined.done.push(...done);
    joined.failures += failures;
    mergeReplacements(joined.replace, replace);
  }
  return joined;
}

/** Joins replacements of the same columns of a table into one list of values. */
export function mergeReplacements(into: Replacement[], more: readonly Replacement[]): void {
  for (const { table, columns, values } of more) {
    const same = into.findIndex((r) => r.table === table && r.columns.join() === columns.join());
    if (same === -1) into.push({ table, columns, values: [...values] });
    // Its own list: a copy for each of ten thousand filings would take the square of that.
    else for (const value of values) (into[same]!.values as (readonly string[])[]).push(value);
  }
}
