/**
 * The ledger of EDGAR: published filings, the state of each, and the proven days. It is a separate database in the catalog's
 * folder, so that it never waits for an ingest. The catalog alone decides if a filing is stored.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { Validators } from './edgar-http.ts';
import { REGISTER_TABLES, Register } from './register.ts';
import { unwritable } from './write-error.ts';

type FilingSource = 'feed' | 'daily-index' | 'full-index' | 'selection';

/** A filing that was published. Dates as `YYYY-MM-DD`, times in milliseconds since 1970. */
export interface PublishedFiling {
  accession_number: string;
  form_type: string;
  filing_date: string;
  /** Path of its complete submission, below `/Archives/` */
  path: string;
  /** When EDGAR accepted it; null if only an index names it */
  accepted_at: number | null;
  source: FilingSource;
}

/** `missing`: requested, and not available yet. `recheck`: stored, and may have been corrected since. */
type FilingState = 'pending' | 'stored' | 'missing' | 'recheck';

export interface KnownFiling extends PublishedFiling {
  first_seen_at: number;
  state: FilingState;
  /** Why it is missing */
  reason: string | null;
  tries: number;
  /** Earliest time of the next request */
  next_try_at: number;
  stored_at: number | null;
  etag: string | null;
  last_modified: string | null;
  /** When EDGAR's indexes no longer had it */
  withdrawn_at: number | null;
}

/** SQLite's codes of a file that is damaged, or is not a database. */
const DAMAGED = [11, 26];

/** SQLite's code of a disk that is full. */
const DISK_FULL = 13;

/** Turns a fault of the ledger's file during use into a FilinglakeError. Other errors are returned unchanged. */
export function ledgerError(error: unknown, catalogFolder: string): unknown {
  if (error instanceof FilinglakeError) return error;
  const file = join(catalogFolder, 'edgar.db');
  const code = (error as { errcode?: number }).errcode ?? 0;
  if (code === DISK_FULL) return unwritable(file, error);
  return DAMAGED.includes(code) ? unusable(file, error) : error;
}

function unusable(file: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('edgar-ledger-unusable', `${file} can't be used: ${systemErrorWords(cause)}`, { cause });
}

const VERSION = 1;
const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE filings (
  accession_number TEXT PRIMARY KEY, form_type TEXT NOT NULL, filing_date TEXT NOT NULL, path TEXT NOT NULL,
  accepted_at INTEGER, source TEXT NOT NULL, first_seen_at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
  tries INTEGER NOT NULL DEFAULT 0, next_try_at INTEGER NOT NULL DEFAULT 0, stored_at INTEGER, etag TEXT, last_modified TEXT,
  withdrawn_at INTEGER, in_feed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX filings_state ON filings (state, next_try_at) WHERE state <> 'stored';
CREATE INDEX filings_date ON filings (filing_date);
CREATE TABLE days (day TEXT PRIMARY KEY, read_at INTEGER, proven_at INTEGER) WITHOUT ROWID;
CREATE TABLE day_filings (day TEXT NOT NULL, accession_number TEXT NOT NULL, PRIMARY KEY (day, accession_number)) WITHOUT ROWID;
CREATE INDEX day_filings_accession ON day_filings (accession_number);
CREATE TABLE kept_files (url TEXT PRIMARY KEY, file TEXT NOT NULL, sha256 TEXT NOT NULL, etag TEXT, last_modified TEXT) WITHOUT ROWID;
`;

/** Companies of stored filings, and when SEC's record of each was last requested. */
const ENTITIES_TABLE = `
CREATE TABLE entities (cik TEXT PRIMARY KEY, checked_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX entities_checked ON entities (checked_at);
`;
/** Forms of people and their trades. For persons, SEC's record adds nothing to the header. */
const FORMS_OF_PEOPLE = /^(3|4|5|144)(\/A)?$/;

/** Pauses before a filing that could not be fetched is requested again; the last one repeats. */
const RETRY_AFTER_MS = [1, 5, 30, 120, 360, 1440].map((minutes) => minutes * 60_000);

/** Whether the catalog has the withdrawals: `yes`, or not. */
const WITHDRAWN_TOLD = 'withdrawn_told';

export class Ledger {
  readonly db: DatabaseSync;
  readonly register: Register;
  readonly #file: string;

  private constructor(db: DatabaseSync, file: string) {
    this.db = db;
    this.register = new Register(db);
    this.#file = file;
  }

  /** Opens the ledger of a catalog; creates it if missing. @throws FilinglakeError `edgar-ledger-unusable` */
  static open(catalogFolder: string): Ledger {
    const file = join(catalogFolder, 'edgar.db');
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(file, { timeout: 10_000 });
      db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
      const ledger = new Ledger(db, file);
      ledger.transaction(() => ledger.#makeTables());
      return ledger;
    } catch (cause) {
      db?.close();
      if (cause instanceof FilinglakeError) throw cause;
      throw unusable(file, cause);
    }
  }

  #makeTables(): void {
    const { user_version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (user_version === VERSION) return;
    if (user_version !== 0) {
      throw new FilinglakeError('catalog-unsupported', `${this.#file} has version ${user_version}`, {
        remedy: `Use the filinglake that made it. This one reads version ${VERSION}.`,
      });
    }
    this.db.exec(`${TABLES}${ENTITIES_TABLE}${REGISTER_TABLES}`);
    this.db.exec(`PRAGMA user_version = ${VERSION}`);
  }

  close(): void {
    this.db.close();
  }

  transaction<Result>(work: () => Result): Result {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  meta(key: string): string | null {
    const row = this.db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    return row?.value ?? null;
  }

  setMeta(key: string, value: string): void {
    this.db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value);
  }

  filing(accessionNumber: string): KnownFiling | null {
    const row = this.db.prepare('SELECT * FROM filings WHERE accession_number = ?').get(accessionNumber);
    return (row as unknown as KnownFiling | undefined) ?? null;
  }

  /** Records published filings. Known ones keep their state, with an index's newer facts. @returns the new ones */
  note(filings: Iterable<PublishedFiling>, now: number): string[] {
    const insert = this.db.prepare(
      `INSERT OR IGNORE INTO filings (accession_number, form_type, filing_date, path, accepted_at, source, first_seen_at, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')`,
    );
    const accepted = this.db.prepare(
      'UPDATE filings SET accepted_at = ? WHERE accession_number = ? AND accepted_at IS NULL',
    );
    const said = this.db.prepare(
      `UPDATE filings SET form_type = ?1, filing_date = ?2, path = ?3
       WHERE accession_number = ?4 AND (form_type <> ?1 OR filing_date <> ?2 OR path <> ?3)`,
    );
    const added: string[] = [];
    for (const { accession_number, form_type, filing_date, path, accepted_at, source } of filings) {
      const { changes } = insert.run(accession_number, form_type, filing_date, path, accepted_at, source, now);
      if (changes > 0) added.push(accession_number);
      else if (accepted_at !== null) accepted.run(accepted_at, accession_number);
      else if (source !== 'selection') said.run(form_type, filing_date, path, accession_number);
    }
    return added;
  }

  /**
   * Filings that are due for a request, the oldest first. Those that EDGAR refused before come last, so that they don't hold up the
   * others. An impossibly long pause comes from a clock that was set back, and is ignored.
   */
  due(now: number): KnownFiling[] {
    const rows = this.db
      .prepare(
        `SELECT * FROM filings WHERE state <> 'stored' AND withdrawn_at IS NULL AND next_try_at NOT BETWEEN ?1 + 1 AND ?1 + ${RETRY_AFTER_MS.at(-1)}
         ORDER BY reason IS NOT NULL, accepted_at IS NULL, accepted_at, filing_date, accession_number`,
      )
      .all(now);
    return rows as unknown as KnownFiling[];
  }

  /** Filings that EDGAR has not delivered yet, and that wait for their next request. */
  waiting(): KnownFiling[] {
    const rows = this.db
      .prepare(
        `SELECT * FROM filings WHERE state <> 'stored' AND withdrawn_at IS NULL AND reason IS NOT NULL ORDER BY accession_number`,
      )
      .all();
    return rows as unknown as KnownFiling[];
  }

  /** Days that EDGAR lists and whose index can't be read. */
  unreadDays(): string[] {
    const rows = this.db.prepare('SELECT day FROM days WHERE read_at IS NULL ORDER BY day').all();
    return (rows as { day: string }[]).map(({ day }) => day);
  }

  /** The filing is in the catalog, in EDGAR's current version. */
  stored(accessionNumber: string, at: number): void {
    const { form_type = '', path = '' } = this.filing(accessionNumber) ?? {};
    const cik = /^edgar\/data\/(\d{1,10})\//.exec(path)?.[1];
    if (cik !== undefined && !FORMS_OF_PEOPLE.test(form_type)) this.noteEntities([cik]);
    this.db
      .prepare(
        `UPDATE filings SET state = 'stored', reason = NULL, tries = 0, stored_at = coalesce(stored_at, ?) WHERE accession_number = ?`,
      )
      .run(at, accessionNumber);
  }

  /** The state of the file at its download: to a request with it, EDGAR answers "unchanged". */
  setValidators(accessionNumber: string, { etag, lastModified }: Validators): void {
    this.db
      .prepare('UPDATE filings SET etag = ?, last_modified = ? WHERE accession_number = ?')
      .run(etag, lastModified, accessionNumber);
  }

  /** A filing that could not be fetched: requested again after a growing pause. A stored one stays stored. */
  missed(accessionNumber: string, reason: string, now: number): void {
    const tries = (this.filing(accessionNumber)?.tries ?? 0) + 1;
    const next = now + RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length) - 1]!;
    this.db
      .prepare(
        `UPDATE filings SET state = CASE state WHEN 'recheck' THEN 'recheck' ELSE 'missing' END, reason = ?, tries = ?, next_try_at = ?
         WHERE accession_number = ?`,
      )
      .run(reason, tries, next, accessionNumber);
  }

  /** EDGAR names a stored filing again, or with other facts: its file may have changed. */
  recheck(accessionNumber: string): void {
    this.db
      .prepare(
        `UPDATE filings SET state = 'recheck', next_try_at = 0, tries = 0 WHERE accession_number = ? AND state = 'stored'`,
      )
      .run(accessionNumber);
  }

  /** The feed names a filing with other facts than before: it was corrected. Once an index names it, the facts of the indexes count. */
  correctedInFeed({ accession_number, form_type, filing_date }: PublishedFiling): void {
    const known = this.filing(accession_number);
    if (known?.source !== 'feed' || (known.form_type === form_type && known.filing_date === filing_date)) return;
    if (this.register.names(accession_number)) return;
    const { changes } = this.db
      .prepare(
        `UPDATE filings SET form_type = ?1, filing_date = ?2
         WHERE accession_number = ?3
           AND NOT EXISTS (SELECT 1 FROM day_filings d WHERE d.accession_number = ?3)`,
      )
      .run(form_type, filing_date, accession_number);
    if (changes > 0) this.recheck(accession_number);
  }

  /** A filing of the catalog that the ledger lacks, such as one from the user's own files, is marked for a check. */
  noteForRecheck(filing: PublishedFiling, now: number): void {
    this.note([filing], now);
    this.db
      .prepare(`UPDATE filings SET state = 'recheck' WHERE accession_number = ? AND state = 'pending'`)
      .run(filing.accession_number);
  }

  /** Filings that count as stored and that a newly made catalog lacks are pending again. */
  forgetStored(accessionNumbers: Iterable<string>): void {
    const forget = this.db.prepare(
      `UPDATE filings SET state = 'pending', stored_at = NULL, etag = NULL, last_modified = NULL, next_try_at = 0 WHERE accession_number = ?`,
    );
    const unproven = this.db.prepare(
      'UPDATE days SET proven_at = NULL WHERE day IN (SELECT day FROM day_filings WHERE accession_number = ?)',
    );
    this.setMeta(WITHDRAWN_TOLD, '');
    for (const accession of accessionNumbers) {
      forget.run(accession);
      unproven.run(accession);
    }
  }

  noteEntities(ciks: Iterable<string>): void {
    const insert = this.db.prepare('INSERT OR IGNORE INTO entities (cik) VALUES (?)');
    for (const cik of ciks) insert.run(cik);
  }

  /** CIKs without a request in the interval, the longest first. A time in the future came from a wrong clock: due. */
  entitiesDue(now: number, paceMs: number): string[] {
    const due = this.db.prepare('SELECT cik FROM entities WHERE checked_at <= ? OR checked_at > ? ORDER BY checked_at');
    return (due.all(now - paceMs, now) as { cik: string }[]).map(({ cik }) => cik);
  }

  entitiesRefreshed(ciks: Iterable<string>, now: number): void {
    const set = this.db.prepare('UPDATE entities SET checked_at = ? WHERE cik = ?');
    this.transaction(() => {
      for (const cik of ciks) set.run(now, cik);
    });
  }

  /** A newly made catalog has nothing of SEC's lists and records. */
  forgetEntities(): void {
    this.db.exec("UPDATE entities SET checked_at = 0; DELETE FROM meta WHERE key = 'tickers_checked_at'");
  }

  /** @returns whether it was not marked before */
  withdrawn(accessionNumber: string, at: number): boolean {
    const { changes } = this.db
      .prepare('UPDATE filings SET withdrawn_at = ? WHERE accession_number = ? AND withdrawn_at IS NULL')
      .run(at, accessionNumber);
    if (changes > 0) this.setMeta(WITHDRAWN_TOLD, '');
    return changes > 0;
  }

  /** EDGAR lists a filing again that it had withdrawn. */
  returned(accessionNumber: string): void {
    const { changes } = this.db
      .prepare('UPDATE filings SET withdrawn_at = NULL WHERE accession_number = ? AND withdrawn_at IS NOT NULL')
      .run(accessionNumber);
    if (changes > 0) this.setMeta(WITHDRAWN_TOLD, '');
  }

  /** Times (UTC) of all withdrawn filings, if the catalog may have others; else null. */
  untoldWithdrawn(): Map<string, string> | null {
    if (this.meta(WITHDRAWN_TOLD) === 'yes') return null;
    const rows = this.db
      .prepare('SELECT accession_number, withdrawn_at FROM filings WHERE withdrawn_at IS NOT NULL')
      .all();
    return new Map(
      (rows as unknown as { accession_number: string; withdrawn_at: number }[]).map((row) => [
        row.accession_number,
        new Date(row.withdrawn_at).toISOString(),
      ]),
    );
  }

  toldWithdrawn(): void {
    this.setMeta(WITHDRAWN_TOLD, 'yes');
  }
}
