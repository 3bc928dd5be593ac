/**
 * Memory for large answers. Eight connections with 250 MB each would be gigabytes, and an answer takes a multiple of itself while it is
 * read. So large answers of a worker are taken in turn: those of all its activities hold at most so many bytes together.
 */

/** Bytes of large answers at a time, or one answer that is larger. */
const BYTES_MAX = 256 * 2 ** 20;

export class AnswerMemory {
  readonly #bytesMax: number;
  #held = 0;
  readonly #waiting: { bytes: number; go: () => void }[] = [];

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** What one request holds. It takes at most once, so that nobody waits for what it holds itself. */
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

  /** In the order in which they came, so that a large one is not passed over for ever. */
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

  /** Waits until so many bytes may be held. */
  async take(bytes: number): Promise<void> {
    this.#taken ??= this.#take(bytes);
    await this.#taken;
  }

  /** To be called once the answer is written, or has failed. */
  release(): void {
    void this.#taken?.then(this.#give);
    this.#taken = null;
  }
}

/** Of this worker: its activities share the memory of one process. */
export const answerMemory = new AnswerMemory();
