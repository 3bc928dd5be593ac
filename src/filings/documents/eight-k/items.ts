/** Items of a current report: numbers from the body, the header as a hint, exhibits under the item that lists them. */
import {
  DOTTED_ITEMS_SINCE,
  type DocumentReference,
  EIGHT_K_ITEMS,
  EIGHT_K_ITEMS_BEFORE_2004,
  type EightKItem,
  type Exhibit,
  eightKItemTitle,
} from '../../api/index.ts';
import { type DocumentLines, type Line, linesOf } from '../lines/lines.ts';
import { squeeze } from '../sections/item-titles.ts';
import { signatureLine } from '../sections/signatures.ts';
import { describeExhibits, exhibitNumber } from './exhibit-index.ts';

export interface EightKInput {
  formType: string;
  /** YYYY-MM-DD */
  filingDate: string;
  /** The header's ITEM INFORMATION: words, numbers or nothing. */
  headerItems: readonly string[];
  /** Text of the main document, if available. */
  text: string | null;
  /** The text's lines, if it has been read: `readDocument` */
  lines?: DocumentLines | null;
  documents: readonly DocumentReference[];
}

interface ItemLine {
  items: string[];
  /** It is certainly a heading: the number is followed by the official title, or by nothing. */
  sure: boolean;
  line: number;
}

/**
 * The items of an 8-K in the order of the body, each once. Headings in the body decide. A line that may be a heading or a mention
 * counts if the header names the item too. If the body names no item, the header decides alone.
 */
export function eightKItems(input: EightKInput): EightKItem[] {
  const hinted = headerNumbers(input.headerItems, input.filingDate);
  const document = input.text === null ? null : linesOf(input.text, input.lines);
  const named = document ? withoutEmpty(bodyItems(document, input.filingDate), document, input, hinted) : [];
  const items: string[] = [];
  const places = new Map<string, number>();
  const namedIn = (item: string) => (!places.has(item) ? 'header' : hinted.includes(item) ? 'both' : 'body');
  for (const { items: numbers, sure, line } of named) {
    for (const number of numbers) {
      if (items.includes(number) || !(sure || hinted.includes(number))) continue;
      items.push(number);
      places.set(number, line);
    }
  }
  if (items.length === 0) items.push(...hinted);
  const listed = items.find(listsExhibits);
  const exhibits = exhibitsOf(input.documents, document, listed === undefined ? 0 : (places.get(listed) ?? 0));
  // The report lists exhibits without their own heading, and the header names the item.
  const lists = hinted.find(listsExhibits);
  if (exhibits.length > 0 && lists !== undefined && !items.some(listsExhibits)) items.push(lists);
  const owner = items.find(listsExhibits) ?? null;
  return items.map((item) => ({
    item,
    title: eightKItemTitle(item, input.filingDate),
    named_in: namedIn(item),
    ...placeIn(document, places, item),
    exhibits:
      owner === null ? mentionedExhibits(item, items, places, exhibits, document) : item === owner ? exhibits : [],
  }));
}

/** From the heading of an item to that of another, or to the signatures. */
function placeIn(document: DocumentLines | null, places: ReadonlyMap<string, number>, item: string) {
  const line = places.get(item);
  if (document === null || line === undefined) return { start_index: null, end_index: null };
  const { lines, source } = document;
  const behind = [...places.values()].filter((other) => other > line);
  const end = Math.min(...behind, signatureLine(lines, line + 1));
  return { start_index: lines[line]!.start, end_index: lines[end]?.start ?? source.length };
}

function listsExhibits(item: string): boolean {
  return item === '9.01' || item === '7';
}

const DOTTED: ReadonlySet<string> = new Set(EIGHT_K_ITEMS);
const BEFORE: ReadonlySet<string> = new Set(EIGHT_K_ITEMS_BEFORE_2004);

/** Words of headers that the form's own title doesn't begin with. */
const HEADER_WORDS: readonly (readonly [words: string, dotted: string | null, before: string | null])[] = [
  ['costassociatedwithexit', '2.05', null],
  ['costsassociatedwithexit', '2.05', null],
  ['shareholdernominations', '5.08', null],
  ['shareholderdirectornominations', '5.08', null],
  ['departureofdirectors', '5.02', null],
  ['acquisitionordispositionofassets', '2.01', '2'],
  ['completionofacquisition', '2.01', '2'],
  ['bankruptcyorreceivership', '1.03', '3'],
  ['changesinregistrantscertifyingaccountant', '4.01', '4'],
  ['changesincontrol', '5.01', '1'],
  ['resignationsofregistrantsdirectors', '5.02', '6'],
  ['financialstatements', '9.01', '7'],
  ['changeinfiscalyear', '5.03', '8'],
  ['regulationfd', '7.01', '9'],
  ['otherevents', '8.01', '5'],
  ['resultsofoperations', '2.02', '12'],
  ['materialimpairment', '2.06', null],
  ['amendmentstotheregistrantscodeofethics', '5.05', '10'],
  ['temporarysuspension', '5.04', '11'],
];

/** Item numbers of a header's lines. Lines without words, frequent until August 2004, name no item. */
function headerNumbers(lines: readonly string[], filingDate: string): string[] {
  const dotted = filingDate >= DOTTED_ITEMS_SINCE;
  const table = dotted ? EIGHT_K_ITEMS : EIGHT_K_ITEMS_BEFORE_2004;
  const found: string[] = [];
  for (const line of lines) {
    const number = /^\s*(?:item\s*)?(\d{1,2}(?:\.\d\d)?)\b/i.exec(line)?.[1];
    const words = squeeze(line);
    const item =
      number !== undefined
        ? table.find((known) => known === number)
        : words === ''
          ? undefined
          : (table.find((known) => sameTitle(squeeze(eightKItemTitle(known)!), words)) ??
            HEADER_WORDS.find(([start]) => words.startsWith(start))?.[dotted ? 1 : 2]);
    if (item && !found.includes(item)) found.push(item);
  }
  return found;
}

/** Details of titles changed over the years. The first 24 letters distinguish them. */
function sameTitle(title: string, words: string): boolean {
  const least = Math.min(24, title.length, words.length);
  return least >= 6 && title.slice(0, least) === words.slice(0, least);
}

/** Words with which a report says that it has nothing under an item. */
const NOTHING_REPORTED =
  '(?:(?:(?:these|this|such) items? )?(?:is|are|was|were|has been|have been) )?(?:omitted (?:as|because|since) (?:it is |they are )?)?(?:not (?:applicable|required|reported)(?: (?:at this time|to this (?:report|filing|registrant)))?|inapplicable|n\\s?/\\s?a\\b|n\\. ?a\\.|none\\b(?: (?:to report|reported))?|omitted|no response(?: (?:is )?required)?|(?:there (?:is|are|were) )?(?:nothing|no (?:events?|information|matters?))(?: (?:is|are))?(?: required)? to (?:be )?report(?:ed)?)';
/** Such words alone, or behind a title. */
const NOTHING = new RegExp(`(?:^|[.:;\\u2013\\u2014-])\\W*${NOTHING_REPORTED}\\W*$`, 'i');
const AFTER_ITEMS = /^\W*(?:signatures?\W*$|pursuant to the requirements? of)/i;
/** Letters behind "None." that may be a page's head or foot. */
const FURNITURE_LETTERS_MAX = 80;

/**
 * The lines without those under which nothing is reported: some reports have a heading for every item of the form, and "None." under
 * most. One that the header names counts, and so does the item that lists the exhibits.
 */
function withoutEmpty(
  named: readonly ItemLine[],
  { lines }: DocumentLines,
  { documents }: EightKInput,
  hinted: readonly string[],
): readonly ItemLine[] {
  const hasExhibits = documents.some(({ type }) => exhibitNumber(type) !== null);
  const counts = (item: string) => hinted.includes(item) || (hasExhibits && listsExhibits(item));
  const rest = named.filter(({ items, line }, k) => {
    const until = named[k + 1]?.line ?? lines.length;
    return items.some(counts) || !reportsNothing(lines.slice(line, until), items[0]!);
  });
  return rest.some(({ sure }) => sure) ? rest : named;
}

/** Whether the lines are the title of an item, "None.", and no more than the head and foot of a page. */
function reportsNothing(lines: readonly Line[], item: string): boolean {
  const at = lines.slice(0, 4).findIndex(({ text }) => NOTHING.test(text));
  if (at < 0) return false;
  const head = lines.slice(0, at + 1).map(({ text }, i) => (i === at ? text.replace(NOTHING, '') : text));
  const words = squeeze(head.join(' ').replace(ITEM_LINE, ''));
  if (words !== '' && words.length > squeeze(eightKItemTitle(item)!).length + 12) return false;
  let letters = 0;
  for (const line of lines.slice(at + 1)) {
    if (AFTER_ITEMS.test(line.text)) return true;
    letters += line.letters;
    if (letters > FURNITURE_LETTERS_MAX) return false;
  }
  return true;
}

const ITEM_LINE =
  /^[^a-z0-9]{0,8}(?:section\s*\d[^a-z]{0,6}[^;]{0,60}?)?i ?t ?e ?m ?s?[^a-z0-9]{0,8}(?:no\.?\s*)?(\d{1,2}(?:\s?\.\s?\d\s?\d)?)(?!\d)/i;
const MORE_ITEMS =
  /^(?:\s?\([a-z0-9]{1,3}\)){0,4}[^a-z0-9]{0,4}(?:and|&|,|;|\/|\u2013|-)?[^a-z0-9]{0,3}(?:and\s+)?(?:items?[^a-z0-9]{0,4})?(\d{1,2}\.\d\d)(?!\d)/i;
const MENTION =
  /^[^a-z0-9]*(?:\([a-z0-9]{1,3}\)[^a-z0-9]*)*(?:of\b|in\b|to\b|above\b|below\b|herein|hereof|hereto|is\b|are\b|was\b|were\b|shall\b|will\b|and in\b|under\b|on form\b|as\b|by\b|that\b|which\b|with respect\b|incorporated\b|pursuant\b|furnished\b|for\b|has\b|hereby\b|contain|disclosure under\b|disclosure in\b)/i;

/** "Items 1 through 4, 6 and 8 Not Applicable", "Item 3. None": numbers, followed by words that nothing is reported. */
const NOT_REPORTED = new RegExp(
  `^[^a-z0-9]{0,8}items?[^a-z0-9]{0,8}(?:no[s.]{0,2}\\s*)?\\d{1,2}(?:\\.\\d\\d)?(?:(?:[\\s,;&.\\u2013\\u2014-]|and|to|through|thru|items?){1,12}\\d{1,2}(?:\\.\\d\\d)?){0,12}(?:[^a-z0-9]{0,8}inclusive)?[^a-z0-9]{0,8}${NOTHING_REPORTED}`,
  'i',
);

function bodyItems({ lines }: DocumentLines, filingDate: string): ItemLine[] {
  const dotted: ItemLine[] = [];
  const before: ItemLine[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const code = line.text.charCodeAt(0) | 0x20;
    if (code > 0x60 && code !== 0x69 && code !== 0x73) continue;
    const found = readItemLine(lines, i);
    if (!found) continue;
    if (found.items[0]!.includes('.')) dotted.push(found);
    else before.push(found);
  }
  // The numbering of the other era counts only if a report uses nothing else.
  const [first, second] = filingDate >= DOTTED_ITEMS_SINCE ? [dotted, before] : [before, dotted];
  return first.length > 0 ? first : second;
}

function readItemLine(lines: readonly Line[], at: number): ItemLine | null {
  const line = lines[at]!;
  let text = line.text;
  // A number, or a title, in the next cell or the line below.
  for (let i = at + 1; i < lines.length && i < at + 4 && text.length < 90; i++) text += ` ${lines[i]!.text}`;
  const match = ITEM_LINE.exec(text);
  if (!match) return null;
  const number = match[1]!.replace(/\s/g, '');
  const known = number.includes('.') ? DOTTED : BEFORE;
  if (!known.has(number) || NOT_REPORTED.test(text)) return null;
  const items = [number];
  let rest = match[0].length;
  for (let k = 0; k < 8; k++) {
    const more = MORE_ITEMS.exec(text.slice(rest, rest + 40));
    if (!more || !DOTTED.has(more[1]!)) break;
    items.push(more[1]!);
    rest += more[0].length;
  }
  if (/^[\s]*["\u201c\u201d(]/.test(match[0])) return { items, sure: false, line: at };
  const after = text.slice(rest, rest + 160);
  const words = squeeze(after.replace(/^(?:[^a-z0-9]*\([a-z0-9]{1,3}\))+/i, ''));
  const titled = items.some((item) => sameTitle(squeeze(eightKItemTitle(item)!), words));
  const own = text.slice(rest, Math.max(rest, line.text.length));
  if (titled && !MENTION.test(after)) return { items, sure: true, line: at };
  if (MENTION.test(after)) return { items, sure: false, line: at };
  const bare = !/[a-z]/i.test(own);
  const heading = line.letters < 200 || /^\s*[.:\u2013\u2014-]/.test(after);
  const runsOn = line.follows && (lines[at - 1]?.letters ?? 0) > 30;
  return { items, sure: (bare || heading) && !runsOn, line: at };
}

/** The exhibits among the documents, with the descriptions of the exhibit index, or their own. */
function exhibitsOf(documents: readonly DocumentReference[], document: DocumentLines | null, from: number): Exhibit[] {
  const exhibits = documents.flatMap((reference) => {
    const number = exhibitNumber(reference.type);
    return number === null ? [] : [{ number, reference }];
  });
  const described = document
    ? describeExhibits(
        document,
        exhibits.map((exhibit) => exhibit.number),
        from,
      )
    : [];
  return exhibits.map(({ number, reference }, k) => ({
    exhibit: number,
    description: described[k] ?? reference.description,
    document_id: reference.document_id,
  }));
}

/** If no item lists exhibits: the exhibits that the item's own text names. */
function mentionedExhibits(
  item: string,
  items: readonly string[],
  places: ReadonlyMap<string, number>,
  exhibits: readonly Exhibit[],
  document: DocumentLines | null,
): Exhibit[] {
  const from = places.get(item);
  if (!document || from === undefined || exhibits.length === 0) return [];
  const next = items.map((other) => places.get(other) ?? 0).filter((line) => line > from);
  const first = document.lines[from]!;
  const last = document.lines[next.length > 0 ? Math.min(...next) : document.lines.length - 1]!;
  const text = document.source.slice(first.start, last.start).replace(/<[^>]*>|&nbsp;|&#160;/g, ' ');
  return exhibits.filter((exhibit) => {
    const number = exhibit.exhibit!.replace(/[^\w]/g, '\\$&');
    return new RegExp(`exhibits?\\s+(?:no\\.?\\s*)?(?:[\\d.]+\\s*(?:,|and)\\s*){0,4}${number}(?!\\d)`, 'i').test(text);
  });
}
