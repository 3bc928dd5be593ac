/** What a filing still needs, by what coverage has of it: the one rule for planning an export and for running it. */
import type { Filing } from '../../api/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { filledRevision, isSameContent, recordHashOf, revisionOf } from './revision.ts';
import type { Step } from './step.ts';
import { documentsByInfo, filingSelector, infoTellsMore, selectorCovers, stepsFor } from './steps.ts';

/** What the lake's coverage has of a filing's step. */
export interface CoveredStep {
  selector: string;
  revision: string;
  status: string;
  /** Of the step `filing`: hash of what the lookup said besides. */
  record?: string | null;
}

export interface PendingSteps {
  /** Of the record, with what the lake knows of it besides. */
  revision: string;
  /** Hash of the rest of the record. */
  record: string;
  /** The record has other content than the one that the lake's `filings` row is of. */
  changed: boolean;
  /** The lake has the lookup's rows that are wanted, of this content. */
  listed: boolean;
  /** The record says what the one said that those rows were written from. */
  isSameRecord: boolean;
  steps: Step[];
  /** No request is needed, and no row is missing. */
  known: boolean;
  /** What coverage has, each step's revision stated as far as the filing's own was. */
  had: ReadonlyMap<string, CoveredStep>;
}

/** @param filing the lookup's record */
export function pendingSteps(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
): PendingSteps {
  const stated = revisionOf(filing);
  const record = recordHashOf(filing);
  const lookedUp = covered.get('filing');
  const changed = lookedUp !== undefined && !isSameContent(lookedUp.revision, stated);
  const revision = lookedUp === undefined || changed ? stated : filledRevision(stated, lookedUp.revision);
  const had = lookedUp === undefined ? covered : statedSteps(covered, changed ? lookedUp.revision : revision);
  const steps = stepsNotCovered(definition, filing, had, revision);
  const selector = filingSelector(definition, { documents: documentsByInfo(covered.get('info')?.selector, steps) });
  const listed = lookedUp !== undefined && !changed && selectorCovers(lookedUp.selector, selector);
  const isSameRecord = lookedUp?.revision === revision && lookedUp.record === record;
  return { revision, record, changed, listed, isSameRecord, steps, known: listed && steps.length === 0, had };
}

/** A step that was done while the service stated less of the filing is of the revision that it states since. */
function statedSteps(covered: ReadonlyMap<string, CoveredStep>, revision: string): ReadonlyMap<string, CoveredStep> {
  const isStated = (step: string, had: CoveredStep) =>
    step === 'filing' || had.revision === revision || !isSameContent(had.revision, revision);
  const stated = new Map<string, CoveredStep>();
  let isSame = true;
  for (const [step, had] of covered) {
    if (isStated(step, had)) continue;
    isSame = false;
    stated.set(step, { ...had, revision });
  }
  return isSame ? covered : new Map([...covered, ...stated]);
}

/**
 * The steps of a filing that coverage doesn't have for a revision: those never asked, those that failed, those asked for less, and those of an older
 * revision.
 */
export function stepsNotCovered(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
  revision: string,
): Step[] {
  return stepsFor(askedOf(definition, covered, revision), filing).filter(
    (step) => !isCovered(covered.get(step.step), step, revision) || isAskedAgain(step),
  );

  // What only filing_info tells of, and failed, is owed again by way of it.
  function isAskedAgain({ step }: Step): boolean {
    if (step !== 'info' || !infoTellsMore(definition, filing)) return false;
    const isToldOf = (name: string) =>
      name === 'sections' ? filing.form_type === null : name.startsWith('document:') && filing.documents.length === 0;
    return [...covered].some(([name, { status }]) => status === 'failed' && isToldOf(name));
  }
}

/** Whether coverage has a step of another content than a revision's. */
export function isOlder(had: Pick<CoveredStep, 'revision'> | undefined, revision: string): boolean {
  return had !== undefined && !isSameContent(had.revision, revision);
}

/** Documents that filing_info brought for an older revision are brought anew by filing_info: the lookup's would leave their exhibits behind. */
function askedOf(
  definition: ExportDefinition,
  covered: ReadonlyMap<string, CoveredStep>,
  revision: string,
): ExportDefinition {
  const { tables, documents } = definition;
  if (!tables.includes('documents') || documents.sizes) return definition;
  const info = covered.get('info');
  const isByInfo = isOlder(info, revision) && selectorCovers(info!.selector, 'documents');
  return isByInfo ? { ...definition, documents: { ...documents, sizes: true } } : definition;
}

/** A failed step is owed again; an absence is final for the revision that it was found with. */
function isCovered(had: CoveredStep | undefined, step: Step, revision: string): boolean {
  if (had === undefined || had.status === 'failed') return false;
  return selectorCovers(had.selector, step.selector) && isSameContent(had.revision, revision);
}
