/**
 * Estimates an export before it runs: from one page of its selection, what the lake has of that page, and the quota that the
 * service states. If the page is the whole selection, the requests are exact; else they are scaled. Bytes are always an estimate.
 * See estimate-by-number.ts for listed filings and estimate-entities.ts for entities.
 */

import { type Filing, isLastPage, MAX_WINDOW } from '../../api/index.ts';
import { counted } from '../../core/index.ts';
import { type ExportTable, isEntityTable, namesFrom } from '../../tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { primaryDocument } from '../steps/document-choice.ts';
import { type CoveredStep, isCovered, isOlder, type PendingSteps, pendingSteps } from '../steps/pending-steps.ts';
import { requestsOfAll, type Step } from '../steps/step.ts';
import { needsDocumentNames } from '../steps/steps.ts';
import { OVERLAP_RECORDS_MIN } from '../windows/window-reading.ts';
import { PLANNED_MATCHES } from '../windows/windows.ts';
import { monthsOf, type PlanQuota, stops } from './estimate-quota.ts';
import { notesOfPages, notesOfRefresh, notesOfRemap, undecidedPages } from './plan-notes.ts';

export interface PlanSample {
  filings: readonly Filing[];
  /** Number of positions requested. */
  asked: number;
  /** Number of records received. */
  received: number;
  /** Bytes of the answer's body, decompressed */
  bytes: number;
  /** As the service stated; null without a statement. */
  truncated: boolean | null;
  /** As the service stated. */
  count: number | null;
}

export interface PlanInput {
  definition: ExportDefinition;
  sample: PlanSample;
  /** By accession number and step, for the sample's filings. */
  covered: ReadonlyMap<string, ReadonlyMap<string, CoveredStep>>;
  /** CIKs of the sample that the lake has as entities, fetched not too long ago. */
  knownCiks: ReadonlySet<string>;
  /** `YYYY-MM-DD`, for a refresh; absent: nothing is refreshed */
  today?: string;
  quota: PlanQuota | null;
  /** Mean of earlier runs; null before the first */
  requestsPerSecond: number | null;
}

export type PlanStepName =
  | 'companies'
  | 'lookup'
  | 'fulltext_search'
  | 'entities'
  | 'filing_info'
  | 'sections'
  | 'forms'
  | 'documents';

export interface PlanStep {
  step: PlanStepName;
  /** Tables with rows from its answers. */
  tables: ExportTable[];
  requests: number;
  /** Bytes of the answers' bodies, decompressed; null: nothing to estimate from */
  bytes: number | null;
}

/** The yield and the cost of one part of the selection. */
export interface PlanPart {
  filings: number | null;
  /** Whether all records that decide the requests were examined. */
  whole: boolean;
  sampled: number;
  known: number;
  /** Filings that the lake has in an older revision, if this export requests it again. */
  older: number;
  steps: PlanStep[];
  /** Requests that may come on top, at most. */
  requests_more?: number;
  notes: string[];
}

export interface ExportPlan {
  /** Filings that match; null: the service counts pages only, and there is more than one */
  filings: number | null;
  /** Entities that match, if they are requested by a query; null: the service states no count, or none are requested */
  entities: number | null;
  /** Whether the number of requests is known: every filing of the selection was examined, and states its needs. */
  whole: boolean;
  /** Filings examined. */
  sampled: number;
  /** Filings that the lake has complete for this export. */
  known: number;
  /** Filings that the lake has in an older revision: their steps are fetched again. */
  older: number;
  steps: PlanStep[];
  requests: number;
  /** Requests that may come on top, at most: pages of reports that EDGAR's summary of a filing may name. */
  requests_more: number;
  bytes: number | null;
  /** Calendar months that the key's plan needs, this one included; null: no limit is stated */
  months: number | null;
  /** At the rate of earlier runs, without waiting for quota; null before the first */
  seconds: number | null;
  /** Effect of the run's own budget: runs that end with exit code 6 before the last one. */
  stops_by_budget: number;
  notes: string[];
}

/** Positions requested: if the filings' forms decide the steps of each, and if only their number does. */
const SAMPLE_OF_FORMS = 1_000;
const SAMPLE_OF_RECORDS = 100;
export const CIKS_A_REQUEST = 100;

/*
 * Sizes of answers in relation to the lookup's. Means of 235 real submissions: filing_info is 2.7 times the lookup's record, a main
 * document half of its submission, the sections of a 10-K or 10-Q 0.85 of their main document, an entity 480 bytes.
 */
const INFO_OF_RECORD = 2.7;
const PRIMARY_OF_SUBMISSION = 0.5;
const SECTIONS_OF_PRIMARY = 0.85;
export const ENTITY_BYTES = 480;

export const INFO_TABLES = namesFrom('info');

/** How many filings a plan should examine: as many as its numbers depend on. */
export function planSampleSize(definition: ExportDefinition): number {
  const perFiling = definition.tables.some(
    (table) =>
      table !== 'filings' &&
      (table !== 'documents' || definition.documents.sizes) &&
      !(isEntityTable(table) && definition.select.entities === 'query'),
  );
  return perFiling ? SAMPLE_OF_FORMS : SAMPLE_OF_RECORDS;
}

const NOTHING_COVERED: ReadonlyMap<string, CoveredStep> = new Map();

/** The estimate of a selection that is looked up. */
export function planExport(input: PlanInput): ExportPlan {
  const { definition, quota, requestsPerSecond } = input;
  return wholePlan(definition, [planLookup(input)], { quota, requestsPerSecond, entities: null });
}

/** Adds up the estimates of a definition's parts. */
export function wholePlan(
  definition: ExportDefinition,
  parts: readonly PlanPart[],
  more: Pick<PlanInput, 'quota' | 'requestsPerSecond'> & Pick<ExportPlan, 'entities'>,
): ExportPlan {
  const { quota, requestsPerSecond, entities } = more;
  const steps = parts.flatMap((part) => part.steps);
  const requests = sum(steps.map((step) => step.requests));
  const bytes = steps.some((step) => step.bytes === null) ? null : sum(steps.map((step) => step.bytes!));
  const { max_requests, max_bytes, reserve } = definition.budget;
  const filings = parts.map((part) => part.filings);
  return {
    filings: filings.includes(null) ? null : sum(filings as number[]),
    entities,
    whole: parts.every((part) => part.whole),
    sampled: sum(parts.map((part) => part.sampled)),
    known: sum(parts.map((part) => part.known)),
    older: sum(parts.map((part) => part.older)),
    steps,
    requests,
    requests_more: sum(parts.map((part) => part.requests_more ?? 0)),
    bytes,
    months: monthsOf(requests, bytes, quota, reserve),
    seconds: requestsPerSecond === null || requestsPerSecond <= 0 ? null : requests / requestsPerSecond,
    stops_by_budget: Math.max(stops(requests, max_requests), stops(bytes ?? 0, max_bytes)),
    notes: parts.flatMap((part) => part.notes),
  };
}

export function planLookup(input: Omit<PlanInput, 'quota' | 'requestsPerSecond'>): PlanPart {
  const { definition, sample, covered, knownCiks, today = null } = input;
  const filings = filingsOf(sample);
  const whole = filings !== null && sample.received >= filings;
  // If the service states no count, the received records are a minimum.
  const scale = whole || sample.received === 0 ? 1 : (filings ?? sample.received) / sample.received;
  const scaled = (amount: number) => Math.round(amount * scale);

  const pending = sample.filings.map((filing) => ({
    filing,
    ...pendingSteps(definition, filing, covered.get(filing.accession_number) ?? NOTHING_COVERED, today),
  }));
  const sizeOf = submissionSize(sample.filings);
  const steps: PlanStep[] = [lookupStep(definition, sample, filings)];
  if (wants(definition, 'entities') && definition.select.entities !== 'query') {
    const ciks = new Set(sample.filings.flatMap(({ cik }) => (cik === null || knownCiks.has(cik) ? [] : [cik])));
    const entities = scaled(ciks.size);
    steps.push({
      step: 'entities',
      tables: definition.tables.filter(isEntityTable),
      requests: Math.ceil(entities / CIKS_A_REQUEST),
      bytes: entities * ENTITY_BYTES,
    });
  }
  const add = (step: PlanStepName, tables: ExportTable[], costs: readonly (number | null)[]) => {
    if (tables.length === 0) return;
    const bytes = costs.some((cost) => cost === null) ? null : scaled(sum(costs as number[]));
    steps.push({ step, tables, requests: scaled(costs.length), bytes });
  };
  const costsOf = (isStep: (step: Step) => boolean, cost: (filing: Filing) => number | null) =>
    pending.flatMap(({ filing, steps: own }) => own.filter(isStep).map(() => cost(filing)));
  const recordBytes = sample.received === 0 ? 0 : sample.bytes / sample.received;
  const infoTables = chosen(definition, INFO_TABLES).filter(
    (table) => table !== 'documents' || definition.documents.sizes,
  );
  add(
    'filing_info',
    infoTables,
    costsOf(
      ({ step }) => step === 'info',
      () => recordBytes * INFO_OF_RECORD,
    ),
  );
  add(
    'sections',
    chosen(definition, namesFrom('sections')),
    costsOf(
      ({ step }) => step === 'sections',
      (filing) => times(sizeOf(filing), PRIMARY_OF_SUBMISSION * SECTIONS_OF_PRIMARY),
    ),
  );
  add(
    'forms',
    chosen(definition, namesFrom('forms')),
    pending.flatMap(({ filing, steps: own }) => formCosts(own, sizeOf(filing))),
  );
  add(
    'documents',
    chosen(definition, namesFrom('document')),
    pending.flatMap(({ filing, steps: own }) => documentCosts(filing, own, sizeOf(filing))),
  );

  const all = pending.flatMap(({ steps: own }) => own);
  const pages = scaled(undecidedPages(all));
  return {
    filings,
    whole: whole && pages === 0,
    sampled: sample.filings.length,
    known: scaled(pending.filter(({ known }) => known).length),
    older: scaled(pending.filter(hasOlder).length),
    steps,
    ...(pages === 0 ? {} : { requests_more: pages }),
    notes: [
      ...notesOf(definition, sample, filings, whole),
      ...notesOfRefresh(scaled(refreshedRequests(pending))),
      ...notesOfPages(pages),
      ...notesOfRemap(all),
    ],
  };
}

/** Requests for steps that the lake has. */
function refreshedRequests(pending: readonly Pick<PendingSteps, 'steps' | 'stated' | 'revision'>[]): number {
  return sum(
    pending.map(({ steps, stated, revision }) =>
      requestsOfAll(steps.filter((step) => isCovered(stated.get(step.step), step, revision))),
    ),
  );
}

function hasOlder({ steps, stated, revision }: Pick<PendingSteps, 'steps' | 'stated' | 'revision'>): boolean {
  return steps.some(({ step }) => isOlder(stated.get(step), revision));
}

/** Filings that match; null if a full page has its own length as the count. */
export function filingsOf({ count, received, asked, truncated }: Omit<PlanSample, 'filings' | 'bytes'>): number | null {
  if (count !== null && count > received) return count;
  return received < asked && truncated !== true ? received : null;
}

/** Every run reads its whole selection again, to find what is new. */
function lookupStep(definition: ExportDefinition, sample: PlanSample, filings: number | null): PlanStep {
  const matches = filings ?? sample.received;
  const requests = pagesOf(definition, matches, sample);
  const recordBytes = sample.received === 0 ? sample.bytes : sample.bytes / sample.received;
  const tables = chosen(definition, ['filings', ...(definition.documents.sizes ? [] : (['documents'] as const))]);
  return { step: 'lookup', tables, requests, bytes: Math.round(recordBytes * Math.max(1, matches)) };
}

/** Requests that page this number of matches. */
export function pagesOf(
  { service: { page_size } }: ExportDefinition,
  matches: number,
  { truncated, received }: Pick<PlanSample, 'truncated' | 'received'>,
): number {
  // A page that was cut short shows how many records fit into an answer.
  const page = Math.max(1, Math.min(page_size, truncated ? received : page_size));
  if (matches >= MAX_WINDOW) return 1 + Math.ceil(matches / PLANNED_MATCHES) * overlappingPages(PLANNED_MATCHES, page);
  // A page that may not be the last one is followed by another.
  const stated = truncated === null ? null : false;
  const isFollowed = matches <= page && !isLastPage({ received: matches, truncated: stated }, page);
  return overlappingPages(matches, page) + (isFollowed ? 1 : 0);
}

/** A page repeats the last record of the one before. */
function overlappingPages(matches: number, page: number): number {
  const added = page >= OVERLAP_RECORDS_MIN ? page - 1 : page;
  return 1 + Math.max(0, Math.ceil((matches - page) / added));
}

/** The documents of a form are nearly all of its submission. */
function formCosts(steps: readonly Step[], size: number | null): (number | null)[] {
  const requests = requestsOfAll(steps.filter(({ step }) => step === 'forms'));
  return Array.from({ length: requests }, () => times(size, 1 / requests));
}

/** The main document counts as half of its submission. The others share the other half. */
function documentCosts(filing: Filing, steps: readonly Step[], size: number | null): (number | null)[] {
  const primary = primaryDocument(filing.documents, filing.form_type);
  const others = Math.max(1, filing.documents.length - 1);
  return steps.flatMap((step) => {
    if (!('document_id' in step)) return [];
    const document = filing.documents.find(({ document_id }) => document_id === step.document_id);
    const share =
      document !== undefined && document === primary ? PRIMARY_OF_SUBMISSION : (1 - PRIMARY_OF_SUBMISSION) / others;
    return [times(size, share)];
  });
}

/** Unknown sizes count as the mean of the known ones. */
function submissionSize(filings: readonly Filing[]): (filing: Filing) => number | null {
  const sizes = filings.flatMap(({ size }) => (size === null ? [] : [size]));
  const mean = sizes.length === 0 ? null : sum(sizes) / sizes.length;
  return ({ size }) => size ?? mean;
}

function notesOf(definition: ExportDefinition, sample: PlanSample, filings: number | null, whole: boolean): string[] {
  const notes: string[] = [];
  if (filings === null) notes.push('the service does not state how many filings match: these numbers are a minimum');
  else if (!whole)
    notes.push(
      `scaled from ${sample.received.toLocaleString('en-US')} of ${counted(filings, 'filing')}, taken in order of names`,
    );
  if (filings !== null && filings > MAX_WINDOW) {
    notes.push(
      'a day on which more than 10,000 filings match is split by form and by name: that takes more lookups than are counted here',
    );
  }
  const unnamed = sample.filings.filter(
    ({ documents, form_type }) => documents.length === 0 && needsDocumentNames(definition, form_type),
  ).length;
  if (unnamed > 0) {
    notes.push(
      `the lookup names no documents for ${counted(unnamed, 'filing')} examined: requests for their contents are not counted`,
    );
  }
  return notes;
}

export function wants(definition: ExportDefinition, table: ExportTable): boolean {
  return definition.tables.includes(table);
}

export function chosen(definition: ExportDefinition, tables: readonly ExportTable[]): ExportTable[] {
  return tables.filter((table) => wants(definition, table));
}

function times(amount: number | null, factor: number): number | null {
  return amount === null ? null : amount * factor;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
