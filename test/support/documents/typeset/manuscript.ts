/**
 * A labelled filing as a manuscript: the plain paragraphs and table rows of each item, without any of the document's own setting.
 * In a new typography, its sections are known by construction.
 */
import type { Labelled } from '../../../../bench/section-score/score.ts';

/** A paragraph, the rows of a table, or lines of text that keep their columns. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'rows'; rows: readonly (readonly string[])[] }
  | { kind: 'lines'; lines: readonly string[] };

export interface Item {
  code: string;
  /** I to IV; of a 10-Q I or II */
  part: string;
  /** "7A"; of II-1A "1A" */
  number: string;
  title: string;
  body: readonly Block[];
  /** The body's own source, with balanced tags; null for a text filing. */
  markup: string | null;
}

export interface Manuscript {
  file: string;
  form: string;
  company: string;
  items: readonly Item[];
}

const ENTITIES: Record<string, string> = {
  nbsp: '\u00a0',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
  mdash: '—',
  ndash: '–',
  bull: '•',
  middot: '·',
  reg: '®',
  copy: '©',
  trade: '™',
  sect: '§',
  deg: '°',
  hellip: '…',
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([A-Za-z]+));?/g, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : ' ';
  });
}

const BLOCK_TAGS =
  /^(?:p|div|br|hr|h[1-6]|table|tr|td|th|li|ul|ol|dl|dt|dd|center|pre|blockquote|body|tbody|thead|page)$/;
const TOKENS =
  /<!--[\s\S]*?-->|<(script|style|head|title|ix:header)\b[^>]*>[\s\S]*?<\/\1\s*>|<(\/?)([A-Za-z][\w:.-]*)[^>]*>|[^<]+|</gi;

/** The blocks that a piece of HTML shows. */
export function htmlBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  let line = '';
  let row: string[] | null = null;
  let rows: string[][] = [];
  let depth = 0;
  const flush = () => {
    const text = decoded(line)
      .replace(/[\s\u00a0]+/g, ' ')
      .trim();
    line = '';
    if (text === '') return;
    if (row) row.push(text);
    else if (depth > 0) rows.push([text]);
    else blocks.push({ kind: 'paragraph', text });
  };
  const endRow = () => {
    flush();
    if (row && row.length > 0) rows.push(row);
    row = null;
  };
  const endTable = () => {
    endRow();
    // A table of one column is layout: its rows are paragraphs.
    if (rows.every((cells) => cells.length === 1))
      for (const [text] of rows) blocks.push({ kind: 'paragraph', text: text! });
    else blocks.push({ kind: 'rows', rows });
    rows = [];
  };
  for (const match of source.matchAll(TOKENS)) {
    const name = match[3]?.toLowerCase();
    if (!name) {
      if (!match[1] && !match[0].startsWith('<!')) line += match[0];
      continue;
    }
    if (!BLOCK_TAGS.test(name)) continue;
    const closes = match[2] === '/';
    if (name === 'table') {
      flush();
      if (!closes) depth++;
      else if (depth > 0 && --depth === 0) endTable();
    } else if (name === 'tr') {
      if (depth === 0) flush();
      else {
        endRow();
        if (!closes) row = [];
      }
    } else if (row !== null && name !== 'td' && name !== 'th') line += ' ';
    else flush();
  }
  if (depth > 0) endTable();
  flush();
  return blocks;
}

/** The blocks of plain text: paragraphs of running text, and lines whose columns matter. */
function textBlocks(source: string): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').replace(/^[ \t]*<\/?(?:PAGE|TABLE|CAPTION|S|C|FN)>.*$/gim, '');
  return lines
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.split('\n').filter((line) => line.trim() !== ''))
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) =>
      paragraph.some((line) => /\S {3,}\S|\.{4}|-{4}|={4}|\t/.test(line.trim()))
        ? { kind: 'lines', lines: paragraph }
        : { kind: 'paragraph', text: paragraph.map((line) => line.trim()).join(' ') },
    );
}

const VOID = new Set('br hr img input meta link col area base wbr'.split(' '));

/** A slice of HTML whose tags are balanced: closing tags without an opening one are left out, missing ones are added. */
function balanced(source: string): string {
  const out: string[] = [];
  const open: string[] = [];
  for (const { 0: token, 1: hidden, 2: slash, 3: given } of source.matchAll(TOKENS)) {
    const name = given?.toLowerCase();
    if (!name || hidden || VOID.has(name) || token.endsWith('/>')) out.push(token);
    else if (!slash) {
      open.push(name);
      out.push(token);
    } else {
      const at = open.lastIndexOf(name);
      if (at < 0) continue;
      for (const inner of open.splice(at).toReversed()) out.push(`</${inner}>`);
    }
  }
  return (
    out.join('') +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  );
}

function partOf(code: string, title: string): string {
  if (code.includes('-')) return code.split('-')[0]!;
  const number = Number.parseInt(code, 10);
  if (/exhibits/i.test(title) || number >= 15) return 'IV';
  return number <= 4 ? 'I' : number <= 9 ? 'II' : 'III';
}

/** The item's title without "Item 7." before it, in title case. */
function bareTitle(title: string): string {
  const bare = title
    .replace(/^\s*items?\s*\d+\s*[A-C]?\s*(?:\(T\))?\s*[.:\u2013\u2014-]*\s*/i, '')
    .replace(/[\s.]+$/, '')
    .trim();
  if (bare !== bare.toUpperCase()) return bare;
  return bare
    .toLowerCase()
    .replace(
      /(^|[\s(\u201c-])(?!(?:and|of|to|a|in|the|with|on|for|by|upon)\b)([a-z])/g,
      (_w, before, letter) => before + letter.toUpperCase(),
    );
}

/** @returns null if the filing has a combined heading */
export function manuscriptOf(label: Labelled, source: string): Manuscript | null {
  const html = !/\.txt/.test(label.file);
  const sorted = label.sections.toSorted((a, b) => a.start_index - b.start_index);
  if (sorted.some((section, i) => i > 0 && section.start_index < sorted[i - 1]!.end_index)) return null;
  const items = sorted.map((section): Item => {
    const body = source.slice(section.body_index, section.end_index);
    // If the heading runs into the paragraph, its words are in the body.
    const runIn = section.body_index <= section.start_index;
    const blocks = html ? htmlBlocks(body) : textBlocks(body);
    return {
      code: section.section,
      part: partOf(section.section, section.title),
      number: section.section.replace(/^I+-/, ''),
      title: bareTitle(section.title),
      body: runIn ? withoutHeading(blocks, section.title) : blocks,
      markup: html && !runIn ? balanced(body) : null,
    };
  });
  return { file: label.file, form: label.form_type, company: label.company, items };
}

function withoutHeading(blocks: readonly Block[], title: string): Block[] {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'paragraph') return [...blocks];
  const letters = title.replace(/[^A-Za-z0-9]/g, '').length;
  let seen = 0;
  let at = 0;
  while (at < first.text.length && seen < letters) if (/[A-Za-z0-9]/.test(first.text[at++]!)) seen++;
  const text = first.text.slice(at).replace(/^[\s.:\u2013\u2014-]+/, '');
  return text === '' ? rest : [{ kind: 'paragraph', text }, ...rest];
}
