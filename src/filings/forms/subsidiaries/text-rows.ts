/** A document as the rows that a reader sees. In typewritten text columns are apart by two blanks, a tab or dots. */
import { decodeReferences } from '../../api/index.ts';
import { isPlace } from './places.ts';

/**
 * `from`: column in which it begins, of the table's grid or of the typewritten line; `to`: the one behind it. `at`: UTF-16 position.
 * `indent`: from its column's left edge, in points of a web page or typewritten characters.
 */
export type Cell = Readonly<Record<'from' | 'to' | 'at' | 'indent', number>> & { readonly text: string };

/** `block`: the number of its table, or run of paragraphs. `apart`: behind a blank line, or the end of a paragraph. */
export type PrintedRow = Readonly<{ block: number; cells: Cell[]; apart: boolean; typed: boolean }>;

const ABBREVIATION = /(?:\b(?:Inc|Ltd|Corp|Co|Bhd|Ltda|Cia|Pty|Pte|Pvt|Cie)|\.[A-Za-z])$/;

/** Without the dots that lead the eye to the next column. An abbreviation keeps its own. */
export function withoutLeader(text: string): string {
  const plain = text.replace(/(?:\s?[._]){3,}\s*$/, '').trimEnd();
  return plain !== text && ABBREVIATION.test(plain) ? `${plain}.` : plain;
}

const GAP = /(?:\s?[._](?:\s?[._]){2,})\s*|\s{2,}/g;

export function textRows(source: string): PrintedRow[] {
  const rows: PrintedRow[] = [];
  let apart = true;
  let start = 0;
  for (const line of source.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const plain = decodeReferences(line.replace(/<\/?[A-Za-z][^<>]*>/g, '')).replaceAll('\u00a0', ' ');
    // Tabs are eight wide.
    const text = plain.split('\t').reduce((sum, part) => sum.padEnd(sum.length + 8 - (sum.length % 8)) + part);
    if (text.trim() === '') apart ||= !/<[A-OQ-Z]/i.test(line);
    else if (!apart && /^[^()]*\)/.test(text) && /\([^()]*$/.test(rows.at(-1)?.cells.at(-1)?.text ?? '')) {
      // A bracket over two lines
      const cells = rows.at(-1)!.cells;
      cells.push({ ...cells.at(-1)!, text: `${cells.pop()!.text} ${text.trim().replace(/\s+/g, ' ')}` });
    } else if (!/^[\s\-=_*~]+$/.test(text)) {
      rows.push({ block: 0, cells: cellsOf(text.trimEnd(), line, start), apart, typed: true });
      apart = false;
    }
    start += line.length;
  }
  return rows;
}

function cellsOf(text: string, line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let from = text.search(/\S/);
  let found = 0;
  const put = (to: number) => {
    const own = withoutLeader(text.slice(from, to)).trim();
    if (own === '') return;
    const first = own.split(/[\s&<>.]/)[0]!;
    found = Math.max(found, line.indexOf(first, found));
    cells.push({ from, to, text: own.replace(/\s+/g, ' '), at: start + found, indent: from });
    found += first.length;
  };
  for (const { 0: gap, index } of text.matchAll(GAP)) {
    if (index <= from) continue;
    const next = index + gap.length;
    // Two blanks also end a sentence, or an abbreviation.
    const isEnd = gap === '  ' && /[.:;]$/.test(text.slice(0, index));
    if (isEnd && !isPlace(text.slice(next).split(/\s{2,}/)[0]!)) continue;
    put(/[._]/.test(gap) ? next - /\s*$/.exec(gap)![0].length : index);
    from = next;
  }
  put(text.length);
  return cells;
}
