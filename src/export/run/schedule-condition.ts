/** How a scheduled export fares, from what Temporal says of it: the conditions that somebody should know of. Pure. */

export interface ScheduleSeen {
  id: string;
  name: string;
  lake: string;
  state: 'active' | 'paused';
  note: string | null;
  jitter_seconds: number;
  /** ISO: the next times, the first of them the nearest */
  next: readonly string[];
  /** ISO: when its last run was started; null before the first */
  last_started: string | null;
  /** Whether a worker of its key is there; null: Temporal does not say */
  has_worker: boolean | null;
}

/** What its newest run tells. */
export interface RunSeen {
  id: string;
  state: 'running' | 'waiting_for_quota' | 'paused' | 'completed' | 'failed' | 'cancelled';
  /** ISO */
  started_at: string;
  stopped_by: string | null;
  message: string | null;
  waiting_until: string | null;
  /** Of a completed run: that nothing is missing but known failures. null: its result can't be read */
  is_complete: boolean | null;
  failures: number;
  /** Whether a worker answers; null: the run has ended */
  is_worked_on: boolean | null;
}

export const CONDITIONS = ['failed', 'incomplete', 'waiting', 'late', 'not_run', 'no_worker'] as const;
export type ConditionKind = (typeof CONDITIONS)[number];

export interface Condition {
  kind: ConditionKind | 'well';
  /** What a notice is about, so that it goes out once: the run, and what it waits for */
  subject: string;
  message: string;
  remedy: string;
}

/** What an earlier look left. */
export interface Remembered {
  /** ISO: the next time that the schedule named then */
  expected: string | null;
  told: Pick<Condition, 'kind' | 'subject'> | null;
}

export const DEFAULT_LATE_SECONDS = 6 * 3_600;
/** Temporal starts a run within moments. After a restart it first catches up. */
const START_GRACE_SECONDS = 15 * 60;

/** @param now milliseconds @param watchedSince milliseconds: what passed before, Temporal may still catch up */
export function conditionOf(
  schedule: ScheduleSeen,
  run: RunSeen | null,
  { expected }: Remembered,
  {
    now,
    watchedSince,
    lateSeconds = DEFAULT_LATE_SECONDS,
  }: { now: number; watchedSince: number; lateSeconds?: number },
): Condition {
  const { name } = schedule;
  const isActive = run !== null && ['running', 'waiting_for_quota', 'paused'].includes(run.state);
  if (run?.state === 'failed') {
    const message = `${run.id} failed${run.message ? `: ${run.message}` : ''}`;
    const paused = schedule.state === 'paused' ? ` Then run \`filinglake schedule resume ${name}\`.` : '';
    const key = ' With another API key, create the schedule again: `filinglake schedule create FILE --replace`.';
    return { kind: 'failed', subject: run.id + run.started_at, message, remedy: `Correct the cause.${paused}${key}` };
  }
  if (
    isActive &&
    (run.state === 'waiting_for_quota' || ['quota', 'budget', 'unreachable'].includes(run.stopped_by ?? ''))
  ) {
    const until = run.waiting_until === null ? '' : ` until ${run.waiting_until}`;
    const message = `${run.id} waits${until}: ${run.message ?? run.stopped_by ?? 'its quota is used up'}`;
    const remedy = `It continues automatically. \`filinglake resume ${name}\` tries now.`;
    return { kind: 'waiting', subject: `${run.id}${run.started_at} ${run.stopped_by}`, message, remedy };
  }
  if (isActive && run.state === 'running' && now - Date.parse(run.started_at) > lateSeconds * 1_000) {
    const worker = run.is_worked_on === false ? '; no worker answers' : '';
    const message = `${run.id} has not ended since ${run.started_at}${worker}`;
    const remedy = `\`filinglake status ${name}\` shows what it does. Workers need the key of the schedule.`;
    return { kind: 'late', subject: run.id + run.started_at, message, remedy };
  }
  if (
    schedule.state === 'active' &&
    expected !== null &&
    !isActive &&
    hasNotRun(schedule, run, expected, now, watchedSince)
  ) {
    const message = `${name} was not run at ${expected}`;
    const remedy = `Check that \`filinglake up\` runs and reaches Temporal; \`filinglake schedule trigger ${name}\` runs it now.`;
    return { kind: 'not_run', subject: expected, message, remedy };
  }
  if (run?.state === 'completed' && run.is_complete === false) {
    const message = `${run.id} is not complete: ${run.failures} failures, or windows that are not proven`;
    const remedy = `\`filinglake retry ${name}\` requests failures again; \`filinglake report --lake ${schedule.lake}\` lists them.`;
    return { kind: 'incomplete', subject: run.id + run.started_at, message, remedy };
  }
  // A worker that starts polls within moments.
  const isWatched = now - watchedSince > START_GRACE_SECONDS * 1_000;
  if (schedule.state === 'active' && schedule.has_worker === false && isWatched) {
    const message = `no worker of its key is there: nothing runs ${name} at ${schedule.next[0] ?? 'its times'}`;
    return { kind: 'no_worker', subject: '', message, remedy: 'Start `filinglake up`, or a worker with that key.' };
  }
  return {
    kind: 'well',
    subject: run === null ? '' : run.id + run.started_at,
    message: `${name} is well`,
    remedy: 'Nothing is to be done.',
  };
}

function hasNotRun(
  schedule: ScheduleSeen,
  run: RunSeen | null,
  expected: string,
  now: number,
  watchedSince: number,
): boolean {
  const due = Date.parse(expected);
  const grace = (START_GRACE_SECONDS + schedule.jitter_seconds) * 1_000;
  if (now - Math.max(due, watchedSince) <= grace) return false;
  // Times differ by the jitter, and by moments.
  const started = [schedule.last_started, run?.started_at ?? null]
    .filter((at) => at !== null)
    .map((at) => Date.parse(at));
  return !started.some((at) => at >= due - 60_000);
}

/** The notice to send now, and what to remember. A condition gives one notice, its end another. */
export function decide(
  schedule: ScheduleSeen,
  condition: Condition,
  remembered: Remembered,
): { tell: Condition | null; next: Remembered } {
  const { kind, subject } = condition;
  const { told } = remembered;
  // A time that passed without a run stays, until one is started.
  const expected =
    kind === 'not_run' || isDue(remembered.expected, schedule) ? remembered.expected : (schedule.next[0] ?? null);
  if (kind === 'well') {
    const isOver = told !== null && told.kind !== 'well';
    return { tell: isOver ? condition : null, next: { expected, told: null } };
  }
  const isTold = told?.kind === kind && told.subject === subject;
  return { tell: isTold ? null : condition, next: { expected, told: { kind, subject } } };
}

/** Whether a remembered time has passed and no run was started since. */
function isDue(expected: string | null, { last_started, next, state }: ScheduleSeen): boolean {
  if (expected === null || state === 'paused' || (next[0] ?? '') <= expected) return false;
  return last_started === null || Date.parse(last_started) < Date.parse(expected) - 60_000;
}
