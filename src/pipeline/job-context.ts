/** What the engine knows of its caller: a Temporal activity, or a test. */

export interface JobContext {
  /** Which attempt of the same request this is, from 1: rows of an attempt go into segments of its own. */
  readonly attempt: number;
  /** Aborted: nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly log: { warn(message: string, details: object): void };
  readonly heartbeat: HeartbeatReporter;
}

export interface HeartbeatReporter {
  /** From now on each heartbeat carries what this gives. */
  report(details: () => object): void;
}
