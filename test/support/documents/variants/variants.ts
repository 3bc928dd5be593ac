/** All ways to rewrite a labelled filing, by name, and the filings written so. */

import { asHtml, asTypedPages } from './conversions.ts';
import type { FilingBlocks, Written } from './filing-blocks.ts';
import { write } from './filing-blocks.ts';
import { HEADING_NUMBERS, HEADING_PLACES, HEADING_WORDS, setHeadings } from './headings.ts';
import { PAGE_VARIANTS, setPages } from './pages.ts';
import { STRUCTURES, STRUCTURES_LATER } from './structure.ts';

export interface Variant {
  name: string;
  /** Null if it does not fit the filing. */
  apply(filing: FilingBlocks): Written | null;
}

type Change = (filing: FilingBlocks) => { filing: FilingBlocks; absent?: string[] } | null;

const changes = new Map<string, Change>();
const just = (changed: FilingBlocks | null) => changed && { filing: changed };
for (const variant of [...HEADING_WORDS, ...HEADING_PLACES])
  changes.set(`heading: ${variant.name}`, (filing) => just(setHeadings(filing, variant)));
for (const variant of PAGE_VARIANTS) changes.set(`pages: ${variant.name}`, (filing) => just(setPages(filing, variant)));
for (const variant of STRUCTURES) changes.set(`structure: ${variant.name}`, variant.apply);
changes.set('as typed pages', (filing) => just(asTypedPages(filing)));
for (const style of ['paragraphs', 'lines', 'pre'] as const)
  changes.set(`as HTML, ${style}`, (filing) => just(asHtml(filing, style)));

/** One change after another: a report with unusual titles has running headers as well. */
const COMBINED: readonly (readonly string[])[] = [
  ['heading: unusual titles', 'structure: a paragraph under every part', 'pages: part and item in a row'],
  ['structure: items shortened, unusual titles', 'pages: part and item on two lines, items on new pages'],
  ['structure: items shortened, plain titles', 'heading: title over two cells', 'structure: contents at the end, bare'],
  ['structure: items shortened, plain titles', 'heading: number alone'],
  ['structure: items shortened, plain titles', 'heading: title above the number'],
  ['structure: all items a line', 'heading: unusual titles, no stop'],
  ['structure: all items a line', 'heading: in the paragraph'],
  ['structure: Part III in one paragraph, without items', 'pages: part alone'],
  ['structure: Part III in one paragraph, without items', 'pages: item and title'],
  ['structure: risk factors last', 'pages: item and title continued'],
  ['as typed pages', 'heading: unusual titles'],
  ['as typed pages', 'structure: items shortened, unusual titles'],
  ['as typed pages', 'pages: part and item on two lines, items on new pages'],
  ['as typed pages', 'structure: a paragraph under PART III'],
  ['as typed pages', 'heading: without the word'],
  ['as HTML, lines', 'heading: unusual titles'],
  ['as HTML, paragraphs', 'pages: item and short title'],
];

function combine(names: readonly string[]): Variant {
  return {
    name: names.join(' + '),
    apply(filing) {
      let current = filing;
      const absent: string[] = [];
      for (const name of names) {
        const changed = changes.get(name)!(current);
        if (!changed) return null;
        current = changed.filing;
        absent.push(...(changed.absent ?? []));
      }
      return write(current, absent);
    },
  };
}

/** Ways that came later stand last: the others keep their place, by which some are held out. */
const names = [...[...changes.keys()].map((name) => [name]), ...COMBINED];
for (const variant of HEADING_NUMBERS)
  changes.set(`heading: ${variant.name}`, (filing) => just(setHeadings(filing, variant)));
for (const variant of STRUCTURES_LATER) changes.set(`structure: ${variant.name}`, variant.apply);
names.push(...[...changes.keys()].filter((name) => !names.some(([known]) => known === name)).map((name) => [name]));

export const VARIANTS: readonly Variant[] = names.map(combine);

/** Every third way, by name in order, was not looked at while the rules were made. */
export function heldOut(variant: Variant): boolean {
  return VARIANTS.indexOf(variant) % 3 === 1;
}
