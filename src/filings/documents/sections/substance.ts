/**
 * The place of an item's substance, if that is not under its heading: statements behind the signatures, a discussion in an annual
 * report that is bound into the document. And the end of a discussion that runs on into the statements.
 */
import type { SectionKind, SectionReference } from '../../api/index.ts';
import type { DocumentLines, Line } from '../lines/lines.ts';
import { type Block, blocksOf, endAt, withContent } from './annual-report.ts';
import { readHeading } from './annual-report-headings.ts';
import { readPageMap } from './pages.ts';
import { signatureLine } from './signatures.ts';

/** A section, as far as its substance depends on it. */
interface PointingSection {
  section: string;
  /** The official title: Item 7 of a 10-KSB has the statements. */
  title: string;
  start_index: number;
  end_index: number;
  kind: SectionKind;
  by_reference: SectionReference | null;
}

/** Positions in the source. */
interface Substance {
  start: number;
  end: number;
}

/** What an item is about, of those that are followed. */
type Matter = 'discussion' | 'statements';

/** Digits of statements, of a whole set of them, and letters of a discussion. Less is a summary. */
const LEAST_FIGURES = 300;
const LEAST_DIGITS = 60;
/** Letters of an index of statements, and digits for each letter of a report. */
const LONGEST_INDEX = 1_000;
const REPORT_DENSITY = 0.08;
const LEAST_SET = 600;
const LEAST_DISCUSSION = 1_500;
/** Digits among the first letters and digits under a statement's name. Prose about the statement has fewer, and so have those of a shell. */
const LEAST_DENSITY = 0.12;
const LEAST_DENSITY_BEHIND = 0.05;
const DENSITY_SPAN = 1_000;

/**
 * For each section, by its place in the list, the place of its substance; null if that is the section as it is, or another document, or
 * if it isn't found. Sections on the discussion and on the statements only.
 */
export function readSubstances(document: DocumentLines, sections: readonly PointingSection[]): (Substance | null)[] {
  let blocks: Titled[] | null = null;
  const blocksOnce = () =>
    (blocks ??= withContent(blocksOf(document.lines)).map((block) => titled(document.lines, block)));
  const discussion = sections.find((one) => matterOf(one) === 'discussion' && hasText(one));
  const statements = sections.find((one) => matterOf(one) === 'statements');
  // Statements with an item of their own stand there.
  const runsOn =
    discussion !== undefined && (statements === undefined || !hasText(statements))
      ? statementsWithin(document, blocksOnce(), discussion)
      : null;
  return sections.map((section) => {
    const matter = matterOf(section);
    if (matter === null) return null;
    if (section === discussion) return runsOn && { start: section.start_index, end: runsOn.start };
    if (section.kind !== 'pointer_document' && section.kind !== 'pointer_exhibit') return null;
    if (matter === 'statements' && section.kind === 'pointer_document' && runsOn !== null) return runsOn;
    return follow(document, blocksOnce(), section, sections, matter);
  });
}

function hasText({ kind }: PointingSection): boolean {
  return kind === 'text' || kind === 'mixed';
}

/** The code under which an annual report to shareholders has an item on the discussion or the statements; null for other items. */
export function annualReportCode(section: string, title: string): '7' | '8' | null {
  const matter = matterOf({ section, title });
  return matter === null ? null : matter === 'discussion' ? '7' : '8';
}

function matterOf({ section, title }: Pick<PointingSection, 'section' | 'title'>): Matter | null {
  if (!/^(?:[5-8]|I-[12])$/.test(section)) return null;
  if (/^financial\s+statements/i.test(title)) return 'statements';
  return /^management.s\s+discussion/i.test(title) ? 'discussion' : null;
}

/** A heading with its text, and what it says of the item. */
interface Titled extends Block {
  /** Figures follow the name of a statement. */
  isStatement: boolean;
  /** A statement, a report on them, notes: not a schedule, nor prose on a statement. */
  isOfStatements: boolean;
}

function titled(lines: readonly Line[], block: Block): Titled {
  const { kind, text } = block.heading;
  const isSchedule = /\bschedules?\b/i.test(text);
  const named = kind === 'statement' || kind === 'statements';
  const density = named && !isSchedule && block.digits >= LEAST_DIGITS ? densityOf(lines, block) : 0;
  const isOfStatements = block.item === '8' && !isSchedule && (density >= LEAST_DENSITY_BEHIND || kind !== 'statement');
  return { ...block, isStatement: density >= LEAST_DENSITY, isOfStatements };
}

function densityOf(lines: readonly Line[], { heading, to }: Block): number {
  let letters = 0;
  let digits = 0;
  for (let i = heading.lastLine + 1; i < to && letters + digits < DENSITY_SPAN; i++) {
    letters += lines[i]!.letters;
    digits += lines[i]!.digits;
  }
  return digits / (letters + digits);
}

/** Lines from the first to behind the last. */
interface Range {
  from: number;
  to: number;
  /** The line of the first statement in it. */
  statement?: number;
}

function follow(
  document: DocumentLines,
  blocks: readonly Titled[],
  section: PointingSection,
  sections: readonly PointingSection[],
  matter: Matter,
): Substance | null {
  const { lines } = document;
  // Pages of an annual report are behind all that is the 10-K's own. Statements of this document may be among its exhibits, too.
  const last = Math.max(...sections.map(({ start_index }) => start_index));
  const own =
    section.kind === 'pointer_exhibit'
      ? sections
      : sections.filter((one) => !mayHoldStatements(one) && one.start_index < last);
  const behind = Math.max(section.end_index, section.kind === 'pointer_exhibit' ? endOfItems(document, sections) : 0);
  const free = blocks.filter(({ from }) => {
    const { start } = lines[from]!;
    return start >= behind && !own.some((one) => start >= one.start_index && start < one.end_index);
  });
  const range = matter === 'statements' ? statementsAmong(free) : discussionAmong(free);
  if (range === null) return null;
  const bounded = withinPages(lines, range, section.by_reference?.pages ?? null);
  const end = matter === 'statements' ? beforeSchedules(lines, bounded) : bounded.to;
  // A schedule on the parent company alone has statements, too, and an index and a report before them.
  if (range.statement !== undefined && end <= range.statement) return null;
  return { start: lines[bounded.from]!.start, end: endAt(document, end) };
}

/** Lists of exhibits run on into the statements that are filed with them. */
function mayHoldStatements({ section, kind, title }: PointingSection): boolean {
  return kind.startsWith('pointer') || /\bexhibits?\b/i.test(title) || section === '8';
}

/** The end of the last item, or the signatures in it. */
function endOfItems({ lines, source }: DocumentLines, sections: readonly PointingSection[]): number {
  const last = Math.max(...sections.map(({ start_index }) => start_index));
  const from = lines.findIndex(({ start }) => start >= last);
  return lines[signatureLine(lines, Math.max(from, 0))]?.start ?? source.length;
}

/** From the first report or statement to the end of the last one. A discussion may stand between them. */
function statementsAmong(blocks: readonly Titled[]): Range | null {
  // A list of statements has the years of each, but no statement.
  let first = blocks.findIndex(({ isStatement, heading }) => isStatement && heading.kind === 'statement');
  if (first < 0) first = blocks.findIndex(({ isStatement, digits }) => isStatement && digits >= LEAST_SET);
  if (first < 0) return null;
  let last = blocks.findLastIndex(({ isOfStatements }) => isOfStatements);
  // Headings of the notes name statements, too.
  while (blocks[last + 1]?.item === '8') last++;
  const figures = blocks.slice(first, last + 1).reduce((sum, one) => sum + (one.isOfStatements ? one.digits : 0), 0);
  if (figures < LEAST_FIGURES) return null;
  const statement = blocks[first]!.from;
  while (first > 0 && mayPrecede(blocks[first - 1]!)) first--;
  return { from: blocks[first]!.from, to: blocks[last]!.to, statement };
}

/** Reports and an index stand before the first statement. A list of exhibits, under the last row of an index, has many numbers. */
function mayPrecede({ item, isOfStatements, letters, digits }: Titled): boolean {
  return item === '8' && (letters <= LONGEST_INDEX || (isOfStatements && digits <= letters * REPORT_DENSITY));
}

/** The longest stretch that begins with a heading of the discussion, and ends where statements or another part begin. */
function discussionAmong(blocks: readonly Titled[]): Range | null {
  let best: (Range & { letters: number }) | null = null;
  for (let i = 0; i < blocks.length; i++) {
    if (blocks[i]!.item !== '7') continue;
    const from = i;
    let letters = 0;
    while (i < blocks.length && !blocks[i]!.isOfStatements && blocks[i]!.item !== null) letters += blocks[i++]!.letters;
    if (letters >= LEAST_DISCUSSION && letters > (best?.letters ?? 0)) {
      best = { from: blocks[from]!.from, to: blocks[i - 1]!.to, letters };
    }
  }
  return best;
}

const FIRST_RANGE = /^([a-z]{1,3}(?=[\s-]|\d))?\s?-?\s?(\d{1,3})(?:-(?:[a-z]{1,3}\s?-?\s?)?(\d{1,3}))?/i;

/** The pages that the item names, if they are found where its title is: the title may stand a page before or behind them. */
function withinPages(lines: readonly Line[], range: Range, named: string | null): Range {
  const match = FIRST_RANGE.exec(named ?? '');
  if (match === null || match[3] === undefined) return range;
  const behind = lines.slice(range.from - Math.min(range.from, LINES_BEFORE));
  const offset = lines.length - behind.length;
  const map = readPageMap(behind, (match[1] ?? '').toUpperCase());
  const [first, last] = [Number(match[2]), Number(match[3])];
  const from = map.firstLine(Math.max(1, first - 1)) ?? map.firstLine(first);
  const end = map.endLine(last);
  if (from === null || end === null || last < first) return range;
  const next = map.endLine(first + 1) ?? end;
  if (range.from < from + offset || range.from >= next + offset) return range;
  return { from: range.from, to: continued(lines, end + offset, range.to) };
}

/** Notes and statements that continue on the next page do not end, whatever page the item names. */
function continued(lines: readonly Line[], end: number, last: number): number {
  let at = end;
  while (at < last) {
    const head = lines.slice(at, at + LINES_OF_HEAD).map((_, k) => readHeading(lines, at + k));
    if (!head.some((one) => one?.continued && (one.kind === 'statement' || one.kind === 'notes'))) break;
    at++;
    while (at < last && !lines[at]!.pageBreak) at++;
  }
  return at;
}

/** A company's name, and a title. */
const LINES_OF_HEAD = 3;

/** Lines before a title on its page. */
const LINES_BEFORE = 200;

const SCHEDULE = /^(?:financial\s+statement\s+)?schedules?(?:\s+(?:[ivx]+|\d{1,2})\b|\s*$)/i;
const EXHIBITS = /^(?:index\s+(?:to|of)\s+)?exhibits?(?:\s+index)?\s*(?:\d|$)/i;

/** Statements end before a schedule, a list of exhibits and the signatures. */
function beforeSchedules(lines: readonly Line[], { from, to }: Range): Range['to'] {
  const end = signatureLine(lines, from, to);
  for (let i = from + 1; i < end; i++) {
    const { text, row } = lines[i]!;
    if (row === 0 && text.length <= 60 && (SCHEDULE.test(text) || EXHIBITS.test(text))) return i;
  }
  return end;
}

/** The statements that a discussion runs on into, up to its end; null if it doesn't. */
function statementsWithin(
  document: DocumentLines,
  blocks: readonly Titled[],
  section: PointingSection,
): Substance | null {
  const { lines } = document;
  const own = blocks.filter(({ from }) => {
    const { start } = lines[from]!;
    return start >= section.start_index && start < section.end_index;
  });
  let first = own.findIndex(({ isStatement }) => isStatement);
  if (first < 0) return null;
  const behind = own.slice(first);
  const figures = behind.reduce((sum, one) => sum + (one.item === '8' ? one.digits : 0), 0);
  const isSet =
    behind.filter(({ isStatement }) => isStatement).length >= 2 &&
    own.some(({ heading: { kind } }) => kind === 'notes' || kind === 'report');
  if (!isSet || figures < LEAST_SET || behind.some(({ item }) => item === '7')) return null;
  while (first > 0 && mayPrecede(own[first - 1]!)) first--;
  return { start: endAt(document, own[first]!.from), end: section.end_index };
}
