/** Names of runs: `export/<name>` for one that a person started, with the time behind it for one that a schedule started. */

export const ID_PREFIX = 'export/';

/** What Temporal puts behind the id of a scheduled workflow. No name of an export has a colon in it. */
const SCHEDULED_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Id of the workflow for an export's name, or for an id as it was printed. */
export function workflowIdOf(nameOrId: string): string {
  return nameOrId.startsWith(ID_PREFIX) ? nameOrId : `${ID_PREFIX}${nameOrId}`;
}

/** Whether an id is that of one firing of a schedule, and of no other run. */
export function isScheduledId(nameOrId: string): boolean {
  return SCHEDULED_SUFFIX.test(nameOrId);
}

/** Name of the export that a name or an id, scheduled or not, is about. */
export function exportNameOf(nameOrId: string): string {
  return workflowIdOf(nameOrId).slice(ID_PREFIX.length).replace(SCHEDULED_SUFFIX, '');
}
