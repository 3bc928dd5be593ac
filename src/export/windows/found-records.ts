/** The records that the reading of a window has found, by key, and those that count for its proof. */
import type { SampleRecord } from './windows.ts';

/** A record in a page. */
export interface ListedRecord extends SampleRecord {
  /** If an earlier record has the key, and other content: a text that tells this one apart. It counts for the proof, and is not written. */
  variant?: string;
  /** Whether this record has another place in the order than the first: the filing has moved, and is not listed twice. */
  moved?: true;
}

export class FoundRecords {
  /** By key: whether a readable record has it. */
  readonly #keys: Map<string, boolean>;
  /** The keys that count for the proof: all that were found, except after filings have disappeared. */
  #proven: Set<string>;
  /** Further records of these keys. The service's count includes them. */
  #variants = new Set<string>();

  /** @param keys found by an earlier attempt, and whether a readable record has each */
  constructor(keys: Iterable<readonly [string, boolean]>, isProofWhole: boolean) {
    this.#keys = new Map(keys);
    this.#proven = new Set(isProofWhole ? this.#keys.keys() : []);
  }

  /** Unique keys. */
  get keys(): number {
    return this.#keys.size;
  }

  /** Distinct records that count for the proof. */
  get proof(): number {
    return this.#proven.size + this.#variants.size;
  }

  get variants(): number {
    return this.#variants.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /**
   * @param unreadable keys of records that broke the contract: found, and to be replaced by a readable record
   * @returns keys whose first readable record is among them
   */
  add(records: readonly ListedRecord[], unreadable: readonly string[]): Set<string> {
    const fresh = new Set<string>();
    for (const { key, variant, moved } of records) {
      if (this.#keys.get(key) !== true) fresh.add(key);
      this.#keys.set(key, true);
      if (variant === undefined || moved) this.#proven.add(key);
      else this.#variants.add(`${key} ${variant}`);
    }
    for (const key of unreadable) {
      if (!this.#keys.has(key)) this.#keys.set(key, false);
      this.#proven.add(key);
    }
    return fresh;
  }

  /** Of two contents of one key, a later pass may list only one. */
  dropVariants(): void {
    this.#variants = new Set();
  }

  /** What was found before may have disappeared, and proves nothing. */
  dropProof(): void {
    this.#proven = new Set();
    this.dropVariants();
  }
}
