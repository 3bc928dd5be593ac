/** The last day of a report's period, as its cover states it. */
import { decodeReferences } from '../../api/index.ts';

/** Characters of a document, with its markup, in which a cover states the period. */
const COVER = 40_000;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const STATED =
  /\bfor\s+(?:the\s+)?(?:(?:fiscal|transition|quarterly|quarter|annual|calendar|\d+|thirteen|three|six|nine|twelve|thirty-nine|twenty-six)[\s-]+)*(?:year|period|quarter|months?|weeks)s?\s+(?:ended|ending|from\s.{3,40}?\bto\b)[\s:_]*(?:on\s+)?(?:\w+day,?\s+)?([a-z]+)\.?[\s_]*(\d{1,2})(?:st|nd|rd|th)?[\s_]*,?[\s_]*((?:19|20)\d\d)\b/i;

/** @returns null if it states none in the usual words */
export function coverPeriod(text: string): string | null {
  const words = decodeReferences(text.slice(0, COVER).replace(/<[^<>]*>/g, ' ')).replace(/[\s\u00A0]+/g, ' ');
  const found = STATED.exec(words);
  const month =
    found === null ? -1 : MONTHS.findIndex((name) => found[1]!.length >= 3 && name.startsWith(found[1]!.toLowerCase()));
  if (month < 0) return null;
  const day = new Date(Date.UTC(Number(found![3]), month, Number(found![2])));
  return day.getUTCMonth() === month ? day.toISOString().slice(0, 10) : null;
}
