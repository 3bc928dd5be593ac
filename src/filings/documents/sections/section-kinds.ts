/**
 * What a section holds: its text, a pointer to where the text stands, both, or nothing. Sentences decide: where each refers to, and how
 * much is said in the others. References are not followed here.
 */
import type { SectionFamily, SectionKind, SectionReference } from '../../api/index.ts';
import { countBefore } from '../lines/count-before.ts';
import type { DocumentLines, Line } from '../lines/lines.ts';
import { squeeze } from './item-titles.ts';

/** Maximum letters and digits of a section that is read. A longer one has its text. */
const LONGEST = 12_000;
/** Letters beside pointers that are more than a remark. */
const LEAST_SUBSTANCE = 25;
/** What a letter of a sentence counts that only says where more stands. */
const WEAK = 0.001;
/** Letters of general words on risks or lawsuits beside a pointer. More of them are a discussion. */
const MOST_GENERAL = 450;
/** Rows with figures that make a table. */
const LEAST_ROWS = 3;
/** Digits of full statements of a quarter. */
const STATEMENTS = 400;

const MONTHS = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';

type Place = 'exhibit' | 'filing' | 'document';

interface Said {
  /** Letters of sentences that refer to each place. */
  refers: Record<Place, number>;
  /** Of them, those that say that information stands there, and nothing about it. */
  strongly: Record<Place, number>;
  /** Letters of sentences with words on the matter, and of those with nothing but general words. */
  own: number;
  general: number;
  /** The sentences that refer to each place. */
  referring: Record<Place, string[]>;
  /** The place that the last of them names. */
  last: Place | null;
  /** The place in a sentence without a word that points: it counts if nothing else is said. */
  perhaps: Place | null;
  /** More stands there, which the item does not need. */
  isWeak: boolean;
  /** A list of what stands there follows it. */
  lists: boolean;
  /** It begins with "None." What follows belongs to no item: a page's foot, a legend. */
  denied: boolean;
}

interface KindedSection {
  code: string;
  family: SectionFamily;
  heading: string;
  /** Positions in the source. */
  start: number;
  end: number;
}

interface Kind {
  kind: SectionKind;
  /** Not null for pointers and `mixed`. */
  by_reference: SectionReference | null;
}

const TEXT: Kind = { kind: 'text', by_reference: null };

/** The kind of a section, and what it refers to. */
export function readKind({ lines, letters }: DocumentLines, section: KindedSection): Kind {
  const [first, end] = rangeOf(lines, section);
  if (letters[end]! - letters[first]! > LONGEST) return TEXT;
  const own = lines.slice(first, end);
  if (own.reduce((sum, line) => sum + line.letters + line.digits, 0) > LONGEST) return TEXT;
  const said = readSentences(paragraphsOf(own, section.heading), section);
  const hasOwn = said.own >= LEAST_SUBSTANCE || said.general > MOST_GENERAL;
  // Beside a text, only what the text lacks counts: not what else describes the matter.
  const refers = hasOwn ? said.strongly : said.refers;
  if (said.perhaps !== null && said.own + said.general === 0) refers[said.perhaps] += WEAK;
  if (refers.exhibit + refers.filing + refers.document === 0)
    return said.own + said.general > 0 ? TEXT : { kind: 'not_applicable', by_reference: null };
  const place = placeOf(refers);
  // A note of full statements may refer to the report.
  if (section.code === 'I-1' && place === 'document' && own.reduce((sum, { digits }) => sum + digits, 0) > STATEMENTS)
    return TEXT;
  const words = said.referring[place].join(' ');
  const by_reference = {
    exhibit: place === 'document' ? null : refersTo(words, place),
    pages: pagesIn(words),
    heading: headingsIn(words),
  };
  return { kind: hasOwn ? 'mixed' : `pointer_${place}`, by_reference };
}

/** Whether a section has its heading and nothing else. */
export function isBare({ lines, letters }: DocumentLines, section: KindedSection): boolean {
  const [first, end] = rangeOf(lines, section);
  const most = section.heading.replace(/[^a-z]/gi, '').length;
  return letters[end]! - letters[first]! <= most && !RESERVED.test(section.heading);
}

/** Lawsuits are described in part here and in full in a note, however that is worded. */
const LAWSUITS = new Set(['3', 'II-1']);

const STATED =
  /\b(?:is|are|be)\s+(?:also\s+|further\s+)?(?:set\s+(?:forth|out)|contained|included|presented|found|shown|provided|given|described|discussed|reported|located|disclosed|in|on|under)\b/i;

/** The place of the main part. What stands in the report itself is the smaller one. */
function placeOf({ exhibit, filing, document }: Record<Place, number>): Place {
  if (filing > 0 && filing >= exhibit) return 'filing';
  if (exhibit > 0) return 'exhibit';
  return document > 0 ? 'document' : 'filing';
}

interface Paragraph {
  text: string;
  /** A row of a table with a figure in it. */
  figures: boolean;
  /** A row that ends with the number of a page. */
  page: boolean;
}

const PAGE_OF_ROW = /^(?:[a-z]{1,2}\s?-?\s?)?\d{1,3}$/i;
/** Characters at the end of a paragraph, and of a sentence, that are read: rows of dots may be of any length. */
const TAIL = 60;
const LONGEST_SENTENCE = 3000;
const PAGED_LINE = /(?:(?:\.\s?){3,}\s*(?:[A-Z]{1,2}\s?-\s?)?|\s[A-Z]{1,2}-)\d{1,3}$/;
const LEADING = /^[\s.:\u2013\u2014-]+/;
const FURNITURE = /^\W*(?:(?:[a-z]{1,2}\s?-\s?)?\d{1,3}|table of contents|\(?continued\)?)\W*$/i;
const ENDS = /[.!?:;)\]"\u201d]$/;

/** The paragraphs of a section without its heading. Lines of typewritten paragraphs, and of one that a page or a list breaks, are joined. */
function paragraphsOf(lines: readonly Line[], heading: string): Paragraph[] {
  const found: Paragraph[] = [];
  const texts = lines.map(({ whole }) => whole);
  let left = heading;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    let text = texts[i]!;
    if (left !== '') {
      // The heading may take several lines, and the text may begin in the last of them.
      const cut = text.length <= left.length ? left.startsWith(text) : text.startsWith(left);
      const length = Math.min(text.length, left.length);
      left = cut ? left.slice(length).trim() : '';
      if (cut) text = text.slice(length).replace(LEADING, '');
    }
    if (text === '' || (text.length < TAIL && FURNITURE.test(text))) continue;
    const last = found.at(-1);
    if (PAGED_LINE.test(text.slice(-TAIL))) {
      found.push({ text, figures: false, page: true });
      continue;
    }
    if (line.row !== 0) {
      const cells: string[] = [text];
      while (lines[i + 1]?.row === line.row) cells.push(texts[++i]!);
      const [first, ...rest] = cells;
      const page =
        rest.length > 0 && PAGE_OF_ROW.test(rest.at(-1)!) && !rest.slice(0, -1).some((cell) => /\d/.test(cell));
      const short = cells.every((cell) => cell.length < 100);
      if (rest.length > 0 && short) {
        found.push({
          text: cells.join(' '),
          figures: !page && rest.some((cell) => /\d/.test(cell)),
          page: page && /[a-z]{4}/i.test(first!),
        });
        continue;
      }
      text = cells.join(' ');
    }
    const runsOn =
      last !== undefined &&
      !last.figures &&
      !last.page &&
      (/^[a-z](?!\s?[.)])/.test(text) ||
        (line.typed ? line.follows : last.text.length > 60 && !ENDS.test(last.text)) ||
        /[:;,]$/.test(last.text));
    if (runsOn) last.text += ` ${text}`;
    else found.push({ text, figures: false, page: false });
  }
  return found;
}

/** What a report covers, or must disclose, does not stand elsewhere. An item of a regulation is not a place. */
const COVERED =
  /\b(?:covered|required\s+to\s+be\s+(?:disclosed|included|reported))\b[^,.;]{0,40}\b(?:(?:by|in)\s+(?:this|the|our|its)\s+(?:\w+\s+)?reports?(?:\s+on\s+form\s+10-?\s?[kq]\w*)?|(?:on|in|under)\s+(?:an?\s+|any\s+)?(?:current\s+reports?\s+on\s+)?form\s+8-k)|\bitems?\s+\d[\w().]*\s+(?:of|under)\s+(?:the\s+)?(?:\w+\s+){0,4}regulation\b/gi;
/** A contract that is filed with another report is not told there. */
const FILED_EXHIBIT = /\bfiled\s+as\s+(?:an\s+)?exhibit(?:s|\s+(?!1[23]|9[59])\d[\w.]*)?\s+(?:to|with)\s+[^,;]*/gi;
/** A document beside the text, not the text of an item */
const COPY = /\b(?:copy|copies|form|text)\s+of\b/i;
const QUOTED_WORDS = /["\u201c][^"\u201c\u201d]*["\u201d]/g;
/** Words that name another document. */
const PROXY = /\b(?:proxy|information)\s+statement\b|\bproxy\s+(?:materials|circular)\b|\bdefinitive\s+proxy\b/i;
/** What companies call it beside the items of Part III, and the amendment in its place. */
const PROXY_OF_PART_III =
  /\bproxy\b|\binformation\s+statement\b|\bschedule\s+14[ac]\b|\b(?:fil|sen[dt]|mail|furnish|deliver)\w*\b[^.]*\bregulation\s+14[ac]\b|\bgeneral\s+instruction\s+g\b|\b(?:definitive|meeting)\s+materials\b|\bcircular\b|\b(?:by|to|in)\s+(?:an\s+)?amend(?:ment|ing)\b/i;
const EXHIBIT_13 = /\bexhibit\s*(?:no\.?\s*)?\(?(13(?:[.-]\d{1,2}|\([a-z]\)|\.[a-z])?)\)?(?!\d)/i;
/** Those that hold the text of an item. Others are contracts, letters and lists (Regulation S-K, Item 601). */
const EXHIBIT =
  /\b(?:in|as|to|of|under)\s+(?:the\s+|an?\s+)?exhibit\s*(?:no\.?\s*)?\(?((?:1[23]|9[59])(?:[.-]\d{1,2})?)\)?(?!\d)/i;
/** Statements, or what an item asks for, may stand in any. */
const HOLDS_TEXT =
  /^\W*(?:[\w'\u2019,]+\s+){0,6}(?:financial\s+statements|information|discussion)\b[^.;]*\b(?:in|as|to|of|under|from)\s+(?:the\s+|an?\s+)?exhibit\s*(?:no\.?\s*)?\(?(\d{1,3}(?:[.-]\d{1,2})?)(?!\d)/i;
/** The one to shareholders: the 10-K names its form. */
const ANNUAL_REPORT =
  /(?<!\bmanagement['\u2019]?s\s)\b(?:annual|summary)\s+report(?!\s+(?:on(?!\s+pages?\b)|regarding|concerning|of\s+management|pursuant|form|10)|s\b)/i;
const OWN_REPORT =
  /\bthis\s+(?:(?:annual|quarterly|transition)\s+)?(?:report|form\s+10-?\s?[kq]\w*)(?:\s+on\s+form\s+10-?\s?[kq]\w*)?/gi;
const FORM_10K = /\b(?:form\s+)?10-?\s?k\w*/i;
const OTHER_FORM =
  /^(?=[\s\S]*\b(?:disclosed|described|discuss|set\s+forth|report(?:s|ed)\b|incorporat|(?:en)?titled))[\s\S]*\b(?:form\s+(?:s-\d|10-q\s+(?:for|filed|dated)|8-k|20-f|10-12g|10\b(?!-)|f-\d)|registration\s+statement|prospectus)\b/i;
const FILED_10K =
  /\bby\s+(?:an\s+)?amendment\b|\b10-?k\/a\b|\bform\s+10-?k\w*[^.]{0,80}\b(?:previously\s+)?filed\s+(?:with|on)\b|\b(?:original|prior|previous)\s+(?:form\s+10-?k|filing|report)|^(?=[\s\S]*\b(?:incorporat\w*|reference|see)\b)[\s\S]*\bform\s+10-?k\w*(?:\s+for\s+[^.;]{0,40}?)?\s+of\s+(?!(?:the|our)\s+(?:company|corporation|registrant|partnership|trust|bank)\b|\u00a7)/i;
const WITHIN =
  /\bnotes?,?\s+(?:no\.?\s*|number\s+)?\(?(?:\d{1,2}|[A-Z])\b|\bnotes?\s+to\s+(?:the\s+|our\s+|its\s+)?(?:\w+\s+){0,3}(?:financial|statements)|\bitems?\s+\d{1,2}[A-C]?\b|\bpart\s+(?:I{1,3}|IV)\b|\bpages?\s+[a-z]{0,2}\s?-?\d|\bset\s+forth\s+above\b|\bhereof\b|\bunder\s+the\s+(?:sub)?(?:caption|heading)|\b(?:sub)?(?:caption|heading|section)s?\s+(?:entitled|titled|captioned|["\u201c])|["\u201d]\s+(?:above|below|section)|\b(?:elsewhere|index\s+to\s+(?:consolidated\s+)?financial)|\b(?:management['\u2019]?s\s+discussion|MD&A)\b|\b(?:see|under|in|to|of)\s+(?:the\s+)?""|\b(?:hereto|herewith)\b|\bseparate\s+section\b|\b(?:following|after|behind)\s+the\s+signature|\b(?:at|near|to)\s+the\s+(?:end|back)\s+of\s+(?:\u00a7|(?:the|this)\s+(?:document|report|filing|item|section))/i;
/** The report as a whole is a place only for what is said to stand in it. */
const IN_REPORT =
  /\b(?:(?:is|are|be)\s+(?:\w+\s+){0,2}(?:includ|contain|set|found|present|attach|append)|appear|begin|start|follow|elsewhere|end|back|see|refer)[^.;]{0,60}\u00a7/i;

/** Words that give a place the part of the item. A sentence without figures that names a place needs none. */
const REFERS =
  /\b(?:incorporat|by\s+(?:this\s+)?reference\b|refer(?:s|red|ence)?\b|see\b|turn\s+to\b|look\b|answer|respon[ds]|part\s+of\s+this\b|subject\s+of\b|appear|stands?\b|begin|exposures?\s+(?:in|from)\b|(?:(?:contain|includ|summariz|cover|address|detail|outlin|print|reproduc|present|report|furnish|provid|describ|disclos|discuss|identifi|list|locat|attach|submitt|caption|fold|combin)e?d|set\s+(?:forth|out)|dealt|bound|found|shown|given|filed|made)\s+(?:\w+\s+){0,3}(?:in|on|at|under|above|below|as|elsewhere|therein|by|with|into|within|separately|among|after|behind|following)\b|(?:is|are|be)\s+(?:those\s+)?(?:in|on|under)\b|contains?\b|in\s+(?:our|its|the|such|said)\b[^.]{0,60}\b(?:report|form\s+10-?k)\b)/i;
/** A quarter's risk factors, and "no change", are about those of the annual report: a sentence that names them points there. */
const OF_10K = /\b(?:in|from|of|to|under|with)\s[^.;]{0,80}\b(?:10-?k|annual\s+report)\b/i;
/** The place is a part of the item. It may be one that a sentence before it names: "That text is incorporated in this Item." */
const TAKES_IN =
  /\bincorporated?\b(?:\s+\w+){0,4}\s+(?:by\s+(?:this\s+)?reference|in(?:to)?\s+(?:this|our|response|answer)|here)|\bby\s+reference\b.*\bincorporated\b|\bpart\s+of\s+this\b|\b(?:answers?|response|responds?|responsive)\s+(?:to\s+)?this\b|\bthis\s+item\b[^.]*\b(?:requires?|calls?)\b|\b(?:required|called\s+for)\s+by\s+this\s+item\b/i;
/** More stands elsewhere; the item does not need it. */
const MORE =
  /\bsee\s+also\b|\b(?:more|further|additional|complete|full|detailed)\s+(?:complete\s+|detailed\s+)?(?:information|discussion|details?|description|disclosure)\b|^\W*in\s+addition,/i;
const REMAINDER = /\brequired\b|\bremaining\b|\b(?:called|asks)\s+for\b/i;
const STRONGLY =
  /\bincorporat|\brequired\b|\bcalled\s+for\b|\bremaining\b|\breference\s+is\s+(?:hereby\s+)?made\b|(?:^|:|^\W*(?:for|regarding|concerning|as\s+to|with\s+re\w+\s+to)\s[^.;]*\s)\W*(?:please\s+)?(?:see|refer)\b|\b(?:appears?|stands?)\b|\b(?:information|statements?|reports?|data|table|discussion)\b.*\b(?:is|are|be)\s+(?:also\s+)?(?:set\s+forth|contained|included|presented|found|shown|provided|located|in|on\s+page)\b/i;
/** It sends the reader to a place. Courts answer, begin and find, too. */
const SENDS = /\bincorporat|\bsee\b|\breference\b|\brefer\s+to\b/i;
/** It has no words on the matter but those of the place. */
const BEGINS = /^\W*(?:please\s+)?(?:see|refer)\b/i;
/** It says how to read the text, or what counts as filed. */
const NEUTRAL =
  /\b(?:in\s+conjunction|together)\s+with\b|\bdeemed\b|\bnot\s+necessarily\s+indicative\b|\bPCAOB\s+ID\b|^[("\u201c]*the\s+["\u201c]|\bwithin\s+120\s+days\b|\bregulation\s+14a\b|\bwill\s+be\s+filed\b|\bindependent\s+(?:registered\s+public\s+accounting\s+firm|auditors?|accountants?)\s+(?:is|was|for)\b|\bgeneral\s+instruction/i;
/** The whole answer: nothing is reported, or need be. */
const ANSWERS =
  /^\W*(?:\(?[a-z\d]{1,2}[.)]\s*)?(?:(?:there\s+(?:is|are|was|were|have\s+been)\s+|(?:we|the\s+\w+)\s+(?:has|have|had)\s+)?none(?!\s+of\b)|nil|n\/?a|nothing|unanswered|(?:intentionally\s+)?omitted(?=\W*$|\s+\(|\s+(?:pursuant|in\s+accordance|under|by|as|at|because))|(?:not|no\s+longer)\s+(?:applicable|required|material|reportable)|(?:no|not\s+(?:provided|given|included|furnished)|(?:removed\s+and\s+)?reserved|removed)(?=\W*$))\b|^[^.]{0,40}\b(?:items?|information|disclosures?|response|table|discussion|data)\b[^.]{0,100}\b(?:omitted|removed|unanswered|left\s+blank)\b|\ball\s+[^.;]*\b(?:comments|information|reports?)\b[^.;]*\b(?:has|have|were|was)\s+(?:been\s+)?(?:so\s+)?(?:resolved|disclosed|reported)\W*$|\b(?:not\s+(?:currently\s+|presently\s+)?(?:applicable|called\s+for|required|obligated)(?!\s+to\s+(?!provide|disclose|furnish|include|make|be\b|report|respond|present|file))|inapplicable|(?:do(?:es)?|did)\s+not\s+apply|(?:chosen|elected|opted)\s+(?:to\s+\w+\s+none|not\s+to\s+(?:provide|include|give))|smaller\s+reporting|small\s+business\s+issuer|n\/a|(?:no|not)\s+(?:\w+\s+)?report(?:able)?\s+(?:under|pursuant|for|on)\s+this|no(?:thing|\s+items?|\s+information)\s+(?:\w+\s+)?to\s+(?:report|disclose)|no\s+(?:disclosure|information|report|response|answer)s?\s+(?:is|are)\s+(?:required|called\s+for|necessary|applicable))\b/i;
const NO_PARTY = String.raw`|\b(?:not|never|neither|none|nor)(?:\s+[\w,'\u2019()/-]+){0,15}?\s+(?:part(?:y|ies)\b(?!\s+to\s+the\b)|(?:subject|involved|engaged|aware)\s+(?:to|of|in)\s+(?:any|an?|such|material|pending|legal)\b)`;
const PROCEEDINGS = 'proceedings?|litigation|lawsuits?|suits?|claims?|actions?|developments?|changes?|matters?|legal';
/**
 * What an item asks for: words of its title, which alone "no" denies, and words of its parts. A note or another item that describes such
 * a part supplies it; one that describes a loan or a lease does not.
 */
const SUBJECTS: Readonly<Record<string, readonly [denied: string, part?: string]>> = {
  '1': ['', 'segments?|geographic'],
  '1A II-1A': ['risk\\s+factors?|changes?|updates?'],
  '1B': ['comments?'],
  '2': ['', 'properties|reserves|land|real\\s+estate'],
  '3 II-1': [PROCEEDINGS, `${PROCEEDINGS}|contingenc\\w+|^(?:see|refer)`],
  '4 II-4': ['matters?|vote[ds]?|submi\\w+|mines?|mining|meetings?'],
  '5': [
    'unregistered|sales\\s+of|(?:re)?purchases?',
    'market\\s+for|prices|dividends?|holders|compensation|performance',
  ],
  'II-2': ['unregistered|securities|shares?|stock|sales?|repurchase[ds]?|purchase[ds]?|changes?|modif\\w+'],
  'II-3': ['defaults?|events?\\s+of\\s+default|arrearages?|senior\\s+securities'],
  '7A I-3': ['risks?|derivatives?|instruments?|exposures?|changes?', 'expos\\w+|market\\s+risks?|rates?|currenc\\w+'],
  '9': ['changes?|disagreements?|disputes?|events?'],
  '9A': ['changes?', 'reports?'],
  'I-4': ['changes?'],
  '9B II-5': ['items?\\s+under|information|matters?|events?|reports?|changes?\\s+(?:\\w+\\s+){0,3}procedures?'],
  '10 11': ['changes?', 'executive\\s+officers'],
  '12': ['', 'equity\\s+compensation'],
  '13': ['relationships?|transactions?'],
  'II-6': ['reports?|exhibits?|forms?'],
};
const DENIES =
  /\b(?:no|not|none|neither|nor|never|nothing|nobody|nil|n\/?a|free\s+of|without|inapplicable|omitted|unanswered)\b/i;
const NO_CHANGE =
  /^\W*no\b|\bthere\s+(?:is|are|was|were|ha(?:s|ve)\s+been)\s+no\b|\bnot\s+(?:\w+\s+){0,3}(?:differ|changed)\b/i;
/** A thing that is excepted is there. */
const EXCEPTED =
  /\b(?:other\s+than|except(?:ing)?|apart\s+from|aside\s+from)\s+(?!(?:[\w-]+\s+){0,5}(?:ordinary|routine|incidental|normal|as|those|previously)\b)/i;
const NO_PROPERTY =
  /\b(?:no|not|neither|nor)\b[^.,;]*\b(?:propert(?:y|ies)|real\s+estate)(?:\s+(?:of\s+any\s+kind|at\s+(?:this|the\s+present)\s+time|at\s+present|currently))?\W*$/i;
const OF_ITEMS = new Map(
  Object.entries(SUBJECTS).flatMap(([codes, [subject, part]]) => {
    const denied = String.raw`\b(?:no(?!\s+(?:effect|assurance))|(?:not|nor|never)(?:\s+[\w-]+){0,4}?\s+(?:any(?:\s+of)?|an?|hold|own|use|(?:asked|exposed|subject|sensitive)\s+to)|without(?!\s+(?:a\s+)?meeting)|neither|nothing)(?:\s+(?!(?:of|in|on|by|to|for|from|over|against|with|that|which|is|are|was|were|has|have|will)\b)[\w,'\u2019()/-]+){0,9}?\s+(?:${subject})\b${subject === PROCEEDINGS ? NO_PARTY : ''}|\b(?:${subject})\b[^.;]{0,150}\b(?:not|nor)\s+(?:\w+\s+){0,3}changed?\b`;
    const read = {
      denied: subject === '' ? null : new RegExp(denied, 'i'),
      part: part === undefined ? null : new RegExp(String.raw`(?:^\W*|\b)(?:${part})\b`, 'i'),
    };
    return codes.split(' ').map((code) => [code, read] as const);
  }),
);

/** What Item 408 of Regulation S-K asks for, even if nothing happened. */
const TRADING_PLANS = /\b10b5-?.?1\b|\bitem\s+408\b/i;

/** Items on risks and lawsuits begin with words that hold for everybody. */
const GENERAL = new Set(['1A', '3', '7A', 'II-1A', 'II-1', 'I-3']);

function readSentences(paragraphs: readonly Paragraph[], { code, family, heading }: KindedSection): Said {
  const none = { exhibit: 0, filing: 0, document: 0 };
  const said: Said = {
    refers: { ...none },
    strongly: { ...none },
    own: 0,
    general: 0,
    referring: { exhibit: [], filing: [], document: [] },
    last: null,
    perhaps: null,
    isWeak: false,
    lists: false,
    denied: RESERVED.test(heading),
  };
  const rows = paragraphs.filter(({ figures }) => figures);
  if (rows.length >= LEAST_ROWS) said.own += rows.reduce((sum, { text }) => sum + squeeze(text).length, 0);
  const paged = paragraphs.filter(({ page }) => page);
  // An index of pages in place of the statements.
  if (paged.length >= LEAST_ROWS && /^(?:6|7|8|I-1)$/.test(code)) said.refers.document += paged.length;
  for (const [k, { text, figures, page }] of paragraphs.entries()) {
    if (figures || page) continue;
    // A company's name and a page's number may follow "Not applicable".
    const answers = () => SINGLE.has(code) || paragraphs.slice(1).every((one) => one.text.length < SHORT_REST);
    if (k === 0) said.denied ||= NOTHING.test(text) && answers();
    // What follows "None." is not the item's.
    if (k > 0 && said.denied && SINGLE.has(code)) break;
    for (const sentence of sentencesOf(text))
      readSentence(said, sentence.slice(0, LONGEST_SENTENCE), code, family, !/[.!?;:]\W*$/.test(text.slice(-TAIL)));
  }
  return said;
}

function readSentence(said: Said, sentence: string, code: string, family: SectionFamily, isCaption: boolean): void {
  // Most sentences refer to nothing: the place that they name is not looked for. "Such information is incorporated by reference."
  const isProxy = family === '10-K' && PART_III.has(code) && PROXY_OF_PART_III.test(sentence);
  const isPointing =
    isProxy ||
    REFERS.test(sentence) ||
    (family === '10-Q' &&
      OF_10K.test(sentence) &&
      (code === 'II-1A' || DENIES.test(sentence)) &&
      !OWN_WORDS.test(sentence.replace(NUMBERED, '')));
  // More of its own substance says nothing new.
  if (!isPointing && (said.own >= LEAST_SUBSTANCE || (said.lists && !VERB.test(sentence)))) return;
  const refers = isPointing || !(OWN_WORDS.test(sentence.replace(NUMBERED, '')) || CLAUSES.test(sentence));
  if (REFERS_TO_NONE.test(sentence.replace(QUOTED_WORDS, '')) || NOT_INCORPORATED.test(sentence)) return;
  const letters = squeeze(sentence).length;
  const takesIn = refers && TAKES_IN.test(sentence);
  let named = refers && !NO_PROXY.test(sentence) ? placeIn(sentence, code, family, isProxy) : null;
  const main = named === null || takesIn || isProxy ? sentence : sentence.replace(DESCRIBED, ' ');
  const inPassing = main !== sentence && placeIn(main, code, family, isProxy) === null;
  if (inPassing && isConcrete(main) && !SENDS.test(main) && !NO_CHANGE.test(main)) named = null;
  const place = named ?? (takesIn ? said.last : null);
  if (TRADING_PLANS.test(sentence)) said.own += letters;
  else if (place !== null) {
    if ((BESIDE.test(sentence) && !takesIn) || (code === '9A' && AUDITORS.test(sentence))) return;
    said.last = place;
    said.referring[place].push(sentence);
    if (!isPointing) {
      said.perhaps = place;
      return;
    }
    said.lists = /:\W*$/.test(sentence) || /\bthe\s+following\b/i.test(sentence);
    if (named !== null) said.isWeak = MORE.test(sentence) && !REMAINDER.test(sentence) && !isProxy;
    said.refers[place] += letters * (said.isWeak ? WEAK : 1);
    // Risk factors of a quarterly report are changes to those of the annual one.
    const isOther = code === 'II-1A' || takesIn || isProxy;
    const isAsked =
      REMAINDER.test(sentence) ||
      OF_ITEMS.get(code)?.part?.test(BEGINS.test(sentence) ? sentence : sentence.replace(QUOTED_WORDS, ''));
    const isStrong = STRONGLY.test(sentence)
      ? place !== 'document' || isAsked
      : isAsked && STATED.test(main) && !FIGURES.test(main.replace(NUMBERED, ''));
    const isOfMatter = LAWSUITS.has(code) ? isAsked : isStrong && !said.isWeak && code !== 'I-4';
    if ((isOther && (LAWSUITS.has(code) || !said.isWeak)) || (isOfMatter && !inPassing))
      said.strongly[place] += letters;
  } else if (
    said.own >= LEAST_SUBSTANCE ||
    isDenial(sentence, code, letters) ||
    NEUTRAL.test(sentence) ||
    PROXY.test(sentence) ||
    // A line of a list of persons is none: "Mary Dole, 54, Treasurer".
    (isCaption && letters < 80 && !/,\s*\d\d,/.test(sentence)) ||
    said.denied
  )
    return;
  else if (GENERAL.has(code) && !isConcrete(sentence)) said.general += letters;
  else said.own += letters;
}

/** A clause on a thing that a sentence mentions: "the suit that was described in our Form 10-K", "as defined in Note 3". */
const DESCRIBED = new RegExp(
  String.raw`(?:,?\s+as\s+(?:\w+\s+){0,2}?|,?\s+(?:that|which|who)\s+(?:is|are|was|were|ha(?:s|ve)\s+been)\s+(?:\w+\s+)?|(?<!\b(?:is|are|was|were|be|been|being|and|or)(?:\s+\w+)?)\s+)(?:described|discussed|disclosed|reported|mentioned|defined|noted|explained|told|presented)\s+(?:\w+\s+)?(?:in|under|on|at|above|below)\b[^,;.]*\b(?:10-?[kq]\w*|8-k|reports?|statements?|prospectus|(?:notes?|items?|pages?|part)\s+\S+)(?:\s+(?:for|of|dated|filed|on|the|fiscal|years?|quarters?|periods?|ended|ending))*(?:\s+${MONTHS}\s+\d{1,2},?)?(?:\s+(?:19|20)\d\d)?`,
  'gi',
);
/** It is read beside the text. */
const BESIDE = /\bin\s+conjunction\s+with\b|\b(?:consider|read)\b[^.;]*\b(?:together|along)\s+with\b/i;
/** An auditor's report belongs to the statements. A sentence on both reports is about the one of management, unless the auditor's is on it. */
const AUDITORS =
  /^(?!.*(?<!\b(?:audit(?:s\s+of|ed)|attest\w*\s+(?:of|to|on)|(?:report|opinion)s?\s+on|with)\s+(?:our\s+|the\s+)?)\b(?:management['\u2019]?s\s+(?:\w+\s+)?report\b|reports?\s+(?:of|by)\s+management\b|management\s+report\b)).*\b(?:audited|attestation|auditors?|accounting\s+firm|as\s+stated\s+in\s+(?:its|their|his))\b/is;
/** "No proxy statement has been sent"; the legend on forward-looking statements, which names items; "is not deemed incorporated". */
const REFERS_TO_NONE = /^\W*no\s+(?:annual\s+report|proxy)|\bforward-?\s?looking\s+statements?\b/i;
/** A company that sends none has no place there; what else the sentence says counts. */
const NO_PROXY =
  /\b(?:no|not|nor|neither)\b(?:\s+\w+){0,6}?\s+(?:files?|filed|sen[dt]s?|solicits?|distribute[sd]?|furnish(?:es)?|prepares?)\s+(?:an?\s+|any\s+|no\s+)?prox|\b(?:files?|sends?|solicits?)\s+no\s+prox/i;
const NOT_INCORPORATED = /^(?:(?!incorporat)[\s\S])*\b(?:not|nor)\b[^.;(),]{0,80}\bincorporat/i;
/** Their facts stand in the proxy statement, however a report says so. */
const PART_III = new Set(['10', '11', '12', '13', '14']);
/** Items that "None." answers whole. */
const SINGLE = new Set('1A 1B 1C 2 3 6 7A 9 9B 9C 16 I-3 II-1 II-1A II-3 II-4 II-5'.split(' '));
const NOTHING =
  /^\W*(?:none|nil|n\/a|not\s+applicable|inapplicable|omitted(?:\s+at\b[^.]{0,40})?|nothing\s+to\s+report)(?:\s+to\s+report)?\W*$/i;
const RESERVED = /\breserved\b/i;
const VERB = /\b(?:is|are|was|were|been?|has|have|had|will|shall|may|can|could|would|should|do|does|did)\b/i;

/** Items that ask for facts of every company. Only a short answer denies all of them. */
const FACTS = new Set('1 2 5 6 7 8 9A 10 11 12 13 14 I-1 I-2 I-4'.split(' '));
const SHORT_DENIAL = 120;
/** Characters of a paragraph that is page furniture, or a caption. */
const SHORT_REST = 40;

/** It says that what the item asks for is absent or not required, in each clause and without figures. If in doubt, it is text. */
function isDenial(sentence: string, code: string, letters: number): boolean {
  const saysSo = ANSWERS.test(sentence) || (code === '2' ? NO_PROPERTY : OF_ITEMS.get(code)?.denied)?.test(sentence);
  if (!saysSo || (letters > SHORT_DENIAL && FACTS.has(code))) return false;
  const words = sentence.replace(NUMBERED, '');
  if (FIGURES.test(words) || EXCEPTED.test(words)) return false;
  return words.split(BORDERS).every((one) => DENIES.test(one) || ANSWERS.test(one) || IS_A.test(one));
}

/** The border of two clauses, and of those before a verb or a person. */
const CLAUSES = /,\s+(?:and|but|which|so)\s+|;\s/i;
const BORDERS =
  /,\s+(?:and|but|which|so)\s+|;\s|\s+(?:but|although|while|though)\s+|\s+and\s+(?=(?:is|are|was|were|will|has|have|may|(?:lease|rent|use|occupie|owe|hold|own)s?|we|it|they)\b)/i;
/** Who need not answer. */
const IS_A =
  /\b(?:we|it|registrant|company|partnership|trust|fund)\s+(?:is|are)\s+an?\s+(?:[\w-]+\s+){0,4}(?:company|issuer|filer|registrant|subsidiary)\W*$/i;

/** The place at which something stands, in the words of a sentence; null if it names none. */
function placeIn(sentence: string, code: string, family: SectionFamily, isProxy: boolean): Place | null {
  const own = new RegExp(
    String.raw`(?:\bpart\s+[iv]+,?\s+)?\bitem\s+${code.replace(/^I+-/, '')}\b(?:,?\s+part\s+[iv]+\b)?`,
    'gi',
  );
  const said = sentence
    .replace(COVERED, '')
    .replace(FILED_EXHIBIT, '')
    .replace(QUOTED_WORDS, '""')
    .replace(OWN_REPORT, '\u00a7');
  const text = family === '10-Q' && FORM_10K.test(sentence) ? said : said.replace(own, '');
  // A quarterly report has no Exhibit 13: the annual report is the 10-K.
  const exhibit = family === '10-Q' ? null : (ANNUAL_REPORT.exec(text) ?? EXHIBIT_13.exec(text));
  const proxy = PROXY.exec(text) ?? (isProxy ? PROXY_OF_PART_III.exec(sentence) : null);
  if (exhibit && (!proxy || exhibit.index < proxy.index)) return 'exhibit';
  if (proxy) return 'filing';
  if (family === '10-Q' ? FORM_10K.test(text) || /\bannual\s+report\b/i.test(text) : FILED_10K.test(text))
    return 'filing';
  if (EXHIBIT.test(text) && !COPY.test(text) && (!/\bfiled\s+as\b/i.test(text) || TAKES_IN.test(sentence)))
    return 'exhibit';
  if (HOLDS_TEXT.test(sentence) && !COPY.test(text)) return 'exhibit';
  if (OTHER_FORM.test(text) && !COPY.test(text)) return 'filing';
  return WITHIN.test(text) || (IN_REPORT.test(text) && !DENIES.test(text)) ? 'document' : null;
}

const OWN_WORDS = /[$%]|\bregistration\s+statement|\bprospectus|\b\d[\d,.]*\b|\bweb\s?-?(?:site|page)|\bwww\./i;
const FIGURES = /[$%]|\b\d[\d,.]*\b/;
/** Numbers of places, rules, days and years, and thresholds. */
const NUMBERED =
  /\b(?:forms?|rules?|items?|notes?|exhibits?|pages?|parts?|section|schedule|regulation|instruction|act\s+of|january|february|march|april|may|june|july|august|september|october|november|december)\s+(?:no\.?\s+)?\(?(?:[a-z]{0,2}-?\d[\w().-]*|[ivx]+\b|[a-z]\b)(?:(?:,|\s+(?:to|and|through|or)|\s*[-\u2013])\s*(?:[a-z]-?)?\d+)*|\b(?:19|20)\d\d\b|\b10-?[kq]\b|\bmore\s+than\s+\$?\d+\s?%?|\$?\b\d+(?:\s?%|\s+million|\s+days)?\s+or\s+(?:more|greater)\b/gi;
const NO_NAME =
  /^(?:company|corporation|registrant|partnership|trust|form|sec|commission|exchange|act|securities|item|part|note|rule|regulation|board|directors?|management|common|stock|consolidated|financial|statements?|risk|factors?|annual|quarterly|report|i|our|we)$/i;

const MONTH = new RegExp(String.raw`\b${MONTHS}\b`);

/** Whether a sentence has a figure, a day or a name within it. */
function isConcrete(sentence: string): boolean {
  if (FIGURES.test(sentence.replace(/\b(?:form|rule|item|note)\s+\S+/gi, '')) || MONTH.test(sentence)) return true;
  const words = sentence.split(/\s+/).slice(1);
  return words.filter((word) => /^[A-Z][a-z]+/.test(word) && !NO_NAME.test(word.replace(/\W.*$/, ''))).length >= 2;
}

/** The first line of a section, and the first behind it. */
const rangeOf = (lines: readonly Line[], { start, end }: KindedSection) =>
  [countBefore(lines, (line) => line.end <= start), countBefore(lines, (line) => line.start < end)] as const;

/** The exhibit's number, 13 for an annual report to shareholders (Regulation S-K, Item 601), or the proxy statement; null: another filing. */
function refersTo(text: string, place: 'exhibit' | 'filing'): string | null {
  if (place === 'filing') return PROXY.test(text) ? 'proxy statement' : null;
  return (
    EXHIBIT_13.exec(text)?.[1] ??
    (ANNUAL_REPORT.test(text) ? '13' : ((EXHIBIT.exec(text) ?? HOLDS_TEXT.exec(text))?.[1] ?? null))
  );
}

/** Sentences end at a full stop before a capital; those of abbreviations ("No. 1", "Inc. and") and before an item's title do not. */
const SENTENCE_END =
  /(?<!\sv\.)(?<!\b[Ii](?:tem|TEM)\s\d{1,2}[A-C]?\.(?=\s+(?:["\u201c]|(?!(?:The|We|Our|In|This|As|For|It|There|No|All|At|On|Such)\s)[A-Z][\w'\u2019]+,?\s+(?:[A-Z]|and\s|of\s|in\s|about\s))))(?<=(?:[a-z0-9%)\]"\u201d]|[A-Z]{3}|10-?[KQ])\.["\u201d]?)\s+(?=(?:\([a-z\d]{1,3}\)\s+)?["\u201c(]?[A-Z])|(?<=:)\s+(?=(?:[Tt]he|[Aa]n?|[Ii]n|[Oo]n|[Oo]ur|[Ww]e|[Ii]t)\s)/;

const BRACKETED = /\s\([^()]*\bsee\b[^()]*\)/gi;

/** A place in brackets beside facts is a sentence of its own. */
function apart(sentence: string): string[] {
  const main = sentence.replace(BRACKETED, '');
  const hasFacts = main !== sentence && isConcrete(main) && !REFERS.test(main) && !DENIES.test(main);
  return hasFacts ? [main, ...sentence.match(BRACKETED)!.map((one) => one.slice(2, -1))] : [sentence];
}

/** The sentences of a paragraph. A full stop within quotes ends none. */
const sentencesOf = (text: string) =>
  text
    .replace(/["\u201c][^"\u201c\u201d]{1,200}["\u201d]/g, (one) => one.replace(/\.\s/g, '.\u200b'))
    .split(SENTENCE_END)
    .map((one) => one.replaceAll('\u200b', ' '))
    .flatMap(apart);

const PAGE = String.raw`(?:[a-z]{1,3}\s?-\s?|[a-z])?\d{1,3}`;
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
  return [...new Set(found)].join(', ') || null;
}

const QUOTED = /(\(?\s*(?:the\s+|our\s+)?)["\u201c]([^"\u201c\u201d]{3,200}?)[,.]?["\u201d]/gi;
const NO_HEADING =
  /proxy\s+statement|annual\s+report|^(?:the\s+)?(?:company|corporation|registrant|sec|commission|form\s+10)|\bact$/i;

/** The captions that it names, in quotes, separated by semicolons. */
function headingsIn(text: string): string | null {
  const found = [...text.matchAll(QUOTED)]
    // `(the "Proxy Statement")` defines a name.
    .filter(([, before, words]) => !/\(\s*(?:the|our)\s+$/i.test(before!) && /^\W*(?:[A-Z]|\d)/.test(words!))
    .map(([, , words]) => words!.replace(/\s+/g, ' ').trim())
    .filter((words) => !NO_HEADING.test(words));
  return [...new Set(found)].join('; ').slice(0, 500) || null;
}
