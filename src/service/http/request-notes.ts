/** Facts about a request for the access log and the metrics. */
import type { OperationName } from '../../api/index.ts';

export interface RequestNotes {
  operation: OperationName | null;
  /** The beginning of the key, as `keys list` shows it */
  keyPrefix: string | null;
  /** When its job left the queue, by performance.now() */
  startedAt: number | null;
}

export function newNotes(): RequestNotes {
  return { operation: null, keyPrefix: null, startedAt: null };
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: RequestNotes;
  }
}
