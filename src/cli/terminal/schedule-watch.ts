/** Looks at all schedules and runs: tells whom their definitions name, and keeps what it saw for the metrics. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSettings } from '../../core/environment/index.ts';
import { EXIT } from '../../core/index.ts';
import {
  type Condition,
  conditionOf,
  decide,
  type Notify,
  type Remembered,
  type RunSeen,
  type ScheduleSeen,
} from '../../export/index.ts';
import { type ExportRuns, exitOfResult, type RunStatus, type Schedules } from '../../export/runtime/index.ts';
import { openLakeIfThere } from '../../lake/index.ts';
import { noticeOf, notify } from './notify.ts';

export interface Look {
  /** Milliseconds */
  at: number;
  schedules: { schedule: ScheduleSeen; condition: Condition }[];
  runs: RunStatus[];
  /** Of each lake: ISO time of its newest commit, null without one; absent: it can't be read here */
  committed: Map<string, string | null>;
  /** Notices that could not be handed over, since the start */
  notices_failed: number;
}

interface WatchOptions {
  runs: ExportRuns;
  schedules: Schedules;
  /** A line for people: a notice that was not delivered */
  onProblem: (message: string) => void;
  /** Milliseconds: what passed before that, Temporal may still catch up */
  watchedSince: number;
  now?: () => number;
}

const NOTHING: Remembered = { expected: null, told: null };

export class ScheduleWatch {
  readonly #options: WatchOptions;
  readonly #file = join(readSettings().homeFolder, 'told.json');
  readonly #remembered: Record<string, Remembered>;
  #noticesFailed = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#remembered = readRemembered(this.#file);
  }

  /** @param tell whether to tell whom the definitions name */
  async look(tell: boolean): Promise<Look> {
    const { runs, schedules, now = Date.now } = this.#options;
    const [statuses, listed] = await Promise.all([runs.list(), schedules.list()]);
    const seen: Look['schedules'] = [];
    for (const { id } of listed) {
      // A schedule may be deleted meanwhile.
      const details = await schedules.show(id).catch(() => null);
      if (details === null) continue;
      const schedule: ScheduleSeen = { ...details, last_started: details.recent.at(-1)?.at ?? null };
      const run = statuses.find((one) => one.name === schedule.name && one.lake === schedule.lake) ?? null;
      const to = details.definition.notify;
      const condition = conditionOf(schedule, run && (await this.#runSeen(run)), this.#remembered[id] ?? NOTHING, {
        now: now(),
        watchedSince: this.#options.watchedSince,
        ...(to?.late_seconds === undefined ? {} : { lateSeconds: to.late_seconds }),
      });
      if (tell) await this.#tell(schedule, condition, to);
      seen.push({ schedule, condition });
    }
    if (tell) this.#remember(new Set(listed.map(({ id }) => id)));
    const lakes = new Set([...statuses, ...listed].map(({ lake }) => lake));
    const committed = new Map<string, string | null>();
    for (const lake of lakes) {
      const time = await committedAt(lake);
      if (time !== undefined) committed.set(lake, time);
    }
    return { at: now(), schedules: seen, runs: statuses, committed, notices_failed: this.#noticesFailed };
  }

  async #runSeen(status: RunStatus): Promise<RunSeen> {
    const { id, started_at, progress, worker, state } = status;
    const { stopped_by, message, waiting_until } = progress;
    const about = { id, state, started_at, stopped_by, message, waiting_until };
    if (state !== 'completed')
      return { ...about, is_complete: null, failures: progress.failures, is_worked_on: worker?.answers ?? null };
    try {
      const { runs } = this.#options;
      const result = await runs.result(await runs.handleOf(id));
      const { failures, known_failures } = result.finished;
      const isComplete = exitOfResult(result) === EXIT.complete;
      return { ...about, is_complete: isComplete, failures: failures - known_failures, is_worked_on: null };
    } catch {
      // Temporal forgets old runs.
      return { ...about, is_complete: null, failures: progress.failures, is_worked_on: null };
    }
  }

  /** Told again at the next look if nobody took it. */
  async #tell(schedule: ScheduleSeen, condition: Condition, to: Notify | undefined): Promise<void> {
    const { tell, next } = decide(schedule, condition, this.#remembered[schedule.id] ?? NOTHING);
    if (tell !== null && to !== undefined) {
      try {
        await notify(noticeOf(schedule, tell, new Date((this.#options.now ?? Date.now)())), to);
      } catch (error) {
        this.#noticesFailed++;
        this.#options.onProblem(`a notice of ${schedule.name} was not delivered: ${(error as Error).message}`);
        this.#remembered[schedule.id] = { ...next, told: this.#remembered[schedule.id]?.told ?? null };
        return;
      }
    }
    this.#remembered[schedule.id] = next;
  }

  #remember(ids: ReadonlySet<string>): void {
    for (const id of Object.keys(this.#remembered)) if (!ids.has(id)) delete this.#remembered[id];
    const text = JSON.stringify(this.#remembered);
    if (existsSync(this.#file) && readFileSync(this.#file, 'utf8') === text) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    const draft = `${this.#file}.${process.pid}`;
    writeFileSync(draft, text);
    renameSync(draft, this.#file);
  }
}

function readRemembered(file: string): Record<string, Remembered> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Remembered>;
  } catch {
    // Without the file, conditions that still hold give a notice again.
    return {};
  }
}

/** undefined: the lake can't be read from here */
async function committedAt(place: string): Promise<string | null | undefined> {
  try {
    await using lake = await openLakeIfThere(place);
    if (lake === null) return null;
    const [newest] = await lake.log(1);
    return newest?.committed_at ?? null;
  } catch {
    return undefined;
  }
}
