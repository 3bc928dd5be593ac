/** Sections of annual and quarterly reports: code, title, the filing's own heading, and where each stands in the document's text. */
import { sectionFamily, sectionTitle } from '../contract/index.ts';
import { readLines } from './lines.ts';
import { readOutline } from './outline.ts';

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
  const outline = readOutline(readLines(text), family);
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
