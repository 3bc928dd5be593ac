/**
 * Decides a step by its answer: the rows to write and to delete, what the circuit breaker learns, and what is recorded as a failure.
 * Nothing is requested or read here; `run-step.ts` does that.
 */
import type { FilingInfo } from '../../../filings/api/index.ts';
import { MAPPING_VERSION } from '../../../filings/forms/index.ts';
import { namesFrom, type Row, rowsOf } from '../../../lake/tables/index.ts';
import { AnswerTooLongError } from '../../client/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { keepChosenSections, mappingVersionOf, type Step } from '../../selectors/index.ts';
import {
  type CoveredStep,
  infoSelector,
  infoTellsMore,
  isCovered,
  isOlder,
  isYoung,
  joinedSelector,
  MORE_DOCUMENTS,
  namesMore,
  selectorCovers,
  selectorGiven,
  withOwnSelector,
} from '../../steps/index.ts';
import { replaceStep, tablesOfDocument, tablesOfSelector, type WorkLine } from '../coverage/coverage.ts';
import { isAmongChosen } from '../coverage/listed-sections.ts';
import { isUnexplained, type Operation } from '../failures/circuit-breaker.ts';
import type { Fault } from '../failures/failure-log.ts';
import { DocumentTooLargeError, FormUnreadableError } from '../failures/verdict.ts';
import { addRefreshed, type RowBatch } from '../staging/segment-sink.ts';
import { restatedFiling } from './checked-filing.ts';
import type { StepAnswer } from './request-step.ts';
import { addFormRows, batchOf, coverageRow, joinBatch, lookupDocuments, type StepRows } from './row-batch.ts';
import { decideFailedStep, type FailedRequest } from './step-outcome.ts';

export interface StepCase {
  definition: ExportDefinition;
  run_id: string;
  /** `YYYY-MM-DD` */
  today: string;
  line: WorkLine;
  step: Step;
  /** The filing's answer of filing_info that was fetched with the step, and is not in the lake yet. Absent: none was. */
  fetchedInfo?: FilingInfo | undefined;
}

/** A request that failed. `row`: of `export_failures`. `isKnown`: a completed run has reported the same failure. */
export interface FailedStep extends Pick<FailedRequest, 'verdict' | 'isListed'> {
  error: unknown;
  row: Row;
  isKnown: boolean;
}

export interface Suspect {
  operation: Operation;
  error: unknown;
  isKnown: boolean;
}

export interface StepDecision {
  batch: RowBatch;
  /** Used instead if the operation can't be shown to work. The 404 is then a failure, not an absence. */
  unproven?: RowBatch;
  /** What the circuit breaker learns of the operation; null if nothing. */
  breaker: 'answered' | 'failed' | null;
  /** The service may be at fault: the batch is held until the operation is known to answer others. */
  suspect?: Suspect;
  info: FilingInfo | null;
  /** Values of the answer, for a row of `export_failures`. */
  faults?: { as: 'violation' | 'unstorable'; list: readonly Fault[] };
}

/** @param answer null: still that of the ETag sent @param listed section codes of the filing, by filing_info */
export function decideAnswer(of: StepCase, answer: StepAnswer | null, listed: readonly string[] = []): StepDecision {
  const { line, step, run_id } = of;
  const before = answeredBefore(line, step);
  if (before !== null && (answer === null || answer.content === before.content)) return unchanged(of, before, answer);
  const { result, info, forms, ...stored } = answer!;
  const written = tablesWritten(of);
  const rows: StepRows = Object.fromEntries(Object.entries(result.rows).filter(([table]) => written.has(table)));
  const all = faultsOf(of, answer!, { listed, tables: written });
  // What other exports have asked of the step is theirs: coverage leaves it out, and they request it again.
  const own = { ...of, step: withOwnSelector(of.definition, line.filing, step) };
  const tables = new Set(step.step === 'info' ? tablesOfSelector('info', own.step.selector) : written);
  const { missing, violations } = areSome(all) ? faultsOf(own, answer!, { listed, tables }) : all;
  const isOfOthers = areSome(all) && missing.length + violations.length === 0;
  keepChosenSections(rows, step, info?.form_type ?? line.filing.form_type);
  if (all.lacking.length > 0) rows.documents = [...(rows.documents ?? []), ...all.lacking];
  const kind = 'gone' in step || isEmpty(of, answer!) ? 'absent' : 'done';
  const covered = answered(isOfOthers ? own : of, kind, info);
  rows.coverage = [coverageRow(line, covered, missing.length > 0 ? 'failed' : kind, run_id, stored)];
  const batch = batchOf(line, step, rows, replacements(of));
  if (before !== null) addRefreshed(batch, { refreshed: 1 });
  if (forms) addFormRows(batch, forms, written);
  if (info !== null) joinBatch(batch, restatedFiling(line, info));
  const decided = { batch, breaker: 'answered', info } as const;
  if (missing.length > 0) return { ...decided, faults: { as: 'violation', list: [...missing, ...violations] } };
  return violations.length === 0 ? decided : { ...decided, faults: { as: 'unstorable', list: violations } };
}

interface AnswerFaults {
  /** What the answer lacks of the step. */
  missing: Fault[];
  /** Documents of the lookup that the answer does not name. */
  lacking: Row[];
  /** Values that can't be stored. */
  violations: readonly Fault[];
}

/** What is wrong with an answer, by the step's selector. */
function faultsOf(
  { line, step }: StepCase,
  answer: StepAnswer,
  { listed, tables }: { listed: readonly string[]; tables: ReadonlySet<string> },
): AnswerFaults {
  const { result, info } = answer;
  const unmatched = keepChosenSections({ ...result.rows }, step, info?.form_type ?? line.filing.form_type);
  const named = new Set<unknown>(info?.documents.map(({ document_id }) => document_id));
  const lacking =
    info === null || line.knownBy === 'lake' || !tables.has('documents')
      ? []
      : lookupDocuments(line).filter(({ document_id }) => !named.has(document_id));
  const missing = missingSections(step, answer, listed);
  if (unmatched.length > 0)
    missing.push({ path: 'sections', value: `under names that are not codes: ${unmatched.join(', ')}` });
  if (lacking.length > 0) {
    const ids = lacking.map(({ document_id }) => document_id).join(', ');
    missing.push({ path: 'documents', value: `without ${ids}, which the lookup names` });
  }
  const others = namesFrom('info').filter((table) => !tables.has(table));
  const violations =
    info === null || result.violations.length === 0 ? result.violations : rowsOf('info', info, others).violations;
  return { missing, lacking, violations };
}

function areSome({ missing, violations }: AnswerFaults): boolean {
  return missing.length + violations.length > 0;
}

/** Chosen sections that filing_info lists beside others of the answer, and those without a word: the answer is not whole. */
function missingSections(step: Step, { result }: StepAnswer, listed: readonly string[]): Fault[] {
  if (step.step !== 'sections') return [];
  const given = new Map(result.rows.section_contents?.map(({ section, html }) => [section, html]));
  const isWanted = (code: unknown) => isAmongChosen(step.selector, [String(code)]);
  const empty = [...given].flatMap(([code, html]) => (html === '' && isWanted(code) ? [code] : []));
  const left = listed.filter((code) => !given.has(code) && isWanted(code));
  // Without a common code, the two operations have other names for sections.
  const isContradiction = left.length > 0 && listed.some((code) => given.has(code));
  return [
    ...(empty.length > 0 ? [{ path: 'sections', value: `nothing in ${empty.join(', ')}` }] : []),
    ...(isContradiction ? [{ path: 'sections', value: `without ${left.join(', ')}, which filing_info lists` }] : []),
  ];
}

/** Coverage alone is written. The failures of its values stay too: they are of the answer that did not change. */
function unchanged(of: StepCase, before: CoveredAnswer, answer: StepAnswer | null): StepDecision {
  const { line, step, run_id } = of;
  const info = answer?.info ?? null;
  const etag = answer === null ? (before.etag ?? null) : answer.etag;
  const selector = info === null ? before.selector : selectorWithMore(of, before.selector, info);
  const row = { ...coverageRow(line, step, before.status, run_id, { ...before, etag }), selector };
  const replace = replacements(of).filter(({ table }) => table === 'coverage');
  const batch = batchOf(line, step, { coverage: [row] }, replace);
  addRefreshed(batch, { refreshed: 1, unchanged: 1 });
  if (step.step === 'info') joinBatch(batch, restatedFiling(line, info));
  return { batch, breaker: 'answered', info };
}

export function decideFailure(of: StepCase, { error, row, verdict, isKnown, isListed }: FailedStep): StepDecision {
  const { line, step, run_id, definition } = of;
  const { kind, as, breaker } = decideFailedStep({
    step: step.step,
    verdict,
    isUnexplained: isUnexplained(error),
    isReported: isKnown,
    isListed,
    isOfSize: error instanceof AnswerTooLongError || error instanceof DocumentTooLargeError,
    isAnswered: error instanceof FormUnreadableError,
    isUnlisted: 'isUnlisted' in step,
  });
  const { [step.step]: before, info } = line.covered;
  // A failed request doesn't replace an older answer: its rows stay, and coverage still states their revision.
  const isOfOlder = before !== undefined && before.status !== 'failed' && isOlder(before, line.revision);
  const isKept = isOfOlder && !infoTellsMore(definition, line.filing);
  // Without filing_info, only the lookup's document list is known.
  const isInfoStored = selectorCovers(info?.selector ?? '', 'documents');
  const isInfoOlder = info?.status === 'failed' && isOlder(info, line.revision);
  const namesDocuments =
    step.step === 'info' && definition.tables.includes('documents') && (!isInfoStored || isInfoOlder);
  const isUnreadable =
    error instanceof FormUnreadableError ||
    error instanceof AnswerTooLongError ||
    error instanceof DocumentTooLargeError;
  const reason = isUnreadable ? 'unreadable_document' : 'request_failed';
  const replace = replacements(of);
  const replaced = new Set(['export_failures', isKept ? '' : 'coverage', namesDocuments ? 'documents' : '']);
  const rows = {
    ...(isKept ? {} : { coverage: [coverageRow(line, step, 'failed', run_id, { reason })] }),
    ...(namesDocuments ? { documents: lookupDocuments(line) } : {}),
    export_failures: [row],
  };
  const failure = batchOf(
    line,
    step,
    rows,
    replace.filter(({ table }) => replaced.has(table)),
  );
  const absent = { coverage: [coverageRow(line, answered(of, 'absent', null), 'absent', run_id)] };
  const batch = as === 'failed' ? failure : batchOf(line, step, absent, replace);
  for (const one of new Set([failure, batch]))
    if (answeredBefore(line, step) !== null) addRefreshed(one, { refreshed: 1 });
  if (kind !== 'held') return { batch, breaker, info: null };
  const suspect = { operation: operationOf(step), error, isKnown: verdict === 'absent' && isKnown };
  return { batch, breaker, info: null, suspect, ...(batch === failure ? {} : { unproven: failure }) };
}

/** Whether an answer has nothing of what was requested. */
export function isEmpty({ step, line }: Pick<StepCase, 'step' | 'line'>, { forms, result }: StepAnswer): boolean {
  if (forms) return forms.count === 0;
  if (step.step !== 'sections') return false;
  const rows = { ...(result.rows as StepRows) };
  keepChosenSections(rows, step, line.filing.form_type);
  return rows.section_contents?.length === 0;
}

/** The step with the selector that its answer covers. If an absence may end, it covers nothing. */
function answered(of: StepCase, kind: 'done' | 'absent', info: FilingInfo | null): Step {
  const { line, step, today } = of;
  if (info !== null) {
    const selector = selectorWithMore(of, step.selector, info);
    return { ...step, selector: selectorGiven(selector, line.filing, info, today) };
  }
  const isOpen = step.step === 'sections' && kind === 'absent' && isYoung(line.filing, today);
  const isGone = 'gone' in step || (kind === 'absent' && 'isUnlisted' in step);
  return isOpen || isGone ? { ...step, selector: '' } : step;
}

/** Documents that filing_info alone names are fetched with it: its selector has their choice. */
function selectorWithMore({ definition, line: { filing } }: StepCase, selector: string, info: FilingInfo): string {
  if (!namesMore(filing, info)) return selector;
  const more = infoSelector(definition, { ...filing, isPartlyNamed: true });
  return joinedSelector(selector, `${more},${MORE_DOCUMENTS}`);
}

/**
 * The tables for a step's rows: the wanted ones, and those of other exports. Coverage has one ETag for all of them, so none of them
 * may keep rows of an older answer. Tables that a changed filing can't have any more lose their rows too.
 */
function tablesWritten({ definition: { tables }, line, step: { step, selector } }: StepCase): ReadonlySet<string> {
  if (step !== 'info' && step !== 'sections' && step !== 'forms')
    return new Set([...tables, ...tablesOfDocument(selector)]);
  const before = tablesOfSelector(step, line.covered[step]?.selector ?? '');
  return new Set([...tables, ...tablesOfSelector(step, selector), ...before]);
}

/** The older rows of a step. Documents of filing_info may have come from the lookup. */
function replacements(of: StepCase): RowBatch['replace'] {
  const { definition, line, step } = of;
  const isListed = step.step === 'info' && selectorCovers(line.covered.filing?.selector ?? '', 'documents');
  if (line.covered[step.step] === undefined && !isListed) return [];
  return replaceStep(definition, line.filing.accession_number, step.step, tablesWritten(of));
}

type CoveredAnswer = CoveredStep & { status: 'done' | 'absent' };

/** The coverage that has a whole step in this revision already: it is requested only to see whether the answer is another one. */
export function answeredBefore({ covered, revision }: WorkLine, step: Step): CoveredAnswer | null {
  const before = covered[step.step];
  if (before === undefined || before.isOwn || !isCovered(before, step, revision)) return null;
  const { status } = before;
  if (step.step === 'forms' && mappingVersionOf(before.selector) !== MAPPING_VERSION) return null;
  return status === 'done' || status === 'absent' ? { ...before, status } : null;
}

export function operationOf({ step }: Pick<Step, 'step'>): Operation {
  return step === 'info' ? 'filing_info' : step === 'sections' ? 'filing_sections' : 'document';
}
