import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PendingAnswers } from '../../../src/service/http/pending-answers.ts';

const MIB = 1024 * 1024;
const SECOND = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function response() {
  let destroyed = false;
  const events = new EventEmitter();
  const destroy = () => {
    destroyed = true;
    events.emit('close');
  };
  return { isDestroyed: () => destroyed, response: Object.assign(events, { destroy }) as unknown as ServerResponse };
}

describe('an answer that is not read yet', () => {
  const options = { idleMs: 30 * SECOND, leastBytesPerSecond: 16 * 1024 };

  it('has the time that a client of the least speed needs for all of it', () => {
    const pending = new PendingAnswers(options, () => {});
    const { isDestroyed, response: answer } = response();
    pending.add('k', MIB, answer);
    vi.advanceTimersByTime((30 + 63) * SECOND);
    expect([isDestroyed(), pending.bytes]).toEqual([false, MIB]);
    vi.advanceTimersByTime(2 * SECOND);
    expect([isDestroyed(), pending.bytes]).toEqual([true, 0]);
  });

  it('has it by what is sent, not by what is in memory, if it comes from a file', () => {
    const pending = new PendingAnswers(options, () => {});
    const { isDestroyed, response: answer } = response();
    pending.add('k', MIB, answer, 200 * MIB);
    vi.advanceTimersByTime((30 + 200 * 64 - 1) * SECOND);
    expect([isDestroyed(), pending.bytes]).toEqual([false, MIB]);
    vi.advanceTimersByTime(2 * SECOND);
    expect([isDestroyed(), pending.bytes]).toEqual([true, 0]);
  });

  it('is not counted if its connection is closed already: nothing would end it', () => {
    const pending = new PendingAnswers(options, () => {});
    const { response: answer } = response();
    answer.destroy();
    pending.add('k', MIB, Object.assign(answer, { destroyed: true }));
    expect(pending.bytes).toBe(0);
  });
});
