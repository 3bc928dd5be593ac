/** Compactions by workers: start or attach, watch, result. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { StartedLakeWorkflow } from '../../../activities/index.ts';
import { lakeIdAt } from '../../lake/index.ts';
import type { BytesBeat, CompactionInput, CompactionProgress } from '../../pipeline/index.ts';
import { clientOf } from '../temporal/large-payloads.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { taskQueueOf } from '../worker/worker.ts';
import { answerOf, beatOf, resultOf } from './workflow-answers.ts';

export type { CompactionProgress };

interface CompactionRequest {
  /** Absolute folder or URL, as the workers see it. */
  lake: string;
  /** Null: all. */
  tables: string[] | null;
  /** Null: a size that suits each table. */
  targetBytes: number | null;
}

export interface CompactionStatus {
  id: string;
  running: boolean;
  /** Null if no worker answers. */
  progress: CompactionProgress | null;
  /** Heartbeat of the current step; null between steps, and while no worker has taken one. */
  beat: BytesBeat | null;
}

export class Compactions {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async of(session: TemporalSession): Promise<Compactions> {
    return new Compactions(await clientOf(session));
  }

  /** Starts the compaction of a lake on the workers of a key, or attaches to the active one. */
  async start({ lake, tables, targetBytes }: CompactionRequest, apiKey: string): Promise<StartedLakeWorkflow> {
    const { startCompaction } = await import('../../../activities/index.ts');
    const input: CompactionInput = { lake, tables, target_bytes: targetBytes, smallest: 2 };
    // Perhaps only the workers can read the lake.
    const lakeId = await lakeIdAt(lake).catch(() => null);
    return startCompaction(this.#client.workflow, taskQueueOf(apiKey), input, lakeId);
  }

  async status(handle: WorkflowHandle): Promise<CompactionStatus> {
    const { workflowId, status, raw } = await handle.describe();
    const running = status.name === 'RUNNING';
    const [activity] = raw.pendingActivities ?? [];
    const progress = running ? await answerOf<CompactionProgress>(this.#client, handle, 'compaction') : null;
    return { id: workflowId, running, beat: activity ? beatOf<BytesBeat>(activity) : null, progress };
  }

  /** Its result. @throws FilinglakeError the compaction's error */
  result(handle: WorkflowHandle): Promise<CompactionProgress> {
    return resultOf(handle);
  }
}
