/** The catalog's database: tables, indexes, how it is opened. One SQLite file in WAL mode beside the packs; one writer, any number of readers. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError } from '../../../core/index.ts';
import { PART_REVISIONS } from './count-revisions.ts';
import { DATABASE_FILE, databaseError, isFileThere, missing, noCatalog } from './database-file.ts';
import { makeFolder } from './folder.ts';

/** Raised when tables change; a catalog of another version is refused, never guessed at. */
const SCHEMA_VERSION = 1;

/** Waiting for the one writer's commit, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Ids include the day: `days since 1970 × 2^k + running number of the day`. Rows of a day are stored together, and FTS row ids grow
 * with the filing date (newest first is `ORDER BY rowid DESC`). Both stay below 2^53.
 */
export const FILINGS_A_DAY = 2 ** 24;
export const DOCUMENTS_A_DAY = 2 ** 36;

/**
 * Total order of filing_lookup (docs/api.md#paging-and-order): the field, then acceptance in the same order, then accession number
 * ascending. Rows without a value come last in both directions. There is one index for each field and direction, so that a page is
 * a walk along an index. Queries must repeat the expressions word for word.
 */
export const ACCEPTANCE_ASC = "ifnull(acceptance,'~')";
export const ACCEPTANCE_DESC = "ifnull(acceptance,'')";
export const NAME_ASC = 'ifnull(name_key,char(1114111))';
export const NAME_DESC = "ifnull(name_key,'')";

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE packs (pack INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);

CREATE TABLE filings (
  id INTEGER PRIMARY KEY,
  accession TEXT NOT NULL,
  form_type TEXT NOT NULL,
  form_key TEXT NOT NULL,
  amendment INTEGER NOT NULL,
  filing_date TEXT NOT NULL,
  acceptance TEXT,
  size INTEGER NOT NULL,
  name_key TEXT,
  dialect TEXT NOT NULL,
  corrected INTEGER NOT NULL,
  has_series INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  readers TEXT
);
CREATE UNIQUE INDEX filings_accession ON filings (accession);
CREATE INDEX filings_sha256 ON filings (sha256);
CREATE INDEX filings_date_desc ON filings (filing_date DESC, ${ACCEPTANCE_DESC} DESC, accession);
CREATE INDEX filings_date_asc ON filings (filing_date, ${ACCEPTANCE_ASC}, accession);
CREATE INDEX filings_acceptance_desc ON filings (${ACCEPTANCE_DESC} DESC, accession);
CREATE INDEX filings_acceptance_asc ON filings (${ACCEPTANCE_ASC}, accession);
CREATE INDEX filings_form_desc ON filings (form_key DESC, ${ACCEPTANCE_DESC} DESC, accession);
CREATE INDEX filings_form_asc ON filings (form_key, ${ACCEPTANCE_ASC}, accession);
CREATE INDEX filings_size_desc ON filings (size DESC, ${ACCEPTANCE_DESC} DESC, accession);
CREATE INDEX filings_size_asc ON filings (size, ${ACCEPTANCE_ASC}, accession);
CREATE INDEX filings_name_desc ON filings (${NAME_DESC} DESC, ${ACCEPTANCE_DESC} DESC, accession);
CREATE INDEX filings_name_asc ON filings (${NAME_ASC}, ${ACCEPTANCE_ASC}, accession);
CREATE INDEX filings_form_date ON filings (form_key, filing_date DESC, ${ACCEPTANCE_DESC} DESC, accession);

-- The answers, made once at ingest: a page of 10,000 is a concatenation of record texts.
CREATE TABLE filing_records (filing INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE filing_infos (filing INTEGER PRIMARY KEY, info BLOB NOT NULL);

CREATE TABLE filing_parties (
  filing INTEGER NOT NULL, position INTEGER NOT NULL, role TEXT NOT NULL, cik INTEGER, sic TEXT,
  PRIMARY KEY (filing, position)
) WITHOUT ROWID;
CREATE INDEX filing_parties_cik ON filing_parties (cik, filing);
CREATE TABLE filing_items (item TEXT NOT NULL, filing INTEGER NOT NULL, PRIMARY KEY (item, filing)) WITHOUT ROWID;
CREATE INDEX filing_items_filing ON filing_items (filing);
-- Accession numbers that a deletion notice of the feed took back: a copy that comes later is not stored.
CREATE TABLE deletions (accession TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  filing INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  type TEXT,
  type_key TEXT,
  filename TEXT,
  description TEXT,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  pack INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
  searched INTEGER NOT NULL,
  text_offset INTEGER, text_length INTEGER
);
CREATE UNIQUE INDEX documents_filing ON documents (filing, sequence);
CREATE VIRTUAL TABLE document_texts USING fts5(text, content='', contentless_delete=1, detail=full, tokenize='unicode61 remove_diacritics 2');

CREATE TABLE entities (
  cik INTEGER PRIMARY KEY,
  name_key TEXT,
  sic TEXT,
  state TEXT,
  entity_type TEXT,
  facts TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE TABLE entity_tickers (ticker TEXT NOT NULL, cik INTEGER NOT NULL, PRIMARY KEY (ticker, cik)) WITHOUT ROWID;
CREATE INDEX entity_tickers_cik ON entity_tickers (cik);
CREATE TABLE entity_exchanges (exchange TEXT NOT NULL, cik INTEGER NOT NULL, PRIMARY KEY (exchange, cik)) WITHOUT ROWID;
CREATE INDEX entity_exchanges_cik ON entity_exchanges (cik);
CREATE INDEX entities_sic ON entities (sic);
CREATE INDEX entities_state ON entities (state);
-- SEC's ticker lists, the newest of each kind (with or without exchanges) whole.
CREATE TABLE listed_tickers (
  list TEXT NOT NULL, cik INTEGER NOT NULL, position INTEGER NOT NULL, ticker TEXT NOT NULL, exchange TEXT,
  PRIMARY KEY (list, cik, position)
) WITHOUT ROWID;
CREATE INDEX listed_tickers_cik ON listed_tickers (cik);

-- Submissions that others of the same accession number replaced, and when (UTC).
CREATE TABLE superseded (sha256 BLOB PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
-- Eastern times from SEC's submissions JSON.
CREATE TABLE acceptances (accession TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
-- What EDGAR says of filings after their publication, as UTC times.
CREATE TABLE edgar_states (
  accession TEXT PRIMARY KEY, withdrawn_at TEXT, corrected_at TEXT, checked_at TEXT
) WITHOUT ROWID;
CREATE INDEX edgar_states_withdrawn ON edgar_states (accession) WHERE withdrawn_at IS NOT NULL;

-- Parts of names, found by their trigrams. Triggers keep it in step with the entities.
CREATE VIRTUAL TABLE entity_names USING fts5(name, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
CREATE TRIGGER entity_names_insert AFTER INSERT ON entities BEGIN
  DELETE FROM entity_names WHERE rowid = new.cik;
  INSERT INTO entity_names (rowid, name) SELECT new.cik, new.name_key WHERE new.name_key IS NOT NULL;
END;
CREATE TRIGGER entity_names_update AFTER UPDATE ON entities BEGIN
  DELETE FROM entity_names WHERE rowid IN (old.cik, new.cik);
  INSERT INTO entity_names (rowid, name) SELECT new.cik, new.name_key WHERE new.name_key IS NOT NULL;
END;
CREATE TRIGGER entity_names_delete AFTER DELETE ON entities BEGIN
  DELETE FROM entity_names WHERE rowid = old.cik;
END;
${PART_REVISIONS}
`;

export const PACK_FOLDER = 'packs';

/**
 * A condition that is true for every row, with which a long query can be ended. SQLite calls back for every sixteenth row id. An
 * error of the callback ends the query. node:sqlite has no other way to interrupt one.
 */
export function interruptible(rowId: string): string {
  return `CASE WHEN ${rowId} & 15 THEN 1 ELSE still_wanted() END`;
}

/** Called while a query runs. Its error ends the query, and the query throws it. */
export type StillWanted = () => void;

export interface ReadOptions {
  /** Called often during long work; its error ends the work */
  stillWanted?: StillWanted;
  /** A lock is an error at once (SQLITE_BUSY), for a thread that may not block */
  neverWait?: boolean;
}

/** Opens the catalog's database to read. @throws FilinglakeError `catalog-missing`, `catalog-unsupported`, `catalog-unreadable`, `catalog-unwritable` */
export function openToRead(folder: string, options: ReadOptions = {}): DatabaseSync {
  const { stillWanted = () => undefined, neverWait = false } = options;
  const file = join(folder, DATABASE_FILE);
  if (!isFileThere(file)) throw missing(folder);
  return prepared(file, { readOnly: true }, (db) => {
    requireVersion(db, folder);
    db.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY');
    if (neverWait) db.exec('PRAGMA busy_timeout=0');
    db.function('still_wanted', () => {
      stillWanted();
      return 1;
    });
  });
}

/** Opens the database to write, or creates it, under the ingest lock. @throws as openToRead, but `catalog-missing` */
export function openToWrite(folder: string): DatabaseSync {
  const file = join(folder, DATABASE_FILE);
  isFileThere(file);
  makeFolder(join(folder, PACK_FOLDER));
  return prepared(file, {}, (db) => {
    // synchronous=FULL: a summary that says "stored" holds after a power cut; one sync a batch costs nothing.
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY');
    if (!hasTables(db)) {
      db.exec('BEGIN IMMEDIATE');
      db.exec(TABLES);
      db.prepare("INSERT INTO meta VALUES ('schema_version', ?)").run(String(SCHEMA_VERSION));
      db.exec("INSERT INTO meta VALUES ('identity', lower(hex(randomblob(16))))");
      db.exec('COMMIT');
    }
    requireVersion(db, folder);
  });
}

/** A random text that a catalog shares with its copies alone. */
export function identityOf(db: DatabaseSync): string {
  return (db.prepare("SELECT value FROM meta WHERE key = 'identity'").get() as { value: string }).value;
}

function hasTables(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
}

/** Refuses filings that can't be read. None is taken: keys may be made first. @throws as openToRead, but for that */
export function requireReadable(folder: string): void {
  if (isFileThere(join(folder, DATABASE_FILE))) openToRead(folder).close();
}

/** Opens a database and prepares it. If SQLite refuses, the error names the file, and the file is closed. */
function prepared(file: string, options: { readOnly?: boolean }, ready: (db: DatabaseSync) => void): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { ...options, timeout: BUSY_TIMEOUT_MS });
    ready(db);
    return db;
  } catch (error) {
    db?.close();
    throw databaseError(file, error);
  }
}

function requireVersion(db: DatabaseSync, folder: string): void {
  if (!hasTables(db)) throw noCatalog(join(folder, DATABASE_FILE));
  const row = db.prepare("SELECT value FROM meta WHERE key='schema_version'").get() as { value: string } | undefined;
  if (row?.value === String(SCHEMA_VERSION)) return;
  throw new FilinglakeError(
    'catalog-unsupported',
    `the catalog in ${folder} has version ${row?.value ?? 'unknown'}; this filinglake reads version ${SCHEMA_VERSION}`,
  );
}
