/**
 * Page numbers, running headers and footers, links to the contents: lines that pages repeat and readers ignore. They are found
 * over the whole document, so that a section of three lines is treated like one of thirty pages. A line is removed only if it
 * touches the end of a page.
 */
import { BOLD, besides, CENTER, LINK, type Line } from './lines.ts';
import { type Numbers, numbersOf, usualNumbers } from './repeated-numbers.ts';
import { squeeze } from './units.ts';

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
    const pages = { units, ends, data, numbers };
    const above = new Repeated(pages, -1);
    const below = new Repeated(pages, 1);
    for (const [k, end] of ends.entries()) {
      for (const side of [above, below]) {
        const head = side === below ? side.headOfContinued(k, end) : -1;
        let pending: Unit[] = [];
        for (const i of side.reach(k, end)) {
          const unit = units[i]!;
          if (i > head && !numbers.has(i) && !side.isRepeated(unit) && !furniture.has(unit)) break;
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
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!;
    at += unit.letters + 1;
    if (unit.digits === 0 || unit.text.length > 24 || data.has(unit.line.table)) continue;
    const { typed, indent } = unit.line;
    const match =
      PAGE_NUMBER.exec(unit.text) ?? (typed && indent >= LEAST_INDENT ? BRACKETED_NUMBER.exec(unit.text) : null);
    if (!match || (match[3] && !isMarked(units, i))) continue;
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
  // Pages of schedules and of short letters are too few for a series: `F-1`, `- 2 -`, or a number in the middle of a typewritten line.
  for (const { unit } of candidates) {
    const { line, text } = units[unit]!;
    const isMarked = !/^\(?\d+\W*$/.test(text) || (line.typed && line.apart && line.indent >= LEAST_INDENT);
    if (isMarked && units[unit + 1]?.line.pageBreak) found.add(unit);
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

/** The unit before a page's end and the one after the next's beginning. A number without a mark is an end itself. */
interface PageEnd {
  above: number;
  below: number;
}

const LEAST_ENDS = 6;

function pageEnds(units: readonly Unit[], numbers: ReadonlySet<number>): PageEnd[] {
  const ends: PageEnd[] = [{ above: -1, below: 0 }];
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!;
    if (unit.line.pageBreak) ends.push({ above: i - 1, below: i });
    else if (numbers.has(i) && !isMarked(units, i)) ends.push({ above: i - 1, below: i + 1 });
  }
  ends.push({ above: units.length - 1, below: units.length });
  return ends;
}

/** Parts and items at the head of pages: few pages may share one. */
const TYPICAL = /^\W*(?:part #|item #|page #|table of contents|index|form #|notes to .{0,40}financial statements)/i;
/** At the head of a page: what has this name began on another one. */
const CONTINUED = /(?:[([\u2013\u2014-]\s*|^\W*)cont(?:inued|['\u2019]d|\.)\s*[)\]]?\W*$/;
const LEAST_REPEATS = 10;
/** A line on this many pages is furniture. */
const LEAST_OF_MOST = 5;
const MOST = 0.4;
const LEAST_TYPICAL = 3;
/** Share of the page ends between a line's first and last at which it occurs. */
const DENSITY = 0.45;
/** The same of a line on fewer pages that stands within a sentence. */
const ON_EACH = 0.8;
/** The text of an item with nothing to report. */
const NOTHING_TO_REPORT =
  /^\W*(?:none|yes|no|not (?:applicable|required)|n\/a|inapplicable|omitted|\(?(?:removed and )?reserved\)?)\W*$/i;

/** Letters of a line of a paragraph. */
const LEAST_PROSE = 40;
const isProse = (one: Unit) => one.letters >= LEAST_PROSE && !isTitle(one);
/** Units at the head of a letter or a form, with its first sentences. */
const MOST_HEAD = 20;
/** Letters and digits of a title that is known again. */
const LEAST_SAID = 24;
/** Amounts and shares are data, though the words before them repeat. */
const AMOUNT = /[$\u20ac\u00a3]\s*\(?\d|\d\s*%/;

interface Pages {
  readonly units: readonly Unit[];
  readonly ends: readonly PageEnd[];
  readonly data: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
}

/** Words that repeat at the same side of page ends. Of their numbers only one may differ, as page numbers do. */
class Repeated {
  private readonly pages: Pages;
  private readonly step: 1 | -1;
  private readonly repeated = new Map<string, Numbers>();
  private first: Map<string, number> | null = null;

  constructor(pages: Pages, step: 1 | -1) {
    this.pages = pages;
    this.step = step;
    const { units, ends, numbers } = pages;
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
    for (const [key, found] of places) {
      // Most lines are there once.
      if (found.length < LEAST_TYPICAL) continue;
      const span = found.at(-1)! - found[0]! + 1;
      const typical = TYPICAL.test(key);
      const isOften = found.length >= LEAST_REPEATS && found.length >= span * DENSITY;
      const often =
        typical ||
        isOften ||
        (found.length >= LEAST_OF_MOST &&
          found.length >= span * ON_EACH &&
          found.some((k) => this.interrupts(ends[k]!, key)));
      const onMost = found.length >= LEAST_OF_MOST && found.length >= ends.length * MOST;
      if (!often && !onMost) continue;
      const apart = found.filter((k) => this.isNumbered(ends[k]!)).length * 2 >= found.length;
      if (!typical && step > 0 && this.begins(found, key)) continue;
      const usual = typical ? [] : usualNumbers(texts.get(key)!, !apart || /\bpage #$/.test(key));
      if (usual) this.repeated.set(key, usual);
    }
  }

  /** Whether a sentence begins above a line that repeats, and runs on below it. */
  private interrupts({ above, below }: PageEnd, key: string): boolean {
    const { units, data } = this.pages;
    const isText = (one: Unit) => isProse(one) && !data.has(one.line.table) && this.keyOf(one) !== key;
    const before = units.slice(Math.max(0, above - REACH), above + 1).findLast(isText);
    const after = units.slice(below, below + REACH).find(isText);
    return before !== undefined && /[a-z,]$/.test(before.text) && after !== undefined && /^[a-z]/.test(after.text);
  }

  private isNumbered({ above, below }: PageEnd): boolean {
    for (let i = above - REACH + 1; i < below + REACH; i++) if (this.pages.numbers.has(i)) return true;
    return false;
  }

  /** Whether most pages are alike below it: a letter or a form that is there many times; or statements, each with the name above it. */
  private begins(found: readonly number[], key: string): boolean {
    const { units, ends, data } = this.pages;
    const bodies = new Map<string, number>();
    for (const k of found) {
      const from = [...this.reach(k, ends[k]!)].find((i) => this.keyOf(units[i]!) === key)!;
      const page = units.slice(from, from + MOST_HEAD);
      const isFigures = (one: Unit) => data.has(one.line.table);
      const first = page.find((one) => isFigures(one) || isProse(one));
      if (first === undefined) continue;
      const words = isFigures(first) ? '' : page.findLast(isProse)!.text.slice(0, LEAST_PROSE);
      bodies.set(words, (bodies.get(words) ?? 0) + 1);
    }
    return Math.max(0, ...bodies.values()) * 2 > found.length;
  }

  /** Units at this side of an end, the nearest first, no farther than the next end. */
  *reach(k: number, end: PageEnd): Generator<number> {
    const { step } = this;
    const { ends, units } = this.pages;
    const limit = step > 0 ? (ends[k + 1]?.above ?? units.length - 1) : (ends[k - 1]?.below ?? 0);
    const from = step > 0 ? end.below : end.above;
    for (let n = 0, i = from; n < REACH && (step > 0 ? i <= limit : i >= limit) && i >= 0; n++, i += step) yield i;
  }

  /** The last line at the head of a page that says that it is continued, with the rule below it, if all above was said before; -1: none. */
  headOfContinued(k: number, end: PageEnd): number {
    const { units, numbers } = this.pages;
    const head = [...this.reach(k, end)];
    const is = (pattern: RegExp, i: number) => pattern.test(this.keyOf(units[i]!) ?? '');
    if (!head.some((i) => is(CONTINUED, i))) return -1;
    this.first ??= new Map(units.map((unit, i) => [wordsOf(unit), i] as const).reverse());
    let last = -1;
    for (const i of head) {
      const words = wordsOf(units[i]!);
      const isSaid = words === '' || numbers.has(i) || this.first.get(words) !== i || is(TYPICAL, i);
      if (is(CONTINUED, i) || (words === '' && last === i - 1)) last = i;
      else if (!isSaid) break;
    }
    return last;
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
      !this.pages.data.has(line.table) &&
      !AMOUNT.test(text) &&
      !NOTHING_TO_REPORT.test(text)
    );
  }
}

/** The first letters and digits: a title may take one line or two. */
const wordsOf = ({ text }: Unit) => squeeze(text.slice(0, LONGEST_FURNITURE), LEAST_SAID);

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+[a-c]?(?![a-z])/g, '#')
    .replace(/^(\W*part\s+)(?:i{1,3}|iv)\b/, '$1#')
    .replace(/\s+/g, ' ')
    .trim();
}
