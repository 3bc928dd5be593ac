/** Headings of annual reports to shareholders (Exhibit 13): titles alone, without item numbers. */
import { LINK, type Line } from '../lines/lines.ts';
import { shareOfCapitals } from '../lines/title-case.ts';
import { squeeze } from './item-titles.ts';

export interface ReportHeading {
  kind: HeadingKind;
  /** Index of its first line, and of its last. */
  line: number;
  lastLine: number;
  /** As printed, white space collapsed. */
  text: string;
  /** It is marked as continued from the page before. */
  continued: boolean;
}

const YEARS = '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|\\d{1,2})years?';
/** Over squeezed text: letters and digits, lower case. Each pattern is anchored and matches the title only. */
const TITLES = {
  '7': [
    /^(?:consolidated|financialreview|financialsection)?managements?(?:financial|discussionofoperationsand)?(?:discussion(?:s|and(?:financial)?(?:analysis|review))?|analysis)(?:of(?:the)?(?:consolidated)?(?:financialconditions?|results?(?:of)?operations|operations|earnings|financialresults|financialstatements|financialperformance|financialposition|income|resultsofoperationsandfinancialcondition)|(?:results)?ofoperations|andresultsofoperations|and(?:analysisof)?(?:the)?(?:changesin)?(?:financialconditions?|financialposition|results)|of\w{2,12}operations|andplanofoperation|orplanofoperation)*/,
    /^(?:managements?)?(?:operatingand)?financialreview(?:and(?:analysis|discussion|outlook))?/,
    /^(?:discussionand)?analysisof(?:financialcondition|(?:results)?(?:of)?operations)(?:and(?:results)?(?:of)?(?:operations|financialcondition))?/,
    /^reviewof(?:operationsand)?financial(?:condition|results)(?:and(?:results)?(?:of)?operations)?/,
  ],
  '7A': [
    /^(?:quantitativeand)?(?:qualitative|quantitative)(?:andquantitative)?(?:disclosures?|information|analys[ie]s)(?:about|of|on|regarding|concerning)(?:the)?market(?:rate)?risks?/,
    /^(?:disclosuresabout)?marketrisks?(?:management|disclosures?|sensitiveinstruments(?:andpositions)?)?$/,
  ],
  '6': [
    /^(?:comparative|summaryof)?selected(?:consolidated|historical|financial|statistical|operating|fiveyear|other|and|comparative|summary|annual|income|statement|balancesheet)+(?:data|information|items|results|statistics|summary|highlights)/,
    new RegExp(
      `^${YEARS}(?:comparative|comparison|consolidated|statistical|historical|selected|financial|operating|of|and|data|information|summary|review|record|results|highlights|trends|statement|statements|condensed|statistics|report)+`,
    ),
    new RegExp(
      `^(?:financial|consolidated|historical|comparative|statistical)*(?:summary|review|comparison|record|data)(?:of)?${YEARS}`,
    ),
  ],
  '5': [
    /^marketfor(?:the)?(?:our|\w{2,20}?s)?(?:common(?:equity|stock|shares?)|stock|securities)/,
    /^(?:market(?:and)?)?(?:priceranges?|pricesandranges)of(?:the)?(?:companys|corporations)?(?:common)?(?:stock|shares)/,
    /^(?:quarterly)?(?:common)?(?:stock|share(?!data))(?:market)?(?:prices?(?:ranges?|data|information|history)?|data|information|listing|tradinginformation|performanceanddividends|pricesanddividends|priceanddividendinformation|priceanddividends)/,
    /^(?:common)?stock(?:market)?(?:prices?)?(?:and(?:related)?(?:dividends?|securityholders?|stockholders?|shareholders?))(?:data|information|matters|history)?/,
    /^market(?:prices?)(?:ranges?)?(?:of|and|for|information|data)(?:the)?(?:companys|corporations)?(?:common|dividends?|stock|related|shares)/,
    /^dividends?and(?:stock|market|share|common)/,
  ],
  statement: [
    /^(?:consolidated|combined|condensed|comparative)*statements?of(?:consolidated|combined)?(?:(?:net)?income|earnings|(?:results)?(?:of)?operations|cashflows?|financial(?:position|condition)|(?:common)?(?:share|stock)?(?:holders|owners)?(?:equity|investment)|retainedearnings|changesin|comprehensive|condition|capital|assetsandliabilities|netassets|loss)/,
    /^(?:consolidated|combined|condensed|comparative)*(?:balancesheets?|incomestatements?|cashflowstatements?)/,
  ],
  notes: [
    /^(?:condensed)?notesto(?:the)?(?:consolidated|combined)?financialstatements?/,
    /^notesto(?:consolidated|combined)(?:statements|financial)/,
  ],
  statements: [
    /^(?:indexto|index)?(?:the)?(?:consolidated|combined|audited)?financialstatements?(?:and(?:supplement(?:ary|al)(?:data|details|information)|notes|reportofindependent))?/,
  ],
  report: [
    /^(?:report|opinion|letter)of(?:the)?(?:independent|ernst|kpmg|arthur|price|deloitte|coopers|grant|bdo|registered|certified|public|accountants|auditors|management)/,
    /^independent(?:registered|auditors?|accountants?|public)(?:\w{0,24})reports?/,
    /^(?:accountants?|auditors?)(?:report|opinion)s?/,
    /^(?:statementof)?managements?(?:statementof)?(?:and(?:auditors?|directors))?(?:report|responsibilit|statement|assessment)(?:y|ies|s)?/,
    /^(?:statementof|reportof|reporton)(?:the)?(?:management|managements|financial)(?:responsibilit|on|s)?(?:y|ies|reporting)?/,
  ],
  quarterly: [
    /^(?:selected|unaudited|summaryof|consolidated|supplement(?:ary|al))*quarterly(?:consolidated|condensed|selected)*(?:financial|results|data|information|summary|earnings|income|operating|statements)/,
    /^supplement(?:ary|al)(?:financial)?(?:data|information)/,
    /^resultsbyquarter/,
  ],
  controls: [/^(?:evaluationof)?(?:disclosure)?controlsandprocedures$/],
  other: [
    /^(?:letter|message|report)(?:to|for)(?:our|the)?(?:share|stock)(?:holders|owners)/,
    /^(?:to)?(?:our|dear)(?:fellow)?(?:share|stock)(?:holders|owners)/,
    /^(?:board)?(?:of)?directors(?:and(?:executive|principal|corporate)?(?:officers|management))?$/,
    /^(?:corporate|executive|principal)?officers(?:anddirectors)?$/,
    /^(?:corporate|general|company|investor|shareholder|stockholder|shareowner)s?(?:and\w{4,12})?(?:information|directory|services|data|profile|reference|relations|inquiries)$/,
    /^(?:annualmeeting|formk|form10k)$/,
    /^(?:glossary|signatures?|subsidiaries|locations)$/,
  ],
};

/**
 * What a heading announces: management's discussion (`7`), market risk (`7A`), selected data (`6`), the market for the stock (`5`), a
 * statement with figures, notes to the statements, a report of management or auditors, quarterly data, another part of the report.
 */
export type HeadingKind = keyof typeof TITLES;

const KINDS = '7 7A 6 5 statement notes statements report quarterly controls other'.split(' ') as HeadingKind[];
/** The beginnings of all titles in one pattern: most lines begin with none. A part's letter and an item's number may stand before it. */
const SOME_TITLE = new RegExp(
  `^[a-h1-9]?(?:item\\d{1,2}a?)?(?:${KINDS.flatMap((kind) => TITLES[kind].map(({ source }) => source.replace(/^\^|\$$/g, ''))).join('|')})`,
);

/** Allowed after a title: the years, a unit, a company's name, "continued"; never the rest of a sentence. */
const REST_WORDS =
  /^(?:and|of|for|as|at|in|by|the|to|years?|ended|december|unaudited|continued|concluded|with|from|months?|quarters?|each|three|two|five|periods?|dollars|thousands|millions|except|per|share|amounts|data|is|inc|corporation|company|subsidiaries|co|corp)\b/i;
const CONTINUED = /\(?\s*(?:continued|cont['’]?d\.?|concluded)\s*\)?[.\s]*$/i;
/** A page number, or dots before one: a row of a table of contents. */
const PAGE_NUMBER = /(?:\s|\.{2,}|…)\s*(?:F-)?\d{1,3}$/;
const HEADING_LENGTH_MAX = 170;
/** Letters and digits after a title. */
const REST_LENGTH_MAX = 110;
const VERBS =
  /\b(?:is|are|was|were|has|have|had|should|shall|will|may|contains?|includes?|which|amounted|see|refer|appears?|present|set forth|follows?|following|discussed)\b/i;

/** The heading that begins at a line, on at most three lines; null without one. */
export function readHeading(lines: readonly Line[], at: number): ReportHeading | null {
  if (!mayStart(lines, at)) return null;
  let text = '';
  for (let last = at; last < Math.min(at + 3, lines.length); last++) {
    const next = lines[last]!;
    if (last > at && !continues(lines[last - 1]!, next)) break;
    text = text === '' ? next.text : `${text} ${next.text}`;
    if (text.length > HEADING_LENGTH_MAX) break;
    const kind = kindOf(text);
    if (kind === null) continue;
    // A title that continues in the next line is the longer one.
    const longer = lines[last + 1];
    if (longer && /[,&]$|\b(?:and|of|the|to|on)$/i.test(text) && continues(next, longer)) continue;
    return { kind, line: at, lastLine: last, text, continued: CONTINUED.test(text) };
  }
  return null;
}

/** Whether a line may begin a heading: not a row of figures, a link or a line within a paragraph. */
function mayStart(lines: readonly Line[], at: number): boolean {
  const line = lines[at]!;
  if (line.letters < 8 || line.digits > 8 || line.text.length > HEADING_LENGTH_MAX) return false;
  if (line.format & LINK || line.marker !== '' || line.cell > 3) return false;
  const before = lines[at - 1];
  if (!line.follows || line.pageBreak || before === undefined) return true;
  // Typewritten: the line before is also a line of a heading, or a name. It is not prose.
  return before.text.length < 62 && !/[,;-]$|\b(?:the|and|of|in|to|a)$/i.test(before.text) && isTitleLike(line.text);
}

function continues(line: Line, next: Line): boolean {
  if (next.pageBreak || next.digits > 6 || next.text.length > 100) return false;
  if (line.typed) return next.follows && line.text.length < 70;
  return next.format === line.format && next.table === line.table && (next.table !== 0 || !next.apart);
}

/** Most of its words begin with a capital, or it has none at all. */
function isTitleLike(text: string): boolean {
  const share = shareOfCapitals(text);
  return share === 0 || share >= 0.7;
}

/** The kind of the title; null: the text is not a title, or is more than one. */
export function kindOf(text: string): HeadingKind | null {
  if (!SOME_TITLE.test(squeeze(text))) return null;
  const bare = text.replace(CONTINUED, '').trim();
  if (bare.length < 8 || PAGE_NUMBER.test(bare.replace(/\b(?:19|20)\d\d$/, ''))) return null;
  if (!/^[^A-Za-z0-9]{0,3}[A-Za-z0-9]/.test(bare) || VERBS.test(bare)) return null;
  const isSentence = /[.;]$/.test(bare.replace(/\b(?:inc|co|corp|ltd)\.$/i, ''));
  if (isUnbalanced(bare)) return null;
  // "Item 7." may stand before the title here too.
  const squeezed = squeeze(bare.replace(/^(?:\(?[a-h1-9]\)[.\s]*)?(?:item\s+\d{1,2}a?[.:\s–—-]+)?/i, ''));
  for (const kind of KINDS) {
    const match = TITLES[kind]
      .map((pattern) => pattern.exec(squeezed))
      .find((found) => found !== null && isRest(bare, found[0].length, squeezed.length));
    if (!match) continue;
    // A full stop ends a sentence, unless the words are those of a title.
    if (isSentence && match[0].length !== squeezed.length && (kind === 'statement' || !isTitleLike(bare))) return null;
    if (NOT_OF[kind]?.test(bare)) return null;
    return kind;
  }
  return null;
}

/** Words that show that a title is another one. */
const NOT_OF: { readonly [Kind in HeadingKind]?: RegExp } = {
  '6': /\b(?:cumulative|returns?)\b/i,
  statement: /\b(?:data|classification|presentation|information|items|arrangements|risk)\b|:$/i,
};

/** The end of a phrase in brackets that began in another line. */
function isUnbalanced(text: string): boolean {
  const at = text.indexOf(')');
  const open = text.indexOf('(');
  return at !== -1 && (open === -1 || open > at);
}

/** Whether the text after the title is not a sentence. @param length of the title, squeezed */
function isRest(text: string, length: number, whole: number): boolean {
  if (whole === length) return true;
  if (whole - length > REST_LENGTH_MAX) return false;
  const rest = restOf(text, whole - length);
  const first = rest.replace(/^[^A-Za-z0-9$]+/, '');
  if (first === '') return true;
  return /^[A-Z0-9$]/.test(first) || REST_WORDS.test(first);
}

/** The position after the given number of letters and digits. */
function restOf(text: string, count: number): string {
  let left = count;
  for (let i = text.length - 1; i >= 0; i--) if (/[A-Za-z0-9]/.test(text[i]!) && --left === 0) return text.slice(i);
  return text;
}
