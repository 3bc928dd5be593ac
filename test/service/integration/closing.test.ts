import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pino from 'pino';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { jsonOutcome, type Outcome } from '../../../src/service/answers/outcome.ts';
import type { AccountBook } from '../../../src/service/http/account-book.ts';
import { createApp } from '../../../src/service/http/app.ts';
import { PendingAnswers } from '../../../src/service/http/pending-answers.ts';
import { TestService } from '../../support/service/running-service.ts';

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('a service that is shutting down', () => {
  it('answers 503 to a request that still arrives over an open connection', async () => {
    const test = await TestService.start();
    const socket = connect(test.service.port, '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n');
    // The service has the first half once it answers somebody who asked later.
    await (await request(`${test.service.url}/healthz`)).body.dump();
    const closed = test.stop();
    socket.write('\r\n');
    const answer = await readAll(socket);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer.toLowerCase()).toMatch(/\r\nretry-after: \d+\r\n/);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(answer).toContain('{"error":"the service is shutting down"}');
  });

  it('first gives the answers that are under way', async () => {
    let finish: (outcome: Outcome) => void = () => undefined;
    const started = Promise.withResolvers<void>();
    let closing = false;
    const accounts: AccountBook = {
      admit: () => ({
        outcome: 'admitted',
        ticket: { keyId: 1, month: '2026-01', day: '2026-11-01', unlimited: false },
        quota: {
          plan: 'p',
          requestsPerMonth: null,
          requestsUsed: 1,
          bytesPerMonth: null,
          bytesUsed: 0,
          workSecondsPerMonth: null,
          workSecondsUsed: 0,
          resetAt: new Date(0),
        },
      }),
      addWork: () => {},
      settle: () => ({ requestsUsed: 1, bytesUsed: 0 }),
      find: (keys) => keys.map(() => ({ prefix: 'k', closed: false })),
      count: async () => ({ outcome: 'unknown' }),
    };
    const app = createApp({
      readers: {
        run: () =>
          new Promise((resolve) => {
            finish = resolve;
            started.resolve();
          }),
      },
      pending: new PendingAnswers({ idleMs: 1_000, leastBytesPerSecond: 1 }, () => undefined),
      pdfs: { make: () => Promise.reject(new Error('not asked for')) },
      accounts,
      pricingUrl: '',
      maxResponseBytes: 1_000,
      now: () => new Date(0),
      version: '0',
      isClosing: () => closing,
      logger: pino({ enabled: false }),
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const answer = request(`${url}/v2/filing_lookup?api_key=k`);
    await started.promise;
    closing = true;
    const closed = app.close();
    finish(jsonOutcome('{"late":true}', { tagged: false }));
    const { statusCode, headers, body } = await answer;
    expect([statusCode, headers.connection, await body.json()]).toEqual([200, 'close', { late: true }]);
    await closed;
    await expect(request(`${url}/healthz`)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('can be shut down more than once', async () => {
    const test = await TestService.start();
    await Promise.all([test.service.close(), test.service.close()]);
    await test.stop();
  });
});
