import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchInterrupts } from '../../../src/cli/terminal/interruption.ts';

describe('an interruption', () => {
  function watch() {
    const signals = new EventEmitter();
    const clock = { now: 0 };
    const exits: number[] = [];
    const interruption = watchInterrupts({ signals, now: () => clock.now, exit: (code) => exits.push(code) });
    return { signals, clock, exits, interruption };
  }

  it('aborts at the first signal, and takes its echo for the same', () => {
    const { signals, clock, exits, interruption } = watch();
    signals.emit('SIGINT', 'SIGINT');
    expect(interruption.signal.reason).toBe('SIGINT');
    clock.now = 20;
    signals.emit('SIGINT', 'SIGINT');
    expect(exits).toEqual([]);
  });

  it('ends the process at a second one', () => {
    const { signals, clock, exits } = watch();
    signals.emit('SIGINT', 'SIGINT');
    clock.now = 900;
    signals.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([130]);
  });

  it('is no longer looked for after stop()', () => {
    const { signals, interruption } = watch();
    interruption[Symbol.dispose]();
    signals.emit('SIGINT', 'SIGINT');
    expect(interruption.signal.aborted).toBe(false);
  });
});
