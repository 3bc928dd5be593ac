/** Sections of annual and quarterly reports: code, title, the filing's own heading, and where each stands in the document's text. */
import { type SectionFamily, sectionFamily, sectionTitle } from '../contract/index.ts';
import { readLines } from './lines.ts';
import { type Outline, readOutline } from './outline.ts';

/** A section of a document. Positions are UTF-16 units: `text.slice(start_index, end_index)` is the section's source. */
export interface FoundSection {
  section: string;
  title: string;
  heading: string;
  start_index: number;
  end_index: number;
}

export interface SectionOptions {
  /** YYYY-MM-DD: gives the titles in force then. */
  filingDate?: string;
}

/**
 * The sections of a 10-K or 10-Q form (and their variants and amendments), in the order in which they stand in the document.
 * Only what was found; an empty array for other forms.
 */
export function findSections(text: string, formType: string, options: SectionOptions = {}): FoundSection[] {
  const family = sectionFamily(formType);
  if (family === null) return [];
  return sectionsOf(readOutline(readLines(text), family), family, options);
}

function sectionsOf(outline: Outline, family: SectionFamily, options: SectionOptions): FoundSection[] {
  return outline.entries.flatMap((entry) =>
    entry.codes.map((code) => ({
      section: code,
      title: sectionTitle(family, code, options.filingDate) ?? '',
      heading: entry.mark.heading,
      start_index: entry.start,
      end_index: entry.end,
    })),
  );
}

/** What became of a line that names an item. */
export interface HeadingVerdict {
  /** The printed numbers: `1`, or several of a combined heading. */
  items: string[];
  heading: string;
  /** Position of the heading in the text. */
  start_index: number;
  taken: boolean;
  score: number;
  /** Each with its weight: `stands alone +2`. */
  reasons: string[];
}

/** The sections, and why each line that names an item was taken for a heading or refused. */
export function explainSections(
  text: string,
  formType: string,
  options: SectionOptions = {},
): { sections: FoundSection[]; verdicts: HeadingVerdict[] } {
  const family = sectionFamily(formType);
  if (family === null) return { sections: [], verdicts: [] };
  const outline = readOutline(readLines(text), family);
  return {
    sections: sectionsOf(outline, family, options),
    verdicts: outline.verdicts.map((verdict) => ({
      items: verdict.mark.numbers,
      heading: verdict.mark.heading,
      start_index: verdict.mark.start,
      taken: outline.taken.has(verdict),
      score: verdict.score + verdict.titleScore,
      reasons: verdict.reasons,
    })),
  };
}
