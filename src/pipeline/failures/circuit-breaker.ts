/**
 * A circuit breaker for each operation of the service. What fails by itself is recorded and passed over; where an operation fails
 * for everything, the run stands still instead of spending its quota on recorded failures.
 *
 * What may be the service's fault (a 5xx, a connection lost) is held back until the operation has answered something again. After
 * some failures in a row the operation is asked something that it has answered before, or that nobody has asked yet: whether it
 * answers that decides. Where it doesn't, a lookup tells whether the whole service is unwell.
 *
 * A 404 that explains nothing may be a gateway's, of an operation that is away: it counts as an absence only where the operation
 * answers others. What the lake has had of it before is asked too; where nothing of it answers, and somebody insists, what
 * was asked is recorded, and the rest without being asked: the run ends, and spends next to nothing on an operation that isn't there.
 *
 * Failures that are known, as an earlier run has told them, never lead to a question.
 */

import { RecordNotFoundError, ServiceFailedError } from '../../client/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import type { RowBatch } from '../fetch/segment-sink.ts';
import { messageOf, verdictOf } from './failures.ts';

export type Operation = 'filing_info' | 'filing_sections' | 'document';

/** So many failures in a row that may be the service's fault lead to the question; so many that are of the record itself. */
const SUSPECTS_MAX = 8;
const REFUSALS_MAX = 50;
/** And so many 404s that explain nothing. */
const UNEXPLAINED_MAX = 20;

/** An operation fails for everything: the run waits, and goes on with other operations meanwhile. */
export class OperationFailingError extends FilinglakeError {
  override name = 'OperationFailingError';
  constructor(operation: Operation, failures: number, cause: unknown) {
    super('operation-failing', `${operation} failed ${failures} times in a row: ${messageOf(cause)}`, { cause });
  }
}

/** Sends a request again, and drops its answer. */
export type Question = () => Promise<unknown>;

export interface BreakerOptions {
  /** Takes what is recorded as failed. */
  record: (delivery: RowBatch) => Promise<void>;
  /** A request of this operation that was not sent yet; null where there is none. */
  unasked: (operation: Operation) => Promise<Question | null>;
  /** Requests of this operation that were answered before, in other runs. */
  had?: (operation: Operation) => Promise<readonly Question[]>;
  /** A cheap request that any service answers. */
  cheap: Question;
  /** Failures of the records themselves, and 404s, never open the circuit. */
  insistent?: boolean;
}

/** A request that failed by what may be the service's fault. */
export interface SuspectFailure {
  /** What it is recorded as once the operation is known to answer others. */
  delivery: RowBatch;
  /** What it is recorded as where nothing tells whether the operation answers at all, if that differs. */
  unproven?: RowBatch;
  error: unknown;
  /** It was told by an earlier run: no reason to doubt the operation. */
  isKnown?: boolean;
}

interface Suspect {
  delivery: RowBatch;
  unproven: RowBatch;
  isAbsence: boolean;
  isKnown: boolean;
}

interface Circuit {
  suspects: Suspect[];
  /** In a row, suspects among them. */
  failures: number;
  lastFailure: unknown;
  /** Asks again what was answered last. */
  answered: Question | null;
  asking: Promise<boolean> | null;
  /** Nothing more is asked of it. */
  givenUp: boolean;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #circuits = new Map<Operation, Circuit>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** The operation has answered, be it that there is nothing. @param again sends the same request */
  async succeeded(operation: Operation, again: Question): Promise<void> {
    const circuit = this.#of(operation);
    circuit.answered = again;
    circuit.givenUp = false;
    await this.#record(circuit);
  }

  /** Before a request. @throws ServiceFailedError where the operation was given up: it is recorded like an answer */
  requireHope(operation: Operation): void {
    if (this.#of(operation).givenUp)
      throw new ServiceFailedError(`not asked: ${operation} answered nothing but 404 to others`, 404);
  }

  /**
   * A request failed by what may be the service's fault: its delivery is held back.
   * @throws OperationFailingError where the operation answers nothing else either; the errors of a question that end all work
   */
  async suspect(operation: Operation, failure: SuspectFailure): Promise<void> {
    const { delivery, unproven = delivery, error, isKnown = false } = failure;
    const circuit = this.#of(operation);
    if (circuit.givenUp) return this.#options.record(unproven);
    // Nothing that others are answered changes it.
    if (isKnown && unproven === delivery) return this.#options.record(delivery);
    circuit.suspects.push({ delivery, unproven, isAbsence: isUnexplained(error), isKnown });
    if (!isKnown) await this.failed(operation, error);
  }

  /** A request failed. @throws as `suspect` */
  async failed(operation: Operation, error: unknown): Promise<void> {
    const circuit = this.#of(operation);
    circuit.failures++;
    circuit.lastFailure = error;
    const { insistent = false } = this.#options;
    const refusalsMax = insistent ? Number.POSITIVE_INFINITY : REFUSALS_MAX;
    const absences = circuit.suspects.filter(({ isAbsence, isKnown }) => isAbsence && !isKnown).length;
    const faults = faultsAmong(circuit);
    if (faults < SUSPECTS_MAX && absences < UNEXPLAINED_MAX && circuit.failures < refusalsMax) return;
    if (await this.#isWell(operation, circuit)) await this.#record(circuit);
    else if (insistent && faults === 0) await this.#giveUp(circuit);
    else throw new OperationFailingError(operation, circuit.failures, error);
  }

  /**
   * At the end of a stretch of work: where an operation has answered nothing since something failed, a question tells whether the
   * failures are to be recorded. A few of an operation that was asked nothing else are, where the service is well.
   * @throws as `suspect`
   */
  async settle(): Promise<void> {
    for (const [operation, circuit] of this.#circuits) {
      if (circuit.suspects.length === 0) continue;
      if (circuit.suspects.every(({ isKnown }) => isKnown)) {
        await this.#record(circuit, circuit.answered !== null);
        continue;
      }
      const isWell = await this.#isWell(operation, circuit);
      const mayStandStill = !this.#options.insistent || faultsAmong(circuit) > 0;
      if (!isWell && mayStandStill && (await this.#question(operation, circuit)) !== null)
        throw new OperationFailingError(operation, circuit.failures, circuit.lastFailure);
      await this.#record(circuit, isWell);
    }
  }

  /** What may be the service's fault is not recorded: it stays owed. */
  forget(): void {
    for (const circuit of this.#circuits.values()) circuit.suspects = [];
  }

  /** One question at a time: the lanes fail together, and wait for one answer. @throws what the lookup fails of */
  #isWell(operation: Operation, circuit: Circuit): Promise<boolean> {
    circuit.asking ??= this.#ask(operation, circuit).finally(() => {
      circuit.asking = null;
    });
    return circuit.asking;
  }

  async #question(operation: Operation, circuit: Circuit): Promise<Question | null> {
    return circuit.answered ?? (await this.#options.unasked(operation));
  }

  async #ask(operation: Operation, circuit: Circuit): Promise<boolean> {
    const question = await this.#question(operation, circuit);
    if (question !== null && (await this.#isAnswered(question))) return true;
    // A fault of the service is asked about nothing more: it may be away.
    const had = faultsAmong(circuit) === 0 ? await this.#options.had?.(operation) : [];
    for (const one of had ?? []) {
      if (!(await this.#isAnswered(one))) continue;
      circuit.answered = one;
      return true;
    }
    await this.#options.cheap();
    return false;
  }

  /** @throws what ends all work */
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

  async #giveUp(circuit: Circuit): Promise<void> {
    circuit.givenUp = true;
    await this.#record(circuit, false);
  }

  async #record(circuit: Circuit, isProven = true): Promise<void> {
    circuit.failures = 0;
    for (const { delivery, unproven } of circuit.suspects.splice(0))
      await this.#options.record(isProven ? delivery : unproven);
  }

  #of(operation: Operation): Circuit {
    let circuit = this.#circuits.get(operation);
    if (!circuit) {
      circuit = { suspects: [], failures: 0, lastFailure: null, answered: null, asking: null, givenUp: false };
      this.#circuits.set(operation, circuit);
    }
    return circuit;
  }
}

function faultsAmong({ suspects }: Circuit): number {
  return suspects.filter(({ isAbsence }) => !isAbsence).length;
}

/** A 404 as gateways give it too. */
export function isUnexplained(error: unknown): boolean {
  return error instanceof RecordNotFoundError && !error.explained;
}
