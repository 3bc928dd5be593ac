/** Remaps by workers: start or join, watch, result. */
import { Client, defaultPayloadConverter, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { StartedLakeWorkflow } from '../../../activities/index.ts';
import type { RemapReport } from '../../export/index.ts';
import { MAPPING_VERSION, newRemapRun, type RemapBeat } from '../../pipeline/index.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { taskQueueOf } from '../worker/worker.ts';
import { failureOf } from './run-failure.ts';

const QUERY_TIMEOUT_MS = 2_000;
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

export interface RemapStatus {
  id: string;
  running: boolean;
  /** Null if no worker answers. */
  report: RemapReport | null;
  /** Stretches that workers are mapping now, and the bytes that they have mapped of them. */
  active: number;
  bytes: number;
}

export class Remaps {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async of(session: TemporalSession): Promise<Remaps> {
    return new Remaps(new Client({ connection: await session.connect(), namespace: session.namespace }));
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
    let bytes = 0;
    for (const { heartbeatDetails } of started) {
      const payload = heartbeatDetails?.payloads?.[0];
      bytes += (payload && defaultPayloadConverter.fromPayload<Partial<RemapBeat> | null>(payload)?.bytes) || 0;
    }
    const report = running ? await this.#report(handle) : null;
    return { id: workflowId, running, report, active: started.length, bytes };
  }

  async #report(handle: WorkflowHandle): Promise<RemapReport | null> {
    try {
      const deadline = Date.now() + QUERY_TIMEOUT_MS;
      return await this.#client.withDeadline(deadline, () => handle.query<RemapReport>('remap'));
    } catch {
      // No worker answers, or it has just ended.
      return null;
    }
  }

  /** Its result. @throws FilinglakeError the remap's error */
  async result(handle: WorkflowHandle): Promise<RemapReport> {
    try {
      return (await handle.result()) as RemapReport;
    } catch (error) {
      throw error instanceof WorkflowFailedError ? failureOf(error, handle.workflowId) : error;
    }
  }
}
