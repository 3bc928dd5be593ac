/**
 * Names of runs: `export/<name>` if a person started it, followed by the time if a schedule did. If exports into two lakes have one
 * name, the id of the second ends in a mark of its lake.
 */
import { createHash } from 'node:crypto';
import type { ExportState } from '../../run/index.ts';

export const ID_PREFIX = 'export/';

/** Temporal adds this to the id of a scheduled workflow. No export's name has a colon. */
const SCHEDULED_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
/** No export's name has an @. */
const LAKE_SUFFIX = /@[0-9a-f]{8}$/;

/** Id of the workflow for an export's name, or for a printed id. */
export function workflowIdOf(nameOrId: string): string {
  return nameOrId.startsWith(ID_PREFIX) ? nameOrId : `${ID_PREFIX}${nameOrId}`;
}

/** Id of the workflow for an export whose name is used by another lake's export. @param place from `realPlace` */
export function markedIdOf(name: string, place: string): string {
  return `${ID_PREFIX}${name}@${createHash('sha256').update(place).digest('hex').slice(0, 8)}`;
}

/** Whether an id is that of one firing of a schedule. */
export function isScheduledId(nameOrId: string): boolean {
  return SCHEDULED_SUFFIX.test(nameOrId);
}

/** An id without the time of a firing: `export/<name>`, with the mark of a lake if it has one. */
export function unscheduledId(id: string): string {
  return id.replace(SCHEDULED_SUFFIX, '');
}

export function exportNameOf(nameOrId: string): string {
  return unscheduledId(workflowIdOf(nameOrId)).slice(ID_PREFIX.length).replace(LAKE_SUFFIX, '');
}

/** What a person types to name the export of an id: its name, or the id if another lake's export uses the name. */
export function commandNameOf(id: string): string {
  const plain = unscheduledId(id);
  return LAKE_SUFFIX.test(plain) ? plain : exportNameOf(id);
}

/** The state of a workflow that has ended; null: it is active. */
export function endedStateOf(status: string): ExportState | null {
  if (status === 'RUNNING') return null;
  if (status === 'COMPLETED') return 'completed';
  return status === 'CANCELLED' || status === 'TERMINATED' ? 'cancelled' : 'failed';
}
