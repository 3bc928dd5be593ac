/** What the engine knows of its caller, a Temporal activity or a test. */
import type { RequestCounter } from '../client/index.ts';

export interface JobContext {
  /** Number of this attempt, from 1. Each attempt writes segments of its own. */
  readonly attempt: number;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly log: { warn(message: string, details: object): void };
  readonly heartbeat: HeartbeatReporter;
  /** Counts everything that this attempt sends. */
  readonly requests: RequestCounter;
}

export interface HeartbeatReporter {
  /** From now on each heartbeat carries the value of this function, and what was sent. */
  report(details: () => object): void;
}
