/** Laws of every answer: none exceeds its budget, and pages neither repeat nor skip anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/index.ts';
import {
  AFTER,
  type Answer,
  agentLakeOfFile,
  BEFORE,
  hostile,
  id,
  LONG_FILING,
  LONG_TEXT,
} from '../../support/agents/agent-lake.ts';
import { HOSTILE_TEXTS } from '../../support/agents/hostile-texts.ts';
import { LEAST, MOST, walk } from '../../support/agents/tool-laws.ts';
import { bring } from '../../support/lake/small-lake.ts';
import { runs } from '../../support/property-runs.ts';

const agents = agentLakeOfFile();

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
/** Of the pages of an answer, in turn. */
const budgets = fc.array(fc.oneof(fc.integer({ min: LEAST, max: MOST }), fc.constantFrom(LEAST, LEAST + 1, MOST)), {
  minLength: 1,
  maxLength: 4,
});
const time = {
  as_of: maybe(fc.oneof(day, fc.constantFrom('2024-03-04T16:05', '2024-03-04 16:04:59', 'x'.repeat(5_000)))),
};
const company = maybe(words);
/** What `walk` has for a row that is longer than its budget. */
const UNSHOWN = '{}';

const ARGUMENTS: Record<string, fc.Arbitrary<object>> = {
  find_companies: fc.record({
    name: maybe(words),
    ticker: maybe(words),
    cik: maybe(words),
    state: maybe(fc.constantFrom('DE', 'NV')),
    ...time,
  }),
  find_filings: fc.record({
    company,
    forms: maybe(fc.array(fc.constantFrom('10-K', '8-K', '4', '10-K/A'))),
    from_date: maybe(day),
    to_date: maybe(day),
    items: maybe(fc.constantFrom(['2.02'], ['8.01'])),
    order: maybe(fc.constantFrom('newest', 'oldest')),
    ...time,
    accession_numbers: maybe(fc.subarray(filings)),
    words: maybe(words),
  }),
  outline: fc.record({ accession_number: fc.constantFrom(...filings), section: maybe(fc.constant('1A')), ...time }),
  read: fc.oneof(
    fc.record({
      document_id: fc.constantFrom(...filings).map((number) => `${number}-1`),
      table: maybe(fc.constantFrom(1, 2)),
      chunk: maybe(fc.constantFrom(1, 2)),
      format: maybe(fc.constantFrom('plain', 'markdown')),
      ...time,
    }),
    fc.record({
      accession_number: fc.constantFrom(...filings),
      section: fc.constant('1A'),
      heading: fc.oneof(fc.constantFrom(1, 2, 9), words),
      ...time,
    }),
    fc.record({
      accession_number: fc.constantFrom(...filings),
      section: maybe(fc.constantFrom('1A', 'Item 1a.', '9')),
      find: maybe(words),
      start: maybe(fc.nat(70_000)),
      end: maybe(fc.nat(70_000)),
      ...time,
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
    keep_as: maybe(fc.constantFrom('kept', 'K', 'x'.repeat(60))),
  }),
  plan_export: fc.record({
    definition: fc.record({ name: words, tables: fc.constantFrom(['filings'], ['nowhere'], [], ['🚀'.repeat(900)]) }),
  }),
  start_export: fc.record({
    task: fc.oneof(words, fc.constantFrom('export/scripted', 'export/failed')),
    cancel: maybe(fc.boolean()),
  }),
  verify: fc.record({
    citations: fc.array(
      fc.record({
        accession_number: fc.constantFrom(...filings),
        document_id: fc.constant(`${LONG_FILING}-1`),
        start: fc.nat(40_000),
        end: fc.nat(40_000),
        sha256: fc.constant('0'.repeat(64)),
        source: fc.constantFrom('lake', 'service'),
      }),
      { maxLength: 50 },
    ),
  }),
};

describe('an answer', () => {
  it('has arguments at random for each of the tools', () => {
    expect(Object.keys(ARGUMENTS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  it.each(TOOLS.map(({ name }) => name))(
    'of %s fits its budgets, and its pages repeat and skip nothing',
    async (name) => {
      let answered = 0;
      const holds = async (given: object, sizes: readonly number[]) => {
        const args = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        const some = await walk(agents, name, args, sizes);
        if (some.answers[0]!.error !== undefined) return;
        answered++;
        if (sizes.every((size) => size === MOST)) return;
        const { items } = await walk(agents, name, args, [MOST]);
        expect(some.items.length).toBe(items.length);
        // A row that no small budget can show stands for itself.
        for (const [i, item] of items.entries()) if (some.items[i] !== UNSHOWN) expect(some.items[i]).toBe(item);
      };
      await fc.assert(fc.asyncProperty(ARGUMENTS[name]!, budgets, holds), { numRuns: runs(10) });
      // Of ten arguments at random, all may be refused: the budget of an answer must be seen too.
      for (const args of fc.sample(ARGUMENTS[name]!, 200)) if (answered === 0) await holds(args, [LEAST]);
      expect(answered).toBeGreaterThan(0);
    },
  );

  it.each(TOOLS.map(({ name }) => name))(
    'of %s fits the nearest budget, if none or an impossible one is given',
    async (name) => {
      for (const [budget, most] of [
        [undefined, 8_000],
        [1, LEAST],
        [-5, LEAST],
        [10 ** 9, MOST],
        [2_500.5, 8_000],
        ['9', 8_000],
      ] as const) {
        const [args] = fc.sample(ARGUMENTS[name]!, 1);
        const { size, error } = await agents.ask(name, JSON.parse(JSON.stringify({ ...args, budget })));
        expect(size).toBeLessThanOrEqual(most);
        if (budget !== undefined) expect(error.code).toBe('tool-input-invalid');
      }
    },
  );
});

describe('pages', () => {
  it('of a text are the text, character by character, at any budget', async () => {
    const texts: [string, string][] = [
      [`${LONG_FILING}-1`, LONG_TEXT],
      ...HOSTILE_TEXTS.map((text, n): [string, string] => [`${hostile(n)}-1`, text]),
    ];
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

  it('are all of one version, while the lake changes between them', async () => {
    const lists: [string, Record<string, unknown>][] = [
      ['find_filings', {}],
      ['find_companies', { name: 'Co' }],
      ['outline', { accession_number: LONG_FILING }],
      ['search_text', { query: 'the' }],
      ['events', { kind: '8-K' }],
      ['facts', { concepts: ['NetIncomeLoss', 'Assets'] }],
      ['statements', { company: '24', periods: ['FY', 'Q4', 'TTM'] }],
      ['sql', { statement: 'SELECT accession_number, entity_name FROM filings ORDER BY 1' }],
      ['read', { document_id: `${LONG_FILING}-1` }],
    ];
    let commits = 0;
    for (const [name, args] of lists) {
      const before = await walk(agents, name, args, [MOST]);
      const changing = {
        ask: async (of: string, given: Record<string, unknown> = {}) => {
          const answer = await agents.ask(of, given);
          const accession_number = id(++commits, 22);
          const filing = {
            accession_number,
            cik: '1',
            form_type: '8-K',
            filing_date: '2022-05-02',
            entity_name: 'Company 1',
          };
          const removed = { table: 'filings', columns: ['accession_number'], values: [[id(commits)], [LONG_FILING]] };
          // What is gone comes back, for the next list.
          await bring(
            agents.lake,
            { batch: `c${commits}`, run: 'c' },
            { filings: [filing] },
            commits % 2 ? [removed] : [],
          );
          return answer;
        },
      };
      const { items, answers } = await walk(changing, name, args, [LEAST]);
      expect(answers.length, name).toBeGreaterThan(1);
      expect(items, name).toEqual(before.items);
      expect(new Set(answers.map(({ count }) => count)).size, name).toBe(1);
      await agents.close();
      await agents.start();
    }
  });

  it('refuse the cursor of another question, tool or version', async () => {
    const { next } = await agents.ask('find_filings', { forms: ['8-K'], budget: LEAST });
    const [position, version, digest] = next.split('.');
    for (const cursor of [
      `${Number(position) + 1}.${version}.${digest}`,
      `${position}.${Number(version) - 1}.${digest}`,
      `${position}..${digest}`,
      `${'9'.repeat(15)}.${version}.${digest}`,
      next.slice(1),
    ])
      expect((await agents.ask('find_filings', { forms: ['8-K'], cursor })).error, cursor).toMatchObject({
        code: 'tool-input-invalid',
      });
    for (const [name, args] of [
      ['find_filings', {}],
      ['find_filings', { forms: ['8-K'], as_of: '2024-05-01' }],
      ['events', { kind: '8-K' }],
    ] as const)
      expect((await agents.ask(name, { ...args, cursor: next })).error.code).toBe('tool-input-invalid');
  });
});

/** As a lake stores it: UTF-8 has no halves of pairs. */
const stored = (text: string) => Buffer.from(text, 'utf8').toString('utf8');

/** Whether a page ends between characters: no half of a pair at its ends. */
function isWhole(page: string, text: string): boolean {
  return !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(page) || page === text;
}
