/**
 * Memory for request bodies that are still arriving. A caller needs no key to send one, and may take a minute for it: without this
 * limit, all connections together could hold gigabytes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServiceProblem, unavailable } from '../problem.ts';
import { DEFAULT_LIMITS, MAX_BODY_BYTES } from './limits.ts';

/** Smaller bodies are not counted: the number of connections bounds them. */
const SMALL = 16 * 1024;
const RETRY_AFTER_SECONDS = 5;

export class BodyBudget {
  readonly #bytesMax: number;
  #bytes = 0;

  /** @param bytesMax of all requests */
  constructor(bytesMax = DEFAULT_LIMITS.bodyBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Reserves the body until the request is answered. @returns 503 if there is no room */
  take({ raw }: FastifyRequest, reply: FastifyReply): ServiceProblem | undefined {
    const bytes = Math.min(MAX_BODY_BYTES, statedBytes(raw.headers));
    if (bytes <= SMALL) return undefined;
    if (this.#bytes + bytes > this.#bytesMax)
      return unavailable('too many large requests are arriving', RETRY_AFTER_SECONDS);
    this.#bytes += bytes;
    reply.raw.once('close', () => {
      this.#bytes -= bytes;
    });
    return undefined;
  }
}

/** A body in chunks may have any size. */
function statedBytes(headers: NodeJS.Dict<string | string[]>): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES;
  return Number(headers['content-length'] ?? 0);
}
