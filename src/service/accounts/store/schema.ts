/** `accounts.db`: its tables of keys and usage, and of the accounts, sessions and plans behind keys. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ACCOUNTS_FILE, databaseError, isBusy, isFileThere, makeFolder } from '../../catalog/index.ts';
import { transaction } from './transaction.ts';

const BUSY_TIMEOUT_MS = 10_000;

export const TABLES = `
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, prefix TEXT NOT NULL UNIQUE, plan TEXT NOT NULL,
  created_at TEXT NOT NULL, revoked_at TEXT, closed_at TEXT, name TEXT, account INTEGER, meter INTEGER
);
CREATE INDEX IF NOT EXISTS keys_account ON keys (account);
CREATE TABLE IF NOT EXISTS usage (
  key INTEGER NOT NULL, month TEXT NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (key, month)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS usage_days (
  meter INTEGER NOT NULL, day TEXT NOT NULL, operation TEXT NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (meter, day, operation)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS work (meter INTEGER NOT NULL, month TEXT NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY (meter, month)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS key_uses (key INTEGER PRIMARY KEY, day TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS quota_mails (
  account INTEGER NOT NULL, month TEXT NOT NULL, percent INTEGER NOT NULL, PRIMARY KEY (account, month, percent)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT UNIQUE, password TEXT, plan TEXT NOT NULL, next_plan TEXT, next_from TEXT,
  created_at TEXT NOT NULL, deleted_at TEXT, meter INTEGER, meter_plan TEXT
);
CREATE TABLE IF NOT EXISTS sessions (
  hash BLOB PRIMARY KEY, account INTEGER NOT NULL, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS link_sessions (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS one_time_links (
  hash BLOB PRIMARY KEY, purpose TEXT NOT NULL, email TEXT NOT NULL, password TEXT, expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (
  subject TEXT PRIMARY KEY, count INTEGER NOT NULL, expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS plan_changes (
  id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, from_plan TEXT NOT NULL,
  to_plan TEXT NOT NULL, effective TEXT NOT NULL, actor TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS plan_requests (
  id INTEGER PRIMARY KEY, account INTEGER NOT NULL, plan TEXT NOT NULL, state TEXT NOT NULL, billing TEXT NOT NULL,
  reference TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, settled_at TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS plan_requests_open ON plan_requests (account) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS attempts_expiry ON attempts (expires_at);
CREATE INDEX IF NOT EXISTS one_time_links_expiry ON one_time_links (expires_at);
CREATE TABLE IF NOT EXISTS cancellations (
  reference TEXT PRIMARY KEY, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS departed (
  address BLOB NOT NULL, month TEXT NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL, ms INTEGER,
  PRIMARY KEY (address, month)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS month_secrets (month TEXT PRIMARY KEY, secret BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS billing_events (id TEXT PRIMARY KEY, received_at TEXT NOT NULL, outcome TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * Opens `accounts.db` of a catalog's folder, and makes what it lacks.
 * @param options.neverWait a lock of another process is an error at once
 * @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable`
 */
export function openAccountsDatabase(folder: string, options: { neverWait?: boolean } = {}): DatabaseSync {
  makeFolder(folder);
  const file = join(folder, ACCOUNTS_FILE);
  let db: DatabaseSync | null = null;
  const isThere = isFileThere(file);
  try {
    // It has addresses and hashes of passwords: only its owner may read it. The files beside it get the same rights.
    if (!isThere) closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // NORMAL: a killed process loses nothing; only a power cut may forget the last moments of usage, and nothing is torn.
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
    db.exec(TABLES);
    if (options.neverWait) db.exec('PRAGMA busy_timeout=0');
    return db;
  } catch (cause) {
    db?.close();
    throw databaseError(file, cause);
  }
}

/** Checks that the database can be written: a read-only file opens too. @throws FilinglakeError `catalog-unwritable` */
export function requireWritable(db: DatabaseSync, folder: string): void {
  try {
    // On a read-only file SQLite begins a transaction as a reader. It refuses a change, even one of no rows.
    transaction(db, () => db.exec('UPDATE keys SET plan = plan WHERE 0'));
  } catch (error) {
    // Another program is writing, as `keys create` does: so it can be written.
    if (!isBusy(error)) throw databaseError(join(folder, ACCOUNTS_FILE), error);
  }
}
