/** Answers that clients have not read yet: counts their bytes for each key, and ends those that nobody reads. */
import type { ServerResponse } from 'node:http';

/** Limit of one key. Its next jobs wait until it has read some of them. */
const PENDING_BYTES_OF_A_KEY_MAX = 64 * 1024 * 1024;
/** Limit for all keys together. */
const PENDING_BYTES_MAX = 512 * 1024 * 1024;

interface PendingAnswersOptions {
  /** A connection is closed if no byte is read for this time */
  idleMs: number;
  /** Slower readers are disconnected too: bytes a second over the whole answer */
  leastBytesPerSecond: number;
}

export class PendingAnswers {
  readonly #options: PendingAnswersOptions;
  readonly #onRead: () => void;
  readonly #bytes = new Map<string, number>();
  #total = 0;

  /** @param onRead called when a key has less pending than before */
  constructor(options: PendingAnswersOptions, onRead: () => void) {
    this.#options = options;
    this.#onRead = onRead;
  }

  get bytes(): number {
    return this.#total;
  }

  hasRoom(key: string): boolean {
    return this.#total < PENDING_BYTES_MAX && (this.#bytes.get(key) ?? 0) < PENDING_BYTES_OF_A_KEY_MAX;
  }

  /** Counts an answer until it is read. @param bytes in memory @param toSend to be read: more, if from a file */
  add(key: string, bytes: number, response: ServerResponse, toSend = bytes): void {
    const { idleMs, leastBytesPerSecond } = this.#options;
    // Node's own timer for silent sockets: it is set again by every byte that goes out, and by the end of the answer.
    // Requests that /docs sends internally have no socket.
    response.socket?.setTimeout?.(idleMs);
    // A closed connection emits no `close`.
    if (bytes < SMALL || response.destroyed) return;
    this.#total += bytes;
    this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + bytes);
    const longestMs = idleMs + (toSend / leastBytesPerSecond) * 1_000;
    const timer = setTimeout(() => response.destroy(), longestMs).unref();
    response.once('close', () => {
      clearTimeout(timer);
      this.#total -= bytes;
      const left = this.#bytes.get(key)! - bytes;
      if (left > 0) this.#bytes.set(key, left);
      else this.#bytes.delete(key);
      this.#onRead();
    });
  }
}

/** Answers up to this fit into the system's buffers: they are not counted. */
const SMALL = 64 * 1024;
