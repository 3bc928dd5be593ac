/** The limits of requests and answers. */
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
/** Time limit for a complete request: 408. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Idle connections: the time that `Keep-Alive` states to clients. Longer than the usual 60 s of proxies */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Connections stay open for this much longer, so that a client that keeps to the stated time never meets a closing one. */
export const KEEP_ALIVE_MARGIN_MS = 30_000;

export interface ServiceLimits {
  /** JSON of one page; a longer one is cut short and says so */
  maxResponseBytes: number;
  /** Number of threads that read the catalog. With one, long jobs delay short ones */
  readerThreads: number;
  /** The deadline of every operation, instead of its own */
  deadlineMs?: number;
  /** Time limit for the headers of a request: 408 */
  headersTimeoutMs: number;
  /** Maximum number of open connections. Further ones are closed at once */
  maxConnections: number;
  /** Connections from one address, or one /64 network of IPv6; default: a quarter. Trusted proxies are exempt: they have many callers */
  maxConnectionsOfAddress?: number;
  /** Bytes of request bodies that are still arriving, of all callers. Beyond: 503 */
  bodyBytesMax: number;
  /** A client that reads nothing of an answer for this time is disconnected */
  unreadTimeoutMs: number;
  /** Maximum wait for the lock of accounts.db; then 503 */
  accountsWaitMs: number;
  /** Time limit of one PDF, from the request to the answer */
  pdfTimeoutMs: number;
  /** Number of PDFs made at a time, each with a browser of its own */
  pdfLanes: number;
  pdfQueueLength: number;
  /** Maximum wait for active answers at shutdown */
  drainTimeoutMs: number;
}

export const DEFAULT_LIMITS: Readonly<ServiceLimits> = {
  maxResponseBytes: 16 * 1024 * 1024,
  // One thread stays free for short look-ups. The others can use all processors.
  readerThreads: availableParallelism() + 1,
  headersTimeoutMs: 20_000,
  maxConnections: 4_096,
  bodyBytesMax: 128 * 1024 * 1024,
  unreadTimeoutMs: 30_000,
  accountsWaitMs: 5_000,
  pdfTimeoutMs: 60_000,
  // A browser uses a processor. One is left for look-ups.
  pdfLanes: Math.max(1, Math.min(4, availableParallelism() - 1)),
  pdfQueueLength: 8,
  drainTimeoutMs: 15_000,
};

/** A slower reader of a large answer is disconnected: 16 KiB a second. */
export const LEAST_BYTES_PER_SECOND = 16 * 1024;
