/** entity_lookup: filters, windows, types. */
import { type Check, type CheckContext, expectStatus, firstFault, may, must, need, Skipped } from '../check.ts';
import { type PublishedEntity, publishedEntities, publishedError, typeFault } from '../published-types.ts';

type Entities = { count: number; entities: PublishedEntity[]; fault: string | null };

async function lookUp({ wire }: CheckContext, parameters: Record<string, unknown>): Promise<Entities> {
  const answer = await wire.ask('entity_lookup', parameters);
  const fault = firstFault(expectStatus(answer, 200), typeFault(publishedEntities, answer.json));
  const found = fault === null ? publishedEntities.parse(answer.json) : { count: 0, entities: [] };
  return { ...found, fault };
}

/** A filter by a value of the sample's entity: it is found, and all that is found has this value. */
function filterCheck(
  name: string,
  title: string,
  filterOf: (entity: PublishedEntity) => Record<string, unknown> | null,
  matches: (found: PublishedEntity, entity: PublishedEntity) => boolean,
): Check {
  return must(`entity_lookup.${name}`, title, async (context) => {
    const entity = need(context.sample.entity, 'entity');
    const filter = filterOf(entity);
    if (filter === null) throw new Skipped(`entity ${entity.cik} has no value for it`);
    const { entities, fault } = await lookUp(context, { ...filter, to: 50 });
    if (fault !== null) return fault;
    if (entities.length === 0) return `nothing is found with ${JSON.stringify(filter)}`;
    const odd = entities.find((found) => !matches(found, entity));
    return odd ? `${JSON.stringify(filter)} also finds ${odd.cik} (${odd.name})` : null;
  });
}

const upper = (text: string | null | undefined) => (text ?? '').toUpperCase();
const firstWord = (name: string | null | undefined) => /[A-Za-z]{3,}/.exec(name ?? '')?.[0] ?? null;

export const ENTITY_CHECKS: readonly Check[] = [
  must(
    'entity_lookup.filter-required',
    "without a filter, entity_lookup answers 400 'entity filter is required'",
    async ({ wire }) => {
      const answer = await wire.ask('entity_lookup', {});
      const fault = firstFault(expectStatus(answer, 400), typeFault(publishedError, answer.json));
      return fault ?? (/entity filter/i.test(answer.text) ? null : `the message is ${answer.text.slice(0, 120)}`);
    },
  ),
  filterCheck(
    'ciks',
    'ciks finds exactly the entities named, in the published form',
    ({ cik }) => ({ ciks: [cik] }),
    (found, entity) => found.cik === entity.cik,
  ),
  filterCheck(
    'tickers',
    'tickers finds entities with one of these tickers',
    ({ tickers }) => (tickers?.[0] ? { tickers: [tickers[0]] } : null),
    (found, entity) => (found.tickers ?? []).some((ticker) => upper(ticker) === upper(entity.tickers![0])),
  ),
  filterCheck(
    'name_includes',
    'name_includes finds names that have the text',
    ({ name }) => (firstWord(name) ? { name_includes: [firstWord(name)] } : null),
    (found, entity) => upper(found.name).includes(upper(firstWord(entity.name))),
  ),
  filterCheck(
    'exchanges',
    'exchanges finds entities listed on one of these',
    ({ exchanges }) => (exchanges?.[0] ? { exchanges: [upper(exchanges[0])] } : null),
    (found, entity) => (found.exchanges ?? []).some((exchange) => upper(exchange) === upper(entity.exchanges![0])),
  ),
  filterCheck(
    'sics',
    'sics finds entities with this SIC code',
    ({ sic }) => (sic ? { sics: [sic] } : null),
    (found, entity) => Number(found.sic) === Number(entity.sic),
  ),
  filterCheck(
    'states',
    'states finds entities by their state of incorporation',
    ({ state_of_incorporation: state }) => (state ? { states: [state] } : null),
    (found, entity) => upper(found.state_of_incorporation) === upper(entity.state_of_incorporation),
  ),
  filterCheck(
    'entity_types',
    'entity_types finds entities of this type',
    ({ entity_type }) => (entity_type ? { entity_types: [entity_type] } : null),
    (found, entity) => found.entity_type === entity.entity_type,
  ),
  must('entity_lookup.name_excludes', 'name_excludes leaves out names that have the text', async (context) => {
    const entity = need(context.sample.entity, 'entity');
    const word = need(firstWord(entity.name), 'entity with a word in its name');
    const { entities, fault } = await lookUp(context, { ciks: [entity.cik], name_excludes: [word] });
    return fault ?? (entities.length === 0 ? null : `${entities[0]!.name} is found, though it has '${word}'`);
  }),
  must(
    'entity_lookup.single-value',
    'a single value in the query string means the same as an array of one in the body',
    async (context) => {
      const { cik } = need(context.sample.entity, 'entity');
      const alone = await lookUp(context, { ciks: cik });
      const array = await lookUp(context, { ciks: [cik] });
      const same = JSON.stringify(alone.entities) === JSON.stringify(array.entities);
      return firstFault(alone.fault, array.fault, same ? null : 'the answers differ');
    },
  ),
  must(
    'entity_lookup.window',
    'from and to give the entities of a window, and 10,000 is accepted as the end',
    async (context) => {
      const filter = { entity_types: ['OPERATING', 'INVESTMENT', 'OTHER'] };
      const whole = await lookUp(context, { ...filter, from: 0, to: 4 });
      const second = await lookUp(context, { ...filter, from: 2, to: 4 });
      const last = await lookUp(context, { ...filter, from: 9_999, to: 10_000 });
      const fault = firstFault(whole.fault, second.fault, last.fault);
      if (fault !== null) return fault;
      if (whole.entities.length > 4) return `to=4 gives ${whole.entities.length} entities`;
      const expected = whole.entities.slice(2).map((entity) => entity.cik);
      const given = second.entities.map((entity) => entity.cik);
      return String(expected) === String(given) ? null : `from=2 gives ${given}, not ${expected}`;
    },
  ),
  may('entity_lookup.order', 'entities are sorted by CIK, as a number', async (context) => {
    const { entities, fault } = await lookUp(context, { entity_types: ['OPERATING', 'INVESTMENT', 'OTHER'], to: 50 });
    const wrong = entities.findIndex(({ cik }, i) => i > 0 && Number(cik) < Number(entities[i - 1]!.cik));
    return fault ?? (wrong < 0 ? null : `${entities[wrong]!.cik} comes after ${entities[wrong - 1]!.cik}`);
  }),
  may('entity_lookup.beyond-window', 'a position beyond 10,000 is refused with 400', async ({ wire }) =>
    expectStatus(await wire.ask('entity_lookup', { states: ['DE'], to: 10_001 }), 400),
  ),
];
