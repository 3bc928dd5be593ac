/** Schedules of exports: Temporal starts a run at each time of a cron expression, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type ScheduleSummary,
} from '@temporalio/client';
import type { ExportRunInput } from '../../../../workflows/index.ts';
import { FilinglakeError, invalidValue } from '../../../core/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { clientOf } from '../temporal/large-payloads.ts';
import { hasWorkers } from '../temporal/pollers.ts';
import { exportNameOf, ID_PREFIX, markedIdOf, unscheduledId, workflowIdOf } from '../temporal/run-names.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { taskQueueOf } from '../worker/worker.ts';
import { type RunMemo, WORKFLOW_TYPE } from './run-finder.ts';
import { isSameLake, type NamedLake, namedLake, realPlace } from './same-lake.ts';
import { checkTimes, TIMES_REMEDY } from './schedule-times.ts';

interface ScheduleRequest {
  definition: ExportDefinition;
  /** Absolute folder or URL */
  lake: string;
  apiKey: string;
  /** Five fields, or `@daily` and the like */
  cron: string[];
  /** IANA name */
  time_zone: string;
  /** Runs start within this many seconds after their time. */
  jitter_seconds: number;
  /** Replaces an existing schedule of that name. */
  replace: boolean;
}

interface BackfillRequest {
  /** `YYYY-MM-DD`, a day in the schedule's zone, or an ISO time */
  from: string;
  /** Like `from`; a day is included whole. */
  to: string;
}

export interface ScheduleStatus {
  name: string;
  /** `export/<name>` */
  id: string;
  cron: string[];
  time_zone: string;
  jitter_seconds: number;
  lake: string;
  state: 'active' | 'paused';
  /** Why it is paused: a person's note, or the failure that paused it. */
  note: string | null;
  /** ISO, the next few */
  next: string[];
  /** The last few runs that it started, the newest last */
  recent: { id: string; at: string }[];
}

export interface ScheduleDetails extends ScheduleStatus {
  definition: ExportDefinition;
  created_at: string;
  runs_started: number;
  /** Not started: a run was active and another one waited already. */
  skipped_overlap: number;
  /** Not started: Temporal was away for longer than the schedule catches up. */
  missed: number;
  /** Ids of its active runs. */
  running: string[];
  /** Whether a worker of its key is there; null: Temporal does not say */
  has_worker: boolean | null;
}

interface ScheduleMemo extends Omit<RunMemo, 'progress'> {
  cron: string[];
  time_zone: string;
  jitter_seconds: number;
}

/** Times that were missed longer ago are not caught up. With one buffered run, a catch-up has at most two runs. */
const CATCHUP_WINDOW = '30 days';
const NEXT_TIMES = 5;
/** Temporal starts an action within moments; a server under load needs longer. */
const TAKEN_TIMEOUT_MS = 15_000;
const TAKEN_POLL_MS = 200;

export class Schedules {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async of(session: TemporalSession): Promise<Schedules> {
    return new Schedules(await clientOf(session));
  }

  /** Makes a schedule, on the task queue of the key. @throws FilinglakeError `schedule-exists`, `schedule-invalid` */
  async create(request: ScheduleRequest): Promise<ScheduleDetails> {
    const { definition, lake, apiKey, cron, time_zone, jitter_seconds, replace } = request;
    const place = await namedLake(lake);
    const scheduleId = await this.#idFor(definition.name, place);
    const input: ExportRunInput = { definition, lake };
    const memo: ScheduleMemo = { definition, ...place, cron, time_zone, jitter_seconds };
    checkTimes(cron, time_zone);
    // The old schedule is deleted only after the new one was accepted.
    const create = (id: string, paused: boolean) =>
      this.#client.schedule.create({
        scheduleId: id,
        spec: { cronExpressions: cron, timezone: time_zone, jitter: jitter_seconds * 1_000 },
        action: {
          type: 'startWorkflow',
          workflowType: WORKFLOW_TYPE,
          workflowId: scheduleId,
          taskQueue: taskQueueOf(apiKey),
          args: [input],
          memo: { definition, ...place } satisfies Omit<RunMemo, 'progress'>,
          searchAttributes: { ExportName: [definition.name], ExportState: ['running'] },
        },
        policies: { overlap: 'BUFFER_ONE', pauseOnFailure: true, catchupWindow: CATCHUP_WINDOW },
        memo: { ...memo },
        state: { paused },
      });
    try {
      if (replace) {
        const trial = await create(`${scheduleId}.trial-${process.pid}-${Date.now()}`, true);
        await trial.delete();
        await this.#deleteIfThere(scheduleId);
      }
      await create(scheduleId, false);
    } catch (error) {
      throw creationFailure(error, definition.name, cron);
    }
    return this.show(scheduleId);
  }

  async #deleteIfThere(scheduleId: string): Promise<void> {
    try {
      await this.#client.schedule.getHandle(scheduleId).delete();
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }

  /** Schedules of exports, by name. */
  async list(): Promise<ScheduleStatus[]> {
    const found: ScheduleStatus[] = [];
    for await (const summary of this.#client.schedule.list()) {
      const memo = summary.memo as Partial<ScheduleMemo> | undefined;
      // Others may have schedules in the same namespace.
      if (memo?.definition === undefined || memo.cron === undefined) continue;
      found.push(statusOf(summary, memo as ScheduleMemo));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws FilinglakeError `schedule-unknown` (exit 2) */
  async show(name: string): Promise<ScheduleDetails> {
    return this.#withHandle(name, async (handle) => {
      const description = await handle.describe();
      return detailsOf(description, await hasWorkers(this.#client, description.action.taskQueue));
    });
  }

  /** No further run starts until `resume`; an active one continues. */
  async pause(name: string, note: string): Promise<void> {
    await this.#withHandle(name, (handle) => handle.pause(note));
  }

  async resume(name: string): Promise<void> {
    await this.#withHandle(name, (handle) => handle.unpause('resumed by request'));
  }

  /** Its active runs continue, and stay in the list of runs. */
  async delete(name: string): Promise<void> {
    await this.#withHandle(name, (handle) => handle.delete());
  }

  /** Starts a run now. @returns its id; null: another one is active, and this one starts after its end */
  async trigger(name: string): Promise<string | null> {
    return this.#withHandle(name, async (handle) => {
      const { info } = await handle.describe();
      const taken = info.numActionsTaken;
      await handle.trigger('BUFFER_ONE');
      if (info.runningActions.length > 0) return null;
      const deadline = Date.now() + TAKEN_TIMEOUT_MS;
      while (Date.now() < deadline) {
        const now = await handle.describe();
        const last = now.info.recentActions.at(-1);
        if (now.info.numActionsTaken > taken && last) return last.action.workflow.workflowId;
        await sleep(TAKEN_POLL_MS);
      }
      return null;
    });
  }

  /**
   * Starts the runs that the schedule would have started in a past period, one after the other.
   * @returns the start and the end of that period, ISO
   * @throws FilinglakeError `argument-invalid` (exit 2)
   */
  async backfill(name: string, request: BackfillRequest): Promise<{ from: string; to: string }> {
    return this.#withHandle(name, async (handle) => {
      const { time_zone } = memoOf(await handle.describe());
      const start = timeOf(request.from, time_zone, 0);
      const end = timeOf(request.to, time_zone, 1);
      if (start >= end) {
        throw new FilinglakeError(
          'argument-invalid',
          `--from must be a time before --to, not "${request.from}" (--to is "${request.to}")`,
        );
      }
      // Temporal's range includes both ends. Our range excludes the beginning of the day after.
      await handle.backfill({ start: new Date(start), end: new Date(end - 1), overlap: 'BUFFER_ALL' });
      return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
    });
  }

  /** The schedule of a name or an id. @throws FilinglakeError `schedule-unknown` (exit 2) */
  async #idOf(nameOrId: string): Promise<string> {
    const id = unscheduledId(workflowIdOf(nameOrId));
    if (nameOrId.startsWith(ID_PREFIX)) return id;
    const ofName = (await this.list()).filter(({ name }) => name === exportNameOf(id));
    // Lists lag behind by a moment: a new schedule is found by its name.
    if (ofName.length < 2) return ofName[0]?.id ?? id;
    const ids = ofName.map((one) => `${one.id} in ${one.lake}`).join(', ');
    throw new FilinglakeError('schedule-unknown', `several lakes have a schedule ${exportNameOf(id)}`, {
      remedy: `Give the id of the schedule that you mean: ${ids}.`,
    });
  }

  /** As for runs: the id of the name, unless a schedule for another lake uses it. */
  async #idFor(name: string, place: NamedLake): Promise<string> {
    const id = workflowIdOf(name);
    try {
      const taken = await this.#client.schedule.getHandle(id).describe();
      return (await isSameLake(memoOf(taken), place)) ? id : markedIdOf(name, await realPlace(place.lake));
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
      for (const one of await this.list()) if (one.name === name && (await isSameLake(one, place))) return one.id;
      return id;
    }
  }

  async #withHandle<Result>(name: string, use: (handle: ScheduleHandle) => Promise<Result>): Promise<Result> {
    const scheduleId = await this.#idOf(name);
    try {
      return await use(this.#client.schedule.getHandle(scheduleId));
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
      throw new FilinglakeError('schedule-unknown', `there is no schedule ${exportNameOf(name)}`, { cause: error });
    }
  }
}

function memoOf(description: { memo?: Record<string, unknown>; scheduleId: string }): ScheduleMemo {
  const memo = description.memo as Partial<ScheduleMemo> | undefined;
  if (memo?.definition === undefined || memo.cron === undefined) {
    throw new FilinglakeError('schedule-unknown', `${description.scheduleId} was not made by filinglake schedule`);
  }
  return memo as ScheduleMemo;
}

function statusOf(
  { scheduleId, state, info }: Pick<ScheduleSummary, 'scheduleId' | 'state' | 'info'>,
  { definition, cron, time_zone, jitter_seconds, lake }: ScheduleMemo,
): ScheduleStatus {
  return {
    name: definition.name,
    id: scheduleId,
    cron,
    time_zone,
    jitter_seconds,
    lake,
    state: state.paused ? 'paused' : 'active',
    note: state.note || null,
    // Temporal computes times for paused schedules too; nothing starts at them.
    next: state.paused ? [] : info.nextActionTimes.slice(0, NEXT_TIMES).map((time) => time.toISOString()),
    recent: info.recentActions.map(({ action, takenAt }) => ({
      id: action.workflow.workflowId,
      at: takenAt.toISOString(),
    })),
  };
}

function detailsOf(description: ScheduleDescription, has_worker: boolean | null): ScheduleDetails {
  const memo = memoOf(description);
  const { info } = description;
  return {
    ...statusOf(description, memo),
    definition: memo.definition,
    created_at: info.createdAt.toISOString(),
    runs_started: info.numActionsTaken,
    skipped_overlap: info.numActionsSkippedOverlap,
    missed: info.numActionsMissedCatchupWindow,
    running: info.runningActions.map(({ workflow }) => workflow.workflowId),
    has_worker,
  };
}

function creationFailure(error: unknown, name: string, cron: readonly string[]): unknown {
  if (error instanceof ScheduleAlreadyRunning) {
    return new FilinglakeError('schedule-exists', `there is a schedule ${name} already`, {
      remedy: `Add --replace to replace it, or remove it with \`filinglake schedule delete ${name}\`.`,
      cause: error,
    });
  }
  // The server parses the expressions, and the SDK reports its INVALID_ARGUMENT as a TypeError.
  if (!(error instanceof TypeError)) return error;
  return new FilinglakeError(
    'schedule-invalid',
    `Temporal refuses the times ${cron.map((text) => `'${text}'`).join(', ')}: ${error.message}`,
    { remedy: TIMES_REMEDY, cause: error },
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds of a time, or of the beginning of a day (`daysLater` days later). @throws FilinglakeError `argument-invalid` */
function timeOf(text: string, timeZone: string, daysLater: number): number {
  const isDay = DAY.test(text);
  const at = isDay ? startOfDay(text, timeZone, daysLater) : Date.parse(text);
  // Without a zone, Date would use this machine's.
  if (!Number.isNaN(at) && (isDay || /T.*(Z|[+-]\d{2}:?\d{2})$/.test(text))) return at;
  throw invalidValue(
    'argument-invalid',
    '--from and --to',
    'a day or a time',
    text,
    'Give a day as 2024-01-31, or a time with its zone as 2024-01-31T06:00:00Z.',
  );
}

/** The beginning of a day in a zone, in milliseconds; NaN: no such day. Without a midnight, it is its first hour. */
export function startOfDay(day: string, timeZone: string, daysLater = 0): number {
  const midnight = Date.parse(`${day}T00:00:00Z`) + daysLater * 86_400_000;
  if (Number.isNaN(midnight) || !new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day))
    return Number.NaN;
  const first = midnight - offsetAt(midnight, timeZone);
  // The offset may be from the other side of a change of clocks.
  const second = midnight - offsetAt(first, timeZone);
  return offsetAt(second, timeZone) === offsetAt(first, timeZone) ? second : Math.max(first, second);
}

/** Offset of a zone from UTC at a time, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000;
}
