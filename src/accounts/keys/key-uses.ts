/** The day of each key's last request: an owner sees which key nobody uses. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const KEYS_MAX = 10_000;

export class KeyUses {
  readonly #set: StatementSync;
  /** The day that is written, by key */
  readonly #known = new Map<number, string>();
  #batch = new Map<number, string>();

  constructor(db: DatabaseSync) {
    this.#set = db.prepare('INSERT INTO key_uses VALUES (?, ?) ON CONFLICT DO UPDATE SET day = max(day, excluded.day)');
  }

  get unwritten(): number {
    return this.#batch.size;
  }

  /** @param day `YYYY-MM-DD`, UTC */
  note(key: number, day: string): void {
    if (this.#known.get(key) !== day) this.#batch.set(key, day);
  }

  /** Inside a transaction. */
  write(): void {
    for (const [key, day] of this.#batch) this.#set.run(key, day);
  }

  /** After the commit. */
  written(): void {
    if (this.#known.size > KEYS_MAX) this.#known.clear();
    for (const [key, day] of this.#batch) this.#known.set(key, day);
    this.#batch = new Map();
  }
}
