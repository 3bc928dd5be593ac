/**
 * Runs that ended without their own last step: terminated, cancelled while no worker was active, or with a deleted history. Their
 * sealed answers were paid for: they are committed. Then the run gets its row in `export_runs`, and its staged files go.
 */

import { FilinglakeError } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import type { ExportDefinition } from '../../index.ts';
import type { Dependencies } from '../dependencies.ts';
import { messageOf } from '../failures/verdict.ts';
import type { JobContext } from '../job-context.ts';
import { readPlan } from '../plan/staged-files.ts';
import { sentOfRun } from '../sent-by-runs.ts';
import { sqlText } from '../sql-values.ts';
import type { Committed, RunReference } from '../types.ts';
import { commitSealedOf } from './commit-batch.ts';

const RUN_FILE = 'run.json';

/** What a run stages of itself when it starts, for those who end it. */
interface StagedRun {
  name: string;
  workflow_id: string;
  /** Identity of the Temporal server that has its history. */
  temporal: string;
  started_at: string;
  definition: ExportDefinition;
}

export async function stageRun(lake: Lake, run: RunReference, temporal: string): Promise<void> {
  const { definition, workflow_id, started_at = new Date().toISOString() } = run;
  const staged: StagedRun = { name: definition.name, workflow_id, temporal, started_at, definition };
  await lake.putStaged(run.run_id, RUN_FILE, JSON.stringify(staged));
}

/**
 * Ends every run of the lake whose workflow this Temporal server knows to be over, or doesn't know any more. Runs of other servers stay:
 * nobody here can tell whether they continue.
 */
export async function endRunsThatAreOver({ log, runs }: Dependencies, lake: Lake, own: string): Promise<void> {
  for (const run_id of await lake.stagedRuns()) {
    if (run_id === own) continue;
    try {
      const bytes = await lake.readStaged(run_id, RUN_FILE);
      // A remap.
      if (bytes === null) continue;
      const { workflow_id, temporal } = JSON.parse(bytes.toString('utf8')) as StagedRun;
      if (temporal !== (await runs.server()) || !(await runs.isOver(workflow_id, run_id))) continue;
      await endRunForIt({ log }, lake, run_id, 'cancelled');
    } catch (error) {
      // The next run tries again. This one needs nothing of it.
      log.warn('a run that was ended by force could not be cleaned up', { run_id, error: messageOf(error) });
    }
  }
}

/**
 * The last step of a run that can't do it. May be repeated, and done by several at the same time.
 * @returns what it committed
 * @throws FilinglakeError as `commitBatch`: its staged files stay, and the next run tries again
 */
export async function endRunForIt(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  run_id: string,
  state: 'failed' | 'cancelled',
): Promise<Committed[]> {
  const all: Committed[] = [];
  const bytes = await lake.readStaged(run_id, RUN_FILE);
  const staged = bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as StagedRun);
  if (staged !== null && !(await isRecorded(lake, run_id))) {
    for (const batch_id of await lake.stagedBatches(run_id)) {
      const base_version = await baseOf(lake, run_id, batch_id);
      if (base_version === null) continue;
      const committed = await commitSealedOf(job, lake, { run_id, batch_id, base_version, segments: null }).catch(
        (error: unknown) => {
          // The lake has the batch, made before the run was reset. What it lacks is fetched again.
          if (!isDifferent(error)) throw error;
          job.log.warn('answers of a run that was reset are dropped', { batch_id, error: error.message });
          return null;
        },
      );
      if (committed !== null) all.push(committed);
    }
    all.push(await record(lake, run_id, staged, state));
  }
  await lake.dropStaging(run_id);
  return all;
}

function isDifferent(error: unknown): error is FilinglakeError {
  return error instanceof FilinglakeError && error.code === 'batch-differs';
}

async function isRecorded(lake: Lake, run_id: string): Promise<boolean> {
  return (await lake.query(`SELECT 1 FROM export_runs WHERE run_id = ${sqlText(run_id)}`)).length > 0;
}

/** `batch-<window>-<plan>-<pass>-at<line>` */
const FETCHED = /^batch-(.+)-(\d+)-[a-z]+-at\d+$/;

/** The version at which a batch of answers was planned; null: it is something else, or its plan is gone. */
async function baseOf(lake: Lake, run_id: string, batch_id: string): Promise<number | null> {
  if (batch_id.startsWith('entities-')) return lake.batchBase(run_id, batch_id);
  const [, window, plan] = FETCHED.exec(batch_id) ?? [];
  if (window === undefined) return null;
  return (await readPlan(lake, run_id, window, Number(plan)).catch(() => null))?.base_version ?? null;
}

async function record(lake: Lake, run_id: string, staged: StagedRun, state: string): Promise<Committed> {
  const base_version = await lake.currentVersion();
  const { requests, bytes } = await sentOfRun(lake, run_id);
  const { name, definition, started_at } = staged;
  const writer = lake.openStaging(run_id, 'finish', 1);
  writer.append('export_runs', {
    run_id,
    export: name,
    definition: JSON.stringify(definition),
    service: definition.service.base_url,
    state,
    started_at,
    ended_at: new Date().toISOString(),
    requests,
    bytes,
  });
  const sealed = await writer.seal();
  return lake.commitFirstSealed({ run_id, batch_id: 'finish', base_version, segments: sealed ? [sealed] : [] });
}
