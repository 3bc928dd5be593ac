/** What the headings of columns say of their periods. */
import { dayNumber as calendarDay, dayText } from '../../../core/index.ts';

export interface Said {
  /** Days with their year, YYYY-MM-DD */
  readonly dates: readonly string[];
  /** Months and days that have no year: [12, 31] */
  readonly days: readonly (readonly [number, number])[];
  readonly years: readonly number[];
  /** Lengths of periods in months; weeks are negative. */
  readonly lengths: readonly number[];
  /** From a day, such as a company's first, up to another */
  readonly fromTo: boolean;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const YEAR = '((?:19[5-9]|20[0-4])\\d)(?!\\d|,\\d)';
const COUNT =
  '(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|sixteen|twenty[ -]?four|twenty[ -]?six|twenty[ -]?eight|thirty[ -]?six|thirty[ -]?nine|forty|fifty[ -]?two|fifty[ -]?three|\\d{1,2})';
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  sixteen: 16,
  twentyfour: 24,
  twentysix: 26,
  twentyeight: 28,
  thirtysix: 36,
  thirtynine: 39,
  forty: 40,
  fiftytwo: 52,
  fiftythree: 53,
};
const TOKEN = new RegExp(
  [
    `${MONTH}\\s*(\\d{1,2})(?:st|nd|rd|th)?(?!\\d|,\\d{3}(?!\\d))[\\s,.]*(?:${YEAR})?`,
    `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?: day of)? ${MONTH}[\\s,]*(?:${YEAR})?`,
    `${MONTH}[\\s,]*${YEAR}`,
    '(?<!\\d)(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4}|\\d\\d)(?!\\d)',
    `(?<![\\d,.])${YEAR}`,
    `${COUNT}[\\s-]*(months?|weeks?)`,
    '\\b(quarters?|half|years?|twelvemonths?)\\b',
  ].join('|'),
  'gi',
);

const DAY = `${MONTH}\\s*(\\d{1,2})[\\s,.]+${YEAR}`;
/** `ended February 1, 1997, February 3, 1996 and January 28, 1995`, and such a list without the word */
const ENDED = new RegExp(`(\\bend(?:ed|ing|s)?\\s+(?:on\\s+)?)?${DAY}(?:[\\s,;]*(?:and|&)?\\s*${DAY})*`, 'gi');

/** Each day that a text states in full, as often as it does */
export const statedDays = (text: string): string[] =>
  [...text.matchAll(new RegExp(DAY, 'gi'))].map(([, month, day, year]) =>
    dateOf(Number(year), MONTHS.indexOf(month!.slice(0, 3).toLowerCase()) + 1, Number(day)),
  );

/** Of these, the days on which periods end: words say so, or they stand in one list with the report's own. */
export const endsOfPeriods = (text: string, own: string | null): string[] =>
  [...text.matchAll(ENDED)].flatMap(([list, ended]) => {
    const days = statedDays(list);
    return ended !== undefined || (days.length > 1 && days.includes(own ?? '')) ? days : [];
  });

/** Lists of at least two days */
export const listsOfEnds = (text: string): string[][] =>
  [...text.matchAll(ENDED)].map(([list]) => statedDays(list)).filter(({ length }) => length > 1);

/** Years of one day, in a list: `June 30, 2003, 2002 and 2001` */
export const yearsOfDay = (text: string): number[] =>
  [...text.matchAll(new RegExp(`${DAY}(?:[\\s,;]*(?:and|&)?\\s*(?<!\\d)${YEAR})+`, 'gi'))].flatMap(([list]) =>
    [...list.matchAll(new RegExp(`(?<!\\d)${YEAR}`, 'g'))].map(([year]) => Number(year)),
  );

const ENDING =
  /(?:[\w-]+\s+){0,2}(?:(?:months?|weeks?|years?|quarters?|half)(?:\s+periods?)?|periods?)\s+(?:then\s+)?end(?:ed|ing)\b/gi;
const SOME_DAYS = new RegExp(
  `\\binception\\b|\\bcommence(?:d|ment)\\b|\\b(?:from|period)\\s+${MONTH}\\s*\\d{1,2}\\b[^.;]{0,60}?\\b(?:to|through)\\b`,
  'i',
);
/** Words of periods that are not all as long: `year ended December 31, 1997 and six months ended December 31, 1996` */
export const isOfSeveral = (words: string): boolean =>
  SOME_DAYS.test(words) ||
  new Set([...words.matchAll(ENDING)].map(([ending]) => readDates(ending).lengths[0])).size > 1;

const DAY_ALONE = new RegExp(`^${MONTH} ?\\d{1,2},?(?: ?${YEAR})?,?$`, 'i');
/** `March 28, March 29,`: days of columns that one blank parts. One of them alone is not cut. */
export const daysApart = (text: string): string[] => {
  const parts = text.split(new RegExp(` (?=${MONTH} ?\\d)`, 'i')).filter((_, k) => k % 2 === 0);
  return parts.every((part) => DAY_ALONE.test(part)) ? parts : [text];
};

const FROM_TO = /\bfrom\b|\bto\b|\binception\b|\bcumulative\b|\bthrough\b|\bcommencement\b/i;

export function readDates(text: string): Said {
  const dates: string[] = [];
  const days: [number, number][] = [];
  const years: number[] = [];
  const lengths: number[] = [];
  const put = (month: string | number, day: string | number | null, year: string | undefined) => {
    const m = typeof month === 'number' ? month : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
    if (m < 1 || m > 12) return;
    const y =
      year === undefined
        ? undefined
        : Number(year.length === 2 ? (Number(year) > 50 ? `19${year}` : `20${year}`) : year);
    const d = day === null ? lastDay(y ?? 2001, m) : Number(day);
    if (d < 1 || d > 31) return;
    if (y === undefined) days.push([m, d]);
    else dates.push(dateOf(y, m, d));
  };
  for (const found of text.matchAll(TOKEN)) {
    const [, m1, d1, y1, d2, m2, y2, m3, y3, m4, d4, y4, year, count, unit, word] = found;
    if (m1 !== undefined) put(m1, d1!, y1);
    else if (m2 !== undefined) put(m2, d2!, y2);
    else if (m3 !== undefined) put(m3, null, y3);
    else if (m4 !== undefined) put(Number(m4), d4!, y4);
    else if (year !== undefined) years.push(Number(year));
    else if (count !== undefined) {
      const number = COUNTS[count.toLowerCase().replace(/[ -]/g, '')] ?? Number(count);
      if (number > 0) lengths.push(unit!.toLowerCase().startsWith('w') ? -number : number);
    } else if (word !== undefined) lengths.push(LENGTHS[word.toLowerCase().slice(0, 4)] ?? 12);
  }
  return { dates, days, years, lengths: [...new Set(lengths)], fromTo: FROM_TO.test(text) };
}

const LENGTHS: Readonly<Record<string, number>> = { quar: 3, half: 6, year: 12, twel: 12 };

const WORDS =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|end(?:ed|ing)?|years?|fiscal|months?|weeks?|quarters?|half|one|two|three|six|nine|twelve|thirteen|fourteen|sixteen|twenty|thirty|forty|fifty|four|eight|for|the|and|as|of|at|on|or|period|from|to|in|un|un-?audited|audited|restated|revised|thousands|millions|dollars?|except|per|shares?|data|amounts?|notes?|see|days?|first|second|third|fourth|inception|through|date|cumulative|predecessor|successor|company|consolidated|usd?)\b/gi;

/** Words of a period and of what is with it in headings, and no others. */
export function isOfPeriod(text: string): boolean {
  if (text.length > 160) return false;
  const said = readDates(text);
  if (
    said.dates.length + said.days.length + said.years.length + said.lengths.length === 0 &&
    !/^\s*(?:end(?:ed|ing)|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w*\.?)\s*$/i.test(text)
  )
    return false;
  return text.replace(WORDS, '').replace(/[^a-z]/gi, '').length <= 3;
}

export const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

export const dateOf = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(Math.min(day, lastDay(year, month))).padStart(2, '0')}`;

/** The first day of a period of some months, or weeks if negative, that ends on a day. */
export function startOf(end: string, length: number): string {
  if (length < 0) return dayText(calendarDay(end) + length * 7 + 1);
  const [year, month, day] = end.split('-').map(Number) as [number, number, number];
  const isLast = day === lastDay(year, month);
  const months = year * 12 + month - 1 - length;
  const [y, m] = [Math.floor(months / 12), (months % 12) + 1];
  const before = dateOf(y, m, isLast ? 31 : day);
  return dayText(calendarDay(before) + 1);
}
