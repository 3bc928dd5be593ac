/**
 * Fetches the pending steps of one filing, one after the other: requests, converts to rows, and writes them to the sink with their
 * replacements.
 */

import type { Filing, FilingInfo } from '../../api/index.ts';
import { AnswerTooLongError, type FilingClient, RecordNotFoundError } from '../../client/index.ts';
import {
  type CoveredStep,
  documentsOf,
  type ExportDefinition,
  infoSelector,
  infoTellsMore,
  isCovered,
  isFetchedWhole,
  isOlder,
  isYoung,
  joinedSelector,
  keepChosenSections,
  lastPassOf,
  MORE_DOCUMENTS,
  mappingVersionOf,
  namesMore,
  type Pass,
  passOf,
  requestsOf,
  type Step,
  selectorCovers,
  selectorGiven,
  stepsInPass,
  stepsNotCovered,
} from '../../export/index.ts';
import { MAPPING_VERSION } from '../../forms/index.ts';
import type { Row, RowsResult, RowViolation } from '../../tables/index.ts';
import { CircuitBreaker, isUnexplained, type Operation, type Question } from '../failures/circuit-breaker.ts';
import type { FailureLog } from '../failures/failure-log.ts';
import type { AnsweredStep } from '../failures/probe-requests.ts';
import { DocumentTooLargeError, verdictOf } from '../failures/verdict.ts';
import { type AnswerHold, answerMemory } from '../lookup/answer-memory.ts';
import {
  documentOf,
  joinedSteps,
  replaceStep,
  subjectOf,
  tablesOfDocument,
  tablesOfSelector,
  type WorkLine,
} from '../plan/coverage.ts';
import { isAmongChosen } from '../plan/listed-sections.ts';
import { listByInfo } from '../plan/plan-by-number.ts';
import { isInSameWindows } from '../plan/unlisted-filings.ts';
import { checkedFiling, withoutMark } from './checked-filing.ts';
import { documentOfError, FormUnreadableError } from './form-rows.ts';
import type { RequestBudget } from './request-budget.ts';
import { documentsKept } from './request-forms.ts';
import { askAgain, requestStep } from './request-step.ts';
import {
  addFormRows,
  coverageRow,
  deliver,
  emptyDelivery,
  failuresOf,
  joinDelivery,
  lookupDocuments,
  type StepRows,
} from './row-batch.ts';
import { addRefreshed, type RowBatch, type SegmentSink } from './segment-sink.ts';
import { decideFailedStep, type StepOutcomeKind } from './step-outcome.ts';
import { type DocumentSizes, LARGE_BYTES, tooLongAnswers } from './too-large.ts';

interface FetcherOptions {
  definition: ExportDefinition;
  client: FilingClient;
  sink: SegmentSink;
  requestBudget: RequestBudget;
  log: FailureLog;
  pass: Pass;
  /** `<accession number> <step>` of the steps that earlier attempts sealed. */
  done: ReadonlySet<string>;
  /** Refused records are recorded, however many come in a row. */
  insistent?: boolean;
  /** A filing of which nothing was requested yet in this pass; null if there is none. */
  unasked?: () => Promise<WorkLine | null>;
  /** Requests that the operation answered before, from the lake. */
  probes?: (operation: Operation) => Promise<AnsweredStep[]>;
  /** Known sizes of documents. */
  sizes?: DocumentSizes;
  /** Codes of the sections that filing_info lists for a filing. */
  listed?: (accession_number: string) => Promise<readonly string[]>;
  /** A filing's row in the lake; null: it has none. */
  stored?: (accession_number: string) => Promise<Filing | null>;
  /** Whether this run has fetched the documents of a filing together with filing_info. */
  isFetchedWithInfo?: (accession_number: string) => Promise<boolean>;
  /** The day of the run, `YYYY-MM-DD`; default: today. */
  today?: string;
}

interface StepOutcome {
  kind: StepOutcomeKind;
  delivery: RowBatch;
  info: FilingInfo | null;
  error: unknown;
  /** Used instead of `delivery` if the operation can't be shown to work: the 404 is then recorded as a failure, not an absence. */
  unproven?: RowBatch;
  /** A completed run has reported the same failure. */
  isKnown?: boolean;
}

export class FilingFetcher {
  /** Filings completed, and steps done. */
  filings = 0;
  steps = 0;
  readonly #options: FetcherOptions;
  readonly #wanted: ReadonlySet<string>;
  readonly #breaker: CircuitBreaker;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#wanted = new Set<string>(options.definition.tables);
    const { client, sink } = options;
    this.#breaker = new CircuitBreaker({
      record: (delivery) => sink.take(delivery),
      unasked: (operation) => this.#unasked(operation),
      probes: (operation) => this.#probes(operation),
      cheap: () => client.filingLookup({ from: 0, to: 1 }),
      insistent: options.insistent ?? false,
    });
  }

  /** @throws BudgetReachedError, QuotaExceededError: earlier steps stay; errors of verdict `fatal`; OperationFailingError */
  async fetch(line: WorkLine): Promise<void> {
    const { definition, done, pass } = this.#options;
    const steps = stepsInPass(definition, line, pass);
    if (steps === null) return;
    const { accession_number } = line.filing;
    if (line.isUnlisted) {
      // Not one of the planned steps: the end of the run does not look for it.
      if (!done.has(`${accession_number} filing`)) await this.#check(line);
      return;
    }
    const isDone = (step: Step) => done.has(`${accession_number} ${step.step}`);
    if (steps.length === 0 || !steps.every(isDone)) {
      if (isFetchedWhole(definition, line)) await this.#fetchTogether(line, steps);
      else if (pass !== 'documents' || !(await this.#options.isFetchedWithInfo?.(accession_number)))
        for (const step of steps) if (!isDone(step)) await this.#fetchTogether(line, [step]);
    }
    if (lastPassOf(definition, line) === pass) this.filings++;
  }

  /** Whether a filing that a proven window lacks was removed. In doubt nothing is written, and the next run asks again. */
  async #check(line: WorkLine): Promise<void> {
    const { client, definition, log, stored } = this.#options;
    const before = (await stored?.(line.filing.accession_number)) ?? line.filing;
    // Another window has it meanwhile: it has moved.
    if (!isInSameWindows(before, line.filing)) return;
    let info: FilingInfo | null = null;
    try {
      info = (await client.filingInfo(line.filing.accession_number)).value;
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict === 'stopped' || verdict === 'fatal') throw error;
      if (verdict !== 'absent' || isUnexplained(error)) return;
    }
    const checked = checkedFiling(definition, line, before, info, log.runId);
    if (checked !== null) await this.#options.sink.take(checked);
  }

  /** Steps of a filing, and those that filing_info names beside them, as one batch of rows. */
  async #fetchTogether(line: WorkLine, steps: readonly Step[]): Promise<void> {
    const { definition, log } = this.#options;
    const gathered = emptyDelivery();
    const unproven = emptyDelivery();
    let suspect: Suspect | null = null;
    const queue = [...steps];
    let known = line;
    const hold = answerMemory.hold();
    try {
      for (let step = queue.shift(); step; step = queue.shift()) {
        const outcome = await this.#step(known, step, hold);
        const { delivery, info } = outcome;
        if (info && line.unlisted) {
          const byInfo = listByInfo(definition, line, info, delivery, log.runId);
          known = byInfo.listed;
          joinDelivery(delivery, await this.#unstorable(line, byInfo.violations));
        }
        if (info) queue.push(...this.#stepsAfterInfo(line, info, steps));
        this.steps += requestsOf(step);
        suspect = moreTelling(suspect, suspectOf(step, outcome));
        joinDelivery(gathered, delivery);
        joinDelivery(unproven, outcome.unproven ?? delivery);
        // Rows that are gathered release the memory: otherwise two filings could wait for each other.
        if (queue.length > 0) hold.release();
      }
      const unlisted = line.unlisted && known === line;
      const kept = (all: RowBatch) => (unlisted ? failuresOf(definition.name, all) : all);
      await this.#deliver(kept(gathered), suspect, kept(unproven));
    } finally {
      hold.release();
    }
  }

  /** Values of the filing's own record that can't be stored. */
  async #unstorable(line: WorkLine, violations: readonly RowViolation[]): Promise<RowBatch> {
    const none = emptyDelivery();
    if (violations.length === 0) return none;
    const { accession_number, cik } = line.filing;
    const of = { accession_number, document_id: null, cik };
    const about = { export: this.#options.definition.name, step: 'filing', subject: accession_number, ...of };
    const row = await this.#options.log.unstorable({ ...about, revision: line.revision }, violations);
    return { ...none, rows: { export_failures: [row] }, failures: 1 };
  }

  /**
   * The steps that filing_info names: contents of documents, if the lookup named none or only some, and what depends on the form, if it
   * named none. Its list of documents then decides about those of the lookup too.
   */
  #stepsAfterInfo(line: WorkLine, info: FilingInfo, together: readonly Step[]): Step[] {
    const { definition } = this.#options;
    const { filing, revision } = line;
    const isWhole = isFetchedWhole(definition, line);
    const known = namesMore(filing, info) ? { ...filing, isPartlyNamed: true as const } : filing;
    if (!infoTellsMore(definition, known)) return [];
    const covered = new Map(Object.entries(line.covered));
    const named = new Set(together.map(({ step }) => step));
    const steps = stepsNotCovered(definition, known, covered, revision, info, line.refresh === true).filter(
      (step) => !named.has(step.step) && (isWhole || passOf(step) === 'documents'),
    );
    // The lookup's list alone made other ones: the main document of only some is another one.
    const notChosen = isWhole ? [] : line.steps.filter((step) => passOf(step) === 'documents' && !isAmong(steps, step));
    return [
      ...joinedSteps(steps, covered, { revision, documents: documentsOf(known, info) }),
      ...notChosen.map(goneStep),
    ];
  }

  /** @throws DocumentTooLargeError, AnswerTooLongError: known without a request */
  async #refuseTooLarge(line: WorkLine, step: Step, bytes: number | null): Promise<void> {
    const { log, sizes } = this.#options;
    const refusal = sizes?.refusal(step, bytes) ?? null;
    if (refusal) throw refusal;
    if (line.covered[step.step]?.status !== 'failed') return;
    for (const tooLong of tooLongAnswers(step, sizes?.bytesMax ?? null))
      if (await log.isRecorded(this.#about(line, step), tooLong)) throw tooLong;
  }

  /** @param hold memory of the answer, held until it is written */
  async #step(line: WorkLine, step: Step, hold: AnswerHold): Promise<StepOutcome> {
    const { definition, log } = this.#options;
    const { accession_number } = line.filing;
    const written = this.#tablesWritten(line, step);
    const replace = hasRowsOf(line, step) ? replaceStep(definition, accession_number, step.step, written) : [];
    // A failed request doesn't replace an older answer. Coverage still states the older revision.
    const isKept = hasOlderRows(line, step) && !infoTellsMore(definition, line.filing);
    const before = answeredBefore(line, step);
    let isListed = false;
    try {
      const bytes = (await this.#options.sizes?.bytesOf(line, step)) ?? null;
      await this.#refuseTooLarge(line, step, bytes);
      const isAsked = requestsOf(step) > 0;
      if (isAsked) this.#breaker.requireHope(operationOf(step));
      if (bytes !== null && bytes > LARGE_BYTES) await hold.take(bytes);
      const onLarge = (most: number) => hold.take(most);
      const etag = before?.etag !== undefined && !mustBeRead(definition, line, step) ? { etag: before.etag } : {};
      const answer = await requestStep(this.#options.client, line.filing, step, {
        ...{ onLarge, received: documentsKept.of(line.revision), bytesMax: definition.documents.max_bytes, ...etag },
      });
      if (answer?.info) this.#options.sizes?.learn(answer.info);
      if (isAsked)
        await this.#breaker.succeeded(operationOf(step), () => askAgain(this.#options.client, line.filing, step));
      if (before !== null && (answer === null || answer.content === before.content)) {
        const etag = answer === null ? (before.etag ?? null) : answer.etag;
        const row = coverageRow(line, step, before.status, log.runId, { ...before, etag });
        // The failures of its values stay too: they are of the answer that did not change.
        const ofStep = replace.filter(({ table }) => table === 'coverage');
        const selector = answer?.info ? this.#selectorWithMore(line, before.selector, answer.info) : before.selector;
        const same = deliver(line, step, { coverage: [{ ...row, selector }] }, ofStep, 0);
        addRefreshed(same, { refreshed: 1, unchanged: 1 });
        if (step.step === 'info' && line.isRemoved) joinDelivery(same, withoutMark(line));
        return { kind: before.status, delivery: same, info: answer?.info ?? null, error: null };
      }
      const { result, info, forms, ...of } = answer!;
      const rows = rowsOf(result, written);
      keepChosenSections(rows, step);
      const isEmpty = forms ? forms.count === 0 : step.step === 'sections' && rows.section_contents?.length === 0;
      isListed = isEmpty && step.step === 'sections' && (await this.#isListed(line, step));
      if (isListed)
        throw new RecordNotFoundError(
          `filing_sections gave no section of ${accession_number}, though filing_info or an earlier answer had some`,
        );
      const unlisted = info !== null && written.has('documents') ? unlistedBy(info, line) : [];
      const kind = 'gone' in step || isEmpty ? 'absent' : 'done';
      const status = unlisted.length > 0 ? 'failed' : kind;
      rows.coverage = [coverageRow(line, this.#given(line, step, { kind, info }), status, log.runId, of)];
      const about = this.#about(line, step);
      if (unlisted.length > 0) {
        rows.documents = [...(rows.documents ?? []), ...unlisted];
        const ids = unlisted.map(({ document_id }) => document_id).join(', ');
        const fault = { path: 'documents', value: `without ${ids}, which the lookup names` };
        rows.export_failures = [await log.violation(about, [fault, ...result.violations])];
      } else if (result.violations.length > 0) {
        rows.export_failures = [await log.unstorable(about, result.violations)];
      }
      const delivery = deliver(line, step, rows, replace, rows.export_failures?.length ?? 0);
      if (before !== null) addRefreshed(delivery, { refreshed: 1 });
      if (forms) addFormRows(delivery, forms, written);
      if (info !== null && line.isRemoved) joinDelivery(delivery, withoutMark(line));
      return { kind, delivery, info, error: null };
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict === 'stopped' || verdict === 'fatal') throw error;
      const failure = await log.failure(this.#about(line, step, error), error);
      const isKnown = log.isKnown(failure);
      const { kind, as, breaker } = decideFailedStep({
        ...{ step: step.step, verdict, isUnexplained: isUnexplained(error), isReported: isKnown },
        isOfSize: error instanceof AnswerTooLongError || error instanceof DocumentTooLargeError,
        isAnswered: error instanceof FormUnreadableError,
        isUnlisted: isUnlisted(step),
        isListed: isListed || (verdict === 'absent' && step.step === 'sections' && (await this.#isListed(line, step))),
      });
      const absent = as === 'absent';
      const failed = isKept ? {} : { coverage: [coverageRow(line, step, 'failed', log.runId)] };
      const rows: StepRows = absent
        ? { coverage: [coverageRow(line, this.#given(line, step, { kind: 'absent' }), 'absent', log.runId)] }
        : { ...failed };
      // Without filing_info, only the lookup's document list is known.
      const namesDocuments = step.step === 'info' && this.#wanted.has('documents') && !hasDocumentsOfInfo(line);
      if (namesDocuments) rows.documents = lookupDocuments(line);
      if (!absent) rows.export_failures = [failure];
      // A failed request doesn't remove rows of an earlier answer.
      const ofFailure = replace.filter(
        ({ table }) =>
          table === 'export_failures' || (table === 'coverage' && !isKept) || (namesDocuments && table === 'documents'),
      );
      const delivery = deliver(line, step, rows, absent ? replace : ofFailure, absent ? 0 : 1);
      if (before !== null) addRefreshed(delivery, { refreshed: 1 });
      if (breaker === 'answered')
        await this.#breaker.succeeded(operationOf(step), () => askAgain(this.#options.client, line.filing, step));
      if (breaker === 'failed') await this.#breaker.failed(operationOf(step), error);
      const outcome: StepOutcome = { kind, delivery, info: null, error, isKnown: verdict === 'absent' && isKnown };
      if (kind !== 'held' || !absent) return outcome;
      const asFailure = { ...failed, export_failures: [failure] };
      return { ...outcome, unproven: deliver(line, step, asFailure, ofFailure, 1) };
    }
  }

  /** The step with the selector that its answer covers: an absence of a young filing covers nothing. */
  #given(
    line: WorkLine,
    step: Step,
    { kind, info = null }: { kind: 'done' | 'absent'; info?: FilingInfo | null },
  ): Step {
    const today = this.#options.today ?? new Date().toISOString().slice(0, 10);
    if (info !== null) {
      const selector = this.#selectorWithMore(line, step.selector, info);
      return { ...step, selector: selectorGiven(selector, line.filing, info, today) };
    }
    const isOpen = step.step === 'sections' && kind === 'absent' && isYoung(line.filing, today);
    // If it comes back, nothing of it is covered.
    return isOpen || 'gone' in step || isUnlisted(step) ? { ...step, selector: '' } : step;
  }

  /** Documents that filing_info alone names are fetched with it: its selector has their choice. */
  #selectorWithMore({ filing }: WorkLine, selector: string, info: FilingInfo): string {
    if (!namesMore(filing, info)) return selector;
    const more = infoSelector(this.#options.definition, { ...filing, isPartlyNamed: true });
    return joinedSelector(selector, `${more},${MORE_DOCUMENTS}`);
  }

  /** Whether filing_info lists sections. Before older rows are deleted it is requested, if the lake doesn't have its list. */
  async #isListed({ covered, filing: { accession_number } }: WorkLine, step: Step): Promise<boolean> {
    const { client, listed } = this.#options;
    const before = covered[step.step]?.status;
    if (this.#wanted.has('sections') || before === undefined || before === 'absent')
      return isAmongChosen(step.selector, (await listed?.(accession_number)) ?? []);
    try {
      const { sections } = (await client.filingInfo(accession_number)).value;
      return isAmongChosen(
        step.selector,
        sections.map(({ section }) => section),
      );
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict === 'stopped' || verdict === 'fatal') throw error;
      return true;
    }
  }

  /**
   * The tables for a step's rows: the wanted ones, and those of other exports. Coverage has one ETag for all of them, so none of them
   * may keep rows of an older answer.
   */
  #tablesWritten(line: WorkLine, { step, selector }: Step): ReadonlySet<string> {
    if (step !== 'info' && step !== 'sections' && step !== 'forms')
      return new Set([...this.#wanted, ...tablesOfDocument(selector)]);
    // Tables that the changed filing can't have any more lose their rows too.
    return new Set([
      ...this.#wanted,
      ...tablesOfSelector(step, selector),
      ...tablesOfSelector(step, line.covered[step]?.selector ?? ''),
    ]);
  }

  /** @param error of a step of several documents: it tells which one failed */
  #about(line: WorkLine, step: Step, error: unknown = null) {
    const { accession_number, cik } = line.filing;
    const document_id = documentOf(step.step) ?? documentOfError(error);
    return {
      export: this.#options.definition.name,
      step: step.step,
      subject: subjectOf(accession_number, step.step),
      accession_number,
      document_id,
      cik,
      revision: line.revision,
    };
  }

  async #deliver(delivery: RowBatch, suspect: Suspect | null, unproven = delivery): Promise<void> {
    if (suspect) await this.#breaker.suspect(suspect.operation, { delivery, unproven, ...suspect });
    else await this.#options.sink.take(delivery);
  }

  async #unasked(operation: Operation): Promise<Question | null> {
    const line = (await this.#options.unasked?.()) ?? null;
    const step = line?.steps.find((one) => operationOf(one) === operation);
    return line && step ? () => askAgain(this.#options.client, line.filing, step) : null;
  }

  async #probes(operation: Operation): Promise<Question[]> {
    const steps = (await this.#options.probes?.(operation)) ?? [];
    return steps.map(
      ({ accession_number, step }) =>
        () =>
          askAgain(this.#options.client, { accession_number }, step),
    );
  }

  /**
   * At the end of a stretch of work: records failures that were held back, or leaves their steps pending if no probe can be sent.
   * @throws OperationFailingError, or the error of a probe if the service is not well
   */
  async settleSuspects(): Promise<void> {
    try {
      await this.#breaker.settle();
    } catch (error) {
      if (verdictOf(error) !== 'stopped') throw error;
      this.#options.requestBudget.refused(error);
      await this.#breaker.forget();
    }
  }

  /** Before an activity ends with an error: seals the answers, and probes for failures that may be the service's fault. */
  async keepWhatIsDone(): Promise<void> {
    await this.#breaker.forget();
    await this.#options.sink.seal();
    await this.#options.requestBudget.settle();
  }
}

interface Suspect {
  operation: Operation;
  error: unknown;
  isKnown: boolean;
}

function suspectOf(step: Step, { kind, error, isKnown = false }: StepOutcome): Suspect | null {
  return kind === 'held' ? { operation: operationOf(step), error, isKnown } : null;
}

/** The first of the steps that are delivered together, without the known ones. */
function moreTelling(one: Suspect | null, other: Suspect | null): Suspect | null {
  return one === null || (one.isKnown && other !== null && !other.isKnown) ? other : one;
}

/** Rows of the documents that the lookup names and filing_info lacks. */
function unlistedBy({ documents }: FilingInfo, line: WorkLine): Row[] {
  if (line.isStored) return [];
  const listed = new Set<unknown>(documents.map(({ document_id }) => document_id));
  return lookupDocuments(line).filter(({ document_id }) => !listed.has(document_id));
}

function isUnlisted(step: Step): boolean {
  return 'isUnlisted' in step;
}

function isAmong(steps: readonly Step[], { step }: Step): boolean {
  return steps.some((one) => one.step === step);
}

/** Leaves the step without rows, and without a request. */
function goneStep(step: Step): Step {
  const name = step.step as Extract<Step, { gone: true }>['step'];
  return step.step === 'forms' ? { ...step, documents: [] } : { step: name, selector: step.selector, gone: true };
}

function operationOf({ step }: Step): Operation {
  return step === 'info' ? 'filing_info' : step === 'sections' ? 'filing_sections' : 'document';
}

function rowsOf({ rows }: RowsResult, written: ReadonlySet<string>): StepRows {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => written.has(table))) as StepRows;
}

/** Whether filing_info was requested for the documents before. It either stored them, or failed and the lookup's were written. */
function hasDocumentsOfInfo({ covered: { info }, revision }: WorkLine): boolean {
  if (info?.status === 'failed' && isOlder(info, revision)) return false;
  return selectorCovers(info?.selector ?? '', 'documents');
}

/** The coverage that has a whole step in this revision already: it is requested only to see whether the answer is another one. */
function answeredBefore({ covered, revision }: WorkLine, step: Step): CoveredAnswer | null {
  const before = covered[step.step];
  if (before === undefined || before.isOwn || !isCovered(before, step, revision)) return null;
  const { status } = before;
  if (step.step === 'forms' && mappingVersionOf(before.selector) !== MAPPING_VERSION) return null;
  return status === 'done' || status === 'absent' ? { ...before, status } : null;
}

type CoveredAnswer = CoveredStep & { status: 'done' | 'absent' };

/** Whether filing_info alone states the other steps: its answer is needed even if it did not change. */
function mustBeRead(definition: ExportDefinition, { filing, unlisted }: WorkLine, { step }: Step): boolean {
  return step === 'info' && (unlisted === true || infoTellsMore(definition, filing));
}

/** Whether the lake has an answer of an older revision to a step. */
function hasOlderRows({ covered, revision }: WorkLine, { step }: Step): boolean {
  return covered[step] !== undefined && covered[step].status !== 'failed' && isOlder(covered[step], revision);
}

/** Whether the lake may have older rows of a step. Documents of filing_info may have come from the lookup. */
function hasRowsOf({ covered }: WorkLine, { step }: Step): boolean {
  return (
    covered[step] !== undefined || (step === 'info' && selectorCovers(covered.filing?.selector ?? '', 'documents'))
  );
}
