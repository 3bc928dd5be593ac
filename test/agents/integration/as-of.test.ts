/** Nothing that EDGAR accepted after `as_of` is in an answer: neither rows nor counts nor names nor ranks. */
import { describe, expect, it } from 'vitest';
import { AgentLake, type Answer, agentLakeOfFile, BEFORE } from '../../support/agents/agent-lake.ts';
import { GROUPS, publicTimes, tryPairs } from '../../support/agents/as-of-pairs.ts';

const agents = agentLakeOfFile();

/** A call, and its answer in an as-of world by the rows of a lake that was cut at the moment. */
const CALLS: readonly [string, Record<string, unknown>][] = [
  ['find_companies', { name: 'Company' }],
  ['find_companies', { cik: '1' }],
  ['find_companies', { name: 'Old' }],
  ['find_filings', {}],
  ['find_filings', { company: '1', order: 'oldest' }],
  ['find_filings', { company: '9' }],
  ['events', { kind: '8-K' }],
  ['search_text', { query: 'harm' }],
  ['facts', { concepts: ['NetIncomeLoss', 'Assets', 'Revenues'] }],
  ['facts', { concepts: ['NetIncomeLoss'], revisions: true }],
  ['statements', { company: '24' }],
  ['statements', { company: '20', periods: ['FY', 'Q4', 'TTM'] }],
  ['ownership', { kind: 'insider' }],
  ['ownership', { kind: '13f', cusip: '037833100' }],
  ['ownership', { kind: '13dg' }],
  ['outline', { accession_number: BEFORE }],
  ['compare', { company: '1', section: '1A' }],
  ['compare', { company: '24', items: [] }],
  ['find_filings', { words: 'harm' }],
  ['outline', { accession_number: BEFORE, section: '1A' }],
  ['read', { accession_number: BEFORE, section: '1A' }],
];

/** test/agents/slow has 10,000 in three parts. */
const PAIRS = 40;

describe('an answer as of a moment', () => {
  it.each(Object.keys(GROUPS) as (keyof typeof GROUPS)[])('names no later filing: %s', async (group) => {
    await tryPairs(agents, group, PAIRS);
  });

  it('is the answer of a lake that has nothing later', async () => {
    const publicAt = await publicTimes(agents);
    for (const as_of of ['2023-03-01T16:05:00', '2024-02-01T10:00', '2024-03-04']) {
      const cut = await AgentLake.open();
      const later = [...publicAt].filter(
        ([, at]) => at > (as_of.length === 10 ? `${as_of}T00:00:00` : as_of.padEnd(19, ':00')),
      );
      await cutOff(
        cut,
        later.map(([number]) => number),
      );
      for (const [name, args] of CALLS) {
        const [now, then] = await Promise.all([
          agents.ask(name, { ...args, as_of, budget: 40_000 }),
          cut.ask(name, { ...args, as_of, budget: 40_000 }),
        ]);
        expect(plain(now), `${name} ${JSON.stringify(args)} ${as_of}`).toEqual(plain(then));
      }
      await cut.close();
    }
  });

  it('has names of that time, and no tickers', async () => {
    const { rows: companies } = await agents.ask('find_companies', { cik: '1', as_of: '2023-06-01' });
    expect(companies).toMatchObject([{ name: 'Old Name Inc', sic: '7372', state_of_incorporation: 'DE' }]);
    expect(companies[0]).not.toHaveProperty('tickers');
    expect(await agents.ask('find_companies', { cik: '1' })).toMatchObject({
      rows: [{ name: 'Company 1', tickers: ['ONE'], other_names: expect.arrayContaining(['Old Name Inc']) }],
    });
  });
});

/** Without versions, cursors and digests of views, which name them. */
function plain({ size: _, text: __, ...answer }: Answer): unknown {
  const bare = JSON.stringify(answer, (name, value: unknown) =>
    name === 'lake_version' || name === 'next' ? undefined : value,
  );
  return JSON.parse(bare);
}

/** Takes filings out of every table. */
async function cutOff({ lake }: AgentLake, numbers: string[]): Promise<void> {
  const { bring } = await import('../../support/lake/small-lake.ts');
  const { tables } = await lake.snapshot();
  const replace = [...tables.keys()]
    .filter((name) => lake.tables.get(name)!.columns.some((column) => column.name === 'accession_number'))
    .map((table) => ({ table, columns: ['accession_number'], values: numbers.map((number) => [number]) }));
  await bring(lake, { batch: 'cut', run: 'cut' }, {}, replace);
}
