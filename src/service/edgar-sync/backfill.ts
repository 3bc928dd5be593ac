/** Fetches whole days of the past, by EDGAR's daily archives or filing by filing: the cheaper way. */
import { existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { ingest } from '../catalog/index.ts';
import { storedAmong } from './catalog-contents.ts';
import { easternTime } from './clock.ts';
import { isHeadAlone, noteDay, noteUnreadDay, proveDays } from './days.ts';
import { dayIndex, type IndexedFiling, indexedDays } from './indexes.ts';
import { quarterOf, quartersBetween } from './places.ts';
import type { Session } from './session.ts';
import { typicalBytes } from './typical-sizes.ts';

/** Beside its bytes, a single submission costs a request. That takes as long as this many bytes of an archive at 10 MB/s. */
const BYTES_A_REQUEST = 1_500_000;

interface BackfillOptions {
  from: string;
  to: string;
  /** The start of a day: how it is fetched, and why. */
  onDay: (line: string) => void;
}

/**
 * Stores every filing of the days that EDGAR has an index of. A missing or damaged day is an event, and the other days are stored.
 * @throws FilinglakeError of EDGAR's hosts, of the catalog; the signal's reason. Earlier filings stay.
 */
export async function backfill(session: Session, { from, to, onDay }: BackfillOptions): Promise<void> {
  const { ledger, clock, signal, onEvent } = session;
  for (const quarter of quartersBetween(from, to)) {
    const indexed = await indexedDays(session, quarter, signal);
    if (indexed.size === 0 && quarter !== quarterOf(easternTime(clock.now()).date)) {
      session.counts.missing++;
      onEvent({ event: 'gap', message: `EDGAR lists no daily index of ${quarter}` });
    }
    const days = [...indexed].filter(([day]) => day >= from && day <= to);
    for (const [day, file] of days.sort(([a], [b]) => (a < b ? -1 : 1))) {
      signal?.throwIfAborted();
      const filings = await readDay(session, quarter, file);
      if (filings === null || isHeadAlone(filings, day, clock)) {
        session.counts.missing++;
        noteUnreadDay(ledger, day, onEvent);
        continue;
      }
      noteDay(ledger, day, filings, clock.now());
      await bringDay(session, day, [...filings.values()], onDay);
      proveDays(session);
    }
  }
  session.counts.requests = session.http.requests;
}

async function readDay(session: Session, quarter: string, file: string) {
  try {
    return (await dayIndex(session, quarter, file, session.signal))?.filings ?? null;
  } catch (error) {
    if (!(error instanceof EdgarFileError)) throw error;
    return null;
  }
}

async function bringDay(
  session: Session,
  day: string,
  filings: readonly IndexedFiling[],
  onDay: (line: string) => void,
): Promise<void> {
  const { catalogFolder, ledger, collector } = session;
  const missing = () => {
    const numbers = filings.map(({ accession_number }) => accession_number);
    const stored = storedAmong(catalogFolder, numbers);
    return filings.filter(({ accession_number }) => !stored.has(accession_number));
  };
  const before = missing();
  const bytesOf = (some: readonly IndexedFiling[]) => some.reduce((sum, f) => sum + typicalBytes(f.form_type), 0);
  const single = bytesOf(before) + before.length * BYTES_A_REQUEST;
  const archive = bytesOf(filings);
  if (before.length > 0 && archive < single) {
    onDay(`${day}: ${before.length} of ${filings.length} filings to fetch, by the day's archive`);
    await bringArchive(session, day);
  } else if (before.length > 0) {
    onDay(`${day}: ${before.length} of ${filings.length} filings to fetch, one by one`);
  }
  const left = new Set(missing().map(({ accession_number }) => accession_number));
  const archived = before.filter(({ accession_number }) => !left.has(accession_number));
  ledger.transaction(() => {
    for (const { accession_number } of archived) ledger.stored(accession_number, session.clock.now());
  });
  for (const { accession_number, form_type, filing_date } of archived) {
    session.counts.stored++;
    session.onEvent({ event: 'filing', accession_number, form_type, filing_date, lag_s: null });
  }
  await collector.collect([...left].map((accession) => ledger.filing(accession)!));
}

/** Filings that the archive lacks, or that can't be read in it, are fetched one by one afterwards. */
async function bringArchive(session: Session, day: string): Promise<void> {
  const { http, places, catalogFolder, signal, onEvent, counts } = session;
  const folder = join(catalogFolder, 'edgar-archives');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${day}.nc.tar.gz`);
  // An existing archive is complete: a command that ended during the ingest downloaded it.
  if (!existsSync(file)) {
    const answer = await http.download(places.dailyArchive(day), file, { signal });
    if (answer.kind !== 'file') {
      onEvent({ event: 'gap', message: `EDGAR has no archive of ${day}: its filings are fetched one by one` });
      return;
    }
    counts.bytes += answer.body;
    counts.downloads++;
  }
  const { failures, interrupted } = await ingest([file], catalogFolder, { wait: true, ...(signal ? { signal } : {}) });
  if (interrupted) signal?.throwIfAborted();
  for (const { path, message } of failures)
    onEvent({ event: 'gap', message: `${path.slice(folder.length + 1)}: ${message}` });
  await rm(file, { force: true });
}
