/** A check of a /v2 service: one sentence of the interface, and how to see whether a service keeps it. */
import type { Sample } from './sample.ts';
import type { Wire } from './wire.ts';

/**
 * `must`: the published interface says so; a client may rely on it. `may`: the interface leaves it open, and services differ; a client
 * works either way.
 */
export type CheckLevel = 'must' | 'may';

export interface CheckContext {
  wire: Wire;
  /** With a key whose month is used up; null without one */
  spentWire: Wire | null;
  sample: Sample;
}

export interface Check {
  /** `entity_lookup.filter-required` */
  id: string;
  level: CheckLevel;
  /** What the service does if the check passes */
  title: string;
  /**
   * The fault in words; null without one.
   * @throws Skipped if this service has nothing to check it with
   */
  run(context: CheckContext): Promise<string | null>;
}

type Run = Check['run'];

/** A sentence of the published interface. */
export const must = (id: string, title: string, run: Run): Check => ({ id, level: 'must', title, run });

/** A liberty of the interface. */
export const may = (id: string, title: string, run: Run): Check => ({ id, level: 'may', title, run });

/** Thrown by a check that can't be made here. The message says why. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** The value, or the end of a check that needs it. @throws Skipped */
export function need<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Skipped(`the service has no ${what}`);
  return value;
}

/** The first thing that is wrong. */
export function firstFault(...faults: (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}

/** A check that asks once and looks at the status. */
export function expectStatus(answer: { status: number; text: string }, ...statuses: number[]): string | null {
  if (statuses.includes(answer.status)) return null;
  return `the answer is ${answer.status} (${answer.text.slice(0, 120)}), not ${statuses.join(' or ')}`;
}
