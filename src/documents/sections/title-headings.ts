/** Headings whose title comes first or alone: "Risk Factors (Item 1A)", "RISK FACTORS". */
import type { SectionFamily } from '../../api/index.ts';
import { BOLD, CENTER, type DocumentLines, type Line, UNDERLINE } from '../text/lines.ts';
import { hasPageNumber, type ItemMark } from './item-headings.ts';
import { codesTitled, squeeze, TITLES } from './item-titles.ts';

const BRACKETED = /^(.*?)[\s\u2013\u2014-]*[([]\s*items?\s*(\d{1,2})\s*\(?([a-c])?\)?[.:]?\s*[)\]][.:]?$/i;
const LONGEST_TITLE = 170;

/** Reads line `at` as a title followed by the item's number in brackets, or as that number alone below the title's line. */
export function readBracketedMark(document: DocumentLines, at: number): ItemMark | null {
  const { lines } = document;
  const last = lines[at]!;
  if (last.digits === 0 || last.text.length > LONGEST_TITLE + 20 || !/item/i.test(last.text)) return null;
  const match = BRACKETED.exec(last.text);
  if (!match) return null;
  const alone = squeeze(match[1]!) === '';
  const line = alone ? at - 1 : at;
  const title = alone ? lines[line]?.text : match[1]!;
  if (title === undefined || title.length > LONGEST_TITLE || !/[a-z]/i.test(title)) return null;
  return titleMark(document, line, at, `${Number(match[2])}${(match[3] ?? '').toUpperCase()}`, title);
}

/** Reads line `at` as the title of an item of an annual report, complete and set apart, with nothing else in the line. */
export function readTitleMark(document: DocumentLines, at: number, family: SectionFamily): ItemMark | null {
  const line = document.lines[at]!;
  if (family !== '10-K' || line.letters < 8 || line.letters > LONGEST_TITLE || line.digits > 2) return null;
  if (!(line.format & (BOLD | UNDERLINE | CENTER)) && !isCapital(line) && line.indent < 8) return null;
  const words = squeeze(line.text);
  const codes = codesTitled(TITLES[family], words).filter(({ length }) => length === words.length);
  // "Controls and Procedures" was Item 14 for a year, and is Item 9A since.
  const best = codes.find(({ code }) => /[A-C]$/.test(code)) ?? codes[0];
  if (!best) return null;
  return titleMark(document, at, at, best.code, line.text);
}

function isCapital({ text }: Line): boolean {
  return !/[a-z]/.test(text);
}

function titleMark({ lines }: DocumentLines, line: number, lastLine: number, number: string, title: string): ItemMark {
  const heading = line === lastLine ? lines[line]!.text : `${lines[line]!.text} ${lines[lastLine]!.text}`;
  return {
    line,
    lastLine,
    start: lines[line]!.start,
    number,
    numbers: [number],
    roman: false,
    part: false,
    words: squeeze(title).slice(0, 80),
    tail: 'alone',
    heading,
    pageNumber: hasPageNumber(lines, line, lastLine, title),
    continued: /\bcont(?:inued|['\u2019]?d)\b/i.test(heading),
    tailLetters: 0,
  };
}
