/** What a run is started with, and what it makes of it where a schedule starts it. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import type { ExportDefinition } from '../src/export/index.ts';
import type { CarriedRun } from './remaining-work.ts';

export interface ExportRunInput {
  /** Absent where a schedule starts the run: each firing has the same input, and the run names itself. */
  run_id?: string;
  definition: ExportDefinition;
  /** What the export failed at before is tried again, and nothing else asked. */
  only?: 'failures';
  /** Absolute folder of the lake. */
  lake: string;
  /** Which lake it is; absent at the run's start. */
  lake_id?: string;
  /** ISO time at which the run was asked for: its day ends open ranges of dates. Absent as `run_id`. */
  started_at?: string;
  /** A person has just started it, who may know of a larger quota than was there before. */
  by_person?: true;
  /** Attempts at an activity whose worker dies each time; default 20. */
  attempts?: number;
  /** What the run was when its history had grown long; absent at its start. */
  carried?: CarriedRun;
}

/** The input of a run that knows its name. */
export type NamedRunInput = ExportRunInput & { run_id: string; started_at: string };

/** Gives a scheduled run what the schedule couldn't know: a name of its own, and the time at which it began. */
export function namedRun(input: ExportRunInput): NamedRunInput {
  const { runId, startTime } = workflowInfo();
  const started_at = input.started_at ?? startTime.toISOString();
  const run_id = input.run_id ?? `${started_at.replace(/[-:]|\.\d+/g, '')}-${runId.replaceAll('-', '').slice(-12)}`;
  return { ...input, run_id, started_at };
}

const SCHEDULED_FOR = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The day for which the run is: a scheduled or backfilled one may begin later than it was to. */
export function dayOf(startedAt: string): string {
  const scheduledFor = workflowInfo().typedSearchAttributes.get(SCHEDULED_FOR);
  return (scheduledFor?.toISOString() ?? startedAt).slice(0, 10);
}
