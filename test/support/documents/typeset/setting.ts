/** How a manuscript is set: medium, headings, parts, contents, and what stands on each page. */
import type { Block, Item, Manuscript } from './manuscript.ts';
import type { Random } from './random.ts';

/** The places of a heading's parts. */
export type Place =
  /** one block, or one line */
  | 'line'
  /** the number in a block, the title in the next */
  | 'blocks'
  /** cells of a table: "Item 7." and the title */
  | 'cells'
  /** cells of a table: "Item", "7." and the title */
  | 'three-cells'
  /** a table of one cell */
  | 'one-cell'
  /** in front of the first paragraph, in the same block */
  | 'run-in'
  /** in one block with the body, separated by line breaks */
  | 'breaks'
  /** the number and the title on two lines of one block */
  | 'two-lines'
  /** a page break between number and title, or in the title */
  | 'broken';

export type Markup = 'font' | 'word' | 'workiva' | 'plain' | 'divs' | 'pre' | 'headings' | 'list' | 'layout';

export interface HeadingText {
  /** "Item 7.", "" for none */
  label: string;
  between: string;
  /** "" for none */
  title: string;
  after: string;
}

export interface Contents {
  place: 'front' | 'end' | 'each-part' | 'none';
  /** `cells`: a table; `lines`: paragraphs */
  look: 'cells' | 'lines' | 'dots' | 'titles' | 'one-block' | 'two-columns';
  linked: boolean;
  pages: boolean;
}

export interface Setting {
  medium: 'html' | 'text';
  markup: Markup;
  /** Source of bodies: re-set blocks, or the filing's own HTML */
  bodies: 'blocks' | 'own';
  entities: 'raw' | 'numeric' | 'named';
  heading(item: Item, random: Random): HeadingText;
  place(item: Item, random: Random): Place;
  /** Inline markup of a heading's text, which is escaped already */
  emphasis(html: string, random: Random): string;
  /** Line of a PART heading; null for none. `same`: in front of the item's heading on its line. */
  part(part: string, form: string, random: Random): { line: string; place: 'own' | 'same' | 'cell' } | null;
  contents: Contents;
  /** Characters of body on a page; 0 for no pages */
  pageLength: number;
  /** Lines at the head of a page */
  head(page: PageOf, random: Random): readonly string[];
  /** Lines at the foot of a page */
  foot(page: PageOf, random: Random): readonly string[];
  /** Blocks before the first item, after the cover */
  front(filing: Manuscript, random: Random): readonly Block[];
  /** Blocks after the last item */
  back(filing: Manuscript, random: Random): readonly Block[];
  signatures: string;
  /** Body as it is set: adds paragraphs or changes them */
  body(item: Item, random: Random): readonly Block[];
  /** Items of the manuscript in the order they are set; changes numbers, parts, bodies */
  items(filing: Manuscript, random: Random): readonly PlacedItem[];
  /** A last change of the whole source; may not change the number of code units */
  finish(source: string): string;
}

export interface PlacedItem extends Item {
  /** Codes under which the item is labelled; a printed item outside the codes has none. */
  codes: readonly string[];
}

export interface PageOf {
  number: number;
  part: string | null;
  /** The item's heading in one line */
  item: string | null;
  company: string;
  form: string;
}

export function upper(text: string): string {
  return text.toUpperCase();
}

export function sentenceCase(text: string): string {
  return text.slice(0, 1) + text.slice(1).toLowerCase();
}
