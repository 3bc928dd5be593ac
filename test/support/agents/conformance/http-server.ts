/** The fixtures behind the service's own route for `/mcp`. */
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { AccountBook } from '../../../../src/service/http/account-book.ts';
import { createApp } from '../../../../src/service/http/app.ts';
import { addMcp, type CallerTools } from '../../../../src/service/http/mcp-route.ts';
import { PendingAnswers } from '../../../../src/service/http/pending-answers.ts';
import { fixtureServer } from './fixtures.ts';

const TOOLS: CallerTools = {
  serverFor: () => fixtureServer({ sources: [], lake: null, sql: null, exports: null }),
  close: async () => undefined,
};

export async function fixtureService(): Promise<{ app: FastifyInstance; url: string }> {
  const accounts: AccountBook = {
    admit: () => ({ outcome: 'unknown' }),
    addWork: () => {},
    settle: () => ({ requestsUsed: 1, bytesUsed: 0 }),
    find: (keys) => keys.map(() => ({ prefix: 'k', closed: false })),
    count: async () => ({ outcome: 'unknown' }),
  };
  let url = '';
  const app = createApp({
    readers: { run: () => Promise.reject(new Error('not asked for')) },
    pending: new PendingAnswers({ idleMs: 1_000, leastBytesPerSecond: 1 }, () => undefined),
    pdfs: { make: () => Promise.reject(new Error('not asked for')) },
    accounts,
    pricingUrl: '',
    maxResponseBytes: 1_000_000,
    now: () => new Date(),
    version: '0',
    isClosing: () => false,
    logger: pino({ enabled: false }),
    addPaths: (to) => addMcp(to, { accounts, address: () => url, tools: async () => TOOLS }),
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url };
}
