/**
 * coverage over the catalog: docs/api.md#coverage. `edgar follow` and `edgar backfill` record in `edgar.db` what EDGAR published
 * on each day. The catalog alone decides if a filing is stored.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError } from '../../../core/index.ts';
import { COVERAGE_WINDOW_DEFAULT, type CoverageDay, type CoverageParameters } from '../../../filings/api/index.ts';
import type { Statements } from '../rows/statements.ts';
import { databaseError, isFileThere } from '../store/database-file.ts';
import type { LookupPage, PageLimits } from './page.ts';
import type { CatalogSource } from './source.ts';

/** Versions of `edgar.db` whose tables of days this file reads: `edgar-sync` writes them. */
const LEDGER_VERSION = 1;
/** A day has some 8,000 filings to look up. A page that takes longer is cut short, far from the deadline. */
const PAGE_MS_MAX = 4_000;

/** @throws FilinglakeError `catalog-unreadable`, `catalog-unsupported` */
export function coverage(
  { folder, statements }: CatalogSource,
  parameters: CoverageParameters,
  { maxBytes = Number.POSITIVE_INFINITY }: PageLimits = {},
): LookupPage {
  const file = join(folder, 'edgar.db');
  if (!isFileThere(file)) return { count: 0, records: [], truncated: false };
  return inLedger(file, (ledger) => {
    const days = daysBetween(ledger, parameters.date_from, parameters.date_to);
    const { from = 0, to = COVERAGE_WINDOW_DEFAULT } = parameters;
    const startedAt = performance.now();
    const records: string[] = [];
    // `[`, and after each record `,` or `]`.
    let bytes = 1;
    for (const day of days.slice(from, to)) {
      const isOver = records.length > 0 && performance.now() - startedAt > PAGE_MS_MAX;
      const record = JSON.stringify(coverageOf(ledger, day, (accession) => isStored(statements, accession)));
      bytes += Buffer.byteLength(record) + 1;
      if (isOver || (records.length > 0 && bytes > maxBytes)) return { count: days.length, records, truncated: true };
      records.push(record);
      statements.stillWanted();
    }
    return { count: days.length, records, truncated: false };
  });
}

export interface NotedDay {
  day: string;
  /** Milliseconds since 1970; null: its index was not read yet */
  read_at: number | null;
  proven_at: number | null;
}

/** Days of publication that a ledger knows, in order. */
export function daysBetween(ledger: DatabaseSync, dateFrom = '', dateTo = '~'): NotedDay[] {
  const days = ledger.prepare('SELECT day, read_at, proven_at FROM days WHERE day BETWEEN ? AND ? ORDER BY day');
  return days.all(dateFrom, dateTo) as unknown as NotedDay[];
}

export function coverageOf(
  ledger: DatabaseSync,
  { day, read_at, proven_at }: NotedDay,
  isStored: (accessionNumber: string) => boolean,
): CoverageDay {
  const rows = ledger
    .prepare(
      `SELECT accession_number, withdrawn_at, CASE WHEN source = 'feed' THEN (stored_at - accepted_at) / 1000.0 END AS lag
       FROM day_filings LEFT JOIN filings USING (accession_number) WHERE day = ?`,
    )
    .all(day) as { accession_number: string; withdrawn_at: number | null; lag: number | null }[];
  let [inCatalog, missing] = [0, 0];
  for (const { accession_number, withdrawn_at } of rows) {
    if (isStored(accession_number)) inCatalog++;
    else if (withdrawn_at === null) missing++;
  }
  // A lag below 0 means only that this machine's clock was wrong.
  const lags = rows.flatMap(({ lag }) => (lag === null || lag < 0 ? [] : [lag])).sort((a, b) => a - b);
  const at = (share: number) =>
    lags.length === 0 ? null : Math.round(lags[Math.min(lags.length - 1, Math.ceil(lags.length * share) - 1)]!);
  return {
    day,
    expected: read_at === null ? null : rows.length,
    in_catalog: inCatalog,
    missing,
    lag_p50_s: at(0.5),
    lag_p99_s: at(0.99),
    // A day that was proven and has lost a filing since is not proven.
    proven_at: missing === 0 && proven_at !== null ? new Date(proven_at).toISOString() : null,
  };
}

/** Whether a filing is stored, or a deletion notice removed it. */
export function isStored(statements: Statements, accessionNumber: string): boolean {
  const row = statements
    .prepare('SELECT 1 FROM filings WHERE accession = ?1 UNION ALL SELECT 1 FROM deletions WHERE accession = ?1')
    .get(accessionNumber);
  return row !== undefined;
}

/** @throws FilinglakeError `catalog-unreadable`, `catalog-unsupported` */
export function inLedger<Result>(file: string, work: (ledger: DatabaseSync) => Result, waitMs = 10_000): Result {
  try {
    using ledger = new DatabaseSync(file, { readOnly: true, timeout: waitMs });
    const { user_version } = ledger.prepare('PRAGMA user_version').get() as { user_version: number };
    if (user_version !== LEDGER_VERSION) {
      throw new FilinglakeError('catalog-unsupported', `${file} has version ${user_version}`, {
        remedy: `Use the filinglake that made it. This one reads version ${LEDGER_VERSION}.`,
      });
    }
    // One state of the ledger for all days of a page.
    ledger.exec('BEGIN');
    return work(ledger);
  } catch (error) {
    throw databaseError(file, error);
  }
}
