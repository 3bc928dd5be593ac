/** Entity and filing filters (docs/api.md#filters) as conditions over the catalog's tables. */
import { FilinglakeError } from '../../../core/index.ts';
import { type EntityFilter, type FilingLookupParameters, normalTicker } from '../../../filings/api/index.ts';
import type { CountKind, Days } from '../counts/index.ts';
import { FILINGS_A_DAY, interruptible } from '../store/schema.ts';
import { Conditions, given, type Statements } from './statements.ts';

/** Names compare without regard to case: by their upper-case form, composed. Also the key that names sort by. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toUpperCase();
}

/** Form types, document types, states compare without regard to case. */
export function codeKey(code: string): string {
  return code.trim().toUpperCase();
}

/** SIC codes have four digits; headers and people leave out leading zeros. */
export function sicKey(sic: string): string {
  return sic.trim().padStart(4, '0');
}

/** `Item 2.02` is read as `2.02`. */
export function itemKey(item: string): string {
  return item
    .trim()
    .replace(/^item\s*/i, '')
    .replace(/\.$/, '');
}

/** Whether any member of the filter narrows the search: an empty array is not a filter. */
function hasEntityFilter(filter: EntityFilter): boolean {
  return Object.values(filter).some((values) => Array.isArray(values) && values.length > 0);
}

/** Conditions on a row `e` of entities. @throws FilinglakeError `entity-filter-missing` if the filter is empty, `search-too-wide` */
export function entityConditions(filter: EntityFilter, statements: Statements): Conditions {
  if (!hasEntityFilter(filter)) throw new FilinglakeError('entity-filter-missing', 'entity filter is required');
  const where = new Conditions();
  if (given(filter.ciks)) where.anyOf('e.cik', filter.ciks.map(Number));
  if (given(filter.tickers)) {
    const tickers = filter.tickers.map(normalTicker);
    where.add(
      'e.cik IN (SELECT cik FROM entity_tickers WHERE ticker IN (SELECT value FROM json_each(?)))',
      JSON.stringify(tickers),
    );
  }
  if (given(filter.exchanges)) {
    const exchanges = filter.exchanges.map(codeKey);
    where.add(
      'e.cik IN (SELECT cik FROM entity_exchanges WHERE exchange IN (SELECT value FROM json_each(?)))',
      JSON.stringify(exchanges),
    );
  }
  if (given(filter.sics)) where.anyOf('e.sic', filter.sics.map(sicKey));
  if (given(filter.states)) where.anyOf('e.state', filter.states.map(codeKey));
  if (given(filter.entity_types)) where.anyOf('e.entity_type', filter.entity_types);
  if (!given(filter.name_includes) && !given(filter.name_excludes)) return where;
  addNameConditions(where, filter, statements);
  // Names cost the most: they are compared once for all statements of a request, and for the pages that follow.
  const list = statements.list(`SELECT e.cik FROM entities e WHERE ${where.interruptibleSql('e.cik')}`, where.values);
  return new Conditions().add(`e.cik IN (${list.sql})`, list.value);
}

/** Comparisons of a part of a name with a name, at most: some 20 s. Beyond, a search could not end in time. */
const NAME_COMPARISONS_MAX = 50_000_000;

/** @throws FilinglakeError `search-too-wide`, before anything runs */
function requireFewComparisons(filter: EntityFilter, statements: Statements): void {
  const { name_includes = [], name_excludes = [], ...others } = filter;
  const parts = name_includes.length + name_excludes.length;
  // Any other member is tested first, and leaves few names.
  if (parts <= SINGLE_PARTS_MAX || hasEntityFilter(others)) return;
  const entities = statements.count('SELECT count(*) FROM entities', []);
  const most = Math.floor(NAME_COMPARISONS_MAX / entities);
  if (parts <= most) return;
  throw new FilinglakeError(
    'search-too-wide',
    `name_includes and name_excludes have ${parts} parts of names: without another filter, ${Math.max(SINGLE_PARTS_MAX, most)} are the most over ${entities} entities`,
  );
}

/** All names go as one JSON array: a condition for each would pass the depth that SQLite allows an expression. */
function addNameConditions(where: Conditions, filter: EntityFilter, statements: Statements): void {
  requireFewComparisons(filter, statements);
  if (given(filter.name_includes)) {
    const keys = filter.name_includes.map(nameKey);
    const candidates = trigramQuery(keys);
    // The index narrows the search. The condition below decides.
    if (candidates !== null) {
      where.add('e.cik IN (SELECT rowid FROM entity_names WHERE entity_names MATCH ?)', candidates);
    }
    where.add('e.name_key IS NOT NULL');
    // A condition for each costs a fifth of the array, which has no limit.
    if (keys.length <= SINGLE_PARTS_MAX) for (const key of keys) where.add('instr(e.name_key, ?) > 0', key);
    else
      where.add('NOT EXISTS (SELECT 1 FROM json_each(?) i WHERE instr(e.name_key, i.value) = 0)', JSON.stringify(keys));
  }
  if (given(filter.name_excludes)) {
    const parts = JSON.stringify(filter.name_excludes.map(nameKey));
    where.add("NOT EXISTS (SELECT 1 FROM json_each(?) x WHERE instr(ifnull(e.name_key, ''), x.value) > 0)", parts);
  }
}

/** Parts that get a condition each. SQLite limits the depth of an expression. */
const SINGLE_PARTS_MAX = 8;

/** Beyond, more parts narrow the search no further. */
const INDEXED_PARTS_MAX = 8;

/** The longest parts as phrases of FTS5; null: all are too short for the index. */
function trigramQuery(keys: readonly string[]): string | null {
  const indexed = [...new Set(keys)].filter((key) => [...key].length >= 3 && !key.includes('\0'));
  if (indexed.length === 0) return null;
  const longest = indexed.sort((a, b) => b.length - a.length).slice(0, INDEXED_PARTS_MAX);
  return longest.map((key) => `"${key.replaceAll('"', '""')}"`).join(' AND ');
}

type FilingFilter = Pick<
  FilingLookupParameters,
  'entity_query' | 'form_types' | 'excluded_form_types' | 'exclude_amendments' | 'items' | 'date_from' | 'date_to'
> & { ciks?: EntityFilter['ciks'] };

/**
 * Conditions on a row `f` of filings.
 * @param days the caller reads these filing dates alone: then lists of filings have no others
 * @throws FilinglakeError `entity-filter-missing` for an empty `entity_query`
 */
export function filingConditions(filter: FilingFilter, statements: Statements, days: Days | null = null): Conditions {
  const where = new Conditions();
  if (given(filter.form_types)) where.anyOf('f.form_key', filter.form_types.map(codeKey));
  if (given(filter.excluded_form_types)) where.noneOf('f.form_key', filter.excluded_form_types.map(codeKey));
  if (filter.exclude_amendments) where.add('f.amendment = 0');
  if (filter.date_from !== undefined) where.add('f.filing_date >= ?', filter.date_from);
  if (filter.date_to !== undefined) where.add('f.filing_date <= ?', filter.date_to);
  const of = ofDays(days);
  if (given(filter.items)) {
    where.add(
      `f.id IN (SELECT filing FROM filing_items WHERE item IN (SELECT value FROM json_each(?))${of.sql})`,
      JSON.stringify(filter.items.map(itemKey)),
      ...of.values,
    );
  }
  if (given(filter.ciks)) {
    where.add(
      `f.id IN (SELECT filing FROM filing_parties WHERE cik IN (SELECT value FROM json_each(?))${of.sql})`,
      JSON.stringify(filter.ciks.map(Number)),
      ...of.values,
    );
  }
  if (filter.entity_query !== undefined) addEntityQuery(where, filter.entity_query, statements, of);
  return where;
}

interface OfDays {
  sql: string;
  values: number[];
}

function ofDays(days: Days | null): OfDays {
  if (days === null) return { sql: '', values: [] };
  return { sql: ' AND filing BETWEEN ? AND ?', values: [days.from * FILINGS_A_DAY, (days.to + 1) * FILINGS_A_DAY - 1] };
}

/** An entity's existence is part of each kind. */
const KINDS: Record<keyof EntityFilter, CountKind> = {
  ciks: 'type',
  entity_types: 'type',
  tickers: 'tickers',
  exchanges: 'exchanges',
  sics: 'sic',
  states: 'state',
  name_includes: 'name',
  name_excludes: 'name',
};

/** What a count of filings with this filter depends on. */
export function countKinds({ entity_query = {} }: FilingFilter): Set<CountKind> {
  const members = (Object.keys(entity_query) as (keyof EntityFilter)[]).filter((member) => given(entity_query[member]));
  return new Set<CountKind>(['filings', ...members.map((member) => KINDS[member])]);
}

const OF_A_PAGE = new Set(['api_key', 'query', 'query_type', 'sort_by', 'sort_order', 'from', 'to', 'include_text']);

/** Equal for requests that differ at most in the query, and in which of the found rows they get. */
export function filterText(parameters: FilingFilter): string {
  return JSON.stringify(parameters, (name, value: unknown) => (OF_A_PAGE.has(name) ? undefined : value));
}

/** Companies whose filings are counted faster than ranges of days. */
const FEW_ENTITIES = 20;

export function isOfFewEntities({ entity_query }: FilingFilter): boolean {
  return [entity_query?.ciks, entity_query?.tickers].some((list) => given(list) && list.length <= FEW_ENTITIES);
}

/** Entities beyond which a filter is broad, and those beyond which a list of them takes longer than to test each party. */
const [BROAD_ENTITIES, LISTED_ENTITIES] = [1_000, 50_000];

/**
 * A filing belongs to every party in its header. A narrow filter starts from its entities' filings. A broad one (a state, an entity
 * type) is tested for each filing along the sort index: 12 ms a page instead of 290 over 200,000 filings. Its entities are found once,
 * not for each filing again: 100 names over 500,000 filings cost 1.2 s instead of 11. The plus keeps SQLite from starting at each of
 * the entities. Only of very many, that list takes longer than a page: 35 ms for a state of 400,000 entities.
 */
function addEntityQuery(where: Conditions, filter: EntityFilter, statements: Statements, of: OfDays): void {
  const entity = entityConditions(filter, statements);
  const isNarrow = given(filter.ciks) && filter.ciks.length <= BROAD_ENTITIES;
  const matching = isNarrow ? 0 : entitiesOf(entity, statements);
  const ciks = `SELECT e.cik FROM entities e WHERE ${entity.interruptibleSql('e.cik')}`;
  // Names have a list that is kept.
  const isTested = matching > LISTED_ENTITIES && !given(filter.name_includes) && !given(filter.name_excludes);
  const clause = isTested
    ? `EXISTS (SELECT 1 FROM filing_parties p CROSS JOIN entities e ON e.cik = p.cik WHERE p.filing = f.id AND ${entity.sql})`
    : matching > BROAD_ENTITIES
      ? `EXISTS (SELECT 1 FROM filing_parties p WHERE p.filing = f.id AND +p.cik IN (${ciks}))`
      : `f.id IN (SELECT filing FROM filing_parties WHERE ${interruptible('filing')} AND cik IN (${ciks})${of.sql})`;
  where.add(clause, ...entity.values, ...(matching > BROAD_ENTITIES ? [] : of.values));
}

/** How many entities a filter leaves, as far as that matters. */
function entitiesOf(entity: Conditions, statements: Statements): number {
  return statements.count(
    `SELECT count(*) FROM (SELECT 1 FROM entities e WHERE ${entity.interruptibleSql('e.cik')} LIMIT ${LISTED_ENTITIES + 1})`,
    entity.values,
  );
}
