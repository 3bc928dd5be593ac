/** The part of an estimate for companies in a file: a filter for some of them. */
import { counted } from '../../../core/index.ts';
import type { FilingClient } from '../../client/index.ts';
import type { FilingFilters, Selection } from '../../definition/index.ts';
import { type PlanStep, planCompanies } from '../../estimate/index.ts';
import { companyOf, listOfSelection, readListFile, VALUES_OF_A_WINDOW } from '../../pipeline/index.ts';

/** Names that the estimate looks up, a request each. */
const NAMES_LOOKED_UP = 20;

interface SomeOfList {
  /** For some companies of the file; null if none of them is known */
  filter: FilingFilters | null;
  /** Companies in the list for each one in the filter. */
  scale: number;
  /** The requests that find the companies; null: the selection has no file */
  step: PlanStep | null;
  notes: string[];
}

/** @throws errors of the client; Error if the file can't be read */
export async function someOfLists(
  client: FilingClient,
  filters: FilingFilters,
  lists: Selection['entity_lists'],
): Promise<SomeOfList> {
  const given = listOfSelection({ ...(lists && { entity_lists: lists }) });
  if (given === null) return { filter: filters, scale: 1, step: null, notes: [] };
  const { kind, list } = given;
  const { values } = await readListFile(list, kind);
  const withQuery = (query: FilingFilters['entity_query']): FilingFilters => ({
    ...filters,
    entity_query: { ...filters.entity_query, ...query },
  });
  const some = spread(values, kind === 'names' ? NAMES_LOOKED_UP : VALUES_OF_A_WINDOW);
  const scale = values.length / some.length;
  const notes =
    some.length === values.length
      ? []
      : [
          `scaled from ${counted(some.length, 'company', 'companies')} of ${values.length.toLocaleString('en-US')} in the list`,
        ];
  if (kind !== 'names') {
    const requests = Math.ceil(values.length / VALUES_OF_A_WINDOW);
    return { filter: withQuery({ [kind]: some }), scale, step: planCompanies(requests, values.length), notes };
  }
  const found = await Promise.all(some.map((name) => companyOf(client, name)));
  const ciks = [...new Set(found.flatMap((one) => ('cik' in one ? [one.cik] : [])))];
  if (ciks.length < some.length)
    notes.unshift(`${ciks.length} of ${some.length} names that were looked up match exactly one company`);
  const filter = ciks.length === 0 ? null : withQuery(Object.fromEntries([['ciks', ciks]]));
  return { filter, scale, step: planCompanies(values.length, values.length), notes };
}

/** At most `most` values, spread over the whole list: the first values of a sorted list are its oldest companies. */
function spread(values: readonly string[], most: number): string[] {
  const stride = Math.ceil(values.length / most);
  return values.filter((_, i) => i % stride === 0);
}
