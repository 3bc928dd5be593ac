/** What entities cost that are selected by themselves: the pages of their lookup. */
import { MAX_WINDOW } from '../../api/index.ts';
import { isEntityTable } from '../../tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { filingsOf, type PlanPart, type PlanSample, pagesOf } from './estimate.ts';

export type EntitySample = Omit<PlanSample, 'filings'>;

/**
 * @param samples a page of each of the lookups that together are the selection
 * @returns with how many entities match; null where the service doesn't say
 */
export function planEntities(
  definition: ExportDefinition,
  samples: readonly EntitySample[],
): { part: PlanPart; entities: number | null } {
  const counts = samples.map(filingsOf);
  const matches = samples.map((sample, i) => counts[i] ?? sample.received);
  const requests = samples.map((sample, i) => pagesOf(definition, matches[i]!, sample));
  const bytes = samples.map(({ bytes: of, received }, i) => (received === 0 ? of : (of / received) * matches[i]!));
  const entities = counts.includes(null) ? null : add(matches);
  const notes =
    entities === null ? ['the service does not say how many entities match: these are the least that it can be'] : [];
  const part: PlanPart = {
    filings: 0,
    // Windows of more than can be read at once are cut by what is found in them.
    whole: entities !== null && matches.every((n) => n < MAX_WINDOW),
    sampled: 0,
    known: 0,
    older: 0,
    steps: [
      {
        step: 'entities',
        tables: definition.tables.filter(isEntityTable),
        requests: add(requests),
        bytes: Math.round(add(bytes)),
      },
    ],
    notes,
  };
  return { part, entities };
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0);
}
