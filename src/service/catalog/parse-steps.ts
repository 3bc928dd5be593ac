/** Steps of parsing that may take long. One that passes its time limit is left out, and the record says so. */

/** `submission`: everything that a filing can't be stored without. `index`: of the document in the submission, from 0. */
type ParseStep = { kind: 'submission' } | { kind: 'text'; index: number } | { kind: 'sections' } | { kind: 'items_8k' };

export type OptionalStep = Exclude<ParseStep, { kind: 'submission' }>;

export interface ParseSteps {
  readonly leftOut: readonly OptionalStep[];
  /** Called before each step. @returns whether to take it */
  begin(step: ParseStep): boolean;
}

export const ALL_STEPS: ParseSteps = { leftOut: [], begin: () => true };

/** The current step of a thread, readable by other threads while it works. */
const KINDS: readonly ParseStep['kind'][] = ['submission', 'text', 'sections', 'items_8k'];
const [JOB, COUNT, KIND, INDEX] = [0, 1, 2, 3];

export class StepBoard {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  /** @param memory of the board on the other thread; without it a new one */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  write(job: number, step: ParseStep): void {
    Atomics.store(this.#cells, JOB, job);
    Atomics.store(this.#cells, KIND, KINDS.indexOf(step.kind));
    Atomics.store(this.#cells, INDEX, step.kind === 'text' ? step.index : 0);
    Atomics.add(this.#cells, COUNT, 1);
  }

  /** `count` changes with each step: the same count twice means the same step. */
  read(): { job: number; count: number; step: ParseStep } {
    const kind = KINDS[Atomics.load(this.#cells, KIND)]!;
    const step = kind === 'text' ? { kind, index: Atomics.load(this.#cells, INDEX) } : { kind };
    return { job: Atomics.load(this.#cells, JOB), count: Atomics.load(this.#cells, COUNT), step };
  }
}

/** The steps of one job, announced on the thread's board. */
export function stepsOnBoard(board: StepBoard, job: number, leftOut: readonly OptionalStep[]): ParseSteps {
  return {
    leftOut,
    begin(step) {
      if (leftOut.some((other) => isSameStep(other, step))) return false;
      board.write(job, step);
      return true;
    },
  };
}

function isSameStep(a: ParseStep, b: ParseStep): boolean {
  return a.kind === b.kind && (a.kind !== 'text' || a.index === (b as { index: number }).index);
}
