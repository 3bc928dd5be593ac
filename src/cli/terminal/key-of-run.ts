/** The key of a run that a command names: of the catalog that it reads, or from the environment. */
import { readSettings } from '../../core/environment/index.ts';
import { catalogOf, type ExportDefinition } from '../../export/index.ts';
import { catalogKey, hasCatalogKeys } from './catalog-service.ts';
import { type RunsSession, requiredKey, withRuns } from './with-runs.ts';

type DefinitionOf = (session: RunsSession) => Promise<{ definition: ExportDefinition }>;

/** @throws FilinglakeError `key-missing` (exit 4), `schedule-unknown` (exit 2) */
export function keyOfSchedule(name: string): Promise<string> {
  return keyFor('schedule', ({ schedules }) => schedules.show(name));
}

/** @throws FilinglakeError `key-missing` (exit 4), `run-unknown` (exit 2) */
export function keyOfRun(nameOrId: string): Promise<string> {
  return keyFor('resume', ({ runs }) => runs.definitionOf(nameOrId));
}

async function keyFor(command: string, definitionOf: DefinitionOf): Promise<string> {
  // Most users have no such keys: then the run need not be read.
  if (!hasCatalogKeys()) return requiredKey(readSettings().apiKey);
  const { definition } = await withRuns({ command, apiKey: null, silent: true }, definitionOf);
  const catalog = catalogOf(definition.service.base_url);
  return catalog === null ? requiredKey(readSettings().apiKey) : catalogKey(catalog);
}
