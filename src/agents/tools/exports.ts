/** Exports as the tools start and follow them. Temporal carries a run: it outlives the server and its client. */

export interface ExportRequest {
  /** The definition without service, lake and files: those are the server's. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly maxRequests: number;
  readonly maxBytes: number | null;
}

export interface PlannedWork {
  readonly filings: number | null;
  readonly requests: number;
  readonly bytes: number | null;
  readonly months: number | null;
  readonly requestsLeft: number | null;
  /** Whether all filings were examined, so that the numbers are exact. */
  readonly exact: boolean;
  readonly steps: readonly { readonly step: string; readonly requests: number; readonly tables: readonly string[] }[];
  readonly notes: readonly string[];
}

export type RunState = 'working' | 'waiting' | 'completed' | 'failed' | 'cancelled';

export interface RunProgress {
  readonly task: string;
  readonly name: string;
  readonly state: RunState;
  /** The run's own word: waiting_for_quota, paused … */
  readonly detail: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly requests: number;
  readonly bytes: number;
  readonly filingsFound: number | null;
  readonly filingsDone: number;
  /** Moment at which a run that waits for quota continues; else null. */
  readonly waitsUntil: string | null;
  /** Of a failed run. */
  readonly error: { readonly code: string; readonly message: string; readonly remedy: string } | null;
}

export interface Exports {
  plan(definition: ExportRequest['definition'], signal: AbortSignal): Promise<PlannedWork>;
  start(request: ExportRequest): Promise<RunProgress>;
  /** Continues the work if this server has no worker yet. Null: there is no such run. */
  progress(task: string): Promise<RunProgress | null>;
  /** Null: there is no such run. */
  cancel(task: string): Promise<RunProgress | null>;
}
