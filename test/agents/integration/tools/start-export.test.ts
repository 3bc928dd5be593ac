/** `start_export`: a planned export, within a budget that was stated. */
import { describe, expect, it } from 'vitest';
import { agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { RUN, type ScriptedExports } from '../../../support/agents/scripted-exports.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('start_export', () => {
  const definition = { name: 'x', tables: ['filings'] };
  const plan = async () => (await agents.ask('plan_export', { definition })).plan as string;
  const started = () => (agents.world.exports as ScriptedExports).started;
  keepsLaws(agents, 'start_export', { args: { task: RUN.task }, before: null });

  it('starts what was planned, with the budget as its limit', async () => {
    const answer = await agents.ask('start_export', {
      definition,
      plan: await plan(),
      max_requests: 480,
      max_bytes: 9_000_000,
    });
    expect(answer).toMatchObject({ task: RUN.task, state: 'working', requests: 7, filings_done: 3 });
    expect(started()).toEqual([{ definition, maxRequests: 480, maxBytes: 9_000_000 }]);
  });

  it('starts nothing without a plan of this definition, or with a budget below it', async () => {
    const before = started().length;
    const refused = async (args: object) => (await agents.ask('start_export', { ...args })).error;
    const token = await plan();
    expect(await refused({ definition })).toMatchObject({
      code: 'tool-input-invalid',
      remedy: 'Call plan_export first.',
    });
    expect(await refused({ definition, plan: token })).toMatchObject({ code: 'tool-input-invalid' });
    for (const [args, code] of [
      [{ definition: { ...definition, tables: ['documents'] }, plan: token, max_requests: 999 }, 'plan-unknown'],
      [{ definition, plan: token.replace(/^480/, '1'), max_requests: 999 }, 'plan-unknown'],
      [{ definition, plan: token, max_requests: 479 }, 'budget-exceeded'],
      [{ definition, plan: token, max_requests: 480, max_bytes: 1 }, 'budget-exceeded'],
    ] as const) {
      const error = await refused(args);
      expect(error, JSON.stringify(args)).toMatchObject({ code });
      expect(error.remedy.length).toBeGreaterThan(10);
    }
    expect(started()).toHaveLength(before);
  });

  it('follows and cancels a run, and says why one failed', async () => {
    expect(await agents.ask('start_export', { task: RUN.task, cancel: true })).toMatchObject({ state: 'cancelled' });
    expect(await agents.ask('start_export', { task: 'export/failed' })).toMatchObject({
      state: 'failed',
      error: { code: 'quota-exceeded' },
    });
    expect((await agents.ask('start_export', { task: 'export/none' })).error).toMatchObject({
      code: 'run-unknown',
      message: expect.stringContaining('export/none'),
    });
  });
});
