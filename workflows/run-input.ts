/** The input of a run, and how a scheduled run completes it. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import type { ExportDefinition } from '../src/export/definition/index.ts';
import type { CarriedRun } from './remaining-work.ts';

export interface ExportRunInput {
  /** Absent in a schedule: each firing has the same input, and the run creates its own id. */
  run_id?: string;
  definition: ExportDefinition;
  /** Only retries earlier failures of the export. */
  only?: 'failures';
  /** Absolute folder or URL of the lake. */
  lake: string;
  /** The lake's identity; absent at the run's start. */
  lake_id?: string;
  /** ISO time of the request for the run: its day ends open ranges of dates. Absent like `run_id`. */
  started_at?: string;
  /** A person has just started the run, who may know of more quota. */
  by_person?: true;
  /** Attempts at an activity whose worker dies each time; default 20. */
  attempts?: number;
  /** The state of the run before continue-as-new; absent at the start. */
  carried?: CarriedRun;
}

export type NamedRunInput = ExportRunInput & { run_id: string; started_at: string };

/** Completes the input of a scheduled run: an id, and the time at which it started. */
export function namedRun(input: ExportRunInput): NamedRunInput {
  const { runId, startTime } = workflowInfo();
  const started_at = input.started_at ?? startTime.toISOString();
  const run_id = input.run_id ?? `${started_at.replace(/[-:]|\.\d+/g, '')}-${runId.replaceAll('-', '').slice(-12)}`;
  return { ...input, run_id, started_at };
}

const SCHEDULED_FOR = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The day of the run: a scheduled or backfilled one may start later than planned. */
export function dayOf(startedAt: string): string {
  const scheduledFor = workflowInfo().typedSearchAttributes.get(SCHEDULED_FOR);
  return (scheduledFor?.toISOString() ?? startedAt).slice(0, 10);
}
