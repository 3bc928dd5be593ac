/** From what was read of windows to what is owed: a work list each, and one commit of the new rows of all. */
import type { Lake, Replacement } from '../../src/lake/index.ts';
import { commitAndDrop } from './clear-away.ts';
import type { Dependencies } from './dependencies.ts';
import { OwedBefore } from './owed-before.ts';
import { planEntities } from './plan-entities.ts';
import { planFilings } from './plan-filings.ts';
import { planListed } from './plan-listed.ts';
import { planFailures } from './read-failures.ts';
import { mergeReplacements } from './sink.ts';
import { type PagesReadLast, readPlan, type StagedPlan } from './staged.ts';
import type { PlanWindowRequest, PlanWindowsRequest, WindowsPlanned } from './types.ts';

export async function planWindows(
  dependencies: Dependencies,
  { run, batch_id, windows }: PlanWindowsRequest,
): Promise<WindowsPlanned> {
  const lake = await dependencies.lakes.at(run);
  const plans: StagedPlan[] = [];
  const owedBefore = new OwedBefore(lake, run, windows);
  for (const window of windows) {
    const request = { run, batch_id, ...window };
    const plan =
      (await readPlan(lake, run.run_id, window.window, window.plan)) ??
      (await makePlan(lake, request, dependencies.pages, await owedBefore.of(window)));
    owedBefore.add(plan.lines);
    plans.push(plan);
  }
  const segments = plans.flatMap((plan) => plan.segments.map((name) => ({ name })));
  const replace: Replacement[] = [];
  for (const plan of plans) mergeReplacements(replace, plan.replace);
  const { run_id, definition } = run;
  const base_version = Math.min(...plans.map((plan) => plan.base_version));
  const batch = { run_id, batch_id, base_version, segments };
  const committed =
    segments.length === 0 ? null : await commitAndDrop(lake, batch, () => lake.commitBatch({ ...batch, replace }));
  // Those of filings are looked through once more where their filers are wanted.
  const wantsFilers = definition.tables.includes('entities') && definition.select.entities !== 'query';
  for (const { window, of } of windows)
    if (of !== undefined || !wantsFilers) dependencies.pages.forget(lake, run_id, window);
  return {
    committed,
    windows: plans.map(({ base_version, filings, known, left, owed, failures }) => ({
      // Not that of the plans' own commit: what another run brought between the two must be seen by the batches.
      base_version,
      ...(filings === undefined ? {} : { filings }),
      known,
      ...(left === undefined ? {} : { left }),
      failures,
      owed,
    })),
  };
}

/** @param owed accession numbers that windows before it owe: it owes them no more */
function makePlan(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  owed: ReadonlySet<string>,
): Promise<StagedPlan> {
  switch (request.of) {
    case 'entities':
      return planEntities(lake, request, remembered);
    case 'hits':
    case 'numbers':
      return planListed(lake, request, owed);
    case 'failures':
      return planFailures(lake, request);
    default:
      return planFilings(lake, request, remembered, owed);
  }
}
