/** A busy service sees a time limit pass before it reads what has arrived meanwhile: the request must get its answer. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { answerUnreadable } from '../../../src/service/http/raw-answers.ts';
import { createHttpServer } from '../../../src/service/http/server.ts';

const LIMIT_MS = 2_000;

/** A client in a thread of its own: it sends while the server's thread is blocked. */
const CLIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const socket = require('node:net').connect(workerData.port, '127.0.0.1');
let text = '';
socket.on('connect', () => parentPort.postMessage('connected'));
socket.on('data', (piece) => { text += piece; if (text.endsWith('ok')) parentPort.postMessage(text); });
socket.on('error', (error) => parentPort.postMessage(error.code));
socket.on('close', () => parentPort.postMessage('closed: ' + text));
parentPort.on('message', (toSend) => {
  text = '';
  Atomics.store(workerData.sent, 0, 0);
  setTimeout(() => socket.write(toSend, () => { Atomics.store(workerData.sent, 0, 1); Atomics.notify(workerData.sent, 0); }), 50);
});
`;

let server: Server;
let client: Worker;
const sent = new Int32Array(new SharedArrayBuffer(4));
async function start() {
  server = createHttpServer((_request, response) => response.end('ok'), {
    headersTimeoutMs: LIMIT_MS,
    keepAliveTimeoutMs: LIMIT_MS,
    keepAliveMarginMs: 0,
    onUnreadable: answerUnreadable,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new Worker(CLIENT, { eval: true, workerData: { port: (server.address() as AddressInfo).port, sent } });
  const connected = once(server, 'connection');
  expect(await once(client, 'message')).toEqual(['connected']);
  await connected;
}
afterEach(async () => {
  await client.terminate();
  server.closeAllConnections();
  server.close();
});

/** The client sends while this thread does nothing for longer than every limit. */
async function sendDuringAPause(text: string): Promise<string> {
  const answer = once(client, 'message') as Promise<[string]>;
  client.postMessage(text);
  // Until the bytes have left, and then for longer than the limits.
  Atomics.wait(sent, 0, 0, 60_000);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS + 1_000);
  const [heard] = await answer;
  return heard;
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a request that arrives while the service is busy', () => {
  it('is answered, though the limit of its headers has passed', async () => {
    await start();
    expect(await sendDuringAPause(REQUEST)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('is answered, though its connection has been idle too long', async () => {
    await start();
    const first = once(client, 'message');
    client.postMessage(REQUEST);
    expect((await first)[0]).toMatch(/^HTTP\/1.1 200 /);
    expect(await sendDuringAPause(REQUEST)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('is answered 408 if it is still not whole', async () => {
    await start();
    expect(await sendDuringAPause('GET / HTTP/1.1\r\nHost:')).toMatch(/^closed: HTTP\/1.1 408 /);
  });
});

describe('an idle connection', () => {
  it('is closed after its time', async () => {
    await start();
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.write(REQUEST);
    socket.resume();
    await closed;
  });

  it('is closed later than the time that its client knows', async () => {
    await start();
    server.keepAliveTimeoutBuffer = 60_000;
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(REQUEST);
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    await expect.poll(() => text, { timeout: 120_000 }).toMatch(/ok$/);
    await pause(LIMIT_MS + 500);
    socket.write(REQUEST);
    await expect.poll(() => text.match(/200 OK/g)?.length, { timeout: 120_000 }).toBe(2);
    socket.destroy();
  });
});
