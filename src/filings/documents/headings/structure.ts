/** The headings and the risks of a report's sections, with positions in the source. */
import { type DocumentLines, type Line, linesOf } from '../lines/lines.ts';
import { pageFurniture } from '../lines/page-furniture.ts';
import type { FoundSection } from '../sections/sections.ts';
import type { Heading } from './candidates.ts';
import { headingsOf } from './headings.ts';
import { type RiskText, riskPassages, risksAmong } from './risk-factors.ts';

/** A stretch of a document. Positions are UTF-16 units of its text. */
interface Stretch {
  /** Code of the section that it is in; null outside all */
  section: string | null;
  heading: string;
  start_index: number;
  end_index: number;
}

export interface PlacedHeading extends Stretch {
  /** 1: the section's own heading; in a document without sections the highest */
  level: number;
  /** Place of the heading above it in the list, from 0; null at the top */
  parent: number | null;
}

/** A single risk; or, of a report without an item on risk factors, a discussion of risks, with its single risks. */
export interface PlacedRisk extends Stretch {
  risks?: Stretch[];
}

export interface Structure {
  headings: PlacedHeading[];
  risk_factors: PlacedRisk[];
}

/** Codes of the sections on risk factors, which 10-Ks and 10-Qs have since December 2005. */
export const RISK_SECTIONS: ReadonlySet<string> = new Set(['1A', 'II-1A']);
const RISK_FACTORS_SINCE = '2005-12-01';

interface StructureOptions {
  /**
   * YYYY-MM-DD; null: the period on the cover counts. Discussions of risks are looked for in filings before December 2005 without a
   * section on risk factors.
   */
  filingDate?: string | null;
  /** The text's lines, if it has been read: `readDocument` */
  lines?: DocumentLines | null;
}

/** @param sections of the document; empty: all its headings are given, outside of sections */
export function findStructure(
  text: string,
  sections: readonly FoundSection[],
  options: StructureOptions = {},
): Structure {
  const document = linesOf(text, options.lines);
  const { lines } = document;
  const tops = topsOf(lines, sections);
  const left = pageFurniture(lines, new Set(tops.keys()));
  const headings = headingsOf(document, { left, tops });
  const owner = (start: number) => sectionAt(sections, start);
  const owners = headings.map(({ start }) => owner(start));
  const place = (heading: number, from: number, to: number): Stretch => {
    const start_index = lines[from]!.start;
    const end_index = lines[to]?.start ?? text.length;
    const of = owner(start_index);
    const end = of === null ? end_index : Math.min(end_index, of.end_index);
    return { section: of?.section ?? null, heading: headings[heading]!.text, start_index, end_index: end };
  };
  // Documents without sections can have headings too.
  const kept = headings.flatMap((_, k) => (owners[k] === null && sections.length > 0 ? [] : [k]));
  const mayBeIn = discussedIn(sections, options.filingDate ?? periodOf(document));
  const number = new Map(kept.map((k, place) => [k, place]));
  return {
    headings: kept.map((k) => {
      const { level, parent, line, endLine } = headings[k]!;
      return { ...place(k, line, endLine), level, parent: parent === null ? null : (number.get(parent) ?? null) };
    }),
    risk_factors: risksOf(document, headings, left, sections, mayBeIn)
      .map(({ heading, line, endLine, risks }) => ({
        ...place(heading, line, endLine),
        ...(risks === undefined ? {} : { risks: risks.map((one) => place(one.heading, one.line, one.endLine)) }),
      }))
      .filter(({ section, risks }) => risks === undefined || mayBeIn(section ?? '')),
  };
}

function risksOf(
  document: DocumentLines,
  headings: readonly Heading[],
  left: ReadonlySet<number>,
  sections: readonly FoundSection[],
  mayBeIn: (code: string) => boolean,
): (RiskText & { risks?: readonly RiskText[] })[] {
  const own = sections.filter(({ section }) => RISK_SECTIONS.has(section));
  if (own.length === 0) return mayBeIn(TWENTY_F_RISKS) ? riskPassages(document, headings, left) : [];
  return own.flatMap(({ start_index, end_index }) => {
    const from = headings.findIndex(({ start }) => start >= start_index);
    const to = headings.findIndex(({ start }) => start >= end_index);
    return risksAmong(headings, from + 1, to < 0 ? headings.length : to);
  });
}

export function sectionAt<S extends { start_index: number; end_index: number }>(sections: readonly S[], at: number) {
  return sections.find(({ start_index, end_index }) => start_index <= at && at < end_index) ?? null;
}

/** The first lines of sections, with their headings. */
export function topsOf(lines: readonly Line[], sections: readonly Pick<FoundSection, 'start_index' | 'heading'>[]) {
  const tops = new Map<number, string>();
  let at = 0;
  for (const { start_index, heading } of sections.toSorted((a, b) => a.start_index - b.start_index)) {
    while (at < lines.length && lines[at]!.start < start_index) at++;
    if (at < lines.length && !tops.has(at)) tops.set(at, heading);
  }
  return tops;
}

const TWENTY_F_RISKS = '3';

/**
 * Sections in which risks may be discussed without an item of their own: all of reports before there was one, and Item 3 of 20-Fs, which
 * alone have Items 17 to 19.
 */
export function discussedIn(sections: readonly { section: string }[], filingDate: string | null) {
  if (sections.some(({ section }) => /^1[7-9]$/.test(section))) return (code: string) => code === TWENTY_F_RISKS;
  const isEarly = filingDate === null || filingDate < RISK_FACTORS_SINCE;
  const isAnywhere = isEarly && !sections.some(({ section }) => RISK_SECTIONS.has(section));
  return () => isAnywhere;
}

/** Lines of a cover. */
const COVER = 200;

/** The period of a report without a filing date, as its cover states it; null if it doesn't. */
function periodOf({ lines }: DocumentLines): string | null {
  for (const { text } of lines.slice(0, COVER)) {
    const [, year] = /\bended:?\s+\w+\s+\d{1,2}\s?,?\s+((?:19|20)\d\d)\b/i.exec(text) ?? [];
    if (year !== undefined) return `${year}-06-30`;
  }
  return null;
}
