/**
 * Names of runs: `export/<name>` for one that a person started, with the time behind it for one that a schedule started. Exports of one
 * name into two lakes are two: whichever comes second has a mark of its lake behind its name.
 */
import { createHash } from 'node:crypto';

export const ID_PREFIX = 'export/';

/** What Temporal puts behind the id of a scheduled workflow. No name of an export has a colon in it. */
const SCHEDULED_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
/** No name of an export has this sign in it. */
const LAKE_SUFFIX = /@[0-9a-f]{8}$/;

/** Id of the workflow for an export's name, or for an id as it was printed. */
export function workflowIdOf(nameOrId: string): string {
  return nameOrId.startsWith(ID_PREFIX) ? nameOrId : `${ID_PREFIX}${nameOrId}`;
}

/** Id of the workflow for an export whose name another lake's export goes by. @param lake absolute folder */
export function markedIdOf(name: string, lake: string): string {
  return `${ID_PREFIX}${name}@${createHash('sha256').update(lake).digest('hex').slice(0, 8)}`;
}

/** Whether an id is that of one firing of a schedule, and of no other run. */
export function isScheduledId(nameOrId: string): boolean {
  return SCHEDULED_SUFFIX.test(nameOrId);
}

/** What an id says besides the time of a firing: `export/<name>`, with the mark of a lake where it has one. */
export function unscheduledId(id: string): string {
  return id.replace(SCHEDULED_SUFFIX, '');
}

/** Name of the export that a name or an id, scheduled or marked or not, is about. */
export function exportNameOf(nameOrId: string): string {
  return unscheduledId(workflowIdOf(nameOrId)).slice(ID_PREFIX.length).replace(LAKE_SUFFIX, '');
}

/** What a person gives a command to mean the export of an id: its name, or the id where another lake's export goes by the name. */
export function commandNameOf(id: string): string {
  const plain = unscheduledId(id);
  return LAKE_SUFFIX.test(plain) ? plain : exportNameOf(id);
}
