/**
 * Runs that ended without their own last step: terminated, cancelled while no worker was active, or with a deleted history. Their
 * sealed answers were paid for: they are committed. Then the run gets its row in `export_runs`, and its staged files go.
 */
import { FilinglakeError, quoteText } from '../../../core/index.ts';
import { type Lake, turnText } from '../../../lake/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { messageOf } from '../failures/verdict.ts';
import type { JobContext } from '../job-context.ts';
import { sentOfRun } from '../sent-by-runs.ts';
import { readPlan } from '../staging/staged-files.ts';
import type { Committed, RunReference, TakeTurnRequest, TurnTaken } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
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

/** Takes the lake for a run, if nobody else has it. Then it ends the runs before it that are over. */
export async function takeTurn(dependencies: Dependencies, { run, silent }: TakeTurnRequest): Promise<TurnTaken> {
  const lake = await dependencies.lakes.at(run);
  const { turn, isMine, sign, silentMs } = await lake.turns.take(
    holderOf(run.run_id, run.definition.name),
    async (other, sign) => sign === silent || isOver(dependencies, lake, other.holder),
  );
  if (!isMine) return { message: turnText(turn), sign, silent_ms: silentMs };
  await endRunsThatAreOver(dependencies, lake, { ...run, term: turn.term });
  return { term: turn.term };
}

export async function endTurn({ lakes }: Dependencies, run: RunReference): Promise<void> {
  if (run.term !== undefined) await (await lakes.at(run)).turns.end(run.term);
}

function holderOf(run_id: string, name: string) {
  return { holder: run_id, what: `export ${name}` };
}

/** Whether this Temporal server knows the run's workflow to be over, or doesn't know it any more. */
async function isOver({ runs }: Pick<Dependencies, 'runs'>, lake: Lake, run_id: string): Promise<boolean> {
  const staged = await readStagedRun(lake, run_id);
  return staged?.temporal === (await runs.server()) && (await runs.isOver(staged.workflow_id, run_id));
}

/** Null: a remap, or it has ended. */
async function readStagedRun(lake: Lake, run_id: string): Promise<StagedRun | null> {
  const bytes = await lake.readStaged(run_id, RUN_FILE);
  return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as StagedRun);
}

/** Ends every run of the lake that is over. Runs of other servers stay: nobody here can tell whether they continue. */
async function endRunsThatAreOver(
  dependencies: Dependencies,
  lake: Lake,
  { run_id: own, term }: RunReference,
): Promise<void> {
  const { log } = dependencies;
  for (const run_id of await lake.stagedRuns()) {
    if (run_id === own) continue;
    try {
      if (await isOver(dependencies, lake, run_id)) await endRun({ log }, lake, { run_id, state: 'cancelled', term });
    } catch (error) {
      // The next run tries again. This one needs nothing of it.
      log.warn('a run that was ended by force could not be cleaned up', { run_id, error: messageOf(error) });
    }
  }
}

/**
 * The last step of a run that can't do it, in a turn of its own. May be repeated. If another writer has the lake, the staged files of
 * the run stay, and the next run of the lake takes its turn and ends it.
 * @returns what it committed
 * @throws FilinglakeError as `commitBatches`: its staged files stay, and the next run tries again
 */
export async function endRunForIt(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  { run_id, state }: { run_id: string; state: 'failed' | 'cancelled' },
): Promise<Committed[]> {
  const name = (await readStagedRun(lake, run_id))?.name ?? run_id;
  return lake.turns.during({ ...holderOf(run_id, name), wait: false }, (term) =>
    endRun(job, lake, { run_id, state, term }),
  );
}

async function endRun(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  { run_id, state, term }: { run_id: string; state: 'failed' | 'cancelled'; term: number | undefined },
): Promise<Committed[]> {
  const all: Committed[] = [];
  const staged = await readStagedRun(lake, run_id);
  if (staged !== null && !(await isRecorded(lake, run_id))) {
    for (const batch_id of await lake.stagedBatches(run_id)) {
      const base_version = await baseOf(lake, run_id, batch_id);
      if (base_version === null) continue;
      const batch = { run_id, batch_id, base_version, segments: null, term };
      const committed = await commitSealedOf(job, lake, batch).catch((error: unknown) => {
        // The lake has the batch, made before the run was reset; or others have written since. What it lacks is fetched again.
        if (!isRefused(error)) throw error;
        job.log.warn('answers of a run that has ended are dropped', { batch_id, error: error.message });
        return null;
      });
      if (committed !== null) all.push(committed);
    }
    all.push(await record(lake, { run_id, state, term }, staged));
  }
  await lake.dropStaging(run_id);
  return all;
}

function isRefused(error: unknown): error is FilinglakeError {
  return error instanceof FilinglakeError && ['batch-differs', 'plan-outdated'].includes(error.code);
}

async function isRecorded(lake: Lake, run_id: string): Promise<boolean> {
  return (await lake.query(`SELECT 1 FROM export_runs WHERE run_id = ${quoteText(run_id)}`)).length > 0;
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

/** A batch of another turn may have been sealed before others wrote. */
export function finishBatch(term: number | undefined): string {
  return `finish-${term ?? 0}`;
}

async function record(
  lake: Lake,
  { run_id, state, term }: { run_id: string; state: string; term: number | undefined },
  staged: StagedRun,
): Promise<Committed> {
  const base_version = await lake.currentVersion();
  const { requests, bytes } = await sentOfRun(lake, run_id);
  const { name, definition, started_at } = staged;
  const batch_id = finishBatch(term);
  const writer = lake.openStaging(run_id, batch_id, 1);
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
  return lake.commitFirstSealed({ run_id, batch_id, base_version, segments: sealed ? [sealed] : [], term });
}
