/** Rows of a web page: of its tables, and one for each line outside of tables. */
import { decodeReferences } from '../../api/index.ts';
import { isPlace } from './places.ts';
import { type Cell, type PrintedRow, withoutLeader } from './text-rows.ts';

/** Neither a tag nor a comment begins within one: a page of unclosed ones costs no more than its length. */
const TAG = /<!--(?:[^<]|<(?!!--))*?-->|<(\/?)([a-z][\w:]*)([^<>]*)>/gi;
const BLOCKS = new Set(
  'p div td th tr table li ul ol dl dd dt dir blockquote center h1 h2 h3 h4 h5 h6 br hr'.split(' '),
);
const OF_TABLE = new Set(['tr', 'td', 'th']);
/** Points by which a list moves to the right */
const LISTS: Readonly<Record<string, number>> = { ul: 30, ol: 30, dd: 30, dir: 30, blockquote: 30 };
/** Points of a blank that does not break. */
const BLANK_WIDTH = 2.5;
/** Blanks that do not break, or dots, which stand for columns outside of tables. */
const GAP = /(?:[^\S\u00a0]*\u00a0[^\S\u00a0]*){3,}|(?:\s?\.){4,}|\t/;
const RAISED_MARK = /^[\s([]*(?:\d{1,2}|[a-z*†‡§#])(?:[\s,)\](]*(?:\d{1,2}|[a-z*†‡§#]))*[\s)\]]*$/i;

type OpenCell = { from: number; to: number; lines: Cell[] };
/** `depth`: elements that were open before it. `down`: cells that reach into rows below, and into how many, by their columns. */
type OpenTable = { readonly block: number; readonly depth: number; cells: OpenCell[]; column: number; down: Down };
type Down = Map<number, { readonly cell: OpenCell; left: number }>;

export function pageRows(source: string): PrintedRow[] {
  const rows: PrintedRow[] = [];
  const open: { name: string; left: number }[] = [];
  const tables: OpenTable[] = [];
  let cell: OpenCell | null = null;
  let [blocks, outside, from, at, blanks] = [0, 0, 0, 0, 0];
  let [unread, text] = ['', ''];
  let [raised, apart] = [false, true];
  const depth = () => tables.at(-1)?.depth ?? 0;

  const read = (to: number) => {
    const raw = source.slice(from, to);
    let words = unread === '' ? decodeReferences(raw) : '';
    if (raised && RAISED_MARK.test(words)) return;
    if (text === '') {
      const blank = /^[\s\u00a0\u200b\ufeff]*/.exec(words)![0];
      blanks += blank.replace(/[^\u00a0]/g, '').length;
      words = words.slice(blank.length);
      at = from + /^(?:\s|&nbsp;|&#160;|&#xa0;|\u00a0)*/i.exec(raw)![0].length;
    }
    text += words;
  };
  const endLine = () => {
    const parts = (cell === null ? text.replace(GAP, (gap) => `${gap.replace(/[^.]/g, '')}\t`).split('\t') : [text])
      .map((part) => withoutLeader(part.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim()))
      .filter((part) => part !== '');
    const indent = open.slice(depth()).reduce((sum, { left }) => sum + left, blanks * BLANK_WIDTH);
    [text, blanks] = ['', 0];
    if (parts.length === 0) return;
    const { from: first, to } = cell ?? { from: 0, to: 1 };
    const cells = parts.map((part, k) => ({ from: first + k, to: to + k, text: part, at, indent }));
    if (cell !== null) cell.lines.push(...cells);
    else {
      if (outside === 0) outside = ++blocks;
      rows.push({ block: outside, cells, apart, typed: false });
    }
    apart = false;
  };
  const endRow = () => {
    const table = tables.at(-1);
    cell = null;
    if (table === undefined || table.column === 0) return;
    addPlacesFromAbove(table);
    for (const [column, reach] of table.down) if (--reach.left <= 0) table.down.delete(column);
    for (const cells of linesOf(table.cells)) rows.push({ block: table.block, cells, apart, typed: false });
    [table.cells, table.column] = [[], 0];
  };
  for (const match of source.matchAll(TAG)) {
    read(match.index);
    from = match.index + match[0].length;
    const [, slash, name = '', rest = ''] = match;
    const tag = name.toLowerCase();
    const closes = slash === '/';
    if (/^(?:title|style|script)$/.test(tag)) unread = closes ? '' : tag;
    if (tag === 'sup') raised = !closes;
    if (!BLOCKS.has(tag)) continue;
    endLine();
    apart ||= tag !== 'br';
    if (tag === 'table') {
      endRow();
      if (closes) tables.pop();
      else tables.push({ block: ++blocks, depth: open.length, cells: [], column: 0, down: new Map() });
      outside = 0;
    } else if (tag === 'tr') endRow();
    else if (OF_TABLE.has(tag)) {
      cell = null;
      const table = tables.at(-1);
      if (!closes && table !== undefined) {
        addPlacesFromAbove(table);
        const to = table.column + Math.max(1, Number(/\bcolspan\s*=\s*["']?\s*(\d{1,3})/i.exec(rest)?.[1] ?? 1));
        cell = { from: table.column, to, lines: [] };
        table.cells.push(cell);
        table.column = to;
        const left = Number(/\browspan\s*=\s*["']?\s*(\d{1,3})/i.exec(rest)?.[1] ?? 1);
        if (left > 1) table.down.set(cell.from, { cell, left });
      }
    }
    const last = open.findLastIndex((one) => one.name === tag);
    if (closes) open.length = last >= depth() ? last : open.length;
    else if (tag !== 'br' && tag !== 'hr' && tag !== 'table') {
      if (OF_TABLE.has(tag)) open.length = Math.min(open.length, depth());
      else if (tag === 'p' && open.at(-1)?.name === 'p') open.pop();
      open.push({ name: tag, left: leftOf(rest) + (LISTS[tag] ?? 0) });
    }
  }
  read(source.length);
  endLine();
  endRow();
  return rows;
}

const POINTS: Readonly<Record<string, number>> = { pt: 1, px: 0.75, em: 10, rem: 10, in: 72, cm: 28, mm: 2.8, '%': 6 };
const MOVES = /(padding-left|margin-left|text-indent|padding|margin)\s*:\s*([^;"']+)/gi;

/** Points by which the style of a tag moves its first line to the right. */
function leftOf(rest: string): number {
  let sum = 0;
  for (const [, property, value] of rest.matchAll(MOVES)) {
    const lengths = value!.trim().split(/\s+/);
    const length = /^(?:padding|margin)$/i.test(property!) ? (lengths[3] ?? lengths[1] ?? lengths[0]!) : lengths[0]!;
    const [, number, unit] = /^(-?[\d.]+)([a-z%]*)/i.exec(length) ?? [];
    if (number !== undefined) sum += Number(number) * (POINTS[unit!.toLowerCase()] ?? 0);
  }
  return sum;
}

/** Cells that reach down to the next column of a row. A jurisdiction is of each row; a name is of one. */
function addPlacesFromAbove(table: OpenTable): void {
  for (let above = table.down.get(table.column); above !== undefined; above = table.down.get(table.column)) {
    if (table.cells.includes(above.cell)) return;
    if (above.cell.lines.every(({ text }) => isPlace(text))) table.cells.push(above.cell);
    table.column = above.cell.to;
  }
}

/** One row for each line, if a cell is a list: cells with equally many lines are lists side by side. */
function linesOf(cells: readonly OpenCell[]): Cell[][] {
  const filled = cells.filter(({ lines }) => lines.length > 0).map(({ lines }) => lines);
  const most = Math.max(0, ...filled.map(({ length }) => length));
  if (most > 1 && (filled.length === 1 || (most > 3 && filled.every(({ length }) => length === most))))
    return Array.from({ length: most }, (_, k) => filled.map((lines) => lines[k]!));
  return filled.length === 0
    ? []
    : [filled.map((lines) => ({ ...lines[0]!, text: lines.map((line) => line.text).join(' ') }))];
}
