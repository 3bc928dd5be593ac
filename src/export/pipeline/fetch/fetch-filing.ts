/** Fetches the pending steps of filings, and writes their batches of rows to the sink. */
import type { Filing, FilingInfo } from '../../../filings/api/index.ts';
import type { RowViolation } from '../../../lake/tables/index.ts';
import type { FilingClient } from '../../client/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { requestsOf, type Step } from '../../selectors/index.ts';
import { isFetchedWhole, lastPassOf, namesMore, type Pass, passOf, stepsInPass } from '../../steps/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';
import { CircuitBreaker, isUnexplained, type Operation, type Question } from '../failures/circuit-breaker.ts';
import type { FailureLog } from '../failures/failure-log.ts';
import type { AnsweredStep } from '../failures/probe-requests.ts';
import { verdictOf } from '../failures/verdict.ts';
import { listByInfo } from '../plan/plan-by-number.ts';
import { isInSameWindows } from '../plan/unlisted-filings.ts';
import type { RowBatch, SegmentSink } from '../staging/segment-sink.ts';
import type { RequestBudget } from '../worker/request-budget.ts';
import { answerMemory } from './answer-memory.ts';
import { checkedFiling } from './checked-filing.ts';
import { operationOf, type Suspect } from './decide-step.ts';
import { askAgain } from './request-step.ts';
import { batchOf, emptyBatch, failuresOf, joinBatch } from './row-batch.ts';
import { runStep, type StepRunner } from './run-step.ts';
import { stepsAfterInfo } from './steps-after-info.ts';
import type { DocumentSizes } from './too-large.ts';

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
  recordsRefusals?: boolean;
  /** A pending filing that no request was sent for in this pass; null if all were begun. */
  lastPending?: () => Promise<WorkLine | null>;
  /** Requests that the operation answered before, from the lake. */
  probes?: (operation: Operation) => Promise<AnsweredStep[]>;
  sizes?: DocumentSizes;
  /** Codes of the sections that filing_info lists for a filing. */
  listed?: (accession_number: string) => Promise<readonly string[]>;
  /** A filing's row in the lake; null without one. */
  stored?: (accession_number: string) => Promise<Filing | null>;
  /** Whether this run has fetched the documents of a filing together with filing_info. */
  isFetchedWithInfo?: (accession_number: string) => Promise<boolean>;
  /** The day of the run, `YYYY-MM-DD`; default: today. */
  today?: string;
}

export class FilingFetcher {
  /** Filings completed, and steps done. */
  filings = 0;
  steps = 0;
  readonly #options: FetcherOptions;
  readonly #breaker: CircuitBreaker;
  readonly #runner: StepRunner;
  readonly #today: string;

  constructor(options: FetcherOptions) {
    const { client, sink, log, sizes, listed, today = new Date().toISOString().slice(0, 10) } = options;
    this.#options = options;
    this.#breaker = new CircuitBreaker({
      record: (batch) => sink.take(batch),
      pending: (operation) => this.#pendingQuestion(operation),
      probes: (operation) => this.#probes(operation),
      cheap: () => client.filingLookup({ from: 0, to: 1 }),
      recordsRefusals: options.recordsRefusals ?? false,
    });
    this.#today = today;
    this.#runner = { client, breaker: this.#breaker, log, sizes, listed };
  }

  /** @throws BudgetReachedError, QuotaExceededError: earlier steps stay; errors of verdict `fatal`; OperationFailingError */
  async fetch(line: WorkLine): Promise<void> {
    const { definition, done, pass, isFetchedWithInfo } = this.#options;
    const steps = stepsInPass(definition, line, pass);
    if (steps === null) return;
    const { accession_number } = line.filing;
    const isDone = ({ step }: { step: string }) => done.has(`${accession_number} ${step}`);
    if (line.knownBy === 'gap') {
      // Not one of the planned steps: the end of the run does not look for it.
      if (!isDone({ step: 'filing' })) await this.#check(line);
      return;
    }
    if (steps.length === 0 || !steps.every(isDone)) {
      if (isFetchedWhole(definition, line)) await this.#fetchTogether(line, steps, isDone);
      else if (pass === 'whole') await this.#fetchInTurn(line, steps, isDone);
      else if (pass !== 'documents' || !(await isFetchedWithInfo?.(accession_number)))
        for (const step of steps) if (!isDone(step)) await this.#fetchTogether(line, [step], isDone);
    }
    if (lastPassOf(definition, line) === pass) this.filings++;
  }

  /** Whether a filing that a proven window lacks was removed. In doubt nothing is written, and the next run asks again. */
  async #check(line: WorkLine): Promise<void> {
    const { client, definition, log, stored, sink } = this.#options;
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
    if (checked !== null) await sink.take(checked);
  }

  /** All steps of a filing, each as a batch of rows. What filing_info says decides about the later ones. */
  async #fetchInTurn(line: WorkLine, steps: readonly Step[], isDone: (step: Step) => boolean): Promise<void> {
    let info: FilingInfo | undefined;
    for (const step of steps) {
      // They came with filing_info, as it named more documents.
      if (info && passOf(step) === 'documents' && namesMore(line.filing, info)) continue;
      if (isDone(step)) continue;
      // Sealed by an earlier attempt, the list of sections is neither in memory nor in the lake.
      const isSealed = step.step === 'sections' && steps.some((one) => one.step === 'info' && isDone(one));
      if (isSealed) info = (await this.#options.client.filingInfo(line.filing.accession_number)).value;
      info = (await this.#fetchTogether(line, [step], isDone, info)) ?? info;
    }
  }

  /**
   * Steps of a filing, and those that filing_info adds to them, as one batch of rows. If the quota ends among them, those done stay, but
   * for filing_info, whose row in coverage stands for all of them: a filing may need more requests than a month has.
   * @param before the answer of filing_info, fetched just before
   * @returns that answer, if it is among the steps
   */
  async #fetchTogether(
    line: WorkLine,
    steps: readonly Step[],
    isDone: (step: Step) => boolean,
    before?: FilingInfo,
  ): Promise<FilingInfo | undefined> {
    const { definition, log } = this.#options;
    const all = { batch: emptyBatch(), unproven: emptyBatch(), isProvable: false };
    let first: Suspect | undefined;
    const ofThemselves = emptyBatch();
    const queue = [...steps];
    const isOnlyNumber = line.knownBy === 'number';
    let known = line;
    let fetchedInfo = before;
    const hold = answerMemory.hold();
    try {
      for (let step = queue.shift(); step; step = queue.shift()) {
        // Kept by an earlier attempt.
        if (step.step !== 'info' && isDone(step)) continue;
        const of = { definition, run_id: log.runId, today: this.#today, line: known, step, fetchedInfo };
        const { batch, unproven, suspect, info } = await runStep(this.#runner, of, hold);
        fetchedInfo = info ?? fetchedInfo;
        if (info && isOnlyNumber) {
          const { listed, own, violations } = listByInfo(definition, line, info, batch, log.runId);
          known = listed;
          joinBatch(own, await this.#unstorable(line, violations));
          for (const into of [all.batch, all.unproven, ofThemselves]) joinBatch(into, own);
        }
        if (info) queue.push(...stepsAfterInfo(definition, line, info, steps));
        this.steps += requestsOf(step);
        if (suspect) first = moreTelling(first, suspect);
        else if (step.step !== 'info' && unproven === undefined && requestsOf(step) > 0) joinBatch(ofThemselves, batch);
        joinBatch(all.batch, batch);
        joinBatch(all.unproven, unproven ?? batch);
        all.isProvable ||= unproven !== undefined;
        // Rows that are gathered release the memory: otherwise two filings could wait for each other.
        if (queue.length > 0) hold.release();
      }
      // Without filing_info, its own row is missing: only the failures are kept.
      const isUnknown = isOnlyNumber && known === line;
      const kept = (batch: RowBatch) => (isUnknown ? failuresOf(definition.name, batch) : batch);
      const batch = kept(all.batch);
      const unproven = all.isProvable ? kept(all.unproven) : batch;
      if (first) await this.#breaker.suspect(first.operation, { ...first, batch, unproven });
      else await this.#options.sink.take(batch);
      return fetchedInfo;
    } catch (error) {
      if (verdictOf(error) === 'stopped' && ofThemselves.done.length > 0) await this.#options.sink.take(ofThemselves);
      throw error;
    } finally {
      hold.release();
    }
  }

  /** Values of the filing's own record that can't be stored. */
  async #unstorable(line: WorkLine, violations: readonly RowViolation[]): Promise<RowBatch> {
    if (violations.length === 0) return emptyBatch();
    const { definition, log } = this.#options;
    const { accession_number, cik } = line.filing;
    const of = { accession_number, document_id: null, cik, revision: line.revision };
    const about = { export: definition.name, step: 'filing', subject: accession_number, ...of };
    const rows = { export_failures: [await log.unstorable(about, violations)] };
    return { ...batchOf(line, about, rows, []), done: [] };
  }

  async #pendingQuestion(operation: Operation): Promise<Question | null> {
    const line = (await this.#options.lastPending?.()) ?? null;
    const step = line?.steps.find((one) => operationOf(one) === operation);
    return line && step ? () => askAgain(this.#options.client, line.filing, step) : null;
  }

  async #probes(operation: Operation): Promise<Question[]> {
    const steps = (await this.#options.probes?.(operation)) ?? [];
    return steps.map((of) => () => askAgain(this.#options.client, of, of.step));
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
      this.#breaker.forget();
    }
  }

  /** Before an activity ends with an error: seals the answers. What may be the service's fault stays pending. */
  async keepWhatIsDone(): Promise<void> {
    this.#breaker.forget();
    await this.#options.sink.seal();
    await this.#options.requestBudget.settle();
  }
}

/** The first of the steps that are fetched together, without the known ones. */
function moreTelling(one: Suspect | undefined, other: Suspect): Suspect {
  return one === undefined || (one.isKnown && !other.isKnown) ? other : one;
}
