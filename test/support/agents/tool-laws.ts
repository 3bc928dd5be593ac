/** What holds for the answers of every tool: budgets, cursors, arguments, time. */
import { expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/index.ts';
import { type AgentLake, type Answer, sortedJson } from './agent-lake.ts';

export const LEAST = 2_000;
export const MOST = 40_000;
/** No answer here has so many pages. */
const PAGES_MAX = 200;

type Args = Record<string, unknown>;

export interface Walk {
  /** Of a list, what tells its rows apart; of a text, its characters. */
  readonly items: readonly string[];
  readonly answers: readonly Answer[];
}

/**
 * All pages of an answer, the budgets taken in turn.
 * @throws if a page is larger than its budget, says something wrong about what is left, or has nothing
 */
export async function walk(
  agents: Pick<AgentLake, 'ask'>,
  name: string,
  args: Args,
  budgets: readonly number[],
): Promise<Walk> {
  const items: string[] = [];
  const answers: Answer[] = [];
  for (let cursor: string | undefined; answers.length < PAGES_MAX; ) {
    const budget = budgets[answers.length % budgets.length]!;
    const answer = await agents.ask(name, { ...args, budget, ...(cursor !== undefined && { cursor }) });
    expect(answer.size, `${name} ${JSON.stringify(args)}`).toBeLessThanOrEqual(budget);
    if (answer.error !== undefined && answers.length > 0) throw new Error(`page ${answers.length}: ${answer.text}`);
    answers.push(answer);
    if (answer.error !== undefined) {
      // A model runs no commands.
      expect(answer.error.remedy, answer.error.code).not.toMatch(/`filinglake /);
      break;
    }
    const page = itemsOf(answer);
    const before = answers.at(-2);
    if (before !== undefined) expect(answer.count).toEqual(before.count);
    if (typeof before?.left === 'number') expect(answer.left).toBe(before.left - page.length);
    // The last page of a list whose end is not known has nothing.
    if (before !== undefined && answer.next !== null) expect(page.length).toBeGreaterThan(0);
    expect(answer.truncated).toBe(answer.next !== null);
    items.push(...page);
    if (answer.next === null) {
      expect(answer.left ?? 0).toBe(0);
      break;
    }
    cursor = answer.next;
  }
  expect(answers.length).toBeLessThan(PAGES_MAX);
  return { items, answers };
}

function itemsOf(answer: Answer): string[] {
  if (typeof answer.filed_content === 'string') {
    expect(answer.citation.end - answer.citation.start).toBe(answer.filed_content.length);
    return answer.filed_content.split('');
  }
  return (answer.rows as Answer[]).map((row) => sortedJson(named(row)));
}

/** A row that is cut has its short values still. */
function named(row: Answer): Answer {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'cut' && String(value).length < 40));
}

interface Sample {
  /** Whose answer has several pages at the least budget; absent: an answer has one page. */
  readonly paged?: Args;
  /** An ordinary call, as of a moment before everything. */
  readonly args: Args;
  /** What it answers then: an empty list, the code of an error, or null if the tool takes no moment. */
  readonly before: 'nothing' | 'filing-unknown' | null;
}

/** The laws, as tests of one tool. */
export function keepsLaws(agents: AgentLake, name: string, { paged, args, before }: Sample): void {
  if (paged)
    it('has in its pages at the least budget what it has in large ones, each once', async () => {
      const small = await walk(agents, name, paged, [LEAST]);
      const large = await walk(agents, name, paged, [MOST]);
      expect(small.answers.length).toBeGreaterThan(1);
      expect(small.items.length).toBeGreaterThan(1);
      expect(small.items).toEqual(large.items);
    });

  it('refuses arguments and cursors of others, and says what to do', async () => {
    const { error } = await agents.ask(name, { ...args, nonsense: 1 });
    expect(error).toMatchObject({ code: 'tool-input-invalid', message: expect.stringContaining('nonsense') });
    expect(error.remedy.length).toBeGreaterThan(10);
    const [other, ofOther] = name === 'find_filings' ? ['events', { kind: '8-K' }] : ['find_filings', {}];
    const { next } = await agents.ask(other, { ...ofOther, budget: LEAST });
    const refused = await agents.ask(name, { ...args, cursor: next });
    expect(refused.error).toMatchObject({ code: 'tool-input-invalid' });
    expect(refused.error.remedy.length).toBeGreaterThan(10);
  });

  const takesMoment = 'as_of' in TOOLS.find((one) => one.name === name)!.input.shape;
  it(takesMoment ? 'has nothing as of a time before all filings' : 'takes no as_of', async () => {
    expect(before !== null).toBe(takesMoment);
    const answer = await agents.ask(name, { ...args, as_of: '1990-01-01' });
    if (before === null)
      expect(answer.error).toMatchObject({ code: 'tool-input-invalid', message: expect.stringContaining('as_of') });
    else if (before !== 'nothing') expect(answer.error).toMatchObject({ code: before });
    else {
      expect(answer.rows).toEqual([]);
      expect(answer.count ?? 0).toBe(0);
      expect(answer.text).not.toMatch(/\d{10}-\d{2}-\d{6}/);
    }
    expect((await agents.ask(name, args)).error).toBeUndefined();
  });
}
