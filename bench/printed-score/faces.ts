/** Faces that a reader of pages finds, before any line is an item: numbers of the truth on them, and numbers on them that no tag has. */
import type { Faces } from '../../src/filings/statements/faces.ts';
import { type Case, placeOf, quartersOf } from './corpus.ts';

export type FaceReader = (text: string, report: Case['report']) => { faces: Faces } | { reason: string };

export interface FaceScore {
  /** Printed values of the truth, and those found on a face with their period. */
  readonly printed: number;
  readonly found: number;
  /** Numbers on faces, and those that the page has no tag for, with their period. */
  readonly numbers: number;
  readonly untagged: number;
  readonly misses: readonly string[];
}

export function scoreFaces(one: Case, read: FaceReader): FaceScore {
  const facts = one.filing.documents.flatMap((document) => {
    const made = read(document.text(), one.report);
    return 'faces' in made
      ? Object.entries(made.faces).flatMap(([statement, lines]) =>
          lines.flatMap((line) => line.facts.map((fact) => ({ ...fact, statement, label: line.label() }))),
        )
      : [];
  });
  const printed = one.truths.filter(({ isPrinted, item }) => isPrinted && item !== 'shares_outstanding');
  const misses: string[] = [];
  let found = 0;
  for (const { item, start, end, quarters, value, tolerance } of printed) {
    const amount = Math.abs(Number(value));
    const isMet = facts.some(
      (fact) =>
        fact.end === end &&
        Math.abs(Math.abs(Number(fact.value)) - amount) <=
          Math.max(tolerance, Number(fact.decimals) < 0 && tolerance > 0 ? 0.5 * 10 ** -Number(fact.decimals) : 0) &&
        (quarters === null || (fact.start === null ? 0 : quartersOf(fact.start, fact.end)) === quarters),
    );
    if (isMet) found++;
    else misses.push(`${one.name} not on a face: ${item} ${start ?? ''}/${end} ${value}`);
  }
  const others =
    one.tagged.size === 0 ? [] : facts.filter(({ start, end, value }) => !one.tagged.has(placeOf(start, end, value)));
  for (const { statement, label, start, end, value } of others)
    misses.push(`${one.name} not tagged: ${statement} ${start ?? ''}/${end} ${value} "${label.slice(-60)}"`);
  return {
    printed: printed.length,
    found,
    numbers: one.tagged.size === 0 ? 0 : facts.length,
    untagged: others.length,
    misses,
  };
}
