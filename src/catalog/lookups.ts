/** entity_lookup and filing_lookup: counts, order, pages (docs/api.md#paging-and-order). Records are texts made at ingest; a page is a walk along an index. */
import type { EntityLookupParameters, FilingLookupParameters } from '../api/index.ts';
import { entityConditions, filingConditions } from './filters.ts';
import { ACCEPTANCE_ASC, ACCEPTANCE_DESC, NAME_ASC, NAME_DESC } from './schema.ts';
import type { Statements } from './statements.ts';

export interface LookupPage {
  /** How many records match in all, whatever the window. */
  count: number;
  /** JSON text of each record of the window, in order. */
  records: string[];
  /** Whether `maxBytes` ended the page before the window did. */
  truncated: boolean;
}

export interface PageLimits {
  /** Records are read until the JSON array of them would pass this; at least one is given. */
  maxBytes?: number;
}

export const ENTITY_WINDOW_DEFAULT = 100;
export const FILING_WINDOW_DEFAULT = 10_000;

export function entityLookup(statements: Statements, p: EntityLookupParameters, limits: PageLimits = {}): LookupPage {
  const where = entityConditions(p);
  const from = p.from ?? 0;
  const to = p.to ?? ENTITY_WINDOW_DEFAULT;
  return statements.snapshot(() => {
    const conditions = where.interruptibleSql('e.cik');
    const counted = statements.prepare(`SELECT count(*) AS n FROM entities e WHERE ${conditions}`).get(...where.values);
    const rows = statements
      .prepareArrays(`SELECT e.record FROM entities e WHERE ${conditions} ORDER BY e.cik LIMIT ? OFFSET ?`)
      .iterate(...where.values, Math.max(0, to - from), from);
    return { count: (counted as { n: number }).n, ...takeRecords(statements, rows, limits.maxBytes) };
  });
}

type SortField = NonNullable<FilingLookupParameters['sort_by']>;

/** The field's own terms; the ties by acceptance and accession number follow, where acceptance is not the field itself. */
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

export function filingLookup(statements: Statements, p: FilingLookupParameters, limits: PageLimits = {}): LookupPage {
  const from = p.from ?? 0;
  const to = p.to ?? FILING_WINDOW_DEFAULT;
  const order = orderBy(p.sort_by ?? 'filing_date', p.sort_order ?? 'desc');
  return statements.snapshot(() => {
    const where = filingConditions(p, statements);
    const conditions = where.interruptibleSql('f.id');
    const counted = statements.prepare(`SELECT count(*) AS n FROM filings f WHERE ${conditions}`).get(...where.values);
    // The window is found on narrow rows first, so that a sort never carries record texts.
    const rows = statements
      .prepareArrays(
        `SELECT (SELECT record FROM filing_records WHERE filing = w.id) FROM
         (SELECT f.id AS id FROM filings f WHERE ${conditions} ORDER BY ${order} LIMIT ? OFFSET ?) w`,
      )
      .iterate(...where.values, Math.max(0, to - from), from);
    return { count: (counted as { n: number }).n, ...takeRecords(statements, rows, limits.maxBytes) };
  });
}

function takeRecords(
  statements: Statements,
  rows: Iterable<unknown>,
  maxBytes = Number.POSITIVE_INFINITY,
): Omit<LookupPage, 'count'> {
  const records: string[] = [];
  // `[`, and behind each record `,` or `]`.
  let bytes = 1;
  for (const row of rows) {
    const record = (row as [string])[0];
    if (maxBytes !== Number.POSITIVE_INFINITY) {
      bytes += Buffer.byteLength(record) + 1;
      if (bytes > maxBytes && records.length > 0) return { records, truncated: true };
    }
    records.push(record);
    if (records.length % 256 === 0) statements.stillWanted();
  }
  return { records, truncated: false };
}
