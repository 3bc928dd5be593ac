/** Histories of a workflow that are not the last ones: reset to an earlier step, or put back with Temporal's database. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Client } from '@temporalio/client';

/** A step of a run: the nth time that an activity was scheduled, from 1; negative: from the last on. */
export interface StepOfRun {
  activity: string;
  nth: number;
}

/** Names of the activities that a workflow has scheduled, in order, with the workflow tasks that did it. */
export async function scheduledSteps(client: Client, workflowId: string) {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled
      ? [{ activity: scheduled.activityType!.name!, task: Number(scheduled.workflowTaskCompletedEventId!) }]
      : [],
  );
}

/** How many activities of a name have ended well. */
export async function completedSteps(client: Client, workflowId: string, activity: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const ids = new Set<string>();
  let completed = 0;
  for (const { eventId, activityTaskScheduledEventAttributes, activityTaskCompletedEventAttributes } of events ?? []) {
    if (activityTaskScheduledEventAttributes?.activityType?.name === activity) ids.add(String(eventId));
    if (ids.has(String(activityTaskCompletedEventAttributes?.scheduledEventId))) completed++;
  }
  return completed;
}

/**
 * Resets a run to the workflow task that scheduled a step: the step is done again, and all behind it.
 * @returns false if the run has not come so far
 */
export async function resetRun(client: Client, workflowId: string, { activity, nth }: StepOfRun): Promise<boolean> {
  const steps = (await scheduledSteps(client, workflowId)).filter((step) => step.activity === activity);
  const step = steps.at(nth > 0 ? nth - 1 : nth);
  if (!step) return false;
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: step.task as never,
  });
  return true;
}

/** Copies Temporal's database while its server runs. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  // As Temporal's SQLite is built: its schema has texts in double quotes.
  const database = new DatabaseSync(from, { enableDoubleQuotedStringLiterals: true, timeout: 10_000 });
  try {
    // In one step: each change meanwhile would start the copy again.
    await backup(database, to, { rate: 1_000_000 });
  } finally {
    database.close();
  }
}

/** Puts a copy back. Its server must have ended. */
export function putBackDatabase(copy: string, to: string): void {
  for (const part of ['-wal', '-shm']) rmSync(`${to}${part}`, { force: true });
  copyFileSync(copy, to);
}
