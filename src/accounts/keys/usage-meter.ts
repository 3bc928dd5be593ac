/** The usage of each meter, by month and by day: exact for keys with limits, in batches for those without. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from '../transaction.ts';
import type { AnsweredRequest, CountedAnswer, UsageRow, UsageTicket } from './admission.ts';
import { countInOrder, type Decided } from './count-in-order.ts';

/** A request of a key with limits, while it is counted. */
export interface Limited {
  /** Among all that are counted */
  index: number;
  plan: string;
  ticket: UsageTicket;
  request: AnsweredRequest;
  requestsMax: number | null;
  bytesMax: number | null;
  bytes: number;
}

export class UsageMeter {
  readonly #db: DatabaseSync;
  readonly #usage: StatementSync;
  readonly #admitWithin: StatementSync;
  readonly #takeBack: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #addBatch: StatementSync;
  readonly #addDay: StatementSync;
  /** Counts of keys without limits that are not written yet */
  #batch = new Map<string, UsageRow & { keyId: number; month: string; day: string; operation: string }>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#usage = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    // One statement, so that no other process can count between the check of the limit and the count.
    this.#admitWithin = db.prepare(
      `INSERT INTO usage VALUES (:key, :month, 1, 0)
       ON CONFLICT DO UPDATE SET requests = requests + 1
       WHERE requests < :requests AND bytes < :bytes
       RETURNING requests, bytes`,
    );
    this.#takeBack = db.prepare(
      'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBytes = db.prepare(
      'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBatch = db.prepare(
      `INSERT INTO usage VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes`,
    );
    this.#addDay = db.prepare(
      `INSERT INTO usage_days VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes`,
    );
  }

  /** What a meter has counted in a month. */
  used(keyId: number, month: string): UsageRow {
    return (this.#usage.get(keyId, month) as UsageRow | undefined) ?? { requests: 0, bytes: 0 };
  }

  /**
   * Counts a request if both limits allow it, in one statement.
   * @returns the usage with it; undefined: a limit is reached
   */
  countWithin(keyId: number, month: string, limits: UsageRow): UsageRow | undefined {
    if (limits.requests <= 0 || limits.bytes <= 0) return undefined;
    // `all`, not `get`: it ends the statement here, and with it an error of the commit.
    const [counted] = this.#admitWithin.all({ key: keyId, month, ...limits }) as unknown as UsageRow[];
    return counted;
  }

  /** Decides and counts requests whose answers are at hand, those of each meter in their order, in one transaction. */
  countAll(meters: Iterable<readonly Limited[]>): [Limited, Decided][] {
    return transaction(this.#db, () => [...meters].flatMap((ofMeter) => this.#countMeter(ofMeter)));
  }

  /** Within a transaction, so that no other process can count between the check of the limit and the count. */
  #countMeter(ofMeter: readonly Limited[]): [Limited, Decided][] {
    const { keyId, month, day } = ofMeter[0]!.ticket;
    const before = this.used(keyId, month);
    const decided = countInOrder(before, ofMeter).map((one, i): [Limited, Decided] => [ofMeter[i]!, one]);
    const byOperation = new Map<string, UsageRow>();
    for (const [{ request }, { admitted }] of decided) {
      if (!admitted) continue;
      const { requests, bytes } = byOperation.get(request.operation) ?? { requests: 0, bytes: 0 };
      byOperation.set(request.operation, { requests: requests + 1, bytes: bytes + request.bytes });
    }
    if (byOperation.size > 0) {
      const { used } = decided.at(-1)![1];
      this.#addBatch.run(keyId, month, used.requests - before.requests, used.bytes - before.bytes);
    }
    for (const [operation, { requests, bytes }] of byOperation)
      this.#addDay.run(keyId, day, operation, requests, bytes);
    return decided;
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month and day in which the request was admitted.
   */
  settle(ticket: UsageTicket, answer: CountedAnswer): { requestsUsed: number; bytesUsed: number } {
    if (ticket.unlimited) {
      if (answer.counted) this.addToBatch(ticket, answer);
      return { requestsUsed: 0, bytesUsed: 0 };
    }
    const { keyId, month, day } = ticket;
    const [row] = (answer.counted
      ? transaction(this.#db, () => {
          this.#addDay.run(keyId, day, answer.operation ?? '', 1, answer.bytes);
          return this.#addBytes.all(answer.bytes, keyId, month);
        })
      : this.#takeBack.all(keyId, month)) as unknown as UsageRow[];
    return { requestsUsed: row?.requests ?? 0, bytesUsed: row?.bytes ?? 0 };
  }

  addToBatch({ keyId, month, day }: UsageTicket, { bytes, operation = '' }: CountedAnswer): void {
    const name = `${keyId} ${day} ${operation}`;
    const row = this.#batch.get(name);
    if (row) {
      row.requests++;
      row.bytes += bytes;
    } else this.#batch.set(name, { keyId, month, day, operation, requests: 1, bytes });
  }

  /**
   * Writes the counts of keys without limits. Counts that can't be written now are kept for the next call. @throws SQLite's error
   */
  writeBatch(): void {
    if (this.#batch.size === 0) return;
    transaction(this.#db, () => {
      for (const { keyId, month, day, operation, requests, bytes } of this.#batch.values()) {
        this.#addBatch.run(keyId, month, requests, bytes);
        this.#addDay.run(keyId, day, operation, requests, bytes);
      }
    });
    this.#batch = new Map();
  }
}
