/**
 * The weekly look at the quarterly indexes, which EDGAR rebuilds on Saturdays with all that changed after acceptance: late letters, corrections,
 * withdrawals.
 */
import { hash } from 'node:crypto';
import { storedAmong } from './catalog-contents.ts';
import { addDays, easternTime } from './clock.ts';
import { DAILY, type DaysOptions, differsFromLedger, publishedFiling, weeklyQuarters } from './days.ts';
import { filingsOfIndex, type IndexedFiling, lastDataReceived, quarterIndex, signatureOf } from './indexes.ts';
import type { KeptFiles } from './kept-files.ts';
import type { KnownFiling, Ledger } from './ledger.ts';
import { daysOfQuarter } from './places.ts';

/** Saturday noon UTC, the first one as milliseconds since 1970: the indexes are rebuilt by then. */
const FIRST_SATURDAY_MS = Date.UTC(1970, 0, 3, 12);
const WEEK_MS = 7 * 86_400_000;
/** A filing of the feed that no index names after this many days was withdrawn. */
const UNINDEXED_DAYS = 4;
/** An index that lacks more filings is damaged or half built: EDGAR withdraws a handful a week. */
const LOST_MIN = 20;
const LOST_SHARE_MAX = 0.01;
/** This many filings that are missing only at the end of an index may mean a half-written file. */
const LOST_AT_END_MIN = 3;

export function isWeeklyDue(ledger: Ledger, now: number): boolean {
  const last = Number(ledger.meta('weekly_checked_at') ?? Number.NaN);
  if (Number.isNaN(last) || now < last) return true;
  const rebuilt = FIRST_SATURDAY_MS + Math.floor((now - FIRST_SATURDAY_MS) / WEEK_MS) * WEEK_MS;
  return last < rebuilt;
}

interface WeeklyOptions extends DaysOptions {
  kept: KeptFiles;
}

interface QuarterReading {
  quarter: string;
  filings: Map<string, IndexedFiling>;
  /** Signatures of the earlier reading; null at the first */
  before: Map<string, string> | null;
  /** Last day of the index; null: it states none */
  until: string | null;
  sha256: string;
  /** The index was half written when it was read */
  isCut: boolean;
}

/** @returns filings that were found withdrawn @throws FilinglakeError of EDGAR's hosts; EdgarFileError: nothing is recorded then */
export async function readWeekly(options: WeeklyOptions, firstDay: string): Promise<KnownFiling[]> {
  const { ledger, clock, signal, onEvent } = options;
  const now = clock.now();
  const readings: QuarterReading[] = [];
  for (const quarter of weeklyQuarters(easternTime(now).date)) {
    const bytes = await quarterIndex(options, quarter, signal);
    // A quarter that has just begun has no index.
    if (bytes === null) continue;
    const sha256 = hash('sha256', bytes);
    const filings = filingsOfIndex(bytes);
    const until = lastDataReceived(bytes);
    const untilBefore = ledger.meta(`quarter_until ${quarter}`);
    if (until !== null && untilBefore !== null && until < untilBefore) {
      const message = `the index of ${quarter} ends on ${until}, an earlier one on ${untilBefore}; it is not used`;
      onEvent({ event: 'gap', message });
      continue;
    }
    readings.push({
      ...{ quarter, filings, sha256, until, isCut: false },
      before: ledger.meta(`quarter ${quarter}`) === null ? null : rowsBefore(ledger, quarter),
    });
  }
  const isThere = (accession: string) => readings.some(({ filings }) => filings.has(accession));
  for (const reading of readings) {
    const lost = [...goneFrom(ledger, reading, now)].filter((accession) => !isThere(accession));
    reading.isCut = await isCut(options, reading, lost);
  }
  const gone: KnownFiling[] = [];
  ledger.transaction(() => {
    for (const reading of readings) {
      noteChanges(options, reading, firstDay, now);
      const lost = new Set([...goneFrom(ledger, reading, now)].filter((accession) => !isThere(accession)));
      const { quarter, filings } = reading;
      if (reading.isCut || lost.size > Math.max(LOST_MIN, filings.size * LOST_SHARE_MAX)) {
        const message = `the index of ${quarter} lacks ${lost.size} filings that it should name; none is marked as withdrawn`;
        onEvent({ event: 'gap', message });
        continue;
      }
      for (const accession of lost) if (ledger.withdrawn(accession, now)) gone.push(ledger.filing(accession)!);
      keepRows(ledger, reading);
    }
    ledger.setMeta('weekly_checked_at', String(now));
  });
  return gone;
}

function noteChanges({ ledger, catalogFolder }: WeeklyOptions, reading: QuarterReading, firstDay: string, now: number) {
  const { filings, before } = reading;
  const changed: IndexedFiling[] = [];
  for (const filing of filings.values()) {
    const { accession_number, filing_date } = filing;
    const signature = before?.get(accession_number);
    // The first reading shows the state so far. Of that, only filings published since the start of following are wanted.
    const isWanted = before === null ? filing_date >= firstDay : signature === undefined;
    const isChanged = signature === undefined ? differsFromLedger(ledger, filing) : signature !== signatureOf(filing);
    if (isChanged) changed.push(filing);
    if (isWanted || (isChanged && ledger.filing(accession_number) !== null))
      ledger.note([publishedFiling(filing, 'full-index')], now);
    ledger.returned(accession_number);
  }
  const stored = storedAmong(
    catalogFolder,
    changed.map(({ accession_number }) => accession_number),
  );
  for (const filing of changed) {
    if (ledger.filing(filing.accession_number) !== null) ledger.recheck(filing.accession_number);
    else if (stored.has(filing.accession_number)) ledger.noteForRecheck(publishedFiling(filing, 'full-index'), now);
  }
}

/** Whether an index ends too early: the missing rows would be after its last row, and EDGAR still has one of the filings. */
async function isCut(
  { ledger, http, places, signal }: WeeklyOptions,
  { filings }: QuarterReading,
  lost: readonly string[],
): Promise<boolean> {
  if (lost.length < LOST_AT_END_MIN) return false;
  // Rows are sorted by the text of their CIK.
  const key = (cik: string) => `${cik}|`;
  let last = '';
  for (const { ciks } of filings.values()) for (const cik of ciks) if (key(cik) > last) last = key(cik);
  const paths = lost.map((accession) => ledger.filing(accession)!.path);
  if (!paths.every((path) => key(path.split('/')[2] ?? '') >= last)) return false;
  const { etag, last_modified: lastModified } = ledger.filing(lost[0]!)!;
  return http.isThere(places.submission(paths[0]!), { unless: { etag, lastModified }, signal });
}

/** Filings that this index should name and doesn't. */
function* goneFrom(
  ledger: Ledger,
  { quarter, filings, before, until }: QuarterReading,
  now: number,
): Generator<string> {
  const { first, last } = daysOfQuarter(quarter);
  const known = ledger.db.prepare('SELECT 1 FROM filings WHERE accession_number = ?');
  for (const accession of before?.keys() ?? [])
    if (!filings.has(accession) && known.get(accession) !== undefined) yield accession;
  if (until === null) return;
  const isIndexed = ledger.db.prepare('SELECT 1 FROM day_filings WHERE accession_number = ?');
  const published = ledger.db
    .prepare(
      `SELECT accession_number FROM filings f WHERE filing_date BETWEEN ? AND ? AND withdrawn_at IS NULL AND (
         EXISTS (SELECT 1 FROM day_filings d WHERE d.accession_number = f.accession_number AND d.day <= ?)
         OR (source = 'feed' AND first_seen_at < ? AND filing_date <= ?
             AND NOT EXISTS (SELECT 1 FROM day_filings d WHERE d.accession_number = f.accession_number)))`,
    )
    .all(first, last, until, now - UNINDEXED_DAYS * 86_400_000, addDays(until, -UNINDEXED_DAYS));
  const isProven = ledger.db.prepare('SELECT 1 FROM days WHERE day = ? AND proven_at IS NOT NULL');
  for (const { accession_number } of published as { accession_number: string }[]) {
    if (filings.has(accession_number)) continue;
    const day = dayOfPublication(ledger.filing(accession_number)!);
    // Without the index of its day nothing is known: EDGAR is late, or names it in another quarter.
    if (isIndexed.get(accession_number) !== undefined || (day <= until && isProven.get(day) !== undefined))
      yield accession_number;
  }
}

/** Day whose index has to name a filing of the feed: that of its acceptance, or of its filing if it came after hours. */
function dayOfPublication({ filing_date, accepted_at }: KnownFiling): string {
  const accepted = accepted_at === null ? filing_date : easternTime(accepted_at).date;
  return accepted > filing_date ? accepted : filing_date;
}

function rowsBefore(ledger: Ledger, quarter: string): Map<string, string> {
  const rows = ledger.db.prepare('SELECT accession_number, signature FROM index_rows WHERE quarter = ?').all(quarter);
  return new Map(
    (rows as { accession_number: string; signature: string }[]).map((r) => [r.accession_number, r.signature]),
  );
}

function keepRows(ledger: Ledger, { quarter, filings, sha256, until }: QuarterReading): void {
  if (until !== null) ledger.setMeta(`quarter_until ${quarter}`, until);
  if (ledger.meta(`quarter ${quarter}`) === sha256) return;
  ledger.db.prepare('DELETE FROM index_rows WHERE quarter = ?').run(quarter);
  const insert = ledger.db.prepare('INSERT INTO index_rows VALUES (?, ?, ?)');
  for (const filing of filings.values()) insert.run(quarter, filing.accession_number, signatureOf(filing));
  ledger.db
    .prepare(
      'DELETE FROM index_rows WHERE quarter = ? AND accession_number IN (SELECT accession_number FROM index_rows WHERE quarter = ?)',
    )
    .run(DAILY, quarter);
  ledger.setMeta(`quarter ${quarter}`, sha256);
}
