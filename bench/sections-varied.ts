/** Sections of labelled filings that are rewritten in many ways: recall and precision by way. */
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { findSections } from '../src/documents/index.ts';
import { filingText, labels } from '../test/support/documents/labelled.ts';
import { blocksOf, type Written } from '../test/support/documents/variants/filing-blocks.ts';
import { heldOut, VARIANTS } from '../test/support/documents/variants/variants.ts';
import {
  addToScore,
  emptyScore,
  precision,
  recall,
  type Score,
  visibleText,
  withoutRanges,
} from './section-score/score.ts';

export const summary = 'recall and precision on labelled rewritten filings, by way: [NAME] [every Nth filing]';

/** @param args part of a way's name, `dev` or `held`; every how many filings */
export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const [name = '', every = '1', offset = '0'] = args;
  const filings = labels
    .filter((_label, i) => i % Number(every) === Number(offset))
    .flatMap((label) => {
      const blocks = blocksOf(label, filingText(`labelled/${label.file}`));
      return blocks ? [blocks] : [];
    });
  const rows: Record<string, string | number>[] = [];
  const total = { dev: emptyScore(), held: emptyScore() };
  const failures: string[] = [];
  for (const variant of VARIANTS) {
    const held = heldOut(variant);
    if (name === 'dev' ? held : name === 'held' ? !held : !variant.name.includes(name)) continue;
    const score = emptyScore();
    let count = 0;
    for (const filing of filings) {
      const written = variant.apply(filing);
      if (!written) continue;
      count++;
      scoreWritten(score, written);
    }
    add(held ? total.held : total.dev, score);
    rows.push({
      way: variant.name,
      set: held ? 'held' : 'dev',
      filings: count,
      sections: score.labelled,
      recall: recall(score).toFixed(4),
      precision: precision(score).toFixed(4),
    });
    failures.push(...score.failures.map((failure) => `${variant.name}: ${failure}`));
  }
  for (const [set, score] of Object.entries(total))
    rows.push({
      way: 'all',
      set,
      filings: filings.length,
      sections: score.labelled,
      recall: recall(score).toFixed(4),
      precision: precision(score).toFixed(4),
    });
  if (json) process.stdout.write(`${JSON.stringify({ rows, failures })}\n`);
  else process.stdout.write(formatTable(rows, ['way', 'set', 'filings', 'sections', 'recall', 'precision']));
}

/** Adds one filing; what was added inside of a section, such as running headers, does not count. */
export function scoreWritten(score: Score, { text, label, added }: Written): void {
  addToScore(score, label, withoutRanges(visibleText(text), added), findSections(text, label.form_type));
}

function add(to: Score, one: Score): void {
  to.labelled += one.labelled;
  to.found += one.found;
  to.predicted += one.predicted;
  to.right += one.right;
}
