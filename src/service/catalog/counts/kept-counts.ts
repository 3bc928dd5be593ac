/**
 * Counts on disk, for all readers of a catalog and beyond their end: `counts.db` in its folder. It may be removed at any time. A reader
 * that can't write there keeps its counts to itself.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, isDamage } from '../store/database-file.ts';

/** A range of parts whose rows were counted. */
export interface KeptRange {
  from: number;
  to: number;
  count: number;
  /** The sum of the range's revisions at the count */
  revision: number;
  /** Milliseconds that the count took */
  ms: number;
}

/** Raised when the same query counts other rows, or parts have other days. */
const COUNTS_VERSION = 1;
const COUNTS_FILE = 'counts.db';
/** Milliseconds of counting: what took less is counted again. */
const WORTH_MS = 20;
/** Ranges that are kept, some 60 bytes each. The least recently saved go. */
const RANGES_MAX = 200_000;

const TABLE = `
CREATE TABLE IF NOT EXISTS ranges (
  id INTEGER PRIMARY KEY, query BLOB NOT NULL, last INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
  revision INTEGER NOT NULL, ms REAL NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS ranges_query ON ranges (query, last);
`;

export class KeptCounts {
  readonly #file: string;
  readonly #identity: string;
  readonly #worthMs: number;
  #db: DatabaseSync | null = null;
  #isOff = false;

  /** @param identity of the catalog, which no other one has */
  constructor(folder: string, identity: string, worthMs = WORTH_MS) {
    this.#file = join(folder, COUNTS_FILE);
    this.#identity = identity;
    this.#worthMs = worthMs;
  }

  /** @param key of a query, and of no other */
  load(key: string): KeptRange[] {
    return (
      this.#try((db) => {
        const rows = db.prepare(
          'SELECT first AS "from", last AS "to", count, revision, ms FROM ranges WHERE query = ? ORDER BY last',
        );
        return rows.all(this.#queryOf(key)) as unknown as KeptRange[];
      }) ?? []
    );
  }

  /** In place of the query's other ranges. @param ms of counting since the last save */
  save(key: string, ranges: Iterable<KeptRange>, ms: number): void {
    if (ms < this.#worthMs) return;
    this.#try((db) => {
      const query = this.#queryOf(key);
      db.exec('BEGIN IMMEDIATE');
      try {
        db.prepare('DELETE FROM ranges WHERE query = ?').run(query);
        const insert = db.prepare(
          'INSERT INTO ranges (query, last, first, count, revision, ms) VALUES (?, ?, ?, ?, ?, ?)',
        );
        for (const { from, to, count, revision, ms } of ranges) insert.run(query, to, from, count, revision, ms);
        db.exec(`DELETE FROM ranges WHERE id <= (SELECT max(id) FROM ranges) - ${RANGES_MAX}`);
        db.exec('COMMIT');
      } finally {
        if (db.isTransaction) db.exec('ROLLBACK');
      }
    });
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
    this.#isOff = true;
  }

  /** What can't be kept is counted again. A lock is another reader's save, and over at once. */
  #try<T>(body: (db: DatabaseSync) => T): T | null {
    if (this.#isOff) return null;
    try {
      this.#db ??= this.#open();
      return body(this.#db);
    } catch (error) {
      if (isBusy(error)) return null;
      this.close();
      if (isDamage(error)) for (const end of ['', '-wal', '-shm']) rmSync(`${this.#file}${end}`, { force: true });
      return null;
    }
  }

  #open(): DatabaseSync {
    const db = new DatabaseSync(this.#file, { timeout: 0 });
    try {
      // Without a sync: after a power cut the file may lack the last saves, never more.
      db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; ${TABLE}`);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #queryOf(key: string): Uint8Array {
    return createHash('sha256').update(`${COUNTS_VERSION}\0${this.#identity}\0${key}`).digest().subarray(0, 16);
  }
}
