/** A part of 10,000 random pairs of a call and a moment, none of which leaks. The other parts lie beside it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentLake } from '../../support/agents/agent-lake.ts';
import { tryPairs } from '../../support/agents/as-of-pairs.ts';

const PAIRS = 2_000;

let agents: AgentLake;
beforeAll(async () => {
  agents = await AgentLake.open();
});
afterAll(() => agents.close());

it(`no answer about numbers of ${PAIRS} pairs has anything that was accepted later`, async () => {
  expect(await tryPairs(agents, 'numbers', PAIRS)).toBeGreaterThan(PAIRS / 3);
});
