/** A limit on everything that a request or an answer can grow to. */
import { availableParallelism } from 'node:os';

export const MAX_URL_BYTES = 64 * 1024;
export const MAX_BODY_BYTES = 1024 * 1024;
/** All header lines without the request line */
export const MAX_HEADER_BYTES = 32 * 1024;
/**
 * What Node's parser accepts before it answers 431: URL and headers at their limits, plus a margin. So a request that is a little
 * too long gets its specific answer (414, 431). Before its key is known, a connection can't hold more memory than this.
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
  /** Connections at once; further ones are closed at once */
  maxConnections: number;
  /** An answer of which nothing is read for so long ends its connection */
  unreadTimeoutMs: number;
  /** Wait for the lock of accounts.db; beyond, 503 */
  accountsWaitMs: number;
  /** One PDF, from arrival to end */
  pdfTimeoutMs: number;
  /** PDFs that may wait for the one being made */
  pdfQueueLength: number;
  /** How long a service that is shutting down waits for active answers */
  drainTimeoutMs: number;
}

export const DEFAULT_LIMITS: Readonly<ServiceLimits> = {
  maxResponseBytes: 16 * 1024 * 1024,
  // One stays free for short look-ups: the others can use all processors.
  readerThreads: availableParallelism() + 1,
  headersTimeoutMs: 20_000,
  maxConnections: 4_096,
  unreadTimeoutMs: 30_000,
  accountsWaitMs: 5_000,
  pdfTimeoutMs: 60_000,
  pdfQueueLength: 8,
  drainTimeoutMs: 15_000,
};

/** A slower reader of a large answer is disconnected: 16 KiB a second. */
export const LEAST_BYTES_PER_SECOND = 16 * 1024;
