/** Families of form types. Form names are stored as filed; these functions interpret them. */

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

const TEN_K = new Set(['10-K', '10-K405', '10-KSB', '10-KSB40', '10-KT', '10-KT405']);
const TEN_Q = new Set(['10-Q', '10-Q405', '10-QSB', '10-QT']);

/** Which table of section codes applies to a form: annual and quarterly reports with their variants and amendments, else null. */
export function sectionFamily(formType: string): '10-K' | '10-Q' | null {
  const base = baseForm(formType);
  if (TEN_K.has(base)) return '10-K';
  if (TEN_Q.has(base)) return '10-Q';
  return null;
}

/** As filed: registrations have the items of the annual report. */
const TWENTY_F = new Set(['20-F', '20FR12B', '20FR12G']);

/** Which table of items a document of a form has: also that of foreign companies, of which the `/v2` interface has no sections. */
export function itemFamily(formType: string): '10-K' | '10-Q' | '20-F' | null {
  return sectionFamily(formType) ?? (TWENTY_F.has(baseForm(formType)) ? '20-F' : null);
}

/** 8-K, 8-K/A, 8-K12B, 8-K12G3, 8-K15D5 ...: the forms that have 8-K items. */
export function isEightK(formType: string): boolean {
  return /^8-K(\d\w*)?$/.test(baseForm(formType));
}
