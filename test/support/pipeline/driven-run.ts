/** A whole run over a service, activity by activity in the workflow's order, without Temporal. */
import { type ExportDefinition, PASSES } from '../../../src/export/index.ts';
import {
  type BatchFetched,
  commitBatches,
  fetchBatch,
  fetchEntities,
  finishRun,
  openRun,
  PlansReadLast,
  planWindows,
  type RunFinished,
  type RunReference,
  readWindows,
  type WindowToPlan,
} from '../../../src/export/pipeline/index.ts';
import { failuresWindow, firstWindows, takeReads } from '../../../src/export/windows/index.ts';
import type { Lake } from '../../../src/lake/index.ts';
import { dependenciesOf, jobOf } from './activity-harness.ts';
import { BudgetAlone } from './budget-alone.ts';

export interface Driven {
  finished: RunFinished;
  refreshed: number;
  unchanged: number;
  /** Requests that the plans expected of the passes. */
  pending: number;
}

/**
 * A batch that the run's budget stops is planned again, without a limit, as the workflow does.
 * @param startedAt ISO; default now
 */
export async function driveRun(
  lake: Lake,
  definition: ExportDefinition,
  run_id: string,
  startedAt: string = new Date().toISOString(),
  apiKey = 'key',
  only?: 'failures',
): Promise<Driven> {
  const run: RunReference = {
    run_id,
    workflow_id: `export/${run_id}`,
    definition,
    lake: lake.root,
    started_at: startedAt,
  };
  const budget = Object.assign(new BudgetAlone(), {
    leave: async () => {},
    block: async () => {},
    unblock: async () => {},
  });
  const plans = new PlansReadLast();
  const shared = { budget, plans, apiKey, leaving: new AbortController().signal, batchMs: 60_000 };
  const job = () => dependenciesOf(lake, { ...shared, ...jobOf() });
  await openRun(job(), run);
  let unlimited = run;
  const driven = { refreshed: 0, unchanged: 0, pending: 0 };
  const planned: { window: WindowToPlan; base_version: number }[] = [];
  const day = startedAt.slice(0, 10);
  for (const unread = only ? [failuresWindow(day)] : firstWindows(definition, day); unread.length > 0; ) {
    const { reads } = await readWindows(job(), { run, unread });
    const windows: WindowToPlan[] = [];
    for (const read of reads) {
      const window = unread[0]!;
      takeReads(unread, [read]);
      if (read.split) continue;
      const { promised, found, proven, pages } = read;
      const of = window.of === undefined ? {} : { of: window.of };
      windows.push({ window: window.id, pages, plan: 1, record: { window, read: { promised, found, proven } }, ...of });
    }
    if (windows.length === 0) continue;
    const plan = await planWindows(job(), { run, batch_id: `plan-${windows[0]!.window}-1`, windows });
    plan.windows.forEach(({ base_version, pending }, i) => {
      planned.push({ window: windows[i]!, base_version });
      driven.pending += PASSES.reduce((sum, pass) => sum + pending[pass].requests, 0);
    });
  }
  for (const pass of PASSES)
    for (const one of planned) {
      const { window } = one;
      for (let from: number | null = 0, plan = 1; from !== null; ) {
        const batch_id = `batch-${window.window}-${plan}-${pass}-at${from}`;
        const request = { run: unlimited, window: window.window, plan, pass, batch_id, from, record_refusals: false };
        const fetched: BatchFetched = await fetchBatch(job(), request);
        driven.refreshed += fetched.refreshed ?? 0;
        driven.unchanged += fetched.unchanged ?? 0;
        await commitBatches(job(), {
          run,
          base_version: one.base_version,
          batches: [{ batch_id, segments: fetched.segments }],
        });
        from = fetched.next;
        if (fetched.stop === null) continue;
        const budget = { ...definition.budget, max_requests: null, max_bytes: null, reserve: 0 };
        unlimited = { ...run, definition: { ...definition, budget } };
        const again = { ...window, plan: ++plan, record: null };
        const planWindow = { run, batch_id: `plan-${window.window}-${plan}`, windows: [again] };
        one.base_version = (await planWindows(job(), planWindow)).windows[0]!.base_version;
        from = 0;
      }
    }
  if (definition.tables.includes('entities') && definition.select.entities !== 'query')
    for (const { window } of planned) await fetchEntities(job(), { run: unlimited, ...window });
  const { refreshed: steps_refreshed, unchanged: steps_unchanged } = driven;
  const end = {
    run,
    state: 'completed',
    started_at: startedAt,
    requests: 0,
    bytes: 0,
    steps_refreshed,
    steps_unchanged,
  };
  return { ...driven, finished: await finishRun(job(), end) };
}
