/** The work list of a retry. */
import type { Filing } from '../../../filings/api/index.ts';
import { type ExportDefinition, wantsFrom } from '../../definition/index.ts';
import { outputFormatOf, type Step } from '../../selectors/index.ts';
import { type CoveredStep, infoTellsSections } from '../../steps/index.ts';
import { Coverage, documentOf, isAccessionNumber, subjectOf, type WorkLine } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { UNSTORABLE } from '../failures/failure-log.ts';
import { failuresMadeGood } from '../failures/reported-failures.ts';
import { type FailedStep, failureKey } from '../lookup/read-failures.ts';
import { recordsOfWindow } from '../staging/staged-files.ts';
import { listedLine, unlistedLine } from './plan-by-number.ts';
import type { WindowPlan } from './window-plan.ts';

/** The failed steps, even if their filings have other pending steps. */
export async function planFailures(plan: WindowPlan): Promise<void> {
  const { lake, request } = plan;
  const { run, window, pages } = request;
  const { definition } = run;
  const { records } = await recordsOfWindow<FailedStep>(lake, run.run_id, window, pages, failureKey);
  const failed = new Map<string, Set<string>>();
  for (const { accession_number, step, code } of records) {
    // A value that can't be stored is the same in the next answer.
    if (code === UNSTORABLE || accession_number === null || !isAccessionNumber(accession_number)) continue;
    failed.set(accession_number, (failed.get(accession_number) ?? new Set()).add(step));
  }
  const coverage = await Coverage.of(lake, [...failed.keys()], run);
  const listed = [...failed.keys()].filter((number) => coverage.get(number).has('filing'));
  const filings = await filingsInLake(lake, listed);
  const over = new Set((await failuresMadeGood(lake, run)).map(failureKey));
  const dropOver = await plan.earlierFailures(() => ({ numbers: failed.keys() }));
  const lines: WorkLine[] = [];
  for (const [number, steps] of failed) {
    const covered = coverage.get(number);
    const filing = filings.get(number);
    const isOver = (step: string) => over.has(failureKey({ step, subject: subjectOf(number, step) }));
    if (filing === undefined) lines.push(unlistedLine(definition, number, steps));
    else {
      const pending = listedLine(definition, filing, covered)?.steps ?? [];
      dropOver(filing, covered, pending);
      // Another export fetched the step. It may name more documents, which this retry doesn't want.
      const asked = [...steps].some(isOver)
        ? pending
        : pending.filter(({ step }) => steps.has(step) || (step === 'info' && isToldByInfo(definition, filing, steps)));
      const again = [...asked, ...documentsNotListed(definition, filing, steps, covered)];
      const { revision } = covered.get('filing')!;
      if (again.length > 0) lines.push({ filing, revision, steps: again, covered: Object.fromEntries(covered) });
    }
  }
  plan.filings = await plan.addWork(lines);
}

/** What a step needs is not in the lake: documents of a form's tables, or whether there are sections. filing_info is requested again. */
function isToldByInfo(
  definition: ExportDefinition,
  { documents, form_type }: Filing,
  steps: ReadonlySet<string>,
): boolean {
  if (steps.has('sections') && infoTellsSections(definition, form_type)) return true;
  return steps.has('forms') && (documents.length === 0 || form_type === null);
}

/** Documents that failed, of filings whose `documents` rows the lake lacks. Coverage has the selector of each. */
function documentsNotListed(
  definition: ExportDefinition,
  { documents }: Filing,
  steps: ReadonlySet<string>,
  covered: ReadonlyMap<string, CoveredStep>,
): Step[] {
  if (documents.length > 0 || !wantsFrom(definition, 'document')) return [];
  return [...steps].flatMap((step) => {
    const document_id = documentOf(step);
    const asked = covered.get(step);
    if (document_id === null || asked?.status !== 'failed') return [];
    const output_format = outputFormatOf(asked.selector);
    return [{ step: `document:${document_id}` as const, selector: asked.selector, document_id, output_format }];
  });
}
