/** A budget: a refusal for the month, its reset, the end of each run. */
import type { Client } from '@temporalio/client';
import { BudgetClient } from '../../activities/index.ts';
import { parseExportDefinition } from '../../src/export/definition/parse.ts';
import type { RunReference } from '../../src/export/pipeline/index.ts';

export const BUDGET_SCENARIO = 'budget-asked';
const KEY_FINGERPRINT = 'recorded';

/** @param taskQueue of a worker that has the workflows. @returns the id of the budget's workflow */
export async function playBudget(client: Client, taskQueue: string): Promise<string> {
  const budget = new BudgetClient(client.workflow, taskQueue, KEY_FINGERPRINT);
  const [one, other] = ['one', 'other'].map(runOf) as [RunReference, RunReference];
  const spent = { bytes: 70, requests_left: 900, resets_at: '2030-01-01T00:00:00.000Z', admitted: true };
  await budget.reserve(one, 'b1', 10);
  await budget.reserve(other, 'b2', 10);
  await budget.settle(one, { batch_id: 'b1', requests: 7, ...spent });
  await budget.settle(other, { batch_id: 'b2', requests: 9, ...spent });
  // Time is skipped to this moment as soon as nothing else is to be done.
  await budget.block(other, new Date(Date.now() + 86_400_000).toISOString(), 'requests');
  await budget.reserve(other, 'b3', 10);
  await budget.reserve(one, 'b4', 10);
  for (const run of [one, other]) await budget.leave(run);
  const { workflowId } = client.workflow.getHandle(`budget/127.0.0.1:8080/${KEY_FINGERPRINT}`);
  await client.workflow.getHandle(workflowId).result();
  return workflowId;
}

function runOf(run_id: string): RunReference {
  const { definition } = parseExportDefinition('name: budget\nselect: {}\ntables: [filings]\n', 'recorded.yaml', {});
  return { run_id, workflow_id: `export/${run_id}`, lake: '/lake', definition };
}
