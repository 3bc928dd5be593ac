/** Families of form types. Form names are stored as filed; these functions interpret them. */
import type { SectionFamily } from './sections.ts';

/** `10KSB`, `10QSB` and the like are treated like the names with a dash. Upper case, amendment mark kept. */
export function dashedForm(formType: string): string {
  return formType
    .trim()
    .toUpperCase()
    .replace(/^10(K|Q)/, '10-$1')
    .replace(/^8K/, '8-K');
}

export function isAmendment(formType: string): boolean {
  return /\/A$/i.test(formType.trim());
}

/** The form without its amendment mark: `10-K405/A` gives `10-K405`. */
export function baseForm(formType: string): string {
  return dashedForm(formType).replace(/\/A$/, '');
}

/** As filed: a registration of Form 20-F has the items of the annual report. */
const FORMS_OF: Record<SectionFamily, readonly string[]> = {
  '10-K': ['10-K', '10-K405', '10-KSB', '10-KSB40', '10-KT', '10-KT405'],
  '10-Q': ['10-Q', '10-Q405', '10-QSB', '10-QT'],
  '20-F': ['20-F', '20FR12B', '20FR12G'],
};
const FAMILIES = new Map(
  Object.entries(FORMS_OF).flatMap(([family, forms]) => forms.map((form) => [form, family as SectionFamily])),
);

/** Which table of section codes applies to a form: annual and quarterly reports with their variants and amendments, else null. */
export function sectionFamily(formType: string): SectionFamily | null {
  return FAMILIES.get(baseForm(formType)) ?? null;
}

/** What an answer of filing_info says of a filing's sections. */
interface ListOfSections {
  sections: readonly unknown[];
  not_read?: readonly { part: string }[] | undefined;
}

/**
 * The table of section codes to request the sections of a filing with; null: nothing is requested. The published interface has those
 * of 10-Ks and 10-Qs only. Those of 20-Fs are an addition: a service that has them lists them, or says that it could not read them.
 * @param info the answer of filing_info; null: it is not known
 */
export function familyToRequest(formType: string, info: ListOfSections | null): SectionFamily | null {
  const family = sectionFamily(formType);
  if (family !== '20-F') return family;
  const isListed = info && (info.sections.length > 0 || info.not_read?.some(({ part }) => part === 'sections'));
  return isListed ? family : null;
}

/** 8-K, 8-K/A, 8-K12B, 8-K12G3, 8-K15D5 ...: the forms that have 8-K items. */
export function isEightK(formType: string): boolean {
  return /^8-K(\d\w*)?$/.test(baseForm(formType));
}
