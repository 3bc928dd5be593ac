/** Single risks of an item on risk factors, and risk discussions from before the item existed (December 2005). */
import type { DocumentLines } from '../lines/lines.ts';
import type { Heading } from './candidates.ts';

/** A stretch of lines under a heading: `lines.slice(line, endLine)`. */
export interface RiskText {
  /** Place of its heading among the headings. */
  readonly heading: number;
  readonly line: number;
  readonly endLine: number;
}

/** A risk discussion, and the single risks in it. */
export interface RiskPassage extends RiskText {
  readonly risks: readonly RiskText[];
}

/** Letters that follow the heading of a risk, at least. */
const LEAST_LETTERS = 80;
/** `Risks Related to Our Business`, `General Risks`: risks stand under it. */
const GROUP =
  /^(?:\W|[ivx]+\.|[a-z]\.)*(?:(?:general|other|additional|certain|summary|financial|operational|strategic|business|legal|regulatory|industry|market|macroeconomic)\b[\w\s,&/-]{0,60}\brisks?(?: factors?)?\W*$|risks?\b[\w\s,&/-]{0,30}\b(?:related|relating|associated|concerning|pertaining|particular|specific|inherent)\b|risks? factors?\b|summary\b)/i;

/** A sentence that begins like the title of a group: `Risks associated with our suppliers could …`, not `Risks that could …` */
const STATES = /(?<!\b(?:that|which)\s+)\b(?:may|could|can|might|will|would)\b/i;

/** The single risks: the level where most headings have a text. @param from place of the first heading */
export function risksAmong(headings: readonly Heading[], from: number, to: number): RiskText[] {
  const inside = headings.slice(from, to);
  const letters = new Map<string, number>();
  for (const { look, letters: own, text } of inside)
    if (own >= LEAST_LETTERS && !isGroup(text)) letters.set(look, (letters.get(look) ?? 0) + Math.min(own, 3000));
  const [usual] = [...letters].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as [string, number]);
  const levels = inside.filter(({ look }) => look === usual).map(({ level }) => level);
  const deepest = Math.max(0, ...levels);
  // A summary at the beginning has the titles of groups that follow, or of risks with a fraction of their text.
  const last = new Map(inside.map((one, k) => [one.text.toLowerCase(), { place: from + k, letters: one.letters }]));
  const isOfSummary = (text: string, place: number, own: number) => {
    const again = last.get(text.toLowerCase())!;
    return again.place > place && (again.letters === 0 || 2 * own < again.letters);
  };
  const risks: RiskText[] = [];
  for (let place = from; place < to; place++) {
    const { text, level, line, letters: own, look } = headings[place]!;
    if (level > deepest) continue;
    const hasRisks = headings[place + 1] !== undefined && place + 1 < to && headings[place + 1]!.level > level;
    const isParent = hasRisks && headings[place + 1]!.level <= deepest && (look !== usual || own === 0);
    if (
      isParent ||
      isGroup(text) ||
      isNote(text) ||
      isOfSummary(text, place, own) ||
      (own < LEAST_LETTERS && !hasRisks)
    )
      continue;
    let next = place + 1;
    while (next < to && headings[next]!.level > deepest) next++;
    risks.push({ heading: place, line, endLine: next < to ? headings[next]!.line : headings[place]!.endLine });
  }
  return risks;
}

function isGroup(text: string): boolean {
  return text.length <= 110 && GROUP.test(text) && !STATES.test(text);
}

/** `Cautionary Note Regarding Forward-Looking Statements`: neither a risk nor a sentence. */
function isNote(text: string): boolean {
  return text.length <= 160 && OF_FORECASTS.test(text) && NOTE.test(text);
}

const NOTE =
  /^\W*(?:cautionary|safe harbou?r|forward[ -]?looking|(?:special |important )?(?:notes?|statements?|disclosures?|information)\b)/i;

/** Headings of risk discussions. */
const OF_RISKS =
  /\brisk factors?\b|\bfactors? (?:that|which) (?:may|could|might|can|will)? ?(?:materially )?(?:affect|impact|influence)|\bfactors? affecting (?:future|our|the company|operating|results|business)|\brisks? and uncertaint|\b(?:business|inherent|certain|investment|company|additional|other) (?:business )?(?:risks?|factors)\b|^risks?$|\brisks? (?:related|relating|associated|of (?:the )?(?:business|investment))\b|\b(?:important|investment|risk) (?:factors|considerations)\b|\buncertainties\b/i;
/** Statements on forecasts, with the factors that may make them wrong. */
const OF_FORECASTS =
  /\b(?:cautionary|forward[ -]?looking)\b.*\b(?:statements?|factors?|information|language)\b|\blitigation reform act\b|\bsafe harbou?r\b|\bcautionary\b/i;
/** Titles that begin another discussion. */
const OF_ANOTHER = /\brisk factors?\b|\bfactors? (?:that|which|affecting)\b/i;
/** Forecasts: the risks are a part of them. */
const OUTLOOK = /^(?:business |future |company )?outlook$/i;
/** Risks that are measured under their own items, and tools against them. */
const OF_OTHERS =
  /\bmarket\b.*\brisks?\b|\b(?:interest rates?|credit|currency|exchange|commodity|price|equity|counterparty|liquidity|operating|residual|insurance) risks?\b|\brisk (?:management|retention|control)\b|concentrations?\b|\brisks? (?:and )?insurance|\bof (?:credit )?risk\b|\baccounting\b|\bestimates\b/i;
/** Headings that end a discussion whose own headings look like its title. */
const ENDS =
  /^(?:item\b|part [iv]+\b|overview\b|liquidity|results of operations|financial condition|properties|employees$|executive officers|legal proceedings|selected|quantitative|critical accounting|(?:recent|new) accounting|recently issued|inflation$|year 2000|backlog$|segment|quarterly (?:financial|results)|signatures?|financial statements|available information)/i;
const LIQUIDITY = /^liquidity and (?:capital resources|financial)|^results of operations\b/i;
const RISK_WORD =
  /\b(?:may|could|might|would|risks?|advers\w+|uncertain\w*|fail\w*|unable|inability|no assurance|cannot|depend\w*|harm\w*|declin\w+|loss(?:es)?|fluctuat\w+|difficult\w*|delay\w*|disrupt\w*|volatil\w+|differ|competiti\w+|factors?|there can be)\b/gi;
/** `could cause actual results to differ`: a text that names what may make forecasts wrong. */
const DIFFER = /\bactual\b.{0,60}\b(?:differ|vary)\b/i;

/** What a discussion has at least: letters, and risk words in a thousand letters. A paragraph that says where risks are described is shorter. */
const LEAST = {
  risks: { letters: 700, density: 4, differ: false },
  forecasts: { letters: 1000, density: 5, differ: true },
  outlook: { letters: 4000, density: 6, differ: true },
} as const;

/** Discussions of risks in a report that has no item for them, in their order. */
export function riskPassages(
  document: DocumentLines,
  headings: readonly Heading[],
  left: ReadonlySet<number>,
): RiskPassage[] {
  const words = new RiskWords(document, left);
  const isTyped = document.markup === 'typed';
  const found: RiskPassage[] = [];
  const notes = headings.findIndex(({ text }) =>
    /^notes to (?:the )?(?:consolidated )?financial statements/i.test(text),
  );
  const isInNotes = (place: number) => notes >= 0 && place > notes && headings[place]!.line < headings[notes]!.endLine;
  for (let place = 0; place < headings.length; place++) {
    const heading = headings[place]!;
    if (heading.look === 'section' || isInNotes(place)) continue;
    const least = leastOf(heading.text);
    if (least === null) continue;
    const endLine = isTyped ? atLiquidity(document, heading) : heading.endLine;
    const { letters, risky, differs } = words.between(heading.bodyLine, endLine);
    if (letters < least.letters || risky < (letters * least.density) / 1000 || (least.differ && !differs)) continue;
    let to = place + 1;
    while (to < headings.length && headings[to]!.line < endLine) to++;
    found.push({
      heading: place,
      line: heading.line,
      endLine,
      risks: risksAmong(headings, place + 1, to),
    });
    place = to - 1;
  }
  return found;
}

function leastOf(title: string): (typeof LEAST)[keyof typeof LEAST] | null {
  if (OF_FORECASTS.test(title)) return LEAST.forecasts;
  if (OUTLOOK.test(title)) return LEAST.outlook;
  if (!OF_RISKS.test(title)) return null;
  return OF_OTHERS.test(title) && !/risk factors?\b|affect/i.test(title) ? null : LEAST.risks;
}

/** A typewritten discussion of risks continues under headings that look like its own. */
export const leadsRisks = (title: string) => !OUTLOOK.test(title) && leastOf(title) !== null;
export const endsRisks = (title: string) => OF_ANOTHER.test(title) || OF_FORECASTS.test(title) || ENDS.test(title);

/** Counts over lines, so that nested headings cost no more than one. */
class RiskWords {
  readonly #document: DocumentLines;
  readonly #left: ReadonlySet<number>;
  #sums: { letters: Float64Array; risky: Float64Array; differs: Float64Array } | null = null;

  constructor(document: DocumentLines, left: ReadonlySet<number>) {
    this.#document = document;
    this.#left = left;
  }

  between(from: number, to: number): { letters: number; risky: number; differs: boolean } {
    this.#sums ??= this.#counted();
    const { letters, risky, differs } = this.#sums;
    return {
      letters: letters[to]! - letters[from]!,
      risky: risky[to]! - risky[from]!,
      differs: differs[to]! > differs[from]!,
    };
  }

  #counted() {
    const { lines } = this.#document;
    const zeros = () => new Float64Array(lines.length + 1);
    const [letters, risky, differs] = [zeros(), zeros(), zeros()];
    let before = '';
    for (const [i, line] of lines.entries()) {
      const isLeft = this.#left.has(i);
      const text = isLeft ? '' : line.whole;
      letters[i + 1] = letters[i]! + (isLeft ? 0 : line.letters);
      risky[i + 1] = risky[i]! + (text.match(RISK_WORD)?.length ?? 0);
      // The words may stand in two typewritten lines.
      differs[i + 1] = differs[i]! + Number(DIFFER.test(`${before} ${text}`));
      if (!isLeft) before = line.typed ? text : '';
    }
    return { letters, risky, differs };
  }
}

/** The first line after a discussion: a title may be the first line of a table. */
function atLiquidity({ lines }: DocumentLines, { line, endLine }: Heading): number {
  const isNext = (i: number) => LIQUIDITY.test(lines[i]!.text) && lines[i]!.table !== lines[i - 1]!.table;
  for (let i = line + 1; i < endLine; i++) if (isNext(i)) return i;
  return endLine;
}
