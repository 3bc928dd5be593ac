/**
 * Sections of annual and quarterly reports: code, title, the filing's own heading, and the position of each in the document's text.
 */
import {
  type SectionFamily,
  type SectionKind,
  type SectionReference,
  sectionFamily,
  sectionTitle,
  smallBusinessTitle,
} from '../../api/index.ts';
import { type DocumentLines, linesOf, readLines } from '../text/lines.ts';
import { readAnnualReport, readQuarterlyTitles } from './annual-report.ts';
import { type Outline, readOutline } from './outline.ts';
import { findParts } from './parts.ts';
import { readKind } from './section-kinds.ts';

/** A section of a document. Positions are UTF-16 units: `text.slice(start_index, end_index)` is the section's source. */
export interface FoundSection {
  section: string;
  title: string;
  heading: string;
  start_index: number;
  end_index: number;
  /** Whether it has its text, or says where that stands. */
  kind: SectionKind;
  /** What the section refers to: not null for the kinds that are pointers, and `mixed`. */
  by_reference: SectionReference | null;
}

interface SectionOptions {
  /** YYYY-MM-DD: returns the titles valid then. */
  filingDate?: string;
  /** The text's lines, if it has been read: `readDocument` */
  lines?: DocumentLines | null;
}

/**
 * The sections of a 10-K or 10-Q form (and their variants and amendments), in the order of the document.
 * Only those found; an empty array for other forms.
 */
export function findSections(text: string, formType: string, options: SectionOptions = {}): FoundSection[] {
  const family = sectionFamily(formType);
  if (family === null) return [];
  const document = linesOf(text, options.lines);
  const found = sectionsOf(document, readOutline(document, family), family, options).map((section) => ({
    ...section,
    title: smallBusinessTitle(formType, section.section) ?? section.title,
  }));
  return family === '10-Q' ? [...firstPartByTitles(document, found, options), ...found] : found;
}

/** Items of Part I of a 10-Q, by the items of a 10-K that have the same titles. */
const OF_QUARTER: Readonly<Record<string, string>> = { '8': 'I-1', '7': 'I-2', '7A': 'I-3', '9A': 'I-4' };

/** Part I of a 10-Q that numbers the items of Part II only: by its titles, up to Part II. None if it has numbered ones, or no Part II. */
function firstPartByTitles(
  document: DocumentLines,
  found: readonly FoundSection[],
  options: SectionOptions,
): FoundSection[] {
  const second = found[0];
  if (second === undefined || !found.every(({ section }) => section.startsWith('II-'))) return [];
  const end = document.lines.findIndex(({ start }) => start >= second.start_index);
  const part = findParts(document.lines.slice(0, end)).findLast((one) => one.part === 2);
  const lines = document.lines.slice(0, part?.line ?? end);
  const last = part === undefined ? second.start_index : document.lines[part.line]!.start;
  return readQuarterlyTitles({ ...document, lines }).map(({ code, heading, start, end: to }) => ({
    section: OF_QUARTER[code]!,
    title: sectionTitle('10-Q', OF_QUARTER[code]!, options.filingDate) ?? '',
    heading,
    start_index: start,
    end_index: Math.min(to, last),
    kind: 'text',
    by_reference: null,
  }));
}

/**
 * The sections of an annual report to shareholders (Exhibit 13), under the codes of the 10-K that refers to it: by its items if it has numbered ones,
 * else by its titles (5, 6, 7, 7A, 8). A section may lie within another: market risk within management's discussion.
 */
export function findAnnualReportSections(text: string, options: SectionOptions = {}): FoundSection[] {
  const document = readLines(text);
  const outline = readOutline(document, '10-K');
  const byItems = sectionsOf(document, outline, '10-K', options);
  const byTitles = readAnnualReport(document);
  // A title alone does not make an item: reports to shareholders order their titles differently.
  const titled = new Set(outline.entries.flatMap(({ mark, codes }) => (mark.titleOnly === undefined ? [] : codes)));
  const numbered = new Set(
    byItems.flatMap(({ section, kind }) => (!kind.startsWith('pointer') && !titled.has(section) ? [section] : [])),
  );
  // Running headers that name an item don't make the report one with numbered items.
  if (numbered.has('7') && byTitles.every(({ code }) => numbered.has(code))) return byItems;
  return byTitles.map(({ code, heading, start, end }) => ({
    section: code,
    title: sectionTitle('10-K', code, options.filingDate) ?? '',
    heading,
    start_index: start,
    end_index: end,
    kind: 'text',
    by_reference: null,
  }));
}

/** Whether a document is an annual report to shareholders. @param type `EX-13`, `EX-13.1`, `EX-13.A` */
export function isAnnualReport(type: string | null): boolean {
  return type !== null && /^EX-13(?!\d)/i.test(type);
}

function sectionsOf(
  document: DocumentLines,
  outline: Outline,
  family: SectionFamily,
  options: SectionOptions,
): FoundSection[] {
  return outline.entries.flatMap((entry) =>
    entry.codes.map((code) => {
      const title = sectionTitle(family, code, options.filingDate) ?? '';
      return {
        section: code,
        title,
        heading: entry.mark.heading,
        start_index: entry.start,
        end_index: entry.end,
        // A list of exhibits names other documents in every line.
        ...(LISTS.test(`${title} ${entry.mark.heading}`)
          ? { kind: 'text' as const, by_reference: null }
          : readKind(document, { code, family, heading: entry.mark.heading, start: entry.start, end: entry.end })),
      };
    }),
  );
}

const LISTS = /\bexhibits?\b/i;

/** The verdict on a line that names an item. */
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

/** The sections, and why each line that names an item was accepted as a heading or refused. */
export function explainSections(
  text: string,
  formType: string,
  options: SectionOptions = {},
): { sections: FoundSection[]; verdicts: HeadingVerdict[] } {
  const family = sectionFamily(formType);
  if (family === null) return { sections: [], verdicts: [] };
  const document = readLines(text);
  const outline = readOutline(document, family);
  return {
    sections: sectionsOf(document, outline, family, options),
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
