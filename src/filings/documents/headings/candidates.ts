/** Which blocks look like headings, and how prominent each is. Nothing here knows what a heading says. */
import { decodeReferences } from '../../api/index.ts';
import { BOLD, CENTER, type DocumentLines, ITALIC, type Line, UNDERLINE } from '../lines/lines.ts';
import { isCapitals, isTitleCase } from '../lines/title-case.ts';
import { type Block, blocksOf, ESCAPE, isCentred, isCentredUnder } from './blocks.ts';
import { EMPHASIS, type Typography, type TypographyReader, typographyOf } from './typography.ts';

export interface Candidate {
  /** Its lines: `lines.slice(first, end)` */
  readonly first: number;
  readonly end: number;
  /** The block that it is, or begins. */
  readonly block: number;
  readonly text: string;
  /** The higher, the nearer to the top of the outline. */
  readonly prominence: number;
  /** Looks of one kind are equal. */
  readonly look: string;
  /** The paragraph continues in the same line. */
  readonly runIn: boolean;
  /** A bullet is before it. */
  readonly listed: boolean;
  /** A table of data is directly below it, and no paragraph before the next; the paragraph above may say so. */
  readonly overTable: boolean;
  readonly announced: boolean;
}

export interface Heading {
  readonly text: string;
  /** 1 is the highest. */
  readonly level: number;
  /** Place in the list of the heading above it; null at the top. */
  readonly parent: number | null;
  /** Its first line, and the first line after what it heads: `lines.slice(line, endLine)` */
  readonly line: number;
  readonly endLine: number;
  /** The first line after the heading itself; the same line if its paragraph runs on in it. */
  readonly bodyLine: number;
  /** Positions in the source: of the heading, and of the first character after what it heads */
  readonly start: number;
  readonly end: number;
  /** Letters that it heads before the next heading of any level. */
  readonly letters: number;
  /** Headings that look alike have the same. */
  readonly look: string;
}

/** Letters of a risk factor's heading, which may be two sentences. */
const LONGEST = 600;
const LONGEST_TYPED = 300;
/** Letters of a paragraph behind the heading that runs into it, unless the heading is shorter. */
const LEAST_RUN_IN = 40;
/** Source of a heading that runs into its paragraph, tags included. */
const LEAD_MAX = 4_000;
/** Share of a document's letters from which on a mark is that of its body. */
const OF_BODY = 0.5;
const ROWS_OF_DATA = 3;
/** Letters of a paragraph. */
const LEAST_PROSE = 120;

/** @param left page numbers, running headers */
export function candidatesOf(
  document: DocumentLines,
  left: ReadonlySet<number>,
  read: TypographyReader | undefined,
): readonly Candidate[] {
  const typography = typographyOf(document, read);
  const blocks = blocksOf(document, typography, left);
  const body = bodyOf(document.lines, typography);
  const data = dataTables(document.lines, blocks);
  const candidates: Candidate[] = [];
  for (const [k, block] of blocks.entries()) {
    const line = document.lines[block.first]!;
    if (data.has(line.table) && line.table !== 0) continue;
    const found = line.typed
      ? typedHeading(document, blocks, k)
      : (styledHeading(document, typography, body, block, left) ?? plainTitle(document, blocks, k));
    const listed = BULLET.test(block.text) || line.marker === '\u2022';
    if (found === null) continue;
    const { table } = document.lines[blocks[k + 1]?.first ?? block.first]!;
    // A second title, or the unit of the amounts
    const next = table === 0 && (blocks[k + 1]?.letters ?? LEAST_PROSE) < LEAST_PROSE / 2 ? k + 2 : k + 1;
    const overTable = !found.runIn && data.has(document.lines[blocks[next]?.first ?? block.first]!.table);
    const announced = overTable && announces(document.lines[(blocks[k - 1]?.end ?? 1) - 1]!.whole);
    candidates.push({ ...found, listed, overTable, announced, block: k, first: block.first });
  }
  return candidates.map((one, k) => {
    const below = one.overTable ? blocks.slice(one.block + 1, candidates[k + 1]?.block) : [];
    const isProse = ({ first, letters }: Block) => letters >= LEAST_PROSE && !data.has(document.lines[first]!.table);
    return { ...one, overTable: one.overTable && !below.some(isProse) };
  });
}

type Found = Omit<Candidate, 'block' | 'first' | 'listed' | 'overTable' | 'announced'>;

/** The last sentence before a table: `The following table shows …`, `… are as follows:` */
const ANNOUNCES =
  /\b(?:following (?:tables?|charts?|graphs?|schedules?)|tables? below)\b(?:(?!\. ).)*$|\b(?:follow(?:s|ing)|below):$/i;
const announces = (text: string) =>
  /^the following (?:table|chart|graph)s?\b/i.test(text) || ANNOUNCES.test(text.slice(-400));

interface Body {
  readonly size: number;
  /** Marks that most of the text has: they distinguish nothing. */
  readonly marks: number;
  readonly indent: number;
}

function bodyOf(lines: readonly Line[], typography: readonly Typography[]): Body {
  const sizes = new Map<number, number>();
  const indents = new Map<number, number>();
  const marks = [BOLD, UNDERLINE, ITALIC, CENTER];
  const marked = marks.map(() => 0);
  let letters = 0;
  for (const [i, line] of lines.entries()) {
    const { size, indent, emphasis } = typography[i]!;
    if (line.table !== 0 || line.letters === 0) continue;
    letters += line.letters;
    sizes.set(size, (sizes.get(size) ?? 0) + line.letters);
    if (line.letters > 100) indents.set(indent, (indents.get(indent) ?? 0) + line.letters);
    for (const [m, mark] of marks.entries())
      if ((mark === CENTER ? emphasis : line.format) & mark) marked[m]! += line.letters;
  }
  const most = (counts: ReadonlyMap<number, number>) =>
    [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0] as [number, number])[0];
  const usual = marks.reduce((sum, mark, m) => (marked[m]! > letters * OF_BODY ? sum | mark : sum), 0);
  return { size: most(sizes), marks: usual, indent: most(indents) };
}

/** Tables in which several rows have several cells and numbers, or none of several has a paragraph. */
function dataTables(lines: readonly Line[], blocks: readonly Block[]): Set<number> {
  const tables = Map.groupBy(blocks, ({ first }) => lines[first]!.table);
  const isData = ({ cells, digits }: Block) => cells > 2 || (cells === 2 && digits > 0);
  const isProse = ({ letters }: Block) => letters >= LEAST_PROSE;
  const found = [...tables].filter(
    ([table, rows]) =>
      table !== 0 && rows.length >= ROWS_OF_DATA && (!rows.some(isProse) || rows.filter(isData).length >= ROWS_OF_DATA),
  );
  return new Set(found.map(([table]) => table));
}

const BULLET = /^\s*(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6]|[\u2013\u2014*o-](?=\s))+\s*/;
const NOTHING =
  /^\W*(?:none|yes|no|not (?:applicable|required)|n\/a|omitted|\(?(?:removed and )?reserved\)?|continued)\W*$/i;
/** Captions of tables: `(in millions)`, `Years ended December 31,` */
const CAPTION =
  /^\(.*\)$|^(?:\(?dollars |in (?:thousands|millions)|(?:for the )?(?:fiscal |three |six |nine |twelve )*(?:years?|quarters?|months?) ended\b|(?:as of |at )?(?:january|february|march|april|may|june|july|august|september|october|november|december),? \d)|^(?:n\/?[am]|\*)\b|^\*/i;

/** The notes to the statements; their own headings often look the same. */
const NUMBERED = /^(?:note (?:\d{1,2}|[a-z])\b|\(?\d{1,2} ?[.)] |(?:[a-z]|[ivx]{2,4})\. (?!\w\.))/i;

/** `eBay`; `"Living Will" Requirements`, not a defined term alone. */
const QUOTED_OR_NAME = /^[ei][A-Z]|^["\u201c][A-Z][^"\u201d]*["\u201d] (?=[A-Z])/;

/** The title of a note may follow in other type. */
export const NOTE = /^note \d/i;
const MARKED = /^\W*(?:(?:item|note|part)\b|(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)]?\s)/i;
const lettersOf = (text: string) => text.replace(/[^A-Za-z]/g, '').length;

/** Whether words can be a heading, whatever they look like. */
function mayHead(text: string): boolean {
  const letters = lettersOf(text);
  return (
    letters >= 3 &&
    text.replace(/\D/g, '').length <= letters &&
    !/^\d{1,3}\.\d/.test(text) &&
    !/^[a-z(\u201c"$]/.test(text.replace(/^\([a-z0-9]{1,4}\)\s*/i, '').replace(QUOTED_OR_NAME, 'X')) &&
    !/(?:[,;]|\s["\u201c])$|[^.]\b(?:and|or|of|the|to|for|with|a|an|in)$/.test(text) &&
    !NOTHING.test(text) &&
    !CAPTION.test(text) &&
    !/\.{4,}|(?<!,)\s\d{1,3}(?:,\d{3})*$|\$ [-(]|^\d{1,2} [A-Z].{40,}\.$|(?:[\w.] ?\*|\{\d\}|[a-z]{3} ?\(\d\):?|[a-z]{3}\d)$|^\W*(?:by:|\/s\/)|^see\b|^the accompanying notes?\b|^[^\u201c"]+[\u201d"]\.?$/i.test(
      text,
    )
  );
}

function styledHeading(
  { source, lines }: DocumentLines,
  typography: readonly Typography[],
  body: Body,
  block: Block,
  left: ReadonlySet<number>,
): Found | null {
  if (block.cells > 3 || (block.cells > 1 && !MARKED.test(block.text))) return null;
  let [at, common, isWhole] = [-1, 0xff, true];
  for (let i = block.first; i < block.end; i++) {
    if (lines[i]!.letters === 0 || left.has(i)) continue;
    if (at < 0) at = i;
    common &= typography[i]!.common;
    isWhole &&= typography[i]!.leadEnd >= lines[i]!.end;
  }
  if (at < 0) return null;
  const line = lines[at]!;
  const look = typography[at]!;
  const lead = isWhole ? '' : readable(source.slice(line.start, look.leadEnd).slice(0, LEAD_MAX)).replace(BULLET, '');
  // An emphasised paragraph behind its title is not a part of the title.
  const isOverProse = /[.:]["\u201d]?$/.test(lead) && line.letters >= lettersOf(lead) + LEAST_PROSE;
  isWhole ||= (common & ~body.marks & EMPHASIS) !== 0 && block.letters <= LONGEST && !isOverProse;
  if (isWhole) {
    if (block.letters > LONGEST) return null;
    const text = block.text.replace(BULLET, '').trim();
    const found = prominenceOf(look, (common & ~CENTER) | (look.emphasis & CENTER), body, text, false);
    return found === null || text.length > LONGEST || !mayHead(text)
      ? null
      : { ...found, end: block.end, text, runIn: false };
  }
  if (block.cells > 1 || look.leadEnd >= line.end || look.leadEnd - line.start > LEAD_MAX) return null;
  const rest = readable(source.slice(look.leadEnd, line.end).slice(0, 400));
  if (!isLead(lead, rest) || line.letters < Math.min(2 * lead.length, lettersOf(lead) + LEAST_RUN_IN)) return null;
  const found = prominenceOf(look, look.emphasis & ~CENTER, body, lead, true);
  return found === null ? null : { ...found, end: at + 1, text: lead, runIn: true };
}

/** A short piece of a line without tags and references. */
function readable(piece: string): string {
  return decodeReferences(piece.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** `Competition.` before `The market …`, `Overview—` before a sentence. */
function isLead(lead: string, rest: string): boolean {
  if (lead.length > LONGEST || !mayHead(lead)) return false;
  if (/[.:!?\u2014\u2013-]["\u201d]?$/.test(lead)) return /^["\u201c(\u2014\u2013-]*\s*[A-Z0-9]/.test(rest);
  if (/^[.:\u2014\u2013]\s*["\u201c(]?[A-Z]/.test(rest) || /^-{1,2}\s*[A-Z]/.test(rest)) return true;
  return /[A-Za-z]$/.test(lead) && isTitleCase(lead) && lead.length <= 60 && SENTENCE.test(rest);
}

/** It begins with a capital and continues in small letters: the words before it don't belong to it. */
const SENTENCE = /^[A-Z][a-z]* (?:[A-Z\d][\w.,]* ){0,3}[a-z]/;

/** A sentence about what stands below it */
const POINTS = /\b(?:the following|(?:described|shown) below)\b.*[.:]["\u201d]?$/i;

/** @returns null if it looks like the body */
function prominenceOf(
  look: Typography,
  emphasis: number,
  body: Body,
  text: string,
  runIn: boolean,
): Pick<Candidate, 'prominence' | 'look'> | null {
  const marks = emphasis & ~body.marks;
  const larger = body.size > 0 ? Math.round((look.size / body.size - 1) * 20) / 2 : 0;
  const capitals = isCapitals(text);
  const bold = (marks & BOLD) !== 0;
  const underline = (marks & UNDERLINE) !== 0;
  const italic = (marks & ITALIC) !== 0;
  const center = (marks & CENTER) !== 0;
  const isTitle = center && text.length <= 120 && isTitleCase(text) && !text.endsWith('.');
  if (!bold && !underline && !italic && larger < 0.5 && !(capitals && text.length >= 4) && !isTitle) return null;
  if (runIn && !bold && !underline && !italic) return null;
  if (!runIn && POINTS.test(text) && !isTitleCase(text)) return null;
  // A note under a table or a picture.
  if (larger <= -0.5 && !bold && !underline && !capitals) return null;
  // The first line of a paragraph that it begins says nothing of its depth.
  const indent = look.indent - body.indent - (runIn ? look.firstLine : 0);
  const inner = Math.max(runIn ? 0 : -3, Math.min(3, Math.round(indent / 18)));
  const numbered = NUMBERED.test(text);
  const prominence =
    Math.max(-2, Math.min(6, larger)) * 3 +
    (bold ? 8 : 0) +
    (center ? 5 : 0) +
    (capitals ? 4 : 0) +
    (underline ? (bold ? 1 : 5) : 0) +
    (italic ? (bold || underline ? -2 : 3) : 0) -
    (center ? 0 : inner * 0.5) -
    (runIn && !NOTE.test(text) ? 12 : 0) +
    (numbered ? 1 : 0);
  return {
    prominence,
    look: [larger, bold, underline, italic, center, capitals, runIn, center ? 0 : inner, numbered].map(Number).join(),
  };
}

/** A paragraph without words */
const BLANK = /<(p|div)\b[^<>]*>(?:\s|&nbsp;|&#160;|<br[^<>]*>|<\/?(?:font|span)\b[^<>]*>)*<\/\1>/i;

/** Between two paragraphs, a short title without any mark: it is as prominent as the least prominent marked one. */
function plainTitle({ source, lines }: DocumentLines, blocks: readonly Block[], k: number): Found | null {
  const { text, cells, first, end } = blocks[k]!;
  const line = lines[first]!;
  const before = blocks[k - 1]?.text ?? '';
  const isTitle = line.table === 0 && cells === 1 && line.apart && line.marker === '' && text.length <= 60;
  if (!isTitle || !mayHead(text) || /[.:!?)]$|[[\u2610-\u2612]/.test(text)) return null;
  // A typewritten page may have an element for each line, and empty ones between paragraphs.
  const isSetOff = (at: number) =>
    blocks[at] !== undefined &&
    at > 0 &&
    BLANK.test(source.slice(lines[blocks[at - 1]!.end - 1]!.end, lines[blocks[at]!.first]!.start));
  const isAlone = isSetOff(k) && isSetOff(k + 1);
  if (!isTitleCase(text) && !(isAlone && /^[A-Z]/.test(text))) return null;
  let letters = 0;
  for (let at = k + 1; at < blocks.length && letters < 150; at++) {
    letters += blocks[at]!.letters;
    if (!isAlone || isSetOff(at + 1)) break;
  }
  const next = blocks[k + 1];
  if (!/[.:]["\u201d)]?$/.test(before) || next === undefined || letters < 150 || !lines[next.first]!.apart) return null;
  return { prominence: 3, look: 'plain', end, text, runIn: false };
}

/** What may stand far before a title */
const LABEL = /^(?:item\s+\S+|\S{0,5}[^A-Za-z\s]|[ivx]+)\s+/i;

/** A typewritten page has capitals, rules under a title, the middle of the page and blank lines only. */
function typedHeading({ source, lines }: DocumentLines, blocks: readonly Block[], k: number): Found | null {
  const block = blocks[k]!;
  const line = lines[block.first]!;
  const count = block.end - block.first - (block.ruled ? 1 : 0);
  const underline = (line.format & UNDERLINE) !== 0 || (line.format & BOLD) !== 0;
  const next = blocks[k + 1];
  // Underlined sentences may be longer; the heads of columns are too.
  const isLong = count > 4 || block.text.length > LONGEST_TYPED;
  if ((isLong && !(underline && block.text.endsWith('.'))) || block.text.length > LONGEST || next === undefined)
    return null;
  // Text of whole pages may stand within the tags of a table.
  const isProse = (one: Block | undefined) =>
    one !== undefined && one.end - one.first >= 3 && one.digits * 8 < one.letters;
  const isOverProse = isTitleCase(block.text) && (isProse(next) || (isProse(blocks[k + 2]) && isTitleCase(next.text)));
  if (line.table !== 0 && !block.ruled && !isOverProse) return null;
  const under = block.ruled ? underlined(lines, block) : null;
  const text = under ?? block.text.replace(BULLET, '').trim();
  if (!mayHead(text)) return null;
  // Columns of a table without tags.
  const isColumns = ({ start, end }: Line) => /\S {3,}\S/.test(source.slice(start, end).replace(LABEL, ''));
  // Of a sentence only the first line counts: the others may be justified.
  const own = lines.slice(block.first, block.text.endsWith('.') ? block.first + 1 : block.end);
  if (own.some(isColumns)) return null;
  // The head of a table's rows: `ASSETS`.
  const below = lines[block.end];
  if (!block.ruled && below?.follows && /\.{4,}|\S {3,}\S/.test(source.slice(below.start, below.end))) return null;
  const before = blocks[k - 1];
  if (!line.apart && !line.pageBreak && before && !isCentredUnder(lines[before.end - 1]!, line)) return null;
  const capitals = isCapitals(text);
  const title = isTitleCase(text.replace(/^\([a-z]\) /, '')) && text.length <= 140;
  const centered = isCentred(line);
  const ends = /[.!?]$/.test(text) && !/\b(?:inc|corp|co|ltd|u\.s)\.$/i.test(text);
  const hasBody = next.letters > 80 || next.end - next.first >= 2;
  const isSentence =
    /^[A-Z]/.test(text) &&
    !/:$|\b(?:following|below|above|shown|tables?)\b/i.test(text) &&
    hasBody &&
    !lines[next.first]!.pageBreak &&
    /[.!?:"\u201d)]$/.test(before?.text ?? '.');
  if (!capitals && !block.ruled && !underline && (ends || !(title || isSentence))) return null;
  const runIn = under !== null;
  // Small letters alone make no lower heading: `Principal products`.
  const asTitle = title || !ends;
  const isRuled = block.ruled || underline;
  const inner = centered ? 0 : Math.min(3, Math.floor(line.indent / 4));
  const prominence = (capitals ? 6 : 0) + (centered ? 4 : 0) + (isRuled ? 3 : 0) - (runIn ? 8 : 0) - inner * 0.5;
  const look = [capitals, centered, isRuled, asTitle, inner, runIn].map(Number).join();
  return { prominence, look: `typed ${look}`, end: block.end, text, runIn };
}

/** The underlined words at the beginning of a paragraph; null if a rule is under a whole heading. */
function underlined(lines: readonly Line[], { first, end }: Block): string | null {
  const { indent, text } = lines[end - 1]!;
  const line = lines[end - 2]!;
  const rule = text.replace(ESCAPE, '');
  if (lines[end]?.follows !== true || end - 2 !== first || line.text.length < rule.length + 10) return null;
  // Rules are often a character too long.
  const over = line.text.slice(0, indent + rule.length - line.indent + 1);
  return over.slice(0, -1).length === line.text.length ? null : over.replace(/(?<=\s)\S+$|\s$/, '').trim();
}
