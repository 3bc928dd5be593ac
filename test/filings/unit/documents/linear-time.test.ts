import { describe, expect, it } from 'vitest';
import {
  eightKItems,
  findSections,
  findStructure,
  readableText,
  sectionsHtml,
} from '../../../../src/filings/documents/index.ts';
import { IN_SLOW_TIER } from '../../../support/tier-cases.ts';

/** A repeated piece, and the type of the document. Each made some reader quadratic once, or could. */
const SHAPES: readonly [name: string, piece: string][] = [
  ['prose', 'The company makes widgets of every size and sells them in places.\n'],
  ['headings', 'Item 1. Business\n'],
  ['risk headings', '<p><b>Certain risks</b></p><p>We may fail, and could lose much of what we have.</p>\n\n'],
  ['signatures', 'SIGNATURES\n'],
  ['rules', `${'-'.repeat(70)}\n`],
  ['an endless line', 'Item 1. Business and more '],
  ['an endless word', '-'],
  ['blank lines', '\n'],
  ['page tags', '<PAGE>\nwords on a page\n'],
  ['rows of tables', '<tr><td>Item 1A.</td><td>Risk</td><td>12</td></tr>\n'],
  ['linked rows', '<tr><td>Item 1A.</td><td><a href="#a">Risk Factors</a></td></tr><p id="a">Risk</p>\n'],
  ['links in a row', '<td><a href="#a">1A</a></td>'],
  ['open comments', 'words <!-- words\n'],
  ['open tags', 'words <a words\n'],
  ['open quotes', 'words <a b="words\n'],
  ['angle brackets', 'words < words\n'],
  ['references', 'words &amp words\n'],
];
/** In the quick tier, and shorter: one of plain text, and one of tags. */
const SAMPLE = SHAPES.filter(([name]) => name === 'headings' || name === 'open tags');
const SMALL = IN_SLOW_TIER ? 500_000 : 100_000;
const TIMES = 6;

/** Milliseconds of this thread's own work: other load on the machine doesn't count. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function readAll(text: string): void {
  readableText(text, 'text/plain');
  const sections = findSections(text, '10-K');
  sectionsHtml(text, sections);
  findStructure(text, sections);
  eightKItems({ formType: '8-K', filingDate: '2003-01-01', headerItems: [], text, documents: [] });
}

describe('the time that a text takes', () => {
  const sized = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

  it.each(IN_SLOW_TIER ? SHAPES : SAMPLE)('grows with its bytes: %s', (_name, piece) => {
    for (const [before, behind] of [
      ['', ''],
      ['<html><body>', '</body></html>'],
    ] as const) {
      const small = `${before}${sized(piece, SMALL)}${behind}`;
      const large = `${before}${sized(piece, SMALL * TIMES)}${behind}`;
      readAll(small);
      const ratio = () =>
        cpuMs(() => readAll(large)) /
        Math.max(
          20,
          cpuMs(() => readAll(small)),
        );
      // A collection of garbage may fall into one measurement; a quadratic reader comes to 36 each time.
      const ratios = [ratio()];
      while (ratios.at(-1)! > TIMES * 2 && ratios.length < 3) ratios.push(ratio());
      expect(Math.min(...ratios)).toBeLessThan(TIMES * 2);
    }
  });
});
