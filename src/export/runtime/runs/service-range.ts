/** For a selection that matches nothing: the dates of the service's filings, and whether it has the selected forms. */
import type { FilingClient } from '../../client/index.ts';
import { type ExportDefinition, resolveDate } from '../../definition/index.ts';
import { datedFilters } from '../../windows/index.ts';

/** Values of a list that are looked up: a request for each 1,000. */
const VALUES_LOOKED_UP = 5_000;
/** Maximum number of form types that a sentence lists, and of other values. */
const FORMS_NAMED = 5;
const VALUES_NAMED = 5;

/**
 * One or two sentences; null if the service doesn't tell. Sends up to three requests of one record each: for both ends of the dates,
 * and for the forms. Never throws: the export is complete without it.
 * @param baseUrl where the service answers now: that of a catalog is another in each process
 */
export async function serviceRange(
  definition: ExportDefinition,
  apiKey: string,
  { baseUrl, signal }: { baseUrl: string; signal?: AbortSignal },
): Promise<string | null> {
  const { method, key } = definition.service;
  try {
    const { FilingClient } = await import('../../client/index.ts');
    await using client = new FilingClient({
      baseUrl,
      apiKey,
      ...(key && { key }),
      method,
      ...(signal ? { signal } : {}),
    });
    return await rangeOf(client, definition);
  } catch {
    return null;
  }
}

/** What a selection asks for, with calendar dates: `form_types: 10-K; date_from: 2024-03-01`. */
export function selectionText({ select }: Pick<ExportDefinition, 'select'>, today: string): string {
  const { entities: _of, entity_lists: lists = {}, entity_query, fulltext, ...rest } = select;
  const asked = { ...datedFilters(rest, today), ...entity_query, ...fulltext };
  const words = Object.entries(asked).flatMap(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const shown = values.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).slice(0, VALUES_NAMED);
    return shown.length === 0 ? [] : [`${name}: ${shown.join(', ')}${values.length > shown.length ? ', ...' : ''}`];
  });
  for (const [kind, list] of Object.entries(lists)) if (list) words.push(`${kind} of ${list.file}`);
  return words.join('; ');
}

/** The same, with the caller's client. @throws errors of the client */
export async function rangeOf(client: FilingClient, { select }: ExportDefinition): Promise<string | null> {
  const end = async (sort_order: 'asc' | 'desc') => {
    const { value } = await client.filingLookup({ sort_by: 'filing_date', sort_order, from: 0, to: 1 });
    return value.filings[0]?.filing_date ?? null;
  };
  const [first, last] = [await end('asc'), await end('desc')];
  if (first === null || last === null) return first === last ? 'The service has no filings.' : null;
  const sentences = [
    `The service has filings from ${first} to ${last}${isOutside(select, first, last) ? ', none of them in the selected dates' : ''}.`,
  ];
  const forms = select.form_types ?? [];
  if (forms.length > 0) {
    const { value } = await client.filingLookup({ form_types: forms, from: 0, to: 1 });
    const named = `${forms.slice(0, FORMS_NAMED).join(', ')}${forms.length > FORMS_NAMED ? ', ...' : ''}`;
    sentences.push(value.filings.length === 0 ? `None of them is of form ${named}.` : `Some are of form ${named}.`);
  }
  const unknown = await unknownCompanies(client, select);
  if (unknown !== null) sentences.push(unknown);
  return sentences.join(' ');
}

/** A list of another column, such as GVKEYs, looks like CIKs that nobody knows. null: a company is known, or none is named */
async function unknownCompanies(client: FilingClient, select: ExportDefinition['select']): Promise<string | null> {
  const { listOfSelection, readListFile, VALUES_OF_A_WINDOW } = await import('../../pipeline/index.ts');
  const given = listOfSelection(select);
  const inline = (['ciks', 'tickers'] as const).find((kind) => (select.entity_query?.[kind]?.length ?? 0) > 0);
  const kind = given === null ? inline : given.kind;
  if (kind === undefined || kind === 'names') return null;
  const values = given === null ? select.entity_query![kind]! : (await readListFile(given.list, kind)).values;
  for (let at = 0; at < Math.min(values.length, VALUES_LOOKED_UP); at += VALUES_OF_A_WINDOW) {
    const some = values.slice(at, Math.min(at + VALUES_OF_A_WINDOW, VALUES_LOOKED_UP));
    const { value } = await client.entityLookup({ [kind]: some, from: 0, to: 1 });
    if (value.entities.length > 0) return null;
  }
  const some = values.slice(0, 3).join(', ');
  const word = kind === 'ciks' ? 'CIK' : 'ticker';
  if (values.length === 1) return `The service does not know the ${word} ${some}.`;
  const number = Math.min(values.length, VALUES_LOOKED_UP).toLocaleString('en-US');
  const which = values.length > VALUES_LOOKED_UP ? `first ${number}` : number;
  return `The service knows none of the ${which} ${word}s: ${some}${values.length > 3 ? ', ...' : ''}.`;
}

function isOutside({ date_from, date_to }: ExportDefinition['select'], first: string, last: string): boolean {
  const today = new Date().toISOString().slice(0, 10);
  const from = date_from === undefined ? null : resolveDate(date_from, today);
  const to = date_to === undefined ? null : resolveDate(date_to, today);
  return (from !== null && from > last) || (to !== null && to < first);
}
