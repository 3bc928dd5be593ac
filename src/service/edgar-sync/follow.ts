/** Follows EDGAR: by the feed for speed, by the daily indexes as proof, by the quarterly ones for later changes. */
import { FilinglakeError } from '../../core/index.ts';
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { easternTime } from './clock.ts';
import { areDaysDue, type DaysOptions, proveDays, readDays, unreadDayEvent } from './days.ts';
import { tryRefreshEntityFiles } from './entity-files.ts';
import { type FeedWalk, noteWalk, walkFeed } from './feed-walk.ts';
import { requireSame, type Session } from './session.ts';
import { areTickersDue, refreshTickers } from './tickers.ts';
import { isWeeklyDue, readWeekly } from './weekly.ts';
import { tellWithdrawn } from './withdrawals.ts';

/**
 * Does the due work once: one look at the feed, the daily and weekly looks if they are due, and every download. Filings that are
 * not available yet are named, even if only their next request is not due.
 * @throws FilinglakeError of EDGAR's hosts, of the catalog; the signal's reason. Earlier filings stay.
 */
export async function followOnce(session: Session): Promise<void> {
  const { ledger, onEvent, counts } = session;
  const unreadBefore = new Set(ledger.unreadDays());
  const named = await look(session);
  for (const { accession_number, reason } of ledger.waiting()) {
    if (named.has(accession_number)) continue;
    counts.missing++;
    onEvent({ event: 'missing', accession_number, reason: reason! });
  }
  for (const day of ledger.unreadDays()) {
    counts.missing++;
    if (unreadBefore.has(day)) onEvent(unreadDayEvent(day));
  }
}

/** @returns accession numbers of the requested filings @throws as `followOnce` */
async function look(session: Session): Promise<Set<string>> {
  const { ledger, clock, onEvent, counts, collector, catalogFolder } = session;
  requireSame(session);
  const problems: unknown[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      session.signal?.throwIfAborted();
      // A file that can't be read does not stop the rest. Blocks and errors of the catalog do.
      if (!(error instanceof EdgarFileError) && (error as FilinglakeError).code !== 'edgar-unreachable') throw error;
      problems.push(error);
    }
  };
  let newest: string | null = null;
  await attempt(async () => {
    const walk = await walkFeed(session);
    newest = newestDay(walk);
    noteWalk(ledger, walk, clock.now());
    if (walk.hasGap) {
      const message = 'the feed reaches back less far than the last look; the daily indexes name what is missing';
      onEvent({ event: 'gap', message });
    }
  });
  const firstDay = followedSince(session, newest);
  const days: DaysOptions = session;
  if (areDaysDue(ledger, clock.now())) await attempt(() => readDays(days, firstDay));
  if (isWeeklyDue(ledger, clock.now())) {
    await attempt(async () => {
      for (const { accession_number, form_type, filing_date } of await readWeekly(session, firstDay)) {
        counts.withdrawn++;
        onEvent({ event: 'withdrawn', accession_number, form_type, filing_date });
      }
    });
  }
  requireSame(session);
  const due = ledger.due(clock.now());
  await attempt(() => collector.collect(due));
  await tellWithdrawn(ledger, catalogFolder);
  proveDays(days);
  if (areTickersDue(session)) await attempt(() => refreshTickers(session));
  await tryRefreshEntityFiles(session, null);
  // The first filing creates the file.
  requireSame(session);
  counts.requests = session.http.requests;
  if (problems.length > 0) throw problems[0];
  // A service over this catalog states how long ago that was.
  ledger.setMeta('followed_at', String(clock.now()));
  return new Set(due.map(({ accession_number }) => accession_number));
}

/**
 * The day that following began. The clock may be wrong. If it is behind the feed it is ignored, or years of filings would be due; a
 * day in the future is corrected.
 */
function followedSince({ ledger, clock }: Session, newest: string | null): string {
  const clockDay = easternTime(clock.now()).date;
  const today = newest !== null && newest > clockDay ? newest : clockDay;
  const known = ledger.meta('follow_since');
  if (known !== null && (known <= today || newest === null)) return known;
  ledger.setMeta('follow_since', today);
  return today;
}

/** Day of acceptance of the newest filing of a walk; null: it saw none. */
function newestDay({ filings }: FeedWalk): string | null {
  const newest = filings.reduce((max, { accepted_at }) => Math.max(max, accepted_at ?? 0), 0);
  return newest === 0 ? null : easternTime(newest).date;
}

/** The next look may succeed: EDGAR is away or refuses for a while, or another command works on the catalog. */
const PASSING: readonly string[] = ['edgar-unreachable', 'edgar-blocked', 'edgar-busy'];

interface FollowOptions {
  /** Time between the starts of two looks */
  intervalMs: number;
  /** A look failed temporarily: the next one tries again. */
  onProblem: (error: Error) => void;
  /** A look has ended without a problem. */
  onLook?: () => void;
  /** Called around each look: takes the catalog's lock, and releases it. Default: the caller holds the lock */
  withLock?: (look: () => Promise<void>) => Promise<void>;
}

/** Follows until the signal is raised, by this process's clock. @throws of the catalog; EDGAR refuses the agent */
export async function follow(session: Session, options: FollowOptions): Promise<void> {
  const { intervalMs, onProblem, onLook, withLock = (work) => work() } = options;
  const { clock, signal } = session;
  while (!signal?.aborted) {
    const startedAt = clock.now();
    try {
      await withLock(async () => void (await look(session)));
      onLook?.();
    } catch (error) {
      if (signal?.aborted) return;
      const passes =
        error instanceof EdgarFileError || (error instanceof FilinglakeError && PASSING.includes(error.code));
      if (!passes) throw error;
      onProblem(error as Error);
    }
    const waitMs = Math.max(0, Math.min(intervalMs, startedAt + intervalMs - clock.now()));
    await clock.sleep(waitMs, signal).catch(() => {});
  }
}
