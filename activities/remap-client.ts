/** Starts a lake's remap workflow: at most one for a lake, its tables and the version of the mapping. */
import { createHash } from 'node:crypto';
import type { WorkflowClient } from '@temporalio/client';
import type { RemapInput } from '../src/pipeline/index.ts';
import { type StartedLakeWorkflow, startLakeWorkflow } from './lake-workflow.ts';

/** The workflows room defines it; only its types are imported. */
const REMAP_WORKFLOW = 'remapWorkflow';

/** Id of the workflow. Two names of a lake have one remap. */
function remapIdOf({ lake_id, lake, tables, mapping_version }: RemapInput): string {
  const what = JSON.stringify([lake_id ?? lake, [...tables].sort(), mapping_version]);
  return `remap/${createHash('sha256').update(what).digest('hex').slice(0, 12)}`;
}

/** Starts it, or finds the active one of the same lake, tables and version. */
export function startRemap(client: WorkflowClient, taskQueue: string, input: RemapInput): Promise<StartedLakeWorkflow> {
  const memo = { run_id: input.run_id, started_at: new Date().toISOString() };
  return startLakeWorkflow(client, { type: REMAP_WORKFLOW, workflowId: remapIdOf(input), taskQueue, input, memo });
}

/** The queue of a remap's activities. Each worker of a queue serves this one too. */
export function remapQueueOf(taskQueue: string): string {
  return `${taskQueue}/remap`;
}
