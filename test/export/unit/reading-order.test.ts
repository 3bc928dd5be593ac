/** Windows that end in any order give the list of windows that were read one after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WindowRead } from '../../../src/export/pipeline/types.ts';
import { type ExportWindow, ReadingOrder, takeReads } from '../../../src/export/windows/index.ts';
import { runs } from '../../support/property-runs.ts';

const plain = (id: string): ExportWindow => ({ id, filter: {}, today: '2024-06-30', inexact: null });

/** Reads a window: its id and depth decide whether it is split, and into how many. The verdict of a last part shows what it knew. */
function readOf({ id, share }: ExportWindow, seed: number): WindowRead {
  let hash = seed;
  for (const char of id) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  const count = hash % 50;
  const nothing = { pages: 1, found: 0, proven: false };
  if (hash % 3 > 0 || id.split('-').length > 4) {
    const left = share?.later === 0 ? share.left : 0;
    return { ...nothing, split: null, promised: count + left, counted: count, found: count, proven: left <= count };
  }
  const parts = Array.from({ length: 1 + (hash % 4) }, (_, i) => plain(`${id}-${i + 1}`));
  // The service states no count of some.
  const matches = hash % 7 === 0 ? 0 : count;
  const later = (i: number) => ({ of: id, left: matches, later: parts.length - 1 - i });
  const split = hash % 5 === 0 ? parts : parts.map((part, i) => ({ ...part, share: later(i) }));
  return { ...nothing, split, promised: matches };
}

describe('windows that are read several at a time', () => {
  it('are the same windows in the same order, with what each last part should have', () => {
    const draws = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 8 }), draws, (...given) => {
        const [seed, first, atOnce, chances] = given;
        const unread = Array.from({ length: first }, (_, i) => plain(`w${i}`));
        const inTurn = [...unread];
        const expected: [ExportWindow, WindowRead][] = [];
        for (let window = inTurn[0]; window; window = inTurn[0]) {
          const read = readOf(window, seed);
          expected.push([window, read]);
          takeReads(inTurn, [read]);
        }

        const order = new ReadingOrder<ExportWindow, WindowRead>(unread);
        const reading: ExportWindow[] = [];
        for (let turn = 0; ; turn++) {
          for (let next = order.begin(); next; next = reading.length < atOnce ? order.begin() : null)
            reading.push(next);
          if (reading.length === 0) break;
          const [window] = reading.splice(chances[turn % chances.length]! % reading.length, 1);
          order.end(window!, readOf(window!, seed));
          // At any moment, the windows up to the first unread one are a beginning of the list.
          const ids = [...order.read()].map(([{ id }]) => id);
          expect(ids).toEqual(expected.slice(0, ids.length).map(([{ id }]) => id));
        }
        const all = [...order.read()];
        expect(all.map(([, read]) => read)).toEqual(expected.map(([, read]) => read));
        const rest = [...unread];
        const taken = takeReads(
          rest,
          all.map(([, read]) => read),
        );
        expect(taken.map(({ id }) => id)).toEqual(expected.map(([{ id }]) => id));
        expect(rest).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('wait with the last part for the others', () => {
    const order = new ReadingOrder<ExportWindow, WindowRead>([plain('w'), plain('x')]);
    const parts = [2, 1, 0].map((later, i) => ({ ...plain(`w-${i + 1}`), share: { of: 'w', left: 10, later } }));
    const read = (found: number) => ({ split: null, pages: 1, promised: found, found, proven: true });
    expect([order.begin()?.id, order.begin()?.id]).toEqual(['w', 'x']);
    order.end(plain('w'), { split: parts, pages: 1, promised: 10, found: 0, proven: false });
    expect([order.begin()?.id, order.begin()?.id, order.begin()]).toEqual(['w-1', 'w-2', null]);
    order.end(plain('w-2'), read(4));
    expect(order.begin()).toBeNull();
    order.end(plain('w-1'), read(5));
    expect(order.begin()).toMatchObject({ id: 'w-3', share: { left: 1, later: 0 } });
    order.end(plain('x'), read(1));
    expect([...order.read()].map(([{ id }]) => id)).toEqual(['w', 'w-1', 'w-2']);
  });
});
