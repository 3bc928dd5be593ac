/** What a tag means to a reader: where lines begin, typography, cells, marks of lists, links. */
import { type ListMarks, listMarks } from './list-marks.ts';
import { hides } from './visibility.ts';

/** The typography of text: bits of `Line.format`, for the whole line. */
export const BOLD = 1;
export const UNDERLINE = 2;
export const ITALIC = 4;
export const CENTER = 8;
export const LINK = 16;
/** Of a tag only: a page ends there. */
export const PAGE_BEFORE = 256;
export const PAGE_AFTER = 512;

/** What kind of block a tag begins or ends; 0: another one, or none. */
export const ITEM = 1;
export const LIST = 2;
export const TABLE = 3;
export const ROW = 4;
export const CELL = 5;
export const TYPED = 6;
export const PAGE = 7;
const ROLES = byName(
  [ITEM, 'li'],
  [LIST, 'ul ol'],
  [TABLE, 'table'],
  [ROW, 'tr'],
  [CELL, 'td th'],
  [TYPED, 'pre'],
  [PAGE, 'hr page'],
);

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br caption center dd dir div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol ' +
    'option p page pre section select table tbody td tfoot th thead title tr ul'
  ).split(' '),
);
/** Blocks with space above and below. */
const PARAGRAPHS: ReadonlySet<string> = new Set('p table ul ol dl h1 h2 h3 h4 h5 h6 blockquote pre hr'.split(' '));
export const FORMAT_TAGS = byName(
  [BOLD, 'b strong h1 h2 h3 h4 h5 h6'],
  [UNDERLINE, 'u'],
  [ITALIC, 'i em'],
  [CENTER, 'center'],
);
/** Tags that hold no text: their typography ends with them. */
const EMPTY: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

function byName(...meanings: readonly (readonly [meaning: number, names: string])[]): ReadonlyMap<string, number> {
  return new Map(meanings.flatMap(([meaning, names]) => names.split(' ').map((name) => [name, meaning] as const)));
}

export interface TagMeaning {
  block: boolean;
  paragraph: boolean;
  role: number;
  hides: boolean;
  /** Typography and page breaks */
  format: number;
  /** The typography holds up to the end tag. */
  formats: boolean;
  /** Columns of a table's cell */
  span: number;
  marks: ListMarks;
  /** The name under which links lead here, and the name to which a link leads. */
  anchor: string | null;
  to: string | null;
}

/** Facts of inline XBRL have ids of their own, thousands of them. */
const NAMED = /\s(?:id|name)\s*=\s*["']?([^"'\s>]+)/i;
const TO_ANCHOR = /\shref\s*=\s*["']?#([^"'\s>]+)/i;

/** @param written the tag; empty for an end tag */
export function meaningOf(name: string, written: string): TagMeaning {
  // Attributes of XBRL mean nothing to a reader, and each of its elements has its own.
  if (name.startsWith('ix:') && name !== 'ix:header' && !written.includes('style')) return NOTHING;
  const tag = written.length <= 6 ? '' : written;
  const isNamed =
    !name.includes(':') &&
    (tag.includes('id=') || tag.includes('name=') || tag.includes('NAME=') || tag.includes('ID='));
  const styled = tag !== '' && PROPERTY.test(tag);
  const format = (FORMAT_TAGS.get(name) ?? 0) | (styled ? styleOf(name, tag) : 0);
  return {
    anchor: isNamed ? (NAMED.exec(tag)?.[1] ?? null) : null,
    to: name === 'a' ? (TO_ANCHOR.exec(tag)?.[1] ?? null) : null,
    block: BLOCKS.has(name),
    paragraph: PARAGRAPHS.has(name),
    role: ROLES.get(name) ?? 0,
    hides: hides(name, styled ? tag : ''),
    format,
    formats: format !== 0 && !EMPTY.has(name),
    span: name === 'td' || name === 'th' ? spanOf(tag) : 1,
    marks: listMarks(name === 'ol' || name === 'li' ? tag : ''),
  };
}

const NOTHING = meaningOf('', '');

/** Columns that a cell's tag spans. */
function spanOf(tag: string): number {
  const at = tag.search(/colspan/i);
  if (at < 0) return 1;
  const span = Number.parseInt(/^colspan\s*=\s*["']?\s*(\d{1,3})/i.exec(tag.slice(at, at + 24))?.[1] ?? '1', 10);
  return Math.max(1, span);
}

/** Most tags have no word of these: the name of a property in each rule of `styleOf` and `hides`, and its value in each rule of `styleOf`. */
const PROPERTY = /weight|decoration|style|align|break-|display|href/i;
const VALUE = /bold|[6-9]00|underline|italic|center|always|page|href/i;

/** The typography of a tag's attributes. */
function styleOf(name: string, tag: string): number {
  let format = 0;
  if (tag.length >= 2000 || !VALUE.test(tag)) return format;
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(tag)) format |= BOLD;
  if (/text-decoration[a-z-]*\s*:[^;"']{0,40}underline/i.test(tag)) format |= UNDERLINE;
  if (/font-style\s*:\s*italic/i.test(tag)) format |= ITALIC;
  if (/text-align\s*:\s*center|align\s*=\s*["']?center/i.test(tag)) format |= CENTER;
  if (/page-break-before\s*:\s*always|break-before\s*:\s*page/i.test(tag)) format |= PAGE_BEFORE;
  if (/page-break-after\s*:\s*always|break-after\s*:\s*page/i.test(tag)) format |= PAGE_AFTER;
  if (name === 'a' && /\shref\s*=/i.test(tag)) format |= LINK;
  return format;
}
