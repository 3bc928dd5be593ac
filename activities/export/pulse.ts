/** The heartbeat of an activity: that it lives, and how far it is. */
import type { Context } from '@temporalio/activity';
import { addSpent, spentBefore } from './spent.ts';
import type { Heartbeat, Spent } from './types.ts';

const INTERVAL_MS = 500;

export interface Pulse {
  /** From now on each beat carries what this gives. */
  tell(details: () => Heartbeat): void;
  /** By the attempts before this one */
  readonly before: Spent;
  /** By all attempts until now; null for an activity that sends no requests */
  spent(): Spent | null;
  stop(): void;
}

export function startPulse(context: Context): Pulse {
  const before = spentBefore(context.info.heartbeatDetails);
  let details: () => Heartbeat | undefined = () => undefined;
  const timer = setInterval(() => context.heartbeat(details()), INTERVAL_MS);
  return {
    before,
    tell(given) {
      details = () => {
        const told = given();
        return { ...told, ...addSpent(before, told) };
      };
    },
    spent() {
      const told = details();
      return told ? addSpent(told, { requests: 0, bytes: 0, retries: 0 }) : null;
    },
    stop: () => clearInterval(timer),
  };
}
