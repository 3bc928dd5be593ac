/** How recent a catalog is: its newest filing, and the last look at EDGAR. */
import { join } from 'node:path';
import { easternTime } from '../../../filings/api/index.ts';
import { isFileThere } from '../store/database-file.ts';
import { ACCEPTANCE_DESC } from '../store/schema.ts';
import { inLedger } from './coverage.ts';
import type { CatalogSource } from './source.ts';

/** The service asks on its main thread, which must not wait for `edgar follow`. */
const LEDGER_WAIT_MS = 50;

/** Acceptance of the newest filing, in milliseconds since 1970, or midnight of its date; null: an empty catalog. */
export function newestFilingAt({ statements }: CatalogSource): number | null {
  const newest = statements
    .prepare(`SELECT acceptance FROM filings ORDER BY ${ACCEPTANCE_DESC} DESC, accession LIMIT 1`)
    .get() as { acceptance: string | null } | undefined;
  if (newest === undefined) return null;
  if (newest.acceptance !== null) return easternToMs(newest.acceptance);
  const { last } = statements.prepare('SELECT max(filing_date) AS last FROM filings').get() as { last: string };
  return easternToMs(`${last}T00:00:00`);
}

/** When `edgar follow` last ended a look well, in ms since 1970; null: never. @throws `catalog-unreadable` */
export function followedAt({ folder }: CatalogSource): number | null {
  const file = join(folder, 'edgar.db');
  if (!isFileThere(file)) return null;
  return inLedger(
    file,
    (ledger) => {
      const row = ledger.prepare("SELECT value FROM meta WHERE key = 'followed_at'").get();
      return row === undefined ? null : Number(row.value);
    },
    LEDGER_WAIT_MS,
  );
}

/** EDGAR states times in Eastern time, without a zone. In the hour that occurs twice the later one is taken. */
function easternToMs(local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${easternTime(ms)}Z`) - ms;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
