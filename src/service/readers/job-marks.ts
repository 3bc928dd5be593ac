/**
 * Memory that the main thread and a reader thread share: which job the thread has started, and which jobs are unwanted. The thread
 * first says that it starts a job and then looks if it is wanted. The main thread first marks a job and then looks if it has
 * started. So a job that the main thread takes back is never run by both.
 */

/** Maximum number of jobs that a thread has at once, with those taken back that it has not seen yet. */
export const MARKS = 16;

export class JobMarks {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (MARKS + 1))) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  start(number: number): void {
    Atomics.store(this.#words, MARKS, number | 0);
  }

  hasStarted(number: number): boolean {
    // Numbers may exceed 32 bits after weeks: their difference does not.
    return ((Atomics.load(this.#words, MARKS) - number) | 0) >= 0;
  }

  markUnwanted(number: number): void {
    Atomics.store(this.#words, number % MARKS, number | 0);
  }

  isUnwanted(number: number): boolean {
    return Atomics.load(this.#words, number % MARKS) === (number | 0);
  }
}
