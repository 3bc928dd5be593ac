/** Export runs for commands: start or attach, watch, list, resume, pause, cancel. */
import { randomBytes } from 'node:crypto';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import type { ExportRunInput, ExportRunResult } from '../../../../workflows/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { definitionDifference, type ExportDefinition, mayShare } from '../../definition/index.ts';
import type { Heartbeat } from '../../pipeline/index.ts';
import { budgetIdOf, type ExportProgress, type ExportState, newProgress } from '../../run/index.ts';
import { attributesMissing } from '../temporal/connection.ts';
import { clientOf } from '../temporal/large-payloads.ts';
import { millisecondsOf, pollersOf } from '../temporal/pollers.ts';
import { commandNameOf, endedStateOf } from '../temporal/run-names.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { keyFingerprintOf, taskQueueOf } from '../worker/worker.ts';
import { type EndOptions, endRun, type LeftBehind } from './end-run.ts';
import { refuseWrongKey } from './refuse-wrong-key.ts';
import { memoOf, RunFinder, type RunMemo, WORKFLOW_TYPE } from './run-finder.ts';
import { isSameLake, type NamedLake, namedLake } from './same-lake.ts';
import { type RunWorker, runWorker } from './worker-liveness.ts';
import { answerOf, beatOf, resultOf } from './workflow-answers.ts';

export type { ExportRunResult };

const SUMMARY_TABLES = 4;
/** Temporal's limit is 400 bytes. */
const SUMMARY_MAX = 200;
/** A run that waits has nothing to finish: it is terminated if no worker of its key answers. */
const SILENCE_MS = 5_000;
const END_MS = 60_000;

export interface RunStatus {
  id: string;
  name: string;
  /** The run id in the lake's tables; null: it has not begun. */
  run_id: string | null;
  lake: string;
  state: ExportState;
  /** ISO */
  started_at: string;
  progress: ExportProgress;
  /** ISO; null: it is active */
  ended_at: string | null;
  /** null: the run has ended */
  worker: RunWorker | null;
}

export interface StartedRun {
  id: string;
  handle: WorkflowHandle;
  /** Whether the run was active already. */
  attached: boolean;
  /** Whether its budget was changed to that of the given definition. */
  budgetChanged: boolean;
  /** Whose run it ended, and continues: one that waited for another key's quota, or for another service, of which it had nothing. */
  tookOver?: 'key' | 'service';
}

/** What a person asks to run. */
interface WantedRun {
  definition: ExportDefinition;
  place: NamedLake;
  apiKey: string;
  only: 'failures' | undefined;
}

export class ExportRuns {
  readonly #client: Client;
  readonly #finder: RunFinder;

  private constructor(client: Client) {
    this.#client = client;
    this.#finder = new RunFinder(client);
  }

  static async of(session: TemporalSession, client?: Client): Promise<ExportRuns> {
    return new ExportRuns(client ?? (await clientOf(session)));
  }

  /**
   * Starts a run, or attaches to the active one of that name and lake, started by a person or a schedule.
   * @param lake absolute folder or URL
   * @param only the earlier failures of the export, instead of its whole selection
   * @throws FilinglakeError `export-differs` (exit 2): an active run has the name and another definition; `export-running` (exit
   * 2): an active run is of everything, or only of failures, and the other was requested
   * @throws as `refuseWrongKey`, if a run waits for the quota of another key
   */
  async start(definition: ExportDefinition, lake: string, apiKey: string, only?: 'failures'): Promise<StartedRun> {
    const { name } = definition;
    const place = await namedLake(lake);
    const wanted: WantedRun = { definition, place, apiKey, only };
    const going = await this.#finder.openOf(name, place);
    const tookOver = going === null ? null : await this.#endIfItGivesWay(going, wanted);
    if (going !== null && tookOver === null) return this.#attach(going, wanted);
    const id = await this.#finder.idFor(name, place);
    const started_at = new Date().toISOString();
    const run_id = `${started_at.replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`;
    const part = only === undefined ? {} : { only };
    const input: ExportRunInput = { run_id, definition, lake, started_at, by_person: true, ...part };
    const memo: RunMemo = { definition, ...place, progress: newProgress(started_at), ...part };
    try {
      const handle = await this.#client.workflow.start(WORKFLOW_TYPE, {
        workflowId: id,
        taskQueue: taskQueueOf(apiKey),
        args: [input],
        memo: { ...memo },
        staticSummary: summaryOf(definition, lake),
        searchAttributes: { ExportName: [definition.name], ExportState: ['running'] },
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
      });
      return { id, handle, attached: false, budgetChanged: false, ...(tookOver && { tookOver }) };
    } catch (error) {
      if (/search attribute/i.test(causesOf(error))) throw attributesMissing(this.#client.options.namespace, error);
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // Another command was first: with this export, or with one of the same name into another lake.
      const other = await this.#finder.describedOrNull(id);
      if (other !== null && !(await isSameLake(memoOf(other), place)))
        return this.start(definition, lake, apiKey, only);
      return this.#attach(id, wanted);
    }
  }

  async #attach(id: string, wanted: WantedRun): Promise<StartedRun> {
    const handle = this.#client.workflow.getHandle(id);
    const description = await handle.describe();
    const memo = memoOf(description);
    this.#mustBeOfKey(description, wanted.apiKey);
    await mustBeSame(id, memo, wanted);
    // An update needs a worker, which the caller has started. An unchanged budget needs no update.
    const budgetChanged = JSON.stringify(memo.definition.budget) !== JSON.stringify(wanted.definition.budget);
    return { id, handle, attached: true, budgetChanged };
  }

  /**
   * Ends a run that waits for the quota of another key, or for another service, of which it has nothing, if it is the same but for that.
   * What it fetched is committed, so the next run fetches the rest. @throws as `start`
   */
  async #endIfItGivesWay(id: string, wanted: WantedRun): Promise<StartedRun['tookOver'] | null> {
    const { definition, apiKey } = wanted;
    const description = await this.#client.workflow.getHandle(id).describe();
    // Of this run, not of one that another command starts in its place meanwhile.
    const handle = this.#client.workflow.getHandle(id, description.runId);
    const memo = memoOf(description);
    const { state, progress: now } = await this.status(handle);
    const { base_url } = definition.service;
    const isElsewhere = memo.definition.service.base_url !== base_url;
    const hasNothing = now.stopped_by === 'unreachable' && now.filings_found === 0 && now.last_commit === null;
    const isOfOtherKey = state === 'waiting_for_quota' && description.taskQueue !== taskQueueOf(apiKey);
    const tookOver = isElsewhere && hasNothing ? 'service' : isOfOtherKey ? 'key' : null;
    if (tookOver === null) return null;
    const moved = { ...memo.definition, service: { ...memo.definition.service, base_url } };
    await mustBeSame(id, tookOver === 'service' ? { ...memo, definition: moved } : memo, wanted);
    // A run that waits is worth more than a key that the service refuses.
    await refuseWrongKey(definition, apiKey);
    await this.end(handle, { silenceMs: SILENCE_MS, mostMs: END_MS, onMessage: () => {} });
    return tookOver;
  }

  #mustBeOfKey(description: WorkflowExecutionDescription, apiKey: string): void {
    if (description.taskQueue === taskQueueOf(apiKey)) return;
    throw new FilinglakeError(
      'run-key-differs',
      `${description.workflowId} runs with another API key than the one given`,
    );
  }

  /** The active run of a name, or the run of an id. @throws `run-unknown`, `run-key-differs`, `run-ended` */
  async open(nameOrId: string, apiKey: string | null): Promise<WorkflowHandle> {
    const handle = this.#client.workflow.getHandle(await this.#finder.oneOf(nameOrId));
    const description = await this.#describe(handle);
    if (description.status.name !== 'RUNNING') {
      throw new FilinglakeError('run-ended', `${description.workflowId} has ended (${stateOf(description)})`);
    }
    if (apiKey !== null) this.#mustBeOfKey(description, apiKey);
    return handle;
  }

  /** The run of a name or an id, active or ended. @throws FilinglakeError `run-unknown` (exit 2) */
  async handleOf(nameOrId: string): Promise<WorkflowHandle> {
    const handle = this.#client.workflow.getHandle(await this.#finder.oneOf(nameOrId));
    await this.#describe(handle);
    return handle;
  }

  /** The definition and the lake of the newest run of an export. @throws FilinglakeError `run-unknown` (exit 2) */
  async definitionOf(nameOrId: string): Promise<{ definition: ExportDefinition; lake: string }> {
    const handle = await this.handleOf(nameOrId);
    const { definition, lake } = memoOf(await handle.describe());
    return { definition, lake };
  }

  /** Ends a run: by a request, or by termination if no worker receives it. */
  end(handle: WorkflowHandle, options: EndOptions): Promise<void> {
    return endRun(this.#client, handle, leftBehind, options);
  }

  /** A run that waits for its service, its quota, its lake or a worker tries now: someone who exports again may know that it is back. */
  async goOnIfItWaits(handle: WorkflowHandle): Promise<void> {
    const { stopped_by } = (await this.status(handle)).progress;
    if (stopped_by !== null && ['unreachable', 'quota', 'lake', 'worker'].includes(stopped_by))
      await handle.executeUpdate('resume');
  }

  async #describe(handle: WorkflowHandle): Promise<WorkflowExecutionDescription> {
    const description = await this.#finder.describedOrNull(handle.workflowId);
    if (description !== null) return description;
    throw new FilinglakeError('run-unknown', `there is no run ${handle.workflowId}`);
  }

  /** The newest run of every export, or of those with a name, one for each lake. @throws FilinglakeError `run-unknown` (exit 2) */
  async list(nameOrId?: string): Promise<RunStatus[]> {
    const ids = await (nameOrId === undefined ? this.#finder.newest() : this.#finder.newestOf(nameOrId));
    const handles = ids.map((id) => this.#client.workflow.getHandle(id));
    if (nameOrId !== undefined) for (const handle of handles) await this.#describe(handle);
    return Promise.all(handles.map((handle) => this.status(handle)));
  }

  /** Other active runs that write to a lake, and may fetch the same filings. */
  async sharing(definition: ExportDefinition, lake: string, id: string): Promise<string[]> {
    const open = await this.#finder.openIn(await namedLake(lake));
    return open.filter((run) => run.id !== id && mayShare(run.memo.definition, definition)).map((run) => run.id);
  }

  /** The state of a run, with the progress of its active activities. */
  async status(handle: WorkflowHandle): Promise<RunStatus> {
    const description = await handle.describe();
    const memo = memoOf(description);
    const open = description.status.name === 'RUNNING';
    const pollers = open ? await pollersOf(this.#client, description.taskQueue, 'workflows') : [];
    const polledAt = pollers?.map(({ at }) => at) ?? null;
    // Without a worker, a query would only cost its timeout: the memo has the last progress.
    const answered = polledAt?.length !== 0 ? await answerOf<ExportProgress>(this.#client, handle, 'progress') : null;
    const progress = answered ?? memo.progress ?? newProgress(description.startTime.toISOString());
    if (open) addHeartbeats(progress, description);
    // A run may still commit after its state says cancelled: wait until Temporal has closed it.
    const isStopped = open && (progress.state === 'paused' || progress.state === 'waiting_for_quota');
    const state = isStopped ? progress.state : stateOf(description);
    return {
      id: description.workflowId,
      name: memo.definition.name,
      run_id: memo.run_id ?? null,
      lake: memo.lake,
      state,
      started_at: progress.started_at,
      progress: { ...progress, state },
      ended_at: open ? null : (description.closeTime?.toISOString() ?? null),
      worker: open ? runWorker(description, answered !== null, polledAt, progress.last_commit?.at ?? null) : null,
    };
  }

  /** The result of an ended run. @throws FilinglakeError with the code, message, remedy and exit code of its failure */
  result(handle: WorkflowHandle): Promise<ExportRunResult> {
    return resultOf(handle);
  }
}

/** @throws FilinglakeError `export-differs`, `export-running` (exit 2): the active run does other work than the given one */
async function mustBeSame(id: string, memo: RunMemo, { definition, place, only }: WantedRun): Promise<void> {
  // Without the lakes' paths: a definition has an absolute one, a schedule has it as written in its file.
  const differences = definitionDifference({ ...memo.definition, lake: '' }, { ...definition, lake: '' });
  if (!(await isSameLake(memo, place))) differences.push(`lake: ${place.lake}, was ${memo.lake}`);
  if (differences.length > 0) {
    throw new FilinglakeError(
      'export-differs',
      `an export named ${definition.name} is running with another definition: ${differences.join('; ')}`,
      { remedy: `Give this export another name, or end the other: \`filinglake cancel ${commandNameOf(id)}\`.` },
    );
  }
  if (memo.only === only) return;
  const other = memo.only ? 'a retry of its failures' : 'the whole export';
  throw new FilinglakeError('export-running', `${id} is running: ${other}`, {
    remedy: `Wait until it ends: \`filinglake resume ${commandNameOf(id)}\` watches it. Or run \`filinglake cancel ${commandNameOf(id)}\`.`,
  });
}

function causesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causesOf(error.cause)}` : '';
}

/** Temporal's UI shows it in its list of runs. */
function summaryOf({ name, tables, service }: ExportDefinition, lake: string): string {
  const what = tables.length > SUMMARY_TABLES ? `${tables.length} tables` : tables.join(', ');
  return `${name}: ${what} of ${service.base_url} into ${lake}`.slice(0, SUMMARY_MAX);
}

function leftBehind(description: WorkflowExecutionDescription): LeftBehind | null {
  const { run_id, lake, definition } = memoOf(description);
  if (run_id === undefined) return null;
  const budget = budgetIdOf(definition.service.base_url, keyFingerprintOf(description.taskQueue));
  return { run_id, lake, budget };
}

function stateOf(description: WorkflowExecutionDescription): ExportState {
  return endedStateOf(description.status.name) ?? 'running';
}

function addHeartbeats(progress: ExportProgress, description: WorkflowExecutionDescription): void {
  for (const activity of description.raw.pendingActivities ?? []) {
    const beat = beatOf<Partial<Heartbeat>>(activity);
    if (!beat || beat.requests === undefined) continue;
    progress.requests += beat.requests;
    progress.bytes += beat.bytes ?? 0;
    progress.retries += beat.retries ?? 0;
    progress.filings_fetched += beat.filings ?? 0;
    progress.requests_pending = Math.max(0, progress.requests_pending - (beat.steps ?? 0));
    if (beat.pass) {
      const step = progress.steps[beat.pass];
      step.done += beat.steps ?? 0;
      step.pending = Math.max(0, step.pending - (beat.steps ?? 0));
    }
    // Counted to its last heartbeat, since a dead worker does nothing more.
    const [began, beatAt] = [millisecondsOf(activity.lastStartedTime), millisecondsOf(activity.lastHeartbeatTime)];
    if (began !== null && beatAt !== null) progress.working_ms += Math.max(0, beatAt - began);
  }
}
