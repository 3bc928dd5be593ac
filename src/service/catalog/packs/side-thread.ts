/** Asynchronous work for synchronous code: a thread of its own does it, and the caller waits without an event loop. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { type ErrorCode, FilinglakeError } from '../../../core/index.ts';

interface SideData<Setup> {
  setup: Setup;
  port: MessagePort;
  /** The number of replies that were sent; whether the thread takes requests */
  replies: Int32Array;
}

const [REPLIES, IS_READY] = [0, 1];

/** `request` null: the last one is no longer wanted */
interface SideRequest<Request> {
  number: number;
  request: Request | null;
}

type SideReply<Answer> = { number: number } & ({ answer: Answer } | { code: ErrorCode | null; message: string });

/** How often a waiting caller looks whether its work is still wanted, in milliseconds. */
const LOOK_MS = 20;

export class SideThread<Request, Answer> {
  readonly #file: URL;
  readonly #setup: unknown;
  readonly #replies = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  #worker: { thread: Worker; port: MessagePort } | null = null;
  #number = 0;

  /** @param file calls `serveCallers` with the same types @param setup passed to it */
  constructor(file: URL, setup: unknown = null) {
    this.#file = file;
    this.#setup = setup;
  }

  /** Not while it loads what it needs */
  get isReady(): boolean {
    return Atomics.load(this.#replies, IS_READY) === 1;
  }

  /** @param whileWaiting called often; its error ends the waiting. @throws FilinglakeError of the thread */
  ask(request: Request, whileWaiting: () => void): Answer {
    const { port } = this.#started();
    const number = ++this.#number;
    port.postMessage({ number, request } satisfies SideRequest<Request>);
    for (;;) {
      const seen = Atomics.load(this.#replies, REPLIES);
      for (let m = receiveMessageOnPort(port); m !== undefined; m = receiveMessageOnPort(port)) {
        const reply = m.message as SideReply<Answer>;
        // Others were given up.
        if (reply.number === number) return answerOf(reply);
      }
      Atomics.wait(this.#replies, REPLIES, seen, LOOK_MS);
      try {
        whileWaiting();
      } catch (error) {
        port.postMessage({ number, request: null } satisfies SideRequest<Request>);
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
      const data: SideData<unknown> = { setup: this.#setup, port: port2, replies: this.#replies };
      const thread = new Worker(this.#file, { workerData: data, transferList: [port2] });
      thread.unref();
      port.unref();
      this.#worker = { thread, port };
    }
    return this.#worker;
  }
}

function answerOf<Answer>(reply: SideReply<Answer>): Answer {
  if ('answer' in reply) return reply.answer;
  if (reply.code !== null) throw new FilinglakeError(reply.code, reply.message);
  throw new Error(reply.message);
}

/** The other end, called once in the thread. @param signal aborted when the request is no longer wanted */
export function serveCallers<Setup, Request, Answer>(
  prepare: (setup: Setup) => (request: Request, signal: AbortSignal) => Promise<Answer>,
): void {
  const { setup, port, replies } = workerData as SideData<Setup>;
  const answer = prepare(setup);
  let current = new AbortController();
  port.on('message', async ({ number, request }: SideRequest<Request>) => {
    // A new request, or none: nobody waits for the one before.
    current.abort();
    if (request === null) return;
    current = new AbortController();
    let reply: SideReply<Answer>;
    try {
      reply = { number, answer: await answer(request, current.signal) };
    } catch (error) {
      const code = error instanceof FilinglakeError ? error.code : null;
      reply = { number, code, message: (error as Error).message };
    }
    port.postMessage(reply);
    Atomics.add(replies, REPLIES, 1);
    Atomics.notify(replies, REPLIES);
  });
  Atomics.store(replies, IS_READY, 1);
}
