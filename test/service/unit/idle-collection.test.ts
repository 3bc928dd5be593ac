/** When a reader thread collects garbage: after large answers, once it is idle. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleCollection, LARGE_ANSWER_BYTES } from '../../../src/service/readers/idle-collection.ts';

const IDLE_MS = 5_000;
const SMALL = 1_000;
let collections: number;
let idle: IdleCollection;
beforeEach(() => {
  vi.useFakeTimers();
  collections = 0;
  idle = new IdleCollection({ collect: () => collections++, idleMs: IDLE_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a thread that answered', () => {
  it('a large answer collects once, when it is idle', () => {
    idle.answered(LARGE_ANSWER_BYTES);
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(collections).toBe(0);
    vi.advanceTimersByTime(1);
    expect(collections).toBe(1);
    vi.advanceTimersByTime(100 * IDLE_MS);
    expect(collections).toBe(1);
  });

  it('small answers alone never collects', () => {
    for (let i = 0; i < 10; i++) {
      idle.answered(SMALL);
      vi.advanceTimersByTime(2 * IDLE_MS);
    }
    expect(collections).toBe(0);
  });

  it('small answers after a large one waits until they end', () => {
    idle.answered(LARGE_ANSWER_BYTES);
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(IDLE_MS - 1);
      idle.answered(SMALL);
    }
    expect(collections).toBe(0);
    vi.advanceTimersByTime(IDLE_MS);
    expect(collections).toBe(1);
  });

  it('another large answer later collects again', () => {
    for (let i = 1; i <= 3; i++) {
      idle.answered(LARGE_ANSWER_BYTES);
      vi.advanceTimersByTime(IDLE_MS);
      expect(collections).toBe(i);
    }
  });
});

describe('the collection', () => {
  it('is real: what nobody holds is gone', async () => {
    vi.useRealTimers();
    const real = new IdleCollection({ idleMs: 1 });
    let gone = false;
    const registry = new FinalizationRegistry(() => {
      gone = true;
    });
    registry.register(new ArrayBuffer(LARGE_ANSWER_BYTES), null);
    await expect
      .poll(() => {
        real.answered(LARGE_ANSWER_BYTES);
        return gone;
      })
      .toBe(true);
  });
});
