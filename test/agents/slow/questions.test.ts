/** Questions with answers: each needs the named tools alone, within the default budget. Every citation is read again, also by other readers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask } from '../../support/agents/agent-lake.ts';
import { PlainCitations } from '../../support/agents/plain-citations.ts';
import { type Question, type QuestionLake, questionLake, valueAt } from '../../support/agents/question-lakes.ts';
import questions from '../../support/agents/questions.json' with { type: 'json' };
import { sharedFolder } from '../../support/shared.ts';

const QUESTIONS = questions as unknown as Question[];

describe('the questions', () => {
  it('are 150 or more, and of both corpora', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(QUESTIONS.map(({ question, corpus }) => corpus + question)).size).toBe(QUESTIONS.length);
  });
});

describe.each(['sample', 'real'] as const)('questions of the %s corpus', (corpus) => {
  const own = QUESTIONS.filter((one) => one.corpus === corpus);
  if (corpus === 'real' && sharedFolder === null) {
    it.skip('need real submissions beside the checkout', () => {});
    return;
  }
  let lake: QuestionLake;
  let plain: PlainCitations;
  const answers: { readonly tool: string; readonly args: Record<string, unknown>; readonly answer: Answer }[] = [];
  beforeAll(async () => {
    lake = (await questionLake(corpus))!;
    plain = await PlainCitations.open(lake.folder, lake.submissions);
  });
  afterAll(async () => {
    plain.close();
    await lake.close();
  });

  it.each(own.map((one) => [one.question, one] as const))('%s', async (_, { calls, expect: expected }) => {
    let last: Answer = {};
    for (const [tool, args] of calls) {
      last = await ask(lake.world, tool, args);
      expect(last.error).toBeUndefined();
      expect(last.size).toBeLessThanOrEqual((args.budget as number | undefined) ?? 8_000);
      answers.push({ tool, args, answer: last });
    }
    for (const [path, value] of Object.entries(expected)) {
      const right = value === 'as in the lake' ? await plain.characters(calls.at(-1)![1]) : value;
      expect(String(valueAt(last, path)), path).toBe(String(right));
    }
  });

  it('have citations that are all equal', async () => {
    const all = answers.map(({ answer }) => answer.citation);
    expect(all.length).toBeGreaterThan(50);
    const different: Answer[] = [];
    for (let i = 0; i < all.length; i += 50) {
      const some = all.slice(i, i + 50);
      const { rows } = await ask(lake.world, 'verify', { citations: some, budget: 40_000 });
      for (const [k, verdict] of (rows as Answer[]).entries())
        if (!verdict.equal) different.push({ ...some[k], ...verdict });
    }
    expect(different).toEqual([]);
  });

  it('have rows and passages that stand in the lake and the filed bytes for a reader that knows nothing of filinglake', async () => {
    const wrong: Answer[] = [];
    const passages: (boolean | null)[] = [];
    let rows = 0;
    for (const { tool, args, answer } of answers) {
      const table = tool === 'ownership' ? OWNERSHIP[args.kind as string] : TABLES[tool];
      for (const row of table === undefined ? [] : (answer.rows as Answer[])) {
        if (!(await plain.has(table!, row))) wrong.push({ table, ...row });
        rows++;
      }
      if (tool === 'sql' || tool === 'read') {
        const why = await plain.wrong(answer.citation);
        if (why !== null) wrong.push({ ...answer.citation, why });
      }
      for (const place of placesIn(tool, answer)) {
        if ('filed_content' in place && (await plain.passage(place)) !== place.filed_content) wrong.push(place);
        const stands = await plain.stands(place);
        if (stands === false) wrong.push({ ...place, why: 'does not stand in the filed document' });
        passages.push(stands);
      }
    }
    expect(wrong).toEqual([]);
    expect(rows).toBeGreaterThan(100);
    expect(passages.length).toBeGreaterThan(40);
    expect(passages).not.toContain(null);
  });
});

const TABLES: Readonly<Record<string, string>> = { find_filings: 'filings', events: 'filings', facts: 'xbrl_facts' };
const OWNERSHIP: Readonly<Record<string, string>> = {
  insider: 'ownership_transactions',
  '13f': 'f13_positions',
  '13dg': 'beneficial_persons',
};

/** The passages of an answer, with the texts that their places count in. */
function placesIn(tool: string, answer: Answer): Answer[] {
  if (tool === 'read') return [answer.citation];
  if (tool === 'search_text')
    return answer.rows.flatMap(({ accession_number, document_id, section, passages }: Answer) =>
      passages.map((passage: Answer) => ({ accession_number, document_id, section: section ?? undefined, ...passage })),
    );
  if (tool !== 'compare') return [];
  return answer.rows.flatMap((row: Answer) =>
    (['before', 'after'] as const)
      .filter((side) => row[side] !== null)
      .map((side) => ({
        accession_number: answer[side],
        document_id: answer.documents[side],
        section: answer.section,
        ...row[side],
      })),
  );
}
