/** Real filings with linked contents whose headings lose their numbers, their words, or are left out: the links lead to each section. */
import { describe, expect, it } from 'vitest';
import { addToScore, emptyScore, precision, recall, visibleText } from '../../../../bench/section-score/score.ts';
import { findSections } from '../../../../src/filings/documents/index.ts';
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { type Heading, unnumbered } from '../../../support/documents/unnumbered.ts';
import { sharedFolder } from '../../../support/shared.ts';

/** Links that make it likely that the contents are linked. */
const LEAST_LINKS = 20;
/** Recall and precision. Without the links they were 0.855 / 0.856, 0.078 / 0.083 and 0.091 / 0.097. */
const LEAST: Readonly<Record<Heading, readonly [number, number]>> = {
  title: [0.98, 0.98],
  own: [0.96, 0.97],
  none: [0.96, 0.97],
};

describe.skipIf(sharedFolder === null)('sections of which the contents know more than the headings', () => {
  it.each(Object.keys(LEAST) as Heading[])('are found if the headings have: %s', (heading) => {
    const score = emptyScore();
    for (const label of labels) {
      const source = filingText(`labelled/${label.file}`);
      if (readLines(source).links.length < LEAST_LINKS) continue;
      const made = unnumbered(source, label.sections, heading);
      addToScore(
        score,
        { ...label, sections: made.sections },
        visibleText(made.text),
        findSections(made.text, label.form_type),
      );
    }
    console.info(
      `linked, ${heading}: ${recall(score).toFixed(4)} / ${precision(score).toFixed(4)} of ${score.labelled}`,
    );
    expect(score.labelled).toBeGreaterThan(500);
    expect(recall(score)).toBeGreaterThanOrEqual(LEAST[heading][0]);
    expect(precision(score)).toBeGreaterThanOrEqual(LEAST[heading][1]);
  });
});
