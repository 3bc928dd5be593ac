/**
 * Cost of filings by accession number, listed or found by a full-text search. For filings in the lake the cost is known. For the
 * others, filing_info is requested; what follows is known only if the form is.
 */

import { type Filing, sectionFamily } from '../../api/index.ts';
import { counted } from '../../core/index.ts';
import { isEntityTable, namesFrom } from '../../tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { pendingByNumber } from '../steps/pending-by-number.ts';
import { type CoveredStep, isOlder } from '../steps/pending-steps.ts';
import { choiceOfCodes } from '../steps/section-choice.ts';
import { type FormsStep, requestsOfAll, type Step } from '../steps/step.ts';
import { wantedFormTables } from '../steps/steps.ts';
import { wantsFrom } from '../steps/wanted.ts';
import { CIKS_A_REQUEST, chosen, ENTITY_BYTES, INFO_TABLES, type PlanPart, type PlanStep, wants } from './estimate.ts';
import { notesOfPages, notesOfRemap, undecidedPages } from './plan-notes.ts';

/** Bytes of filing_info for an unknown filing: the mean of 235 real submissions. */
const INFO_BYTES = 3_000;

export interface ListedFiling {
  accession_number: string;
  /** From the lake; null: it lacks the filing */
  known: { filing: Filing; covered: ReadonlyMap<string, CoveredStep> } | null;
  /** For a filing that the lake lacks, if a hit states it */
  form_type: string | null;
  /** CIK of its first party, if known */
  cik: string | null;
}

export interface ListedInput {
  definition: ExportDefinition;
  /** The filings examined. */
  filings: readonly ListedFiling[];
  /** Ratio of all to the examined ones. */
  scale: number;
  /** CIKs that the lake has as entities, fetched not too long ago. */
  knownCiks: ReadonlySet<string>;
  /** As in `PlanInput`. */
  today?: string | null;
}

export function planListed({ definition, filings, scale, knownCiks, today = null }: ListedInput): PlanPart {
  const scaled = (amount: number) => Math.round(amount * scale);
  const pending = filings.map((filing) => ({ filing, ...pendingSteps(definition, filing, today) }));
  const count = (isStep: (step: Step['step']) => boolean) =>
    scaled(pending.reduce((sum, { steps }) => sum + steps.filter(({ step }) => isStep(step)).length, 0));
  const infos = count((step) => step === 'info');
  const steps: PlanStep[] = [
    // Needed even if no table of it is requested: no lookup gives the filing's own row.
    {
      step: 'filing_info',
      tables: chosen(definition, ['filings', ...INFO_TABLES]),
      requests: infos,
      bytes: infos * INFO_BYTES,
    },
  ];
  const add = (step: PlanStep['step'], source: 'sections' | 'forms' | 'document', requests: number) => {
    const tables = chosen(definition, namesFrom(source));
    if (tables.length > 0) steps.push({ step, tables, requests, bytes: requests === 0 ? 0 : null });
  };
  const sections = count((step) => step === 'sections');
  const documents = count((step) => step.startsWith('document:'));
  add('sections', 'sections', sections);
  add('forms', 'forms', scaled(requestsOfAll(pending.flatMap(({ steps: own }) => own.filter(isFormsStep)))));
  add('documents', 'document', documents);
  if (wants(definition, 'entities') && definition.select.entities !== 'query')
    steps.push(filersStep(definition, filings, scaled, knownCiks));
  const unsure = pending.filter(({ unsure: is }) => is).length;
  const all = pending.flatMap(({ steps: own }) => own);
  const pages = scaled(undecidedPages(all));
  const filersUnsure = steps.some(({ step }) => step === 'entities') && filings.some(({ cik }) => cik === null);
  return {
    filings: scaled(filings.length),
    whole: scale === 1 && unsure === 0 && !filersUnsure && pages === 0,
    sampled: filings.length,
    known: scaled(pending.filter(({ steps: own }) => own.length === 0).length),
    older: scaled(pending.filter(({ filing, steps: own }) => hasOlder(filing, own)).length),
    steps,
    ...(pages === 0 ? {} : { requests_more: pages }),
    notes: [...notesOf(definition, scaled(unsure), filersUnsure), ...notesOfPages(pages), ...notesOfRemap(all)],
  };
}

/** @returns the steps of a filing, and whether filing_info may add more */
function pendingSteps(
  definition: ExportDefinition,
  { known, form_type }: ListedFiling,
  today: string | null,
): { steps: Pick<Step, 'step'>[]; unsure: boolean } {
  if (known) return { steps: pendingByNumber(definition, known.filing, known.covered, today), unsure: false };
  const steps: Pick<Step, 'step'>[] = [{ step: 'info' }];
  const family = form_type === null ? null : sectionFamily(form_type);
  const wantsSections = wantsFrom(definition, 'sections');
  if (wantsSections && family !== null && choiceOfCodes(definition, family)?.length !== 0)
    steps.push({ step: 'sections' });
  const { types } = definition.documents;
  const wantsContents = wantsFrom(definition, 'document');
  if (wantsContents && types.includes('primary')) steps.push({ step: 'document:primary' });
  const isPrimaryOnly = types.length === 1 && types[0] === 'primary';
  const wantsForms = wantedFormTables(definition, form_type).length > 0;
  return {
    steps,
    unsure: (wantsSections && form_type === null) || (wantsContents && !isPrimaryOnly) || wantsForms,
  };
}

function isFormsStep(step: Pick<Step, 'step'>): step is FormsStep {
  return step.step === 'forms';
}

function hasOlder({ known }: ListedFiling, steps: readonly Pick<Step, 'step'>[]): boolean {
  const listed = known?.covered.get('filing');
  return listed !== undefined && steps.some(({ step }) => isOlder(known!.covered.get(step), listed.revision));
}

/** At most one CIK for each filing: an unknown CIK counts as another one. */
function filersStep(
  definition: ExportDefinition,
  filings: readonly ListedFiling[],
  scaled: (amount: number) => number,
  knownCiks: ReadonlySet<string>,
): PlanStep {
  const named = new Set(filings.flatMap(({ cik }) => (cik === null || knownCiks.has(cik) ? [] : [cik])));
  const entities = scaled(named.size + filings.filter(({ cik }) => cik === null).length);
  return {
    step: 'entities',
    tables: definition.tables.filter(isEntityTable),
    requests: Math.ceil(entities / CIKS_A_REQUEST),
    bytes: entities * ENTITY_BYTES,
  };
}

function notesOf(definition: ExportDefinition, unsure: number, filersUnsure: boolean): string[] {
  const notes: string[] = [];
  const more = [
    ...(wantsFrom(definition, 'sections') ? ['sections'] : []),
    ...(wantedFormTables(definition, null).length > 0 ? ['forms'] : []),
    ...(wantsFrom(definition, 'document') ? ['documents'] : []),
  ];
  if (unsure > 0) {
    notes.push(
      `for ${counted(unsure, 'filing')} only filing_info will state the form and the documents: requests for ${more.join(' and ')} may be added`,
    );
  }
  if (filersUnsure) notes.push('entities: at most, as if each filing were of another company');
  return notes;
}
