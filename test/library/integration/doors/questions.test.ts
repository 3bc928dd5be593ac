/** Questions whose answers were read in the filings: every door that can answer gives the same value. The real ones are in the slow tier. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../../src/agents/index.ts';
import { closed, DOORS, opened, Reading } from '../../../support/doors/doors.ts';
import {
  answerIn,
  askedOf,
  QUESTIONS,
  type QuestionWorld,
  questionWorld,
  SPECIAL,
  WHY_NOT,
  wrong,
} from '../../../support/doors/questions.ts';
import { unknownReds } from '../../../support/doors/reds.ts';
import { sharedFolder } from '../../../support/shared.ts';
import { IN_SLOW_TIER } from '../../../support/tier-cases.ts';

it('there are sixty or more questions, each asked once', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(QUESTIONS.length);
});

it('every door that has no answer to some questions says why', () => {
  for (const door of [...Object.keys(SPECIAL), 'python panel', 'python sections'])
    expect(WHY_NOT[door], door).toMatch(/^\S.*\s\S/);
});

it('every tool that gives facts of a lake is asked here, or by the questions of agents', () => {
  const asked = ['statements', 'read', 'events', 'ownership', 'find_filings', 'find_companies', 'sql'];
  // They give places, differences and verdicts, or start exports.
  const others = ['facts', 'outline', 'search_text', 'compare', 'verify', 'plan_export', 'start_export'];
  expect(TOOLS.map(({ name }) => name).sort()).toEqual([...asked, ...others].sort());
});

const ASKERS = DOORS.filter(({ kinds }) => kinds.some((kind) => ['recipe', 'panel', 'sections'].includes(kind)));

describe.each(['made', 'real'] as const)('questions about %s filings', (corpus) => {
  const lacking = IN_SLOW_TIER ? sharedFolder === null && 'real filings beside the checkout' : 'the slow tier';
  if (corpus === 'real' && lacking) {
    it.skip(`need ${lacking}`, () => {});
    return;
  }
  const own = QUESTIONS.filter((one) => one.corpus === corpus);
  let world: QuestionWorld & { close(): Promise<void> };
  let reading: Reading;
  beforeAll(async () => {
    world = await questionWorld(corpus);
    reading = new Reading(world.lake, own.flatMap(askedOf));
  });
  afterAll(() => world?.close());

  for (const [name, why] of closed(ASKERS)) it.skip(`have their answers through ${name} (${why})`, () => {});

  it.each(opened(ASKERS))('have their answers through %s', async (name, door) => {
    const answers = await reading.of(door);
    const cells = own.flatMap((one) => {
      const given = answers.get(one.question);
      if (given === undefined) return [];
      return [
        [`${name} × ${one.question}`, 'error' in given ? given.error : wrong(one, answerIn(one, given))] as const,
      ];
    });
    expect(cells.length).toBeGreaterThan(0);
    expect(unknownReds(new Map(cells))).toEqual({});
  });

  it.each(Object.entries(SPECIAL))('have their answers through %s', async (name, kinds) => {
    const cells = new Map<string, string | null>();
    for (const one of own) {
      const answer = kinds[one.kind];
      if (answer === undefined) continue;
      const given = await answer(one, world).catch((error: unknown) => `failed: ${error}`);
      if (given !== null) cells.set(`${name} × ${one.question}`, wrong(one, given));
    }
    expect(unknownReds(cells)).toEqual({});
  });
});
