/**
 * Sections that hold a reference in place of their text: "incorporated by reference to pages 32-43 of the Annual Report to
 * Shareholders". The result names the document in the section's own words. The reference is not followed.
 */
import type { SectionReference } from '../../api/index.ts';
import { type DocumentLines, type Line, lineText } from '../text/lines.ts';

/** The name for the proxy statement, which is a separate filing. */
const PROXY_STATEMENT = 'proxy statement';
/** The annual report to shareholders is Exhibit 13 (Regulation S-K, Item 601). */
const ANNUAL_REPORT_EXHIBIT = '13';

/** Maximum letters and digits of a section that is a reference, and of one so short that a mention suffices. */
const LONGEST = 6000;
const SHORT = 500;
/** Share of the letters in sentences that refer to another document. */
const LEAST_SHARE = 0.5;

const EXHIBIT = /\bexhibit\s*(?:no\.?\s*)?\(?(13(?:[.-]\d{1,2}|\([a-z]\)|\.[a-z])?)\)?/i;
const ANNUAL_REPORT =
  /\b(?:annual|summary)\s+report\s+to\s+(?:(?:its|the|our)\s+)?(?:(?:share|stock|unit|security)\s?-?(?:holders|owners)|owners)|(?:\d{4}|(?:share|stock)(?:holders|owners)['\u2019]?|company['\u2019]?s|corporation['\u2019]?s|registrant['\u2019]?s|such|said)\s+annual\s+report(?!\s+(?:on|pursuant)|s\b)|\bannual\s+report,?\s+(?:which\s+is\s+)?(?:filed|included|attached)[^.]{0,40}\bexhibit\b|\bannual\s+report\s+\(exhibit|\bby\s+reference\s+(?:to|from|in)\s+(?:the|its|our)\s+annual\s+report(?!\s+(?:on|pursuant))\b/i;
const PROXY = /\b(?:proxy|information)\s+statement\b|\bproxy\s+materials\b/i;
/** Cheaper than the three above: it matches all texts that they match. */
const ANY_DOCUMENT = /\bexhibit|\breport|\bproxy\b|\binformation\s+statement/i;
const REFERS =
  /\bincorporat|\bby\s+reference\b|\breference\s+is\s+(?:hereby\s+)?made\b|\bpages?\s+[a-z]?-?\d|\b(?:is|are)\s+(?:set\s+forth|contained|included|presented|reported|found|shown|furnished|provided)\b|\b(?:set\s+forth|appear(?:s|ing)?|reported|contained|included|see|refer)\b|\bin\s+(?:response|answer)\b/i;

/**
 * The document that the section between two positions of the source refers to; null if the section has its own text.
 * @param start of its first line, as `end` in UTF-16 units
 */
export function readReference({ lines, source }: DocumentLines, start: number, end: number): SectionReference | null {
  const own: Line[] = [];
  let letters = 0;
  for (let i = firstLine(lines, start); i < lines.length && lines[i]!.start < end; i++) {
    own.push(lines[i]!);
    letters += lines[i]!.letters + lines[i]!.digits;
    if (letters > LONGEST) return null;
  }
  if (own.length === 0) return null;
  // The text may begin in the line of the heading.
  const text = own.map((line) => lineText(source, line)).join(' ');
  if (!ANY_DOCUMENT.test(text)) return null;
  const referring = sentencesOf(text).filter((sentence) => refersTo(sentence) !== null && REFERS.test(sentence));
  if (referring.length === 0) return null;
  const said = referring.join(' ');
  const count = said.replace(/[^a-z0-9]/gi, '').length;
  const body = own.length > 1 ? letters - own[0]!.letters : letters;
  if (body > SHORT && count < body * LEAST_SHARE) return null;
  return { exhibit: refersTo(said), pages: pagesIn(said), heading: headingsIn(said) };
}

/** Index of the first line that ends after a position. */
function firstLine(lines: readonly Line[], position: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.end <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The exhibit's number or the proxy statement, whichever is named first. */
function refersTo(text: string): string | null {
  const exhibit = EXHIBIT.exec(text);
  const places = [
    { at: ANNUAL_REPORT.exec(text)?.index ?? exhibit?.index, name: exhibit?.[1] ?? ANNUAL_REPORT_EXHIBIT },
    { at: PROXY.exec(text)?.index, name: PROXY_STATEMENT },
  ].filter((place): place is { at: number; name: string } => place.at !== undefined);
  places.sort((a, b) => a.at - b.at);
  return places[0]?.name ?? null;
}

/** Sentences end at a full stop before a capital; those of abbreviations ("No. 1", "Inc. and") do not. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[a-z0-9)\]"\u201d][.;])\s+(?=["\u201c(]?[A-Z])/);
}

const PAGE = String.raw`(?:[a-z]-?)?\d{1,3}`;
const PAGES = new RegExp(
  String.raw`\bpages?\s+(${PAGE}(?:\s*(?:-|\u2013|\u2014|to|through|thru|and|&|,|,\s*and)\s*(?:pages?\s+)?${PAGE})*)(?![\d%])`,
  'gi',
);

function pagesIn(text: string): string | null {
  const found = [...text.matchAll(PAGES)].map((match) =>
    match[1]!
      .replace(/\s*(?:-|\u2013|\u2014|\bto\b|\bthrough\b|\bthru\b)\s*/gi, '-')
      .replace(/\s*(?:,\s*and\b|\band\b|&|,)\s*(?:pages?\s+)?/gi, ', ')
      .trim(),
  );
  return found.length === 0 ? null : [...new Set(found)].join(', ');
}

const QUOTED = /(\(?\s*(?:the\s+|our\s+)?)["\u201c]([^"\u201c\u201d]{3,200}?)[,.]?["\u201d]/gi;
const NO_HEADING =
  /proxy\s+statement|annual\s+report|^(?:the\s+)?(?:company|corporation|registrant|sec|commission|exchange\s+act|form\s+10)/i;
const LONGEST_HEADING = 500;

/** The captions that it names, in quotes, separated by semicolons. */
function headingsIn(text: string): string | null {
  const found: string[] = [];
  for (const [, before, words] of text.matchAll(QUOTED)) {
    // `(the "Proxy Statement")` defines a name.
    if (/\(\s*(?:the|our)\s+$/i.test(before!) || NO_HEADING.test(words!) || !/^\W*(?:[A-Z]|\d)/.test(words!)) continue;
    const heading = words!.replace(/\s+/g, ' ').trim();
    if (!found.includes(heading)) found.push(heading);
  }
  const joined = found.join('; ');
  return joined === '' ? null : joined.slice(0, LONGEST_HEADING);
}
