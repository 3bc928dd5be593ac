/**
 * A circuit breaker for each operation of the service. If an operation fails for everything, the run waits instead of spending its quota
 * on recorded failures. `circuit.ts` decides; this class holds the rows meanwhile, and sends the probes:
 *
 * - A request that the operation has answered before, or one that was not sent yet. If it is not answered, a lookup tells whether the
 *   whole service is away.
 * - If all failures are unexplained 404s, also requests whose answers the lake has from earlier runs.
 */
import { FilinglakeError } from '../../../core/index.ts';
import { RecordNotFoundError, ServiceFailedError } from '../../client/index.ts';
import type { RowBatch } from '../staging/segment-sink.ts';
import { type Circuit, type CircuitEvent, type CircuitLimits, circuitAfter, NEW_CIRCUIT } from './circuit.ts';
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

interface OperationCircuit {
  circuit: Circuit;
  /** Failures whose cause is not known yet. */
  held: { batch: RowBatch; unproven: RowBatch }[];
  lastFailure: unknown;
  /** Sends again what was answered last. */
  answered: Question | null;
  probing: Promise<void> | null;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #limits: CircuitLimits;
  readonly #operations = new Map<Operation, OperationCircuit>();

  constructor(options: BreakerOptions) {
    this.#options = options;
    const { recordsRefusals = false } = options;
    this.#limits = {
      faults: FAULTS_MAX,
      absences: UNEXPLAINED_MAX,
      failures: recordsRefusals ? Number.POSITIVE_INFINITY : REFUSALS_MAX,
      mayGiveUp: recordsRefusals,
    };
  }

  /** The operation has answered; a 404 with an explanation counts too. @param again sends the same request */
  async succeeded(operation: Operation, again: Question): Promise<void> {
    this.#of(operation).answered = again;
    await this.#send(operation, 'answered');
  }

  /** Before a request. @throws ServiceFailedError if the operation was given up: it is recorded like an answer */
  requireHope(operation: Operation): void {
    if (this.#of(operation).circuit.state === 'given-up')
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
    of.held.push({ batch, unproven });
    if (!isKnown) of.lastFailure = error;
    await this.#send(operation, isKnown ? 'known-absent' : isUnexplained(error) ? 'absent' : 'fault');
  }

  /** A request failed, by the fault of its record. @throws as `suspect` */
  async failed(operation: Operation, error: unknown): Promise<void> {
    this.#of(operation).lastFailure = error;
    await this.#send(operation, 'refused');
  }

  /** At the end of a stretch of work: decides what is still held. @throws as `suspect` */
  async settle(): Promise<void> {
    for (const operation of this.#operations.keys()) await this.#send(operation, 'ended');
  }

  /** Drops failures that may be the service's fault: their steps stay pending. */
  async forget(): Promise<void> {
    for (const operation of this.#operations.keys()) await this.#send(operation, 'forgotten');
  }

  async #send(operation: Operation, event: CircuitEvent): Promise<void> {
    const of = this.#of(operation);
    const { circuit, action } = circuitAfter(of.circuit, event, this.#limits);
    of.circuit = circuit;
    switch (action) {
      case 'record':
      case 'record-unproven':
        for (const { batch, unproven } of of.held.splice(0))
          await this.#options.record(action === 'record' ? batch : unproven);
        return;
      case 'probe':
        // One probe at a time: the lanes fail together, and wait for one answer.
        of.probing ??= this.#probe(operation, of).finally(() => {
          of.probing = null;
        });
        return of.probing;
      case 'stop':
        throw new OperationFailingError(operation, circuit.failures, of.lastFailure);
      case 'drop':
        of.held = [];
        return;
    }
  }

  /** @throws the error of the lookup; OperationFailingError */
  async #probe(operation: Operation, of: OperationCircuit): Promise<void> {
    let end: CircuitEvent;
    try {
      end = await this.#ask(operation, of);
    } catch (error) {
      await this.#send(operation, 'probe-broken');
      throw error;
    }
    await this.#send(operation, end);
  }

  async #ask(operation: Operation, of: OperationCircuit): Promise<CircuitEvent> {
    const question = of.answered ?? (await this.#options.pending(operation));
    if (question !== null && (await this.#isAnswered(question))) return 'probe-answered';
    // After a fault of the service nothing more is requested: it may be away.
    const probes = of.circuit.faults === 0 ? await this.#options.probes?.(operation) : [];
    for (const one of probes ?? []) {
      if (!(await this.#isAnswered(one))) continue;
      of.answered = one;
      return 'probe-answered';
    }
    await this.#options.cheap();
    return question === null ? 'probe-unsent' : 'probe-unanswered';
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

  #of(operation: Operation): OperationCircuit {
    let of = this.#operations.get(operation);
    if (!of) {
      of = { circuit: NEW_CIRCUIT, held: [], lastFailure: null, answered: null, probing: null };
      this.#operations.set(operation, of);
    }
    return of;
  }
}

/** A 404 without the service's own explanation. Gateways send such ones too. */
export function isUnexplained(error: unknown): boolean {
  return error instanceof RecordNotFoundError && !error.explained;
}
