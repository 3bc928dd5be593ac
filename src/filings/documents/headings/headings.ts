/** The headings inside a document or a section, as an outline: level, place, and the heading above. */
import type { DocumentLines } from '../lines/lines.ts';
import { isTitleCase } from '../lines/title-case.ts';
import { type Candidate, candidatesOf, type Heading, NOTE } from './candidates.ts';
import { endsRisks, leadsRisks } from './risk-factors.ts';
import type { TypographyReader } from './typography.ts';

interface HeadingsOptions {
  /** Page numbers and running headers */
  left?: ReadonlySet<number>;
  /** Headings of sections, by the number of their line: they are at the top, whatever they look like. */
  tops?: ReadonlyMap<number, string>;
  /** If it was read with the lines */
  typography?: TypographyReader | undefined;
}

/** @returns in the order of the document */
export function headingsOf(
  document: DocumentLines,
  { left = new Set(), tops = new Map(), typography }: HeadingsOptions = {},
): Heading[] {
  const { lines, source } = document;
  const letters = new Float64Array(lines.length + 1);
  for (const [i, line] of lines.entries()) letters[i + 1] = letters[i]! + (left.has(i) ? 0 : line.letters);
  const marks: Mark[] = [];
  const own: number[] = [];
  let before = lines.length;
  for (const mark of joined(candidatesOf(document, left, typography), tops, lines.length).reverse()) {
    const below = marks[0];
    const until = (end: number) => letters[end]! - letters[Math.min(end, mark.runIn ? mark.first : mark.end)]!;
    const ownLetters = until(below?.first ?? lines.length);
    // A sentence in italics over nothing is a note.
    const isNote = ownLetters === 0 && mark.text.length >= LEAST_NOTE && mark.text.endsWith('.');
    // A list of titles has no paragraphs.
    const isListed = mark.listed && until(before) === 0;
    before = mark.first;
    if (isListed || (isNote && !isTitleCase(mark.text) && !((below?.prominence ?? 0) < mark.prominence))) continue;
    marks.unshift(mark);
    own.unshift(ownLetters);
  }
  const outline = outlineOf(marks, own);
  return outline.map(({ parent, level }, place) => {
    const mark = marks[place]!;
    let next = place + 1;
    while (next < outline.length && outline[next]!.level > level) next++;
    const endLine = marks[next]?.first ?? lines.length;
    return {
      text: mark.text,
      level,
      parent,
      line: mark.first,
      endLine,
      look: mark.look,
      bodyLine: mark.runIn ? mark.first : mark.end,
      start: lines[mark.first]!.start,
      end: lines[endLine]?.start ?? source.length,
      letters: own[place]!,
    };
  });
}

const LEAST_NOTE = 50;

/** A heading without a text of its own is above the next one. */
function outlineOf(marks: readonly Mark[], own: readonly number[]): { parent: number | null; level: number }[] {
  const prominence = prominenceOf(marks, own);
  const leads = marks.map(
    ({ look, text }, place) => look.startsWith('typed') && leadsRisks(text) && !endsRisks(marks[place + 1]?.text ?? ''),
  );
  const isOver = marks.map(
    ({ look }, place) => (own[place] === 0 || leads[place]!) && look !== 'section' && marks[place + 1]?.look === look,
  );
  const isOfItem = ofItem(marks);
  const first = (place: number) => marks[place + 1]?.text.toLowerCase();
  /** The title of the notes is above what has a number or looks like the first of them, however small it is. */
  const isNote = (place: number) => /^[^(]/.test(marks[place]?.text ?? '') && numberOf(marks[place]!.text) > 0;
  const isNoteUnder = (title: number, place: number) =>
    OF_NOTES.test(marks[title]!.text) &&
    marks[place]!.look !== 'section' &&
    // The next notes, and the name of the company again above them
    !OF_NOTES.test(marks[place]!.text) &&
    !stack.some((one) => marks[one]!.text === marks[place]!.text) &&
    (isNote(place)
      ? isNote(title + 1) || isNote(title + 2)
      : own[title]! < LEAST_NOTE && marks[place]!.look === marks[title + 1]!.look);
  const stack: number[] = [];
  /** Of each heading that is over others of its look: the first headings under those that are over others themselves. */
  const inner = new Map<number, Set<string | undefined>>();
  /** Titles that stood one after the other under the same heading. */
  const inTurn = new Set<string>();
  /** By look and number, the heading that stood above the last one with that number. */
  const numbered = new Map<string, number | undefined>();
  /** They head their table alone, and end nothing. */
  const captions = new Set<number>();
  return marks.map(({ look, text, overTable, announced }, place) => {
    const isAnnounced = overTable && (announced || (captions.has(place - 1) && marks[place - 1]!.look === look));
    const isBetween =
      marks[stack.at(-1)!]?.look !== look && stack.some((one) => marks[one]!.look === marks[place + 1]?.look);
    if (own[place]! > 0 && isAnnounced && isBetween) {
      captions.add(place);
      return { parent: stack.at(-1) ?? null, level: stack.length + 1 };
    }
    const number = numberOf(text);
    const hasWord = NOTE.test(text);
    const series = hasWord ? 'note' : /^\([a-z]\)/i.test(text) ? '()' : look;
    const above = numbered.get(hasWord ? series : `${series} ${number - 1}`);
    // The second of a series is beside the first, whatever stands between them.
    if (above !== undefined && stack.includes(above)) stack.length = stack.indexOf(above) + 1;
    const other = STATEMENTS.test(text) ? REPORT : REPORT.test(text) ? OF_NOTES : null;
    const beside = other === null ? -1 : stack.findIndex((one) => other.test(marks[one]!.text));
    if (beside >= 0) stack.length = beside;
    let before: number | undefined;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (prominence[top]! > prominence[place]! || isNoteUnder(top, place)) break;
      const isUnder = isOver[top] && marks[top]!.look === look;
      if (
        isUnder &&
        stack.length < DEEPEST &&
        !inTurn.has(`${marks[top]!.text}\n${text}`) &&
        (place === top + 1 ||
          !(leads[top]
            ? endsRisks(text)
            : isOver[place]
              ? !inner.get(top)?.has(first(place))
              : isOfItem[place] && !/\bbusiness\W*$/i.test(marks[top]!.text)))
      )
        break;
      before = stack.pop();
    }
    if (before !== undefined) inTurn.add(`${marks[before]!.text}\n${text}`);
    const parent = stack.at(-1) ?? null;
    if (number > 0 && parent !== null) numbered.set(hasWord ? series : `${series} ${number}`, parent);
    if (isOver[place] && parent !== null) inner.set(parent, (inner.get(parent) ?? new Set()).add(first(place)));
    stack.push(place);
    return { parent, level: stack.length };
  });
}

const OF_NOTES = /\bnotes to\b.*\bstatements\b/i;

/** Whether its item asks for a heading, and so it ends a group above it. */
function ofItem(marks: readonly Mark[]): boolean[] {
  return sectionsOf(marks).flatMap((part) => {
    const times = Map.groupBy(part, ({ text }) => text);
    const isBusiness = /\bbusiness\b/i.test(part[0]!.text);
    /** By look, from the end on: headings, and those of them that the item asks for. */
    const counts = new Map<string, [number, number]>();
    const reversed = part.toReversed().map(({ text, look }) => {
      const isOnce = times.get(text)!.length === 1;
      const isAsked = isBusiness && isOnce && OF_BUSINESS.test(text);
      const [all, asked] = counts.get(look) ?? [0, 0];
      counts.set(look, [all + 1, asked + Number(isAsked)]);
      // A subject of the whole business is one of a group, unless most of what follows are such subjects.
      const endsGroup = isAsked && asked > 0 && (asked + 1) * 3 >= (all + 1) * 2;
      return isOnce && (endsGroup || OF_DISCUSSION.test(text));
    });
    return reversed.reverse();
  });
}

/** The headings of each section, its own first. */
function sectionsOf(marks: readonly Mark[]): Mark[][] {
  const parts: Mark[][] = [];
  for (const mark of marks)
    if (mark.look === 'section' || parts.length === 0) parts.push([mark]);
    else parts.at(-1)!.push(mark);
  return parts;
}

/** Statements and notes are not a part of the auditor's report on them, nor that of the notes. */
const STATEMENTS = /^(?:notes to|(?:consolidated )?(?:statements? of|balance sheets?)\b)/i;
const REPORT = /^(?:reports? of\b|independent (?:public )?(?:auditor|accountant)s?\W{0,2}s?\W report)/i;

/** Of `2. Concrete`, `Note B`, `(iv)`: NaN without one. */
function numberOf(text: string): number {
  const [, number = ''] = /^(?:note )?\(?(\d{1,2}|[a-z])(?:[.):] ?| |--|[\u2013\u2014]|$)(?!\w\.)/i.exec(text) ?? [];
  return /\d/.test(number) ? Number(number) : number.toLowerCase().charCodeAt(0);
}

/** What Item 303 of Regulation S-K asks for: no part of something else. */
const OF_DISCUSSION =
  /^(?:results of operations|liquidity\b|critical accounting|off-balance|contractual obligations|recent(?:ly issued)? accounting)/i;

/** What Item 101 asks for, of the whole business. */
const OF_BUSINESS =
  /^(?:competit|employees|human capital|backlog|patents|intellectual property|research and development|raw materials|seasonal|environmental|(?:u\.s\. )?government|customers$|available information)/i;

/**
 * The prominence of each heading in its section. A look is higher there than by itself if headings that have it stand directly over
 * headings of another look more often than under them.
 */
function prominenceOf(marks: readonly Mark[], own: readonly number[]): number[] {
  let to = 0;
  return sectionsOf(marks).flatMap((part) => {
    const from = to;
    to += part.length;
    const raised = raisedLooks(part, own.slice(from, to));
    return part.map(({ look, prominence }) => prominence + (raised.get(look) ?? 0));
  });
}

/** What is added to the prominence of looks. */
function raisedLooks(marks: readonly Mark[], own: readonly number[]): Map<string, number> {
  const over = new Map<string, { above: Mark; below: Mark; times: number }>();
  const count = (above: Mark, below: Mark) => {
    if (above.look === below.look || above.look === 'section') return;
    const key = `${above.look} ${below.look}`;
    over.set(key, { above, below, times: 1 + (over.get(key)?.times ?? 0) });
  };
  const firsts = new Map<string, number>();
  /** By look and number, the place of the last heading that had it. */
  const numbered = new Map<string, number>();
  for (const [place, mark] of marks.entries()) {
    const { look, text } = mark;
    if (own[place] === 0 && place + 1 < marks.length) count(mark, marks[place + 1]!);
    if (!firsts.has(look)) firsts.set(look, place);
    const number = numberOf(text);
    const before = numbered.get(`${look} ${number - 1}`) ?? place;
    numbered.delete(`${look} ${number - 1}`);
    if (number > 0) numbered.set(`${look} ${number}`, place);
    // What stands between (c) and (d), and never above (a), is under (c), unless it comes there once.
    const inside = marks.slice(before + 1, Math.min(place, before + MOST_INSIDE));
    for (const one of inside)
      if (firsts.get(one.look)! > firsts.get(look)! && inside.some((other) => other !== one && other.look === one.look))
        count(mark, one);
  }
  const raised = new Map<string, number>();
  const of = ({ look, prominence }: Mark) => prominence + (raised.get(look) ?? 0);
  const pairs = [...over.values()].filter(
    ({ above, below, times }) =>
      times > (over.get(`${below.look} ${above.look}`)?.times ?? 0) &&
      (below.prominence - above.prominence <= ONE_MARK ||
        times * 2 >= marks.filter(({ look }) => look === above.look).length ||
        times > 1),
  );
  for (let round = 0; round < ROUNDS; round++)
    for (const { above, below } of pairs)
      if (of(above) <= of(below)) raised.set(above.look, of(below) - above.prominence + LEAST_STEP);
  return raised;
}

/** Deeper outlines are none: the cost of a page of titles must not exceed its length. */
const DEEPEST = 9;
/** Headings between two numbers: so many are compared. */
const MOST_INSIDE = 100;
/** Looks that are raised over each other. */
const ROUNDS = 3;
const LEAST_STEP = 0.25;
/** A look that has one mark less may be higher, even if it stands over the other only once. */
const ONE_MARK = 3;
type Mark = Omit<Candidate, 'block'>;

const NO_TABLE = { overTable: false, announced: false };
/** Above all that a document can look like. */
const TOP = 1000;

function joined(candidates: readonly Candidate[], tops: ReadonlyMap<number, string>, end: number): Mark[] {
  const isTop = ({ first, end }: Mark) => [...tops.keys()].some((line) => first <= line && line < end);
  const marks: Mark[] = candidates.filter((one) => !isTop(one));
  for (const [line, text] of tops) {
    const own = candidates.find(({ first, end }) => first <= line && line < end);
    const to = own && !own.runIn ? own.end : Math.min(end, line + 1);
    marks.push({
      first: line,
      end: to,
      text,
      prominence: TOP,
      look: 'section',
      runIn: false,
      listed: false,
      ...NO_TABLE,
    });
  }
  return marks.sort((a, b) => a.first - b.first);
}
