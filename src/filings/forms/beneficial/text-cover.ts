/** The cover page of a schedule 13D or 13G in text or HTML: what is above the captions of issuer, class and CUSIP. */
import { isCusip } from '../f13/text-table.ts';
import { characterOf } from '../xml/references.ts';

export interface TextCover {
  /** Without blanks and hyphens, each once, in their order. */
  readonly cusips: readonly { readonly cusip: string; readonly isValid: boolean }[];
  readonly statedIn: 'cover' | 'head';
  readonly classTitle: string | null;
  readonly issuerName: string | null;
}

/** A CUSIP begins with three digits, or a letter and two digits: words and numbers of the cover do not. */
const CUSIP = /(?<![0-9a-z-])((?:\d{2}|[a-z]\d)\d[0-9a-z]{3})[ -]?([0-9a-z]{2})[ -]?(\d)(?![0-9a-z-])/gi;
const CAPTION =
  /\(\s*CUSIP\s*(?:Number|No\.?|#)[^)\n]{0,40}\)|\bCUSIP\s*(?:Numbers?|Nos?\.?|#)\s*(?:of[^:\n]{0,40})?:?/i;
const ISSUER = /\(\s*Name\s+of\s+(?:the\s+)?(?:Issuer|Subject\s+Company)[^)\n]{0,40}\)/i;
const CLASS = /\(\s*Titles?\s+of\s+(?:each\s+)?Class(?:es)?\s+of\s+Securit(?:y|ies)[^)\n]{0,40}\)/i;
const HEAD = /\bCUSIP\s*(?:Numbers?|Nos?\.?|#)?\s*:?[ \t_|]*\n?[ \t_|]*/gi;
/** A cover page is on the first pages, with much markup. */
const COVER_LENGTH = 60_000;
const BEHIND_CAPTION = 60;
const UNSEEN = /<!--[\s\S]*?-->|<(style|script|title)\b[\s\S]*?<\/\1>/gi;

/** @param source text or HTML @returns null without any CUSIP */
export function readTextCover(source: string): TextCover | null {
  const text = plainText(source.replace(UNSEEN, ' ').slice(0, COVER_LENGTH));
  const issuer = ISSUER.exec(text);
  const title = CLASS.exec(text);
  const from = title === null ? (issuer === null ? 0 : issuer.index + issuer[0].length) : title.index + title[0].length;
  const caption = CAPTION.exec(text.slice(from));
  const end = caption === null ? from : from + caption.index + caption[0].length;
  const above = cusipsIn(text.slice(from, end));
  const cover = above.length > 0 ? above : cusipsIn(text.slice(end, end + BEHIND_CAPTION)).slice(0, 1);
  const cusips = cover.length > 0 ? cover : headsOf(text);
  if (cusips.length === 0) return null;
  const issuerEnd = issuer === null ? 0 : issuer.index + issuer[0].length;
  return {
    cusips: cusips.map((cusip) => ({ cusip, isValid: isCusip(cusip) })),
    statedIn: cover.length > 0 ? 'cover' : 'head',
    classTitle:
      title === null || cusips.length > 1 || issuerEnd > title.index ? null : words(text.slice(issuerEnd, title.index)),
    issuerName: issuer === null ? null : lastWords(text.slice(0, issuer.index)),
  };
}

/** The code that most heads of pages have, if the caption has none. */
function headsOf(text: string): string[] {
  const counts = new Map<string, number>();
  for (const { 0: head, index } of text.matchAll(HEAD))
    for (const cusip of cusipsIn(text.slice(index + head.length, index + head.length + 16)).slice(0, 1))
      counts.set(cusip, (counts.get(cusip) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([cusip]) => cusip)
    .slice(0, 1);
}

function cusipsIn(text: string): string[] {
  const codes = [...text.matchAll(CUSIP)].map(([, issuer, issue, check]) => `${issuer}${issue}${check}`);
  // In small letters only a proven one is more than a word.
  return [...new Set(codes.map((code) => code.toUpperCase()).filter((code, k) => code === codes[k] || isCusip(code)))];
}

/** Lines of letters, joined: rules and blanks are left out; null: none, or too long for a title. */
function words(text: string): string | null {
  const lines = text.split('\n').flatMap(
    (line) =>
      line
        .replace(/[_=|]{2,}|-{3,}/g, ' ')
        .replace(/\s+/g, ' ')
        .trim() || [],
  );
  const joined = lines.filter((line) => /[A-Za-z]/.test(line)).join(' ');
  return joined === '' || joined.length > 200 ? null : joined;
}

/** The paragraph above a caption. */
function lastWords(text: string): string | null {
  const paragraphs = text.split(/\n(?:[\s_=|-]*\n)+/).map(words);
  return paragraphs.findLast((one) => one !== null) ?? null;
}

const NAMED: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Blocks become lines; other tags vanish: a code may change its font in the middle. */
function plainText(source: string): string {
  return source
    .replace(/\r\n?/g, '\n')
    .replace(/<\/?(?:p|div|br|hr|tr|table|h[1-6]|center|page)\b[^>]*>/gi, '\n')
    .replace(/<\/?t[dh]\b[^>]*>/gi, ' ')
    .replace(/<\/?[a-z!][^>]*>/gi, '')
    .replace(/&(?:#(?:x([0-9a-f]{1,6})|(\d{1,7}))|([a-z]+));/gi, (whole, hexadecimal, decimal, name) =>
      name === undefined ? (characterOf(hexadecimal, decimal) ?? ' ') : (NAMED[name.toLowerCase()] ?? whole),
    )
    .replace(/[\u00A0\u2002-\u200B\t]/g, ' ')
    .replace(/[\u2010-\u2015]/g, '-');
}
