/** Starts a lake's compaction workflow: at most one for each lake, started by any process that sees that it is due. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import type { Lake } from '../src/lake/index.ts';
import type { CompactionInput, CompactionPort } from '../src/pipeline/index.ts';
import { type StartedLakeWorkflow, startLakeWorkflow } from './lake-workflow.ts';

/** The workflows room defines it; only its types are imported. */
const COMPACTION_WORKFLOW = 'compactionWorkflow';
const ANSWER_TIMEOUT_MS = 5_000;
/** Pause between two starts for a lake: while a compaction is active, each commit would request one. */
const ASKED_AGAIN_MS = 20_000;

/**
 * Starts the compaction of a lake, or finds the active one.
 * @param lakeId its identity, so that two names of a lake have one compaction. Null: its place stands for it
 */
export function startCompaction(
  client: WorkflowClient,
  taskQueue: string,
  input: CompactionInput,
  lakeId: string | null,
): Promise<StartedLakeWorkflow> {
  const mark = createHash('sha256')
    .update(lakeId ?? input.lake)
    .digest('hex')
    .slice(0, 12);
  return startLakeWorkflow(client, { type: COMPACTION_WORKFLOW, workflowId: `compact/${mark}`, taskQueue, input });
}

/** Starts compactions automatically: if a commit sees a table with more small parts than this. */
export class CompactionClient implements CompactionPort {
  readonly #client: WorkflowClient;
  readonly #taskQueue: string;
  readonly #smallParts: number;
  readonly #askedAt = new Map<string, number>();

  /** @param smallParts of one table; 0: never starts one */
  constructor(client: WorkflowClient, taskQueue: string, smallParts: number) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#smallParts = smallParts;
  }

  /** @returns why it couldn't be started, or null; the commit is safe in both cases */
  async startIfDue(lake: Lake, folder: string): Promise<string | null> {
    const now = performance.now();
    const askedAt = this.#askedAt.get(folder);
    if (this.#smallParts === 0 || (askedAt !== undefined && now - askedAt < ASKED_AGAIN_MS)) return null;
    const most = Math.max(0, ...(await lake.smallParts()).values());
    if (most <= this.#smallParts) return null;
    this.#askedAt.set(folder, now);
    const input: CompactionInput = {
      lake: folder,
      tables: null,
      target_bytes: null,
      // Tables that are due soon are included, so that one compaction serves all tables of an export.
      smallest: Math.max(2, Math.floor(this.#smallParts / 2)),
    };
    const timeout = new AbortController();
    try {
      await Promise.race([
        this.#client.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
          startCompaction(this.#client, this.#taskQueue, input, lake.id),
        ),
        sleep(ANSWER_TIMEOUT_MS, undefined, { signal: timeout.signal }),
      ]);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      timeout.abort();
    }
  }
}
