/** Where fetched rows go: the open segment of an attempt, sealed each few seconds or megabytes so that a kill costs little. */
import type { RowsByTable } from '../../src/export/index.ts';
import type { Replacement, SegmentRef, SegmentWriter } from '../../src/lake/index.ts';

const SEAL_BYTES = 16_000_000;
const SEAL_MS = 2_000;

/** What a sealed segment says of the attempt: which steps its rows complete, and which older rows they replace. */
export interface SegmentMeta {
  /** `<accession number> <step>` */
  done: string[];
  replace: Replacement[];
  failures: number;
}

/** One piece of work whose rows belong together. */
export interface Delivery {
  rows: RowsByTable & Record<string, unknown>;
  done: string[];
  replace: Replacement[];
  failures: number;
}

export class Sink {
  readonly #writer: SegmentWriter;
  #meta: SegmentMeta = emptyMeta();
  #sealedAt = performance.now();
  #sealing: Promise<void> | null = null;
  #queue: Delivery[] = [];
  readonly sealed: SegmentRef[] = [];

  constructor(writer: SegmentWriter) {
    this.#writer = writer;
  }

  /** Takes rows; waits while a segment is being sealed only if much has piled up meanwhile. */
  async take(delivery: Delivery): Promise<void> {
    if (this.#sealing) {
      this.#queue.push(delivery);
      await this.#sealing;
      return;
    }
    this.#append(delivery);
    const due = this.#writer.bytes >= SEAL_BYTES || performance.now() - this.#sealedAt >= SEAL_MS;
    if (due) await this.seal();
  }

  async seal(): Promise<void> {
    while (this.#sealing) await this.#sealing;
    this.#sealing = this.#sealOnce().finally(() => {
      this.#sealing = null;
    });
    await this.#sealing;
  }

  /** Gives up what is not sealed: to be called at the end, whatever came of the work. Otherwise its files stay open and keep their room. */
  async close(): Promise<void> {
    await this.#writer.abandon();
  }

  async #sealOnce(): Promise<void> {
    const meta = this.#meta;
    this.#meta = emptyMeta();
    if (this.#writer.rows > 0) {
      const segment = await this.#writer.seal(meta);
      if (segment) this.sealed.push(segment);
    }
    this.#sealedAt = performance.now();
    for (const delivery of this.#queue.splice(0)) this.#append(delivery);
  }

  #append({ rows, done, replace, failures }: Delivery): void {
    for (const [table, list] of Object.entries(rows)) {
      for (const row of list as Parameters<SegmentWriter['append']>[1][]) this.#writer.append(table, row);
    }
    this.#meta.done.push(...done);
    this.#meta.failures += failures;
    mergeReplacements(this.#meta.replace, replace);
  }
}

function emptyMeta(): SegmentMeta {
  return { done: [], replace: [], failures: 0 };
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
