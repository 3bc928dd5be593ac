/** The steps that an answer of filing_info adds to those of a filing. */
import type { FilingInfo } from '../../../filings/api/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import type { Step } from '../../selectors/index.ts';
import { documentsOf, infoTellsMore, isFetchedWhole, namesMore, passOf, stepsNotCovered } from '../../steps/index.ts';
import { joinedSteps, type WorkLine } from '../coverage/coverage.ts';

/**
 * Contents of documents, if the lookup named none or only some, and what depends on the form, if it named none. The list of
 * filing_info then decides about the lookup's documents too.
 * @param together the steps that are fetched with it
 */
export function stepsAfterInfo(
  definition: ExportDefinition,
  line: WorkLine,
  info: FilingInfo,
  together: readonly Step[],
): Step[] {
  const { filing, revision } = line;
  const isWhole = isFetchedWhole(definition, line);
  const known = namesMore(filing, info) ? { ...filing, isPartlyNamed: true as const } : filing;
  if (!infoTellsMore(definition, known)) return [];
  const covered = new Map(Object.entries(line.covered));
  const named = new Set(together.map(({ step }) => step));
  const steps = stepsNotCovered(definition, known, covered, revision, info, line.refresh === true).filter(
    (step) => !named.has(step.step) && (isWhole || passOf(step) === 'documents'),
  );
  // With all documents, another one may be the main document.
  const chosen = new Set(steps.map(({ step }) => step));
  const notChosen = isWhole ? [] : line.steps.filter((step) => passOf(step) === 'documents' && !chosen.has(step.step));
  return [
    ...joinedSteps(steps, covered, { revision, documents: documentsOf(known, info) }),
    ...notChosen.map(goneStep),
  ];
}

/** Leaves the step without rows, and without a request. */
function goneStep(step: Step): Step {
  const name = step.step as Extract<Step, { gone: true }>['step'];
  return step.step === 'forms' ? { ...step, documents: [] } : { step: name, selector: step.selector, gone: true };
}
