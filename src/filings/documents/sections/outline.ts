/**
 * The outline of an annual or quarterly report: the headings among the lines that name items. Each mark is scored by the text in
 * and around it. Then one pass over the marks finds the best chain in the order of the form.
 */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import type { DocumentLines, Line } from '../lines/lines.ts';
import { followLinks } from './contents-links.ts';
import { findContents } from './contents-lists.ts';
import { followIndex, type ReferencedItem } from './cross-reference.ts';
import { type Evidence, LEAST_SCORE, STRONG_SCORE, TITLE, weightOf } from './evidence.ts';
import { type ItemMark, readItemMark } from './item-headings.ts';
import { SMALL_TITLES, TITLES, titleLength } from './item-titles.ts';
import { numberedTitles, withTitleBefore } from './numbered-titles.ts';
import { nextPart, type PartMark, partAt, partBefore, partOfSection, readPart } from './parts.ts';
import { findRunningHeaders, type RunningHeader } from './running-headers.ts';
import { signatureLine } from './signatures.ts';
import { readTitleMarks, statementsTitle } from './title-headings.ts';

interface Verdict {
  mark: ItemMark;
  /** It is at the head of a page, like those on most pages; `repeated`: the mark before it names the same item. */
  header: RunningHeader | null;
  /** Without the title's score, which depends on the assumed item. */
  score: number;
  titleScore: number;
  evidence: Evidence[];
  contents: boolean;
}

interface OutlineEntry {
  codes: string[];
  mark: ItemMark;
  start: number;
  end: number;
}

export interface Outline {
  entries: OutlineEntry[];
  verdicts: Verdict[];
  taken: Set<Verdict>;
}

/** Finds the headings of a report's items and the end of each item. */
export function readOutline(document: DocumentLines, family: SectionFamily): Outline {
  const { lines, letters, firsts } = document;
  const marks: ItemMark[] = [];
  const parts: PartMark[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!MAY_BEGIN[firsts[i]!] || letters[i + 1]! - letters[i]! < LEAST_WORD) continue;
    const mark = marks.length < MOST_MARKS ? readItemMark(document, i, family) : null;
    if (mark) marks.push(withTitleBefore(document, mark, family));
    const part = readPart(lines, i);
    if (part) parts.push(part);
  }
  setOutsidersApart(marks);
  const known = parts.filter(({ own }) => !own);
  const worded = chooseHeadings(followLinks(document, marks, family), document, known, family);
  const chosen = chooseOthers(document, worded, known, family) ?? worded;
  addStatements(chosen, document, family);
  const { chain, verdicts } = chosen;
  const entries = withEnds(chain, verdicts, document, parts);
  addReferenced(entries, chosen, document, family);
  return { entries, verdicts, taken: new Set(chain.map((node) => node.verdict)) };
}

/** Quick: whether a line may begin with "Item", "Part" or "Table", or with marks. The text of most lines is never looked at. */
const MAY_BEGIN = Array.from({ length: 256 }, (_, code) => /[^a-z\d]|[ipt]/i.test(String.fromCharCode(code)));
const LEAST_WORD = 4;
/** Lines that name items: reports have some hundreds. */
const MOST_MARKS = 20_000;

interface Headings {
  marks: readonly ItemMark[];
  chain: Node[];
  verdicts: Verdict[];
  /** The rows of the longest list of items with page numbers. */
  index: readonly number[];
}

/**
 * Other ways to print headings are considered only if there are at most this many headings with the word "Item" at the line's
 * beginning, and accepted only if this many others are in order, management's discussion among them.
 */
const MOST_WORDED = 6;
const LEAST_OTHERS = { '10-K': 7, '10-Q': 4, '20-F': 7 };
const DISCUSSION = { '10-K': '7', '10-Q': 'I-2', '20-F': '5' };

/** Headings such as "1A. Risk Factors", "Risk Factors (Item 1A)" and "Risk Factors", if the report prints its items so; else null. */
function chooseOthers(
  document: DocumentLines,
  worded: Headings,
  parts: readonly PartMark[],
  family: SectionFamily,
): Headings | null {
  if (worded.marks.length >= MOST_MARKS) return null;
  // A table of contents without page numbers may be the only place with the word.
  const headings = isList(worded.chain, document.letters) ? [] : worded.chain;
  const choose = (others: readonly ItemMark[]): { chosen: Headings; found: Node[] } => {
    const lines = new Set(others.flatMap(({ line, lastLine }) => [line, lastLine]));
    const kept = worded.marks.filter((mark) => !lines.has(mark.line));
    const marks = [...kept, ...others].sort((a, b) => a.line - b.line);
    const chosen = chooseHeadings(marks, document, parts, family);
    const own = new Set(others);
    return { chosen, found: chosen.chain.filter((node) => own.has(node.verdict.mark)) };
  };
  // Links may lead to some items only, and heads of pages say "continued": a better reading of the headings counts.
  const own = headings.filter(({ verdict: { mark } }) => !mark.continued && !isMadeOfLink(mark));
  let numbered: Headings | null = null;
  let most = LEAST_OTHERS[family] - 1;
  for (const { marks, untitled } of own.length > MOST_WORDED ? [] : numberedTitles(document, family)) {
    const { chosen, found } = choose(marks);
    if (found.length <= most) continue;
    if (!found.some(({ verdict: { mark } }) => /^(?:management|operatingandfinancial)/.test(mark.words))) continue;
    // Titles in the filer's own words look like the others.
    const looks = new Set(found.map(({ verdict }) => lookOf(document.lines[verdict.mark.line]!)));
    const alike = untitled.filter(({ line }) => looks.has(lookOf(document.lines[line]!)));
    const all = choose([...marks, ...alike]);
    numbered = all.found.length > found.length ? all.chosen : chosen;
    most = found.length;
  }
  if (numbered !== null) return numbered;
  const second = family === '10-Q' && own.length > 0 && own.every(({ codes }) => codes[0]!.startsWith('II-'));
  if (own.length > MOST_WORDED && !second) return null;
  if (leadsByPages(worded, family) && itemsOfIndex(worded, document, family).length > 0) return null;
  const until = second ? own[0]!.verdict.mark.line : document.lines.length;
  const { chosen, found } = choose(readTitleMarks(document, family).filter(({ line }) => line < until));
  const codes = new Set(found.flatMap((node) => node.codes));
  // Many documents have titles like these. A report has management's discussion, and several others.
  if (!codes.has(DISCUSSION[family])) return null;
  if (!second && (found.length <= own.length || codes.size < LEAST_OTHERS[family])) return null;
  numberExhibits(chosen.chain);
  return chosen;
}

/** Letters of statements and notes, at least. */
const LEAST_STATEMENTS = 1500;

/** The statements of a quarterly report whose heading has no number: the title alone, between contents and Item 2. */
function addStatements(chosen: Headings, document: DocumentLines, family: SectionFamily): void {
  const { letters } = document;
  const { chain, verdicts } = chosen;
  const next = chain[0];
  if (family !== '10-Q' || next === undefined || next.codes[0] !== 'I-2' || next.verdict.mark.isPlace) return;
  const until = next.verdict.mark.line;
  const before = verdicts.filter(({ mark, contents }) => contents && mark.line < until).at(-1)?.mark.lastLine ?? -1;
  const mark = statementsTitle(document, before + 1, until);
  if (mark === null || letters[until]! - letters[mark.lastLine + 1]! < LEAST_STATEMENTS) return;
  const evidence: Evidence[] = ['alone', 'text', 'long'];
  const score = weightOf(evidence);
  const verdict: Verdict = { mark, header: null, score, titleScore: TITLE.agrees, evidence, contents: false };
  verdicts.splice(verdicts.indexOf(next.verdict), 0, verdict);
  chain.unshift({ verdict, codes: ['I-1'], total: 0, score, previous: null });
}

function lookOf({ format, firstFormat, row, indent }: Line): string {
  return `${format}/${firstFormat}/${row !== 0}/${indent}`;
}

/** Without a number of its own. */
function isMadeOfLink(mark: ItemMark): boolean {
  return mark.linkedTo !== undefined && mark.titleOf !== undefined;
}

/** Exhibits were Item 14 until the form had other items in front of them. */
function numberExhibits(chain: readonly Node[]): void {
  const last = chain.at(-1);
  if (!last?.verdict.mark.titleOf?.includes('14')) return;
  const later = new Set(['1A', '1B', '9A', '9B', '14']);
  if (!chain.some((node) => node.codes.some((code) => later.has(code)))) last.codes = ['14'];
}

/** Letters between two rows of a list: a PART heading. */
const MAX_ROW_GAP = 40;

/** Whether most headings of a chain have nothing under them. */
function isList(chain: readonly Node[], letters: readonly number[]): boolean {
  const bare = chain.filter((node, k) => {
    const next = chain[k + 1]?.verdict.mark.line;
    const { mark } = node.verdict;
    return next !== undefined && mark.tailLetters + letters[next]! - letters[mark.lastLine + 1]! <= MAX_ROW_GAP;
  });
  return chain.length > MOST_WORDED && bare.length >= chain.length * 0.7;
}

/** The best chain of headings among the marks. */
function chooseHeadings(
  marks: readonly ItemMark[],
  document: DocumentLines,
  parts: readonly PartMark[],
  family: SectionFamily,
): Headings {
  const { lines, letters } = document;
  const { contents, index } = findContents(marks, document, family);
  const headers = findRunningHeaders(marks, document, contents);
  const verdicts = marks.map((mark, k) => ({
    mark,
    score: 0,
    titleScore: 0,
    evidence: [] as Evidence[],
    contents: contents.has(k),
    header: headers.get(k) ?? null,
  }));
  const codes = SECTION_CODES[family];
  const position = new Map(codes.map((code, i) => [code, i]));
  const best: (Node | null)[] = codes.map(() => null);
  for (const [k, verdict] of verdicts.entries()) {
    const body = bodyLetters(marks, k, letters);
    judge(verdict, lines, body);
    // All readings of a line are scored before one counts: no heading follows itself.
    const nodes: { place: number; node: Node }[] = [];
    const options = optionsOf(verdict.mark, family, position, parts);
    verdict.titleScore = Math.max(0, ...options.map(({ score }) => score));
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
  return { marks, chain, verdicts, index };
}

/** Items with Roman numerals that make these the report's numbers. */
const LEAST_ROMANS = 5;

/** If items are numbered 1, 2, 3, an "Item X" is not the tenth but one outside the form's table. */
function setOutsidersApart(marks: readonly ItemMark[]): void {
  const romans = new Set(marks.filter(({ roman }) => roman).map((mark) => mark.number));
  if (romans.size >= LEAST_ROMANS || marks.length - romans.size < 3) return;
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

/** Letters between a heading and the next mark with another number. */
function bodyLetters(marks: readonly ItemMark[], k: number, letters: readonly number[]): number {
  const mark = marks[k]!;
  let next = k + 1;
  // Running headers repeat the number. A few of them are skipped, never more.
  while (next < marks.length && next < k + 40 && marks[next]!.number === mark.number) next++;
  const until = next < marks.length ? marks[next]!.line : letters.length - 1;
  return mark.tailLetters + Math.max(0, letters[until]! - letters[mark.lastLine + 1]!);
}

function judge(verdict: Verdict, lines: readonly Line[], body: number): void {
  const { mark, header, evidence } = verdict;
  const line = lines[mark.line]!;
  const previous = lines[mark.line - 1];
  evidence.push(mark.tail);
  if (mark.linkedTo) evidence.push(mark.isPlace ? 'place' : 'linked');
  if (verdict.contents) evidence.push('contents');
  else if (mark.pageNumber) evidence.push('paged');
  if (header) evidence.push(header);
  if (mark.continued) evidence.push('continued');
  if (mark.titleOnly) evidence.push(mark.titleOnly);
  if (isBehindWords(lines, mark.line)) evidence.push('behind');
  if (line.follows && previous && previous.letters >= LEAST_RUN_ON) evidence.push('within');
  if (body > 0) evidence.push('text');
  if (body > 400) evidence.push('long');
  verdict.score = weightOf(evidence);
}

/** Whether another cell with words is before it in its row: "Liquidity | Item 7. Management's Discussion". */
function isBehindWords(lines: readonly Line[], at: number): boolean {
  const { row, cell } = lines[at]!;
  const before = lines[at - 1];
  if (row === 0 || before?.row !== row || before.cell === cell) return false;
  return before.letters >= 4;
}

/** Letters of a line of typewritten prose that continues in the next one. */
const LEAST_RUN_ON = 30;

interface Option {
  codes: string[];
  /** Place of the first in the form's order. */
  place: number;
  score: number;
}

/** The sections whose heading a mark may be, and how well its words match each. */
function optionsOf(
  mark: ItemMark,
  family: SectionFamily,
  position: ReadonlyMap<string, number>,
  parts: readonly PartMark[],
): Option[] {
  const titles = TITLES[family];
  const part = family === '10-Q' ? partAt(parts, mark.line) : null;
  const inPart = (code: string) =>
    part === null ? 0 : (part === 2) === code.startsWith('II-') ? TITLE.part : -TITLE.part;
  if (mark.titleOf && mark.linkedTo)
    return [
      { codes: [...mark.titleOf], place: position.get(mark.titleOf[0]!)!, score: mark.isPlace ? 0 : TITLE.agrees },
    ];
  if (mark.titleOf)
    return mark.titleOf.map((code, i) => ({
      codes: [code],
      place: position.get(code)!,
      score: (i === 0 ? TITLE.agrees : TITLE.second) + inPart(code),
    }));
  const prefixes = family === '10-Q' ? ['I-', 'II-'] : [''];
  const options: Option[] = [];
  for (const prefix of prefixes) {
    const codes = mark.numbers.map((number) => prefix + number).filter((code) => position.has(code));
    if (codes.length === 0) continue;
    const agrees = titleLength(titles, codes[0]!, mark.words) > 0;
    const small = () => family === '10-K' && titleLength(SMALL_TITLES, codes[0]!, mark.words) > 0;
    const foreign = () => [...titles.keys()].some((code) => titleLength(titles, code, mark.words) > 0);
    const other = () => (foreign() ? TITLE.foreign : mark.words === '' ? TITLE.none : TITLE.unknown);
    const score = (agrees ? TITLE.agrees : small() ? TITLE.small : other()) + inPart(prefix);
    // A combined heading is at the place of its first item: "Items 1 and 2" comes before Item 1A.
    options.push({ codes, place: position.get(codes[0]!)!, score });
  }
  return options;
}

/** Headings out of the form's order. They are accepted if they can't be anything else. */
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
    if (taken.has(verdict) || verdict.contents || verdict.mark.tail !== 'alone') continue;
    // Before the first there are lists of items. Reports with titles alone often begin with management's discussion.
    if (verdict.mark.line < from && verdict.mark.titleOnly !== 'alike') continue;
    for (const option of optionsOf(verdict.mark, family, position, parts)) {
      const score = verdict.score + option.score;
      if (option.score < 4 || score < STRONG_SCORE || option.codes.some((code) => have.has(code))) continue;
      chain.push({ verdict, codes: option.codes, total: 0, score, previous: null });
      for (const code of option.codes) have.add(code);
    }
  }
  chain.sort((a, b) => a.verdict.mark.start - b.verdict.mark.start);
}

/** An index of items is used if the body has headings for fewer than this share of its items. */
const POOR_SHARE = 0.35;
/** Links to a larger share of them are followed, and not the pages. */
const LINKED_SHARE = 0.7;

/** Whether the pages of an index say more than headings and links. */
function leadsByPages({ index, marks, chain }: Headings, family: SectionFamily): boolean {
  const listed = new Set(index.map((k) => marks[k]!.number)).size;
  const printed = chain.filter(({ verdict }) => !isMadeOfLink(verdict.mark)).length;
  return listed >= LEAST_INDEX[family] && printed <= listed * POOR_SHARE && chain.length <= listed * LINKED_SHARE;
}

/** Adds the items that only an index leads to. */
function addReferenced(
  entries: OutlineEntry[],
  chosen: Headings,
  document: DocumentLines,
  family: SectionFamily,
): void {
  if (!leadsByPages(chosen, family)) return;
  const { lines, source } = document;
  const printed = entries.filter(({ mark }) => !isMadeOfLink(mark));
  entries.splice(0, entries.length, ...printed);
  const have = new Set(entries.flatMap((entry) => entry.codes));
  for (const item of itemsOfIndex(chosen, document, family)) {
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

const LEAST_INDEX = { '10-K': 8, '10-Q': 4, '20-F': 8 };

/** The items that the rows of an index lead to. */
function itemsOfIndex({ index, marks }: Headings, { lines }: DocumentLines, family: SectionFamily): ReferencedItem[] {
  const members = index.map((k) => marks[k]!);
  const last = members.at(-1)!.lastLine;
  let endOfIndex = last + 1;
  while (endOfIndex < lines.length && endOfIndex < last + 8 && lines[endOfIndex]!.row !== 0) endOfIndex++;
  return followIndex(lines, members, family, endOfIndex);
}

/** If an item of a combined heading also has its own heading, that one counts. */
function leaveToOwnHeadings(chain: readonly Node[]): void {
  const first = new Set(chain.map((node) => node.codes[0]!));
  for (const node of chain) node.codes = node.codes.filter((code, i) => i === 0 || !first.has(code));
}
function withEnds(
  chain: readonly Node[],
  verdicts: readonly Verdict[],
  document: DocumentLines,
  parts: readonly PartMark[],
): OutlineEntry[] {
  const { lines, letters, source } = document;
  const fifteen = chain.some((node) => node.codes.includes('15'));
  const breakers = verdicts.filter((verdict) => isBreaker(verdict, chain)).map((verdict) => verdict.mark.line);
  return chain.map((node, k) => {
    const { mark } = node.verdict;
    const next = chain[k + 1]?.verdict.mark.line;
    const breaker = breakers.find((line) => line > mark.lastLine && (next === undefined || line < next));
    let endLine = breaker ?? next ?? lines.length;
    endLine = signatureLine(lines, mark.lastLine + 1, endLine, next === undefined);
    endLine = headOfPage(node, chain[k + 1], verdicts, document, endLine);
    endLine = partBefore(parts, letters, mark.lastLine, endLine);
    endLine = nextPart(parts, document, partOfSection(node.codes[0]!, fifteen), mark.lastLine, endLine);
    return { codes: node.codes, mark, start: mark.start, end: lines[endLine]?.start ?? source.length };
  });
}
/** Letters at the head of a page, above a heading: the company's name, a link to the contents, part and item. */
const MAX_PAGE_HEAD = 160;
/** Letters between a running header and the heading: `PART III`. */
const MAX_BELOW_HEADER = 8;

/** If the page's running header stands directly above the next heading, the section before ends with the page before. */
function headOfPage(
  node: Node,
  next: Node | undefined,
  verdicts: readonly Verdict[],
  { lines, letters }: DocumentLines,
  endLine: number,
): number {
  if (next?.verdict.mark.line !== endLine) return endLine;
  const named = verdicts[verdicts.indexOf(next.verdict) - 1];
  if (named?.header !== 'above') return endLine;
  // A header may name the last item of its page: then the end of the item before stands between header and heading.
  if (letters[endLine]! - letters[named.mark.lastLine + 1]! > MAX_BELOW_HEADER) return endLine;
  let line = named.mark.line;
  while (line > node.verdict.mark.lastLine + 1 && !lines[line]!.pageBreak) line--;
  return lines[line]!.pageBreak && letters[endLine]! - letters[line]! <= MAX_PAGE_HEAD ? line : endLine;
}

/** A printed item outside the form's table, such as 4A or X, ends the item before it. */
function isBreaker(verdict: Verdict, chain: readonly Node[]): boolean {
  if (verdict.score < LEAST_SCORE) return false;
  return (
    /[A-Z]$/.test(verdict.mark.number) && !chain.some((node) => node.verdict.mark.numbers.includes(verdict.mark.number))
  );
}
