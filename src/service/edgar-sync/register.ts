/**
 * EDGAR's register: the rows of every quarterly index that was read, a row for each filing, and those of the daily indexes that no
 * quarterly one has yet. A quarter is read again with a conditional request. What two readings differ in is a correction, a late
 * release or a withdrawal, of any year.
 */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { EdgarHttp } from './edgar-http.ts';
import type { SyncCounts, SyncEvent } from './events.ts';
import { filingsOfIndex, type IndexedFiling, lastDataReceived, quarterIndex, signatureOf } from './indexes.ts';
import { type Places, submissionPath } from './places.ts';

/** In place of a quarter: the filing is in the index of a day, and in no quarterly index yet. */
const DAILY = 0;

export const REGISTER_TABLES = `
CREATE TABLE IF NOT EXISTS register (
  quarter INTEGER NOT NULL, accession_number TEXT NOT NULL, signature BLOB NOT NULL, form_type TEXT NOT NULL,
  filing_date INTEGER NOT NULL, cik INTEGER NOT NULL, other_ciks TEXT, path TEXT, gone_at INTEGER,
  PRIMARY KEY (quarter, accession_number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS register_gone (
  quarter INTEGER NOT NULL, accession_number TEXT NOT NULL, PRIMARY KEY (quarter, accession_number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS register_quarters (
  quarter INTEGER PRIMARY KEY, file TEXT NOT NULL, etag TEXT, last_modified TEXT, sha256 TEXT NOT NULL, until INTEGER,
  checked_at INTEGER NOT NULL
);
`;

/** A row of the register, without its signature. */
export interface RegisterRow {
  accession_number: string;
  form_type: string;
  filing_date: string;
  path: string;
  ciks: string[];
}

/** A quarter's index that differs from its last reading, before the register has it. */
export interface QuarterReading {
  quarter: string;
  filings: ReadonlyMap<string, IndexedFiling>;
  /** Signatures of the last reading; null at the first */
  before: ReadonlyMap<string, string> | null;
  /** Last day of the index; null: it states none */
  until: string | null;
  /** Whether each of its rows could be read: else a filing that it lacks may stand in one that could not */
  isWhole: boolean;
  validators: { file: string; etag: string | null; lastModified: string | null; sha256: string };
}

interface Asking {
  http: EdgarHttp;
  places: Places;
  counts: SyncCounts;
  onEvent: (event: SyncEvent) => void;
  signal: AbortSignal | undefined;
}

interface Stored {
  quarter: number;
  accession_number: string;
  form_type: string;
  filing_date: number;
  cik: number;
  other_ciks: string | null;
  path: string | null;
}

interface StoredQuarter {
  file: string;
  etag: string | null;
  last_modified: string | null;
  sha256: string;
  until: number | null;
}

const COLUMNS = 'accession_number, form_type, filing_date, cik, other_ciks, path';

export class Register {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Quarters that were read, the first one first. */
  quarters(): string[] {
    const rows = this.#db.prepare('SELECT quarter FROM register_quarters ORDER BY quarter').all();
    return (rows as { quarter: number }[]).map(({ quarter }) => nameOf(quarter));
  }

  has(quarter: string): boolean {
    return this.#quarter(quarter) !== undefined;
  }

  /** Last day of a quarter's index; null: it states none, or was not read. */
  until(quarter: string): string | null {
    const until = this.#quarter(quarter)?.until ?? null;
    return until === null ? null : dayOf(until);
  }

  #quarter(quarter: string): StoredQuarter | undefined {
    const row = this.#db.prepare('SELECT * FROM register_quarters WHERE quarter = ?').get(numberOf(quarter));
    return row as unknown as StoredQuarter | undefined;
  }

  /**
   * Asks EDGAR for a quarter's index, with a condition if it was read before.
   * @returns null: EDGAR has none; `unchanged`: the register has its rows
   * @throws FilinglakeError of EDGAR's hosts; EdgarFileError of an index that can't be read
   */
  async ask(
    { http, places, signal, onEvent, counts }: Asking,
    quarter: string,
  ): Promise<QuarterReading | 'unchanged' | null> {
    const known = this.#quarter(quarter);
    const unless = known && { file: known.file, etag: known.etag, lastModified: known.last_modified };
    const answer = await quarterIndex({ http, places }, quarter, { unless, signal });
    if (answer === null || answer === 'unchanged') return answer;
    const { bytes, ...validators } = answer;
    const unread: number[] = [];
    const filings = filingsOfIndex(bytes, (error) => void unread.push(error.offset ?? 0));
    if (unread.length > 0) {
      counts.missing++;
      const rows = `${unread.length} of its rows can't be read, the first one at byte ${unread[0]}`;
      onEvent({ event: 'gap', message: `the index of ${quarter}: ${rows}` });
    }
    const before = known === undefined ? null : this.#signatures(quarter);
    return {
      quarter,
      filings,
      before,
      until: lastDataReceived(bytes),
      isWhole: unread.length === 0,
      validators: { ...validators, sha256: sha256(bytes) },
    };
  }

  #signatures(quarter: string): Map<string, string> {
    const rows = this.#db
      .prepare('SELECT accession_number, signature FROM register WHERE quarter = ? AND gone_at IS NULL')
      .iterate(numberOf(quarter)) as Iterable<{ accession_number: string; signature: Uint8Array }>;
    const signatures = new Map<string, string>();
    for (const { accession_number, signature } of rows)
      signatures.set(accession_number, Buffer.from(signature).toString('hex'));
    return signatures;
  }

  /** Takes a reading over. The caller has a transaction. */
  keep({ quarter, filings, before, until, isWhole, validators }: QuarterReading, now: number): void {
    const db = this.#db;
    const number = numberOf(quarter);
    const insert = db.prepare(
      `INSERT OR REPLACE INTO register (quarter, accession_number, signature, form_type, filing_date, cik, other_ciks, path)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const settled = db.prepare('DELETE FROM register WHERE quarter = ? AND accession_number = ?');
    const isDaily = db.prepare('SELECT 1 FROM register WHERE quarter = ? LIMIT 1').get(DAILY) !== undefined;
    for (const filing of filings.values()) {
      const { accession_number } = filing;
      const signature = signatureOf(filing);
      if (before?.get(accession_number) !== signature)
        insert.run(number, accession_number, ...valuesOf(filing, signature));
      if (isDaily) settled.run(DAILY, accession_number);
    }
    if (before !== null && isWhole) {
      const gone = db.prepare('UPDATE register SET gone_at = ? WHERE quarter = ? AND accession_number = ?');
      const isGone = db.prepare('INSERT OR IGNORE INTO register_gone VALUES (?, ?)');
      for (const accession of before.keys()) {
        if (filings.has(accession)) continue;
        gone.run(now, number, accession);
        isGone.run(number, accession);
      }
    }
    const { file, etag, lastModified, sha256: digest } = validators;
    db.prepare('INSERT OR REPLACE INTO register_quarters VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      number,
      file,
      isWhole ? etag : null,
      isWhole ? lastModified : null,
      digest,
      until === null ? null : numberOfDay(until),
      now,
    );
  }

  keepDaily(filing: IndexedFiling): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO register (quarter, accession_number, signature, form_type, filing_date, cik, other_ciks, path)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(DAILY, filing.accession_number, ...valuesOf(filing, signatureOf(filing)));
  }

  /** Signature of a filing in the index of its day, if no quarterly index has it yet. */
  dailySignature(accessionNumber: string): string | null {
    const row = this.#db
      .prepare('SELECT signature FROM register WHERE quarter = ? AND accession_number = ?')
      .get(DAILY, accessionNumber) as { signature: Uint8Array } | undefined;
    return row === undefined ? null : Buffer.from(row.signature).toString('hex');
  }

  /** Quarters of which a reading lacked filings that the one before had. */
  quartersWithGone(): string[] {
    const rows = this.#db.prepare('SELECT DISTINCT quarter FROM register_gone').all() as { quarter: number }[];
    return rows.map(({ quarter }) => nameOf(quarter));
  }

  /** Those filings. They stay until `forgetGone`. */
  gone(quarter: string): string[] {
    const rows = this.#db
      .prepare('SELECT accession_number FROM register_gone WHERE quarter = ?')
      .all(numberOf(quarter)) as { accession_number: string }[];
    return rows.map(({ accession_number }) => accession_number);
  }

  forgetGone(quarter: string): void {
    this.#db.prepare('DELETE FROM register_gone WHERE quarter = ?').run(numberOf(quarter));
  }

  /** Their index was not whole: they are in the register again, and the next request for it has no condition. */
  restoreGone(quarter: string): void {
    const number = numberOf(quarter);
    this.#db
      .prepare(
        `UPDATE register SET gone_at = NULL WHERE quarter = ?1
         AND accession_number IN (SELECT accession_number FROM register_gone WHERE quarter = ?1)`,
      )
      .run(number);
    this.#db.prepare('UPDATE register_quarters SET etag = NULL, last_modified = NULL WHERE quarter = ?').run(number);
    this.forgetGone(quarter);
  }

  /** Filings that a quarter's index names. */
  size(quarter: string): number {
    const row = this.#db
      .prepare('SELECT count(*) AS n FROM register WHERE quarter = ? AND gone_at IS NULL')
      .get(numberOf(quarter));
    return (row as { n: number }).n;
  }

  /** Whether a quarterly index names a filing. */
  names(accessionNumber: string): boolean {
    return this.quarters().some((quarter) => this.row(quarter, accessionNumber) !== null);
  }

  /** @param which `gone`: its last row in an index that no longer names it */
  row(quarter: string, accessionNumber: string, which: 'live' | 'gone' = 'live'): RegisterRow | null {
    const isThere = which === 'live' ? 'IS NULL' : 'IS NOT NULL';
    const row = this.#db
      .prepare(`SELECT ${COLUMNS} FROM register WHERE quarter = ? AND accession_number = ? AND gone_at ${isThere}`)
      .get(numberOf(quarter), accessionNumber);
    return row === undefined ? null : rowOf(row as unknown as Stored);
  }

  /** Rows of a quarter, one at a time, in no order. */
  *rows(quarter: string): Generator<RegisterRow> {
    const rows = this.#db
      .prepare(`SELECT ${COLUMNS} FROM register WHERE quarter = ? AND gone_at IS NULL`)
      .iterate(numberOf(quarter)) as Iterable<unknown>;
    for (const row of rows) yield rowOf(row as Stored);
  }
}

function valuesOf({ accession_number, form_type, filing_date, path, ciks }: IndexedFiling, signature: string) {
  const [first = '0', ...others] = ciks;
  return [
    Buffer.from(signature, 'hex'),
    form_type,
    numberOfDay(filing_date),
    Number(first),
    others.length === 0 ? null : others.join(' '),
    // Nearly all are where their first party and number say.
    path === submissionPath(first, accession_number) ? null : path,
  ] as const;
}

function rowOf({ accession_number, form_type, filing_date, cik, other_ciks, path }: Stored): RegisterRow {
  const first = String(cik);
  return {
    accession_number,
    form_type,
    filing_date: dayOf(filing_date),
    path: path ?? submissionPath(first, accession_number),
    ciks: [first, ...(other_ciks === null ? [] : other_ciks.split(' '))],
  };
}

/** `2025/QTR4` → 20254 */
function numberOf(quarter: string): number {
  return Number(quarter.replace('/QTR', ''));
}

function nameOf(quarter: number): string {
  return `${Math.floor(quarter / 10)}/QTR${quarter % 10}`;
}

/** `2025-12-31` → 20251231 */
function numberOfDay(day: string): number {
  return Number(day.replaceAll('-', ''));
}

function dayOf(number: number): string {
  const digits = String(number);
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

function sha256(bytes: Buffer): string {
  return hash('sha256', bytes);
}
