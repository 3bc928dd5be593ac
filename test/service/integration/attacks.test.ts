/** Requests as no ordinary client sends them: pipelined, cut off, with bodies that never end, misspelt. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL, CURRENT, OWNERSHIP } from '../../support/service/small-catalog.ts';

const MIB = 1024 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ limits: { bodyBytesMax: 3 * MIB } });
});
afterAll(() => service.stop());

async function connected(): Promise<Socket> {
  const socket = createConnection({ port: service.service.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string, id: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${more}\r\n`;

/** Reads until the answer to the request with this id has begun. */
function readTo(socket: Socket, id: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.includes(`x-request-id: ${id}\r\n`)) resolve(text);
  });
  socket.on('close', () => resolve(text));
  return promise;
}

describe('pipelined requests', () => {
  it('are answered in their order, whichever way each takes, and counted exactly', async () => {
    const key = service.newKey('free');
    const numbers = [ANNUAL, CURRENT, OWNERSHIP];
    const info = (i: number, more: string) =>
      `/v2/filing_info?accession_number=${numbers[i % 3]}&api_key=${key}${more}`;
    const requests = Array.from({ length: 150 }, (_, i) => {
      if (i % 10 === 3) return get('/healthz', `n${i}`);
      if (i % 10 === 5) return get(info(i, ''), `n${i}`, 'X-Ordinary: 1\r\n');
      if (i % 10 === 7) return get(`/v2/filing_info?accession_number=${ANNUAL}&api_key=fl_unknown`, `n${i}`);
      return get(info(i, ''), `n${i}`);
    });
    const socket = await connected();
    const answers = readTo(socket, 'last');
    socket.write(requests.join('') + get('/healthz', 'last'));
    const text = await answers;
    socket.destroy();
    const ids = [...text.matchAll(/x-request-id: n(\d+)\r\n/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 150 }, (_, i) => i));
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    const count = (status: string) => statuses.filter((one) => one === status).length;
    // 15 of health and the last one, 15 of an unknown key, 120 of the key with 100 requests.
    expect([count('200'), count('401'), count('429')]).toEqual([116, 15, 20]);
    expect(service.used(key).requests).toBe(100);
  });

  it('of a client that is gone at once do no harm, and none counts twice', async () => {
    const key = service.newKey('free');
    for (let time = 0; time < 10; time++) {
      const socket = await connected();
      const path = `/v2/filing_info?accession_number=${ANNUAL}&api_key=${key}`;
      socket.write(get(path, 'a') + get(path, 'b') + get(path, 'c'), () => socket.destroy());
      await once(socket, 'close');
    }
    const { status, bytes } = await service.ask(`/v2/filing_info?accession_number=${ANNUAL}&api_key=${key}`);
    const used = service.used(key);
    expect(status).toBe(200);
    expect(used.requests).toBeLessThanOrEqual(31);
    expect(used.bytes).toBeLessThanOrEqual(used.requests * bytes.length);
  });
});

describe('bodies that never end', () => {
  const head = (headers: string) =>
    `POST /v2/filing_info HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${headers}\r\n\r\n`;
  const begun = async (headers: string, sent: string) => {
    const socket = await connected();
    socket.write(`${head(headers)}${sent}`);
    // Its request has been taken up.
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 /);
    return socket;
  };
  const ask = (body: string, headers: Record<string, string> = {}) =>
    service.ask('/v2/filing_info', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const question = () => JSON.stringify({ api_key: service.key, accession_number: ANNUAL });

  it('hold a bounded memory: further large ones of their network get 503, those with a known key and small ones do not', async () => {
    const held = await Promise.all([1, 2].map(() => begun(`Content-Length: ${MIB}`, '{'.padEnd(350_000))));
    const large = question().padEnd(200_000);
    await expect.poll(async () => (await ask(large)).status, { timeout: 120_000 }).toBe(503);
    const refused = await ask(large);
    expect([refused.headers['retry-after'], refused.json]).toEqual([
      '5',
      { error: 'too many large requests are arriving' },
    ]);
    expect((await ask(large, { 'x-api-key': service.key })).status).toBe(200);
    expect((await ask(large, { 'x-api-key': 'fl_unknown' })).status).toBe(503);
    expect((await ask(question())).status).toBe(200);
    expect((await service.get('filing_info', `accession_number=${ANNUAL}`)).status).toBe(200);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await ask(large)).status, { timeout: 120_000 }).toBe(200);
  });

  it('and arrive slowly hold what has arrived: many of them leave room for large ones', async () => {
    const held = await Promise.all(
      Array.from({ length: 150 }, () => begun('Transfer-Encoding: chunked', '1\r\n{\r\n')),
    );
    expect((await ask(question().padEnd(200_000))).status).toBe(200);
    const socket = await connected();
    const body = question().padEnd(200_000);
    socket.write(
      `${head('Transfer-Encoding: chunked\r\nConnection: close').replace('Expect: 100-continue\r\n', '')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /);
    for (const one of [...held, socket]) one.destroy();
  });
});

describe('a key', () => {
  it.each([
    ['in a percent-encoded parameter', () => [`%61pi%5Fkey=${service.key}`, {}, 200]],
    ['twice, the same', () => [`api_key=${service.key}&api_key=${service.key}`, { 'x-api-key': service.key }, 200]],
    ['in a header, another in the parameter', () => ['api_key=fl_other', { 'x-api-key': service.key }, 400]],
    ['in two headers that differ', () => ['', { 'x-api-key': service.key, authorization: 'Bearer fl_other' }, 400]],
    ['in a header, another behind an escape', () => ['api%5Fkey=fl_other', { 'x-api-key': service.key }, 400]],
  ] as const)('%s', async (_what, request) => {
    const [query, headers, status] = request() as [string, Record<string, string>, number];
    for (const operation of ['filing_info', 'document']) {
      const answer = await service.ask(`/v2/${operation}?accession_number=${ANNUAL}&${query}`, { headers });
      expect([operation, answer.status]).toEqual([operation, status]);
      expect(answer.bytes.toString()).not.toContain(service.key);
    }
    expect(service.logLines.join('')).not.toContain(service.key.slice(12));
  });
});
