import { describe, expect, it } from 'vitest';
import { labels } from '../../../support/documents/labelled.ts';
import { cutsIn, gluedWords, lettersOf, sectionsOf } from '../../../support/documents/paragraphs.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe.skipIf(sharedFolder === null)('paragraphs of all labelled sections', () => {
  const read = labels.map(({ file }) => ({ file, sections: sectionsOf(file) }));

  it('have every word of the lines once', () => {
    for (const { file, sections } of read)
      for (const { text, lines } of sections) {
        expect(lettersOf(text), file).toBe(lettersOf(lines));
        expect(gluedWords(text, lines), file).toEqual([]);
      }
  });

  it('are cut at less than one place in ten sections', () => {
    const cuts = read.flatMap(({ file, sections }) =>
      sections.flatMap(({ text }) => cutsIn(text).map((cut) => `${file}: ${cut}`)),
    );
    const count = read.reduce((sum, { sections }) => sum + sections.length, 0);
    const before = read.reduce((sum, { sections }) => sum + sections.flatMap(({ lines }) => cutsIn(lines)).length, 0);
    expect(count).toBeGreaterThan(800);
    expect(before).toBeGreaterThan(count);
    expect(cuts.length, cuts.join('\n')).toBeLessThanOrEqual(count / 10);
  });
});
