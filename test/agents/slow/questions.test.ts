/** Questions with answers: each needs the named tools alone, within the default budget. Every citation is read again, also by other readers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, citationsIn } from '../../support/agents/agent-lake.ts';
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
  const citations = new Map<string, Answer>();
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
      for (const citation of citationsIn({ ...last, text: null })) citations.set(JSON.stringify(citation), citation);
    }
    for (const [path, value] of Object.entries(expected)) {
      const right = value === 'as in the lake' ? await plain.characters(calls.at(-1)![1]) : value;
      expect(String(valueAt(last, path)), path).toBe(String(right));
    }
  });

  it('have citations that are all equal', async () => {
    const all = [...citations.values()];
    expect(all.length).toBeGreaterThan(100);
    const different: Answer[] = [];
    for (let i = 0; i < all.length; i += 50) {
      const some = all.slice(i, i + 50);
      const { verdicts } = await ask(lake.world, 'verify', { citations: some, budget: 40_000 });
      for (const [k, verdict] of (verdicts as Answer[]).entries())
        if (!verdict.equal) different.push({ ...some[k], ...verdict });
    }
    expect(different).toEqual([]);
  });

  it('have citations that are equal for a reader that knows nothing of filinglake, and that stand in the filed bytes', async () => {
    const wrong: Answer[] = [];
    const passages: (boolean | null)[] = [];
    for (const citation of citations.values()) {
      // All parts of a filing: `outline` has them, and integration/agents/citations reads them there.
      if ('parts' in citation) continue;
      const why = await plain.wrong(citation, (table) => lake.world.lake!.columns(table));
      if (why !== null) wrong.push({ ...citation, why });
      if (!('start' in citation)) continue;
      const stands = await plain.stands(citation);
      if (stands === false) wrong.push({ ...citation, why: 'does not stand in the filed document' });
      passages.push(stands);
    }
    expect(wrong).toEqual([]);
    expect(passages.length).toBeGreaterThan(40);
    expect(passages).not.toContain(null);
  });
});
