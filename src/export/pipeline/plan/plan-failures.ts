/** The work list of a retry. */
import type { Filing } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { type CoveredStep, type ExportDefinition, outputFormatOf, type Step, wantsFrom } from '../../index.ts';
import { Coverage, documentOf, isAccessionNumber, subjectOf, type WorkLine } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { dropFailures, EarlierFailures } from '../failures/earlier-failures.ts';
import { UNSTORABLE } from '../failures/failure-log.ts';
import { FailuresThisRun } from '../failures/recorded-failures.ts';
import { failuresMadeGood } from '../failures/reported-failures.ts';
import { type FailedStep, failureKey } from '../lookup/read-failures.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import { recordsOfWindow, type StagedPlan, stagePlan } from '../staging/staged-files.ts';
import { stageLines } from '../staging/work-list.ts';
import type { PlanWindowRequest } from '../types.ts';
import { listedLine, unlistedLine } from './plan-by-number.ts';
import { recordPlanned } from './planned-steps.ts';

/** The failed steps, even if their filings have other pending steps. */
export async function planFailures(lake: Lake, request: PlanWindowRequest): Promise<StagedPlan> {
  const { run, window, pages, plan } = request;
  const { definition, run_id } = run;
  const base_version = await lake.currentVersion();
  const { records } = await recordsOfWindow<FailedStep>(lake, run_id, window, pages, failureKey);
  const failed = new Map<string, Set<string>>();
  for (const { accession_number, step, code } of records) {
    // A value that can't be stored is the same in the next answer.
    if (code === UNSTORABLE || accession_number === null || !isAccessionNumber(accession_number)) continue;
    failed.set(accession_number, (failed.get(accession_number) ?? new Set()).add(step));
  }
  const coverage = await Coverage.of(lake, [...failed.keys()], run);
  const listed = [...failed.keys()].filter((number) => coverage.get(number).has('filing'));
  const filings = await filingsInLake(lake, listed);
  const failedNow = await FailuresThisRun.of(lake, run, plan);
  const over = new Set((await failuresMadeGood(lake, run)).map(failureKey));
  const all: WorkLine[] = [];
  const earlier = await EarlierFailures.of(lake, run, { numbers: failed.keys() });
  const replace: Replacement[] = [];
  for (const [number, steps] of failed) {
    const covered = coverage.get(number);
    const filing = filings.get(number);
    const isOver = (step: string) => over.has(failureKey({ step, subject: subjectOf(number, step) }));
    if (filing === undefined) all.push(unlistedLine(definition, number, steps));
    else {
      const pending = listedLine(definition, filing, covered)?.steps ?? [];
      mergeReplacements(replace, dropFailures(definition.name, earlier.over(filing, covered, pending)));
      // Another export fetched the step. It may name more documents, which this retry doesn't want.
      const asked = [...steps].some(isOver)
        ? pending
        : pending.filter(({ step }) => steps.has(step) || (step === 'info' && isToldByInfo(filing, steps)));
      const again = [...asked, ...documentsNotListed(definition, filing, steps, covered)];
      const { revision } = covered.get('filing')!;
      if (again.length > 0) all.push({ filing, revision, steps: again, covered: Object.fromEntries(covered) });
    }
  }
  const lines = all.flatMap((line) => failedNow.leftOf(line) ?? []);
  const writer = lake.openStaging(run_id, request.batch_id, request.attempt);
  await recordPlanned(lake, request, lines, writer, replace);
  const sealed = await writer.seal();
  return stagePlan(lake, run_id, window, plan, {
    base_version,
    filings: lines.length,
    known: 0,
    failures: 0,
    ...(await stageLines(lake, request, lines)),
    segments: sealed ? [sealed.name] : [],
    replace,
  });
}

/** Which documents a form's tables are made of is not in the lake: filing_info is asked for it again. */
function isToldByInfo({ documents, form_type }: Filing, steps: ReadonlySet<string>): boolean {
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
