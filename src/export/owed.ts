/** What a filing still needs, by what coverage has of it: the one rule for planning an export and for running it. */
import type { Filing } from '../contract/index.ts';
import type { ExportDefinition } from './definition.ts';
import { revisionOf } from './revision.ts';
import { filingSelector, type Step, selectorCovers, stepsFor } from './steps.ts';

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

export function owedOf(definition: ExportDefinition, filing: Filing, covered: ReadonlyMap<string, CoveredStep>): Owed {
  const revision = revisionOf(filing);
  const lookedUp = covered.get('filing');
  const changed = lookedUp !== undefined && lookedUp.revision !== revision;
  const listed = lookedUp !== undefined && selectorCovers(lookedUp.selector, filingSelector(definition));
  const steps = stepsFor(definition, filing).filter((step) => changed || !isCovered(covered.get(step.step), step));
  return { revision, changed, listed, steps, known: listed && !changed && steps.length === 0 };
}

/** A failed step is owed again; an absence is final for the revision that it was found with. */
function isCovered(had: CoveredStep | undefined, step: Step): boolean {
  return had !== undefined && had.status !== 'failed' && selectorCovers(had.selector, step.selector);
}
