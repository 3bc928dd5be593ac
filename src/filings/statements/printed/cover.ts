/** What the cover of a report states: the last day of its period, and whose it is. */
import { decodeReferences } from '../../api/index.ts';

/** Characters of a document, with its markup, in which a cover states the period. */
const COVER = 40_000;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const STATED =
  /\bfor\s+(?:the\s+)?(?:(?:fiscal|transition|quarterly|quarter|annual|calendar|\d+|thirteen|three|six|nine|twelve|thirty-nine|twenty-six)[\s-]+)*(?:year|period|quarter|months?|weeks)s?\s+(?:ended|ending|from\s.{3,40}?\bto\b)[\s:_]*(?:on\s+)?(?:\w+day,?\s+)?([a-z]+)\.?[\s_]*(\d{1,2})(?:st|nd|rd|th)?[\s_]*,?[\s_]*((?:19|20)\d\d)\b/i;

/** Numbers that the tax office gives to each company: `58-0690070` */
const COMPANY = /(?<![\d-])\d\d-\d{7}(?![\d-])/g;

export interface ReportCover {
  /** Null: not stated in the usual words */
  readonly periodEnd: string | null;
  /** Of several companies, each with its own statements perhaps */
  readonly isJoint: boolean;
  /** Whether it states the name of a company. */
  readonly names: (company: string) => boolean;
}

export function coverOf(text: string): ReportCover {
  const words = decodeReferences(text.slice(0, COVER).replace(/<[^<>]*>/g, ' ')).replace(/[\s\u00A0]+/g, ' ');
  const stated = ` ${plainName(words)} `;
  return {
    periodEnd: periodIn(words),
    isJoint: new Set(words.match(COMPANY)).size > 1,
    names: (company) => stated.includes(` ${company} `),
  };
}

function periodIn(words: string): string | null {
  const found = STATED.exec(words);
  const month =
    found === null ? -1 : MONTHS.findIndex((name) => found[1]!.length >= 3 && name.startsWith(found[1]!.toLowerCase()));
  if (month < 0) return null;
  const day = new Date(Date.UTC(Number(found![3]), month, Number(found![2])));
  return day.getUTCMonth() === month ? day.toISOString().slice(0, 10) : null;
}

const KINDS = 'inc incorporated corp corporation co company companies llc lp ltd limited plc'.split(' ');
const NAME = new RegExp(
  `^(?:the )?([a-z0-9&.,'\u2019 -]{2,60}?\\b(?:${KINDS.join('|')}|l\\.l\\.c|l\\.p|trust|partnership|bancorp|bancshares))\\b\\.?(?:,? (?:and|&) (?:its |consolidated |majority[- ]owned )*subsidiar\\w+(?: companies)?)?[\\s.,;]*(?:\\([^()]*\\))?$`,
  'i',
);
const NO_NAME = /\b(?:statements?|notes?|reports?|sheets?|schedules?|items?|by|to|see|parts?|tables?|exhibits?|in)\b/i;

/** A name as companies write it in several ways: without kinds, points and articles */
export const plainName = (name: string): string =>
  (
    name
      .toLowerCase()
      .replace(/[.'\u2019]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  )
    .filter((word) => word !== 'the' && word !== 'and' && !KINDS.includes(word))
    .join(' ');

/** The company that a line names, and nothing else: `ALPHA CORP. AND SUBSIDIARIES`. Null: none */
export function companyIn(words: string): string | null {
  const name = NO_NAME.test(words) ? null : NAME.exec(words.trim())?.[1];
  return name == null || plainName(name) === '' ? null : name;
}
