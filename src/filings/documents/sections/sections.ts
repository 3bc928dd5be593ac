/** Sections of annual and quarterly reports: code, title, the filing's own heading, position in the text. */
import {
  type SectionFamily,
  type SectionKind,
  type SectionReference,
  sectionFamily,
  sectionTitle,
  smallBusinessTitle,
} from '../../api/index.ts';
import { type DocumentLines, linesOf, readLines } from '../lines/lines.ts';
import { readAnnualReport } from './annual-report.ts';
import { reasonOf } from './evidence.ts';
import { OLD_TITLES, TITLES, type TitleTable, titleLength } from './item-titles.ts';
import { type Outline, readOutline } from './outline.ts';
import { isBare, readKind } from './section-kinds.ts';
import { readSubstances } from './substance.ts';

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
  /**
   * The place of its substance, if the item points to another place of the document or runs on into the financial statements; else null.
   * Of the items on the discussion and the statements.
   */
  substance_start: number | null;
  substance_end: number | null;
}

interface SectionOptions {
  /** YYYY-MM-DD: returns the titles valid then. */
  filingDate?: string;
  /** The text's lines, if it has been read: `readDocument` */
  lines?: DocumentLines | null;
}

/** The sections of a 10-K, 10-Q or 20-F form, variants and amendments too, in order. Empty for other forms. */
export function findSections(text: string, formType: string, options: SectionOptions = {}): FoundSection[] {
  const family = sectionFamily(formType);
  if (family === null) return [];
  const document = linesOf(text, options.lines);
  const found = sectionsOf(document, readOutline(document, family), family, options).map((section) => ({
    ...section,
    title: smallBusinessTitle(formType, section.section) ?? section.title,
  }));
  for (const [k, substance] of readSubstances(document, found).entries()) {
    if (substance === null) continue;
    found[k]!.substance_start = substance.start;
    found[k]!.substance_end = substance.end;
  }
  return found;
}

/** As `findSections`, without reading what the sections say. */
export function findSectionPlaces(
  text: string,
  formType: string,
  lines: DocumentLines | null = null,
): Pick<FoundSection, 'section' | 'heading' | 'start_index' | 'end_index'>[] {
  const family = sectionFamily(formType);
  if (family === null) return [];
  return readOutline(linesOf(text, lines), family).entries.flatMap(({ codes, mark: { heading }, start, end }) =>
    codes.map((section) => ({ section, heading, start_index: start, end_index: end })),
  );
}

/** A section with its text. */
const TEXT = { kind: 'text' as const, by_reference: null, substance_start: null, substance_end: null };

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
    ...TEXT,
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
  const day = family === '20-F' ? (dayOfTitles(outline) ?? options.filingDate) : options.filingDate;
  const found = outline.entries.flatMap(({ codes, mark: { heading }, start, end }) =>
    codes.map((code): FoundSection => {
      const title = sectionTitle(family, code, day) ?? '';
      // A list of exhibits names other documents in every line.
      const kind = LISTS.test(`${title} ${heading}`)
        ? TEXT
        : readKind(document, { code: family === '20-F' ? '' : code, family, heading, start, end });
      return { section: code, title, heading, start_index: start, end_index: end, ...TEXT, ...kind };
    }),
  );
  const hasFootnote = ({ start_index: start, end_index: end }: FoundSection) =>
    document.lines.some((line) => line.start >= start && line.end <= end && /^\*(?:\s?\w|$)/.test(line.whole));
  // Headings that are stacked over one paragraph point where it does, and those with a star where the next paragraph with a star does.
  for (let k = found.length - 2; k >= 0; k--) {
    const { section: code, heading, start_index: start, end_index: end, kind: own } = found[k]!;
    const isStarred = heading.endsWith('*') && !hasFootnote(found[k]!);
    const starred = isStarred ? found.slice(k + 1).find(hasFootnote) : undefined;
    const next = starred ?? found[k + 1];
    if (!next?.kind.startsWith('pointer')) continue;
    const { kind, by_reference } = next;
    if (isBare(document, { code, family, heading, start, end })) Object.assign(found[k]!, { kind, by_reference });
    else if (starred !== undefined && own === 'text') Object.assign(found[k]!, { kind: 'mixed', by_reference });
  }
  return found;
}

/** A day on which Form 20-F had the titles that a report prints; null: it prints none. Reports of years before the new form came later. */
function dayOfTitles({ entries }: Outline): string | null {
  const known = entries.filter(({ codes }) => OLD_TITLES.has(codes[0]!));
  const count = (titles: TitleTable) =>
    known.filter(({ codes, mark }) => titleLength(titles, codes[0]!, mark.words) > 0).length;
  const all = count(TITLES['20-F']);
  return all === 0 ? null : count(OLD_TITLES) > all / 2 ? '2000-01-01' : '2001-01-01';
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
      reasons: [...verdict.evidence.map(reasonOf), `title ${verdict.titleScore < 0 ? '' : '+'}${verdict.titleScore}`],
    })),
  };
}
