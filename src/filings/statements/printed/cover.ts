/** What the cover of a report states: the last day of its period, and whose it is. */
import { decodeReferences } from '../../api/index.ts';
import { readDates } from './dates.ts';

/** Characters of a document, with its markup, in which a cover states the period. */
const COVER = 40_000;
const STATED =
  /\bfor\s+(?:the\s+)?(?:(?:fiscal|transition|quarterly|quarter|annual|calendar|\d+|thirteen|three|six|nine|twelve|thirty-nine|twenty-six)[\s-]+)*(?:year|period|quarter|months?|weeks)s?\s+(?:ended|ending|from\s.{3,40}?\bto\b)[\s:_]*(?:on\s+)?(?:\w+day,?\s+)?[a-z]+\.?[\s_]*\d{1,2}(?:st|nd|rd|th)?[\s_]*,?[\s_]*(?:19|20)\d\d\b/i;

/** What follows a cover, which has some characters before that, and no more than others */
const BEHIND = /\btable of contents\b|\bpart\s+i\b|\bitem\s+1\b/i;
const [FIRST, LONGEST] = [1_000, 8_000];
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
  const end = words.slice(FIRST).search(BEHIND);
  const first = words.slice(0, end < 0 ? LONGEST : FIRST + end);
  const stated = ` ${plainName(first)} `;
  return {
    periodEnd: readDates(STATED.exec(words)?.[0].replaceAll('_', ' ') ?? '').dates.at(-1) ?? null,
    isJoint: new Set(first.match(COMPANY)).size > 1,
    names: (company) => stated.includes(` ${plainName(company)} `),
  };
}

const KINDS = 'inc incorporated corp corporation co company companies llc lp ltd limited plc'.split(' ');
const NAME = new RegExp(
  `^(?:the )?([a-z0-9&.,'\u2019 -]{2,60}?\\b(?:${KINDS.join('|')}|l\\.l\\.c|l\\.p|trust|partnership|bancorp|bancshares))\\b\\.?(?:,? (?:and|&) (?:its |consolidated |majority[- ]owned )*subsidiar\\w+(?: companies)?)?[\\s.,;]*(?:\\([^()]*\\))?(?:$|[\\s,\u2013\u2014-]+(?:condensed|consolidated|combined|unaudited|statements?|balance|(?:19|20)\\d\\d annual)\\b)`,
  'i',
);
const KINDS_ALONE = new RegExp(`^(?:(?:${KINDS.join('|')}|the)\\b[\\s.,&]*)*$`, 'i');
/** Words of sentences and titles, or the second line of a name; auditors sign as `& Co.` or L.L.P. */
const NO_NAME =
  /^(?:and\b|&)|\b(?:statements?|notes?|reports?|sheets?|schedules?|items?|by|to|see|parts?|tables?|exhibits?|in|l\.?l\.?p)\b|& co(?:mpany|\.)?$/i;

/** A name as companies and EDGAR write it in several ways, as SQL's plain_name: its kind says which of two it is. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\s*[/\\][a-z]{2,3}[/\\]?\s*$/, '')
    .replace(/[.'\u2019]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(?:the|and)\b/g, ' ')
    .replace(/\b(corp|inc|co)(?:oration|orporated|mpany)\b/g, '$1')
    .replace(/ +/g, ' ')
    .trim();

/** The company that a line begins with: `ALPHA CORP. AND SUBSIDIARIES`, `Beta Power Company 2005 Annual Report`. Null: none */
export function companyIn(words: string): string | null {
  const name = NAME.exec(words.trim())?.[1];
  return name === undefined || NO_NAME.test(name) || KINDS_ALONE.test(name) ? null : name;
}
