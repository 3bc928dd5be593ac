/** A limit on everything that a request or an answer can grow to. */
import { availableParallelism } from 'node:os';

export const MAX_URL_BYTES = 64 * 1024;
export const MAX_BODY_BYTES = 1024 * 1024;
/** All header lines without the request line */
export const MAX_HEADER_BYTES = 32 * 1024;
/**
 * What Node's parser takes before it gives up with 431: URL and headers at their limits, and some, so that one that is
 * a little too long is answered by name (414, 431). A connection can hold no more memory than this before its key is known.
 */
export const MAX_PARSED_BYTES = 128 * 1024;
/** A request that isn't complete after this is answered 408. */
export const REQUEST_TIMEOUT_MS = 60_000;
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface ServiceLimits {
  /** JSON of one page; a longer one is cut short and says so */
  maxResponseBytes: number;
  /** Threads that read the catalog; with one, long jobs delay short ones */
  readerThreads: number;
  /** Every operation's deadline, instead of its own */
  deadlineMs?: number;
  /** The headers of a request must have come after this: 408 */
  headersTimeoutMs: number;
  /** Connections at once; more are closed as they come */
  maxConnections: number;
  /** An answer of which nothing is read for so long ends its connection */
  unreadTimeoutMs: number;
  /** Wait for the lock of accounts.db; beyond, 503 */
  accountsWaitMs: number;
  /** One PDF, from arrival to end */
  pdfTimeoutMs: number;
  /** PDFs that may wait for the one being made */
  pdfQueueLength: number;
  /** How long a service that is told to end waits for the answers that are under way */
  drainTimeoutMs: number;
}

export const DEFAULT_LIMITS: Readonly<ServiceLimits> = {
  maxResponseBytes: 16 * 1024 * 1024,
  // One stays free for short look-ups: the others keep all processors busy.
  readerThreads: availableParallelism() + 1,
  headersTimeoutMs: 20_000,
  maxConnections: 4_096,
  unreadTimeoutMs: 30_000,
  accountsWaitMs: 5_000,
  pdfTimeoutMs: 60_000,
  pdfQueueLength: 8,
  drainTimeoutMs: 15_000,
};

/** A slower reader of a large answer is no reader: 16 KiB a second. */
export const LEAST_BYTES_PER_SECOND = 16 * 1024;
