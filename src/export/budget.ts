/**
 * How many requests may be sent: one budget for all runs that spend the same key. Pure: each function takes the state and gives the next one; times come in
 * as ISO texts. A batch of a run reserves before it sends, and settles when it is done.
 */

/** What a run's definition allows it. */
export interface BudgetLimits {
  /** Requests over the run's life; null: no limit */
  max_requests: number | null;
  /** Once so many bytes have come, nothing more is granted (what is in flight may cross it); null: no limit */
  max_bytes: number | null;
  /** Requests of the month that are left untouched */
  reserve: number;
}

/**
 * Why less was granted than asked: the run's own limits; the month's quota (`quota`: none left, `reserve`: only those left untouched); `held`: what is left is
 * granted to other batches, and some may come back.
 */
export type BudgetReason = 'max_requests' | 'max_bytes' | 'quota' | 'reserve' | 'held';

export interface BudgetReply {
  /** 0 to as many as were asked. */
  granted: number;
  /** When asking again makes sense, ISO; null: not by itself (the run's limits) or nothing was withheld */
  retry_at: string | null;
  /** null: all that was asked was granted */
  reason: BudgetReason | null;
}

interface RunBudget {
  limits: BudgetLimits;
  requests: number;
  bytes: number;
  /** Open grants by batch. One that is never settled (its attempt died) stays: nobody knows how much of it was sent. */
  grants: Record<string, { requests: number; at: string }>;
  /** Batches settled last: a settlement that is told twice counts once. */
  settled: string[];
}

export interface BudgetState {
  runs: Record<string, RunBudget>;
  /** Set by the monthly 429. */
  blocked: { until: string; limit: 'requests' | 'bytes' } | null;
  /** What the service said last of the month's requests. */
  quota: { requests_left: number; resets_at: string } | null;
  /** A run that may send one request though the quota is known to be used up, and the batch that sends it, once there is one. */
  asking?: { run_id: string; batch_id: string | null } | null;
}

export interface Reservation {
  run_id: string;
  /** A retry of the same batch gets the same grant. */
  batch_id: string;
  requests: number;
  /** As the run's definition has them now: they may have been raised. */
  limits: BudgetLimits;
}

export interface Settlement {
  run_id: string;
  batch_id: string;
  requests: number;
  bytes: number;
  /** What the service said last of the month's requests; null: it doesn't say, or has no limit. */
  requests_left: number | null;
  /** ISO; where the service doesn't say, the first of next month (UTC) is taken. */
  resets_at?: string | null;
  /** Whether the service gave an answer that counts against the month: it has quota, whatever was known of it. */
  admitted?: boolean;
}

const SETTLED_REMEMBERED = 64;
const HELD_WAIT_MS = 5_000;
/** A grant that old is taken for that of a dead attempt: it won't come back, and what it sent the service has counted. */
const GRANT_LIFE_MS = 120_000;

export function newBudget(): BudgetState {
  return { runs: {}, blocked: null, quota: null };
}

/** @param now ISO; must come from the workflow's clock */
export function reserveRequests(
  state: BudgetState,
  asked: Reservation,
  now: string,
): { state: BudgetState; reply: BudgetReply } {
  const current = withoutPast(state, now);
  const run: RunBudget = { ...(current.runs[asked.run_id] ?? newRun(asked.limits)), limits: asked.limits };
  const inherited = run.grants[asked.batch_id];
  const decided =
    inherited !== undefined && current.blocked === null
      ? { granted: inherited.requests, retry_at: null, reason: null }
      : decide(current, run, asked, now);
  const asks = decided.granted === 0 && mayAsk(current, run, asked, now);
  const reply = asks ? { granted: 1, retry_at: null, reason: decided.reason } : decided;
  if (reply.granted > 0) {
    run.grants = { ...run.grants, [asked.batch_id]: { requests: reply.granted, at: inherited?.at ?? now } };
  }
  const asking = asks ? { asking: { run_id: asked.run_id, batch_id: asked.batch_id } } : {};
  return { state: { ...current, ...asking, runs: { ...current.runs, [asked.run_id]: run } }, reply };
}

/** Whether a run that the quota refuses may ask once all the same. Its own limits hold. */
function mayAsk(state: BudgetState, run: RunBudget, asked: Reservation, now: string): boolean {
  const { asking } = state;
  if (!asking || asking.run_id !== asked.run_id || asking.batch_id !== null) return false;
  return decide({ ...state, blocked: null, quota: null }, run, { ...asked, requests: 1 }, now).granted > 0;
}

function decide(state: BudgetState, run: RunBudget, asked: Reservation, now: string): BudgetReply {
  if (state.blocked !== null) return refusal('quota', state.blocked.until);
  const { max_requests, max_bytes, reserve } = run.limits;
  if (max_bytes !== null && run.bytes >= max_bytes) return refusal('max_bytes', null);

  let granted = asked.requests;
  let reason: BudgetReason | null = null;
  const limitTo = (left: number, held: number, why: BudgetReason): void => {
    if (left >= granted) return;
    granted = Math.max(0, left);
    reason = granted === 0 && held > 0 ? 'held' : why;
  };
  if (max_requests !== null) {
    const held = sum(run.grants, null);
    limitTo(max_requests - run.requests - held, sum(run.grants, now), 'max_requests');
  }
  if (state.quota !== null) {
    const held = Object.values(state.runs).reduce((total, { grants }) => total + sum(grants, now), 0);
    const left = state.quota.requests_left - held;
    limitTo(left, held, 'quota');
    limitTo(left - reserve, held, 'reserve');
  } else if (reserve > 0) {
    // How much is left isn't known before the first answer: one request finds out.
    limitTo(1, 0, 'reserve');
  }
  if (granted > 0 || reason === null) return { granted, retry_at: null, reason };
  if (reason === 'held') return refusal('held', new Date(Date.parse(now) + HELD_WAIT_MS).toISOString());
  return refusal(reason, reason === 'max_requests' ? null : (state.quota?.resets_at ?? null));
}

function refusal(reason: BudgetReason, retryAt: string | null): BudgetReply {
  return { granted: 0, retry_at: retryAt, reason };
}

/** Counts what a batch spent and returns what it didn't. Told twice, it counts once. */
export function settleRequests(state: BudgetState, settlement: Settlement, now: string): BudgetState {
  const run = state.runs[settlement.run_id];
  if (run === undefined || run.settled.includes(settlement.batch_id)) return state;
  const { [settlement.batch_id]: _returned, ...grants } = run.grants;
  const settled: RunBudget = {
    limits: run.limits,
    requests: run.requests + settlement.requests,
    bytes: run.bytes + settlement.bytes,
    grants,
    settled: [...run.settled, settlement.batch_id].slice(-SETTLED_REMEMBERED),
  };
  const { asking } = state;
  const hasAsked = asking?.run_id === settlement.run_id && asking.batch_id === settlement.batch_id;
  const before = hasAsked ? withAnswer(state, settlement.admitted ?? false) : state;
  return {
    ...before,
    runs: { ...state.runs, [settlement.run_id]: settled },
    quota:
      settlement.requests_left === null
        ? before.quota
        : { requests_left: settlement.requests_left, resets_at: settlement.resets_at ?? firstOfNextMonth(now) },
  };
}

/** The service was asked though its quota was known to be used up: what was known is wrong, or stands. */
function withAnswer(state: BudgetState, admitted: boolean): BudgetState {
  return { ...(admitted ? unblockBudget(state) : state), asking: null };
}

/** After a monthly 429: nothing is granted until then. A later end wins. */
export function blockBudget(state: BudgetState, until: string, limit: 'requests' | 'bytes'): BudgetState {
  if (state.blocked !== null && Date.parse(state.blocked.until) >= Date.parse(until)) return state;
  return { ...state, blocked: { until, limit } };
}

/** Someone says that there is quota again (a larger plan, another month): what was known of it is forgotten. */
export function unblockBudget(state: BudgetState): BudgetState {
  return { ...state, blocked: null, quota: null };
}

/**
 * Someone may know of quota that was not there before: a run may ask the service once, with one request. Where that is answered, all runs
 * go on; else all is as it was. Where nothing is known to be used up, nothing is to be asked.
 */
export function letRunAsk(state: BudgetState, runId: string): BudgetState {
  if (state.blocked === null && state.quota === null) return state;
  return { ...state, asking: { run_id: runId, batch_id: null } };
}

/** The run is over: what it held comes back. */
export function leaveBudget(state: BudgetState, runId: string): BudgetState {
  const { [runId]: _left, ...runs } = state.runs;
  const asking = state.asking?.run_id === runId ? { asking: null } : {};
  return { ...state, ...asking, runs };
}

/** A reset that has passed frees all. */
function withoutPast(state: BudgetState, now: string): BudgetState {
  const time = Date.parse(now);
  const isPast = (at: string | null | undefined) => at != null && Date.parse(at) <= time;
  return {
    ...state,
    blocked: isPast(state.blocked?.until) ? null : state.blocked,
    quota: isPast(state.quota?.resets_at) ? null : state.quota,
  };
}

function newRun(limits: BudgetLimits): RunBudget {
  return { limits, requests: 0, bytes: 0, grants: {}, settled: [] };
}

/** @param now where given, only grants whose attempts may still be alive */
function sum(grants: RunBudget['grants'], now: string | null): number {
  let total = 0;
  for (const { requests, at } of Object.values(grants)) {
    if (now === null || Date.parse(now) - Date.parse(at) < GRANT_LIFE_MS) total += requests;
  }
  return total;
}

function firstOfNextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}

/** Id of the budget workflow of a service and a key. */
export function budgetIdOf(baseUrl: string, keyFingerprint: string): string {
  return `budget/${new URL(baseUrl).host}/${keyFingerprint}`;
}
