/** Days and their proof: a day's index names every filing published on it. It is proven if the catalog has them all. */
import { addDays } from '../../core/index.ts';
import type { CoverageDay } from '../../filings/api/index.ts';
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { coverageOf, daysBetween, type NotedDay } from '../catalog/index.ts';
import { withStored } from './catalog-contents.ts';
import { type Clock, easternTime } from './clock.ts';
import type { EdgarHttp, Validators } from './edgar-http.ts';
import type { SyncEvent } from './events.ts';
import { type DayIndex, dayIndex, type IndexedFiling, indexedDays, signatureOf } from './indexes.ts';
import type { Ledger, PublishedFiling } from './ledger.ts';
import { type Places, quarterOf, quartersBetween } from './places.ts';

/** Indexes are written from 22:00 Eastern on, some hours or days late at times. */
const PAUSE_MS = 3_600_000;
/**
 * An index may have been half written when it was read. It is requested again for this time. Two equal downloads confirm each other;
 * from then on EDGAR sends it only if it has changed.
 */
const UNSETTLED_DAYS = 7;
/** Days from each day of the week back to the second business day before it, Sunday first: its index is late. */
const LATE_DAYS_OF_WEEK = [3, 4, 4, 2, 2, 2, 2];
/** An index may be this many days late. For that time the quarter before is checked too. */
const LATE_DAYS = 10;

export interface DaysOptions {
  http: EdgarHttp;
  places: Places;
  ledger: Ledger;
  clock: Clock;
  catalogFolder: string;
  onEvent: (event: SyncEvent) => void;
  signal?: AbortSignal | undefined;
}

/** Whether it is time to look at EDGAR's daily indexes. */
export function areDaysDue(ledger: Ledger, now: number): boolean {
  const last = Number(ledger.meta('days_checked_at') ?? 0);
  // If the clock was set back, the look is due at once.
  return now - last >= PAUSE_MS || now < last;
}

/**
 * Reads the indexes that were not read yet or may have changed, from the first followed day on, and records their filings. A day
 * whose index can't be read is an event, and stays unread. The other days are read.
 * @throws FilinglakeError of EDGAR's hosts; EdgarFileError of a listing that is damaged
 */
export async function readDays(options: DaysOptions, firstDay: string): Promise<void> {
  const { ledger, clock, signal, onEvent } = options;
  const today = easternTime(clock.now()).date;
  const checked = ledger.meta('days_checked_on') ?? firstDay;
  const [unreadDay = today] = ledger.unreadDays();
  const earliest = addDays([checked, today, unreadDay].sort()[0]!, -LATE_DAYS);
  const read = ledger.db.prepare('SELECT 1 FROM days WHERE day = ? AND read_at IS NOT NULL');
  const settled = addDays(today, -UNSETTLED_DAYS);
  let isListed = true;
  for (const quarter of quartersBetween(earliest > firstDay ? earliest : firstDay, today)) {
    const days = await indexedDays(options, quarter, signal);
    if (days.size === 0 && quarter !== quarterOf(today)) {
      // Its days are not known yet. The next look begins with it again.
      isListed = false;
      onEvent({ event: 'gap', message: `EDGAR lists no daily index of ${quarter}` });
    }
    for (const [day, file] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (day < firstDay || day > today) continue;
      const isRead = read.get(day) !== undefined;
      if (!isRead || day >= settled) await readDay(options, { quarter, day, file, isRead });
    }
  }
  noteMissingIndexes(options, firstDay, today);
  ledger.setMeta('days_checked_at', String(clock.now()));
  if (isListed || ledger.meta('days_checked_on') === null)
    ledger.setMeta('days_checked_on', isListed ? today : checked);
}

/** A business day of which filings were accepted and EDGAR has no index is known, and not proven. */
function noteMissingIndexes({ ledger, onEvent }: DaysOptions, firstDay: string, today: string): void {
  const last = addDays(today, -LATE_DAYS_OF_WEEK[new Date(`${today}T00:00:00Z`).getUTCDay()]!);
  const from = addDays(today, -UNSETTLED_DAYS);
  const accepted = ledger.db
    .prepare(
      `SELECT filing_date, accepted_at FROM filings f WHERE filing_date BETWEEN ? AND ? AND accepted_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM day_filings d WHERE d.accession_number = f.accession_number)`,
    )
    .all(from, last) as unknown as { filing_date: string; accepted_at: number }[];
  const isKnown = ledger.db.prepare('SELECT 1 FROM days WHERE day = ?');
  for (const day of new Set(accepted.map(dayOfPublication)))
    if (day >= firstDay && day <= last && isKnown.get(day) === undefined)
      noteUnreadDay(ledger, day, onEvent, {
        event: 'gap',
        message: `filings were accepted on ${day}, and EDGAR has no index of it`,
      });
}

/** Day whose index has to name a filing of the feed: that of its acceptance, or of its filing if it came after hours. */
export function dayOfPublication(filing: { filing_date: string; accepted_at: number | null }): string {
  const { filing_date, accepted_at } = filing;
  const accepted = accepted_at === null ? filing_date : easternTime(accepted_at).date;
  return [accepted, filing_date].sort()[1]!;
}

interface DayToRead {
  quarter: string;
  day: string;
  file: string;
  isRead: boolean;
}

async function readDay(options: DaysOptions, { quarter, day, file, isRead }: DayToRead): Promise<void> {
  const { ledger, clock, signal, onEvent } = options;
  const key = `day_index ${day}`;
  const before = isRead ? (JSON.parse(ledger.meta(key) ?? 'null') as ReadIndex | null) : null;
  let index: DayIndex | null;
  try {
    // A proxy may send a part of it, with the ETag of the whole.
    index = await dayIndex(options, quarter, file, signal, before?.confirmed === true ? before : null);
  } catch (error) {
    if (!(error instanceof EdgarFileError)) throw error;
    index = null;
  }
  if (index !== null && isHeadAlone(index.filings, day, clock)) index = null;
  if (index === null && isRead) return;
  if (index === null) {
    noteUnreadDay(ledger, day, onEvent);
    return;
  }
  const { filings, ...about } = index;
  if (about.sha256 !== before?.sha256) noteDay(ledger, day, filings, clock.now());
  const read: ReadIndex = { ...about, confirmed: about.sha256 === before?.sha256 };
  ledger.setMeta(key, JSON.stringify(read));
}

/** What is kept of the last download. */
interface ReadIndex extends Validators {
  sha256: string;
  confirmed?: boolean;
}

/** An index without a row is half written. If it stays so for a week, nothing was published on that day. */
export function isHeadAlone(filings: ReadonlyMap<string, IndexedFiling>, day: string, clock: Clock): boolean {
  return filings.size === 0 && day >= addDays(easternTime(clock.now()).date, -UNSETTLED_DAYS);
}

export function unreadDayEvent(day: string): SyncEvent {
  return { event: 'gap', message: `the index of ${day} can't be read` };
}

/** A day that EDGAR lists and whose index can't be read is known, and not proven. The event is sent once. */
export function noteUnreadDay(
  ledger: Ledger,
  day: string,
  onEvent: (event: SyncEvent) => void,
  event = unreadDayEvent(day),
): void {
  ledger.db.prepare('INSERT OR IGNORE INTO days VALUES (?, NULL, NULL)').run(day);
  if (ledger.meta(`day_said ${day}`) === 'unread') return;
  ledger.setMeta(`day_said ${day}`, 'unread');
  onEvent(event);
}

export function noteDay(ledger: Ledger, day: string, filings: ReadonlyMap<string, IndexedFiling>, now: number): void {
  ledger.transaction(() => {
    const published = [...filings.values()].map((filing) => publishedFiling(filing, 'daily-index'));
    const changed = new Set(
      [...filings.values()]
        .filter((filing) => differsFromLedger(ledger, filing))
        .map((filing) => filing.accession_number),
    );
    const added = new Set(ledger.note(published, now));
    const otherDay = ledger.db.prepare('SELECT 1 FROM day_filings WHERE accession_number = ? AND day <> ?');
    const insert = ledger.db.prepare('INSERT OR IGNORE INTO day_filings VALUES (?, ?)');
    for (const { accession_number } of published) {
      insert.run(day, accession_number);
      ledger.register.keepDaily(filings.get(accession_number)!);
      // Published again on another day: it was corrected, or published after a withdrawal.
      if (added.has(accession_number)) continue;
      ledger.returned(accession_number);
      if (changed.has(accession_number) || otherDay.get(accession_number, day) !== undefined)
        ledger.recheck(accession_number);
    }
    ledger.db.prepare('INSERT OR REPLACE INTO days VALUES (?, ?, NULL)').run(day, now);
  });
}

/** Whether an index differs about a filing from the feed or a day's index. Call it before the filing is recorded. */
export function differsFromLedger(ledger: Ledger, filing: IndexedFiling): boolean {
  const { accession_number, form_type, filing_date } = filing;
  const known = ledger.filing(accession_number);
  if (known === null) return false;
  const daily = ledger.register.dailySignature(accession_number);
  if (daily !== null) return daily !== signatureOf(filing);
  return known.form_type !== form_type || known.filing_date !== filing_date;
}

export function publishedFiling(filing: IndexedFiling, source: PublishedFiling['source']): PublishedFiling {
  const { accession_number, form_type, filing_date, path } = filing;
  return { accession_number, form_type, filing_date, path, accepted_at: null, source };
}

/** Marks the days of which the catalog has every filing. Each day that was newly read or proven is an event. */
export function proveDays({ ledger, clock, catalogFolder, onEvent }: DaysOptions): void {
  const unproven = ledger.db
    .prepare('SELECT * FROM days WHERE read_at IS NOT NULL AND proven_at IS NULL ORDER BY day')
    .all();
  const counted = withStored(catalogFolder, (isStored) =>
    (unproven as unknown as NotedDay[]).map((day) => coverageOf(ledger.db, day, isStored)),
  );
  for (const { day, expected, in_catalog, missing } of counted) {
    const proven = missing === 0 ? clock.now() : null;
    const said = `${in_catalog} ${missing}`;
    if (proven !== null) ledger.db.prepare('UPDATE days SET proven_at = ? WHERE day = ?').run(proven, day);
    else if (ledger.meta(`day_said ${day}`) === said) continue;
    ledger.setMeta(`day_said ${day}`, said);
    onEvent({ event: 'day', day, expected: expected!, in_catalog, missing, proven_at: isoTime(proven) });
  }
}

/** Every day of publication that is known, in order, as `/v2/coverage` answers it. */
export function edgarDays(ledger: Ledger, catalogFolder: string): CoverageDay[] {
  return withStored(catalogFolder, (isStored) =>
    daysBetween(ledger.db).map((day) => coverageOf(ledger.db, day, isStored)),
  );
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** @returns the quarters whose index is read again each week: this one and the last */
export function weeklyQuarters(today: string): string[] {
  const current = quarterOf(today);
  const before = quartersBetween(addDays(today, -92), today).filter((quarter) => quarter !== current);
  return [before.at(-1)!, current];
}
