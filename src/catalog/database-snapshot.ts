/**
 * The pages of a SQLite database at one moment, read beside its writers. node:sqlite can copy a database only whole, so the files are
 * read: the database, and over it the committed pages of its write-ahead log (https://sqlite.org/walformat.html). A read transaction
 * holds them in place: a checkpoint writes no later page into the database, and the log's pages in use are not written over.
 */
import { openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseError } from './database-file.ts';

/** Pages are read and compared this many bytes at a time: a multiple of each page size. */
export const BLOCK_BYTES = 2 ** 20;

const SHARED_HEADER_BYTES = 48;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Commits that may come between two looks at the log's state. */
const TRIES_MAX = 1_000;

export class DatabaseSnapshot {
  /** In the transaction of the snapshot: what it reads is in the pages. */
  readonly db: DatabaseSync;
  readonly pageBytes: number;
  /** Of the whole database */
  readonly bytes: number;
  readonly #file: number;
  readonly #log: number | null = null;
  /** Places in the log of pages that the database doesn't have yet, by page number. */
  readonly #logged = new Map<number, number>();

  /** @throws FilinglakeError `catalog-unreadable`, `catalog-unwritable` */
  constructor(file: string) {
    try {
      this.db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
      // Never closed while the process lives: closing them would free the locks that SQLite has on these files (fcntl).
      this.#file = openSync(file, 'r');
      const isLogged = this.#number('PRAGMA journal_mode') === 'wal' && this.#number('PRAGMA schema_version') !== null;
      const state = isLogged ? this.#atRest(openSync(`${file}-shm`, 'r')) : this.#begin();
      this.pageBytes = Number(this.#number('PRAGMA page_size'));
      this.bytes = Number(this.#number('PRAGMA page_count')) * this.pageBytes;
      if (state === null || state.frames <= state.copiedFrames) return;
      this.#log = openSync(`${file}-wal`, 'r');
      this.#readLog(this.#log, state);
    } catch (error) {
      throw databaseError(file, error);
    }
  }

  /** @param block counted from 0; the last one may be shorter than BLOCK_BYTES */
  read(block: number): Buffer {
    const from = block * BLOCK_BYTES;
    const bytes = Buffer.alloc(Math.max(0, Math.min(BLOCK_BYTES, this.bytes - from)));
    readFully(this.#file, bytes, from);
    for (let at = 0; at < bytes.length; at += this.pageBytes) {
      const place = this.#logged.get((from + at) / this.pageBytes + 1);
      if (place === undefined) continue;
      const page = bytes.subarray(at, at + this.pageBytes);
      if (readFully(this.#log!, page, place) < page.length) throw new Error('the write-ahead log ends within a page');
    }
    return bytes;
  }

  close(): void {
    this.db.close();
  }

  #begin(): null {
    this.db.exec('BEGIN');
    this.#number('PRAGMA schema_version');
    return null;
  }

  /** Begins the transaction between two equal states of the log: then the snapshot is that state. */
  #atRest(shared: number): LogState {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const before = logState(shared);
      this.#begin();
      const state = logState(shared);
      if (before !== null && state !== null && before.header.equals(state.header)) return state;
      this.db.exec('ROLLBACK');
    }
    throw new Error('its write-ahead log changes all the time');
  }

  #readLog(log: number, { frames, salts }: LogState): void {
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    for (let frame = 0; frame < frames; frame++) {
      const at = LOG_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + this.pageBytes);
      readFully(log, header, at);
      if (!header.subarray(8, 16).equals(salts)) throw new Error('its write-ahead log was begun again meanwhile');
      this.#logged.set(header.readUInt32BE(0), at + FRAME_HEADER_BYTES);
    }
  }

  #number(sql: string): unknown {
    return Object.values(this.db.prepare(sql).get() ?? { none: null })[0];
  }
}

interface LogState {
  header: Buffer;
  /** Committed frames of the log */
  frames: number;
  /** Of them, those that are in the database too */
  copiedFrames: number;
  /** Frames of an earlier round of the log have others. */
  salts: Buffer;
}

/** The log's index in shared memory begins with two copies of its state; null while one is written. */
function logState(shared: number): LogState | null {
  const bytes = Buffer.alloc(2 * SHARED_HEADER_BYTES + 4);
  readFully(shared, bytes, 0);
  const header = bytes.subarray(0, SHARED_HEADER_BYTES);
  if (!header.equals(bytes.subarray(SHARED_HEADER_BYTES, 2 * SHARED_HEADER_BYTES))) return null;
  const frames = header.readUInt32LE(16);
  return { header, frames, copiedFrames: bytes.readUInt32LE(2 * SHARED_HEADER_BYTES), salts: header.subarray(32, 40) };
}

/** @returns bytes that were read: fewer at the end of the file */
export function readFully(file: number, into: Buffer, at: number): number {
  let filled = 0;
  while (filled < into.length) {
    const n = readSync(file, into, filled, into.length - filled, at + filled);
    if (n === 0) break;
    filled += n;
  }
  return filled;
}
