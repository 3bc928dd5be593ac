/**
 * A circuit breaker for each operation of the service. If an operation fails for everything, the run waits instead of spending its quota
 * on recorded failures (docs/internals/failing-operations.md). Failures that may be the service's fault are held until the operation
 * answers another request. After several in a row, and at the end of the work, a probe is sent:
 *
 * - A request that the operation has answered before, or one that was not sent yet. If it is not answered, a lookup tells whether the
 *   whole service is away.
 * - If all failures are unexplained 404s, also requests whose answers the lake has from earlier runs.
 */
import { FilinglakeError } from '../../../core/index.ts';
import { RecordNotFoundError, ServiceFailedError } from '../../client/index.ts';
import type { RowBatch } from '../staging/segment-sink.ts';
import { messageOf, verdictOf } from './verdict.ts';

export type Operation = 'filing_info' | 'filing_sections' | 'document';

/** Failures in a row from which on a probe is sent: those that may be the service's fault, 404s without an explanation, and all kinds. */
const FAULTS_MAX = 8;
const UNEXPLAINED_MAX = 20;
const REFUSALS_MAX = 50;

/** An operation fails for everything: the run waits, and continues with other operations meanwhile. */
export class OperationFailingError extends FilinglakeError {
  override name = 'OperationFailingError';
  constructor(operation: Operation, failures: number, cause: unknown) {
    super('operation-failing', `${operation} failed ${failures} times in a row: ${messageOf(cause)}`, { cause });
  }
}

/** Sends a request again, and drops its answer. */
export type Question = () => Promise<unknown>;

interface BreakerOptions {
  /** Writes a batch with failures. */
  record: (batch: RowBatch) => Promise<void>;
  /** A pending request of this operation; null if every one was sent. */
  pending: (operation: Operation) => Promise<Question | null>;
  /** Requests of this operation that were answered before, in other runs. */
  probes?: (operation: Operation) => Promise<readonly Question[]>;
  /** A cheap request that any service answers. */
  cheap: Question;
  /** Failures of the records themselves, and 404s, never open the circuit. */
  recordsRefusals?: boolean;
}

/** A request that failed by what may be the service's fault. */
interface SuspectFailure {
  /** Recorded once the operation has answered others. */
  batch: RowBatch;
  /** Recorded instead if nothing shows that the operation answers at all. Absent: the same batch. */
  unproven?: RowBatch;
  error: unknown;
  /** An earlier run reported it: no reason to doubt the operation. */
  isKnown?: boolean;
}

interface OperationState {
  readonly operation: Operation;
  /** Failures whose cause is not known yet. */
  held: { batch: RowBatch; unproven: RowBatch }[];
  /** In a row: of all kinds, and of both kinds that are held. Known ones count nowhere: they say nothing of the operation. */
  failures: number;
  faults: number;
  absences: number;
  lastFailure: unknown;
  /** Requests answered, probes too. */
  answers: number;
  /** Sends again what was answered last. */
  answered: Question | null;
  probing: Promise<void> | null;
  /** A probe was not answered: the work ends. */
  failing: OperationFailingError | null;
  /** It answers nothing but 404, and the run has waited for it before: no request is sent to it any more. */
  isGivenUp: boolean;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #operations = new Map<Operation, OperationState>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** The operation has answered; a 404 with an explanation counts too. @param again sends the same request */
  async succeeded(operation: Operation, again: Question): Promise<void> {
    const of = this.#of(operation);
    of.answered = again;
    await this.#proven(of);
  }

  /** Before a request. @throws ServiceFailedError if the operation was given up: it is recorded like an answer */
  requireHope(operation: Operation): void {
    if (this.#of(operation).isGivenUp)
      throw new ServiceFailedError(`not requested: ${operation} answered only 404 to others`, 404);
  }

  /**
   * A request failed by what may be the service's fault: its batch is held.
   * @throws OperationFailingError if the operation answers nothing else either; the errors of a probe that end all work
   */
  async suspect(operation: Operation, failure: SuspectFailure): Promise<void> {
    const { batch, unproven = batch, error, isKnown = false } = failure;
    const of = this.#of(operation);
    // It is recorded alike, whether or not the operation answers others.
    if (isKnown && unproven === batch) return this.#options.record(batch);
    if (of.isGivenUp) return this.#options.record(unproven);
    of.held.push({ batch, unproven });
    if (isKnown) return;
    of[isUnexplained(error) ? 'absences' : 'faults']++;
    await this.#count(of, error);
  }

  /** A request failed, by the fault of its record. @throws as `suspect` */
  async failed(operation: Operation, error: unknown): Promise<void> {
    const of = this.#of(operation);
    if (!of.isGivenUp) await this.#count(of, error);
  }

  /** At the end of a stretch of work: decides what is still held. @throws as `suspect` */
  async settle(): Promise<void> {
    for (const each of this.#operations.values()) {
      if (each.failing) throw each.failing;
      if (each.faults + each.absences > 0) await this.#probe(each, true);
      else await this.#record(each, each.answers > 0);
    }
  }

  /** Drops failures that may be the service's fault: their steps stay pending. */
  forget(): void {
    this.#operations.clear();
  }

  async #count(of: OperationState, error: unknown): Promise<void> {
    of.failures++;
    of.lastFailure = error;
    if (of.failing) throw of.failing;
    const refusalsMax = this.#options.recordsRefusals ? Number.POSITIVE_INFINITY : REFUSALS_MAX;
    if (of.faults >= FAULTS_MAX || of.absences >= UNEXPLAINED_MAX || of.failures >= refusalsMax)
      await this.#probe(of, false);
  }

  async #proven(of: OperationState): Promise<void> {
    of.answers++;
    of.failing = null;
    of.isGivenUp = false;
    await this.#record(of, true);
  }

  async #record(of: OperationState, isProven: boolean): Promise<void> {
    of.failures = of.faults = of.absences = 0;
    for (const { batch, unproven } of of.held.splice(0)) await this.#options.record(isProven ? batch : unproven);
  }

  /** One probe at a time: the lanes fail together, and wait for one answer. */
  #probe(of: OperationState, isAtEnd: boolean): Promise<void> {
    of.probing ??= this.#decide(of, isAtEnd).finally(() => {
      of.probing = null;
    });
    return of.probing;
  }

  /** @throws the error of the lookup; OperationFailingError */
  async #decide(of: OperationState, isAtEnd: boolean): Promise<void> {
    const { answers } = of;
    const end = await this.#ask(of);
    if (end === 'answered') return this.#proven(of);
    // Another request was answered meanwhile.
    if (of.answers > answers) return;
    const isOf404 = (this.#options.recordsRefusals ?? false) && of.faults === 0;
    // A few failures at the end, of an operation to which nothing else could be sent: the service itself is well.
    if (isOf404 || (isAtEnd && end === 'unsent')) {
      of.isGivenUp = !isAtEnd;
      return this.#record(of, false);
    }
    of.failing = new OperationFailingError(of.operation, of.failures, of.lastFailure);
    throw of.failing;
  }

  async #ask(of: OperationState): Promise<'answered' | 'unanswered' | 'unsent'> {
    const question = of.answered ?? (await this.#options.pending(of.operation));
    if (question !== null && (await this.#isAnswered(question))) return 'answered';
    // After a fault of the service nothing more is requested: it may be away.
    const probes = of.faults === 0 ? await this.#options.probes?.(of.operation) : [];
    for (const one of probes ?? []) {
      if (!(await this.#isAnswered(one))) continue;
      of.answered = one;
      return 'answered';
    }
    await this.#options.cheap();
    return question === null ? 'unsent' : 'unanswered';
  }

  /** @throws errors that end all work */
  async #isAnswered(question: Question): Promise<boolean> {
    try {
      await question();
      return true;
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict === 'stopped' || verdict === 'fatal') throw error;
      return verdict === 'absent' && !isUnexplained(error);
    }
  }

  #of(operation: Operation): OperationState {
    let of = this.#operations.get(operation);
    if (!of) {
      const none = { failures: 0, faults: 0, absences: 0, answers: 0, lastFailure: null, answered: null };
      of = { operation, held: [], ...none, probing: null, failing: null, isGivenUp: false };
      this.#operations.set(operation, of);
    }
    return of;
  }
}

/** A 404 without the service's own explanation. Gateways send such ones too. */
export function isUnexplained(error: unknown): boolean {
  return error instanceof RecordNotFoundError && !error.explained;
}
