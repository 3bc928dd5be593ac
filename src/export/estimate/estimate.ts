/**
 * Counts the requests of a selection from a page of it and from what the lake has of that page. If the page is the whole selection, the
 * requests are exact; else they are scaled. Bytes are estimated from the sizes of the submissions.
 */
import { counted } from '../../core/index.ts';
import { type Filing, familyToRequest, isLastPage, MAX_WINDOW } from '../../filings/api/index.ts';
import { type ExportTable, isEntityTable, namesFrom } from '../../lake/tables/index.ts';
import { choiceOfCodes, type ExportDefinition, wantsFrom } from '../definition/index.ts';
import { requestsOf, requestsOfAll, type Step } from '../selectors/index.ts';
import {
  type CoveredStep,
  infoTellsSections,
  isCovered,
  isOlder,
  needsDocumentNames,
  pendingByNumber,
  pendingSteps,
  wantedFormTables,
} from '../steps/index.ts';
import { OVERLAP_RECORDS_MIN, PLANNED_MATCHES } from '../windows/index.ts';
import type { PlanPart, PlanStep } from './plan.ts';

/** A page of a lookup or search. */
export interface PlanPage {
  /** Number of positions requested. */
  asked: number;
  received: number;
  /** Bytes of the answer's body, decompressed */
  bytes: number;
  /** As the service stated; null without a statement. */
  truncated: boolean | null;
  /** As the service stated. */
  count: number | null;
}

interface LookupInput {
  definition: ExportDefinition;
  page: PlanPage;
  filings: readonly Filing[];
  /** By accession number and step, for these filings. */
  covered: Pick<ReadonlyMap<string, ReadonlyMap<string, CoveredStep>>, 'get'>;
  /** CIKs that the lake has as entities, fetched not too long ago. */
  knownCiks: ReadonlySet<string>;
  /** `YYYY-MM-DD`, for a refresh; null: nothing is refreshed */
  today: string | null;
}

/** A filing by its accession number, listed or found by a full-text search. */
export interface ListedFiling {
  accession_number: string;
  /** From the lake; null: it lacks the filing */
  known: { filing: Filing; covered: ReadonlyMap<string, CoveredStep> } | null;
  /** For a filing that the lake lacks, if a hit states it */
  form_type: string | null;
  /** CIK of its first party, if known */
  cik: string | null;
}

interface ListedInput extends Pick<LookupInput, 'definition' | 'knownCiks' | 'today'> {
  filings: readonly ListedFiling[];
  /** Ratio of all to the examined ones. */
  scale: number;
}

/** Positions requested: if the filings' forms decide the steps of each, and if only their number does. */
const SAMPLE_OF_FORMS = 1_000;
const SAMPLE_OF_RECORDS = 100;
const CIKS_A_REQUEST = 100;

/*
 * Sizes of answers: means of 235 real submissions. A main document is half of its submission, the sections of a 10-K or 10-Q 0.85 of
 * their main document.
 */
const ENTITY_BYTES = 480;
const INFO_BYTES = 3_000;
const PRIMARY_OF_SUBMISSION = 0.5;
const SECTIONS_OF_SUBMISSION = 0.425;

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

interface Examined {
  steps: readonly (Step | { step: `document:${string}` | 'info' | 'sections' })[];
  cik: string | null;
  /** Bytes of the submission, and number of its documents. */
  size: number | null;
  documents: number;
  known: boolean;
  older: boolean;
  /** Its filing_info is requested, and only that states whether it has sections. */
  mayHaveSections: boolean;
}

export function planLookup({ definition, page, filings, covered, knownCiks, today }: LookupInput): PlanPart {
  const matches = matchesOf(page);
  const { whole, scale } = scaleOf(page);
  const examined: Examined[] = [];
  let again = 0;
  for (const filing of filings) {
    const of = covered.get(filing.accession_number) ?? new Map<string, CoveredStep>();
    const { steps, stated, revision, known: isComplete } = pendingSteps(definition, filing, of, today);
    // A refresh requests the steps of complete filings too.
    const known = isComplete || (definition.refresh !== undefined && pendingSteps(definition, filing, of).known);
    again += requestsOfAll(steps.filter((step) => isCovered(stated.get(step.step), step, revision)));
    const older = steps.some(({ step }) => isOlder(stated.get(step), revision));
    const { cik, size, form_type } = filing;
    const mayHaveSections = asksForSections(definition, form_type, steps);
    examined.push({ steps, cik, size, documents: filing.documents.length, known, older, mayHaveSections });
  }
  const requests = pagesOf(definition, matches ?? page.received, page);
  // Every run reads its whole selection again, to find what is new.
  const tables = chosen(definition, ['filings', ...(definition.documents.sizes ? [] : (['documents'] as const))]);
  const lookup: PlanStep = { step: 'lookup', tables, requests, bytes: Math.round(page.bytes * scale) };
  const ciks = new Set(filings.flatMap(({ cik }) => (cik === null || knownCiks.has(cik) ? [] : [cik])));
  const infoTables = namesFrom('info').filter((table) => table !== 'documents' || definition.documents.sizes);
  const part = partOf(definition, examined, { first: [lookup], scale, companies: ciks.size, infoTables });
  const unnamed = filings.filter((of) => of.documents.length === 0 && needsDocumentNames(definition, of.form_type));
  const refreshed = Math.round(again * scale);
  const notes = said(
    matches === null && 'the service does not state how many filings match: these numbers are a minimum',
    matches !== null &&
      !whole &&
      `scaled from ${page.received.toLocaleString('en-US')} of ${counted(matches, 'filing')}, taken in order of names`,
    (matches ?? 0) > MAX_WINDOW &&
      'a day on which more than 10,000 filings match is split by form and by name: that takes more lookups than are counted here',
    unnamed.length > 0 &&
      `the lookup names no documents for ${counted(unnamed.length, 'filing')} examined: requests for their contents are not counted`,
    refreshed > 0 &&
      `${counted(refreshed, 'request')} of these ask again for what the lake has: bytes move only if it changed`,
  );
  return { ...part, filings: matches, whole: whole && part.whole, notes: [...notes, ...part.notes] };
}

/**
 * The plan for filings by accession number. For filings in the lake the requests are known. For the others, filing_info is requested;
 * the requests after it are known only if the form is.
 */
export function planListed({ definition, filings, scale, knownCiks, today }: ListedInput): PlanPart {
  const examined = filings.map((filing): Examined => {
    const { known, cik } = filing;
    const nothing = { cik, size: null, documents: 0, older: false, mayHaveSections: false };
    if (!known) return { ...nothing, steps: stepsOfUnknown(definition, filing.form_type), known: false };
    const steps = pendingByNumber(definition, known.filing, known.covered, today);
    const { revision } = known.covered.get('filing')!;
    const older = steps.some(({ step }) => isOlder(known.covered.get(step), revision));
    const isComplete = pendingByNumber(definition, known.filing, known.covered).length === 0;
    const mayHaveSections = asksForSections(definition, known.filing.form_type, steps);
    return { ...nothing, steps, known: isComplete, older, mayHaveSections };
  });
  const isUnsure = ({ known, form_type }: ListedFiling) => known === null && mayNeedMore(definition, form_type);
  const unsure = Math.round(filings.filter(isUnsure).length * scale);
  const unnamed = wantsFilers(definition) ? filings.filter(({ cik }) => cik === null).length : 0;
  const named = new Set(filings.flatMap(({ cik }) => (cik === null || knownCiks.has(cik) ? [] : [cik])));
  // filing_info is needed even if no table of it is requested: no lookup gives the filing's own row.
  const infoTables: ExportTable[] = ['filings', ...namesFrom('info')];
  const companies = named.size + unnamed;
  const part = partOf(definition, examined, { first: [], scale, companies, infoTables });
  const more = [
    ...(wantsFrom(definition, 'sections') ? ['sections'] : []),
    ...(wantedFormTables(definition, null).length > 0 ? ['forms'] : []),
    ...(wantsFrom(definition, 'document') ? ['documents'] : []),
  ].join(' and ');
  const notes = said(
    unsure > 0 &&
      `for ${counted(unsure, 'filing')} only filing_info will state the form and the documents: requests for ${more} may be added`,
    unnamed > 0 && 'entities: at most, as if each filing were of another company',
  );
  const whole = part.whole && scale === 1 && unsure === 0 && unnamed === 0;
  return { ...part, whole, notes: [...notes, ...part.notes] };
}

/** Entities that are requested by a query: the pages of their lookups. @param pages one of each lookup */
export function planEntities(
  definition: ExportDefinition,
  pages: readonly PlanPage[],
): { part: PlanPart; entities: number | null } {
  const counts = pages.map(matchesOf);
  const matches = pages.map((page, i) => counts[i] ?? page.received);
  const requests = pages.reduce((sum, page, i) => sum + pagesOf(definition, matches[i]!, page), 0);
  const bytes = pages.reduce((sum, page) => sum + page.bytes * scaleOf(page).scale, 0);
  const isCounted = !counts.includes(null);
  const part: PlanPart = {
    filings: 0,
    sampled: 0,
    known: 0,
    older: 0,
    requests_more: 0,
    // Windows that are too large to be read are split by the names found in them.
    whole: isCounted && matches.every((n) => n < MAX_WINDOW),
    steps: [{ step: 'entities', tables: definition.tables.filter(isEntityTable), requests, bytes: Math.round(bytes) }],
    notes: said(!isCounted && 'the service does not state how many entities match: these numbers are a minimum'),
  };
  return { part, entities: isCounted ? matches.reduce((sum, n) => sum + n, 0) : null };
}

/** The requests that find the companies of a file. */
export function planCompanies(requests: number, companies: number): PlanStep {
  return { step: 'companies', tables: [], requests, bytes: ENTITY_BYTES * companies };
}

interface Around {
  /** Steps before those of the filings. */
  first: PlanStep[];
  scale: number;
  /** Companies of the examined filings that the lake lacks. */
  companies: number;
  infoTables: readonly ExportTable[];
}

function partOf(definition: ExportDefinition, examined: readonly Examined[], around: Around): PlanPart {
  const { first, scale, companies, infoTables } = around;
  const scaled = (amount: number) => Math.round(amount * scale);
  const sizes = examined.flatMap(({ size }) => size ?? []);
  const mean = sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const steps = [...first];
  if (wantsFilers(definition)) {
    const entities = scaled(companies);
    const requests = Math.ceil(entities / CIKS_A_REQUEST);
    const tables = definition.tables.filter(isEntityTable);
    steps.push({ step: 'entities', tables, requests, bytes: entities * ENTITY_BYTES });
  }
  for (const { step, of, tables, bytes } of [{ ...INFO, tables: infoTables }, ...OTHERS]) {
    const wanted = chosen(definition, tables);
    let [requests, size, isSized] = [0, 0, true];
    for (const filing of examined) {
      const own = filing.steps.filter((one) => one.step.startsWith(of)).reduce((sum, one) => sum + costOf(one), 0);
      if (own === 0) continue;
      const all = filing.size ?? mean;
      const cost = bytes(all, own, filing.documents);
      requests += own;
      size += cost ?? 0;
      isSized &&= cost !== null;
    }
    if (wanted.length === 0 && requests === 0) continue;
    steps.push({ step, tables: wanted, requests: scaled(requests), bytes: isSized ? scaled(size) : null });
  }
  const all = examined.flatMap((filing) => filing.steps);
  const pages = scaled(all.reduce((sum, step) => sum + ('undecided' in step ? (step.undecided?.length ?? 0) : 0), 0));
  const count = (is: (filing: Examined) => boolean) => scaled(examined.filter(is).length);
  const maybe = count(({ mayHaveSections }) => mayHaveSections);
  return {
    filings: scaled(examined.length),
    sampled: examined.length,
    whole: pages + maybe === 0,
    steps,
    requests_more: pages + maybe,
    known: count(({ known }) => known),
    older: count(({ older }) => older),
    notes: said(
      pages > 0 &&
        `${counted(pages, 'request')} at most may come on top: pages of reports that are fetched if EDGAR's summary names them, or if the main document has XBRL`,
      maybe > 0 &&
        `${counted(maybe, 'request')} at most may come on top: sections of 20-Fs and of filings of unknown form, if filing_info lists some`,
      all.some((step) => 'output_format' in step && step.output_format === 'json') &&
        'XML is stored as JSON: filinglake remap can make no tables of forms from it. If you may want them, set documents: { xml: raw }',
    ),
  };
}

interface StepKind {
  step: PlanStep['step'];
  /** Prefix of the names of its steps */
  of: string;
  tables: readonly ExportTable[];
  /** Bytes of these requests of a filing, by the size of the submission and the number of its documents. */
  bytes(size: number | null, requests: number, documents: number): number | null;
}

const INFO: Omit<StepKind, 'tables'> = {
  step: 'filing_info',
  of: 'info',
  bytes: (_, requests) => requests * INFO_BYTES,
};
const OTHERS: readonly StepKind[] = [
  {
    step: 'sections',
    of: 'sections',
    tables: namesFrom('sections'),
    bytes: (size) => size && size * SECTIONS_OF_SUBMISSION,
  },
  // The documents of a form are nearly all of its submission.
  { step: 'forms', of: 'forms', tables: namesFrom('forms'), bytes: (size) => size },
  {
    step: 'documents',
    of: 'document:',
    tables: namesFrom('document'),
    bytes: (size, requests, documents) =>
      size && size * (requests === 1 ? PRIMARY_OF_SUBMISSION : Math.min(1, requests / documents)),
  },
];

function costOf(step: Examined['steps'][number]): number {
  return 'selector' in step ? requestsOf(step) : 1;
}

/** The steps of a filing that the lake lacks, as far as its form decides them. */
function stepsOfUnknown(definition: ExportDefinition, form: string | null): Examined['steps'] {
  const family = form === null ? null : familyToRequest(form, null);
  const hasSections = family !== null && choiceOfCodes(definition, family)?.length !== 0;
  return [
    { step: 'info' },
    ...(wantsFrom(definition, 'sections') && hasSections ? [{ step: 'sections' } as const] : []),
    ...(wantsFrom(definition, 'document') && definition.documents.types.includes('primary')
      ? [{ step: 'document:primary' } as const]
      : []),
  ];
}

function asksForSections(definition: ExportDefinition, form: string | null, steps: readonly Step[]): boolean {
  return infoTellsSections(definition, form) && steps.some(({ step }) => step === 'info');
}

/** Whether filing_info may add more steps. */
function mayNeedMore(definition: ExportDefinition, form: string | null): boolean {
  const { types } = definition.documents;
  const isPrimaryOnly = types.length === 1 && types[0] === 'primary';
  return (
    infoTellsSections(definition, form) ||
    (wantsFrom(definition, 'document') && !isPrimaryOnly) ||
    wantedFormTables(definition, form).length > 0
  );
}

/** Matches; null if a full page has its own length as the count. */
export function matchesOf({ count, received, asked, truncated }: PlanPage): number | null {
  if (count !== null && count > received) return count;
  return received < asked && truncated !== true ? received : null;
}

/** How many times as many records match as were received. If the service states no count, the received ones are a minimum. */
export function scaleOf(page: PlanPage): { whole: boolean; scale: number } {
  const matches = matchesOf(page);
  const whole = matches !== null && page.received >= matches;
  return { whole, scale: whole || page.received === 0 ? 1 : (matches ?? page.received) / page.received };
}

/** Requests that page this number of matches. */
export function pagesOf({ service: { page_size } }: ExportDefinition, matches: number, page: PlanPage): number {
  const { truncated, received } = page;
  // A page that was cut short shows how many records fit into an answer.
  const size = Math.max(1, Math.min(page_size, truncated ? received : page_size));
  if (matches >= MAX_WINDOW) return 1 + Math.ceil(matches / PLANNED_MATCHES) * overlappingPages(PLANNED_MATCHES, size);
  // A page that may not be the last one is followed by another.
  const stated = truncated === null ? null : false;
  const isFollowed = matches <= size && !isLastPage({ received: matches, truncated: stated }, size);
  return overlappingPages(matches, size) + (isFollowed ? 1 : 0);
}

/** A page repeats the last record of the one before. */
function overlappingPages(matches: number, page: number): number {
  const added = page >= OVERLAP_RECORDS_MIN ? page - 1 : page;
  return 1 + Math.max(0, Math.ceil((matches - page) / added));
}

/** The notes whose condition holds. */
function said(...notes: readonly (string | false)[]): string[] {
  return notes.filter((note) => note !== false);
}

function wantsFilers({ tables, select }: ExportDefinition): boolean {
  return tables.includes('entities') && select.entities !== 'query';
}

function chosen({ tables }: ExportDefinition, of: readonly ExportTable[]): ExportTable[] {
  return of.filter((table) => tables.includes(table));
}
