/** Cost of entities that are requested by a query: the pages of their lookup. */
import { MAX_WINDOW } from '../../api/index.ts';
import { isEntityTable } from '../../tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { filingsOf, type PlanPart, type PlanSample, pagesOf } from './estimate.ts';

export type EntitySample = Omit<PlanSample, 'filings'>;

/**
 * @param samples a page of each of the lookups that together make the selection
 * @returns also how many entities match; null if the service states no count
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
    entities === null ? ['the service does not state how many entities match: these numbers are a minimum'] : [];
  const part: PlanPart = {
    filings: 0,
    // Windows that are too large to be read are split by the names found in them.
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
