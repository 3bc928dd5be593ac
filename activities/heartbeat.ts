/** The heartbeat of an activity: its progress, and the usage of all its attempts. */
import type { Context } from '@temporalio/activity';
import { addSpent, type HeartbeatReporter, isSpent, type Spent, spentBefore } from '../src/pipeline/index.ts';

const INTERVAL_MS = 500;

export interface ActivityHeartbeat extends HeartbeatReporter {
  /** By earlier attempts */
  readonly before: Spent;
  /** By all attempts until now; null for an activity that sends no requests */
  spent(): Spent | null;
  stop(): void;
}

export function startHeartbeat(context: Context): ActivityHeartbeat {
  const before = spentBefore(context.info.heartbeatDetails);
  let details: () => object | undefined = () => undefined;
  const timer = setInterval(() => context.heartbeat(details()), INTERVAL_MS);
  return {
    before,
    report(given) {
      details = () => {
        const reported = given();
        return isSpent(reported) ? { ...reported, ...addSpent(before, reported) } : reported;
      };
    },
    spent() {
      const reported = details();
      return isSpent(reported) ? addSpent(reported, { requests: 0, bytes: 0, retries: 0 }) : null;
    },
    stop: () => clearInterval(timer),
  };
}
