import { describe, expect, it } from 'vitest';
import { indexAt, visibleText } from '../../../../bench/section-score/score.ts';
import { findSections } from '../../../../src/filings/documents/index.ts';
import { filingText } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

/**
 * Starts of items in notes beside the filings, with the tolerance in visible letters and digits; `end` if the notes state it too.
 * Items for which the notes only say "inside the MD&A" or name an index row are not tested here.
 */
const PLACES: readonly [file: string, item: string, start: number, end: number | null, within: number][] = [
  ['ge-2023-10k', '1', 493368, 514685, 0],
  ['ge-2023-10k', '7', 514685, null, 0],
  ['ge-2023-10k', '1C', 1191303, 1201921, 0],
  ['ge-2023-10k', '1A', 1201921, 1287608, 0],
  ['ge-2023-10k', '3', 1287608, 1288649, 0],
  ['ge-2023-10k', '9A', 1288649, null, 0],
  ['ge-2023-10k', '8', 1328102, 3874916, 0],
  ['ge-2023-10k', '10', 3874916, 3889690, 0],
  ['ge-2023-10k', '15', 3889690, null, 0],
  ['ge-2023-10k', '5', 1179776, null, 0],
  // The index names page 2 for one entry of Item 1 and pages 3 to 36 for the rest: the largest part starts at page 3.
  ['intel-2023-10k', '1', 384448, null, 3500],
  ['intel-2023-10k', '7', 584043, null, 0],
  ['intel-2023-10k', '1A', 1053846, 1190235, 30_000],
  ['intel-2023-10k', '7A', 1235201, 1246368, 0],
  ['intel-2023-10k', '1C', 1246368, 1255822, 0],
  ['intel-2023-10k', '2', 1255822, 1263670, 0],
  ['intel-2023-10k', '5', 1263670, null, 0],
  ['intel-2023-10k', '8', 1316951, null, 0],
  ['intel-2023-10k', '3', 2920716, null, 0],
  ['intel-2023-10k', '9A', 3021888, null, 0],
  ['intel-2023-10k', '15', 3029967, null, 0],
  ['mcdonalds-2023-10k', '1', 168223, 216636, 0],
  ['mcdonalds-2023-10k', '7', 216636, 774405, 0],
  ['mcdonalds-2023-10k', '5', 774405, 821830, 0],
  ['mcdonalds-2023-10k', '1A', 821830, 889044, 0],
  ['mcdonalds-2023-10k', '1C', 889044, 897485, 0],
  ['mcdonalds-2023-10k', '3', 897485, 905178, 0],
  ['mcdonalds-2023-10k', '2', 905178, null, 0],
  ['mcdonalds-2023-10k', '8', 922946, 1994035, 0],
  ['mcdonalds-2023-10k', '9A', 1994035, null, 0],
  ['mcdonalds-2023-10k', '15', 2010858, null, 0],
  ['wellsfargo-2005-10k', '1', 31477, null, 0],
  ['wellsfargo-2005-10k', '1A', 69001, null, 0],
];

describe.skipIf(!sharedFolder)('filers with a cross-reference index', () => {
  const files = [...new Set(PLACES.map(([file]) => file))];

  it.each(files)('gives the text of the items of %s, not the rows of its index', (file) => {
    const text = filingText(`unlabelled/${file}.htm.gz`);
    const visible = visibleText(text);
    const sections = new Map(findSections(text, '10-K').map((section) => [section.section, section]));
    for (const [, item, start, end, within] of PLACES.filter((place) => place[0] === file)) {
      const section = sections.get(item);
      expect(section, `item ${item}`).toBeDefined();
      const off = indexAt(visible, section!.start_index) - indexAt(visible, start);
      expect(Math.abs(off), `start of item ${item}`).toBeLessThanOrEqual(within);
      if (end !== null) {
        const endOff = indexAt(visible, section!.end_index) - indexAt(visible, end);
        expect(Math.abs(endOff), `end of item ${item}`).toBeLessThanOrEqual(within);
      }
    }
  });

  it('invents nothing for items that the index calls not applicable', () => {
    const ge = findSections(filingText('unlabelled/ge-2023-10k.htm.gz'), '10-K').map((section) => section.section);
    for (const absent of ['1B', '4', '6', '9', '9B', '9C', '16', '11', '12', '13', '14'])
      expect(ge).not.toContain(absent);
    const restaurant = findSections(filingText('unlabelled/mcdonalds-2023-10k.htm.gz'), '10-K').map(
      (section) => section.section,
    );
    // Its 7A is somewhere on page 23, in the discussion, under a heading of other words.
    for (const absent of ['1B', '4', '6', '7A', '9', '9B', '9C', '16']) expect(restaurant).not.toContain(absent);
  });

  it.each([
    ['ge-2023-10k', '10-K'],
    ['ge-2023-10q', '10-Q'],
    ['mcdonalds-2023-10k', '10-K'],
  ])('leaves the title of the index of %s out of the item before it', (file, form) => {
    const text = filingText(`unlabelled/${file}.htm.gz`);
    const { start_index: start, end_index: end } = findSections(text, form).at(-1)!;
    expect(text.slice(start, end)).not.toMatch(/form 10-.{0,20}cross.reference/i);
  });

  it('follows the indexes of quarterly reports', () => {
    const codes = (file: string) =>
      findSections(filingText(`unlabelled/${file}.htm.gz`), '10-Q')
        .map((section) => section.section)
        .sort();
    expect(codes('ge-2023-10q')).toEqual(['I-1', 'I-2', 'I-3', 'I-4', 'II-1', 'II-2', 'II-6']);
    expect(codes('intel-2023-10q')).toEqual(['I-1', 'I-2', 'I-3', 'I-4', 'II-1', 'II-1A', 'II-2', 'II-5', 'II-6']);
  });
});

describe('an index of items', () => {
  const titles: [string, string, string][] = [
    ['1', 'Business', '2-3'],
    ['1A', 'Risk Factors', '4'],
    ['1B', 'Unresolved Staff Comments', 'None'],
    ['2', 'Properties', '5'],
    ['3', 'Legal Proceedings', '5'],
    ['7', "Management's Discussion and Analysis", '6-7'],
    ['8', 'Financial Statements', '8-9'],
    ['9A', 'Controls and Procedures', '10'],
    ['11', 'Executive Compensation', 'Proxy statement'],
    ['15', 'Exhibits', '10'],
  ];
  const headings: Record<number, string> = {
    2: '<h2>What we do</h2>',
    4: '<h2>RISK FACTORS</h2>',
    5: '<h2>Properties</h2><p>We own a house.</p><h2>Legal Proceedings</h2>',
    6: "<h2>Management's Discussion and Analysis</h2>",
    10: '<h2>Controls and Procedures</h2><p>They work.</p><h2>Exhibits</h2>',
  };
  const page = (n: number) =>
    `${headings[n] ?? ''}<p>Words of page number ${'abcdefghijkl'[n]}, as many as it takes to fill it.</p><p>${n}</p><hr style="page-break-after:always">`;
  const rows = titles.map(
    ([item, title, pages]) => `<tr><td>Item ${item}.</td><td>${title}</td><td>${pages}</td></tr>`,
  );
  const index = `<p>FORM 10-K CROSS-REFERENCE INDEX</p><table>${rows.join('')}</table>`;
  const pages = Array.from({ length: 10 }, (_, i) => page(i + 1)).join('');

  const found = (html: string) =>
    findSections(html, '10-K').map((section) => [
      section.section,
      html
        .slice(section.start_index, section.end_index)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ]);

  it.each(['at the end', 'in front'])('is followed to headings and pages: %s', (place) => {
    const html = place === 'in front' ? `<body>${index}<hr>${pages}</body>` : `<body>${pages}${index}</body>`;
    const texts = Object.fromEntries(found(html)) as Record<string, string>;
    expect(Object.keys(texts).sort()).toEqual(['1', '15', '1A', '2', '3', '7', '8', '9A']);
    expect(texts['1']).toMatch(/^What we do.*page number d/);
    expect(texts['1A']).toMatch(/^RISK FACTORS .*page number e/);
    expect(texts['2']).toBe('Properties We own a house.');
    expect(texts['3']).toMatch(/^Legal Proceedings .*page number f/);
    expect(texts['8']).toMatch(/^Words of page number i.*number j/);
    expect(texts['9A']).toBe('Controls and Procedures They work.');
  });

  it('of first pages leaves out an item whose heading is not there, unless the next item begins on the next page', () => {
    const firstPages = index
      .replace('2-3', '2')
      .replace(
        '6-7',
        '6</td></tr><tr><td>Item 7A.</td><td>Quantitative and Qualitative Disclosures About Market Risk</td><td>7',
      )
      .replace('8-9', '9');
    const texts = Object.fromEntries(found(`<body>${pages}${firstPages}</body>`)) as Record<string, string>;
    expect(texts['7A']).toBeUndefined();
    expect(texts['7']).toMatch(/^Management.*page number g.*page number h/);
    expect(texts['8']).toMatch(/^Words of page number j/);
  });
});
