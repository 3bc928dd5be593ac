/** Nothing that EDGAR accepted after `as_of` is in an answer: neither rows nor counts nor names nor ranks. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentLake, type Answer, BEFORE } from '../../support/agents/agent-lake.ts';
import { IN_SLOW_TIER } from '../../support/tier-cases.ts';

let agents: AgentLake;
/** When each filing was public, as text that can be compared. */
let publicAt: Map<string, string>;
let moments: string[];
beforeAll(async () => {
  agents = await AgentLake.open();
  const rows = await agents.lake.query(
    `SELECT accession_number, strftime(coalesce(acceptance_datetime, CAST(filing_date + 1 AS TIMESTAMP)), '%Y-%m-%dT%H:%M:%S') AS t FROM filings`,
  );
  publicAt = new Map(rows.map(({ accession_number, t }) => [String(accession_number), String(t)]));
  // Each moment of a filing, and a second before it.
  moments = [...new Set(publicAt.values())].flatMap((at) => [
    at,
    new Date(Date.parse(`${at}Z`) - 1000).toISOString().slice(0, 19),
  ]);
});
afterAll(() => agents.close());

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
  ['read', { accession_number: BEFORE, section: '1A' }],
];

function accessionsIn(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/\d{10}-\d{2}-\d{6}/g) ?? [])];
}

describe('an answer as of a moment', () => {
  it('names no later filing, and its count is that of the filings then', async () => {
    const pairs = fc.tuple(fc.constantFrom(...CALLS), fc.constantFrom(...moments));
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(pairs, async ([[name, args], as_of]) => {
        const answer = await agents.ask(name, { ...args, as_of, budget: 40_000 });
        const asked = accessionsIn(args);
        const later = accessionsIn({ ...answer, text: '' }).filter(
          (number) => !asked.includes(number) && (publicAt.get(number) ?? '') > as_of,
        );
        expect(later).toEqual([]);
        if (answer.error === undefined) answers++;
        if (name === 'find_filings' && Object.keys(args).length === 0)
          expect(answer.count).toBe([...publicAt.values()].filter((at) => at <= as_of).length);
      }),
      { numRuns: IN_SLOW_TIER ? 10_000 : 150 },
    );
    expect(answers).toBeGreaterThan(40);
  });

  it('is the answer of a lake that has nothing later', async () => {
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
    const { companies } = await agents.ask('find_companies', { cik: '1', as_of: '2023-06-01' });
    expect(companies).toMatchObject([{ name: 'Old Name Inc', sic: '7372', state_of_incorporation: 'DE' }]);
    expect(companies[0]).not.toHaveProperty('tickers');
    expect(await agents.ask('find_companies', { cik: '1' })).toMatchObject({
      companies: [{ name: 'Company 1', tickers: ['ONE'], other_names: expect.arrayContaining(['Old Name Inc']) }],
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
