/**
 * Memory for large answers. Eight connections with 250 MB each would take gigabytes, and reading an answer takes several times its
 * size. So the activities of a worker share a limit of bytes for large answers at a time.
 */

/** The limit in bytes. One larger answer alone is allowed. */
const BYTES_MAX = 256 * 2 ** 20;

export class AnswerMemory {
  readonly #bytesMax: number;
  #held = 0;
  readonly #waiting: { bytes: number; go: () => void }[] = [];

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** The memory of one request. It may take memory only once, so that nobody waits for memory that it holds itself. */
  hold(): AnswerHold {
    return new AnswerHold(
      (bytes) => this.#take(Math.min(bytes, this.#bytesMax)),
      (bytes) => this.#give(bytes),
    );
  }

  #take(bytes: number): Promise<number> {
    return new Promise((resolve) => {
      const go = () => {
        this.#held += bytes;
        resolve(bytes);
      };
      this.#waiting.push({ bytes, go });
      this.#letGo();
    });
  }

  #give(bytes: number): void {
    this.#held -= bytes;
    this.#letGo();
  }

  /** First come, first served: a large answer is never overtaken for ever. */
  #letGo(): void {
    for (let next = this.#waiting[0]; next && this.#held + next.bytes <= this.#bytesMax; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.go();
    }
  }
}

export class AnswerHold {
  readonly #take: (bytes: number) => Promise<number>;
  readonly #give: (bytes: number) => void;
  #taken: Promise<number> | null = null;

  constructor(take: (bytes: number) => Promise<number>, give: (bytes: number) => void) {
    this.#take = take;
    this.#give = give;
  }

  /** Waits until this many bytes are free. */
  async take(bytes: number): Promise<void> {
    this.#taken ??= this.#take(bytes);
    await this.#taken;
  }

  /** Call it when the answer is written or has failed. */
  release(): void {
    void this.#taken?.then(this.#give);
    this.#taken = null;
  }
}

/** One for each worker: its activities share the memory of one process. */
export const answerMemory = new AnswerMemory();
