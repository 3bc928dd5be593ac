/**
 * Sections of an annual report to shareholders, Exhibit 13 of a 10-K: management's discussion, the financial statements, selected
 * data, the market for the stock and market risk, by their headings. Items have no numbers there.
 */
import type { DocumentLines, Line } from '../lines/lines.ts';
import { isUpper } from '../lines/title-case.ts';
import { type HeadingKind, type ReportHeading, readHeading } from './annual-report-headings.ts';

interface ReportSection {
  /** Code of the 10-K item. */
  code: string;
  heading: string;
  /** Positions in the source. */
  start: number;
  end: number;
}

/** The item of a heading; null if it begins no item. */
const ITEM_OF: Readonly<Record<HeadingKind, string | null>> = {
  '7': '7',
  '7A': '7A',
  '6': '6',
  '5': '5',
  statement: '8',
  notes: '8',
  statements: '8',
  report: '8',
  quarterly: '8',
  controls: '9A',
  other: null,
};

/** A heading with the text under it, up to the next heading. */
export interface Block {
  heading: ReportHeading;
  item: string | null;
  /** Lines from the heading to the next one. */
  from: number;
  to: number;
  letters: number;
  digits: number;
}

/** Stretches of blocks of one item, with weaker ones between them. */
interface Stretch {
  item: string;
  blocks: Block[];
  from: number;
  to: number;
  letters: number;
}

/** Minimum letters under a heading. A line of a table of contents has fewer. */
const LEAST_LETTERS = 150;
/** Minimum letters about market risk, or the market for the stock. A reference has fewer. */
const LEAST_RISK = 500;
/** Minimum letters of a discussion, and of statements with notes. A reference or summary has fewer. */
const LEAST_DISCUSSION = 1_500;
const LEAST_DIGITS = 60;
/** Minimum digits of the statements of a whole report. */
const LEAST_FIGURES = 1_500;

/** The sections in their order in the report. An item without its own heading gives none. */
export function readAnnualReport(document: DocumentLines): ReportSection[] {
  const { lines } = document;
  const blocks = withContent(blocksOf(lines));
  const found: ReportSection[] = [];
  const add = (code: string, block: Block, to: number) =>
    found.push({ code, heading: block.heading.text, start: lines[block.from]!.start, end: endAt(document, to) });
  const isPartOf = (block: Block, whole: Block) => block.item === '7A' && !isSetAlike(lines, block, whole);
  const discussion = longest(stretchesOf(blocks, '7', isPartOf), ({ letters }) => letters >= LEAST_DISCUSSION);
  if (discussion) add('7', discussion.blocks[0]!, discussion.to);
  const statements = longest(
    stretchesOf(blocks, '8', () => false),
    (stretch) => hasStatements(stretch),
  );
  if (statements) add('8', statements.blocks[0]!, statements.to);
  for (const item of ['6', '5', '7A']) {
    const candidates = blocks.filter((one) => one.item === item);
    const block =
      candidates.find((one) => hasOfficialTitle(one) && isEnough(one)) ?? candidates.find((one) => isEnough(one));
    if (!block) continue;
    const isPart = discussion !== null && block.from < discussion.to && block.from > discussion.from;
    add(item, block, item === '7A' && isPart ? endOfRisk(lines, block, blocks) : endOfRun(blocks, block));
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether two headings look the same, so that neither is a part of the other's text. */
function isSetAlike(lines: readonly Line[], one: Block, other: Block): boolean {
  const [a, b] = [lines[one.from]!, lines[other.from]!];
  if (isUpper(a.text) !== isUpper(b.text)) return false;
  return a.typed ? a.indent === b.indent || a.pageBreak : a.format === b.format;
}

/** "Quantitative and qualitative disclosures": a short text under it is an answer. */
function hasOfficialTitle({ item, heading }: Block): boolean {
  return item === '7A' && /qua(?:nti|li)tative/i.test(heading.text);
}

function isEnough({ item, letters, digits }: Block): boolean {
  if (item === '7A') return letters >= LEAST_RISK;
  return digits >= LEAST_DIGITS || (item === '5' && letters >= LEAST_RISK);
}

function hasStatements({ blocks }: Stretch): boolean {
  const has = (wanted: HeadingKind) =>
    blocks.some(({ heading: { kind }, digits }) => kind === wanted && digits >= LEAST_DIGITS);
  const figures = blocks.reduce((sum, { digits }) => sum + digits, 0);
  return (has('statement') || has('statements')) && figures >= LEAST_FIGURES;
}

export function blocksOf(lines: readonly Line[]): Block[] {
  const headings: ReportHeading[] = [];
  for (let i = 0; i < lines.length; i++) {
    const heading = readHeading(lines, i);
    if (heading === null) continue;
    headings.push(heading);
    i = heading.lastLine;
  }
  return headings.map((heading, i) => {
    const to = headings[i + 1]?.line ?? lines.length;
    let letters = 0;
    let digits = 0;
    for (let at = heading.lastLine + 1; at < to; at++) {
      letters += lines[at]!.letters;
      digits += lines[at]!.digits;
    }
    return { heading, item: ITEM_OF[heading.kind], from: heading.line, to, letters, digits };
  });
}

/** Drops rows of tables of contents: headings without text whose kind occurs elsewhere too. Running headers of pages join their block. */
export function withContent(blocks: readonly Block[]): Block[] {
  const full = new Set(blocks.filter(isFull).map(({ heading }) => heading.kind));
  return blocks.filter((block, i) => {
    if (isFull(block)) return true;
    // Headings directly above another one of the same item are its beginning.
    let next = i + 1;
    while (blocks[next]?.item === block.item && !isFull(blocks[next]!)) next++;
    if (block.item !== null && blocks[next]?.item === block.item) return true;
    return !full.has(block.heading.kind) && block.item !== null;
  });
}

function isFull({ letters, digits }: Block): boolean {
  return letters >= LEAST_LETTERS || digits >= LEAST_DIGITS;
}

/** Maximum of text that may interrupt a discussion or statements that continue after it under their own heading. */
const WEAK: ReadonlySet<string | null> = new Set(['5', '6', '7A']);

/** @param isPartOf whether a block belongs to the text under the first heading of a stretch, and does not end it */
function stretchesOf(
  blocks: readonly Block[],
  item: string,
  isPartOf: (block: Block, whole: Block) => boolean,
): Stretch[] {
  const stretches: Stretch[] = [];
  let open: Stretch | null = null;
  /** Letters of weak blocks that the stretch includes if it continues after them. */
  let between = 0;
  for (const block of blocks) {
    if (block.item === item) {
      if (open === null) {
        open = { item, blocks: [], from: block.from, to: block.to, letters: 0 };
        stretches.push(open);
        between = 0;
      }
      open.blocks.push(block);
      open.to = block.to;
      open.letters += block.letters + between;
      between = 0;
    } else if (open !== null && isPartOf(block, open.blocks[0]!)) {
      open.to = block.to;
      open.letters += block.letters;
    } else if (open !== null && WEAK.has(block.item)) between += block.letters;
    else open = null;
  }
  return stretches;
}

function longest(stretches: readonly Stretch[], isFit: (stretch: Stretch) => boolean): Stretch | null {
  return stretches
    .filter(isFit)
    .reduce<Stretch | null>((best, one) => (best && best.letters >= one.letters ? best : one), null);
}

/** End of the blocks of the same item after a block. */
function endOfRun(blocks: readonly Block[], block: Block): number {
  let to = block.to;
  for (let i = blocks.indexOf(block) + 1; blocks[i]?.item === block.item; i++) to = blocks[i]!.to;
  return to;
}

/** Market risk is often a part of the discussion. It ends at the next heading with the same typography. */
function endOfRisk(lines: readonly Line[], block: Block, blocks: readonly Block[]): number {
  const to = endOfRun(blocks, block);
  const own = lines[block.from]!;
  for (let i = block.heading.lastLine + 2; i < to; i++) if (isSetLike(lines, i, own)) return i;
  return to;
}

function isSetLike(lines: readonly Line[], at: number, own: Line): boolean {
  const line = lines[at]!;
  if (line.text.length > 100 || line.letters < 4 || line.digits > 4 || /[.,;:]$/.test(line.text)) return false;
  if (isUpper(line.text) !== isUpper(own.text) || line.table !== 0) return false;
  if (!own.typed) return line.format === own.format && line.firstFormat === own.firstFormat && own.format !== 0;
  return line.apart && line.indent === own.indent && line.text.length < 60 && lines[at + 1]?.apart === true;
}

/** The end of the page before a heading's page, if there is little above the heading: a company's name, a page's header. */
export function endAt({ lines, source }: DocumentLines, line: number): number {
  if (line >= lines.length) return lines.at(-1)?.end ?? source.length;
  let at = line;
  for (let i = line; i > Math.max(0, line - 4); i--) {
    if (lines[i]!.text.length > 90) break;
    if (lines[i]!.pageBreak) at = i;
  }
  return lines[at]!.start;
}
