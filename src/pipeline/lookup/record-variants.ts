/**
 * Records that a window lists twice. One with the same content is one record. One with another content is a violation: the first is
 * stored, as with two rows of a key in `filing_info`.
 */
import { type ContractViolation, shortened } from '../../client/index.ts';
import { canonicalJson, hash64 } from '../../export/index.ts';

/** For one reading. Contents are compared only if a key repeats: a hash of each record would take as long as reading it. */
export class RecordVariants<Kept> {
  readonly #keyOf: (record: Kept) => string;
  readonly #staged: (page: number) => Promise<readonly Kept[]>;
  /** Hashes of the staged records, by key, and the pages that they are of. */
  readonly #contents = new Map<string, string>();
  #pages = 0;
  /** The last record of the page before: usually the next page repeats it. */
  #last: Kept | undefined;

  /** @param staged records of a staged page */
  constructor(keyOf: (record: Kept) => string, staged: (page: number) => Promise<readonly Kept[]>) {
    this.#keyOf = keyOf;
    this.#staged = staged;
  }

  /**
   * @param hasFound whether an earlier page has the key
   * @param pages staged until now
   * @returns by place in the page: the content of each record that differs from the first one of its key
   */
  async among(
    records: readonly Kept[],
    hasFound: (key: string) => boolean,
    pages: number,
  ): Promise<ReadonlyMap<number, string>> {
    const variants = new Map<number, string>();
    const first = new Map<string, Kept>();
    if (this.#last !== undefined) first.set(this.#keyOf(this.#last), this.#last);
    for (const [place, record] of records.entries()) {
      const key = this.#keyOf(record);
      const ofPage = first.get(key);
      if (ofPage === undefined && !hasFound(key)) {
        first.set(key, record);
        continue;
      }
      const before = ofPage === undefined ? await this.#contentOf(key, pages) : contentOf(ofPage);
      const content = contentOf(record);
      // Without a readable record before, this one is the first.
      if (before !== undefined && before !== content) variants.set(place, content);
    }
    this.#last = records.at(-1);
    return variants;
  }

  async #contentOf(key: string, pages: number): Promise<string | undefined> {
    for (; this.#pages < pages; this.#pages++) {
      for (const record of await this.#staged(this.#pages)) {
        const known = this.#keyOf(record);
        if (!this.#contents.has(known)) this.#contents.set(known, contentOf(record));
      }
    }
    return this.#contents.get(key);
  }
}

function contentOf(record: unknown): string {
  return hash64(canonicalJson(record));
}

/** @param path of the record in its answer */
export function variantViolation(path: string, key: string, record: unknown): ContractViolation {
  return { path, value: `a second record for ${key}: ${String(shortened(record))}`, subject: key };
}
