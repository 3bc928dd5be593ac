/** filing_lookup: filters, orders, windows, types. */
import { type Check, type CheckContext, expectStatus, firstFault, may, must, need, Skipped } from '../check.ts';
import { type PublishedFiling, publishedFilings, typeFault } from '../published-types.ts';

type Filings = { count: number; filings: PublishedFiling[]; fault: string | null };

async function lookUp({ wire }: CheckContext, parameters: Record<string, unknown>): Promise<Filings> {
  const answer = await wire.ask('filing_lookup', parameters);
  const fault = firstFault(expectStatus(answer, 200), typeFault(publishedFilings, answer.json));
  const found = fault === null ? publishedFilings.parse(answer.json) : { count: 0, filings: [] };
  return { ...found, fault };
}

const numbersOf = (filings: readonly PublishedFiling[]) => filings.map((filing) => filing.accession_number);
const isAmendment = (form: string) => form.toUpperCase().endsWith('/A');

/** The filter finds the sample's filing, and nothing that doesn't match. */
function filterCheck(
  name: string,
  title: string,
  filterOf: (filing: PublishedFiling) => Record<string, unknown>,
  matches: (found: PublishedFiling, filing: PublishedFiling) => boolean,
): Check {
  return must(`filing_lookup.${name}`, title, async (context) => {
    const filing = need(context.sample.annual ?? context.sample.filings[0], 'filing');
    const filter = filterOf(filing);
    const { filings, fault } = await lookUp(context, { ...filter, to: 100 });
    if (fault !== null) return fault;
    if (filings.length === 0) return `nothing is found with ${JSON.stringify(filter)}`;
    const odd = filings.find((found) => !matches(found, filing));
    return odd ? `${JSON.stringify(filter)} also finds ${odd.accession_number} (${odd.form_type})` : null;
  });
}

/** What a sort field compares. Names: each service has its own collation, so only equal spellings are compared. */
const SORTED: Readonly<Record<string, (filing: PublishedFiling) => string | number | null>> = {
  filing_date: (filing) => filing.filing_date || null,
  acceptance_date_time: (filing) => filing.acceptance_datetime || null,
  form: (filing) => filing.form_type.toUpperCase(),
  size: (filing) => filing.size ?? null,
};

function orderFault(filings: readonly PublishedFiling[], field: string, order: 'asc' | 'desc'): string | null {
  const values = filings.map(SORTED[field]!).filter((value) => value !== null);
  const wrong = values.findIndex(
    (value, i) => i > 0 && (order === 'asc' ? value < values[i - 1]! : value > values[i - 1]!),
  );
  return wrong < 0 ? null : `${values[wrong]} comes after ${values[wrong - 1]}`;
}

/** Two windows of a query together are the whole of it. */
function windowCheck(id: string, sortBy: string, title: string): Check {
  return must(id, title, async (context) => {
    const query = { sort_by: sortBy, sort_order: 'asc' };
    const whole = await lookUp(context, { ...query, from: 0, to: 20 });
    const cut = Math.ceil(whole.filings.length / 2);
    const parts = [
      await lookUp(context, { ...query, from: 0, to: cut }),
      await lookUp(context, { ...query, from: cut, to: 20 }),
    ];
    const fault = firstFault(whole.fault, ...parts.map((part) => part.fault));
    const all = numbersOf(whole.filings);
    if (fault !== null || new Set(all).size < all.length) return fault ?? 'a filing is listed twice';
    const joined = parts.flatMap(({ filings }) => numbersOf(filings));
    return String(joined) === String(all) ? null : 'the windows differ from the whole';
  });
}

/** Whether two neighbours of one form, sorted down, are the wrong way round. */
function tieFault(before: PublishedFiling, after: PublishedFiling): boolean {
  if (before.form_type.toUpperCase() !== after.form_type.toUpperCase()) return false;
  const [earlier, later] = [after.acceptance_datetime, before.acceptance_datetime];
  if (!earlier || !later) return false;
  return earlier === later ? before.accession_number > after.accession_number : earlier > later;
}

const ENTITY_FILINGS_MAX = 1_000;

/** Two filters that exclude each other, and leave nothing out, find what the query without them finds. */
function divideCheck(
  name: string,
  title: string,
  halvesOf: (filing: PublishedFiling) => readonly [Record<string, unknown>, Record<string, unknown>],
): Check {
  return must(`filing_lookup.${name}-divide`, title, async (context) => {
    const filing = need(
      [context.sample.annual, ...context.sample.filings].find((known) => known?.cik && known.filing_date),
      'filing with a CIK and a date',
    );
    const query = { entity_query: { ciks: [filing.cik] }, to: ENTITY_FILINGS_MAX };
    const whole = await lookUp(context, query);
    if (whole.filings.length === ENTITY_FILINGS_MAX) throw new Skipped(`entity ${filing.cik} has too many filings`);
    const halves = await Array.fromAsync(halvesOf(filing), (half) => lookUp(context, { ...query, ...half }));
    const fault = firstFault(whole.fault, ...halves.map((half) => half.fault));
    const all = numbersOf(whole.filings).toSorted();
    const joined = halves.flatMap(({ filings }) => numbersOf(filings)).toSorted();
    if (fault !== null || String(joined) === String(all)) return fault;
    return `entity ${filing.cik} has ${all.length} filings, its two parts ${joined.length}`;
  });
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

export const FILING_CHECKS: readonly Check[] = [
  must(
    'filing_lookup.types',
    'filing_lookup answers {count, filings, truncated} in the published form',
    async (context) => {
      const { fault, filings } = await lookUp(context, { to: 20 });
      return fault ?? (filings.length > 20 ? `to=20 gives ${filings.length} filings` : null);
    },
  ),
  filterCheck(
    'form_types',
    'form_types finds only these forms, whole names',
    ({ form_type }) => ({ form_types: [form_type] }),
    (found, { form_type }) => found.form_type.toUpperCase() === form_type.toUpperCase(),
  ),
  filterCheck(
    'excluded_form_types',
    'excluded_form_types leaves these forms out',
    ({ form_type, filing_date }) => ({
      excluded_form_types: [form_type === '10-K' ? '8-K' : '10-K'],
      ...(filing_date ? { date_to: filing_date } : {}),
    }),
    (found, { form_type }) => found.form_type.toUpperCase() !== (form_type === '10-K' ? '8-K' : '10-K'),
  ),
  filterCheck(
    'exclude_amendments',
    'exclude_amendments leaves out forms that end in /A',
    () => ({ exclude_amendments: true }),
    (found) => !isAmendment(found.form_type),
  ),
  filterCheck(
    'dates',
    'date_from and date_to bound the filing date, both days included',
    ({ filing_date }) => ({ date_from: filing_date, date_to: filing_date }),
    (found, { filing_date }) => found.filing_date === filing_date,
  ),
  must('filing_lookup.entity_query', 'entity_query finds the filings of an entity', async (context) => {
    const filing = need(
      [context.sample.annual, ...context.sample.filings].find((known) => known?.cik),
      'filing with a CIK',
    );
    const { filings, fault } = await lookUp(context, {
      entity_query: { ciks: [filing.cik] },
      form_types: [filing.form_type],
      date_from: filing.filing_date,
      date_to: filing.filing_date,
    });
    const found = numbersOf(filings).includes(filing.accession_number);
    return fault ?? (found ? null : `${filing.accession_number} of entity ${filing.cik} is not found`);
  }),
  must('filing_lookup.items', 'items finds 8-Ks by item number', async (context) => {
    const { current, currentInfo } = context.sample;
    const item = need(currentInfo?.items_8k?.[0]?.item, '8-K with items');
    const { filings, fault } = await lookUp(context, {
      items: [item],
      date_from: current!.filing_date,
      date_to: current!.filing_date,
    });
    const odd = filings.find((filing) => !/^8-K/i.test(filing.form_type));
    if (fault !== null || odd) return fault ?? `item ${item} also finds a ${odd!.form_type}`;
    return numbersOf(filings).includes(current!.accession_number)
      ? null
      : `${current!.accession_number} is not found by its item ${item}`;
  }),
  ...Object.keys(SORTED).flatMap((field) =>
    (['asc', 'desc'] as const).map(
      (order): Check =>
        must(
          `filing_lookup.sort.${field}.${order}`,
          `sort_by=${field} with sort_order=${order} sorts so`,
          async (context) => {
            const { filings, fault } = await lookUp(context, { sort_by: field, sort_order: order, to: 60 });
            return fault ?? orderFault(filings, field, order);
          },
        ),
    ),
  ),
  must(
    'filing_lookup.sort.entity_name',
    'sort_by=entity_name is accepted',
    async (context) => (await lookUp(context, { sort_by: 'entity_name', sort_order: 'asc', to: 5 })).fault,
  ),
  must('filing_lookup.sort.default', 'sort_order is desc by default', async (context) => {
    const { filings, fault } = await lookUp(context, { sort_by: 'filing_date', to: 60 });
    return fault ?? orderFault(filings, 'filing_date', 'desc');
  }),
  windowCheck(
    'filing_lookup.window',
    'filing_date',
    'windows of one query are parts of one list: no filing twice, none left out',
  ),
  windowCheck(
    'filing_lookup.window-of-equals',
    'form',
    'the order is the same in each answer, also of filings with equal values',
  ),
  may(
    'filing_lookup.sort.ties',
    'equal values are sorted by acceptance time in the same order, then by accession number',
    async (context) => {
      const { filings, fault } = await lookUp(context, { sort_by: 'form', sort_order: 'desc', to: 60 });
      const wrong = filings.find((filing, i) => i > 0 && tieFault(filings[i - 1]!, filing));
      return fault ?? (wrong ? `${wrong.accession_number} comes too late` : null);
    },
  ),
  divideCheck(
    'forms',
    'form_types and excluded_form_types divide the filings of an entity: none is lost',
    ({ form_type }) => [{ form_types: [form_type] }, { excluded_form_types: [form_type] }],
  ),
  divideCheck('dates', 'date_to and date_from divide the filings of an entity: none is lost', ({ filing_date }) => [
    { date_to: need(filing_date, 'filing with a date') },
    { date_from: dayAfter(filing_date!) },
  ]),
  may('filing_lookup.count-only', 'from=0 with to=0 gives the count and no filings', async (context) => {
    const { filings, count, fault } = await lookUp(context, { from: 0, to: 0 });
    return fault ?? (filings.length === 0 && count > 0 ? null : `count ${count} with ${filings.length} filings`);
  }),
  may('filing_lookup.count-of-all', 'count is the number of all matches, whatever the window', async (context) => {
    const [one, more] = [await lookUp(context, { to: 1 }), await lookUp(context, { to: 3 })];
    return firstFault(one.fault, more.fault, one.count === more.count ? null : `${one.count}, then ${more.count}`);
  }),
];
