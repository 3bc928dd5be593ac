/**
 * Requests entities by their CIKs, a hundred at a time. If one of them breaks the answer, the list is halved until only that one
 * fails.
 */

import type { Entity } from '../../api/index.ts';
import type { ContractViolation, FilingClient } from '../../client/index.ts';
import { canonicalJson } from '../../export/index.ts';
import { type CircuitEvent, type CircuitLimits, circuitAfter, NEW_CIRCUIT } from '../failures/circuit.ts';
import { verdictOf } from '../failures/verdict.ts';
import { variantViolation } from '../lookup/record-variants.ts';

/** A service returns 100 entities without `to`, and accepts at least as many CIKs. */
export const CIKS_A_REQUEST = 100;
/** One CIK among a hundred makes eight requests in a row fail. After more failures than that, a probe is sent. */
const LIMITS: CircuitLimits = { faults: 12, absences: 12, failures: 12, mayGiveUp: false };

export type EntityAnswer =
  | { ciks: readonly string[]; found: ReadonlyMap<string, Entity>; violations: readonly ContractViolation[] }
  /** The request for this single entity failed. */
  | { ciks: readonly [string]; error: unknown };

/**
 * Requests all of them. Failures are reported once the operation has answered others, or at the end if the service is well.
 * @throws the error of a request if every request fails, or if no more may be sent
 */
export async function* requestEntities(
  client: Pick<FilingClient, 'entityPages' | 'filingLookup'>,
  ciks: readonly string[],
): AsyncGenerator<EntityAnswer> {
  const queue: string[][] = [];
  for (let i = 0; i < ciks.length; i += CIKS_A_REQUEST) queue.push(ciks.slice(i, i + CIKS_A_REQUEST));
  const failed: { ciks: readonly [string]; error: unknown }[] = [];
  let answered: readonly string[] | null = null;
  let circuit = NEW_CIRCUIT;
  const send = (event: CircuitEvent) => {
    const after = circuitAfter(circuit, event, LIMITS);
    circuit = after.circuit;
    return after.action;
  };
  for (let some = queue.shift(); some; some = queue.shift()) {
    let answer: EntityAnswer;
    try {
      answer = await ask(client, some);
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict !== 'failed' && verdict !== 'suspect') throw error;
      if (some.length === 1) failed.push({ ciks: [some[0]!], error });
      else queue.unshift(...halvesOf(some));
      if (send(some.length === 1 ? 'fault' : 'refused') === 'probe') {
        if (answered === null) throw error;
        await ask(client, answered);
        if (send('probe-answered') === 'record') yield* failed.splice(0);
      }
      continue;
    }
    answered = some;
    if (send('answered') === 'record') yield* failed.splice(0);
    yield answer;
  }
  if (send('ended') !== 'probe') return;
  // Nothing was answered since: a few are failures of their records if the service answers anything.
  await client.filingLookup({ from: 0, to: 1 });
  if (send('probe-unsent') === 'record-unproven') yield* failed;
}

function halvesOf(ciks: readonly string[]): [string[], string[]] {
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
