/** A hash of the rows of an answer. Answers with the same content have the same hash, even if they are spelled differently. */
import { createHash } from 'node:crypto';

/** Longer texts are hashed as they are. Joining them first would copy them. */
const SHORT_CHARACTERS = 1_000;
const DIGITS = 16;

export class ContentHash {
  readonly #hash = createHash('sha1');
  #short = '';

  add(value: unknown): this {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    this.#short += `${text.length} `;
    if (text.length <= SHORT_CHARACTERS) this.#short += text;
    else {
      this.#hash.update(this.#short).update(text);
      this.#short = '';
    }
    return this;
  }

  take(): string {
    return this.#hash.update(this.#short).digest('hex').slice(0, DIGITS);
  }
}

export function contentHashOf(rows: Readonly<Record<string, unknown>>): string {
  const hash = new ContentHash();
  for (const [table, list] of Object.entries(rows)) {
    hash.add(table);
    for (const row of list as readonly object[])
      for (const [name, value] of Object.entries(row)) if (value !== null) hash.add(name).add(value);
  }
  return hash.take();
}
