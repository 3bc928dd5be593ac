/** Thread time by meter and month, in milliseconds. It counts when it is over, so it is written in batches. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export class WorkMeter {
  readonly #stored: StatementSync;
  readonly #add: StatementSync;
  /** Not written yet, by `METER MONTH` */
  #batch = new Map<string, { meter: number; month: string; ms: number }>();

  constructor(db: DatabaseSync) {
    this.#stored = db.prepare('SELECT ms FROM work WHERE meter = ? AND month = ?');
    this.#add = db.prepare('INSERT INTO work VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ms = ms + excluded.ms');
  }

  get unwritten(): number {
    return this.#batch.size;
  }

  add(meter: number, month: string, ms: number): void {
    const name = `${meter} ${month}`;
    const row = this.#batch.get(name);
    if (row) row.ms += ms;
    else this.#batch.set(name, { meter, month, ms });
  }

  /** Used by all processes, less what the others have not written for a second. */
  seconds(meter: number, month: string): number {
    const { ms } = (this.#stored.get(meter, month) as { ms: number } | undefined) ?? { ms: 0 };
    return (ms + (this.#batch.get(`${meter} ${month}`)?.ms ?? 0)) / 1_000;
  }

  /** Inside a transaction. */
  write(): void {
    for (const { meter, month, ms } of this.#batch.values()) this.#add.run(meter, month, Math.ceil(ms));
  }

  /** After the commit. */
  written(): void {
    this.#batch = new Map();
  }
}
