/** The HTML of a section's substance, if that is not the section as it stands: in the same document, or in an annual report. */
import type { SectionKind, SectionSource } from '../../api/index.ts';
import { sectionsHtml } from '../sections/section-html.ts';
import { type FoundSection, findAnnualReportSections } from '../sections/sections.ts';
import { annualReportCode } from '../sections/substance.ts';
import { sectionTexts } from './text.ts';

interface PlacedSection {
  section: string;
  title?: string | null | undefined;
  kind?: SectionKind | null | undefined;
  substance_start?: number | null | undefined;
  substance_end?: number | null | undefined;
}

interface SubstanceHtml {
  source: SectionSource;
  /** Null if the section has its substance itself, or none was found. */
  substance_html: string | null;
}

/**
 * For each section, by its place in the list, where its text is from.
 * @param annualReports texts of the filing's annual reports to shareholders (Exhibit 13), read only if an item points there
 */
export function substancesHtml(
  text: string,
  sections: readonly PlacedSection[],
  annualReports: Iterable<string>,
): SubstanceHtml[] {
  const found: SubstanceHtml[] = sections.map(() => ({ source: 'item', substance_html: null }));
  const within = [...sections.entries()].filter(([, { substance_start }]) => typeof substance_start === 'number');
  const spans = within.map(([, { substance_start, substance_end }]) => ({
    start_index: substance_start!,
    end_index: substance_end ?? text.length,
  }));
  const htmls = sectionsHtml(text, spans);
  for (const [i, [k, { kind }]] of within.entries())
    found[k] = { source: kind?.startsWith('pointer') ? 'document' : 'item', substance_html: htmls[i]! };
  const away = [...sections.entries()].flatMap(([k, { section, title, kind }]) => {
    const code = annualReportCode(section, title ?? '');
    return kind === 'pointer_exhibit' && found[k]!.substance_html === null && code !== null ? [{ k, code }] : [];
  });
  if (away.length === 0) return found;
  for (const report of annualReports) {
    const parts = findAnnualReportSections(report);
    const wanted = away.flatMap(({ k, code }) => {
      const part = found[k]!.substance_html === null ? parts.find((one) => isText(one, code)) : undefined;
      return part === undefined ? [] : [{ k, part }];
    });
    const pieces = sectionsHtml(
      report,
      wanted.map(({ part }) => part),
    );
    for (const [i, { k }] of wanted.entries()) found[k] = { source: 'exhibit', substance_html: pieces[i]! };
  }
  return found;
}

interface SectionContent extends SubstanceHtml {
  /** Of the section as it stands. */
  html: string;
  /** Readable text of its substance, without page numbers and running headers. */
  text: string;
}

/** The contents of sections, by place in the list. @param annualReports as for `substancesHtml` */
export function sectionContents(
  text: string,
  sections: readonly (PlacedSection & { start_index: number; end_index: number })[],
  annualReports: Iterable<string>,
): SectionContent[] {
  const htmls = sectionsHtml(text, sections);
  const substances = substancesHtml(text, sections, annualReports);
  const texts = sectionTexts(htmls.map((html, k) => substances[k]!.substance_html ?? html));
  return substances.map((substance, k) => ({ ...substance, html: htmls[k]!, text: texts[k]! }));
}

function isText({ section, kind }: FoundSection, code: string): boolean {
  return section === code && (kind === 'text' || kind === 'mixed');
}
