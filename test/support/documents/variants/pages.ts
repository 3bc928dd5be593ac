/** Page ends with headers and footers that name the part and the item. */
import { added, type Block, type FilingBlocks, partOfBlock, placesBetweenParagraphs } from './filing-blocks.ts';

interface Header {
  part: string;
  item: string;
  title: string;
  page: number;
}

export interface PageVariant {
  name: string;
  /** Lines at the head of a page, and at the foot of the page before. */
  head?: (header: Header) => string[];
  foot?: (header: Header) => string[];
  /** Names the last item of a page, not its first. */
  last?: boolean;
  /** Items begin at the head of a page: the header stands directly above the heading. */
  newPages?: boolean;
  row?: boolean;
}

const short = (title: string) => title.split(' ').slice(0, 3).join(' ');

export const PAGE_VARIANTS: readonly PageVariant[] = [
  { name: 'part and item on two lines', head: ({ part, item }) => [`PART ${part}`, `ITEM ${item}`] },
  {
    name: 'part and item on two lines, items on new pages',
    head: ({ part, item }) => [`PART ${part}`, `ITEM ${item}`],
    newPages: true,
  },
  { name: 'part and item on one line', head: ({ part, item }) => [`Part ${part}, Item ${item}`], newPages: true },
  {
    name: 'part and item in a row',
    head: ({ part, item }) => ['Table of Contents', `Part ${part}`, `Item ${item}`],
    row: true,
    newPages: true,
  },
  { name: 'item and title continued', head: ({ item, title }) => [`Item ${item}. ${title} (continued)`] },
  { name: 'item and title', head: ({ item, title }) => [`Item ${item}. ${title}`] },
  { name: 'item and title, items on new pages', head: ({ item, title }) => [`Item ${item}. ${title}`], newPages: true },
  { name: 'item and short title', head: ({ item, title }) => [`Item ${item} - ${short(title)}`], newPages: true },
  { name: 'footer with part and item', foot: ({ part, item, page }) => [`Part ${part} - Item ${item}`, String(page)] },
  { name: 'footer with item and title', foot: ({ item, title, page }) => [`${page}   Item ${item}. ${title}`] },
  { name: 'last item of the page', head: ({ part, item }) => [`PART ${part}`, `Item ${item}`], last: true },
  {
    name: 'company, part and item',
    head: ({ part, item }) => ['THE COMPANY AND SUBSIDIARIES', `PART ${part}. ITEM ${item}.`],
    newPages: true,
  },
  { name: 'part alone', head: ({ part }) => [`PART ${part}`], newPages: true },
  { name: 'part alone, last of the page', head: ({ part }) => [`Part ${part}`], last: true },
];

/** About a page. */
const PAGE_CHARS = { html: 9000, typed: 3200 };

export function setPages(filing: FilingBlocks, variant: PageVariant): FilingBlocks | null {
  let page = 1;
  const header = (block: Block): Header => ({
    part: partOfBlock(filing, block),
    item: block.codes[0]!.replace(/.*-/, ''),
    title: block.title || 'Further Information',
    page,
  });
  const lines = (texts: readonly string[]) => {
    if (!filing.html) return texts.map((text) => `${text}\n`).join('');
    if (variant.row) return `<table width="100%"><tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr></table>`;
    return texts.map((text) => `<p>${text}</p>`).join('');
  };
  const pageEnd = (foot: Block, head: Block) => {
    page++;
    const bottom = lines(variant.foot?.(header(foot)) ?? [String(page)]);
    const top = lines(variant.head?.(header(head)) ?? []);
    return filing.html
      ? `${bottom}<hr style="page-break-after:always">${top}`
      : `\n${bottom.replace(/^/gm, '     ').trimEnd()}\n<PAGE>\n${top}\n`;
  };
  let count = 0;
  let left = 0;
  const blocks = filing.blocks.map((block, k) => {
    const next = filing.blocks[k + 1];
    // Ends of pages that are there already would be headed as well.
    const clean = filing.html
      ? block.body.replace(/<hr[^>]*>/gi, '').replace(/page-break-(?:after|before)\s*:\s*always/gi, '')
      : block.body.replace(/<PAGE>/g, '');
    const size = filing.html ? PAGE_CHARS.html : PAGE_CHARS.typed;
    const out: string[] = [];
    let at = 0;
    const places = placesBetweenParagraphs(clean, filing.html, size / 8);
    for (const [p, place] of places.entries()) {
      left += place - at;
      out.push(clean.slice(at, place));
      at = place;
      if (left < size || place === clean.length) continue;
      left = 0;
      count++;
      const lastOfItem = p + 1 >= places.length || clean.length - place < size * 0.7;
      out.push(added(pageEnd(block, variant.last && lastOfItem && next ? next : block)));
    }
    out.push(clean.slice(at));
    left += clean.length - at;
    const previous = filing.blocks[k - 1];
    let before = filing.html
      ? block.before.replace(/<hr[^>]*>/gi, '').replace(/page-break-(?:after|before)\s*:\s*always/gi, '')
      : block.before.replace(/<PAGE>/g, '');
    if (variant.newPages && previous && previous.body.length > size) {
      left = 0;
      count++;
      before = pageEnd(previous, block) + before;
    }
    return { ...block, before, body: out.join('') };
  });
  return count < 8 ? null : { ...filing, blocks };
}
