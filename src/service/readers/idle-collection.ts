/** V8 collects garbage only while code allocates: an idle thread would keep what its last large answer left behind. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Smaller answers leave too little for a collection of 50 to 150 ms. */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
const IDLE_MS = 5_000;

export class IdleCollection {
  readonly #collect: () => void;
  readonly #idleMs: number;
  #timer: NodeJS.Timeout | null = null;
  #due = false;

  constructor(options: { collect?: () => void; idleMs?: number } = {}) {
    this.#collect = options.collect ?? collectGarbage;
    this.#idleMs = options.idleMs ?? IDLE_MS;
  }

  /** After each answer: the thread is not idle. @param bytes of the answer */
  answered(bytes: number): void {
    if (bytes >= LARGE_ANSWER_BYTES) this.#due = true;
    if (!this.#due) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#run(), this.#idleMs).unref();
  }

  #run(): void {
    this.#timer = null;
    this.#due = false;
    this.#collect();
  }
}

let gc: (() => void) | null = null;

/** Node has the function only behind this flag, which can be set while it runs. */
function collectGarbage(): void {
  if (gc === null) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}
