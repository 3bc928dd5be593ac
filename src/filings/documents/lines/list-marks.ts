/** Marks of list items as a browser shows them: bullets, or numbers from the list's start in its style. */

/** What the tag of a list or item says of its marks. */
export interface ListMarks {
  /** Number of the first item of a list, or of this item; null if not stated. */
  number: number | null;
  /** `1`, `a`, `A`, `i` or `I`; null if not stated. */
  style: string | null;
}

/** An open list: the number of the next item; null for bullets. */
export interface OpenList {
  next: number | null;
  style: string;
}

const STYLES: Readonly<Record<string, string>> = {
  decimal: '1',
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

const NOTHING_STATED: ListMarks = { number: null, style: null };

/** @param tag the start tag of `ol` or `li` */
export function listMarks(tag: string): ListMarks {
  if (tag === '' || tag.length >= 2000) return NOTHING_STATED;
  const number = /\s(?:start|value)\s*=\s*["']?\s*(-?\d{1,6})\b/i.exec(tag)?.[1];
  const type = /\stype\s*=\s*["']?\s*([1aAiI])(?=["'\s/>])/.exec(tag)?.[1];
  const css = /list-style(?:-type)?\s*:[^;"']{0,40}?\b(decimal|(?:lower|upper)-(?:alpha|latin|roman))\b/i.exec(
    tag,
  )?.[1];
  return {
    number: number === undefined ? null : Number(number),
    style: (css && STYLES[css.toLowerCase()]) ?? type ?? null,
  };
}

export function nextMark(list: OpenList | undefined, item: ListMarks): string {
  if (!list || list.next === null) return '\u2022';
  const number = item.number ?? list.next;
  list.next = number + 1;
  return `${inStyle(number, item.style ?? list.style)}.`;
}

function inStyle(number: number, style: string): string {
  if (number < 1 || number > 3999 || style === '1') return String(number);
  const text = style.toLowerCase() === 'i' ? roman(number) : letters(number);
  return style === style.toUpperCase() ? text.toUpperCase() : text;
}

function letters(number: number): string {
  let text = '';
  for (let n = number; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(97 + ((n - 1) % 26)) + text;
  return text;
}

const ROMAN = 'm cm d cd c xc l xl x ix v iv i'.split(' ');
const VALUES = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

function roman(number: number): string {
  let text = '';
  let rest = number;
  for (const [k, value] of VALUES.entries()) for (; rest >= value; rest -= value) text += ROMAN[k]!;
  return text;
}
