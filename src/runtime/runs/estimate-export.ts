/** The input of an estimate: one lookup of the selection, or its list, and the lake's rows of it. */
import { parseAccessionNumber, parseCik } from '../../api/index.ts';
import { FilingClient, type Quota, RequestCounter } from '../../client/index.ts';
import { counted } from '../../core/index.ts';
import {
  type CoveredStep,
  datedFilters,
  type EntitySample,
  type ExportDefinition,
  type ExportPlan,
  type FilingFilters,
  type FulltextQuery,
  filingsOf,
  firstWindows,
  isEmptyRange,
  type ListedFiling,
  type NumbersFile,
  type PlanPart,
  type PlanQuota,
  pagesOf,
  planEntities,
  planListed,
  planLookup,
  planSampleSize,
  wholePlan,
} from '../../export/index.ts';
import { type Lake, openLakeIfThere } from '../../lake/index.ts';
import { pendingCiks, readListFile } from '../../pipeline/index.ts';
import { someOfLists } from './estimate-list.ts';
import { rangeOf } from './service-range.ts';

export interface PlanRequest {
  definition: ExportDefinition;
  apiKey: string;
  /** Address of the service; absent: `base_url` of the definition */
  address?: string;
  /** Absolute folder or URL; need not exist */
  lake: string;
  /** Filings to examine; null: as many as the numbers depend on */
  sample: number | null;
  signal: AbortSignal;
}

export interface PlannedExport extends ExportPlan {
  /** The cost of the estimate. */
  spent: { requests: number; bytes: number };
  quota: PlanQuota | null;
  /** Requests a second of the lake's earlier runs at this service; null: none */
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
  const { base_url, method } = definition.service;
  let quota: Quota | null = null;
  const client = new FilingClient({
    baseUrl: request.address ?? base_url,
    apiKey,
    key: 'discover',
    method,
    signal,
    beforeRequest: () => requests.sent(),
    onRequest: (event) => {
      requests.answered(event);
      quota = event.quota ?? quota;
    },
  });
  const lake = await openLakeIfThere(request.lake);
  try {
    const question: Question = { ...request, client, lake, today: new Date().toISOString().slice(0, 10) };
    const parts: PlanPart[] = [];
    let entities: number | null = null;
    if (definition.select.entities === 'query') {
      const asked = planEntities(definition, await entitySamples(question));
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
  } finally {
    await client.close();
    await lake?.close();
  }
}

interface Question extends Omit<PlanRequest, 'lake'> {
  client: FilingClient;
  /** null: there is none, and none is created */
  lake: Lake | null;
  /** `YYYY-MM-DD`, the day for relative dates */
  today: string;
}

/** A page of each entity lookup, large enough to show the size of records. */
async function entitySamples({ client, definition, today }: Question): Promise<EntitySample[]> {
  const samples: EntitySample[] = [];
  for (const { of, filter } of firstWindows(definition, today)) {
    if (of !== 'entities') continue;
    const { value, bytes } = await client.entityLookup({ ...filter.entity_query, from: 0, to: ENTITIES_LOOKED_AT });
    const { received, truncated, count } = value;
    samples.push({ asked: ENTITIES_LOOKED_AT, received, bytes, truncated, count });
  }
  return samples;
}

async function planFilings(question: Question): Promise<PlanPart> {
  const { definition, today } = question;
  const { accession_numbers, fulltext, entities: _entities, entity_lists, ...rest } = definition.select;
  const filters = datedFilters(rest, today);
  if (accession_numbers !== undefined) return planNumbers(question, await numbersOf(accession_numbers));
  if (isEmptyRange(filters)) {
    const notes = [`no day is from ${filters.date_from} to ${filters.date_to}`];
    return { ...NO_FILINGS, whole: true, steps: [], notes };
  }
  const { filter, scale, step, notes } = await someOfLists(question.client, filters, entity_lists);
  if (filter === null) return { ...NO_FILINGS, whole: scale === 1, steps: [step!], notes };
  const part = await (fulltext ? planHits(question, filter, fulltext, scale) : planLookedUp(question, filter, scale));
  // Of the other companies nothing is known: even no filings of these are not exact.
  return {
    ...part,
    whole: part.whole && scale === 1,
    steps: [...(step === null ? [] : [step]), ...part.steps],
    notes: [...notes, ...part.notes],
  };
}

const NO_FILINGS = { filings: 0, sampled: 0, known: 0, older: 0 };

/** @param scale how many times as many filings there are as match */
async function planLookedUp(
  { client, definition, sample, lake, today }: Question,
  filters: FilingFilters,
  scale: number,
): Promise<PlanPart> {
  const asked = sample ?? planSampleSize(definition);
  // By name: this mixes years and forms, and a company's filings are together, so that companies are counted correctly.
  const order = { sort_by: 'entity_name', sort_order: 'asc', from: 0, to: asked } as const;
  const { value, bytes } = await client.filingLookup({ ...filters, ...order });
  const { filings, received, truncated } = value;
  const count = value.count === null ? null : Math.round(value.count * scale);
  return planLookup({
    definition,
    today,
    sample: { filings, asked, received, bytes, truncated, count },
    covered: await coverageOf(
      lake,
      filings.map(({ accession_number }) => accession_number),
    ),
    knownCiks: await knownCiks(
      { lake, definition, today },
      filings.map(({ cik }) => cik),
    ),
  });
}

async function planNumbers({ definition, lake, today }: Question, numbers: readonly string[]): Promise<PlanPart> {
  const known = await filingsInLake(lake, numbers);
  const filings = numbers.map((accession_number): ListedFiling => {
    const stored = known.get(accession_number) ?? null;
    return { accession_number, known: stored, form_type: null, cik: stored?.filing.cik ?? null };
  });
  const ciks = await knownCiks(
    { lake, definition, today },
    filings.map(({ cik }) => cik),
  );
  return planListed({ definition, filings, scale: 1, knownCiks: ciks, today });
}

async function planHits(
  { client, definition, sample, lake, today }: Question,
  filters: FilingFilters,
  fulltext: FulltextQuery,
  listScale: number,
): Promise<PlanPart> {
  const asked = sample ?? planSampleSize(definition);
  const order = { sort_by: 'filing_date', sort_order: 'asc', from: 0, to: asked } as const;
  const { value, bytes } = await client.fulltextSearch({ ...fulltext, ...filters, ...order });
  const { hits, received, truncated } = value;
  const count = value.count === null ? null : Math.round(value.count * listScale);
  const first = new Map(hits.map((hit) => [hit.accession_number, hit]));
  const known = await filingsInLake(lake, [...first.keys()]);
  const filings = [...first.values()].map(({ accession_number, form_type, ciks }): ListedFiling => {
    const stored = known.get(accession_number) ?? null;
    return { accession_number, known: stored, form_type, cik: stored?.filing.cik ?? ciks[0] ?? null };
  });
  const page = { asked, received, bytes, truncated, count };
  const matches = filingsOf(page);
  const whole = matches !== null && received >= matches;
  const scale = whole || received === 0 ? 1 : (matches ?? received) / received;
  const inLake = await knownCiks(
    { lake, definition, today },
    filings.map(({ cik }) => cik),
  );
  const part = planListed({ definition, filings, scale, knownCiks: inLake, today });
  const requests = pagesOf(definition, matches ?? received, page);
  const note =
    matches === null
      ? ['the service does not state how many hits there are: these numbers are a minimum']
      : [`scaled from ${received.toLocaleString('en-US')} of ${counted(matches, 'hit')}, the oldest`];
  return {
    ...part,
    filings: matches === null ? null : part.filings,
    whole: part.whole && whole,
    steps: [{ step: 'fulltext_search', tables: [], requests, bytes: Math.round(bytes * scale) }, ...part.steps],
    notes: [...(whole ? [] : note), ...part.notes],
  };
}

async function numbersOf(given: string[] | NumbersFile): Promise<readonly string[]> {
  if (Array.isArray(given)) return given;
  return (await readListFile(given, 'accession_numbers')).values;
}

function listOf(values: Iterable<string>): string {
  return `(SELECT unnest([${[...values].map((value) => `'${value}'`).join(', ')}]::VARCHAR[]))`;
}

/** The lake's coverage of these filings. */
async function coverageOf(
  lake: Lake | null,
  accessionNumbers: readonly string[],
): Promise<Map<string, Map<string, CoveredStep>>> {
  const covered = new Map<string, Map<string, CoveredStep>>();
  if (lake === null) return covered;
  const numbers = accessionNumbers.flatMap((number) => parseAccessionNumber(number) ?? []);
  const rows = await lake.query(
    `SELECT accession_number, step, selector, revision, status FROM coverage WHERE accession_number IN ${listOf(numbers)}`,
  );
  for (const { accession_number, step, selector, revision, status } of rows) {
    const steps = covered.get(String(accession_number)) ?? new Map<string, CoveredStep>();
    const text = { selector: String(selector ?? ''), revision: String(revision ?? ''), status: String(status) };
    covered.set(String(accession_number), steps.set(String(step), text));
  }
  return covered;
}

/** The lake's rows of these filings: the columns that decide which steps are pending. */
async function filingsInLake(
  lake: Lake | null,
  numbers: readonly string[],
): Promise<Map<string, NonNullable<ListedFiling['known']>>> {
  const known = new Map<string, NonNullable<ListedFiling['known']>>();
  const covered = await coverageOf(lake, numbers);
  if (lake === null || covered.size === 0) return known;
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const these = listOf(covered.keys());
  const rows = await lake.query(
    `SELECT accession_number, cik, form_type, filing_date::VARCHAR AS filing_date FROM filings WHERE accession_number IN ${these}`,
  );
  for (const row of rows) {
    const accession_number = String(row.accession_number);
    const nothing = { acceptance_datetime: null, entity_name: null, report_date: null, size: null };
    const steps = covered.get(accession_number);
    if (!steps?.has('filing')) continue;
    const stated = { cik: text(row.cik), form_type: text(row.form_type), filing_date: text(row.filing_date) };
    const filing = { accession_number, ...stated, ...nothing, documents: [] };
    known.set(accession_number, { filing, covered: steps });
  }
  for (const row of await lake.query(`SELECT * FROM documents WHERE accession_number IN ${these}`)) {
    known.get(String(row.accession_number))?.filing.documents.push({
      document_id: String(row.document_id),
      sequence: Number(row.sequence),
      ...{ filename: text(row.filename), description: text(row.description), type: text(row.type) },
    });
  }
  return known;
}

/** CIKs whose entities are not requested. */
async function knownCiks(
  { lake, definition, today }: Pick<Question, 'lake' | 'definition' | 'today'>,
  given: readonly (string | null)[],
): Promise<Set<string>> {
  if (lake === null) return new Set();
  const ciks = new Set(given.flatMap((cik) => parseCik(cik ?? '') ?? []));
  const pending = new Set(await pendingCiks(lake, ciks, { definition, started_at: today }));
  return new Set([...ciks].filter((cik) => !pending.has(cik)));
}

/** The best rate of the last runs: others may have waited for quota, or for a person. */
async function rateOf(lake: Lake, service: string): Promise<number | null> {
  const [row] = await lake.query(
    `SELECT max(requests / greatest(epoch(ended_at) - epoch(started_at), 0.001)) AS rate FROM (
       SELECT requests, started_at, ended_at FROM export_runs
       WHERE service = '${service.replaceAll("'", "''")}' AND requests >= ${RATE_REQUESTS_MIN}
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
