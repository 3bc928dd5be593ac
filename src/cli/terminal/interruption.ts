/** Ctrl-C and SIGTERM: the first asks to end, another one, meant as such, ends at once. */
import type { EventEmitter } from 'node:events';
import { EXIT } from '../../core/index.ts';

/** One Ctrl-C under npm or npx arrives twice within milliseconds: from the terminal's group, and passed on by npm. */
const SAME_INTERRUPT_MS = 500;

export interface Interruption {
  /** Aborted by the first signal; its reason is the signal's name. */
  signal: AbortSignal;
  /** Leaves signals to others again. */
  stop(): void;
}

/**
 * Listens for SIGINT and SIGTERM until `stop()`.
 * @param options for tests: where signals come from, the time in milliseconds, and what ends the process
 */
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
    stop() {
      for (const name of names) signals.off(name, interrupt);
    },
  };
}
