/** `start_export`. A run takes minutes to months: its state is asked for, nobody waits. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import { paging } from './arguments.ts';
import type { RunProgress } from './exports.ts';
import { definitionInput, exportsOf, readPlan } from './plan-export.ts';
import { tool } from './tool.ts';

export const startExport = tool({
  name: 'start_export',
  title: 'Start or follow an export',
  description:
    'Starts a planned export as a task that outlives this session: definition and plan of plan_export, and a budget in requests, which is a limit of the whole run and must cover the plan. With task alone: its state, requests, filings done, and until when it waits for quota; cancel: true ends it (what was committed stays). Started again, a run that waits tries at once; the budget then counts from what it has spent. Repeat with task every 30 s or more, not in a loop. A plan has to be seen by a person who pays for the quota.',
  input: z.strictObject({
    definition: definitionInput.optional(),
    plan: z.string().max(80).optional(),
    max_requests: z.int().min(1).optional(),
    max_bytes: z.int().min(1).optional(),
    task: z.string().max(200).optional(),
    cancel: z.boolean().optional(),
    ...paging,
  }),
  needs: 'exports',
  cites: false,
  writes: true,
  async run({ args, world, onRun }) {
    const { definition, plan, max_requests: maxRequests, max_bytes, task, cancel } = args;
    const exports = exportsOf(world);
    if (task !== undefined) {
      const run = await (cancel ? exports.cancel(task) : exports.progress(task));
      if (run === null) throw new FilinglakeError('run-unknown', `there is no export task ${task.slice(0, 100)}`);
      return { head: runJson(run), rows: [], total: 0 };
    }
    if (definition === undefined || plan === undefined || maxRequests === undefined)
      throw new FilinglakeError(
        'tool-input-invalid',
        'start_export needs definition, plan and max_requests, or a task',
        {
          remedy: 'Call plan_export first.',
        },
      );
    const planned = readPlan(plan, definition);
    if (
      maxRequests < planned.requests ||
      (max_bytes !== undefined && planned.bytes !== null && max_bytes < planned.bytes)
    )
      throw new FilinglakeError(
        'budget-exceeded',
        `the plan needs ${planned.requests} requests and ${planned.bytes ?? 'an unknown number of'} bytes`,
      );
    const run = await exports.start({ definition, maxRequests, maxBytes: max_bytes ?? null });
    onRun(run);
    return { head: runJson(run), rows: [], total: 0 };
  },
});

export function runJson(run: RunProgress): Record<string, Json> {
  return {
    task: run.task,
    name: run.name.slice(0, 100),
    state: run.state,
    detail: run.detail.slice(0, 100),
    started_at: run.startedAt,
    updated_at: run.updatedAt,
    requests: run.requests,
    bytes: run.bytes,
    filings_found: run.filingsFound,
    filings_done: run.filingsDone,
    waits_until: run.waitsUntil,
    ...(run.error && {
      error: { code: run.error.code, message: run.error.message.slice(0, 400), remedy: run.error.remedy.slice(0, 300) },
    }),
  };
}
