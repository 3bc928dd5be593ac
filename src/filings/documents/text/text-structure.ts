/** The headings and the single risks of a section, with positions in its readable text. */
import type { Heading } from '../headings/candidates.ts';
import { headingsOf } from '../headings/headings.ts';
import { type RiskText, riskPassages, risksAmong } from '../headings/risk-factors.ts';
import { discussedIn, RISK_SECTIONS } from '../headings/structure.ts';
import { type SectionReading, sectionReadings, type TextFormat } from './text.ts';

/** Positions are UTF-16 units of the section's text. */
export interface TextHeading {
  /** 1 for the section's own heading */
  position: number;
  level: number;
  heading: string;
  /** Position of the heading above */
  parent: number | null;
  start_index: number;
  end_index: number;
}

export interface TextRisk {
  position: number;
  heading: string;
  /** The heading above it, within the item or the discussion */
  group_heading: string | null;
  /** Heading of the discussion that it is a part of; null in an item on risk factors */
  passage: string | null;
  start_index: number;
  end_index: number;
}

export interface ReadSection {
  text: string;
  headings: TextHeading[];
  risks: TextRisk[];
}

interface ReadOptions {
  format?: TextFormat;
  /** Whether headings and risks are wanted: they take longer than the text. */
  structure?: boolean;
  /** YYYY-MM-DD; null: unknown */
  filingDate?: string | null;
}

/** @param sections of one document, in their order */
export function readSections(
  sections: readonly { section: string; html: string }[],
  { format = 'plain', structure = false, filingDate = null }: ReadOptions = {},
): ReadSection[] {
  const readings = sectionReadings(
    sections.map(({ html }) => html),
    format,
  );
  if (!structure) return readings.map(({ text }) => ({ text, headings: [], risks: [] }));
  const mayBeIn = discussedIn(sections, filingDate);
  return readings.map((reading, k) => readSection(reading, sections[k]!.section, mayBeIn(sections[k]!.section)));
}

function readSection(reading: SectionReading, code: string, discusses: boolean): ReadSection {
  const { document, left, text } = reading;
  const { lines } = document;
  const places = reading.places(lines);
  const headings = headingsOf(document, { left, tops: new Map(lines.length > 0 ? [[0, lines[0]!.text]] : []) });
  const at = (line: number) => {
    const place = places[line] ?? -1;
    return place < 0 ? text.length : place;
  };
  const span = (from: number, to: number) => ({ start_index: at(from), end_index: at(to) });
  const above = ({ parent }: Heading) => {
    const one = parent === null ? undefined : headings[parent];
    return one === undefined || one.look === 'section' ? null : one.text;
  };
  const risk = ({ heading, line, endLine }: RiskText, passage: string | null): Omit<TextRisk, 'position'> => {
    const own = headings[heading]!;
    return { heading: own.text, group_heading: above(own), passage, ...span(line, endLine) };
  };
  const risks = RISK_SECTIONS.has(code)
    ? risksAmong(headings, 1, headings.length).map((one) => risk(one, null))
    : discusses
      ? riskPassages(document, headings, left).flatMap((passage) => {
          const title = headings[passage.heading]!.text;
          const first = passage.risks[0]?.line ?? passage.endLine;
          // What stands before the first risk is a row too: the rows of a discussion are all of it.
          return [{ ...passage, endLine: first }, ...passage.risks].map((one) => risk(one, title));
        })
      : [];
  return {
    text,
    headings: headings.map(({ level, text: heading, parent, line, endLine }, k) => ({
      position: k + 1,
      level,
      heading,
      parent: parent === null ? null : parent + 1,
      ...span(line, endLine),
    })),
    risks: risks.map((one, k) => ({ position: k + 1, ...one })),
  };
}
