/**
 * Memory for request bodies that are still arriving. A caller needs no key to send one, and may take a minute for it: without this
 * limit, all connections together could hold gigabytes. Only bytes that have arrived count: a slow sender holds little.
 */
import { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { networkOf } from '../accounts/index.ts';
import { unavailable } from '../answers/problem.ts';
import { DEFAULT_LIMITS } from './limits.ts';

/** The first bytes of a body are not counted: the number of connections bounds them. */
const SMALL = 16 * 1024;
/** Part of all bytes that one key or one network may hold. */
const SHARE = 1 / 4;
const RETRY_AFTER_SECONDS = 5;

/** Whether its bytes are counted. A body in chunks may have any size. */
export function isLargeBody({ raw }: FastifyRequest): boolean {
  const { 'content-length': stated, 'transfer-encoding': coding } = raw.headers;
  return coding !== undefined || Number(stated ?? 0) > SMALL;
}

/** Callers with a known key and strangers have limits of their own: no stranger takes the room of a key. */
export class BodyBudget {
  readonly #rooms: { known: Room; strangers: Room };

  /** @param bytesMax of all requests with known keys, and as much again of all others */
  constructor(bytesMax = DEFAULT_LIMITS.bodyBytesMax) {
    this.#rooms = { known: new Room(bytesMax), strangers: new Room(bytesMax) };
  }

  /**
   * The body, counted as it arrives, until the request is answered.
   * @param key prefix of a known key in the request's headers or address; null: none
   * @returns a stream that fails with 503 if there is no more room
   */
  count({ raw, ip }: FastifyRequest, reply: FastifyReply, payload: RequestPayload, key: string | null): RequestPayload {
    const room = key === null ? this.#rooms.strangers : this.#rooms.known;
    const owner = key ?? networkOf(ip);
    let arrived = 0;
    let held = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        arrived += chunk.length;
        const more = Math.max(0, arrived - SMALL) - held;
        if (!room.take(owner, more)) {
          return done(unavailable('too many large requests are arriving', RETRY_AFTER_SECONDS));
        }
        held += more;
        done(null, chunk);
      },
    });
    reply.raw.once('close', () => room.give(owner, held));
    raw.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  }
}

class Room {
  readonly #bytesMax: number;
  readonly #byOwner = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  take(owner: string, bytes: number): boolean {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes;
    if (own > this.#bytesMax * SHARE || this.#bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    this.#byOwner.set(owner, own);
    return true;
  }

  give(owner: string, bytes: number): void {
    this.#bytes -= bytes;
    const own = (this.#byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
  }
}
