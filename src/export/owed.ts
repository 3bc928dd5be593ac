/** What a filing still needs, by what coverage has of it: the one rule for planning an export and for running it. */
import type { Filing } from '../contract/index.ts';
import type { ExportDefinition } from './definition.ts';
import { isRevisionOf, revisionOf } from './revision.ts';
import { documentsByInfo, filingSelector, infoTellsMore, type Step, selectorCovers, stepsFor } from './steps.ts';

/** What the lake's coverage has of a filing's step. */
export interface CoveredStep {
  selector: string;
  revision: string;
  status: string;
}

export interface Owed {
  revision: string;
  /** The lookup's record is another than the one that coverage is of: everything is fetched again. */
  changed: boolean;
  /** The lookup's own rows are there. */
  listed: boolean;
  steps: Step[];
  /** Nothing is needed. */
  known: boolean;
}

/** @param filing the lookup's record */
export function owedOf(definition: ExportDefinition, filing: Filing, covered: ReadonlyMap<string, CoveredStep>): Owed {
  const revision = revisionOf(filing);
  const lookedUp = covered.get('filing');
  const changed = lookedUp !== undefined && !isRevisionOf(lookedUp.revision, filing);
  const steps = changed ? stepsFor(definition, filing) : stepsNotCovered(definition, filing, covered);
  const selector = filingSelector(definition, { documents: documentsByInfo(covered.get('info')?.selector, steps) });
  // What filing_info alone has told lacks what only the lookup says.
  const listed = lookedUp?.revision === revision && selectorCovers(lookedUp.selector, selector);
  return { revision, changed, listed, steps, known: listed && !changed && steps.length === 0 };
}

/** The steps of a filing that coverage doesn't have, whatever the revision that it has them of. */
export function stepsNotCovered(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
): Step[] {
  return stepsFor(definition, filing).filter((step) => !isCovered(covered.get(step.step), step) || isAskedAgain(step));

  // What only filing_info tells of, and failed, is owed again by way of it.
  function isAskedAgain({ step }: Step): boolean {
    if (step !== 'info' || !infoTellsMore(definition, filing)) return false;
    const isToldOf = (name: string) =>
      name === 'sections' ? filing.form_type === null : name.startsWith('document:') && filing.documents.length === 0;
    return [...covered].some(([name, { status }]) => status === 'failed' && isToldOf(name));
  }
}

/** A failed step is owed again; an absence is final for the revision that it was found with. */
function isCovered(had: CoveredStep | undefined, step: Step): boolean {
  return had !== undefined && had.status !== 'failed' && selectorCovers(had.selector, step.selector);
}
