/** What a run tells of itself, and the arithmetic of it. Times come in as ISO texts or milliseconds: this room has no clock. */
import type { Pass } from './steps/fetch-phases.ts';

export const EXPORT_STATES = ['running', 'waiting_for_quota', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/**
 * What keeps a run from going on: someone's `pause`, its own budget, the month's quota, a service that doesn't answer, an activity whose
 * worker died each time.
 */
export type StoppedBy = 'pause' | 'budget' | 'quota' | 'unreachable' | 'crash';

/** A pass over the filings: what is fetched of each is counted in requests. */
export interface StepProgress {
  /** Of this run */
  done: number;
  /** Of the windows read so far */
  pending: number;
}

export interface TableProgress {
  rows_new: number;
  rows_replaced: number;
  /** As the table stood after the last commit */
  rows_total: number;
  /** Of the parts that this run has written */
  bytes: number;
}

export interface ExportProgress {
  state: ExportState;
  /** Null while it goes on, and when it is over. */
  stopped_by: StoppedBy | null;
  /** Why it waits, or failed. */
  message: string | null;
  /** ISO; null unless it waits for a time. */
  waiting_until: string | null;
  /** ISO: how long the run waits for a service that went away in mid-run; null or absent: it doesn't wait so, or no longer */
  patient_until?: string | null;
  started_at: string;
  /** Time that activities took, waiting left out: what rates are made of. */
  working_ms: number;
  requests: number;
  /** Of the bodies of answers, unpacked */
  bytes: number;
  retries: number;
  windows_read: number;
  /** Known and not read yet: some of them may have to be cut further. */
  windows_left: number;
  windows_unproven: number;
  /** In the windows of an export that asks for entities by themselves. */
  entities_found: number;
  /** As the service counted, over the windows read so far. */
  filings_expected: number;
  filings_found: number;
  /** Found and in the lake already, with all that is asked. */
  filings_known: number;
  filings_fetched: number;
  filings_committed: number;
  /** Filings that another run brought in another revision meanwhile, or kept bringing: what they lack comes with the next run. */
  filings_deferred: number;
  /** Rows that were fetched and left out, since another run had brought theirs first. */
  rows_conflicted: number;
  /** Requests that the filings found so far still need. */
  requests_pending: number;
  steps: Record<Pass, StepProgress>;
  failures: number;
  tables: Record<string, TableProgress>;
  last_commit: { version: number; at: string } | null;
  quota: { requests_left: number | null; bytes_left: number | null; resets_at: string | null } | null;
}

/** What an activity that sends requests reports. */
export interface ProgressOutcome {
  spent: { requests: number; bytes: number; retries: number };
  quota: ExportProgress['quota'];
}

export interface ProgressCommit {
  version: number;
  tables: Readonly<Record<string, TableProgress & { rows_taken?: number }>>;
}

/** @param startedAt ISO */
export function newProgress(startedAt: string): ExportProgress {
  return {
    state: 'running',
    stopped_by: null,
    message: null,
    waiting_until: null,
    patient_until: null,
    started_at: startedAt,
    working_ms: 0,
    requests: 0,
    bytes: 0,
    retries: 0,
    windows_read: 0,
    windows_left: 0,
    windows_unproven: 0,
    entities_found: 0,
    filings_expected: 0,
    filings_found: 0,
    filings_known: 0,
    filings_fetched: 0,
    filings_committed: 0,
    filings_deferred: 0,
    rows_conflicted: 0,
    requests_pending: 0,
    steps: { info: { done: 0, pending: 0 }, sections: { done: 0, pending: 0 }, documents: { done: 0, pending: 0 } },
    failures: 0,
    tables: {},
    last_commit: null,
    quota: null,
  };
}

/** Adds an activity's outcome, in place. @param tookMs by the workflow's clock */
export function addOutcome(progress: ExportProgress, outcome: ProgressOutcome, tookMs = 0): void {
  progress.requests += outcome.spent.requests;
  progress.bytes += outcome.spent.bytes;
  progress.retries += outcome.spent.retries;
  progress.working_ms += tookMs;
  progress.quota = outcome.quota ?? progress.quota;
}

/** Adds a commit, in place. @param at ISO */
export function addCommit(progress: ExportProgress, commit: ProgressCommit, at: string): void {
  for (const [name, { rows_new, rows_replaced, rows_total, bytes, rows_taken = 0 }] of Object.entries(commit.tables)) {
    // That coverage has another run's row is no row of anybody's.
    if (name !== 'coverage') progress.rows_conflicted += rows_taken;
    const had = progress.tables[name] ?? { rows_new: 0, rows_replaced: 0, rows_total: 0, bytes: 0 };
    progress.tables[name] = {
      rows_new: had.rows_new + rows_new,
      rows_replaced: had.rows_replaced + rows_replaced,
      rows_total,
      bytes: had.bytes + bytes,
    };
  }
  // A retried commit gives its old version again.
  if (progress.last_commit === null || commit.version >= progress.last_commit.version) {
    progress.last_commit = { version: commit.version, at };
  }
}

export interface ProgressRates {
  requests_per_second: number;
  bytes_per_second: number;
  /** For what is owed by the windows read so far; null while nothing was measured. */
  seconds_left: number | null;
  /** Months of quota that what is owed needs beyond this one; null where the month's requests aren't known. */
  months_left: number | null;
}

/**
 * @param monthlyRequests requests that the key's plan has a month, where known
 */
export function ratesOf(progress: ExportProgress, monthlyRequests: number | null = null): ProgressRates {
  const seconds = progress.working_ms / 1_000;
  const perSecond = (amount: number) => (seconds > 0 ? amount / seconds : 0);
  const requestsPerSecond = perSecond(progress.requests);
  const { requests_pending } = progress;
  const left = progress.quota?.requests_left ?? null;
  return {
    requests_per_second: requestsPerSecond,
    bytes_per_second: perSecond(progress.bytes),
    seconds_left: requests_pending === 0 ? 0 : requestsPerSecond > 0 ? requests_pending / requestsPerSecond : null,
    months_left:
      left === null
        ? null
        : requests_pending <= left
          ? 0
          : monthlyRequests === null
            ? null
            : Math.ceil((requests_pending - left) / monthlyRequests),
  };
}

/** The state in words: `waiting for quota until 2024-02-01T00:00:00Z`. */
export function stateText(progress: ExportProgress): string {
  const { patient_until = null, waiting_until } = progress;
  if (patient_until !== null) {
    const message = progress.message === null ? '' : `: ${progress.message}`;
    return `waiting for the service until ${patient_until}, next try at ${waiting_until}${message}`;
  }
  const words = progress.state.replaceAll('_', ' ');
  const until = progress.waiting_until === null ? '' : ` until ${progress.waiting_until}`;
  return `${words}${until}${progress.message === null ? '' : `: ${progress.message}`}`;
}
