/** A limit on everything that a request or an answer can grow to. */

export const MAX_URL_BYTES = 64 * 1024;
export const MAX_BODY_BYTES = 1024 * 1024;
/** All header lines without the request line */
export const MAX_HEADER_BYTES = 32 * 1024;
/**
 * What Node's parser takes before it gives up with 431. Well above the two limits before, so that a URL or a header that is
 * too long is answered by name (414, 431) and not by the parser.
 */
export const MAX_PARSED_BYTES = 2 * 1024 * 1024;
/** A request that isn't complete after this is answered 408. */
export const REQUEST_TIMEOUT_MS = 60_000;
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long a service that is told to end waits for the answers it owes. */
export const DRAIN_TIMEOUT_MS = 15_000;

export interface ServiceLimits {
  /** JSON of one page; a longer one is cut short and says so */
  maxResponseBytes: number;
  /** Threads that read the catalog */
  readerThreads: number;
  /** One PDF, from start to end */
  pdfTimeoutMs: number;
  /** PDFs that may wait for the one being made */
  pdfQueueLength: number;
}

export const DEFAULT_LIMITS: Readonly<ServiceLimits> = {
  maxResponseBytes: 16 * 1024 * 1024,
  readerThreads: 2,
  pdfTimeoutMs: 60_000,
  pdfQueueLength: 8,
};
