/** Runs one step of a filing: sends its request, and tells the circuit breaker what the answer says of the operation. */
import type { FilingInfo } from '../../../filings/api/index.ts';
import { type FilingClient, RecordNotFoundError } from '../../client/index.ts';
import { requestsOf } from '../../selectors/index.ts';
import { infoTellsMore } from '../../steps/index.ts';
import { documentOf, subjectOf } from '../coverage/coverage.ts';
import { isAmongChosen } from '../coverage/listed-sections.ts';
import type { CircuitBreaker } from '../failures/circuit-breaker.ts';
import type { FailureAbout, FailureLog } from '../failures/failure-log.ts';
import { documentOfError, verdictOf } from '../failures/verdict.ts';
import type { AnswerHold } from './answer-memory.ts';
import {
  answeredBefore,
  decideAnswer,
  decideFailure,
  isEmpty,
  operationOf,
  type StepCase,
  type StepDecision,
} from './decide-step.ts';
import { documentsKept } from './request-forms.ts';
import { askAgain, requestStep } from './request-step.ts';
import { type DocumentSizes, LARGE_BYTES, tooLongAnswers } from './too-large.ts';

export interface StepRunner {
  client: FilingClient;
  breaker: CircuitBreaker;
  log: FailureLog;
  sizes?: DocumentSizes | undefined;
  /** Codes of the sections that filing_info lists for a filing. */
  listed?: ((accession_number: string) => Promise<readonly string[]>) | undefined;
}

/** @param hold memory of the answer, until it is written @throws errors of verdict `stopped` and `fatal` */
export async function runStep(runner: StepRunner, of: StepCase, hold: AnswerHold): Promise<StepDecision> {
  const { client, breaker, log, sizes } = runner;
  const { line, step } = of;
  const operation = operationOf(step);
  const answers = () => breaker.succeeded(operation, () => askAgain(client, line.filing, step));
  let isListed = false;
  try {
    const answer = await request(runner, of, hold);
    if (answer?.info) sizes?.learn(answer.info);
    if (requestsOf(step) > 0) await answers();
    isListed = answer !== null && step.step === 'sections' && isEmpty(of, answer) && (await hasSections(runner, of));
    if (isListed)
      throw new RecordNotFoundError(
        `filing_sections gave no section of ${line.filing.accession_number}, though filing_info or an earlier answer had some`,
      );
    const decided = decideAnswer(of, answer, step.step === 'sections' ? await listedOf(runner, of) : []);
    if (!decided.faults) return decided;
    const { as, list } = decided.faults;
    decided.batch.rows.export_failures = [await log[as](aboutOf(of), list)];
    decided.batch.failures = 1;
    return decided;
  } catch (error) {
    const verdict = verdictOf(error);
    if (verdict === 'stopped' || verdict === 'fatal') throw error;
    const row = await log.failure(aboutOf(of, error), error);
    isListed ||= verdict === 'absent' && step.step === 'sections' && (await hasSections(runner, of));
    const decided = decideFailure(of, { error, row, verdict, isListed, isKnown: log.isKnown(row) });
    if (decided.breaker === 'answered') await answers();
    if (decided.breaker === 'failed') await breaker.failed(operation, error);
    return decided;
  }
}

/** @throws errors of the client; DocumentTooLargeError, AnswerTooLongError: some are known without a request */
async function request({ client, breaker, log, sizes }: StepRunner, of: StepCase, hold: AnswerHold) {
  const { definition, line, step } = of;
  const bytes = (await sizes?.bytesOf(line, step)) ?? null;
  const refusal = sizes?.refusal(step, bytes) ?? null;
  if (refusal) throw refusal;
  if (line.covered[step.step]?.status === 'failed')
    for (const tooLong of tooLongAnswers(step, sizes?.bytesMax ?? null))
      if (await log.isRecorded(aboutOf(of), tooLong)) throw tooLong;
  if (requestsOf(step) > 0) breaker.requireHope(operationOf(step));
  if (bytes !== null && bytes > LARGE_BYTES) await hold.take(bytes);
  // If filing_info alone states the other steps, its answer is needed even if it did not change.
  const isNeeded = step.step === 'info' && (line.knownBy === 'number' || infoTellsMore(definition, line.filing));
  const etag = isNeeded ? undefined : answeredBefore(line, step)?.etag;
  return requestStep(client, line.filing, step, {
    onLarge: (most: number) => hold.take(most),
    received: documentsKept.of(line.revision),
    bytesMax: definition.documents.max_bytes,
    size: bytes,
    ...(etag === undefined ? {} : { etag }),
  });
}

/** Codes of the sections that filing_info lists, if this export requests it. */
async function listedOf(
  { listed }: StepRunner,
  { definition, line, fetchedInfo }: StepCase,
): Promise<readonly string[]> {
  if (fetchedInfo) return fetchedInfo.sections.map(({ section }) => section);
  return definition.tables.includes('sections') ? ((await listed?.(line.filing.accession_number)) ?? []) : [];
}

/** Whether filing_info lists sections. Before older rows are deleted it is requested, if the lake doesn't have its list. */
async function hasSections({ client, listed }: StepRunner, of: StepCase): Promise<boolean> {
  const { definition, line, step, fetchedInfo } = of;
  const isListed = ({ sections }: FilingInfo) =>
    isAmongChosen(
      step.selector,
      sections.map(({ section }) => section),
    );
  if (fetchedInfo) return isListed(fetchedInfo);
  const { accession_number } = line.filing;
  const before = line.covered[step.step]?.status;
  if (definition.tables.includes('sections') || before === undefined || before === 'absent')
    return isAmongChosen(step.selector, (await listed?.(accession_number)) ?? []);
  try {
    return isListed((await client.filingInfo(accession_number)).value);
  } catch (error) {
    const verdict = verdictOf(error);
    if (verdict === 'stopped' || verdict === 'fatal') throw error;
    return true;
  }
}

/** @param error of a step of several documents: it tells which one failed */
function aboutOf({ definition, line, step: { step } }: StepCase, error: unknown = null): FailureAbout {
  const { accession_number, cik } = line.filing;
  const document_id = documentOf(step) ?? documentOfError(error);
  const of = { accession_number, document_id, cik, revision: line.revision };
  return { export: definition.name, step, subject: subjectOf(accession_number, step), ...of };
}
