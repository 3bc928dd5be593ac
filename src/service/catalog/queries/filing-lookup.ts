/** filing_lookup over the catalog: docs/api.md#filing_lookup. */
import { dayText } from '../../../core/index.ts';
import { FILING_WINDOW_DEFAULT, type FilingLookupParameters } from '../../../filings/api/index.ts';
import type { Days } from '../counts/index.ts';
import { countKinds, filingConditions, filterText, isOfFewEntities } from '../rows/filters.ts';
import { given, type Statements } from '../rows/statements.ts';
import { ACCEPTANCE_ASC, ACCEPTANCE_DESC, FILINGS_A_DAY, NAME_ASC, NAME_DESC } from '../store/schema.ts';
import { type FilingsPage, joinFilingRecords, type PageLimits } from './page.ts';
import type { CatalogSource } from './source.ts';

type SortField = NonNullable<FilingLookupParameters['sort_by']>;

/** The field's own terms. Acceptance and accession number follow as tie-breakers, unless acceptance is the field itself. */
const ORDERS: Record<SortField, { asc: string; desc: string }> = {
  filing_date: { asc: 'f.filing_date', desc: 'f.filing_date DESC' },
  acceptance_date_time: { asc: '', desc: '' },
  form: { asc: 'f.form_key', desc: 'f.form_key DESC' },
  size: { asc: 'f.size', desc: 'f.size DESC' },
  entity_name: { asc: NAME_ASC, desc: `${NAME_DESC} DESC` },
};

function orderBy(field: SortField, order: 'asc' | 'desc'): string {
  const acceptance = order === 'asc' ? ACCEPTANCE_ASC : `${ACCEPTANCE_DESC} DESC`;
  return [ORDERS[field][order], acceptance, 'f.accession'].filter((term) => term !== '').join(', ');
}

/** @throws FilinglakeError `entity-filter-missing` if `entity_query` is given but empty */
export function filingLookup(
  { statements }: CatalogSource,
  p: FilingLookupParameters,
  limits: PageLimits = {},
): FilingsPage {
  const from = p.from ?? 0;
  const to = p.to ?? FILING_WINDOW_DEFAULT;
  const field = p.sort_by ?? 'filing_date';
  return statements.snapshot(() => {
    const ids =
      field === 'filing_date' && given(p.items) ? idsByDays(statements, p, from, to) : idsOf(statements, p, from, to);
    // A window that reaches past the last filing tells the count.
    const count = ids.length > 0 && ids.length < to - from ? from + ids.length : countFilings(statements, p);
    return { count, ...joinFilingRecords(statements, ids, limits.maxBytes) };
  });
}

/** The window is found on narrow rows first, so that a sort never carries record texts. @param days other filing dates have none of them */
function idsOf(
  statements: Statements,
  p: FilingLookupParameters,
  from: number,
  to: number,
  days: Days | null = null,
): number[] {
  const where = filingConditions(p, statements, days);
  const order = orderBy(p.sort_by ?? 'filing_date', p.sort_order ?? 'desc');
  const rows = statements
    .prepareArrays(
      `SELECT f.id FROM filings f WHERE ${where.interruptibleSql('f.id')} ORDER BY ${order} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, Math.max(0, to - from), from) as unknown as [number][];
  return rows.map(([id]) => id);
}

const FIRST_DAYS = 32;
const DAYS_GROWTH = 8;

/** Filings with an item are listed by item, not by date: those of some days are sorted, then those of more, until the window is full. */
function idsByDays(statements: Statements, p: FilingLookupParameters, from: number, to: number): number[] {
  const [first, last] = statements
    .prepareArrays('SELECT (SELECT min(id) FROM filings), (SELECT max(id) FROM filings)')
    .get() as unknown as [number | null, number | null];
  if (first === null || to <= from) return [];
  let [oldest, newest] = [Math.floor(first / FILINGS_A_DAY), Math.floor(last! / FILINGS_A_DAY)];
  const ids: number[] = [];
  for (let size = FIRST_DAYS; oldest <= newest && ids.length < to; size *= DAYS_GROWTH) {
    const days: Days =
      p.sort_order === 'asc'
        ? { from: oldest, to: Math.min(newest, oldest + size - 1) }
        : { from: Math.max(oldest, newest - size + 1), to: newest };
    if (p.sort_order === 'asc') oldest = days.to + 1;
    else newest = days.from - 1;
    ids.push(...idsOf(statements, p, 0, to - ids.length, days));
  }
  return ids.slice(from);
}

function countFilings(statements: Statements, p: FilingLookupParameters): number {
  if (isOfFewEntities(p)) {
    const where = filingConditions(p, statements);
    return statements.count(`SELECT count(*) FROM filings f WHERE ${where.interruptibleSql('f.id')}`, where.values);
  }
  return statements.partCounts.count({
    key: `filings ${filterText(p)}`,
    kinds: countKinds(p),
    date_from: p.date_from,
    date_to: p.date_to,
    of: (days) => {
      const where = filingConditions(p, statements, days);
      // No index has `amendment`. All other filters are in indexes by date, which are a tenth of the rows.
      if (p.exclude_amendments)
        where.add('f.id BETWEEN ? AND ?', days.from * FILINGS_A_DAY, (days.to + 1) * FILINGS_A_DAY - 1);
      else where.add('f.filing_date BETWEEN ? AND ?', dayText(days.from), dayText(days.to));
      return { sql: `SELECT count(*) FROM filings f WHERE ${where.interruptibleSql('f.id')}`, values: where.values };
    },
  });
}
