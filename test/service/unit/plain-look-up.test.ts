/** No key can use the main thread alone: the keys take turns, and each turn of the event loop has a bound. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { AccountBook } from '../../../src/service/http/account-book.ts';
import { PendingAnswers } from '../../../src/service/http/pending-answers.ts';
import { PlainLookUps } from '../../../src/service/http/plain-look-up.ts';
import type { QuickLookUps } from '../../../src/service/readers/quick-look-ups.ts';

const UNITS = 8;

function lookUps(
  over: { accounts?: Partial<AccountBook>; outcome?: null; diskReads?: () => number; workMs?: number } = {},
) {
  const order: string[] = [];
  const otherwise: string[] = [];
  const body = Buffer.from('{}');
  const outcome = { body, contentType: 'application/json', etag: null, size: 2, coding: null, headers: {} };
  const quick: Pick<QuickLookUps, 'answer'> = {
    answer: ({ parameters }) => {
      const until = performance.now() + (over.workMs ?? 0);
      while (performance.now() < until);
      order.push((parameters as { filename: string }).filename);
      return { outcome: over.outcome === null ? null : outcome, units: UNITS };
    },
  };
  const accounts: Partial<AccountBook> = {
    find: (keys) => keys.map((key) => ({ prefix: key, closed: key === 'closed' })),
    count: (requests) => requests.map(() => null),
    ...over.accounts,
  };
  const plain = new PlainLookUps({
    isTrustedProxy: null,
    quick: quick as QuickLookUps,
    accounts: accounts as AccountBook,
    now: () => new Date(0),
    logger: pino({ level: 'silent' }),
    isClosing: () => false,
    diskReads: over.diskReads ?? (() => 0),
    pending: new PendingAnswers({ idleMs: 1_000, leastBytesPerSecond: 1 }, () => {}),
  });
  const ask = (key: string, name: string) => {
    const request = new IncomingMessage(new Socket());
    const url = `/v2/document?accession_number=0000000001-20-000001&filename=${name}&api_key=${key}`;
    Object.assign(request, { method: 'GET', url, rawHeaders: ['Host', 'a'] });
    plain.answer(request, new ServerResponse(request), () => otherwise.push(name));
  };
  return { order, otherwise, ask };
}

describe('plain look-ups', () => {
  it('take turns between the keys, however many requests a key has', async () => {
    const { order, ask } = lookUps();
    for (let i = 0; i < 300; i++) ask('many', `many-${i}`);
    ask('one', 'one-0');
    await nextTurn();
    expect(order.indexOf('one-0')).toBeLessThan(2);
    // A request that comes while the line of another key is long has the next turn.
    const before = order.length;
    ask('one', 'one-1');
    await nextTurn();
    expect(order.indexOf('one-1') - before).toBeLessThan(2);
  });

  it('do a bounded part of their work in a turn of the event loop, and lose none', async () => {
    const { order, otherwise, ask } = lookUps();
    const names = Array.from({ length: 100 }, (_, i) => `n-${i}`);
    for (const name of names) ask('k', name);
    let turns = 0;
    for (let done = 0; done < names.length; done = order.length) {
      await nextTurn();
      turns++;
      expect((order.length - done) * UNITS).toBeLessThanOrEqual(64 + UNITS);
    }
    expect(turns).toBeGreaterThan(10);
    expect(order).toEqual(names);
    // Here no request could be counted: each took the ordinary way, once.
    await nextTurn();
    expect(otherwise.toSorted()).toEqual(names.toSorted());
  });

  it('are left to reader threads for a while if they are slow and read from a disk', async () => {
    let reads = 0;
    const { order, otherwise, ask } = lookUps({ diskReads: () => ++reads, workMs: 4 });
    const before = performance.now();
    ask('k', 'a');
    await nextTurn();
    expect(order).toEqual(['a']);
    ask('k', 'b');
    await nextTurn();
    // A machine that stops here for a quarter of a second tries the next one again.
    if (performance.now() - before < 250) expect(order).toEqual(['a']);
    // Later they are tried again.
    for (let i = 0; order.length < 2; i++) {
      await pause(20);
      ask('k', `later-${i}`);
      await nextTurn();
    }
    expect(order.at(-1)).toMatch(/^(later|b)/);
    expect(otherwise).toContain('a');
  });

  it.each([
    ['the accounts are busy', { accounts: { find: () => fail() } }],
    ['the answers can not be counted', { accounts: { count: () => fail() } }],
    ['the answers can not be counted for long', { accounts: { count: () => Promise.reject(new Error('busy')) } }],
    ['a reader thread must answer', { outcome: null }],
  ])('take the ordinary way, once each, if %s', async (_why, over) => {
    const { otherwise, ask } = lookUps(over);
    for (const name of ['a', 'b', 'c']) ask('k', name);
    ask('closed', 'd');
    await nextTurn();
    await nextTurn();
    expect(otherwise.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });
});

function fail(): never {
  throw new Error('busy');
}
