/** Ctrl-C and SIGTERM: the first one requests the end, a second deliberate one ends at once. */
import type { EventEmitter } from 'node:events';
import { EXIT } from '../../core/index.ts';

/** Under npm or npx one Ctrl-C arrives twice within milliseconds: from the terminal's group, and from npm. */
const SAME_INTERRUPT_MS = 500;

interface Interruption extends Disposable {
  /** Aborted by the first signal; its reason is the signal's name. */
  signal: AbortSignal;
}

/** Listens for SIGINT and SIGTERM until it is disposed of. @param options for tests: signals, a time in ms, the exit */
export function watchInterrupts(
  options: { signals?: EventEmitter; now?: () => number; exit?: (code: number) => void } = {},
): Interruption {
  const { signals = process, now = () => performance.now(), exit = (code) => process.exit(code) } = options;
  const controller = new AbortController();
  let firstAt = Number.POSITIVE_INFINITY;
  const interrupt = (name: string) => {
    if (!controller.signal.aborted) {
      firstAt = now();
      controller.abort(name);
    } else if (now() - firstAt >= SAME_INTERRUPT_MS) exit(EXIT.interrupted);
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) signals.on(name, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) signals.off(name, interrupt);
    },
  };
}
