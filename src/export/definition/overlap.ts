/** Whether two exports may fetch the same filings: then both spend requests on them. */
import { catalogOf } from './catalog-address.ts';
import type { ExportDefinition } from './definition.ts';

/** False: no table in common, other services, or days, forms or companies that don't overlap. True proves nothing. */
export function mayShare(one: ExportDefinition, other: ExportDefinition): boolean {
  if (serviceOf(one) !== serviceOf(other)) return false;
  if (!one.tables.some((table) => other.tables.includes(table))) return false;
  const [a, b] = [one.select, other.select];
  if (isBefore(a.date_to, b.date_from) || isBefore(b.date_to, a.date_from)) return false;
  if (areDisjoint(a.form_types, b.form_types, (form) => form.toUpperCase())) return false;
  const [companies, others] = [a.entity_query, b.entity_query];
  if (areDisjoint(companies?.ciks, others?.ciks, (cik) => cik.replace(/^0+/, ''))) return false;
  return !areDisjoint(companies?.tickers, others?.tickers, (ticker) => ticker.toUpperCase().replace(/[./]/g, '-'));
}

function serviceOf({ service }: ExportDefinition): string {
  return catalogOf(service.base_url) ?? new URL(service.base_url).host;
}

/** Days as `YYYY-MM-DD`. Relative ones can't be compared. */
function isBefore(end: string | undefined, start: string | undefined): boolean {
  const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
  return isDay(end) && isDay(start) && end < start;
}

/** Compares two lists. A missing list selects everything. */
function areDisjoint(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  form: (value: string) => string,
): boolean {
  if (!one?.length || !other?.length) return false;
  const known = new Set(one.map(form));
  return !other.some((value) => known.has(form(value)));
}
