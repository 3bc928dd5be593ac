/** Sections of labelled filings that are set in new typography, as filers of many years do: recall and precision by way. */
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { findSections } from '../src/documents/index.ts';
import { filingText, labels } from '../test/support/documents/labelled.ts';
import { manuscriptOf } from '../test/support/documents/typeset/manuscript.ts';
import { typeset } from '../test/support/documents/typeset/typeset.ts';
import { heldBack, WAYS } from '../test/support/documents/typeset/ways.ts';
import {
  addToScore,
  emptyScore,
  precision,
  recall,
  type Score,
  visibleText,
  withoutRanges,
} from './section-score/score.ts';

export const summary =
  'recall and precision on labelled filings that are set in new typography, by way: [NAME|dev|held] [every Nth filing]';

/** @param args part of a way's name, `dev` or `held`; every how many filings */
export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [name = '', every = '1', offset = '0'] = args;
  const filings = labels
    .filter((_label, i) => i % Number(every) === Number(offset))
    .flatMap((label) => manuscriptOf(label, filingText(`labelled/${label.file}`)) ?? []);
  const rows: Record<string, string | number>[] = [];
  const totals = { dev: emptyScore(), held: emptyScore(), all: emptyScore() };
  const failures: string[] = [];
  for (const way of WAYS) {
    const set = heldBack(way) ? 'held' : 'dev';
    if (name === 'dev' || name === 'held' ? name !== set : !way.name.includes(name)) continue;
    const score = emptyScore();
    let count = 0;
    for (const filing of filings) {
      const manuscript = way.set(filing);
      if (!manuscript) continue;
      const { text, label, added } = typeset(manuscript, way.setting, way.name);
      if (label.sections.length === 0) continue;
      count++;
      addToScore(score, label, withoutRanges(visibleText(text), added), findSections(text, label.form_type));
    }
    for (const total of [totals[set], totals.all]) add(total, score);
    rows.push({ way: way.name, set, filings: count, ...figures(score) });
    failures.push(...score.failures.map((failure) => `${way.name}: ${failure}`));
  }
  for (const [set, score] of Object.entries(totals))
    if (score.labelled > 0) rows.push({ way: 'all', set, filings: filings.length, ...figures(score) });
  if (json) process.stdout.write(`${JSON.stringify({ rows, failures })}\n`);
  else process.stdout.write(formatTable(rows, ['way', 'set', 'filings', 'sections', 'recall', 'precision']));
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
