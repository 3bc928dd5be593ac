/** Real 10-Ks whose discussion and statements stand elsewhere in the document: they are found there. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../bench/section-score/score.ts';
import { findSections } from '../../../../src/filings/documents/index.ts';
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { labels as filings, filingText } from '../../../support/documents/labelled.ts';
import { type MovableSection, moved, type Place } from '../../../support/documents/moved.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

/** Visible letters and digits within which an end is right. */
const NEAR = 200;
const WAYS: readonly [Place, boolean][] = [
  ['behind', false],
  ['behind', true],
  ['15', false],
  ['15', true],
  ['7', false],
];

/** The labelled 10-Ks with a discussion and statements of their own. */
function movable(): { file: string; form_type: string; sections: MovableSection[] }[] {
  const kinds = jsonRows<{ file: string; section: string; kind: string; target_start: number | null }>(
    join(sharedFolder!, 'section-kinds/labels.jsonl'),
  );
  const hasText = (file: string, code: string) =>
    kinds.some(
      ({ file: of, section, kind }) => file.startsWith(of.replace(/\.gz$/, '')) && section === code && kind === 'text',
    );
  return filings
    .filter(({ file, form_type }) => form_type.startsWith('10-K') && hasText(file, '7') && hasText(file, '8'))
    .map(({ file, form_type, sections }) => ({ file, form_type, sections }));
}

describe.skipIf(sharedFolder === null)('discussions and statements that stand elsewhere in their document', () => {
  it.each(WAYS)('are found %s (the discussion too: %s)', (place, whole) => {
    const wrong: string[] = [];
    let places = 0;
    for (const { file, form_type, sections } of movable()) {
      const source = filingText(`labelled/${file}`);
      const made = moved(source, readLines(source).html, sections, place, whole);
      if (made === null) continue;
      const found = findSections(made.text, form_type);
      const { offsets } = visibleText(made.text);
      const letter = (position: number) => {
        let [low, high] = [0, offsets.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (offsets[middle]! < position) low = middle + 1;
          else high = middle;
        }
        return low;
      };
      for (const { section, start, end } of made.expected) {
        const one = found.find((candidate) => candidate.section === section);
        places++;
        const [from, to] = [letter(one?.substance_start ?? 0), letter(one?.substance_end ?? 0)];
        const common = Math.min(to, letter(end)) - Math.max(from, letter(start));
        const f1 = (2 * common) / (to - from + letter(end) - letter(start));
        // An index stands before the first statement. The end is exact.
        if (f1 >= 0.95 && Math.abs(to - letter(end)) <= NEAR) continue;
        wrong.push(`${file} ${section} ${one?.kind}: ${start}-${end} is ${one?.substance_start}-${one?.substance_end}`);
      }
    }
    console.info(`substance ${place}, ${whole}: ${places - wrong.length} of ${places}\n${wrong.join('\n')}`);
    expect((places - wrong.length) / places).toBeGreaterThanOrEqual(0.9);
  });
});
