/** Labelled filings written in many ways: recall and precision by way. */
import { findSections } from '../../src/filings/documents/index.ts';
import { filingText, labels } from '../../test/support/documents/labelled.ts';
import type { Written } from '../../test/support/documents/variants/filing-blocks.ts';
import { show } from '../recording/measuring.ts';
import {
  addToScore,
  emptyScore,
  type Labelled,
  precision,
  recall,
  type Score,
  visibleText,
  withoutRanges,
} from './score.ts';

interface WrittenWay<Filing> {
  name: string;
  /** Held back from those who wrote the rules. */
  isHeld: boolean;
  /** Null if it does not fit the filing. */
  write(filing: Filing): Written | null;
}

/**
 * Prints the figures of each way, and of all.
 * @param args part of a way's name, `dev` or `held`; every how many filings; from which on
 * @param read null for a filing that can't be taken apart
 */
export function scoreWays<Filing>(
  [name = '', every = '1', offset = '0']: string[],
  json: boolean,
  read: (label: Labelled, text: string) => Filing | null,
  ways: readonly WrittenWay<Filing>[],
): void {
  const filings = labels
    .filter((_label, i) => i % Number(every) === Number(offset))
    .flatMap((label) => read(label, filingText(`labelled/${label.file}`)) ?? []);
  const rows: Record<string, string | number>[] = [];
  const totals = { dev: emptyScore(), held: emptyScore(), all: emptyScore() };
  const failures: string[] = [];
  for (const way of ways) {
    const set = way.isHeld ? 'held' : 'dev';
    if (name === 'dev' || name === 'held' ? name !== set : !way.name.includes(name)) continue;
    const score = emptyScore();
    let count = 0;
    for (const filing of filings) {
      const written = way.write(filing);
      if (!written) continue;
      count++;
      scoreWritten(score, written);
    }
    for (const total of [totals[set], totals.all]) add(total, score);
    rows.push({ way: way.name, set, filings: count, ...figures(score) });
    failures.push(...score.failures.map((failure) => `${way.name}: ${failure}`));
  }
  for (const [set, score] of Object.entries(totals))
    if (score.labelled > 0) rows.push({ way: 'all', set, filings: filings.length, ...figures(score) });
  show(rows, json, { rows, failures });
}

/** Adds one filing; what was added inside of a section, such as running headers, does not count. */
export function scoreWritten(score: Score, { text, label, added }: Written): void {
  addToScore(score, label, withoutRanges(visibleText(text), added), findSections(text, label.form_type));
}

function figures(score: Score) {
  return { sections: score.labelled, recall: recall(score).toFixed(4), precision: precision(score).toFixed(4) };
}

function add(to: Score, one: Score): void {
  to.labelled += one.labelled;
  to.found += one.found;
  to.predicted += one.predicted;
  to.right += one.right;
}
