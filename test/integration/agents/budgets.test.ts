/** Laws of every answer: none exceeds its budget, and pages neither repeat nor skip anything. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/index.ts';
import {
  AFTER,
  AgentLake,
  type Answer,
  BEFORE,
  hostile,
  LONG_FILING,
  LONG_TEXT,
} from '../../support/agents/agent-lake.ts';
import { HOSTILE_TEXTS } from '../../support/agents/hostile-texts.ts';
import { runs } from '../../support/property-runs.ts';

let agents: AgentLake;
beforeAll(async () => {
  agents = await AgentLake.open();
});
afterAll(() => agents.close());

const LEAST = 2_000;
const PASSAGE = {
  accession_number: LONG_FILING,
  document_id: `${LONG_FILING}-1`,
  start: 0,
  end: 4,
  sha256: '0'.repeat(64),
  source: 'lake',
};
const filings = [BEFORE, AFTER, LONG_FILING, ...HOSTILE_TEXTS.map((_, n) => hostile(n)), '0000000009-99-000009'];
const words = fc.oneof(
  fc.constantFrom(
    'going concern',
    '"going concern"',
    'line',
    'Company',
    'A',
    'harm',
    'pandemic',
    '1',
    '3',
    '66',
    'ONE',
  ),
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const day = fc.constantFrom('2023-03-01', '2024-01-20', '2024-03-04', '2024-05-01', '2020-01-01', 'soon');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const budget = maybe(
  fc.oneof(fc.integer({ min: LEAST, max: 40_000 }), fc.constantFrom(LEAST, 2_001, 40_000, 1, -5, 10 ** 9)),
);
const time = {
  as_of: maybe(fc.oneof(day, fc.constantFrom('2024-03-04T16:05', '2024-03-04 16:04:59', 'x'.repeat(5_000)))),
  budget,
};
const company = maybe(words);

const ARGUMENTS: Record<string, fc.Arbitrary<object>> = {
  find_companies: fc.record({
    name: maybe(words),
    ticker: maybe(words),
    cik: maybe(words),
    state: maybe(fc.constantFrom('DE', 'NV')),
    ...time,
  }),
  find_filings: fc.record({
    ...{
      company,
      forms: maybe(fc.array(fc.constantFrom('10-K', '8-K', '4', '10-K/A'))),
      from_date: maybe(day),
      to_date: maybe(day),
    },
    ...{
      items: maybe(fc.constantFrom(['2.02'], ['8.01'])),
      order: maybe(fc.constantFrom('newest', 'oldest')),
      ...time,
    },
    accession_numbers: maybe(fc.subarray(filings)),
    words: maybe(words),
  }),
  outline: fc.record({ accession_number: fc.constantFrom(...filings), section: maybe(fc.constant('1A')), ...time }),
  read: fc.oneof(
    fc.record({
      document_id: fc.constantFrom(...filings).map((number) => `${number}-1`),
      ...{ table: maybe(fc.constantFrom(1, 2)), chunk: maybe(fc.constantFrom(1, 2)) },
      ...{ format: maybe(fc.constantFrom('plain', 'markdown')), ...time },
    }),
    fc.record({
      ...{ accession_number: fc.constantFrom(...filings), section: fc.constant('1A') },
      ...{ heading: fc.oneof(fc.constantFrom(1, 2, 9), words), ...time },
    }),
    fc.record({
      ...{
        accession_number: fc.constantFrom(...filings),
        section: maybe(fc.constantFrom('1A', 'Item 1a.', '9')),
        find: maybe(words),
      },
      ...{ start: maybe(fc.nat(70_000)), end: maybe(fc.nat(70_000)), ...time },
    }),
  ),
  search_text: fc.record({ query: words, company, section: maybe(fc.constantFrom('1A')), ...time }),
  facts: fc.record({
    concepts: fc.constantFrom(['Assets'], ['us-gaap:NetIncomeLoss', 'Revenues']),
    company,
    revisions: maybe(fc.boolean()),
    dimensions: maybe(fc.boolean()),
    ...time,
  }),
  statements: fc.record({ company, periods: maybe(fc.constantFrom(['FY'], ['FY', 'Q4', 'TTM'])), ...time }),
  ownership: fc.record({
    kind: fc.constantFrom('insider', '13f', '13dg'),
    company,
    holder: maybe(words),
    cusip: maybe(fc.constantFrom('037833100')),
    ...time,
  }),
  events: fc.record({ kind: fc.constantFrom('8-K', 'late', 'amendments'), company, ...time }),
  compare: fc.record({
    section: fc.constantFrom('1A', '7'),
    items: fc.option(fc.constantFrom([], ['revenue']), { nil: undefined, freq: 3 }),
    before: maybe(fc.oneof(fc.constant(BEFORE), fc.constantFrom(...filings))),
    after: maybe(fc.oneof(fc.constant(AFTER), fc.constantFrom(...filings))),
    company,
    ...time,
  }),
  sql: fc.record({
    statement: fc.constantFrom(
      'SELECT * FROM filings ORDER BY ALL',
      'SELECT text FROM document_contents ORDER BY ALL',
      "SELECT repeat('x', 100000) AS x",
      'SELECT * FROM no_such_table',
      `SELECT ${Array.from({ length: 400 }, (_, i) => `${i} AS "a column with a long name ${i}"`).join(', ')}`,
      `SELECT '${'y'.repeat(5_000)}' AS y`,
    ),
    budget,
  }),
  plan_export: fc.record({ definition: fc.constant({ name: 'x', tables: ['filings'] }), budget }),
  start_export: fc.record({ task: words, budget }),
  verify: fc.record({
    citations: fc.array(
      fc.record({
        ...{
          accession_number: fc.constantFrom(...filings),
          document_id: fc.constant(`${LONG_FILING}-1`),
          start: fc.nat(40_000),
          end: fc.nat(40_000),
        },
        ...{ sha256: fc.constant('0'.repeat(64)), source: fc.constantFrom('lake', 'service') },
      }),
      { maxLength: 50 },
    ),
    budget,
  }),
};

describe('an answer', () => {
  it('has arguments at random for each of the tools', () => {
    expect(Object.keys(ARGUMENTS)).toEqual(expect.arrayContaining(TOOLS.map(({ name }) => name)));
  });

  it.each(TOOLS.map(({ name }) => name))('of %s never exceeds its budget, whatever the arguments', async (name) => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(ARGUMENTS[name]!, async (args) => {
        const given = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
        const { size, error } = await agents.ask(name, given);
        const asked = given.budget;
        const most = typeof asked === 'number' ? Math.min(Math.max(asked, LEAST), 40_000) : 8_000;
        if (error === undefined) answered++;
        return size <= most;
      }),
      { numRuns: runs(10) },
    );
    if (name === 'plan_export' || name === 'start_export') return;
    // Of ten arguments at random, all may be refused: the budget of an answer must be seen too.
    for (const args of fc.sample(ARGUMENTS[name]!, 200)) {
      if (answered > 0) break;
      const { error } = await agents.ask(name, JSON.parse(JSON.stringify(args)) as Record<string, unknown>);
      if (error === undefined) answered++;
    }
    expect(answered).toBeGreaterThan(0);
  });

  it('says what is left, and has a cursor exactly if something is', async () => {
    for await (const { truncated, left, next } of agents.pages('find_filings', { budget: LEAST })) {
      expect(next !== null).toBe(truncated);
      expect(left > 0).toBe(truncated);
    }
  });
});

describe('pages', () => {
  it('of a text are the text, character by character, at any budget', async () => {
    const texts: [string, string][] = [
      [`${LONG_FILING}-1`, LONG_TEXT],
      ...HOSTILE_TEXTS.map((text, n): [string, string] => [`${hostile(n)}-1`, text]),
    ];
    const budgets = fc.array(fc.integer({ min: LEAST, max: 12_000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), budgets, async ([document_id, text], sizes) => {
        let read = '';
        let cursor: string | undefined;
        for (let page = 0; ; page++) {
          // The budget may change from page to page.
          const answer: Answer = await agents.ask('read', {
            document_id,
            budget: sizes[page % sizes.length],
            ...(cursor && { cursor }),
          });
          expect(answer.citation.start).toBe(read.length);
          read += answer.filed_content;
          expect(answer.left).toBe(stored(text).length - read.length);
          expect(isWhole(answer.filed_content, stored(text))).toBe(true);
          if (answer.next === null) break;
          cursor = answer.next;
        }
        expect(read).toBe(stored(text));
      }),
      { numRuns: runs(4) },
    );
  });

  it.each([
    ['find_filings', 'filings', {}],
    ['sql', 'rows', { statement: 'SELECT accession_number FROM filings ORDER BY 1' }],
    ['search_text', 'hits', { query: 'the' }],
    ['facts', 'facts', { concepts: ['NetIncomeLoss', 'Assets', 'Revenues'], revisions: true }],
    ['verify', 'verdicts', { citations: Array.from({ length: 40 }, () => ({ ...PASSAGE })) }],
  ])('of %s have each row once', async (name, list, args) => {
    const whole = await agents.ask(name, { ...args, budget: 40_000 });
    const rows: unknown[] = [];
    for await (const page of agents.pages(name, { ...args, budget: LEAST })) rows.push(...page[list]);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length).toBe(whole[list].length + whole.left);
    const shown = (row: unknown) => JSON.stringify((row as Answer).citation ?? row);
    expect(rows.slice(0, whole[list].length).map(shown)).toEqual(whole[list].map(shown));
  });

  it('keep their version while the lake grows', async () => {
    const args = { forms: ['8-K'], budget: LEAST };
    const first = await agents.ask('find_filings', args);
    const { count } = first;
    expect(first.truncated).toBe(true);
    const again = await agents.ask('find_filings', { ...args, cursor: first.next });
    expect(again.count).toBe(count);
    await expect(agents.ask('find_filings', { budget: LEAST, cursor: first.next })).resolves.toMatchObject({
      error: { code: 'cursor-invalid' },
    });
  });
});

/** As a lake stores it: UTF-8 has no halves of pairs. */
const stored = (text: string) => Buffer.from(text, 'utf8').toString('utf8');

/** Whether a page ends between characters: no half of a pair at its ends. */
function isWhole(page: string, text: string): boolean {
  return !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(page) || page === text;
}
