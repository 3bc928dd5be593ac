/**
 * Records that a window lists twice. One with the same content is one record. One with another content is a violation: the first is
 * stored, as with two rows of a key in `filing_info`.
 */
import { type ContractViolation, shortened } from '../../client/index.ts';
import { canonicalJson, hash64 } from '../../revisions/index.ts';
import type { PagedLookup } from './paged-lookups.ts';

/** A record that differs from the first one of its key. */
export interface Variant {
  content: string;
  /** Whether it has another place in the order. */
  isMoved: boolean;
}

/** For one reading. Contents are compared only if a key repeats: a hash of each record would take as long as reading it. */
export class RecordVariants<Kept> {
  readonly #keyOf: (record: Kept) => string;
  readonly #placeOf: (record: Kept) => string;
  readonly #staged: (page: number) => Promise<readonly Kept[]>;
  /** Of the staged records: hash and place, by key; and the pages that they are of. */
  readonly #contents = new Map<string, readonly [string, string]>();
  #pages = 0;
  /** The last record of the page before: usually the next page repeats it. */
  #last: Kept | undefined;

  /** @param staged records of a staged page */
  constructor(
    { keyOf, placeOf }: Pick<PagedLookup<Kept>, 'keyOf' | 'placeOf'>,
    staged: (page: number) => Promise<readonly Kept[]>,
  ) {
    this.#keyOf = keyOf;
    this.#placeOf = placeOf;
    this.#staged = staged;
  }

  /**
   * @param hasFound whether an earlier page has the key
   * @param pages staged until now
   * @returns by place in the page: each record that differs from the first one of its key
   */
  async among(
    records: readonly Kept[],
    hasFound: (key: string) => boolean,
    pages: number,
  ): Promise<ReadonlyMap<number, Variant>> {
    const variants = new Map<number, Variant>();
    const first = new Map<string, Kept>();
    if (this.#last !== undefined) first.set(this.#keyOf(this.#last), this.#last);
    for (const [place, record] of records.entries()) {
      const key = this.#keyOf(record);
      const ofPage = first.get(key);
      if (ofPage === undefined && !hasFound(key)) {
        first.set(key, record);
        continue;
      }
      const before = ofPage === undefined ? await this.#contentOf(key, pages) : this.#content(ofPage);
      const [content, order] = this.#content(record);
      // Without a readable record before, this one is the first.
      if (before !== undefined && before[0] !== content) variants.set(place, { content, isMoved: before[1] !== order });
    }
    this.#last = records.at(-1);
    return variants;
  }

  #content(record: Kept): readonly [string, string] {
    return [hash64(canonicalJson(record)), this.#placeOf(record)];
  }

  async #contentOf(key: string, pages: number): Promise<readonly [string, string] | undefined> {
    for (; this.#pages < pages; this.#pages++) {
      for (const record of await this.#staged(this.#pages)) {
        const known = this.#keyOf(record);
        if (!this.#contents.has(known)) this.#contents.set(known, this.#content(record));
      }
    }
    return this.#contents.get(key);
  }
}

/** @param path of the record in its answer */
export function variantViolation(path: string, key: string, record: unknown): ContractViolation {
  return { path, value: `a second record for ${key}: ${String(shortened(record))}`, subject: key };
}
