/**
 * Inputs and results of the export's activities. Only references and counts: rows, pages and the API key never enter a workflow's
 * history (2 MiB a payload, 50 MiB a history).
 */
import type { FilingsWithout } from '../../lake/report/index.ts';
import type { Sent } from '../client/index.ts';
import type { ExportDefinition } from '../definition/index.ts';
import type { Pass, PassCounts } from '../steps/index.ts';
import type { ExportWindow, WindowOf } from '../windows/index.ts';

/** The input that every activity of a run has. */
export interface RunReference {
  run_id: string;
  /** Id of the workflow, to which the budget sends signals. */
  workflow_id: string;
  /** ISO; absent: a plan that is made again includes the steps that failed in this run */
  started_at?: string;
  definition: ExportDefinition;
  /** Absolute folder or URL of the lake. */
  lake: string;
  /** The lake's identity, from `openRun`: another lake in its place is refused. Absent: `openRun` has not been called. */
  lake_id?: string;
  /** Its turn of the lake, from `takeTurn`. Absent: it has none. */
  term?: number;
  /** The run's last committed version. A lake without it is an older copy, and is refused. Absent: no commit yet. */
  lake_version?: number;
}

/** Why an activity ended before its work was done. */
export type Stop =
  | { kind: 'quota'; limit: 'requests' | 'bytes'; retry_at: string; message: string }
  | { kind: 'budget'; message: string };

/** The month's quota as the service stated it last. */
export interface QuotaSeen {
  requests_left: number | null;
  bytes_left: number | null;
  resets_at: string | null;
}

/** The report of every activity that sends requests. */
export interface Outcome {
  /** By all attempts at the activity: those that were killed, as far as their heartbeats said. */
  spent: Sent;
  /** By the whole run until now, as counted on disk. Absent: it was not counted so. */
  run_spent?: Sent;
  quota: QuotaSeen | null;
  stop: Stop | null;
}

/** Heartbeat of an activity that sends requests. A watcher adds it to the run's progress until the activity ends. */
export interface Heartbeat extends Sent {
  filings: number;
  /** In a batch: completed steps of its pass. */
  pass?: Pass;
  steps?: number;
}

export interface TableCount {
  rows_new: number;
  rows_replaced: number;
  rows_total: number;
  bytes: number;
}

export interface Committed {
  version: number;
  tables: Record<string, TableCount>;
}

export interface OpenedRun {
  /** The lake's version at the start of the run; -1 for an empty lake. */
  lake_version: number;
  /** The lake's identity: `lake_id` of the run's other activities. */
  lake_id: string;
}

export interface TakeTurnRequest {
  run: RunReference;
  /** Last sign of a turn that has been silent for too long. */
  silent?: string;
}

/** The run has the lake; or another writer has it. */
export type TurnTaken =
  | { term: number }
  | {
      /** Who has the lake, since when, and what ends it. */
      message: string;
      /** Its last sign of life, and after how long without another one it loses the lake. */
      sign: string;
      silent_ms: number;
    };

export interface ReadWindowsRequest {
  run: RunReference;
  /** At least one, in reading order. The parts of a split window take its place. */
  unread: ExportWindow[];
}

/** The windows that were read, from the first on, parts included. Time and memory limit their number. */
export interface WindowsRead extends Outcome {
  reads: WindowRead[];
}

/** A window whose matches are staged. A window with too many matches is returned as its parts. */
export interface WindowRead {
  split: ExportWindow[] | null;
  /** Staged pages of lookup records. */
  pages: number;
  /** The service's count for a window with too many matches; 0 if it states no count. */
  promised: number;
  /** The service's count, if it is another number. */
  counted?: number;
  found: number;
  proven: boolean;
}

/** Staged files that no activity of the run needs any more: the pages of a window, and one plan (0: none). */
export type Unneeded = { window: string; pages: number; plan: number } | { batch: string };

/** For activities that commit: staged files to delete afterwards. */
export interface Clearing {
  unneeded?: Unneeded[];
}

/** Windows that are planned one by one, and committed together. */
export interface PlanWindowsRequest extends Clearing {
  run: RunReference;
  /** Unique within the run. */
  batch_id: string;
  windows: WindowToPlan[];
}

export interface WindowToPlan {
  /** Its id */
  window: string;
  /** Its kind; absent: filings */
  of?: WindowOf;
  /** Staged pages of its lookup records. */
  pages: number;
  /** 1, and one more each time that the window is planned again. */
  plan: number;
  /** The row for `export_windows`; null: it exists already. */
  record: { window: ExportWindow; read: Pick<WindowRead, 'promised' | 'found' | 'proven'> } | null;
}

/** One of them, with the shared members. */
export interface PlanWindowRequest extends WindowToPlan, Omit<PlanWindowsRequest, 'windows'> {
  attempt: number;
}

export interface WindowsPlanned {
  /** One for each requested window, in their order. */
  windows: WindowPlanned[];
  /** Null: nothing was new. */
  committed: Committed | null;
  /** As in `BatchFetched` */
  workers?: number;
  wanted?: true;
}

export interface WindowPlanned {
  /** Version of the lake from which the plan was made. */
  base_version: number;
  /** Filings of the window, if its records are not filings themselves. */
  filings?: number;
  /** Filings of the window that the lake has complete; entities in a window of entities. */
  known: number;
  /** Filings that another run has written in another revision since this run started. They stay as they are. */
  deferred?: number;
  /** Pending work of the staged list in each pass. */
  pending: PassCounts;
  /** Lines of the staged list. */
  lines: number;
  /** Records of the lookup that broke the contract. */
  failures: number;
}

export interface FetchBatchRequest {
  run: RunReference;
  window: string;
  plan: number;
  pass: Pass;
  batch_id: string;
  /** First line of the work list. */
  from: number;
  /** The first line of somebody else. Absent: all lines are this batch's. */
  to?: number;
  /** Refused records are recorded as failures, however many come in a row. */
  record_refusals: boolean;
}

export interface BatchFetched extends Outcome {
  batch_id: string;
  /** First line that was not taken; null if no line that takes part in the pass is left. */
  next: number | null;
  /** Sealed segments, in order. */
  segments: string[];
  /** Filings completed. */
  filings: number;
  /** Steps done of the work list. */
  steps: number;
  failures: number;
  /** In a refresh: steps that were requested again, and those of them that had not changed. */
  refreshed?: number;
  unchanged?: number;
  /** Workers that may fetch at the same time. Absent: not counted. */
  workers?: number;
  /** Another writer waits for the lake. */
  wanted?: true;
}

/** Batches of one base version that become one version of the lake. */
export interface CommitBatchesRequest extends Clearing {
  run: RunReference;
  base_version: number;
  /** With their sealed segments. Null: all that any attempt of the one batch has sealed */
  batches: { batch_id: string; segments: string[] }[] | [{ batch_id: string; segments: null }];
}

export interface FetchEntitiesRequest extends Clearing {
  run: RunReference;
  window: string;
  /** The window's kind; absent: filings */
  of?: WindowOf;
  plan: number;
  pages: number;
}

export interface EntitiesFetched extends Outcome {
  batch_id: string;
  asked: number;
  missing: number;
  committed: Committed | null;
}

export interface FinishRunRequest {
  run: RunReference;
  state: string;
  started_at: string;
  requests: number;
  bytes: number;
  /** Steps that the run fetched. Absent: none. */
  fetched_steps?: number;
  /** As in the run's progress. */
  steps_refreshed?: number;
  steps_unchanged?: number;
}

export interface LeaveRunRequest extends RunReference {
  /** How it ends. */
  state: 'failed' | 'cancelled';
}

/** Planned steps of a pass that are neither in coverage nor recorded as failures. */
export interface MissingOfPass {
  pass: Pass | 'forms' | 'entities';
  count: number;
}

export interface RunFinished {
  lake_version: number;
  /** As recorded in `export_runs`. */
  spent: Pick<Sent, 'requests' | 'bytes'>;
  /** Every table at the end of the run. */
  tables: Record<string, { rows_total: number; bytes: number }>;
  /** Failures that the lake records for this export. */
  failures: number;
  /** Those failures that an earlier run reported, caused by the service's own data. */
  known_failures: number;
  /** Failures that a retry requests again. */
  retryable: number;
  /** The same by step and code, the most frequent first. */
  failed: FailureGroup[];
  /** Steps of this run for which the service has nothing. */
  absent: { step: StepKind; count: number }[];
  /** Filings of the lake by whether they have rows of what is wanted of their documents, and why not. */
  without: FilingsWithout[];
  /** Filings of the lake whose tables of forms are of an older version of the mapping. */
  older_mapping?: number;
  /** Planned steps that are neither stored, nor failed, nor left to another run. More than none is a fault. */
  missing: MissingOfPass[];
  /** Steps that the run fetched, if the lake has no row of its plan: nothing shows that they are stored. */
  unverified?: number;
  /** Values of the selection's file that stand for no company: how many, and some of them. */
  unknown?: { kind: string; count: number; some: string[] };
  /** What became of `edgar_days`. Absent: the export has no such table, or the request failed. */
  edgar_days?: EdgarDaysRead;
}

/** The service's days and how many of them are not proven; or why it has none. */
export type EdgarDaysRead = { days: number; unproven: number } | { absent: string };

/** `document` stands for the steps of all documents. */
export type StepKind = 'filing' | 'info' | 'sections' | 'forms' | 'document' | 'entity' | 'days';

export interface FailureGroup {
  step: StepKind;
  code: string;
  count: number;
  /** The subject of one of them. */
  subject: string;
  message: string;
  /** Those that count as `known_failures` */
  known: number;
}

export interface BlockBudgetRequest {
  run: RunReference;
  /** ISO time of the quota's reset */
  until: string;
  limit: 'requests' | 'bytes';
}
