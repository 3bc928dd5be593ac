/** Pages of a lookup: the count, whether the page was cut short, and how it fits to the next. */
import { type Check, type CheckContext, expectStatus, firstFault, may, must, need } from '../check.ts';
import { publishedEntities, publishedFilings, typeFault } from '../published-types.ts';

interface Page {
  count: number;
  truncated: boolean;
  /** What names each record: accession numbers or CIKs */
  ids: string[];
  fault: string | null;
}

interface Lookup {
  operation: 'entity_lookup' | 'filing_lookup';
  /** All records */
  everything: Record<string, unknown>;
  /** A query that few records match */
  fewOf(context: CheckContext): Record<string, unknown>;
  /** `to` if it is left out */
  defaultEnd: number;
  idsOf(json: unknown): Pick<Page, 'count' | 'truncated' | 'ids'>;
  schema: typeof publishedEntities | typeof publishedFilings;
}

const ENTITY_LOOKUP: Lookup = {
  operation: 'entity_lookup',
  everything: { entity_types: ['OPERATING', 'INVESTMENT', 'OTHER'] },
  fewOf: ({ sample }) => ({ ciks: [need(sample.entity, 'entity').cik] }),
  defaultEnd: 100,
  idsOf(json) {
    const { count, truncated, entities } = publishedEntities.parse(json);
    return { count, truncated, ids: entities.map(({ cik }) => cik) };
  },
  schema: publishedEntities,
};

const FILING_LOOKUP: Lookup = {
  operation: 'filing_lookup',
  everything: {},
  fewOf({ sample }) {
    const { cik, form_type, filing_date } = need(
      sample.filings.find((filing) => filing.cik && filing.filing_date),
      'filing with a CIK and a date',
    );
    return { entity_query: { ciks: [cik] }, form_types: [form_type], date_from: filing_date, date_to: filing_date };
  },
  defaultEnd: 10_000,
  idsOf(json) {
    const { count, truncated, filings } = publishedFilings.parse(json);
    return { count, truncated, ids: filings.map(({ accession_number }) => accession_number) };
  },
  schema: publishedFilings,
};

async function pageOf(
  { wire }: CheckContext,
  { operation, schema, idsOf }: Lookup,
  parameters: Record<string, unknown>,
): Promise<Page> {
  const answer = await wire.ask(operation, parameters);
  const fault = firstFault(expectStatus(answer, 200), typeFault(schema, answer.json));
  return { ...(fault === null ? idsOf(answer.json) : { count: 0, truncated: false, ids: [] }), fault };
}

/** What contradicts itself in a page of the positions `from` to `to`. `count` may mean all matches, or those of the page. */
function pageFault({ count, truncated, ids, fault }: Page, from: number, to: number): string | null {
  if (fault !== null) return fault;
  const given = ids.length;
  if (given > to - from) return `from=${from} to=${to} gives ${given} records`;
  if (!Number.isInteger(count) || count < given) return `count is ${count}, with ${given} records`;
  const [repeated] = ids.filter((id, i) => ids.indexOf(id) < i);
  if (repeated) return `${repeated} is listed twice`;
  if (truncated || given === to - from || count <= from + given) return null;
  return `count is ${count}, but from=${from} to=${to} gives only ${given} records, and truncated is false`;
}

const WINDOWS = [
  [0, 20],
  [3, 9],
] as const;

function pageChecks(lookup: Lookup): Check[] {
  const { operation, everything, defaultEnd } = lookup;
  return [
    must(`${operation}.page`, 'count, truncated and the records of a page agree', async (context) => {
      for (const [from, to] of WINDOWS) {
        const page = await pageOf(context, lookup, { ...everything, from, to });
        const fault = pageFault(page, from, to);
        if (fault !== null) return fault;
        const end = from + page.ids.length;
        if (end === to) continue;
        const next = await pageOf(context, lookup, { ...everything, from: end, to: end + 1 });
        if (next.fault !== null) return next.fault;
        const isMore = next.ids.length > 0;
        if (isMore !== page.truncated) {
          return `from=${from} to=${to} ends at ${end} with truncated ${page.truncated}, and from=${end} gives ${next.ids.length} records`;
        }
      }
      return null;
    }),
    must(`${operation}.count`, 'count is the number of records if one answer has them all', async (context) => {
      const { count, truncated, ids, fault } = await pageOf(context, lookup, { ...lookup.fewOf(context), to: 1_000 });
      if (fault !== null || truncated) return fault;
      return count === ids.length ? null : `count is ${count}, with ${ids.length} records`;
    }),
    must(
      `${operation}.default-end`,
      `to is ${defaultEnd.toLocaleString('en-US')} if it is left out`,
      async (context) => {
        const from = defaultEnd - 10;
        const page = await pageOf(context, lookup, { ...everything, from });
        return pageFault(page, from, defaultEnd);
      },
    ),
    may(
      `${operation}.truncated-only-if-cut`,
      'truncated is false if a page has every position asked for',
      async (context) => {
        const { truncated, ids, fault } = await pageOf(context, lookup, { ...everything, from: 0, to: 1 });
        return fault ?? (truncated && ids.length === 1 ? 'truncated is true' : null);
      },
    ),
  ];
}

export const PAGE_CHECKS: readonly Check[] = [...pageChecks(ENTITY_LOOKUP), ...pageChecks(FILING_LOOKUP)];
