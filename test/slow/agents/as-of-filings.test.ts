/** A part of 10,000 random pairs of a call and a moment, none of which leaks. The other parts lie beside it. */
import { expect, it } from 'vitest';
import { agentLakeOfFile } from '../../support/agents/agent-lake.ts';
import { tryPairs } from '../../support/agents/as-of-pairs.ts';

const PAIRS = 5_000;

const agents = agentLakeOfFile();

it(`no answer about filings of ${PAIRS} pairs has anything that was accepted later`, async () => {
  expect(await tryPairs(agents, 'filings', PAIRS)).toBeGreaterThan(PAIRS / 3);
});
