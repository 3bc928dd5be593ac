/** The part of an estimate for companies in a file: a filter for the first of them. */
import type { FilingClient } from '../../client/index.ts';
import { ENTITY_BYTES, type FilingFilters, type PlanStep, type Selection } from '../../export/index.ts';
import { companyOf, listOfSelection, readListFile, VALUES_OF_A_WINDOW } from '../../pipeline/index.ts';

/** Names that the estimate looks up, a request each. */
const NAMES_LOOKED_UP = 20;

export interface FirstOfList {
  /** For the first companies of the file; null: none of them is known */
  filter: FilingFilters | null;
  /** How many times as many companies there are. */
  scale: number;
  /** The requests that find the companies; null: the selection has no file */
  step: PlanStep | null;
  notes: string[];
}

/** @throws errors of the client; Error if the file can't be read */
export async function firstOfLists(
  client: FilingClient,
  filters: FilingFilters,
  lists: Selection['entity_lists'],
): Promise<FirstOfList> {
  const given = listOfSelection({ ...(lists && { entity_lists: lists }) });
  if (given === null) return { filter: filters, scale: 1, step: null, notes: [] };
  const { kind, list } = given;
  const { values } = await readListFile(list, kind);
  const withQuery = (query: FilingFilters['entity_query']): FilingFilters => ({
    ...filters,
    entity_query: { ...filters.entity_query, ...query },
  });
  const step = (requests: number): PlanStep => {
    return { step: 'companies', tables: [], requests, bytes: ENTITY_BYTES * values.length };
  };
  if (kind !== 'names') {
    const some = values.slice(0, VALUES_OF_A_WINDOW);
    const filter = withQuery({ [kind]: some });
    return {
      filter,
      scale: values.length / some.length,
      step: step(Math.ceil(values.length / some.length)),
      notes: [],
    };
  }
  const some = values.slice(0, NAMES_LOOKED_UP);
  const found = await Promise.all(some.map((name) => companyOf(client, name)));
  const ciks = [...new Set(found.flatMap((one) => ('cik' in one ? [one.cik] : [])))];
  const notes =
    ciks.length < some.length ? [`${ciks.length} of the first ${some.length} names are one company each`] : [];
  const filter = ciks.length === 0 ? null : withQuery(Object.fromEntries([['ciks', ciks]]));
  return { filter, scale: values.length / some.length, step: step(values.length), notes };
}
