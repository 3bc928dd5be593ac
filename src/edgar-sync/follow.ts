/** Follows EDGAR: the feed for speed, the daily indexes as proof, the quarterly ones for what changes afterwards. */
import { FilinglakeError } from '../core/index.ts';
import { EdgarFileError } from '../edgar/index.ts';
import { easternTime } from './clock.ts';
import { areDaysDue, type DaysOptions, proveDays, readDays } from './days.ts';
import { noteWalk, walkFeed } from './feed-walk.ts';
import type { Session } from './session.ts';
import { areTickersDue, refreshTickers } from './tickers.ts';
import { isWeeklyDue, readWeekly } from './weekly.ts';

/**
 * Does what is due now, and ends: one look at the feed, the days and the week if their time has come, and every download.
 * @throws FilinglakeError of EDGAR's hosts, of the catalog; the signal's reason. What came before stays.
 */
export async function followOnce(session: Session): Promise<void> {
  const { ledger, clock, onEvent, counts, collector } = session;
  const today = easternTime(clock.now()).date;
  const firstDay = [ledger.meta('follow_since') ?? today, today].sort()[0]!;
  // Once only, or if the clock was ahead then.
  if (ledger.meta('follow_since') !== firstDay) ledger.setMeta('follow_since', firstDay);
  const problems: unknown[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      session.signal?.throwIfAborted();
      // What can't be read now does not hold up the rest; blocks and the catalog's errors do.
      if (!(error instanceof EdgarFileError) && (error as FilinglakeError).code !== 'edgar-unreachable') throw error;
      problems.push(error);
    }
  };
  await attempt(async () => {
    const walk = await walkFeed(session);
    noteWalk(ledger, walk, clock.now());
    if (walk.hasGap) {
      const message = 'the feed reaches back less far than the last look; the daily indexes name what is missing';
      onEvent({ event: 'gap', message });
    }
  });
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
  await attempt(() => collector.collect(ledger.due(clock.now())));
  proveDays(days);
  if (areTickersDue(session)) await attempt(() => refreshTickers(session));
  counts.requests = session.http.requests;
  if (problems.length > 0) throw problems[0];
}

export interface FollowOptions {
  /** Between the beginnings of two looks */
  intervalMs: number;
  /** A look failed for a reason that passes: the next one tries again. */
  onProblem: (error: Error) => void;
}

/** Follows until the signal is raised. @throws FilinglakeError of the catalog, or if EDGAR does not accept the agent */
export async function follow(session: Session, { intervalMs, onProblem }: FollowOptions): Promise<void> {
  const { clock, signal } = session;
  while (!signal?.aborted) {
    const startedAt = clock.now();
    try {
      await followOnce(session);
    } catch (error) {
      if (signal?.aborted) return;
      const passes =
        error instanceof EdgarFileError ||
        (error instanceof FilinglakeError && ['edgar-unreachable', 'edgar-blocked'].includes(error.code));
      if (!passes) throw error;
      onProblem(error as Error);
    }
    const waitMs = Math.max(0, Math.min(intervalMs, startedAt + intervalMs - clock.now()));
    await clock.sleep(waitMs, signal).catch(() => {});
  }
}
