/**
 * Page numbers, running headers and footers, links to the contents: lines that pages repeat and readers ignore. They are found
 * over the whole document, so that a section of three lines is treated like one of thirty pages. A line is removed only if it
 * touches the end of a page.
 */
import { BOLD, besides, CENTER, LINK, type Line } from './lines.ts';
import { type Numbers, numbersOf, usualNumbers } from './repeated-numbers.ts';

/** Lines that a reader sees as one: a single line, or the cells of a row. */
interface Unit {
  /** Number of its first line, that line, and the number after its last */
  first: number;
  line: Line;
  end: number;
  text: string;
  letters: number;
  digits: number;
  cells: number;
  link: boolean;
  /** Its key as `Repeated` has it, null if it can't repeat, undefined before that is known */
  key: string | null | undefined;
}

const LONGEST_FURNITURE = 120;
/** Number of units on each side of a page's end that may be furniture. */
const REACH = 6;
/** Minimum rows with several cells of a table of data. */
const ROWS_OF_DATA = 3;

/** Indexes of the lines that are furniture. @param kept lines that always stay: the headings of sections */
export function pageFurniture(lines: readonly Line[], kept: ReadonlySet<number> = new Set()): Set<number> {
  const units = unitsOf(lines);
  const furniture = new Set<Unit>();
  const data = dataTables(units);
  const numbers = pageNumbers(units, data);
  const ends = pageEnds(units, numbers);
  for (const unit of units) if (unit.link && CONTENTS_LINK.test(unit.text)) furniture.add(unit);
  if (ends.length >= LEAST_ENDS) {
    const above = new Repeated(units, ends, -1, data, numbers);
    const below = new Repeated(units, ends, 1, data, numbers);
    for (const [k, end] of ends.entries()) {
      for (const side of [above, below]) {
        let pending: Unit[] = [];
        for (const i of side.reach(k, end)) {
          const unit = units[i]!;
          if (!numbers.has(i) && !side.isRepeated(unit) && !furniture.has(unit)) break;
          pending.push(unit);
          // The last line of a paragraph is removed only with the whole paragraph.
          if (side === above && unit.line.follows) continue;
          for (const one of pending) furniture.add(one);
          pending = [];
        }
      }
    }
  }
  for (const i of numbers) furniture.add(units[i]!);
  const found = new Set<number>();
  for (const unit of furniture) {
    if (kept.has(unit.first)) continue;
    for (let i = unit.first; i < unit.end; i++) found.add(i);
  }
  return found;
}

const CONTENTS_LINK = /^\W*(?:(?:back|return|go) to |link to )?(?:the )?(?:table of contents|index|contents|toc)\W*$/i;

function unitsOf(lines: readonly Line[]): Unit[] {
  const units: Unit[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    let end = i + 1;
    let { text, letters, digits } = line;
    let cells = 1;
    let link = (line.format & LINK) !== 0;
    while (end < lines.length && cells < 40 && besides(lines[end - 1]!, lines[end]!)) {
      const next = lines[end]!;
      if (text.length <= LONGEST_FURNITURE) text += ` ${next.text}`;
      letters += next.letters;
      digits += next.digits;
      link &&= (next.format & LINK) !== 0;
      cells++;
      end++;
    }
    units.push({ first: i, line, end, text, letters, digits, cells, link, key: undefined });
    i = end;
  }
  return units;
}

/** It looks like a title: capitals, bold, or in the middle. */
function isTitle({ line, text }: Unit): boolean {
  return (line.format & (BOLD | CENTER)) !== 0 || line.indent >= LEAST_INDENT || !/[a-z]/.test(text);
}

/** Tables with data, by their numbers. */
function dataTables(units: readonly Unit[]): Set<number> {
  const rows = new Map<number, number>();
  for (const { line, cells } of units)
    if (cells > 1 && line.table > 0) rows.set(line.table, (rows.get(line.table) ?? 0) + 1);
  return new Set([...rows].filter(([, count]) => count >= ROWS_OF_DATA).map(([table]) => table));
}

/** A number alone, or with the word: `14`, `- 14 -`, `Page 14`, `F-14`. A full stop after it numbers a paragraph, but for pages' ends. */
const PAGE_NUMBER =
  /^[\s|~\u2022*[\u2013\u2014-]*(?:page\s*)?(?:([a-z]{1,2})-?)?(\d{1,3})(?:\s*of\s*\d{1,3})?[\s|~\u2022*\]\u2013\u2014-]*(\.?)$/i;
/** `(14)` in the middle of a typewritten line. */
const BRACKETED_NUMBER = /^()\((\d{1,3})\)$/;
const LEAST_INDENT = 16;
/** Minimum digits and letters between two successive page numbers. */
const SHORTEST_PAGE = 60;
const LONGEST_PAGE = 16_000;
/** Pages of statements with their own numbers, or pictures, may be between two marked ones. */
const LONGEST_MARKED = 100_000;
/** If no end of a page is marked, pages must be this long on average, and this many numbers must follow each other. */
const MEAN_PAGE = 700;
const LEAST_UNMARKED = 6;
const LEAST_MARKED = 4;
/** Numbers may be missing between two of a series: pages without any. */
const MOST_MISSING = 6;
const LOOK_BACK = 24;
const MOST_SERIES = 16;

interface Numbered {
  unit: number;
  number: number;
  prefix: string;
  /** Letters and digits before it in the document. */
  at: number;
  /** It touches the end of a page. */
  marked: boolean;
}

/** Units that are page numbers: numbers alone that rise through the document from page to page. */
function pageNumbers(units: readonly Unit[], data: ReadonlySet<number>): Set<number> {
  let candidates: Numbered[] = [];
  let at = 0;
  for (const [i, unit] of units.entries()) {
    at += unit.letters + 1;
    if (unit.digits === 0 || unit.text.length > 24 || data.has(unit.line.table)) continue;
    const { typed, indent, apart } = unit.line;
    const match =
      PAGE_NUMBER.exec(unit.text) ?? (typed && indent >= LEAST_INDENT ? BRACKETED_NUMBER.exec(unit.text) : null);
    if (!match || (match[3] && !isMarked(units, i))) continue;
    const next = units[i + 1]?.line;
    if (typed && !apart && next !== undefined && !next.apart && !next.pageBreak) continue;
    candidates.push({
      unit: i,
      number: Number(match[2]),
      prefix: match[1]?.toLowerCase() ?? '',
      at,
      marked: isMarked(units, i),
    });
  }
  const found = new Set<number>();
  for (let k = 0; k < MOST_SERIES; k++) {
    const series = longestSeries(candidates);
    if (!isSeries(series)) break;
    const taken = new Set(series);
    for (const { unit } of series) found.add(unit);
    candidates = candidates.filter((candidate) => !taken.has(candidate));
  }
  return found;
}

function isMarked(units: readonly Unit[], i: number): boolean {
  if (i === units.length - 1) return true;
  for (let k = i - 1; k <= i + 2; k++) if (units[k]?.line.pageBreak) return true;
  return false;
}

function longestSeries(candidates: readonly Numbered[]): Numbered[] {
  const length = new Float64Array(candidates.length);
  const before = new Int32Array(candidates.length).fill(-1);
  let last = -1;
  for (const [i, one] of candidates.entries()) {
    // A number at the end of a page is one of a series more likely than a number alone elsewhere.
    length[i] = one.marked ? 1.5 : 1;
    for (let j = i - 1; j >= 0 && j >= i - LOOK_BACK; j--) {
      const other = candidates[j]!;
      const step = one.number - other.number;
      const apart = one.at - other.at;
      if (step < 1 || step > MOST_MISSING || one.prefix !== other.prefix) continue;
      const longest = one.marked && other.marked ? LONGEST_MARKED : LONGEST_PAGE * step;
      const shortest = one.marked && other.marked ? 1 : SHORTEST_PAGE;
      if (apart < shortest || apart > longest) continue;
      const through = length[j]! + (one.marked ? 1.5 : 1) - (step - 1) * 0.2;
      if (through > length[i]!) {
        length[i] = through;
        before[i] = j;
      }
    }
    if (last < 0 || length[i]! > length[last]!) last = i;
  }
  const series: Numbered[] = [];
  for (let i = last; i >= 0; i = before[i]!) series.push(candidates[i]!);
  return series.reverse();
}

function isSeries(series: readonly Numbered[]): boolean {
  if (series.length < LEAST_MARKED) return false;
  const marked = series.filter((one) => one.marked).length;
  if (marked * 2 > series.length) return true;
  const pages = series.at(-1)!.number - series[0]!.number;
  return series.length >= LEAST_UNMARKED && (series.at(-1)!.at - series[0]!.at) / pages >= MEAN_PAGE;
}

/**
 * Positions of a page's end and the next page's beginning: the unit before the end's first and the one after it. A page number
 * without a mark is an end itself.
 */
interface PageEnd {
  above: number;
  below: number;
}

const LEAST_ENDS = 6;

function pageEnds(units: readonly Unit[], numbers: ReadonlySet<number>): PageEnd[] {
  const ends: PageEnd[] = [{ above: -1, below: 0 }];
  for (const [i, unit] of units.entries()) {
    if (unit.line.pageBreak) ends.push({ above: i - 1, below: i });
    else if (numbers.has(i) && !isMarked(units, i)) ends.push({ above: i - 1, below: i + 1 });
  }
  ends.push({ above: units.length - 1, below: units.length });
  return ends;
}

/** Parts, items and continuations at the head of pages: few pages may share one. */
const TYPICAL =
  /^\W*(?:part #|item #|page #|table of contents|index|form #|notes to .{0,40}financial statements|.{0,80}\W\(?cont(?:inued|'d|\.)\)?\W*$)/i;
const CONTINUED = /cont(?:inued|'d|\.)\W*$/;
const LEAST_REPEATS = 10;
/** A line on this many pages is furniture. */
const LEAST_OF_MOST = 5;
const MOST = 0.4;
const LEAST_TYPICAL = 3;
const LEAST_CONTINUED = 2;
/** Share of the page ends between a line's first and last at which it occurs. */
const DENSITY = 0.45;

/** The text of an item with nothing to report. */
const NOTHING_TO_REPORT =
  /^\W*(?:none|yes|no|not (?:applicable|required)|n\/a|inapplicable|omitted|\(?(?:removed and )?reserved\)?)\W*$/i;
/** The last words of a sentence that begins above. */
const SENTENCE_END = /^[a-z][^A-Z]*\.$/;
/** A full stop that doesn't end an abbreviation. Such words must be on more pages. */
const SENTENCE = /(?<!\b(?:inc|corp|co|ltd|llc|l\.p|n\.a|plc|no))\.$/;

/** Letters of a line of a paragraph. */
const LEAST_PROSE = 40;
/** The end of a sentence, a heading of a list, a quotation. */
const SENTENCE_OVER = /[.:;!?)\u201d"_]$/;

/** Amounts and shares are data, though the words before them repeat. */
const AMOUNT = /[$\u20ac\u00a3]\s*\(?\d|\d\s*%/;

/** Positions of the ends with a page number near them. */
function pageNumberEnds(units: readonly Unit[], ends: readonly PageEnd[], numbers: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  for (const [k, { above, below }] of ends.entries()) {
    for (let i = Math.max(0, above - REACH + 1); i < Math.min(units.length, below + REACH); i++)
      if (numbers.has(i)) found.add(k);
  }
  return found;
}

/** Words that repeat at the same side of page ends. Of their numbers only one may differ, as page numbers do. */
class Repeated {
  private readonly units: readonly Unit[];
  private readonly ends: readonly PageEnd[];
  private readonly step: 1 | -1;
  private readonly data: ReadonlySet<number>;
  private readonly numbers: ReadonlySet<number>;
  private readonly repeated = new Map<string, Numbers>();

  constructor(
    units: readonly Unit[],
    ends: readonly PageEnd[],
    step: 1 | -1,
    data: ReadonlySet<number>,
    numbers: ReadonlySet<number>,
  ) {
    this.units = units;
    this.ends = ends;
    this.step = step;
    this.data = data;
    this.numbers = numbers;
    const places = new Map<string, number[]>();
    const texts = new Map<string, string[]>();
    for (const [k, end] of ends.entries()) {
      for (const i of this.reach(k, end)) {
        const unit = units[i]!;
        if (numbers.has(i)) continue;
        // Text after the end of a page's text is not at its edge.
        const key = this.keyOf(unit);
        if (key === null) break;
        const found = places.get(key);
        if (!found) {
          places.set(key, [k]);
          texts.set(key, [unit.text]);
        } else if (found.at(-1) !== k) {
          found.push(k);
          texts.get(key)!.push(unit.text);
        }
      }
    }
    const numbered = pageNumberEnds(units, ends, numbers);
    for (const [key, found] of places) {
      // Most lines are there once.
      if (found.length < LEAST_CONTINUED) continue;
      const span = found.at(-1)! - found[0]! + 1;
      const typical = TYPICAL.test(key);
      const often = typical
        ? found.length >= (CONTINUED.test(key) ? LEAST_CONTINUED : LEAST_TYPICAL)
        : found.length >= LEAST_REPEATS && found.length >= span * DENSITY;
      const onMost = found.length >= LEAST_OF_MOST && found.length >= ends.length * MOST && !SENTENCE.test(key);
      if (!often && !onMost) continue;
      const apart = found.filter((k) => numbered.has(k)).length * 2 >= found.length;
      if (!typical && step > 0 && this.begins(found, key)) continue;
      const usual = typical ? [] : usualNumbers(texts.get(key)!, !apart);
      if (usual) this.repeated.set(key, usual);
    }
  }

  /**
   * Whether a title begins a text of its own on each of its pages, as on letters of the same wording: no sentence runs over from the page before.
   * Running headers interrupt some.
   */
  private begins(found: readonly number[], key: string): boolean {
    return found.every((k) => {
      const end = this.ends[k]!;
      let [title, after] = [false, false];
      for (const i of this.reach(k, end)) {
        const unit = this.units[i]!;
        if (this.keyOf(unit) === key) title = isTitle(unit);
        else if (title && unit.letters > 0) {
          after = !/^[a-z]/.test(unit.text);
          break;
        }
      }
      const above = this.lastProse(end.above);
      return title && after && (above === null || SENTENCE_OVER.test(above.text));
    });
  }

  /** The last line of a page, if it is one of a paragraph. */
  private lastProse(from: number): Unit | null {
    for (let i = from; i > from - REACH && i >= 0; i--) {
      const unit = this.units[i]!;
      if (this.numbers.has(i) || unit.letters === 0) continue;
      return unit.cells === 1 && unit.letters >= LEAST_PROSE && !this.data.has(unit.line.table) ? unit : null;
    }
    return null;
  }

  /** Units at this side of an end, the nearest first, no farther than the next end. */
  *reach(k: number, end: PageEnd): Generator<number> {
    const { ends, step, units } = this;
    const limit = step > 0 ? (ends[k + 1]?.above ?? units.length - 1) : (ends[k - 1]?.below ?? 0);
    const from = step > 0 ? end.below : end.above;
    for (let n = 0, i = from; n < REACH && (step > 0 ? i <= limit : i >= limit) && i >= 0; n++, i += step) yield i;
  }

  isRepeated(unit: Unit): boolean {
    const key = this.keyOf(unit);
    const usual = key === null ? undefined : this.repeated.get(key);
    if (!usual) return false;
    const numbers = usual.length > 0 ? numbersOf(unit.text) : [];
    return usual.every((value, place) => value === null || value === numbers[place]);
  }

  private keyOf(unit: Unit): string | null {
    if (unit.key === undefined) unit.key = this.mayRepeat(unit) ? keyOf(unit.text) : null;
    return unit.key;
  }

  private mayRepeat({ text, letters, line, cells }: Unit): boolean {
    return (
      letters > 0 &&
      text.length <= LONGEST_FURNITURE &&
      cells <= 6 &&
      !this.data.has(line.table) &&
      !AMOUNT.test(text) &&
      !SENTENCE_END.test(text) &&
      !NOTHING_TO_REPORT.test(text)
    );
  }
}

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+[a-c]?(?![a-z])/g, '#')
    .replace(/^(\W*part\s+)(?:i{1,3}|iv)\b/, '$1#')
    .replace(/\s+/g, ' ')
    .trim();
}
