/** A run's progress, and its arithmetic. Times come in as ISO texts or milliseconds: this room has no clock. */
import type { Pass } from '../steps/index.ts';

const EXPORT_STATES = ['running', 'waiting_for_quota', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/**
 * Why a run has stopped: `pause`, its own budget, the month's quota, a service that doesn't answer, an activity whose worker died
 * each time, a lake that doesn't answer, workers that can't use it.
 */
export type StoppedBy = 'pause' | 'budget' | 'quota' | 'unreachable' | 'crash' | 'lake' | 'worker';

/** A pass over the filings. Each fetch counts as a request. */
interface StepProgress {
  /** In this run */
  done: number;
  /** In the windows read so far */
  pending: number;
}

interface TableProgress {
  rows_new: number;
  rows_replaced: number;
  /** Number of rows after the last commit */
  rows_total: number;
  /** Bytes of the parts that this run has written */
  bytes: number;
}

export interface ExportProgress {
  state: ExportState;
  /** Null while it is active, and after its end. */
  stopped_by: StoppedBy | null;
  /** Why it waits or failed. */
  message: string | null;
  /** ISO; null unless it waits for a time. */
  waiting_until: string | null;
  /** ISO: how long the run waits for a service, a lake or a worker; null or absent: it isn't waiting for them */
  patient_until?: string | null;
  started_at: string;
  /** Time of activities without waiting: the basis of rates. */
  working_ms: number;
  requests: number;
  /** Bytes of answers' bodies, decompressed */
  bytes: number;
  retries: number;
  /** The same, as the sum of what activities have reported. */
  reported?: Sent;
  windows_read: number;
  /** Known and not read yet: some of them may have to be split. */
  windows_left: number;
  windows_unproven: number;
  /** In the windows of an export that requests entities by a query. */
  entities_found: number;
  /** The service's counts, over the windows read so far. */
  filings_expected: number;
  filings_found: number;
  /** Found, and complete in the lake already. */
  filings_known: number;
  filings_fetched: number;
  filings_committed: number;
  /** Filings that another run wrote meanwhile in another revision: the next run decides which is newer. */
  filings_deferred: number;
  /** Pending requests of the filings found so far. */
  requests_pending: number;
  steps: Record<Pass, StepProgress>;
  failures: number;
  /** In a refresh: steps that were requested again, and those of them that had not changed. */
  steps_refreshed?: number;
  steps_unchanged?: number;
  tables: Record<string, TableProgress>;
  last_commit: { version: number; at: string } | null;
  quota: { requests_left: number | null; bytes_left: number | null; resets_at: string | null } | null;
}

interface Sent {
  requests: number;
  bytes: number;
  retries: number;
}

/** The report of an activity that sends requests. */
interface ProgressOutcome {
  spent: Sent;
  /** By the whole run until now, where it is counted */
  run_spent?: Sent;
  quota: ExportProgress['quota'];
}

interface ProgressCommit {
  version: number;
  tables: Readonly<Record<string, TableProgress>>;
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
    requests_pending: 0,
    steps: {
      whole: { done: 0, pending: 0 },
      info: { done: 0, pending: 0 },
      sections: { done: 0, pending: 0 },
      documents: { done: 0, pending: 0 },
    },
    failures: 0,
    tables: {},
    last_commit: null,
    quota: null,
  };
}

/** Adds an activity's outcome, in place. @param tookMs by the workflow's clock */
export function addOutcome(progress: ExportProgress, outcome: ProgressOutcome, tookMs = 0): void {
  // Two counts of the same requests, which are never added up: what the run has sent includes what other activities are sending.
  // Reports lack the requests between a last heartbeat and a kill, and the run's files those before a power cut.
  progress.reported ??= { requests: 0, bytes: 0, retries: 0 };
  for (const count of ['requests', 'bytes', 'retries'] as const) {
    progress.reported[count] += outcome.spent[count];
    progress[count] = Math.max(progress[count], progress.reported[count], outcome.run_spent?.[count] ?? 0);
  }
  progress.working_ms += tookMs;
  progress.quota = outcome.quota ?? progress.quota;
}

/** Adds a commit, in place. @param at ISO */
export function addCommit(progress: ExportProgress, commit: ProgressCommit, at: string): void {
  for (const [name, { rows_new, rows_replaced, rows_total, bytes }] of Object.entries(commit.tables)) {
    const before = progress.tables[name] ?? { rows_new: 0, rows_replaced: 0, rows_total: 0, bytes: 0 };
    progress.tables[name] = {
      rows_new: before.rows_new + rows_new,
      rows_replaced: before.rows_replaced + rows_replaced,
      rows_total,
      bytes: before.bytes + bytes,
    };
  }
  // A retried commit returns its old version again.
  if (progress.last_commit === null || commit.version >= progress.last_commit.version) {
    progress.last_commit = { version: commit.version, at };
  }
}

interface ProgressRates {
  requests_per_second: number;
  bytes_per_second: number;
  /** For the pending requests of the windows read so far; null before anything was measured. */
  seconds_left: number | null;
}

export function ratesOf(progress: ExportProgress): ProgressRates {
  const seconds = progress.working_ms / 1_000;
  const perSecond = (amount: number) => (seconds > 0 ? amount / seconds : 0);
  const requestsPerSecond = perSecond(progress.requests);
  const { requests_pending } = progress;
  return {
    requests_per_second: requestsPerSecond,
    bytes_per_second: perSecond(progress.bytes),
    seconds_left: requests_pending === 0 ? 0 : requestsPerSecond > 0 ? requests_pending / requestsPerSecond : null,
  };
}

/** The state in words: `waiting for quota until 2024-02-01T00:00:00Z`. */
export function stateText(progress: ExportProgress): string {
  const { patient_until = null, waiting_until, stopped_by } = progress;
  if (stopped_by === 'lake' || stopped_by === 'worker') {
    const why = stopped_by === 'lake' ? 'lake unreachable' : 'no worker can use the lake';
    const until = patient_until === null ? '' : `, until ${patient_until}`;
    return `paused, ${why}${until}: ${progress.message}`;
  }
  if (patient_until !== null) {
    const message = progress.message === null ? '' : `: ${progress.message}`;
    return `waiting for the service until ${patient_until}, next try at ${waiting_until}${message}`;
  }
  const words = progress.state.replaceAll('_', ' ');
  const until = progress.waiting_until === null ? '' : ` until ${progress.waiting_until}`;
  return `${words}${until}${progress.message === null ? '' : `: ${progress.message}`}`;
}

/** A run in a few lines of Markdown, as Temporal's UI shows it. */
export function detailsText(progress: ExportProgress): string {
  const { filings_found, filings_known, steps, failures, requests, last_commit } = progress;
  const passes = Object.entries(steps).filter(([, { done, pending }]) => done + pending > 0);
  return [
    `**${stateText(progress)}**`,
    `filings: ${filings_found} listed, ${filings_known} complete before`,
    ...passes.map(([pass, { done, pending }]) => `${pass}: ${done} of ${done + pending}`),
    `requests: ${requests}, failures: ${failures}`,
    ...(last_commit === null ? [] : [`lake version ${last_commit.version}, committed ${last_commit.at}`]),
  ].join('  \n');
}

export function addRefresh(
  progress: ExportProgress,
  { refreshed = 0, unchanged = 0 }: { refreshed?: number; unchanged?: number },
): void {
  if (refreshed === 0) return;
  progress.steps_refreshed = (progress.steps_refreshed ?? 0) + refreshed;
  progress.steps_unchanged = (progress.steps_unchanged ?? 0) + unchanged;
}
