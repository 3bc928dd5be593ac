/**
 * The compaction of one lake: table after table, some seconds at a time. The lake itself shows what is left to do. If a step was
 * killed, or lost a race against a writer, the next step does it again. Readers and writers never wait.
 */
import { continueAsNew, defineQuery, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { LakeActivities } from '../activities/index.ts';
import type { CompactionInput, CompactionProgress, TableCompacted } from '../src/pipeline/index.ts';
import { ATTEMPTS_MAX } from './lasting-activities.ts';

const compactionQuery = defineQuery<CompactionProgress>('compaction');

const activities = proxyActivities<LakeActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '6 seconds',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
    maximumAttempts: ATTEMPTS_MAX,
  },
});

export async function compactionWorkflow(input: CompactionInput): Promise<CompactionProgress> {
  const { lake, target_bytes, smallest, carried } = input;
  const progress: CompactionProgress = carried?.progress ?? newCompaction();
  setHandler(compactionQuery, () => progress);
  let left = carried?.left;
  if (left === undefined) {
    const { version, tables } = await activities.tablesToCompact({ lake });
    progress.version = version;
    left = input.tables ?? tables;
  }
  while (left.length > 0) {
    const table = left[0]!;
    progress.table = table;
    progress.tables_left = left.length;
    const step = await activities.compactTable({ lake, table, target_bytes, smallest });
    addStep(progress, table, step);
    if (step.whole) left.shift();
    if (left.length > 0 && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof compactionWorkflow>({ ...input, carried: { left, progress } });
    }
  }
  progress.table = null;
  progress.tables_left = 0;
  return progress;
}

function newCompaction(): CompactionProgress {
  return { table: null, tables_left: 0, version: -1, commits: 0, groups_lost: 0, tables: {} };
}

function addStep(progress: CompactionProgress, table: string, step: TableCompacted): void {
  const { parts_before, parts_after, bytes_before, bytes_after, written, replaced } = step;
  const before = progress.tables[table];
  progress.version = step.version;
  progress.commits += step.commits;
  progress.groups_lost += step.groups_lost;
  progress.tables[table] = {
    parts_before: before?.parts_before ?? parts_before,
    parts_after,
    bytes_before: before?.bytes_before ?? bytes_before,
    bytes_after,
    written: (before?.written ?? 0) + written,
    replaced: (before?.replaced ?? 0) + replaced,
  };
}
