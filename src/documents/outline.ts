/**
 * The outline of an annual or quarterly report: which of the lines that name an item are its headings. All marks are scored by what stands in and
 * round them, then the best chain in the order of the form is chosen: one pass over the marks, whatever their number.
 */
import { SECTION_CODES, type SectionFamily } from '../contract/index.ts';
import { followIndex } from './cross-reference.ts';
import { type ItemMark, isPageNumber, readItemMark } from './item-headings.ts';
import { squeeze, TITLES, titleLength } from './item-titles.ts';
import { BOLD, besides, CENTER, type DocumentLines, type Line, UNDERLINE } from './lines.ts';

export interface Verdict {
  mark: ItemMark;
  /** It stands at the head of a page, as one does on most pages. */
  header: boolean;
  /** Without that of the title, which depends on the item it is taken for. */
  score: number;
  /** What the title adds at best. */
  titleScore: number;
  /** In words, each with its weight: `title +4`. */
  reasons: string[];
  contents: boolean;
}

export interface OutlineEntry {
  codes: string[];
  mark: ItemMark;
  start: number;
  end: number;
}

export interface Outline {
  entries: OutlineEntry[];
  verdicts: Verdict[];
  /** Verdicts that were taken. */
  taken: Set<Verdict>;
}

const LEAST_SCORE = 2;
const STRONG_SCORE = 6;
const RUNNING_HEADER = -2;

/** Finds the headings of a report's items and where each item ends. */
export function readOutline(document: DocumentLines, family: SectionFamily): Outline {
  const { lines } = document;
  const letters = sumLetters(lines);
  const marks: ItemMark[] = [];
  for (let i = 0; i < lines.length; i++) {
    const mark = readItemMark(document, i, family);
    if (mark) marks.push(mark);
  }
  setOutsidersApart(marks);
  const parts = findParts(lines);
  const { contents, index } = findContents(marks, lines, letters, family);
  const headers = findRunningHeaders(marks, lines, letters);
  const verdicts = marks.map((mark, k) => ({
    mark,
    score: 0,
    titleScore: 0,
    reasons: [] as string[],
    contents: contents.has(k),
    header: headers.has(k),
  }));
  const codes = SECTION_CODES[family];
  const position = new Map(codes.map((code, i) => [code, i]));
  const best: (Node | null)[] = codes.map(() => null);
  for (const [k, verdict] of verdicts.entries()) {
    const body = bodyLetters(marks, k, letters);
    judge(verdict, lines, body);
    // All that a line may be is weighed before any of it counts: no heading follows itself.
    const nodes: { place: number; node: Node }[] = [];
    const options = optionsOf(verdict.mark, family, position, parts);
    noteTitle(verdict, options);
    for (const option of options) {
      const score = verdict.score + option.score;
      if (score < LEAST_SCORE) continue;
      let previous: Node | null = null;
      for (let p = 0; p < option.place; p++) {
        const node = best[p]!;
        if (node && (!previous || node.total > previous.total)) previous = node;
      }
      const total = score + (previous?.total ?? 0);
      nodes.push({ place: option.place, node: { verdict, codes: option.codes, total, score, previous } });
    }
    for (const { place, node } of nodes) {
      const standing = best[place];
      if (!standing || node.total > standing.total) best[place] = node;
    }
  }
  let top: Node | null = null;
  for (const node of best) if (node && (!top || node.total > top.total)) top = node;
  const chain: Node[] = [];
  for (let node = top; node; node = node.previous) chain.push(node);
  chain.reverse();
  addOutOfOrder(chain, verdicts, family, position, parts);
  leaveToOwnHeadings(chain);
  const entries = withEnds(chain, verdicts, document, letters, parts);
  addReferenced(entries, index, marks, document, family);
  return {
    entries,
    verdicts,
    taken: new Set(chain.map((node) => node.verdict)),
  };
}

/** Where items are numbered 1, 2, 3, an "Item X" is not the tenth but one outside the form's table. */
function setOutsidersApart(marks: readonly ItemMark[]): void {
  const arabic = marks.filter((mark) => !mark.roman && mark.tail !== 'mention').length;
  if (arabic < 3) return;
  for (const mark of marks) {
    if (!mark.roman) continue;
    mark.number = 'X';
    mark.numbers = ['X'];
  }
}

interface Node {
  verdict: Verdict;
  codes: string[];
  total: number;
  score: number;
  previous: Node | null;
}

/** `sum[i]`: letters in the lines before line i. */
function sumLetters(lines: readonly Line[]): Float64Array {
  const sum = new Float64Array(lines.length + 1);
  for (let i = 0; i < lines.length; i++) sum[i + 1] = sum[i]! + lines[i]!.letters;
  return sum;
}

/** Letters between a heading and the next mark of another number. */
function bodyLetters(marks: readonly ItemMark[], k: number, letters: Float64Array): number {
  const mark = marks[k]!;
  let next = k + 1;
  // Running headers repeat the number: a few are passed over, never more than that.
  while (next < marks.length && next < k + 40 && marks[next]!.number === mark.number) next++;
  const until = next < marks.length ? marks[next]!.line : letters.length - 1;
  return mark.tailLetters + Math.max(0, letters[until]! - letters[mark.lastLine + 1]!);
}

function judge(verdict: Verdict, lines: readonly Line[], body: number): void {
  const { mark } = verdict;
  const weigh = (reason: string, weight: number) => {
    verdict.score += weight;
    verdict.reasons.push(`${reason} ${weight > 0 ? '+' : ''}${weight}`);
  };
  if (mark.tail === 'alone') weigh('stands alone', 2);
  else if (mark.tail === 'run-in') weigh('text runs on', 1);
  else if (mark.tail === 'own-words') weigh('own title', 1);
  else weigh('speaks of the item', -7);
  if (verdict.contents) weigh('table of contents', -8);
  else if (mark.pageNumber) weigh('a page number behind it', -1.5);
  if (verdict.header) weigh('running header', RUNNING_HEADER);
  if (mark.continued) weigh('continued', -3);
  if (mark.part) weigh('part of an item', -2);
  const line = lines[mark.line]!;
  if (line.format & (BOLD | UNDERLINE | CENTER) || line.firstFormat & (BOLD | UNDERLINE)) weigh('set apart', 1);
  const previous = lines[mark.line - 1];
  if (line.follows && previous && runsOn(previous, line)) weigh('a sentence runs into it', -4);
  if (body > 0) weigh('has text', 0.5);
  if (body > 400) weigh('has much text', 1);
}

/** For whoever asks why: what the title adds at best. */
function noteTitle(verdict: Verdict, options: readonly Option[]): void {
  if (options.length === 0) {
    verdict.reasons.push('no item of this form');
    return;
  }
  verdict.titleScore = Math.max(...options.map((option) => option.score));
  const words =
    verdict.titleScore >= 3 ? 'title agrees' : verdict.titleScore < 0 ? 'title of another item' : 'title unknown';
  verdict.reasons.push(`${words} ${verdict.titleScore < 0 ? '' : '+'}${verdict.titleScore}`);
}

/** In typewritten text: whether the line above is a line of prose that goes on here. */
function runsOn(previous: Line, line: Line): boolean {
  if (previous.letters < 30) return false;
  if (/^(?:part|item)\b/i.test(previous.text)) return false;
  return line.indent <= previous.indent + 4;
}

interface Option {
  codes: string[];
  /** Place of the first in the form's order. */
  place: number;
  score: number;
}

/** Which sections a mark may head, and how well its words agree with each. */
function optionsOf(
  mark: ItemMark,
  family: SectionFamily,
  position: ReadonlyMap<string, number>,
  parts: readonly PartMark[],
): Option[] {
  const titles = TITLES[family];
  const prefixes = family === '10-K' ? [''] : ['I-', 'II-'];
  const options: Option[] = [];
  for (const prefix of prefixes) {
    const codes = mark.numbers.map((number) => prefix + number).filter((code) => position.has(code));
    if (codes.length === 0 || !position.has(prefix + mark.number)) continue;
    const agrees = titleLength(titles, codes[0]!, mark.words) > 0;
    const foreign = !agrees && [...titles.keys()].some((code) => titleLength(titles, code, mark.words) > 0);
    let score = agrees ? 4 : foreign ? (family === '10-K' ? 1.5 : -3) : mark.words === '' ? 0.5 : 1;
    if (family === '10-Q') {
      const part = partAt(parts, mark.line);
      if (part !== null) score += (part === 2) === (prefix === 'II-') ? 1 : -1;
    }
    // A combined heading stands where its first item does: "Items 1 and 2" comes before Item 1A.
    options.push({ codes, place: position.get(codes[0]!)!, score });
  }
  return options;
}

/** Headings that stand out of the form's order: taken where they could not be anything else. */
function addOutOfOrder(
  chain: Node[],
  verdicts: readonly Verdict[],
  family: SectionFamily,
  position: ReadonlyMap<string, number>,
  parts: readonly PartMark[],
): void {
  if (chain.length < 3) return;
  const have = new Set(chain.flatMap((node) => node.codes));
  const taken = new Set(chain.map((node) => node.verdict));
  const from = chain[0]!.verdict.mark.line;
  for (const verdict of verdicts) {
    if (taken.has(verdict) || verdict.contents || verdict.mark.tail !== 'alone' || verdict.mark.line < from) continue;
    for (const option of optionsOf(verdict.mark, family, position, parts)) {
      const score = verdict.score + option.score;
      if (option.score < 4 || score < STRONG_SCORE || option.codes.some((code) => have.has(code))) continue;
      chain.push({ verdict, codes: option.codes, total: 0, score, previous: null });
      for (const code of option.codes) have.add(code);
    }
  }
  chain.sort((a, b) => a.verdict.mark.start - b.verdict.mark.start);
}

/** An index of items is followed where the body has headings for fewer than this share of its items. */
const POOR_SHARE = 0.35;

/** Adds the items that only an index leads to. */
function addReferenced(
  entries: OutlineEntry[],
  index: readonly number[],
  marks: readonly ItemMark[],
  document: DocumentLines,
  family: SectionFamily,
): void {
  const members = index.map((k) => marks[k]!);
  const listed = new Set(members.map((mark) => mark.number)).size;
  if (listed < (family === '10-K' ? 8 : 4) || entries.length > listed * POOR_SHARE) return;
  const { lines, source } = document;
  const last = members.at(-1)!.lastLine;
  let endOfIndex = last + 1;
  while (endOfIndex < lines.length && endOfIndex < last + 8 && lines[endOfIndex]!.row !== 0) endOfIndex++;
  const have = new Set(entries.flatMap((entry) => entry.codes));
  for (const item of followIndex(lines, members, family, endOfIndex)) {
    if (have.has(item.code)) continue;
    entries.push({
      codes: [item.code],
      mark: { ...item.mark, heading: item.heading },
      start: lines[item.startLine]!.start,
      end: lines[item.endLine]?.start ?? source.length,
    });
  }
  entries.sort((a, b) => a.start - b.start);
}

/** An item of a combined heading that has a heading of its own as well is that one. */
function leaveToOwnHeadings(chain: readonly Node[]): void {
  const first = new Set(chain.map((node) => node.codes[0]!));
  for (const node of chain) node.codes = node.codes.filter((code, i) => i === 0 || !first.has(code));
}

interface PartMark {
  line: number;
  part: number;
}

const PART = /^[^a-z0-9]{0,6}part\s*(?:no\.?\s*)?(i{1,3}|iv|[1-4])\b([\s\S]*)$/i;
const PART_TITLE = /^(?:(?:financial|other)information|continued|contd|of|and|information|registrant)*\d{0,3}$/;

/** Lines that are PART headings. */
function findParts(lines: readonly Line[]): PartMark[] {
  const parts: PartMark[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const code = line.text.charCodeAt(0) | 0x20;
    if (line.letters > 60 || line.letters < 4 || (code !== 0x70 && code > 0x60)) continue;
    const match = PART.exec(line.text);
    if (!match || !PART_TITLE.test(squeeze(match[2]!))) continue;
    const word = match[1]!.toLowerCase();
    parts.push({ line: i, part: /\d/.test(word) ? Number(word) : ['i', 'ii', 'iii', 'iv'].indexOf(word) + 1 });
  }
  return parts;
}

/** The part in force at a line: that of the last PART heading above it, null where there is none. */
function partAt(parts: readonly PartMark[], line: number): number | null {
  return parts[partIndex(parts, line + 1) - 1]?.part ?? null;
}

/** Letters that may stand above a running header: the company's name, a link to the contents, a PART heading. */
const MAX_ABOVE_HEADER = 80;
/** Share of the pages that show a mark at their head where these are running headers. */
const HEADED_SHARE = 0.6;
const LEAST_HEADED = 6;
const LEAST_PAGE_LETTERS = 150;

/** Marks at the head of pages, where most pages have one: they name what is on the page, often before its heading stands there. */
function findRunningHeaders(marks: readonly ItemMark[], lines: readonly Line[], letters: Float64Array): Set<number> {
  const headers = new Set<number>();
  let pages = 0;
  let pagesToLast = 0;
  let next = 0;
  let pageLetters = 0;
  for (let i = marks[0]?.line ?? lines.length; i < lines.length && next < marks.length; i++) {
    if (!lines[i]!.pageBreak) continue;
    // A rule and a page break in one place are one page's end.
    if (letters[i]! - pageLetters >= LEAST_PAGE_LETTERS && headers.size > 0) pages++;
    pageLetters = letters[i]!;
    while (next < marks.length && marks[next]!.line < i) next++;
    const mark = marks[next];
    if (!mark || letters[mark.line]! - letters[i]! > MAX_ABOVE_HEADER) continue;
    headers.add(next);
    pagesToLast = pages;
  }
  if (headers.size < LEAST_HEADED || headers.size < pagesToLast * HEADED_SHARE) headers.clear();
  return headers;
}

/** Letters that may stand between two rows of a table of contents: sub-headings of an item. */
const MAX_CONTENTS_GAP = 420;

/** Rows that make a table of contents where page numbers stand behind them, and where none do. */
const LEAST_PAGE_ROWS = 3;
const LEAST_BARE_ROWS = 5;

/** Letters of a remark in place of a page number. */
const MAX_REMARK = 40;
/** Letters that may stand in the entries under an item of a table of contents. */
const MAX_ENTRIES = 1500;

interface Run {
  members: number[];
  pageRows: number;
}

interface Contents {
  /** Marks that are rows of a table of contents, or of any list of items. */
  contents: Set<number>;
  /** The rows of the longest list with page numbers. */
  index: number[];
}

/** Tables of contents and lists of items: runs of marks in which little but page numbers stands between them. */
function findContents(
  marks: readonly ItemMark[],
  lines: readonly Line[],
  letters: Float64Array,
  family: SectionFamily,
): Contents {
  const candidates = [...marks.keys()].filter((k) => marks[k]!.tail !== 'mention');
  const contents = new Set<number>();
  const bare: Run[] = [];
  let index: number[] = [];
  for (const run of findRuns(candidates, marks, lines, letters, family)) {
    if (run.pageRows >= LEAST_PAGE_ROWS) {
      for (const k of run.members) contents.add(k);
      if (run.members.length > index.length) index = run.members;
    } else if (run.members.length >= LEAST_BARE_ROWS) bare.push(run);
  }
  // Headings may be stacked over one shared paragraph, as those of Part III often are. A list without page numbers is a table of contents only
  // where most of its items have another heading elsewhere.
  bare.sort((a, b) => b.members.length - a.members.length);
  const counts = new Map<string, number>();
  for (const k of candidates)
    if (!contents.has(k)) counts.set(marks[k]!.number, (counts.get(marks[k]!.number) ?? 0) + 1);
  for (const run of bare) {
    const within = new Map<string, number>();
    for (const k of run.members) within.set(marks[k]!.number, (within.get(marks[k]!.number) ?? 0) + 1);
    let elsewhere = 0;
    for (const [number, times] of within) if (counts.get(number)! > times) elsewhere += times;
    if (elsewhere * 2 <= run.members.length) continue;
    for (const k of run.members) contents.add(k);
    for (const [number, times] of within) counts.set(number, counts.get(number)! - times);
  }
  return { contents, index };
}

/** Runs of marks that look like the rows of one list; a few others may stand between. */
function findRuns(
  candidates: readonly number[],
  marks: readonly ItemMark[],
  lines: readonly Line[],
  letters: Float64Array,
  family: SectionFamily,
): Run[] {
  // A list names an item once, that of a quarterly report once in each part: what comes again begins something else.
  const mostOften = family === '10-K' ? 1 : 2;
  const runs: Run[] = [];
  const gaps = candidates.map((k, i) => {
    const next = candidates[i + 1];
    return next === undefined ? Number.POSITIVE_INFINITY : gapBetween(marks[k]!, marks[next]!, lines, letters);
  });
  const isRow = (i: number) =>
    marks[candidates[i]!]!.pageNumber ||
    gaps[i] === 0 ||
    (gaps[i]! <= MAX_ENTRIES && hasPagedEntries(marks[candidates[i]!]!, marks[candidates[i + 1]!]!, lines));
  let i = 0;
  while (i < candidates.length) {
    if (!isRow(i)) {
      i++;
      continue;
    }
    const seen = new Map<string, number>();
    const fits = (k: number) => {
      const { number } = marks[candidates[k]!]!;
      const times = (seen.get(number) ?? 0) + 1;
      seen.set(number, times);
      return times <= mostOften;
    };
    fits(i);
    let end = i;
    let others = 0;
    for (let j = i + 1; j < candidates.length && others <= 2; j++) {
      if (gaps[j - 1]! > MAX_CONTENTS_GAP && !isRow(j - 1)) break;
      if (!fits(j)) break;
      if (isRow(j)) {
        end = j;
        others = 0;
      } else others++;
    }
    // The last row of a list without page numbers looks like a heading: it belongs to the list while the numbers go on rising.
    // So do rows that say "Not applicable" in place of a page.
    for (let limit = MAX_CONTENTS_GAP; end + 1 < candidates.length && gaps[end]! <= limit; limit = MAX_REMARK) {
      // Outsiders such as "Item X" have no order: they end it.
      if (!(orderOf(marks[candidates[end + 1]!]!) > orderOf(marks[candidates[end]!]!))) break;
      end++;
    }
    const members = candidates.slice(i, end + 1);
    runs.push({ members, pageRows: members.filter((k) => marks[k]!.pageNumber).length });
    i = end + 1;
  }
  return runs;
}

/** Whether what stands between two marks is a list of entries with page numbers in their rows. */
function hasPagedEntries(mark: ItemMark, next: ItemMark, lines: readonly Line[]): boolean {
  let paged = 0;
  let others = 0;
  for (let i = mark.lastLine + 1; i < next.line && i < mark.lastLine + 120; i++) {
    const line = lines[i]!;
    const before = lines[i - 1]!;
    if ((besides(line, before) && isPageNumber(line, true)) || /(?:\.\s?){4,}\s*\d{1,3}$/.test(line.text)) paged++;
    else if (line.letters > 120) others += 2;
    else if (!besides(line, before)) others++;
  }
  return paged >= 1 && paged * 2 >= others;
}

function orderOf(mark: ItemMark): number {
  return Number.parseInt(mark.number, 10) * 32 + (mark.number.charCodeAt(mark.number.length - 1) & 0x1f);
}

/** Letters between two marks, those of PART headings not counted. */
function gapBetween(mark: ItemMark, next: ItemMark, lines: readonly Line[], letters: Float64Array): number {
  let left = mark.tailLetters + Math.max(0, letters[next.line]! - letters[mark.lastLine + 1]!);
  if (left === 0 || left > 60) return left;
  for (let i = mark.lastLine + 1; i < next.line; i++) if (PART.test(lines[i]!.text)) left -= lines[i]!.letters;
  return Math.max(0, left);
}

/** Letters that may stand between a PART heading and the item under it: "OTHER INFORMATION". */
const MAX_PART_TITLE = 80;

function withEnds(
  chain: readonly Node[],
  verdicts: readonly Verdict[],
  document: DocumentLines,
  letters: Float64Array,
  parts: readonly PartMark[],
): OutlineEntry[] {
  const { lines, source } = document;
  const breakers = verdicts.filter((verdict) => isBreaker(verdict, chain)).map((verdict) => verdict.mark.line);
  return chain.map((node, k) => {
    const { mark } = node.verdict;
    const next = chain[k + 1]?.verdict.mark.line;
    const breaker = breakers.find((line) => line > mark.lastLine && (next === undefined || line < next));
    let endLine = breaker ?? next ?? lines.length;
    if (next === undefined) endLine = Math.min(endLine, signatureLine(lines, mark.lastLine + 1));
    endLine = partBefore(parts, letters, mark.lastLine, endLine);
    const end = endLine < lines.length ? lines[endLine]!.start : source.length;
    return { codes: node.codes, mark, start: mark.start, end };
  });
}

/** The line of the PART heading over the heading at `endLine`, where one stands there and is no running header; else `endLine`. */
function partBefore(parts: readonly PartMark[], letters: Float64Array, from: number, endLine: number): number {
  let p = partIndex(parts, endLine) - 1;
  const last = parts[p];
  if (!last || last.line <= from || letters[endLine]! - letters[last.line + 1]! > MAX_PART_TITLE) return endLine;
  // Running headers repeat the part in force; a new part is another one than that.
  let line = endLine;
  while (
    p >= 0 &&
    parts[p]!.line > from &&
    parts[p]!.part === last.part &&
    letters[line]! - letters[parts[p]!.line + 1]! <= MAX_PART_TITLE
  ) {
    line = parts[p]!.line;
    p--;
  }
  return p >= 0 && parts[p]!.part === last.part ? endLine : line;
}

/** How many PART headings stand above `line`. */
function partIndex(parts: readonly PartMark[], line: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A printed item outside the form's table, such as 4A or X, ends the item before it. */
function isBreaker(verdict: Verdict, chain: readonly Node[]): boolean {
  // Where a page begins with it, it may be a running header, but the first of them is as good as its heading.
  const score = verdict.score + (verdict.header ? -RUNNING_HEADER : 0);
  if (chain.length === 0 || verdict.contents || score < LEAST_SCORE || verdict.mark.words === '') return false;
  return (
    /[A-Z]$/.test(verdict.mark.number) && !chain.some((node) => node.verdict.mark.numbers.includes(verdict.mark.number))
  );
}

/** The line of the SIGNATURES heading at or behind `from`; the number of lines where there is none. */
function signatureLine(lines: readonly Line[], from: number): number {
  let alone = -1;
  for (let i = from; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.letters < 9 || line.letters > 400) continue;
    const code = line.text.charCodeAt(0) | 0x20;
    if (line.letters <= 14 && (code === 0x73 || code < 0x60)) {
      const word = squeeze(line.text);
      if (/^signatures?(?:page)?$/.test(word)) {
        for (let j = i + 1; j < lines.length && j <= i + 8; j++) if (isSignatureText(lines[j]!)) return i;
        if (alone < 0) alone = i;
      }
    } else if (isSignatureText(line) && line.letters > 60) return alone >= 0 && i - alone < 40 ? alone : i;
  }
  return alone >= 0 ? alone : lines.length;
}

function isSignatureText(line: Line): boolean {
  return SIGNATURE_TEXT.test(line.text);
}

const SIGNATURE_TEXT =
  /^[^a-z]{0,6}(?:pursuant to the requirements? of\s+(?:the\s+)?(?:section|sections|securities|exchange)|in accordance with\s+(?:the requirements of\s+)?section\s+1[235]|.{0,160}has duly caused th)/i;
