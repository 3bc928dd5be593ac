/**
 * The look at the quarterly indexes, which EDGAR rebuilds on Saturdays with all that changed after acceptance: late letters, corrections,
 * withdrawals. Those of this quarter and the last are read each week, others if the register has them.
 */
import { addDays } from '../../core/index.ts';
import { storedAmong } from './catalog-contents.ts';
import { easternTime } from './clock.ts';
import { dayOfPublication, differsFromLedger, publishedFiling, weeklyQuarters } from './days.ts';
import { type IndexedFiling, signatureOf } from './indexes.ts';
import type { KnownFiling, Ledger } from './ledger.ts';
import { daysOfQuarter } from './places.ts';
import type { QuarterReading } from './register.ts';
import type { Session } from './session.ts';

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

/** How a quarter stands after a look. */
type QuarterLook = 'absent' | 'unchanged' | 'read' | 'doubtful';

/** @returns filings that were found withdrawn @throws FilinglakeError of EDGAR's hosts; EdgarFileError of an index */
export async function readWeekly(session: Session, firstDay: string): Promise<KnownFiling[]> {
  const { ledger, clock } = session;
  const open = weeklyQuarters(easternTime(clock.now()).date);
  const settled: string[] = [];
  for (const quarter of [...new Set([...open, ...ledger.register.quarters()])]) {
    session.signal?.throwIfAborted();
    const look = await lookAtQuarter(session, quarter, firstDay);
    if (open.includes(quarter) && (look === 'read' || look === 'unchanged')) settled.push(quarter);
  }
  const gone = await noteWithdrawn(session, settled);
  ledger.setMeta('weekly_checked_at', String(clock.now()));
  return gone;
}

/**
 * Reads a quarter's index into the register if it has changed. Corrected filings are marked for a check.
 * @param firstDay filings since then are wanted; null: none is
 * @throws FilinglakeError of EDGAR's hosts; EdgarFileError of an index that can't be read: nothing of it is recorded
 */
export async function lookAtQuarter(session: Session, quarter: string, firstDay: string | null): Promise<QuarterLook> {
  const { ledger, clock, onEvent } = session;
  const { register } = ledger;
  const reading = await register.ask(session, quarter);
  // A quarter that has just begun has no index.
  if (reading === null) return 'absent';
  if (reading === 'unchanged') return reading;
  const { until } = reading;
  const untilBefore = register.until(quarter);
  if (until !== null && untilBefore !== null && until < untilBefore) {
    const message = `the index of ${quarter} ends on ${until}, an earlier one on ${untilBefore}; it is not used`;
    onEvent({ event: 'gap', message });
    return 'doubtful';
  }
  ledger.transaction(() => {
    noteChanges(session, reading, firstDay);
    register.keep(reading, clock.now());
  });
  return reading.isWhole ? 'read' : 'doubtful';
}

/**
 * Marks filings that EDGAR has withdrawn: rows that the last readings lacked, and published filings that no index of their quarter
 * names. All quarters are read before: a filing may have moved to another one.
 * @param settled quarters whose index is whole
 * @returns the newly marked
 */
export async function noteWithdrawn(session: Session, settled: readonly string[]): Promise<KnownFiling[]> {
  const { ledger, clock, catalogFolder, onEvent } = session;
  const { register } = ledger;
  const now = clock.now();
  const marked: KnownFiling[] = [];
  for (const quarter of new Set([...settled, ...register.quartersWithGone()])) {
    const gone = register.gone(quarter);
    const stored = storedAmong(catalogFolder, gone);
    const published = settled.includes(quarter) ? unnamed(ledger, quarter, register.until(quarter), now) : [];
    const known = gone.filter((accession) => stored.has(accession) || ledger.filing(accession) !== null);
    const lost = [...new Set([...known, ...published])].filter((accession) => !register.names(accession));
    const isTooMuch = lost.length > Math.max(LOST_MIN, register.size(quarter) * LOST_SHARE_MAX);
    if (isTooMuch || (await isCut(session, quarter, lost))) {
      const message = `the index of ${quarter} lacks ${lost.length} filings that it should name; none is marked as withdrawn`;
      onEvent({ event: 'gap', message });
      ledger.transaction(() => register.restoreGone(quarter));
      continue;
    }
    ledger.transaction(() => {
      for (const accession of lost) {
        // The catalog may have it from the user's own files.
        if (ledger.filing(accession) === null) {
          const row = register.row(quarter, accession, 'gone')!;
          ledger.noteForRecheck({ ...row, accepted_at: null, source: 'full-index' }, now);
        }
        if (ledger.withdrawn(accession, now)) marked.push(ledger.filing(accession)!);
      }
      register.forgetGone(quarter);
    });
  }
  return marked;
}

function noteChanges(
  { ledger, catalogFolder, clock }: Session,
  reading: QuarterReading,
  firstDay: string | null,
): void {
  const { filings, before, quarter } = reading;
  const now = clock.now();
  const isOpen = weeklyQuarters(easternTime(now).date).includes(quarter);
  const changed: IndexedFiling[] = [];
  const isKnown = ledger.db.prepare('SELECT 1 FROM filings WHERE accession_number = ?');
  for (const filing of filings.values()) {
    const { accession_number, filing_date } = filing;
    const signature = before?.get(accession_number);
    const isNew = signature === undefined;
    // The first reading shows the state so far. Of that, only filings published since the start of following are wanted.
    const isWanted = firstDay !== null && isNew && (filing_date >= firstDay || (isOpen && before !== null));
    const known = isKnown.get(accession_number) !== undefined;
    const isChanged = isNew ? known && differsFromLedger(ledger, filing) : signature !== signatureOf(filing);
    if (isChanged) changed.push(filing);
    if (isWanted || (isChanged && known)) ledger.note([publishedFiling(filing, 'full-index')], now);
    if (isNew && known) ledger.returned(accession_number);
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
  { ledger, http, places, signal }: Session,
  quarter: string,
  lost: readonly string[],
): Promise<boolean> {
  if (lost.length < LOST_AT_END_MIN) return false;
  // Rows are sorted by the text of their CIK.
  const key = (cik: string) => `${cik}|`;
  let last = '';
  for (const { ciks } of ledger.register.rows(quarter)) for (const cik of ciks) if (key(cik) > last) last = key(cik);
  const paths = lost.map(
    (accession) => (ledger.filing(accession) ?? ledger.register.row(quarter, accession, 'gone'))!.path,
  );
  if (!paths.every((path) => key(path.split('/')[2] ?? '') >= last)) return false;
  const { etag = null, last_modified: lastModified = null } = ledger.filing(lost[0]!) ?? {};
  return http.isThere(places.submission(paths[0]!), { unless: { etag, lastModified }, signal });
}

/** Published filings of a quarter that its index, up to a day, has to name. */
function* unnamed(ledger: Ledger, quarter: string, until: string | null, now: number): Generator<string> {
  if (until === null) return;
  const { first, last } = daysOfQuarter(quarter);
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
    const day = dayOfPublication(ledger.filing(accession_number)!);
    // Without the index of its day nothing is known: EDGAR is late, or names it in another quarter.
    if (isIndexed.get(accession_number) !== undefined || (day <= until && isProven.get(day) !== undefined))
      yield accession_number;
  }
}
