/**
 * The budget of requests, shared by all runs with the same key. Pure: each function takes the state and returns the next one; times
 * are ISO texts. A batch reserves requests before it sends them, and settles at its end.
 */

export interface BudgetLimits {
  /** Requests over the run's life; null: no limit */
  max_requests: number | null;
  /** Nothing more is granted after this number of bytes was received (requests in flight may exceed it); null: no limit */
  max_bytes: number | null;
  /** Requests of the month to leave unused */
  reserve: number;
}

/**
 * Why less was granted than requested: the run's own limits; the month's quota (`quota`: used up, `reserve`: only the reserve is
 * left); `held`: other batches hold the rest, and may return some.
 */
export type BudgetReason = 'max_requests' | 'max_bytes' | 'quota' | 'reserve' | 'held';

export interface BudgetReply {
  /** 0 to the requested number. */
  granted: number;
  /** When to ask again, ISO. Null: not automatically (the run's limits), or nothing was withheld */
  retry_at: string | null;
  /** null: everything was granted */
  reason: BudgetReason | null;
  /** The service has stated the quota, and it is far from used up. */
  is_plenty?: true;
}

/** The last replies to questions that came as signals, by batch. */
export type BudgetReplies = Record<string, BudgetReply & { at: string }>;

interface Grant {
  requests: number;
  at: string;
  /** Requests that had been settled by all before it. */
  after: number;
}

interface RunBudget {
  limits: BudgetLimits;
  requests: number;
  bytes: number;
  /** Open grants by batch. A grant is never returned if its attempt died: nobody knows how much of it was sent. */
  grants: Record<string, Grant>;
  /** The last settled batches: a repeated settlement counts once. */
  settled: string[];
}

export interface BudgetState {
  runs: Record<string, RunBudget>;
  /** Requests settled so far, of all runs. */
  settled?: number;
  /** Set by a 429 for the month's quota. */
  blocked: { until: string; limit: 'requests' | 'bytes' } | null;
  /** The service's last statement of the month's requests. */
  quota: { requests_left: number; resets_at: string } | null;
  /** A run that may send one request although the quota is known to be used up, and the batch that sends it. */
  asking?: { run_id: string; batch_id: string | null } | null;
}

export interface Reservation {
  run_id: string;
  /** A retry of the same batch gets the same grant. */
  batch_id: string;
  requests: number;
  /** The current limits of the definition: they may have been raised. */
  limits: BudgetLimits;
}

export interface Settlement {
  run_id: string;
  batch_id: string;
  requests: number;
  bytes: number;
  /** The service's last statement of the month's requests; null: it states none, or has no limit. */
  requests_left: number | null;
  /** ISO; if the service states none, the first of next month (UTC). */
  resets_at?: string | null;
  /** Whether the service gave an answer that counts against the month. Then there is quota, even if it was known to be used up. */
  admitted?: boolean;
}

const SETTLED_REMEMBERED = 64;
/** Requests of the month above which the quota is far from used up. */
const PLENTY = 20_000;
const HELD_WAIT_MS = 5_000;
/** An older grant is that of a dead attempt. It is never returned, and the service has counted its requests. */
const GRANT_LIFE_MS = 120_000;
/** A process looks for its reply each quarter of a second, and repeats its question if the reply is gone. */
const REPLY_KEPT_MS = 10_000;

export function withReply(replies: BudgetReplies, batchId: string, reply: BudgetReply, now: string): BudgetReplies {
  const kept = Object.entries(replies).filter(([, { at }]) => Date.parse(now) - Date.parse(at) < REPLY_KEPT_MS);
  return { ...Object.fromEntries(kept), [batchId]: { ...reply, at: now } };
}

export function newBudget(): BudgetState {
  return { runs: {}, blocked: null, quota: null };
}

/** @param now ISO; must be from the workflow's clock */
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
  const { granted, retry_at, reason } = asks ? { granted: 1, retry_at: null, reason: decided.reason } : decided;
  const reply: BudgetReply = { granted, retry_at, reason, ...(isPlenty(current, asked, now) && { is_plenty: true }) };
  if (reply.granted > 0) {
    const grant = inherited ?? newGrant(current, reply.granted, now);
    run.grants = { ...run.grants, [asked.batch_id]: { ...grant, requests: reply.granted } };
  }
  const asking = asks ? { asking: { run_id: asked.run_id, batch_id: asked.batch_id } } : {};
  return { state: { ...current, ...asking, runs: { ...current.runs, [asked.run_id]: run } }, reply };
}

function isPlenty(state: BudgetState, { limits }: Reservation, now: string): boolean {
  const { max_requests, max_bytes, reserve } = limits;
  if (state.quota === null || max_requests !== null || max_bytes !== null) return false;
  return state.quota.requests_left - heldOf(state, now) - reserve >= PLENTY;
}

/** Whether a run may send one request although the quota is known to be used up. Its own limits still apply. */
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
    const held = heldOf(state, now);
    const left = state.quota.requests_left - held;
    limitTo(left, held, 'quota');
    limitTo(left - reserve, held, 'reserve');
  } else if (reserve > 0) {
    // The quota is unknown before the first answer: one request finds out.
    limitTo(1, 0, 'reserve');
  }
  if (granted > 0 || reason === null) return { granted, retry_at: null, reason };
  if (reason === 'held') return refusal('held', new Date(Date.parse(now) + HELD_WAIT_MS).toISOString());
  return refusal(reason, reason === 'max_requests' ? null : (state.quota?.resets_at ?? null));
}

function refusal(reason: BudgetReason, retryAt: string | null): BudgetReply {
  return { granted: 0, retry_at: retryAt, reason };
}

/** Counts the requests that a batch spent and returns the rest. A repeated settlement counts once. */
export function settleRequests(state: BudgetState, settlement: Settlement, now: string): BudgetState {
  const run = state.runs[settlement.run_id];
  if (run === undefined || run.settled.includes(settlement.batch_id)) return state;
  const { [settlement.batch_id]: grant, ...grants } = run.grants;
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
  return withStatement({ ...before, runs: { ...state.runs, [settlement.run_id]: settled } }, settlement, grant, now);
}

/**
 * Takes what the service stated of its quota, unless that is older than what is known. An older number is higher, by
 * no more than the others have sent or may send since the grant. A number that is higher still is that of a larger plan.
 */
function withStatement(
  state: BudgetState,
  { requests, requests_left, resets_at }: Pick<Settlement, 'requests' | 'requests_left' | 'resets_at'>,
  grant: Grant | undefined,
  now: string,
): BudgetState {
  const settled = (state.settled ?? 0) + requests;
  if (requests_left === null) return { ...state, settled };
  const known = withoutPast(state, now).quota;
  const byOthers = grant === undefined ? 0 : settled - requests - grant.after + heldOf(state, now);
  const higherBy = known === null ? 0 : requests_left - known.requests_left;
  if (higherBy > 0 && higherBy <= byOthers) return { ...state, settled };
  return { ...state, settled, quota: { requests_left, resets_at: resets_at ?? firstOfNextMonth(now) } };
}

/** A request was sent although the quota was known to be used up: its answer replaces that knowledge. */
function withAnswer(state: BudgetState, admitted: boolean): BudgetState {
  return { ...(admitted ? unblockBudget(state) : state), asking: null };
}

/** After a 429 for the month: nothing is granted until then. A later end wins. */
export function blockBudget(state: BudgetState, until: string, limit: 'requests' | 'bytes'): BudgetState {
  if (state.blocked !== null && Date.parse(state.blocked.until) >= Date.parse(until)) return state;
  return { ...state, blocked: { until, limit } };
}

/** A person says that there is quota again (a larger plan, another month): the earlier knowledge is dropped. */
export function unblockBudget(state: BudgetState): BudgetState {
  return { ...state, blocked: null, quota: null };
}

/**
 * A person may know of new quota: a run may send one request to find out. If it is answered, all runs continue; else nothing
 * changes. If the quota isn't known to be used up, no such request is needed.
 */
export function letRunAsk(state: BudgetState, runId: string): BudgetState {
  if (state.blocked === null && state.quota === null) return state;
  return { ...state, asking: { run_id: runId, batch_id: null } };
}

/** The run has ended: its grants are returned. */
export function leaveBudget(state: BudgetState, runId: string): BudgetState {
  const { [runId]: _left, ...runs } = state.runs;
  const asking = state.asking?.run_id === runId ? { asking: null } : {};
  return { ...state, ...asking, runs };
}

/** Requests of all open grants that may still be sent. */
function heldOf({ runs }: BudgetState, now: string): number {
  return Object.values(runs).reduce((total, { grants }) => total + sum(grants, now), 0);
}

/** After the reset everything is available again. */
function withoutPast(state: BudgetState, now: string): BudgetState {
  const time = Date.parse(now);
  const isPast = (at: string | null | undefined) => at != null && Date.parse(at) <= time;
  return {
    ...state,
    blocked: isPast(state.blocked?.until) ? null : state.blocked,
    quota: isPast(state.quota?.resets_at) ? null : state.quota,
  };
}

function newGrant(state: BudgetState, requests: number, now: string): Grant {
  return { requests, at: now, after: state.settled ?? 0 };
}

function newRun(limits: BudgetLimits): RunBudget {
  return { limits, requests: 0, bytes: 0, grants: {}, settled: [] };
}

/** @param now if given, only grants whose attempts may still be alive */
function sum(grants: Record<string, Grant>, now: string | null): number {
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

export function budgetIdOf(baseUrl: string, keyFingerprint: string): string {
  // A catalog's address has no host; its key is its own.
  return `budget/${new URL(baseUrl).host || 'catalog'}/${keyFingerprint}`;
}
