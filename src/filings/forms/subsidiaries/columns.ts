/** What the cells of a row are, by their own words and by what stands in their block. */
import { placeIn } from './places.ts';
import type { Cell, PrintedRow } from './text-rows.ts';
import { hasSuffix, isHeader, percentOf, withoutListMark, withoutMarks } from './words.ts';

/** One list of a row: rows may have two side by side. `others`: texts that are neither. */
export type Segment = { name?: Cell; share?: Cell; places: Cell[]; others: Cell[] };

export const DITTO = /^(?:["\u201d\u2033]|''|do\.?|ditto|same)$/i;
const NUMBER_OF_LIST = /^(?:\(?\d{1,4}[.)]?|\d+(?:\.\d+)+\.?|\(?[a-z]\)|[^\p{L}\p{N}"'(]+)$/iu;

export class Columns {
  readonly #sideBySide = new Set<number>();
  /** Of blocks in which most rows have a place behind the name: where places stand */
  readonly #placed = new Map<number, readonly Cell[]>();

  constructor(rows: readonly PrintedRow[]) {
    const markOf = ({ text }: Cell) =>
      placeIn(text) !== null ? 'p' : percentOf(text, true) !== null ? 's' : hasSuffix(text) ? 'n' : 't';
    for (const [block, own] of Map.groupBy(rows, (row) => row.block)) {
      const filled = own.filter(({ cells }) => cells.length > 1 && !cells.every(({ text }) => isHeader(text)));
      const marks = filled.map(({ cells }) => listed(cells).map(markOf).join(''));
      const count = (pattern: RegExp) => marks.filter((one) => pattern.test(one)).length;
      // A name behind a place, again and again, or two names in a row without any place.
      const [twice, names] = [count(/[nt][ps]+n[ps]/), count(/^nn+$/)];
      if (twice >= Math.max(2, marks.length * 0.3) || names >= Math.max(2, marks.length * 0.6))
        this.#sideBySide.add(block);
      if (count(/[nt].*p/) >= Math.max(1, marks.length / 2))
        this.#placed.set(
          block,
          filled.flatMap(({ cells }) => cells.slice(1).filter(({ text }) => placeIn(text) !== null)),
        );
    }
  }

  segments({ block, cells }: PrintedRow): Segment[] {
    const segments: Segment[] = [];
    for (const cell of listed(cells)) {
      const isPlace = DITTO.test(cell.text) || placeIn(cell.text) !== null;
      const isShare = percentOf(cell.text, segments.length === 0) !== null;
      const isName = !isPlace && !isShare && /\p{L}/u.test(cell.text);
      if (segments.length === 0 || (isName && segments.at(-1)!.name !== undefined && this.#sideBySide.has(block)))
        segments.push({ places: [], others: [] });
      const open = segments.at(-1)!;
      if (isPlace) open.places.push(cell);
      else if (isShare) open.share ??= cell;
      else if (isName && open.name === undefined) open.name = cell;
      else if (isName) open.others.push(cell);
    }
    for (const segment of segments) {
      if (segment.name === undefined && (segment.places.length > 1 || cells.length === 1))
        segment.name = segment.places.shift()!;
      // A place that no list knows
      const unknown =
        segment.places.length > 0 ? -1 : segment.others.findIndex((cell) => this.#isAmongPlaces(block, cell));
      if (unknown >= 0) segment.places.push(...segment.others.splice(unknown, 1));
    }
    return segments;
  }

  #isAmongPlaces(block: number, { from, to }: Cell): boolean {
    return this.#placed.get(block)?.some((place) => from < place.to && place.from < to) ?? false;
  }
}

/** Cells without numbers and marks of the list; a sign or a mark is joined to the cell before it. */
function listed(cells: readonly Cell[]): Cell[] {
  const found: Cell[] = [];
  for (const [k, cell] of cells.entries()) {
    const last = found.at(-1);
    if (k === 0 && cells.length > 1 && NUMBER_OF_LIST.test(cell.text)) continue;
    if (last !== undefined && (cell.text === '%' || withoutMarks(cell.text) === ''))
      found[found.length - 1] = { ...last, text: `${last.text} ${cell.text}` };
    else if (withoutListMark(cell.text) !== '' && (DITTO.test(cell.text) || /[\p{L}\p{N}]/u.test(cell.text)))
      found.push(cell);
  }
  return found;
}
