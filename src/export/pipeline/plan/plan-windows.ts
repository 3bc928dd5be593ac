/** Plans windows that were read: a work list for each, and one commit for the new rows of all. */
import type { Lake, Replacement } from '../../../lake/index.ts';
import { Coverage } from '../coverage/coverage.ts';
import { FILINGS } from '../lookup/paged-lookups.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import { type PagesReadLast, readPlan, type StagedPlan } from '../staging/staged-files.ts';
import { commitAndDrop } from '../staging/staging-cleanup.ts';
import type { PlanWindowRequest, PlanWindowsRequest, RunReference, WindowsPlanned, WindowToPlan } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { AlreadyPlanned } from './already-planned.ts';
import { planListed } from './plan-by-number.ts';
import { planEntities } from './plan-entities.ts';
import { planFailures } from './plan-failures.ts';
import { planFilings } from './plan-filings.ts';
import { WindowPlan } from './window-plan.ts';

export async function planWindows(
  dependencies: Dependencies,
  { run, batch_id, windows }: PlanWindowsRequest,
): Promise<WindowsPlanned> {
  const lake = await dependencies.lakes.at(run);
  const plans: StagedPlan[] = [];
  const alreadyPlanned = new AlreadyPlanned(lake, run, windows);
  const asked = await askTogether(lake, run, windows, dependencies.pages);
  for (const window of windows) {
    const request = { run, batch_id, attempt: dependencies.attempt, ...window };
    const plan =
      (await readPlan(lake, run.run_id, window.window, window.plan)) ??
      (await makePlan(lake, request, dependencies.pages, await alreadyPlanned.of(window), asked));
    alreadyPlanned.add(plan.numbers);
    plans.push(plan);
  }
  const segments = plans.flatMap((plan) => plan.segments.map((name) => ({ name })));
  const replace: Replacement[] = [];
  for (const plan of plans) mergeReplacements(replace, plan.replace);
  const { run_id, definition, term } = run;
  const base_version = Math.min(...plans.map((plan) => plan.base_version));
  const batch = { run_id, batch_id, base_version, segments };
  const committed =
    segments.length === 0 && replace.length === 0
      ? null
      : await commitAndDrop(dependencies, lake, batch, () => lake.commitBatch({ ...batch, replace, term }));
  // The filings' records are read once more if their filers are wanted.
  const wantsFilers = definition.tables.includes('entities') && definition.select.entities !== 'query';
  for (const { window, of } of windows)
    if (of !== undefined || !wantsFilers) dependencies.pages.forget(lake, run_id, window);
  return {
    committed,
    windows: plans.map(({ base_version, filings, known, deferred, pending, failures, stretches }) => ({
      // Not the version of the plans' own commit: the batches must see what was committed in between.
      base_version,
      ...(filings === undefined ? {} : { filings }),
      known,
      ...(deferred === undefined ? {} : { deferred }),
      failures,
      pending,
      lines: stretches.reduce((sum, { lines }) => sum + lines, 0),
    })),
  };
}

/** Filings whose coverage is read in one query. */
const ASKED_TOGETHER_MAX = 60_000;

/**
 * Coverage of the filings of several windows in one query: eight windows take about as long as two. Null if the windows are not in
 * memory, are only one, or too large: then each window has its own query.
 */
async function askTogether(
  lake: Lake,
  run: RunReference,
  windows: readonly WindowToPlan[],
  pages: PagesReadLast,
): Promise<{ coverage: Coverage; version: number } | null> {
  const { run_id } = run;
  if (windows.length < 2 || windows.some(({ of, plan }) => of !== undefined || plan > 1)) return null;
  const version = await lake.currentVersion();
  const numbers: string[] = [];
  for (const window of windows) {
    const keys = pages.keys(lake, run_id, window, FILINGS.keyOf);
    if (keys === null || numbers.length + keys.length > ASKED_TOGETHER_MAX) return null;
    for (const key of keys) numbers.push(key);
  }
  return { coverage: await Coverage.of(lake, numbers, run), version };
}

/** @param alreadyPlanned accession numbers already planned by earlier windows; skipped here */
async function makePlan(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  alreadyPlanned: ReadonlySet<string>,
  asked: Awaited<ReturnType<typeof askTogether>>,
): Promise<StagedPlan> {
  const plan = await WindowPlan.begin(lake, request, asked?.version);
  if (request.of === 'entities') await planEntities(plan, remembered);
  else if (request.of === 'hits' || request.of === 'numbers') await planListed(plan, alreadyPlanned);
  else if (request.of === 'failures') await planFailures(plan);
  else await planFilings(plan, remembered, alreadyPlanned, asked?.coverage);
  return plan.stage();
}
