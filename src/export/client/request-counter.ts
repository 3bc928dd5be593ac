/**
 * What is sent, counted in one place: the client's hooks feed it; heartbeats, results and the budget read it.
 *
 * - A request is counted when it is sent. Retries count, and so do requests without an answer. The status does not matter: 200, 404, 429
 *   and 5xx count alike. The client follows no redirect: a 3xx is an answer, and ends the request.
 * - `bytes` are those of the bodies that came whole, unpacked.
 * - A service counts less against the month: the answers of `countsAgainstMonth`. Its own figure comes in its quota headers.
 */
import type { RequestEvent } from './client.ts';

export interface Sent {
  /** Requests sent, retries included */
  requests: number;
  /** Bytes of the answers' bodies, unpacked */
  bytes: number;
  /** Requests that were repetitions */
  retries: number;
}

export const NOTHING_SENT: Sent = { requests: 0, bytes: 0, retries: 0 };

export class RequestCounter {
  readonly #before: Sent;
  #own = NOTHING_SENT;
  #settled = NOTHING_SENT;
  #tell: (more: Sent) => void = () => {};

  /** @param before what earlier attempts at the same work sent, as far as it is known */
  constructor(before = NOTHING_SENT) {
    this.#before = before;
  }

  /** From now on `tell` receives the counts too. */
  alsoTo(tell: (more: Sent) => void): void {
    this.#tell = tell;
  }

  sent(): void {
    this.#add({ ...NOTHING_SENT, requests: 1 });
  }

  /** Counts each request that was sent, with or without an answer. */
  answered({ attempt, bytes }: Pick<RequestEvent, 'attempt' | 'bytes'>): void {
    this.#add({ requests: 0, bytes, retries: attempt > 1 ? 1 : 0 });
  }

  /** By this attempt. */
  get own(): Sent {
    return this.#own;
  }

  /** By all attempts. */
  get total(): Sent {
    return addSent(this.#before, this.#own);
  }

  /** By this attempt, and not charged to the budget yet. */
  get unsettled(): Sent {
    const { requests, bytes, retries } = this.#settled;
    return addSent(this.#own, { requests: -requests, bytes: -bytes, retries: -retries });
  }

  settled(sent: Sent): void {
    this.#settled = addSent(this.#settled, sent);
  }

  #add(more: Sent): void {
    this.#own = addSent(this.#own, more);
    this.#tell(more);
  }
}

/** Statuses that a service of this family counts against the month. */
const COUNTED: ReadonlySet<number> = new Set([200, 304, 404, 422]);

export function countsAgainstMonth(status: number | null): boolean {
  return status !== null && COUNTED.has(status);
}

export function addSent(a: Sent, b: Sent): Sent {
  return { requests: a.requests + b.requests, bytes: a.bytes + b.bytes, retries: a.retries + b.retries };
}
