/** Whether a service ignores the filter of a window. Its parts would then be split without end: each one lists everything again. */
import type { ExportWindow, SampleRecord } from './windows.ts';

/** The filter that most records don't fit; null: none. A few may differ, by day of acceptance or form variant. */
export function ignoredFilter({ filter, of }: ExportWindow, sample: readonly SampleRecord[]): string | null {
  if (of === 'entities') return null;
  const { date_from, date_to, form_types, excluded_form_types } = filter;
  const dates = sample.flatMap(({ filing_date }) => filing_date ?? []);
  const isOutside = (day: string) => day < (date_from ?? day) || day > (date_to ?? day);
  if (isMost(dates, isOutside)) return 'date_from and date_to';
  const asked = namesOf(form_types);
  const excluded = namesOf(excluded_form_types);
  if (asked.size + excluded.size === 0) return null;
  const forms = sample.flatMap(({ form_type }) => (form_type ? spelling(form_type) : []));
  if (asked.size > 0 && isMost(forms, (form) => !asked.has(form))) return 'form_types';
  return isMost(forms, (form) => excluded.has(form)) ? 'excluded_form_types' : null;
}

function isMost<Value>(values: readonly Value[], fits: (value: Value) => boolean): boolean {
  return values.filter(fits).length * 2 > values.length;
}

function namesOf(forms: readonly string[] = []): Set<string> {
  return new Set(forms.map(spelling));
}

/** `10-K`, `10K` and `Form 10-K` are one form. */
function spelling(form: string): string {
  return form.toUpperCase().replace(/^FORM\b|[^A-Z0-9/]/g, '');
}
