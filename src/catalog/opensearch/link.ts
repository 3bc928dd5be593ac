/** OpenSearch for synchronous code: a thread of its own asks, and the caller waits. */
import { extname } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type ErrorCode, FilinglakeError } from '../../core/index.ts';
import type { StillWanted } from '../schema.ts';
import type { Answer, Call } from './client.ts';

export interface LinkData {
  place: string;
  port: MessagePort;
  /** The number of replies that were sent */
  replies: Int32Array;
}

/** `call` null: the last one is no longer wanted */
export interface LinkRequest {
  number: number;
  call: Call | null;
}

export type LinkReply = { number: number } & ({ answer: Answer } | { code: ErrorCode | null; message: string });

/** How often a waiting caller looks whether its work is still wanted, in milliseconds. */
const LOOK_MS = 20;

export class OpenSearchLink {
  readonly #place: string;
  readonly #stillWanted: StillWanted;
  readonly #replies = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #worker: { thread: Worker; port: MessagePort } | null = null;
  #number = 0;
  /** Milliseconds that searches took in OpenSearch, or waited for it until they were given up. `Catalog.takeWorkElsewhere` sets it to 0. */
  workMs = 0;

  constructor(place: string, stillWanted: StillWanted) {
    this.#place = place;
    this.#stillWanted = stillWanted;
  }

  /** @throws FilinglakeError as OpenSearch.call; the error of `stillWanted` */
  call(call: Call): Answer {
    const { port } = this.#started();
    const number = ++this.#number;
    const sentAt = performance.now();
    port.postMessage({ number, call } satisfies LinkRequest);
    for (;;) {
      const seen = Atomics.load(this.#replies, 0);
      for (let m = receiveMessageOnPort(port); m !== undefined; m = receiveMessageOnPort(port)) {
        const reply = m.message as LinkReply;
        // Others were given up.
        if (reply.number === number) return answerOf(reply);
      }
      Atomics.wait(this.#replies, 0, seen, LOOK_MS);
      try {
        this.#stillWanted();
      } catch (error) {
        port.postMessage({ number, call: null } satisfies LinkRequest);
        this.workMs += performance.now() - sentAt;
        throw error;
      }
    }
  }

  close(): void {
    void this.#worker?.thread.terminate();
    this.#worker = null;
  }

  /** The thread starts with the first request. */
  #started(): { port: MessagePort } {
    if (this.#worker === null) {
      const { port1: port, port2 } = new MessageChannel();
      const file = new URL(`./link-thread${extname(import.meta.filename)}`, import.meta.url);
      const data: LinkData = { place: this.#place, port: port2, replies: this.#replies };
      const thread = new Worker(file, { workerData: data, transferList: [port2] });
      thread.unref();
      port.unref();
      this.#worker = { thread, port };
    }
    return this.#worker;
  }
}

function answerOf(reply: LinkReply): Answer {
  if ('answer' in reply) return reply.answer;
  if (reply.code !== null) throw new FilinglakeError(reply.code, reply.message);
  throw new Error(reply.message);
}
