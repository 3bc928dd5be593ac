/**
 * A labelled filing in blocks, to be rewritten: what is before the first item, each item's heading and body, and
 * the rest. Writing keeps count of where each section then lies, so that the labels move with the text.
 */
import type { Labelled } from '../../../../bench/section-score/score.ts';
import { looksLikeHtml } from '../../../../src/filings/documents/index.ts';
import { scanMarkup } from '../../../../src/filings/documents/lines/markup.ts';

export interface Block {
  /** Several of a combined heading. */
  codes: string[];
  /** Source before the heading that belongs to no item: a PART heading. */
  before: string;
  heading: string;
  body: string;
  /** `7A` of the heading, null if the heading can't be parted into number and title. */
  number: string | null;
  title: string;
}

export interface FilingBlocks {
  label: Labelled;
  form: string;
  html: boolean;
  front: string;
  blocks: Block[];
  back: string;
}

/** A rewritten filing. `added`: ranges that no section's text should be held to, such as running headers. */
export interface Written {
  text: string;
  label: Labelled;
  added: [number, number][];
}

/** Text between these two is an addition: it does not count in the score. */
export const ADDED = '\ue001';
export const ADDED_END = '\ue002';

export function added(text: string): string {
  return ADDED + text + ADDED_END;
}

/** Parts a filing at its labels. Null if labels overlap other than as combined headings. */
export function blocksOf(label: Labelled, source: string): FilingBlocks | null {
  const html = looksLikeHtml(source);
  const sections = label.sections.toSorted((a, b) => a.start_index - b.start_index);
  const blocks: Block[] = [];
  let front = '';
  let at = 0;
  for (const section of sections) {
    const same = blocks.at(-1);
    if (same && section.start_index < at) {
      if (section.end_index !== at) return null;
      same.codes.push(section.section);
      same.number = null;
      continue;
    }
    const before = source.slice(at, section.start_index);
    if (blocks.length === 0) front = before;
    const heading = source.slice(section.start_index, section.body_index);
    const words = wordsOf(heading, html);
    const parsed = /^items?\s?(\d{1,2}(?:\s?[A-C](?![a-z]))?)(?:\(T\))?\s?[.:]?\s?[–—-]?\s?(\S.*)$/is.exec(words);
    blocks.push({
      codes: [section.section],
      before: blocks.length === 0 ? '' : before,
      heading,
      body: source.slice(section.body_index, section.end_index),
      number: parsed ? parsed[1]!.replace(/\s/g, '').toUpperCase() : null,
      title: parsed ? parsed[2]!.replace(/[\s.:]+$/, '') : '',
    });
    at = section.end_index;
  }
  return { label, form: label.form_type, html, front, blocks, back: source.slice(at) };
}

/** Visible words of a piece of source, white space collapsed. References stay as they are. */
export function wordsOf(piece: string, html: boolean): string {
  const out: string[] = [];
  scanMarkup(piece, 0, piece.length, !html, {
    text: (start, end) => out.push(piece.slice(start, end)),
    open: (name) => void (/^(?:br|p|div|td|tr)$/.test(name) && out.push(' ')),
    close: (name) => void (/^(?:br|p|div|td|tr)$/.test(name) && out.push(' ')),
  });
  return out
    .join('')
    .replace(/(?:\s|&nbsp;|&#160;|&#xa0;|\u00a0)+/gi, ' ')
    .trim();
}

/** The tags of a piece of source, without its text: what keeps the rest balanced if its text is replaced. */
export function tagsOf(piece: string, html: boolean): { opening: string; closing: string } {
  const open: { name: string; tag: string }[] = [];
  const closing: string[] = [];
  scanMarkup(piece, 0, piece.length, !html, {
    text: () => {},
    open: (name, start, end, selfClosing) => {
      if (!selfClosing && !VOID.test(name)) open.push({ name, tag: piece.slice(start, end) });
    },
    close: (name, start, end) => {
      const at = open.findLastIndex((one) => one.name === name);
      if (at >= 0) open.splice(at);
      else closing.push(piece.slice(start, end));
    },
  });
  return { opening: open.map((one) => one.tag).join(''), closing: closing.join('') };
}

const VOID = /^(?:br|hr|img|input|meta|link|col|area|base|wbr)$/;

/** Writes the blocks one after another, with the labels moved. */
export function write(filing: FilingBlocks, absent: readonly string[] = []): Written {
  const out: string[] = [];
  const addedRanges: [number, number][] = [];
  let at = 0;
  let from = -1;
  const put = (piece: string) => {
    let rest = 0;
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i]!;
      if (char !== ADDED && char !== ADDED_END) continue;
      out.push(piece.slice(rest, i));
      at += i - rest;
      rest = i + 1;
      if (char === ADDED) from = at;
      else if (from >= 0) {
        addedRanges.push([from, at]);
        from = -1;
      }
    }
    out.push(piece.slice(rest));
    at += piece.length - rest;
  };
  put(filing.front);
  const sections: Labelled['sections'] = [];
  for (const block of filing.blocks) {
    put(block.before);
    const start = at;
    put(block.heading);
    const body = at;
    put(block.body);
    for (const section of block.codes)
      sections.push({ section, title: block.title, start_index: start, body_index: body, end_index: at });
  }
  put(filing.back);
  return {
    text: out.join(''),
    label: { ...filing.label, sections, absent: [...filing.label.absent, ...absent] },
    added: addedRanges,
  };
}

/** The part of the form with a block's item. Before Item 15 came, Item 14 was in Part IV. */
export function partOfBlock(filing: FilingBlocks, block: Block): 'I' | 'II' | 'III' | 'IV' {
  const code = block.codes[0]!;
  if (code.includes('-')) return code.startsWith('II-') ? 'II' : 'I';
  const number = Number.parseInt(code, 10);
  if (number <= 4) return 'I';
  if (number <= 9) return 'II';
  if (number <= 13) return 'III';
  if (number > 14) return 'IV';
  return filing.blocks.some(({ codes }) => codes.includes('15')) ? 'III' : 'IV';
}

/** Places in a piece between two paragraphs outside of tables, at least `apart` characters from each other. */
export function placesBetweenParagraphs(piece: string, html: boolean, apart: number): number[] {
  const places: number[] = [];
  if (!html) {
    for (const match of piece.matchAll(/\n[ \t]*\n(?=[^\n<])/g)) {
      const place = match.index + match[0].length;
      if (place - (places.at(-1) ?? 0) >= apart) places.push(place);
    }
    return places;
  }
  let tables = 0;
  // A piece may begin within a table: then what follows the table's end is counted.
  let lowest = 0;
  const found: { place: number; depth: number }[] = [];
  scanMarkup(piece, 0, piece.length, false, {
    text: () => {},
    open: (name) => void (name === 'table' && tables++),
    close: (name, _start, end) => {
      if (name === 'table') {
        tables--;
        lowest = Math.min(lowest, tables);
      }
      if (name === 'p' || name === 'div' || name === 'table') found.push({ place: end, depth: tables });
    },
  });
  for (const { place, depth } of found)
    if (depth === lowest && place - (places.at(-1) ?? 0) >= apart) places.push(place);
  return places;
}
