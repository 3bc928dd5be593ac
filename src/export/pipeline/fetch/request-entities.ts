/** Requests entities, a hundred CIKs a request, several at a time. A list that breaks the answer is halved. */
import type { Entity } from '../../../filings/api/index.ts';
import type { ContractViolation, FilingClient } from '../../client/index.ts';
import { canonicalJson } from '../../revisions/index.ts';
import { verdictOf } from '../failures/verdict.ts';
import { variantViolation } from '../lookup/record-variants.ts';

/** A service returns 100 entities without `to`, and accepts at least as many CIKs. */
export const CIKS_A_REQUEST = 100;
/** One CIK among a hundred makes eight requests in a row fail. After more failures than that, a probe is sent. */
const FAILURES_MAX = 12;

export type EntityAnswer =
  | { ciks: readonly string[]; found: ReadonlyMap<string, Entity>; violations: readonly ContractViolation[] }
  /** The request for this single entity failed. */
  | { ciks: readonly [string]; error: unknown };

interface Asked {
  readonly one: Promise<Asked>;
  /** Its place among the requests. */
  readonly n: number;
  readonly ciks: readonly string[];
  readonly outcome: { answer: EntityAnswer } | { error: unknown };
}

/**
 * Requests all of them. Failures are reported once the operation has answered others, or at the end if the service is well.
 * @param atOnceMax requests in flight while all are answered. Before the first answer, and after a failure, each is sent alone
 * @throws the error of a request if every request fails, or if no more may be sent, after the answers of all in flight
 */
export async function* requestEntities(
  client: Pick<FilingClient, 'entityPages' | 'filingLookup'>,
  ciks: readonly string[],
  atOnceMax: number,
): AsyncGenerator<EntityAnswer> {
  const queue: (readonly string[])[] = [];
  for (let i = 0; i < ciks.length; i += CIKS_A_REQUEST) queue.push(ciks.slice(i, i + CIKS_A_REQUEST));
  const failed: { ciks: readonly [string]; error: unknown }[] = [];
  const asking = new Set<Promise<Asked>>();
  let answered: readonly string[] | null = null;
  let isWell = false;
  let begun = 0;
  /** Requests up to this one were sent before something failed: their answers don't show that the operation still works. */
  let unproven = 0;
  let end: { error: unknown } | null = null;
  /** In a row */
  let failures = 0;
  const begin = (some: readonly string[]) => {
    const n = ++begun;
    const one: Promise<Asked> = ask(client, some).then(
      (answer) => ({ one, n, ciks: some, outcome: { answer } }),
      (error: unknown) => ({ one, n, ciks: some, outcome: { error } }),
    );
    asking.add(one);
  };
  try {
    for (;;) {
      while (end === null && queue.length > 0 && asking.size < (isWell ? atOnceMax : 1)) begin(queue.shift()!);
      if (asking.size === 0) break;
      const { one, n, ciks: some, outcome } = await Promise.race(asking);
      asking.delete(one);
      if ('answer' in outcome) {
        answered = some;
        if (n > unproven) {
          isWell = true;
          failures = 0;
          if (end === null) yield* failed.splice(0);
        }
        yield outcome.answer;
        continue;
      }
      const { error } = outcome;
      isWell = false;
      unproven = begun;
      const verdict = verdictOf(error);
      if (end !== null) continue;
      if (verdict !== 'failed' && verdict !== 'suspect') {
        end = { error };
        continue;
      }
      if (some.length === 1) failed.push({ ciks: [some[0]!], error });
      else queue.unshift(...halvesOf(some));
      if (++failures < FAILURES_MAX) continue;
      if (answered === null) {
        end = { error };
        continue;
      }
      try {
        await ask(client, answered);
      } catch (unanswered) {
        end = { error: unanswered };
        continue;
      }
      failures = 0;
      yield* failed.splice(0);
    }
  } finally {
    await Promise.all(asking);
  }
  if (end !== null) throw end.error;
  if (failed.length === 0) return;
  // Nothing was answered since: a few are failures of their records if the service answers anything.
  await client.filingLookup({ from: 0, to: 1 });
  yield* failed;
}

function halvesOf(ciks: readonly string[]): [readonly string[], readonly string[]] {
  const half = Math.ceil(ciks.length / 2);
  return [ciks.slice(0, half), ciks.slice(half)];
}

async function ask(client: Pick<FilingClient, 'entityPages'>, ciks: readonly string[]): Promise<EntityAnswer> {
  const found = new Map<string, Entity>();
  const violations: ContractViolation[] = [];
  // One position more than there can be: a full page would have to be followed by an empty one.
  for await (const { value, notes } of client.entityPages({ ciks: [...ciks] }, ciks.length + 1)) {
    violations.push(...notes.violations);
    value.entities.forEach((entity, i) => {
      const before = found.get(entity.cik);
      if (before === undefined) found.set(entity.cik, entity);
      else if (canonicalJson(before) !== canonicalJson(entity))
        violations.push(variantViolation(`entities[${i}]`, entity.cik, entity));
    });
    // A service may give others too.
    if (ciks.every((cik) => found.has(cik))) break;
  }
  return { ciks, found, violations };
}
