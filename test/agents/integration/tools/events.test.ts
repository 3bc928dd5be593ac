/** `events`: 8-K items, late filings, amendments and withdrawals, as filings. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('events', () => {
  keepsLaws(agents, 'events', { args: { kind: '8-K' }, paged: { kind: '8-K' }, before: 'nothing' });

  it('gives 8-K items with their titles', async () => {
    const { rows: events } = await agents.ask('events', { kind: '8-K', company: '66' });
    expect(events[0].items_8k).toEqual(['8.01 Other Events']);
  });

  it('finds by items, and amendments apart', async () => {
    expect((await agents.ask('events', { kind: '8-K', items: ['1.03'] })).count).toBe(0);
    const amended = await agents.ask('events', { kind: 'amendments' });
    expect(amended.count).toBeGreaterThan(0);
    expect(amended.rows.every(({ form_type }: Answer) => form_type.endsWith('/A'))).toBe(true);
    expect(await agents.verdictOf(amended)).toEqual({ equal: true });
  });

  it('names the kinds', async () => {
    expect((await agents.ask('events')).error.message).toContain('withdrawals');
  });
});
