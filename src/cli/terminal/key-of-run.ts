/** The key of a run that a command names: of the catalog that it reads, or from the environment. */
import { readSettings } from '../../core/environment/index.ts';
import { catalogOf } from '../../export/index.ts';
import { catalogKey, hasCatalogKeys } from './catalog-service.ts';
import { requiredKey, withRuns } from './with-runs.ts';

/** The same for a schedule. @throws FilinglakeError `key-missing` (exit 4), `schedule-unknown` (exit 2) */
export async function keyOfSchedule(name: string): Promise<string> {
  const catalog = hasCatalogKeys()
    ? await withRuns({ command: 'schedule', apiKey: null, silent: true }, async ({ schedules }) =>
        catalogOf((await schedules.show(name)).definition.service.base_url),
      )
    : null;
  return catalog === null ? requiredKey(readSettings().apiKey) : catalogKey(catalog);
}

/** @throws FilinglakeError `key-missing` (exit 4), `run-unknown` (exit 2) */
export async function keyOfRun(nameOrId: string): Promise<string> {
  // Most users have no such keys: then the run need not be read.
  const catalog = hasCatalogKeys()
    ? await withRuns({ command: 'resume', apiKey: null, silent: true }, async ({ runs }) =>
        catalogOf((await runs.definitionOf(nameOrId)).definition.service.base_url),
      )
    : null;
  return catalog === null ? requiredKey(readSettings().apiKey) : catalogKey(catalog);
}
