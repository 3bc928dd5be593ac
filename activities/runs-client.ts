/** Asks Temporal whether runs of a lake have ended. */
import { randomUUID } from 'node:crypto';
import { type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import type { RunsPort } from '../src/export/pipeline/index.ts';

/** Differs from the id of any server, and from the substitute of any other process. */
const UNKNOWN = randomUUID();

export class RunsClient implements RunsPort {
  readonly #client: WorkflowClient;
  #server: Promise<string> | null = null;

  constructor(client: WorkflowClient) {
    this.#client = client;
  }

  /** The id of the namespace: each server makes its own. */
  server(): Promise<string> {
    const { namespace } = this.#client.options;
    this.#server ??= this.#client.workflowService.describeNamespace({ namespace }).then(
      ({ namespaceInfo }) => namespaceInfo?.id ?? UNKNOWN,
      // The server may not permit this. Then claims of its runs end with the runs, or expire.
      () => UNKNOWN,
    );
    return this.#server;
  }

  async isOver(workflowId: string, runId: string): Promise<boolean> {
    try {
      const { status, memo } = await this.#client.getHandle(workflowId).describe();
      // The workflow id may be that of a later run. A run that has just begun has no id yet.
      return status.name !== 'RUNNING' || (memo?.run_id !== undefined && memo.run_id !== runId);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return true;
      throw error;
    }
  }
}
