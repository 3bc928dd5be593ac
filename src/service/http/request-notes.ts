/** Facts about a request for the access log and the metrics. */
import type { OperationName } from '../../filings/api/index.ts';
/** What a plan limits. */
import type { QuotaLimit } from '../accounts/index.ts';

export interface RequestNotes {
  operation: OperationName | null;
  /** The beginning of the key, as `keys list` shows it */
  keyPrefix: string | null;
  /** The quota that is used up, if the request was refused for it */
  quotaRefused: QuotaLimit | null;
  /** When its job left the queue, by performance.now() */
  startedAt: number | null;
  /** Size of the answer's body, if an operation gave it */
  bytes: number | null;
}

export function newNotes(): RequestNotes {
  return { operation: null, keyPrefix: null, quotaRefused: null, startedAt: null, bytes: null };
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: RequestNotes;
  }
}
