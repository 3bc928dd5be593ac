/** The heartbeat of an activity: its progress, and what all its attempts sent. */
import type { Context } from '@temporalio/activity';
import { NOTHING_SENT, type RequestCounter, type Sent } from '../src/export/client/index.ts';
import type { HeartbeatReporter } from '../src/export/pipeline/index.ts';

const INTERVAL_MS = 500;

interface ActivityHeartbeat extends HeartbeatReporter {
  stop(): void;
}

export function startHeartbeat(context: Context, requests: RequestCounter): ActivityHeartbeat {
  let details: () => object | undefined = () => undefined;
  const timer = setInterval(() => context.heartbeat(details()), INTERVAL_MS);
  return {
    report(given) {
      details = () => ({ ...given(), ...requests.total });
    },
    stop: () => clearInterval(timer),
  };
}

/** Usage of the earlier attempts, by the last heartbeat. If the last attempt was killed, up to a second of it is missing. */
export function sentBefore(heartbeatDetails: unknown): Sent {
  if (typeof heartbeatDetails !== 'object' || heartbeatDetails === null) return NOTHING_SENT;
  const { requests, bytes, retries } = heartbeatDetails as Partial<Record<keyof Sent, unknown>>;
  const isWhole = typeof requests === 'number' && typeof bytes === 'number' && typeof retries === 'number';
  return isWhole ? { requests, bytes, retries } : NOTHING_SENT;
}
