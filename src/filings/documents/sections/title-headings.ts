/** Headings that are titles alone: "RISK FACTORS". */
import type { SectionFamily } from '../../api/index.ts';
import { BOLD, CENTER, type DocumentLines, ITALIC, LINK, type Line, UNDERLINE } from '../lines/lines.ts';
import { isUpper, shareOfCapitals } from '../lines/title-case.ts';
import { type ItemMark, titleMark } from './item-headings.ts';
import { codesTitled, isTitleWords, LONGEST_TITLE, squeeze, TITLES } from './item-titles.ts';

/** Lines that a title may take. */
const MOST_LINES = 3;
/** Titles of different items in one typography that make it that of the report's headings. */
const LEAST_ALIKE = 3;

/** Titles alone on their lines. A report sets its items' titles alike: one in another typography is marked. */
export function readTitleMarks(document: DocumentLines, family: SectionFamily): ItemMark[] {
  const { lines } = document;
  const marks: { mark: ItemMark; style: string; weak: boolean }[] = [];
  for (let i = 0; i < lines.length; i++) {
    const title = readTitle(lines, i, family);
    if (title === null) continue;
    const { codes, last, weak, text } = title;
    const mark = titleMark(document, i, last, codes[0]!.replace(/^I+-/, ''), text, codes);
    marks.push({ mark, style: styleOf(lines[i]!), weak });
    i = last;
  }
  const kinds = new Map<string, Set<string>>();
  for (const { mark, style } of marks) kinds.set(style, (kinds.get(style) ?? new Set()).add(mark.words.slice(0, 12)));
  const most = Math.max(0, ...[...kinds.values()].map(({ size }) => size));
  const known = marks.flatMap(({ mark, style, weak }) => {
    const { size } = kinds.get(style)!;
    const alike = size >= LEAST_ALIKE && size * 2 >= most;
    return weak && !alike ? [] : [{ ...mark, titleOnly: alike ? ('alike' as const) : ('odd' as const) }];
  });
  const style = [...kinds].find(([, { size }]) => size === most)?.[0];
  if (style === undefined) return known;
  const taken = new Set(marks.flatMap(({ mark: { line, lastLine } }) => [line, lastLine]));
  return [...known, ...titlesOfFiler(document, family, style, taken)].sort((a, b) => a.line - b.line);
}

/** The title of all statements together, not of one: "Consolidated Financial Statements (Unaudited)". */
const STATEMENTS = /^(?:unaudited|interim|condensed|consolidated)*financialstatements/;

/** The first title of a quarterly report's statements that stands alone and set apart, from a line up to another; null without one. */
export function statementsTitle(document: DocumentLines, from: number, until: number): ItemMark | null {
  for (let i = from; i < until; i++) {
    const title = readTitle(document.lines, i, '10-Q');
    if (title === null || title.codes[0] !== 'I-1') continue;
    const mark = titleMark(document, i, title.last, '1', title.text, ['I-1']);
    if (STATEMENTS.test(mark.words)) return mark;
  }
  return null;
}

/** Titles in words of the filer's own: set exactly as the others are, with an item's key words. */
function titlesOfFiler(
  document: DocumentLines,
  family: SectionFamily,
  style: string,
  taken: ReadonlySet<number>,
): ItemMark[] {
  return document.lines.flatMap((line, i) => {
    if (taken.has(i) || line.letters > LONGEST_TITLE || line.digits > 0) return [];
    if (styleOf(line) !== style || !isTitleCase(line.text)) return [];
    const code = KEY_WORDS[family].find(([, words]) => words.test(line.text))?.[0];
    if (code === undefined) return [];
    const mark = titleMark(document, i, i, code.replace(/^I+-/, ''), line.text, [code]);
    return [{ ...mark, titleOnly: 'own' as const }];
  });
}

/** Not a sentence: without a full stop, and most long words begin with a capital. */
function isTitleCase(text: string): boolean {
  return !/[.,;:?]$|[.;?] /.test(text) && shareOfCapitals(text) >= 0.7;
}

/** Words of which one is in every wording of an item's title. */
const KEY_WORDS: Readonly<Record<SectionFamily, readonly (readonly [string, RegExp])[]>> = {
  '10-K': [
    ['1', /^(?:the |our |general )?business\b/i],
    ['1A', /\brisk factors\b/i],
    ['1B', /\bunresolved\b/i],
    ['1C', /\bcyber ?security\b/i],
    ['2', /\bpropert(?:y|ies)\b/i],
    ['3', /\b(?:legal|litigation)\b/i],
    ['4', /\b(?:vote of|mine safety)\b/i],
    ['5', /\bmarkets?\b.*\b(?:stock|shares|equity|units|securities)\b/i],
    ['6', /\bselected\b.*\b(?:data|information)\b/i],
    ['7', /\bdiscussion and analysis\b/i],
    ['7A', /\bmarket risks?\b/i],
    ['8', /\bfinancial statements\b/i],
    ['9', /\bdisagreements\b/i],
    ['9A', /\bcontrols and procedures\b/i],
    ['9B', /^other (?:information|matters|events)\b/i],
    ['10', /\bdirectors\b/i],
    ['11', /\bcompensation\b/i],
    ['12', /\bownership\b/i],
    ['13', /\brelationships\b|\brelated (?:party )?transactions\b/i],
    ['14', /\baccount(?:ant|ing).*\bfees\b/i],
    ['15', /\bexhibits\b/i],
  ],
  '10-Q': [
    ['I-1', /\bfinancial statements\b/i],
    ['I-2', /\bdiscussion and analysis\b/i],
    ['I-3', /\bmarket risks?\b/i],
    ['I-4', /\bcontrols and procedures\b/i],
    ['II-1', /\b(?:legal|litigation)\b/i],
    ['II-1A', /\brisk factors\b/i],
    ['II-2', /\b(?:unregistered|changes in securities|(?:re)?purchases)\b/i],
    ['II-3', /\bdefaults\b/i],
    ['II-4', /\b(?:vote of|mine safety)\b/i],
    ['II-5', /^other (?:information|matters|events|items)\b/i],
    ['II-6', /\bexhibits\b/i],
  ],
  '20-F': [],
};
interface Title {
  codes: string[];
  last: number;
  /** Its lines, joined */
  text: string;
  /** Words that head other texts as often. */
  weak: boolean;
}

function readTitle(lines: readonly Line[], at: number, family: SectionFamily): Title | null {
  const line = lines[at]!;
  if (line.letters < 8 || line.letters > LONGEST_TITLE || !isSetApart(lines, at)) return null;
  let text = '';
  let best: Title | null = null;
  for (let last = at; last < at + MOST_LINES && last < lines.length; last++) {
    const next = lines[last]!;
    if (last > at && !continues(lines[last - 1]!, next)) break;
    text = text === '' ? next.text : `${text} ${next.text}`;
    if (!mayBegin(text)) return null;
    const found = titleOf(family, text);
    if (found !== null) best = { ...found, last, text };
  }
  return best;
}

/** Set off from the text around it: by type, by capitals, by its place, or as a short paragraph with blank lines around it. */
function isSetApart(lines: readonly Line[], at: number): boolean {
  const line = lines[at]!;
  if (line.format & (BOLD | UNDERLINE | CENTER | ITALIC) || isUpper(line.text)) return true;
  return line.typed ? !line.follows : line.apart;
}

/** Whether a title may continue in the next line: without a blank line, a cell or another typography between them. */
function continues(line: Line, next: Line): boolean {
  if (line.typed) return next.follows;
  return next.format === line.format && !next.apart && next.row === line.row && next.cell === line.cell;
}

const FIRST_LETTERS = new Set(
  Object.values(TITLES)
    .flatMap((titles) => [...titles.values()].flat())
    .map(({ text }) => text.slice(0, 4)),
);

/** Quick: whether a text begins as some title does. */
function mayBegin(text: string): boolean {
  return FIRST_LETTERS.has(squeeze(text.slice(0, 24)).slice(0, 4));
}

/** Titles that stand over other texts too: statements, officers, prices, transactions. */
const WEAK =
  /^(?:(?:unaudited|condensed|consolidated|interim)*(?:statementsof|balancesheets?|statements?$|$)|evaluationof|disclosurecontrols|market(?:price|information)|planofoperation|certaintransactions?$|indexto|realestate|summary|reserved|removedandreserved|managementsreporton|interestof|ownershipof|beneficialownership|other(?:items|matters|events)|litigation|sharerepurchase|repurchases|purchasesof|recentsales|issuerpurchases|certainriskfactors|financialstatements?$|general|legalmatters|propert(?:y|ies)$|riskfactors?$|ourbusiness|thebusiness|disclosuresabout)/;
/** The sections that a title may head, the likeliest first. */
function titleOf(family: SectionFamily, text: string): { codes: string[]; weak: boolean } | null {
  const words = squeeze(text.replace(/\(?\bcont(?:inued|['\u2019]?d)\b\.?\)?/i, ''));
  const titles = codesTitled(TITLES[family], words);
  const whole = titles.filter(({ length }) => length === words.length);
  if (whole.length > 0) return { codes: whole.map(({ code }) => code).sort(byUse), weak: WEAK.test(words) };
  if (WEAK.test(words)) return null;
  const longer = titles.filter(({ length }) => isTitleWords(words.slice(length)));
  return longer.length > 0 ? { codes: longer.map(({ code }) => code).sort(byUse), weak: true } : null;
}

/** Sections that share their titles, the most used first: "Controls and Procedures" was Item 14 for a year. */
const BY_USE = ['9A', 'I-4', '15', '14', '13'];

function byUse(a: string, b: string): number {
  const rank = (code: string) => (BY_USE.indexOf(code) + BY_USE.length + 1) % (BY_USE.length + 1);
  return rank(a) - rank(b);
}

/** The look of a heading: typography and capitals. */
function styleOf(line: Line): string {
  return `${line.format & ~(LINK | CENTER)}/${isUpper(line.text)}`;
}
