/**
 * In which order pending steps are fetched. Usually filing by filing, each with all its steps, so that a small quota still makes whole
 * filings. With `budget.order: breadth` the cheap steps come first, for all filings of the run. The lookup's rows come before all
 * passes: one request has 10,000 of them.
 */
import type { ExportDefinition } from '../definition/index.ts';
import { requestsOfAll, type Step } from '../selectors/index.ts';
import {
  infoTellsMore,
  infoTellsSections,
  type KnownFiling,
  namesDocuments,
  needsDocumentNames,
  wantedFormTables,
} from './steps.ts';

/** `whole`: all steps of a filing, one after the other. The others are those of the order `breadth`. */
export const PASSES = ['whole', 'info', 'sections', 'documents'] as const;
export type Pass = (typeof PASSES)[number];

/**
 * How a run knows a filing that no lookup of it has named:
 * - `number`: only by its accession number. filing_info must also give the filing's own row, and the other pending steps follow from it.
 * - `lake`: by the lake's record.
 * - `gap`: by the lake's record, and a proven window lacks it. filing_info decides whether it was removed; no other step is fetched.
 */
export type KnownBy = 'number' | 'lake' | 'gap';

interface PendingFiling {
  filing: Pick<KnownFiling, 'documents' | 'form_type' | 'isPartlyNamed'>;
  steps: readonly Step[];
  /** Absent: by a lookup */
  knownBy?: KnownBy;
}

/** Whether each filing is fetched with all its steps before the next one. */
export function isByFiling({ budget }: Pick<ExportDefinition, 'budget'>): boolean {
  return budget.order !== 'breadth';
}

/** Tables of forms are made from documents, so they come in the pass of documents. */
export function passOf({ step }: Step): Exclude<Pass, 'whole'> {
  return step === 'info' || step === 'sections' ? step : 'documents';
}

/**
 * Whether all steps of a filing are fetched together and committed as one. This is so if only filing_info states other steps: the
 * documents whose contents are wanted, the form that may have sections, or the filing's own record. So the filing never counts as
 * complete too early.
 */
export function isFetchedWhole(definition: ExportDefinition, { filing, knownBy }: PendingFiling): boolean {
  return knownBy === 'number' || infoTellsMore(definition, filing);
}

/** The steps of a filing in a pass; null if it has none. A filing that is fetched whole waits for its most expensive step. */
export function stepsInPass(definition: ExportDefinition, pending: PendingFiling, pass: Pass): readonly Step[] | null {
  if (isByFiling(definition)) return pass === 'whole' ? pending.steps : null;
  if (isFetchedWhole(definition, pending)) return lastPassOf(definition, pending) === pass ? pending.steps : null;
  const steps = pending.steps.filter((step) => passOf(step) === pass);
  return steps.length === 0 ? null : steps;
}

/** The pass after which a filing is complete. */
export function lastPassOf(definition: ExportDefinition, pending: PendingFiling): Pass {
  if (isByFiling(definition)) return 'whole';
  const whole = isFetchedWhole(definition, pending);
  const passes = new Set<Pass>(pending.steps.map(passOf));
  // The steps that only filing_info names must be fetched too.
  const { form_type } = pending.filing;
  const isNamedByInfo =
    (!namesDocuments(pending.filing) && needsDocumentNames(definition, form_type)) ||
    (form_type === null && wantedFormTables(definition, null).length > 0);
  if (whole && isNamedByInfo) return 'documents';
  const dearest = PASSES.findLast((pass) => passes.has(pass)) ?? 'info';
  return infoTellsSections(definition, form_type) && dearest === 'info' ? 'sections' : dearest;
}

/** How many filings take part in each pass, and how many requests that takes. */
export type PassCounts = Record<Pass, { filings: number; requests: number }>;

export function countPasses(definition: ExportDefinition, filings: Iterable<PendingFiling>): PassCounts {
  const counts = Object.fromEntries(PASSES.map((pass) => [pass, { filings: 0, requests: 0 }])) as PassCounts;
  for (const one of filings) {
    for (const pass of PASSES) {
      const steps = stepsInPass(definition, one, pass);
      if (steps === null) continue;
      counts[pass].filings++;
      counts[pass].requests += requestsOfAll(steps);
    }
  }
  return counts;
}
