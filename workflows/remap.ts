/**
 * The remap of one lake: some stretches of filings at a time, each on one worker. The lake itself shows what is done, so a stretch
 * that was killed is done again. Readers and writers never wait.
 */
import {
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  defineQuery,
  log,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RemapActivities } from '../activities/index.ts';
import { addStretch, newRemapReport, type RemapReport } from '../src/export/index.ts';
import type { RemapInput, RemapPlanned } from '../src/pipeline/index.ts';
import { ATTEMPTS_MAX } from './lasting-activities.ts';
import { asRunFailure } from './run-errors.ts';

const remapQuery = defineQuery<RemapReport>('remap');

/** Maximum number of workers that take part: each takes one stretch at a time, and further stretches wait in the queue. */
const STRETCHES_AT_ONCE = 24;

const options = {
  startToCloseTimeout: '2 hours',
  // A filing of a hundred megabytes is mapped without a pause.
  heartbeatTimeout: '20 seconds',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
    maximumAttempts: ATTEMPTS_MAX,
  },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} as const;

/** On a queue of their own, from which a worker takes one at a time. */
function activities() {
  return proxyActivities<RemapActivities>({ ...options, taskQueue: `${workflowInfo().taskQueue}/remap` });
}

export async function remapWorkflow(input: RemapInput): Promise<RemapReport> {
  const report = input.carried?.report ?? newRemapReport(input.mapping_version);
  setHandler(remapQuery, () => report);
  let lake_id = input.carried?.plan.lake_id ?? input.lake_id;
  try {
    const plan = input.carried?.plan ?? (await planned(input, report));
    lake_id = plan.lake_id;
    const next = await mapStretches({ ...input, lake_id }, plan, input.carried?.next ?? 0, report);
    if (next < plan.stretches)
      return await continueAsNew<typeof remapWorkflow>({ ...input, carried: { plan, next, report } });
    Object.assign(report, await activities().finishRemap(referenceOf(input, lake_id)));
    return report;
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    await CancellationScope.nonCancellable(() => leave(referenceOf(input, lake_id)));
    throw asRunFailure(error);
  }
}

function referenceOf({ lake, run_id, mapping_version }: RemapInput, lake_id: string | undefined) {
  return { lake, run_id, mapping_version, ...(lake_id === undefined ? {} : { lake_id }) };
}

async function planned(input: RemapInput, report: RemapReport): Promise<RemapPlanned> {
  const { limits, lake_id } = input;
  const plan = await activities().planRemap({ ...referenceOf(input, lake_id), ...(limits ? { limits } : {}) });
  const { filings, bytes, version, stretches } = plan;
  Object.assign(report, { filings, bytes, version, stretches });
  return plan;
}

/**
 * Lanes take one stretch after the other, until all are done or the history is long.
 * @returns the first stretch that no lane has taken
 */
async function mapStretches(input: RemapInput, plan: RemapPlanned, from: number, report: RemapReport): Promise<number> {
  const { remapStretch } = activities();
  let next = from;
  const begun = () => next > from;
  const lane = async () => {
    while (next < plan.stretches && !(begun() && workflowInfo().continueAsNewSuggested)) {
      const stretch = next++;
      const { tables } = input;
      const of = { ...referenceOf(input, input.lake_id), tables, plan: plan.plan, stretch, since: report.version };
      let done = await remapStretch(of);
      // A worker that was about to end has left the rest to another one.
      while (!done.whole) done = await remapStretch(of);
      addStretch(report, done.report);
    }
  };
  await CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    const lanes = Array.from({ length: STRETCHES_AT_ONCE }, () =>
      lane().catch((error: unknown) => {
        // Stretches that are being mapped must end before their staged files are deleted.
        scope.cancel();
        throw error;
      }),
    );
    const ended = await Promise.allSettled(lanes);
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  });
  return next;
}

async function leave(remap: ReturnType<typeof referenceOf>): Promise<void> {
  try {
    await activities().finishRemap(remap);
  } catch (error) {
    // The remap fails with its own error, not with an error of the clean-up.
    log.warn('the remap could not be cleaned up', { error: String(error) });
  }
}
