/** A part of 10,000 random pairs of a call and a moment, none of which leaks. The other parts lie beside it. */
import { it } from 'vitest';
import { agentLakeOfFile } from '../../support/agents/agent-lake.ts';
import { tryPairs } from '../../support/agents/as-of-pairs.ts';

const PAIRS = 5_000;
const PARTS = 10;

const agents = agentLakeOfFile();

it.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  `no answer about filings of ${PAIRS} pairs has anything that was accepted later: part %i of ${PARTS}`,
  async () => {
    await tryPairs(agents, 'filings', PAIRS / PARTS);
  },
);
