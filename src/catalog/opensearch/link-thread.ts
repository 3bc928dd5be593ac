/** Asks OpenSearch for a thread that waits for the answer. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { FilinglakeError } from '../../core/index.ts';
import { OpenSearch } from './client.ts';
import type { LinkData, LinkReply, LinkRequest } from './link.ts';

const { place, port, replies } = workerData as LinkData & { port: MessagePort };
const engine = new OpenSearch(place);
let current: { number: number; abort: AbortController } | null = null;

port.on('message', async ({ number, call }: LinkRequest) => {
  // A new request, or none: nobody waits for the one before.
  current?.abort.abort();
  current = { number, abort: new AbortController() };
  if (call === null) return;
  let reply: LinkReply;
  try {
    reply = { number, answer: await engine.call(call, current.abort.signal) };
  } catch (error) {
    const code = error instanceof FilinglakeError ? error.code : null;
    reply = { number, code, message: (error as Error).message };
  }
  port.postMessage(reply);
  Atomics.add(replies, 0, 1);
  Atomics.notify(replies, 0);
});
