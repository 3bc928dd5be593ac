/** The heartbeat of an activity: that it lives, and how far it is. */
import type { Context } from '@temporalio/activity';
import type { Heartbeat } from './types.ts';

const INTERVAL_MS = 500;

export interface Pulse {
  /** From now on each beat carries what this gives. */
  tell(details: () => Heartbeat): void;
  stop(): void;
}

export function startPulse(context: Context): Pulse {
  let details: () => Heartbeat | undefined = () => undefined;
  const timer = setInterval(() => context.heartbeat(details()), INTERVAL_MS);
  return {
    tell(given) {
      details = given;
    },
    stop: () => clearInterval(timer),
  };
}
