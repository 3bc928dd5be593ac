/**
 * Labelled rewritten filings in some eighty ways, their labels moved along: recall and precision over all of them. The six
 * shortest filings; all of them with FILINGLAKE_EVERY_REARRANGEMENT=1. `npm run bench -- sections-varied` has the figures by way.
 */
import { describe, expect, it } from 'vitest';
import { emptyScore, precision, recall } from '../../../../bench/section-score/score.ts';
import { scoreWritten } from '../../../../bench/section-score/ways.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { blocksOf } from '../../../support/documents/variants/filing-blocks.ts';
import { VARIANTS } from '../../../support/documents/variants/variants.ts';
import { sharedFolder } from '../../../support/shared.ts';

const SHORTEST = process.env.FILINGLAKE_EVERY_REARRANGEMENT ? labels.length : 6;

/** Reports with neither the word "Item" nor numbers, and lists of items between a PART heading and its items: known misses. */
const MISSES = /titles alone|contents in front of each part/;

describe.skipIf(!sharedFolder)('rewritten filings', () => {
  it('have the same sections', () => {
    const filings = labels
      .map((label) => ({ label, text: filingText(`labelled/${label.file}`) }))
      .sort((a, b) => a.text.length - b.text.length)
      .slice(0, SHORTEST)
      .flatMap(({ label, text }) => blocksOf(label, text) ?? []);
    const score = emptyScore();
    for (const variant of VARIANTS) {
      if (MISSES.test(variant.name)) continue;
      for (const filing of filings) {
        const written = variant.apply(filing);
        if (written) scoreWritten(score, written);
      }
    }
    expect(score.labelled).toBeGreaterThan(4000);
    expect(recall(score), score.failures.join('\n')).toBeGreaterThan(0.997);
    expect(precision(score), score.failures.join('\n')).toBeGreaterThan(0.997);
  });
});
