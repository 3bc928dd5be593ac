/**
 * Limits the requests to EDGAR of all processes of a home. SEC allows a user ten requests a second, over all hosts and processes,
 * and blocks faster users. A request during a block makes the block longer.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { Clock } from './clock.ts';

/**
 * Between two requests, in milliseconds: five a second. A new connection or a busy machine delays some requests. Even with three
 * late ones, one second never has nine.
 */
const SPACING_MS = 200;
/** A request that is later than this takes a new turn. */
const LATE_MS = 60;
/** Refusals within this time are one block. */
const ONE_BLOCK_MS = 60_000;
/** No turn is later than this. If one is, the system's counter was reset, or the file is from another machine. */
const AHEAD_MS_MAX = 3_600_000;

const TABLE = `CREATE TABLE IF NOT EXISTS gate (
  one INTEGER PRIMARY KEY CHECK (one = 1), next_turn REAL NOT NULL, blocked_until INTEGER NOT NULL
)`;

interface RequestBudgetOptions {
  clock: Clock;
  blockSeconds: number;
  /** Called when a block begins or is found. All requests wait until then (milliseconds since 1970). */
  onBlocked?: (until: number) => void;
}

export class RequestGate {
  readonly #db: DatabaseSync;
  readonly #options: RequestBudgetOptions;
  #reportedUntil = 0;

  private constructor(db: DatabaseSync, options: RequestBudgetOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** @throws FilinglakeError `home-unwritable` */
  static open(homeFolder: string, options: RequestBudgetOptions): RequestGate {
    try {
      mkdirSync(homeFolder, { recursive: true, mode: 0o700 });
      const db = new DatabaseSync(join(homeFolder, 'edgar-requests.db'), { timeout: 10_000 });
      db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; ${TABLE}; INSERT OR IGNORE INTO gate VALUES (1, 0, 0)`);
      return new RequestGate(db, options);
    } catch (cause) {
      throw new FilinglakeError('home-unwritable', `can't write to ${homeFolder}: ${systemErrorWords(cause)}`, {
        cause,
      });
    }
  }

  /** Waits for the next turn; the caller sends its request at once. @throws the signal's reason */
  async turn(signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      signal?.throwIfAborted();
      const blockedMs = this.#blockedUntil() - clock.now();
      if (blockedMs > 0) {
        this.#reportBlock(clock.now() + blockedMs);
        await clock.sleep(blockedMs, signal);
        continue;
      }
      const turn = this.#takeTurn();
      const waitMs = turn - clock.monotonic();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      // Another process may have found a block since. A process that slept has missed its turn.
      if (clock.monotonic() - turn <= LATE_MS && this.#blockedUntil() <= clock.now()) return;
    }
  }

  /** EDGAR refuses everything from this address. No process of this home sends a request until the block is over. */
  blocked(): number {
    const until = Math.round(this.#options.clock.now() + this.#options.blockSeconds * 1000);
    this.#db.prepare('UPDATE gate SET blocked_until = ?').run(until);
    this.#reportBlock(until);
    return until;
  }

  /** Once for each block, even if it refuses several requests. */
  #reportBlock(until: number): void {
    const { onBlocked, clock } = this.#options;
    if (clock.now() < this.#reportedUntil && until < this.#reportedUntil + ONE_BLOCK_MS) return;
    this.#reportedUntil = until;
    onBlocked?.(until);
  }

  close(): void {
    this.#db.close();
  }

  /** A block too far in the future comes from a clock that was set back. */
  #blockedUntil(): number {
    const { blocked_until } = this.#db.prepare('SELECT blocked_until FROM gate').get() as { blocked_until: number };
    const { clock, blockSeconds } = this.#options;
    return blocked_until - clock.now() > Math.max(blockSeconds * 1000, 601_000) + 1000 ? 0 : blocked_until;
  }

  /** By the system's monotonic counter, which all processes share and which can't be set. */
  #takeTurn(): number {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const { next_turn } = this.#db.prepare('SELECT next_turn FROM gate').get() as { next_turn: number };
      const now = this.#options.clock.monotonic();
      const turn = next_turn > now + AHEAD_MS_MAX ? now + SPACING_MS : Math.max(now, next_turn);
      this.#db.prepare('UPDATE gate SET next_turn = ?').run(turn + SPACING_MS);
      this.#db.exec('COMMIT');
      return turn;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}
