/** Which lines of a work list nobody fetches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FreeLines, filingsOfBatch, type Lines } from '../../../../workflows/free-lines.ts';
import { runs } from '../../../support/property-runs.ts';

describe('the free lines of a work list', () => {
  it('are each taken once and to the end, however many fetchers take them, and however few of its lines a batch reaches', () => {
    const step = fc.record({
      fetcher: fc.nat(5),
      size: fc.integer({ min: 1, max: 40 }),
      reached: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.nat(300), fc.array(step, { maxLength: 200 }), (count, steps) => {
        const free = new FreeLines(count);
        const fetched = new Array<number>(count).fill(0);
        const held = new Map<number, Lines>();
        const end = (fetcher: number, share: number) => {
          const lines = held.get(fetcher);
          if (!lines) return;
          held.delete(fetcher);
          const next = Math.min(lines.to, lines.from + Math.ceil((lines.to - lines.from) * share));
          for (let line = lines.from; line < next; line++) fetched[line]!++;
          free.giveBack({ from: next, to: lines.to });
        };
        for (const { fetcher, size, reached } of steps) {
          end(fetcher, reached);
          const taken = free.take(size);
          if (taken) held.set(fetcher, taken);
          const inHands = [...held.values()].reduce((sum, { from, to }) => sum + to - from, 0);
          expect(inHands + free.count + fetched.filter((times) => times > 0).length).toBe(count);
        }
        for (const fetcher of held.keys()) end(fetcher, 1);
        for (let lines = free.take(7); lines; lines = free.take(7))
          for (let line = lines.from; line < lines.to; line++) fetched[line]!++;
        expect(fetched).toEqual(new Array(count).fill(1));
      }),
      { numRuns: runs(300) },
    );
  });

  it('refuse lines that are free already: they would be fetched twice', () => {
    const free = new FreeLines(10);
    const taken = free.take(4)!;
    free.giveBack({ from: 2, to: 4 });
    expect(() => free.giveBack(taken)).toThrow('fetched twice');
  });
});

describe('the size of a batch', () => {
  it('is a share of the rest for each fetcher, enough to be worth its start, and not too large for a reservation', () => {
    expect(filingsOfBatch(4_000, 8, 8, 1)).toBe(500);
    expect(filingsOfBatch(100, 8, 8, 1)).toBe(32);
    expect(filingsOfBatch(100, 8, 8, 4)).toBe(13);
    expect(filingsOfBatch(1_000_000, 8, 8, 1)).toBe(1_000);
  });
});

describe('the division of a work list, played without processors', () => {
  const [CONNECTIONS, BATCH_SECONDS, START_SECONDS] = [8, 7, 0.3];

  /** Filings a second of some fetchers, if only the service's answers and the starts of batches take time. */
  function rateOf(fetchers: number, filings: number, answerSeconds: number): number {
    const free = new FreeLines(filings);
    const ready = Array.from({ length: fetchers }, () => ({ at: 0, back: { from: 0, to: 0 } }));
    const idle: typeof ready = [];
    let end = 0;
    for (;;) {
      const [fetcher] = ready.sort((one, other) => one.at - other.at).splice(0, 1);
      if (!fetcher) return filings / end;
      free.giveBack(fetcher.back);
      if (fetcher.back.to > fetcher.back.from) ready.push(...idle.splice(0).map((one) => ({ ...one, at: fetcher.at })));
      const lines = free.take(filingsOfBatch(free.count, fetchers, CONNECTIONS, 1));
      if (!lines) {
        idle.push({ at: fetcher.at, back: { from: 0, to: 0 } });
        continue;
      }
      const start = fetcher.at + START_SECONDS;
      // Each connection takes the next filing until the batch's time is up.
      const rounds = Math.min(
        Math.ceil((lines.to - lines.from) / CONNECTIONS),
        Math.ceil(BATCH_SECONDS / answerSeconds),
      );
      const next = Math.min(lines.to, lines.from + rounds * CONNECTIONS);
      end = Math.max(end, start + rounds * answerSeconds);
      ready.push({ at: start + rounds * answerSeconds, back: { from: next, to: lines.to } });
    }
  }

  it.each([
    [300, 1, 0.9],
    [2_000, 1, 0.95],
    [2_000, 0.1, 0.9],
  ])(
    'keeps eight fetchers of %i filings each as busy as one, with answers of %d s: at least %d',
    (each, seconds, least) => {
      const one = rateOf(1, each, seconds);
      const shares = [2, 4, 8].map((fetchers) => rateOf(fetchers, each * fetchers, seconds) / fetchers / one);
      console.info('share of a linear rate', each, seconds, shares.map((share) => share.toFixed(2)).join(' '));
      for (const share of shares) expect(share).toBeGreaterThanOrEqual(least);
    },
  );
});
