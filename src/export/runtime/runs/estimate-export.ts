/** The input of an estimate: one lookup of the selection, or its list, and the lake's rows of it. */
import { counted, quoteText } from '../../../core/index.ts';
import type { Filing } from '../../../filings/api/index.ts';
import { type Lake, openLakeIfThere } from '../../../lake/index.ts';
import { FilingClient, type Quota, RequestCounter } from '../../client/index.ts';
import type { ExportDefinition, FilingFilters, FulltextQuery, NumbersFile } from '../../definition/index.ts';
import {
  type ExportPlan,
  type ListedFiling,
  matchesOf,
  type PlanPage,
  type PlanPart,
  type PlanQuota,
  pagesOf,
  planEntities,
  planListed,
  planLookup,
  planSampleSize,
  scaleOf,
  wholePlan,
} from '../../estimate/index.ts';
import {
  type CompanyOfFilings,
  Coverage,
  filingsInLake,
  pendingCompanies,
  readListFile,
  takeFiling,
} from '../../pipeline/index.ts';
import { isRefreshed } from '../../steps/index.ts';
import { datedFilters, firstWindows, isEmptyRange } from '../../windows/index.ts';
import { someOfLists } from './estimate-list.ts';
import { rangeOf } from './service-range.ts';

interface PlanRequest {
  definition: ExportDefinition;
  apiKey: string;
  /** Address of the service; absent: `base_url` of the definition */
  address?: string;
  /** Absolute folder or URL; need not exist */
  lake: string;
  /** Filings to examine; null: `planSampleSize` */
  sample: number | null;
  signal: AbortSignal;
}

export interface PlannedExport extends ExportPlan {
  /** The cost of the estimate. */
  spent: { requests: number; bytes: number };
  quota: PlanQuota | null;
  /** Requests a second of the lake's earlier runs at this service; null without such runs */
  requests_per_second: number | null;
}

/** Entities to examine: their lookup states their number. */
const ENTITIES_LOOKED_AT = 100;
/** Only runs that are long enough for a rate. */
const RATE_REQUESTS_MIN = 20;

/** @throws errors of the client; FilinglakeError of the lake */
export async function planOf(request: PlanRequest): Promise<PlannedExport> {
  const { definition, apiKey, signal } = request;
  const requests = new RequestCounter();
  const { base_url, method, key } = definition.service;
  let quota: Quota | null = null;
  await using client = new FilingClient({
    baseUrl: request.address ?? base_url,
    apiKey,
    ...(key && { key }),
    method,
    signal,
    beforeRequest: () => requests.sent(),
    onRequest: (event) => {
      requests.answered(event);
      quota = event.quota ?? quota;
    },
  });
  await using lake = await openLakeIfThere(request.lake);
  const question: Question = { ...request, client, lake, today: new Date().toISOString().slice(0, 10) };
  const parts: PlanPart[] = [];
  let entities: number | null = null;
  if (definition.select.entities === 'query') {
    const asked = planEntities(definition, await entityPages(question));
    entities = asked.entities;
    parts.push(asked.part);
  }
  if (definition.tables.includes('filings')) {
    const part = await planFilings(question);
    const isLookedUp = definition.select.accession_numbers === undefined;
    const range = part.filings === 0 && isLookedUp ? await rangeOf(client, definition) : null;
    parts.push(range === null ? part : { ...part, notes: [...part.notes, range] });
  }
  const requestsPerSecond = lake === null ? null : await rateOf(lake, base_url);
  const said = planQuota(quota);
  const plan = wholePlan(definition, parts, { quota: said, requestsPerSecond, entities });
  const { requests: sent, bytes } = requests.total;
  return { ...plan, spent: { requests: sent, bytes }, quota: said, requests_per_second: requestsPerSecond };
}

interface Question extends Omit<PlanRequest, 'lake'> {
  client: FilingClient;
  /** null: the place has no lake, and none is created */
  lake: Lake | null;
  /** `YYYY-MM-DD`, the day for relative dates */
  today: string;
}

/** A page of each entity lookup, large enough to show the size of records. */
async function entityPages({ client, definition, today }: Question): Promise<PlanPage[]> {
  const pages: PlanPage[] = [];
  for (const { of, filter } of firstWindows(definition, today)) {
    if (of !== 'entities') continue;
    const asked = ENTITIES_LOOKED_AT;
    pages.push(pageOf(await client.entityLookup({ ...filter.entity_query, from: 0, to: asked }), asked, 1));
  }
  return pages;
}

function pageOf(
  { value, bytes }: { value: Omit<PlanPage, 'asked' | 'bytes'>; bytes: number },
  asked: number,
  scale: number,
): PlanPage {
  const { received, truncated, count } = value;
  return { asked, received, bytes, truncated, count: count === null ? null : Math.round(count * scale) };
}

async function planFilings(question: Question): Promise<PlanPart> {
  const { definition, today } = question;
  const { accession_numbers, fulltext, entities: _entities, entity_lists, ...rest } = definition.select;
  const filters = datedFilters(rest, today);
  if (accession_numbers !== undefined) {
    const numbers = await numbersOf(accession_numbers);
    const given = numbers.map((accession_number) => ({ accession_number, form_type: null, cik: null }));
    return planGiven(question, given, 1);
  }
  if (isEmptyRange(filters)) {
    const notes = [`no day is from ${filters.date_from} to ${filters.date_to}`];
    return { ...NO_FILINGS, whole: true, steps: [], notes };
  }
  const { filter, scale, step, notes } = await someOfLists(question.client, filters, entity_lists);
  if (filter === null) return { ...NO_FILINGS, whole: scale === 1, steps: [step!], notes };
  const part = await (fulltext ? planHits(question, filter, fulltext, scale) : planLookedUp(question, filter, scale));
  // Nothing is known of the other companies, so even a count of 0 is not exact.
  return {
    ...part,
    whole: part.whole && scale === 1,
    steps: [...(step === null ? [] : [step]), ...part.steps],
    notes: [...notes, ...part.notes],
  };
}

const NO_FILINGS = { filings: 0, sampled: 0, known: 0, older: 0, requests_more: 0 };

/** @param scale factor from the filings that match to all selected ones */
async function planLookedUp(question: Question, filters: FilingFilters, scale: number): Promise<PlanPart> {
  const { client, definition, sample, lake, today } = question;
  const asked = sample ?? planSampleSize(definition);
  // By name: this mixes years and forms, and a company's filings are together, so that companies are counted correctly.
  const order = { sort_by: 'entity_name', sort_order: 'asc', from: 0, to: asked } as const;
  const answer = await client.filingLookup({ ...filters, ...order });
  const { filings } = answer.value;
  const numbers = filings.map(({ accession_number }) => accession_number);
  return planLookup({
    definition,
    today,
    filings,
    page: pageOf(answer, asked, scale),
    covered: lake === null ? new Map() : await Coverage.of(lake, numbers),
    knownCiks: await knownCiks(question, filings),
  });
}

async function planGiven(
  question: Question,
  given: readonly Omit<ListedFiling, 'known'>[],
  scale: number,
): Promise<PlanPart> {
  const { definition, lake, today } = question;
  const numbers = given.map(({ accession_number }) => accession_number);
  const coverage = lake && (await Coverage.of(lake, numbers));
  const isStored = (number: string) => coverage?.get(number).has('filing') ?? false;
  const stored = lake && (await filingsInLake(lake, numbers.filter(isStored)));
  const filings = given.map((listed): ListedFiling => {
    const filing = stored?.get(listed.accession_number);
    const known = filing && coverage ? { filing, covered: coverage.get(listed.accession_number) } : null;
    return { ...listed, known, cik: filing?.cik ?? listed.cik };
  });
  const companies = filings.map(({ known, cik }) => ({ entity_name: null, filing_date: null, ...known?.filing, cik }));
  return planListed({ definition, filings, scale, today, knownCiks: await knownCiks(question, companies) });
}

async function planHits(
  question: Question,
  filters: FilingFilters,
  fulltext: FulltextQuery,
  listScale: number,
): Promise<PlanPart> {
  const { client, definition, sample } = question;
  const asked = sample ?? planSampleSize(definition);
  const order = { sort_by: 'filing_date', sort_order: 'asc', from: 0, to: asked } as const;
  const answer = await client.fulltextSearch({ ...fulltext, ...filters, ...order });
  const page = pageOf(answer, asked, listScale);
  const first = new Map(answer.value.hits.map((hit) => [hit.accession_number, hit]));
  const given = [...first.values()].map(({ accession_number, form_type, ciks }) => {
    return { accession_number, form_type, cik: ciks[0] ?? null };
  });
  const { whole, scale } = scaleOf(page);
  const part = await planGiven(question, given, scale);
  const matches = matchesOf(page);
  const requests = pagesOf(definition, matches ?? page.received, page);
  const note =
    matches === null
      ? 'the service does not state how many hits there are: these numbers are a minimum'
      : `scaled from ${page.received.toLocaleString('en-US')} of ${counted(matches, 'hit')}, the oldest`;
  return {
    ...part,
    filings: matches === null ? null : part.filings,
    whole: part.whole && whole,
    steps: [{ step: 'fulltext_search', tables: [], requests, bytes: Math.round(page.bytes * scale) }, ...part.steps],
    notes: [...(whole ? [] : [note]), ...part.notes],
  };
}

async function numbersOf(given: string[] | NumbersFile): Promise<readonly string[]> {
  if (Array.isArray(given)) return given;
  return (await readListFile(given, 'accession_numbers')).values;
}

/** CIKs whose entities are not requested. */
async function knownCiks(
  { lake, definition, today }: Pick<Question, 'lake' | 'definition' | 'today'>,
  filings: readonly Pick<Filing, 'cik' | 'entity_name' | 'filing_date'>[],
): Promise<Set<string>> {
  if (lake === null) return new Set();
  const companies = new Map<string, CompanyOfFilings>();
  for (const filing of filings) takeFiling(companies, filing, { isRefreshed: isRefreshed(definition, filing, today) });
  const pending = await pendingCompanies(lake, companies, { definition });
  return new Set(companies.keys()).difference(new Set(pending.map(({ cik }) => cik)));
}

/** The best rate of the last runs: others may have waited for quota, or for a person. */
async function rateOf(lake: Lake, service: string): Promise<number | null> {
  const [row] = await lake.query(
    `SELECT max(requests / greatest(epoch(ended_at) - epoch(started_at), 0.001)) AS rate FROM (
       SELECT requests, started_at, ended_at FROM export_runs
       WHERE service = ${quoteText(service)} AND requests >= ${RATE_REQUESTS_MIN}
       ORDER BY ended_at DESC LIMIT 5)`,
  );
  return row?.rate === null || row?.rate === undefined ? null : Number(row.rate);
}

function planQuota(quota: Quota | null): PlanQuota | null {
  if (quota === null) return null;
  return {
    requests_left: quota.requests?.remaining ?? null,
    bytes_left: quota.bytes?.remaining ?? null,
    requests_limit: quota.requests?.limit ?? null,
    bytes_limit: quota.bytes?.limit ?? null,
  };
}
