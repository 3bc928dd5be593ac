/** A command that is over ends its process, whatever is left in it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endDespiteLeftovers } from '../../../src/cli/terminal/end-of-process.ts';

describe('a process whose command is over', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends after some seconds, once', () => {
    const exit = vi.fn();
    endDespiteLeftovers({ exit, outputs: [{ writableLength: 0 }] });
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(exit).toHaveBeenCalledTimes(1);
  });

  it('does not end before its output is written', () => {
    const exit = vi.fn();
    const stdout = { writableLength: 7 };
    endDespiteLeftovers({ exit, outputs: [stdout] });
    vi.advanceTimersByTime(60_000);
    expect(exit).not.toHaveBeenCalled();
    stdout.writableLength = 0;
    vi.advanceTimersByTime(10_000);
    expect(exit).toHaveBeenCalledTimes(1);
  });
});
