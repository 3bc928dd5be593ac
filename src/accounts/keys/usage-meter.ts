/** The usage of each meter, by month and by day: exact for keys with limits, in batches for those without. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from '../transaction.ts';
import type { CountedAnswer, CountedRequest, UsageRow, UsageTicket } from './admission.ts';

/** A request of a key with limits, while it is counted. null: no limit */
export interface Limited {
  /** Among all that are counted */
  index: number;
  plan: string;
  ticket: UsageTicket;
  answer: CountedRequest['answer'];
  requestsMax: number | null;
  bytesMax: number | null;
}

interface Decided {
  admitted: boolean;
  /** After this request */
  used: UsageRow;
}

export class UsageMeter {
  readonly #db: DatabaseSync;
  readonly #usage: StatementSync;
  readonly #takeBack: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #addMonth: StatementSync;
  readonly #addDay: StatementSync;
  /** Counts of keys without limits that are not written yet */
  #batch: Batch = new Map();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#usage = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    this.#takeBack = db.prepare(
      'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBytes = db.prepare(
      'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addMonth = db.prepare(
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
   * Decides on requests and counts them, each after those before it. One transaction: no other process can count between the check of
   * a limit and the count.
   */
  count(requests: readonly Limited[]): Decided[] {
    return transaction(this.#db, () => {
      const batch: Batch = new Map();
      const meters = new Map<number, UsageRow>();
      const decided = requests.map(({ ticket, answer, requestsMax, bytesMax }): Decided => {
        const { keyId, month } = ticket;
        let used = meters.get(keyId) ?? this.used(keyId, month);
        const admitted = used.requests < (requestsMax ?? Infinity) && used.bytes < (bytesMax ?? Infinity);
        if (admitted) {
          used = { requests: used.requests + 1, bytes: used.bytes + (answer?.bytes ?? 0) };
          add(batch, ticket, answer);
        }
        meters.set(keyId, used);
        return { admitted, used };
      });
      this.#write(batch);
      return decided;
    });
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month and day in which the request was admitted.
   */
  settle(ticket: UsageTicket, answer: CountedAnswer): { requestsUsed: number; bytesUsed: number } {
    if (ticket.unlimited) {
      if (answer.counted) add(this.#batch, ticket, { bytes: answer.bytes, operation: answer.operation ?? '' });
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

  /**
   * Writes the counts of keys without limits. Counts that can't be written now are kept for the next call. @throws SQLite's error
   */
  writeBatch(): void {
    if (this.#batch.size === 0) return;
    transaction(this.#db, () => this.#write(this.#batch));
    this.#batch = new Map();
  }

  #write(batch: Batch): void {
    for (const { keyId, month, day, operation, requests, bytes } of batch.values()) {
      this.#addMonth.run(keyId, month, requests, bytes);
      if (operation !== undefined) this.#addDay.run(keyId, day, operation, requests, bytes);
    }
  }
}

/** Requests by meter, day and operation. Undefined: not answered yet, so that only their month counts them. */
type Batch = Map<string, UsageRow & { keyId: number; month: string; day: string; operation: string | undefined }>;

function add(batch: Batch, { keyId, month, day }: UsageTicket, answer: CountedRequest['answer']): void {
  const { operation, bytes = 0 } = answer ?? {};
  const name = `${keyId} ${day} ${operation}`;
  const row = batch.get(name);
  if (row) {
    row.requests++;
    row.bytes += bytes;
  } else batch.set(name, { keyId, month, day, operation, requests: 1, bytes });
}
