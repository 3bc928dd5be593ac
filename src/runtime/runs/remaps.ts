/** Remaps by workers: start or join, watch, result. */
import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { StartedLakeWorkflow } from '../../../activities/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import type { ExportState, RemapReport } from '../../export/index.ts';
import { type BytesBeat, MAPPING_VERSION, newRemapRun } from '../../pipeline/index.ts';
import { clientOf } from '../temporal/large-payloads.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { taskQueueOf } from '../worker/worker.ts';
import { type EndOptions, endRun, type LeftBehind } from './end-run.ts';
import { endedStateOf } from './run-names.ts';
import { pollersOf, type RunWorker, runWorker } from './worker-liveness.ts';
import { answerOf, beatOf, resultOf } from './workflow-answers.ts';

/** State of a pending activity that a worker has begun. */
const STARTED = 2;

export interface RemapRequest {
  /** Absolute folder or URL, as the workers see it. */
  lake: string;
  /** Its identity: two names of a lake have one remap. */
  lakeId: string;
  /** Names of tables of forms. */
  tables: readonly string[];
  limits?: { filings?: number; bytes?: number };
}

interface RemapStatus {
  id: string;
  running: boolean;
  /** Null if no worker answers. */
  report: RemapReport | null;
  /** Stretches that workers are mapping now, and the bytes that they have mapped of them. */
  active: number;
  bytes: number;
}

/** A remap in a list of runs, active or ended. */
export interface RemapRun {
  id: string;
  lake: string;
  state: ExportState;
  /** ISO */
  started_at: string;
  /** Null if no worker answers, or if it ended without a result. */
  report: RemapReport | null;
  /** Stretches that workers are mapping now. */
  active: number;
  /** null: it has ended */
  worker: RunWorker | null;
}

interface RemapMemo {
  lake?: string;
  run_id?: string;
  /** ISO. The start time of the workflow is later if its history was continued in a new one. */
  started_at?: string;
}

export class Remaps {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async of(session: TemporalSession): Promise<Remaps> {
    return new Remaps(await clientOf(session));
  }

  /**
   * Starts the remap of a lake on the workers of a key, or joins the active one of the same lake, tables and version of the mapping.
   * @returns `otherKey`: it is active on the workers of another key
   */
  async start(
    { lake, lakeId, tables, limits }: RemapRequest,
    apiKey: string,
  ): Promise<StartedLakeWorkflow & { otherKey: boolean }> {
    const { startRemap } = await import('../../../activities/index.ts');
    const reference = { lake, lake_id: lakeId, run_id: newRemapRun(), mapping_version: MAPPING_VERSION };
    const input = { ...reference, tables, ...(limits ? { limits } : {}) };
    const own = taskQueueOf(apiKey);
    const started = await startRemap(this.#client.workflow, own, input);
    return { ...started, otherKey: started.taskQueue !== own };
  }

  async status(handle: WorkflowHandle): Promise<RemapStatus> {
    const { workflowId, status, raw } = await handle.describe();
    const running = status.name === 'RUNNING';
    const started = (raw.pendingActivities ?? []).filter(({ state }) => state === STARTED);
    const bytes = started.reduce((sum, activity) => sum + (beatOf<Partial<BytesBeat>>(activity)?.bytes ?? 0), 0);
    const report = running ? await this.#report(handle) : null;
    return { id: workflowId, running, report, active: started.length, bytes };
  }

  /** Active remaps. For a lake without one, the newest that has ended. */
  async list(): Promise<RemapRun[]> {
    const ids = new Set<string>();
    for await (const { workflowId } of this.#client.workflow.list({ query: "WorkflowType = 'remapWorkflow'" }))
      ids.add(workflowId);
    const all = await Promise.all([...ids].map((id) => this.run(id)));
    const newestFirst = all.sort((a, b) => (a.started_at < b.started_at ? 1 : -1));
    const isActive = ({ worker }: RemapRun) => worker !== null;
    return newestFirst.filter(
      (one, place) =>
        isActive(one) ||
        newestFirst.findIndex((other) => other.lake === one.lake && (isActive(other) || other === one)) === place,
    );
  }

  /** The newest run of an id. @throws FilinglakeError `run-unknown` (exit 2) */
  async run(id: string): Promise<RemapRun> {
    const handle = this.#client.workflow.getHandle(id);
    const description = await this.#described(handle);
    const { lake = '', started_at = description.startTime.toISOString() } = (description.memo ?? {}) as RemapMemo;
    const state = endedStateOf(description.status.name);
    if (state !== null) {
      const report = state === 'completed' ? ((await handle.result()) as RemapReport) : null;
      return { id, lake, state, started_at, report, active: 0, worker: null };
    }
    const polledAt = await pollersOf(this.#client, description.taskQueue);
    // Without a worker, a query would only cost its timeout.
    const report = polledAt?.length === 0 ? null : await this.#report(handle);
    const active = (description.raw.pendingActivities ?? []).filter((activity) => activity.state === STARTED).length;
    const worker = runWorker(description, report !== null, polledAt, null);
    return { id, lake, state: 'running', started_at, report, active, worker };
  }

  /** Ends an active remap: by a request, or by termination if no worker receives it. The lake keeps what was committed. */
  async end(id: string, options: EndOptions): Promise<void> {
    await endRun(this.#client, this.#client.workflow.getHandle(id), leftBehind, options);
  }

  async #described(handle: WorkflowHandle): Promise<WorkflowExecutionDescription> {
    try {
      return await handle.describe();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      throw new FilinglakeError('run-unknown', `there is no remap ${handle.workflowId}`);
    }
  }

  #report(handle: WorkflowHandle): Promise<RemapReport | null> {
    return answerOf(this.#client, handle, 'remap');
  }

  /** Its result. @throws FilinglakeError the remap's error */
  result(handle: WorkflowHandle): Promise<RemapReport> {
    return resultOf(handle);
  }
}

function leftBehind({ memo }: WorkflowExecutionDescription): LeftBehind | null {
  const { lake, run_id } = (memo ?? {}) as RemapMemo;
  return lake === undefined || run_id === undefined ? null : { lake, run_id, budget: null };
}
