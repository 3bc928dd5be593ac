/** `plan_export`: what an export would cost. */
import { describe, expect, it } from 'vitest';
import { agentLakeOfFile, ask } from '../../../support/agents/agent-lake.ts';
import { PLANNED } from '../../../support/agents/scripted-exports.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('plan_export', () => {
  const definition = { name: 'x', tables: ['filings'] };
  keepsLaws(agents, 'plan_export', { args: { definition }, paged: { definition }, before: null });

  it('shows requests, bytes and months before anything is spent', async () => {
    expect(await agents.ask('plan_export', { definition })).toMatchObject({
      filings: 120,
      requests: 480,
      bytes: 9_000_000,
      months_of_quota: 1.2,
      requests_left_this_month: 400,
      exact: true,
      plan: expect.stringMatching(/^480\.9000000\./),
      rows: expect.arrayContaining([expect.objectContaining({ step: 'step 0', requests: 8 })]),
    });
    expect(PLANNED.steps.length).toBeGreaterThan(50);
  });

  it('says what is wrong with a definition, and that a server without a source starts no exports', async () => {
    const wrong = await agents.ask('plan_export', { definition: { ...definition, tables: ['nowhere'] } });
    expect(wrong.error).toMatchObject({ code: 'definition-invalid', message: expect.stringContaining('nowhere') });
    const without = { ...agents.world, exports: null };
    expect((await ask(without, 'plan_export', { definition })).error).toMatchObject({
      code: 'source-missing',
      remedy: expect.stringContaining('--lake'),
    });
  });
});
