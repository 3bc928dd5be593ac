/**
 * What passes between the export workflow and its activities. References and counts only: rows, pages and the API key
 * never enter a workflow's history (2 MiB a payload, 50 MiB a history).
 */
import type { ExportDefinition, ExportWindow, Pass, PassCounts, WindowOf } from '../export/index.ts';

/** What every activity of a run is told. */
export interface RunReference {
  run_id: string;
  /** Of the workflow, which the budget signals. */
  workflow_id: string;
  /** ISO; absent: a plan that is made again owes also what the run has failed at */
  started_at?: string;
  definition: ExportDefinition;
  /** Absolute folder of the lake. */
  lake: string;
  /** Which lake it is, as `openRun` found it: another one in its place is refused. Absent: in runs begun by an older release. */
  lake_id?: string;
  /** The last version that the run has committed: a lake without it was put back from an older copy, and is refused. Absent: none yet. */
  lake_version?: number;
}

export interface Spent {
  /** Requests sent, retries included */
  requests: number;
  /** Bytes of the answers' bodies, unpacked */
  bytes: number;
  /** Requests that were repetitions */
  retries: number;
}

/** Why an activity ended before its work was done. */
export type Stop =
  | { kind: 'quota'; limit: 'requests' | 'bytes'; retry_at: string; message: string }
  | { kind: 'budget'; message: string };

/** The month's quota as the service last stated it. */
export interface QuotaSeen {
  requests_left: number | null;
  bytes_left: number | null;
  resets_at: string | null;
}

/** What every activity that sends requests reports. */
export interface Outcome {
  spent: Spent;
  quota: QuotaSeen | null;
  stop: Stop | null;
}

/** Heartbeat of an activity that sends requests: what a watcher adds to the run's progress until the activity has ended. */
export interface Heartbeat extends Spent {
  filings: number;
  /** Of a batch: steps done of its pass. */
  pass?: Pass;
  steps?: number;
}

export interface TableCount {
  rows_new: number;
  rows_replaced: number;
  rows_total: number;
  bytes: number;
  /** Rows of the batch that were left out, since another run had brought theirs first. */
  rows_taken?: number;
}

export interface Committed {
  version: number;
  tables: Record<string, TableCount>;
}

export interface OpenedRun {
  /** The lake's version as the run began; -1 for an empty lake. */
  lake_version: number;
  /** The lake's identity: what `lake_id` of the run's other activities is to be. Absent in recorded histories of older releases. */
  lake_id?: string;
}

export interface ReadWindowsRequest {
  run: RunReference;
  /** At least one, in the order in which they are read; the parts of one that is cut come in its place. */
  unread: ExportWindow[];
}

/** The windows that were read, from the first on, parts included: as many as some seconds allow, or as memory should hold. */
export interface WindowsRead extends Outcome {
  reads: WindowRead[];
}

/** A window whose matches are staged; one with too many matches comes back as its parts. */
export interface WindowRead {
  split: ExportWindow[] | null;
  /** Staged pages of lookup records. */
  pages: number;
  /** Of a window with too many matches: what the service counted; 0 where it didn't say. */
  promised: number;
  found: number;
  proven: boolean;
}

/** What is staged and needed by no activity of the run any more; of a window its pages, and one plan (0: none). */
export type Unneeded = { window: string; pages: number; plan: number } | { batch: string };

/** For those that commit: what goes with it. */
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
  /** What it is of; absent: filings */
  of?: WindowOf;
  /** Staged pages of its lookup records. */
  pages: number;
  /** 1, and one more each time that a window is planned again. */
  plan: number;
  /** What `export_windows` is to say; null: it says so already. */
  record: { window: ExportWindow; read: Pick<WindowRead, 'promised' | 'found' | 'proven'> } | null;
}

/** One of them, with what all are of. */
export interface PlanWindowRequest extends WindowToPlan, Omit<PlanWindowsRequest, 'windows'> {
  attempt: number;
}

export interface WindowsPlanned {
  /** One for each that was asked, in their order. */
  windows: WindowPlanned[];
  /** Null: nothing was new. */
  committed: Committed | null;
}

export interface WindowPlanned {
  /** Version of the lake that the plan was made from. */
  base_version: number;
  /** Filings of the window, where its records are not filings themselves. */
  filings?: number;
  /** Filings of the window that the lake has whole; of a window of entities those. */
  known: number;
  /** Filings that another run has brought in another revision since this one began: left as they are. */
  left?: number;
  /** What the staged work list owes in each pass. */
  owed: PassCounts;
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
  /** Refused records are recorded as failures however many there are in a row. */
  insistent: boolean;
}

export interface BatchFetched extends Outcome {
  batch_id: string;
  /** First line that was not taken; null: none is left that takes part in the pass. */
  next: number | null;
  /** Sealed segments, in order. */
  segments: string[];
  /** Filings fetched to their last step. */
  filings: number;
  /** Steps done, of the work list's. */
  steps: number;
  failures: number;
}

export interface CommitBatchRequest extends Clearing {
  run: RunReference;
  batch_id: string;
  base_version: number;
  /** null: all that any attempt has sealed */
  segments: string[] | null;
}

export interface FetchEntitiesRequest extends Clearing {
  run: RunReference;
  window: string;
  /** What the window is of; absent: filings */
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
  /** Windows of which another run kept bringing the same filings: what they lack is left to the next run. */
  given_up?: string[];
}

/** Steps of a pass that a run planned, and that are neither in coverage nor recorded as failures. */
export interface MissingOfPass {
  pass: Pass | 'entities';
  count: number;
}

export interface RunFinished {
  lake_version: number;
  /** Every table as the lake stands at the end. */
  tables: Record<string, { rows_total: number; bytes: number }>;
  /** Failures that the lake records for this export. */
  failures: number;
  /** Of those: what an earlier run has met too, and lies in the service's own data. */
  known_failures: number;
  /** Of the failures those that a retry asks again. */
  retryable: number;
  /** The same by step and code, the most frequent first. */
  failed: FailureGroup[];
  /** What the service said in this run that there is none of. */
  absent: { step: StepKind; count: number }[];
  /** 10-Ks and 10-Qs of this run whose sections were asked for, and of which the service found none. */
  without_sections: number;
  /** What was planned, and is neither there, nor failed, nor left to another run: nothing, or something is wrong. Absent: an older worker ended the run. */
  missing?: MissingOfPass[];
}

/** `document` stands for the steps of all documents. */
export type StepKind = 'filing' | 'info' | 'sections' | 'document' | 'entity';

export interface FailureGroup {
  step: StepKind;
  code: string;
  count: number;
  /** Of one of them. */
  subject: string;
  message: string;
  /** Of those: as `known_failures` */
  known: number;
}

export interface BlockBudgetRequest {
  run: RunReference;
  /** ISO time of the quota's reset */
  until: string;
  limit: 'requests' | 'bytes';
}
