/** entity_lookup over the catalog: docs/api.md#entity_lookup. */
import { ENTITY_WINDOW_DEFAULT, type EntityLookupParameters } from '../../../filings/api/index.ts';
import { entityConditions } from '../rows/filters.ts';
import { type LookupPage, type PageLimits, takeRecords } from './page.ts';
import type { CatalogSource } from './source.ts';

/** @throws FilinglakeError `entity-filter-missing` if no filter is given */
export function entityLookup(
  { statements }: CatalogSource,
  p: EntityLookupParameters,
  limits: PageLimits = {},
): LookupPage {
  const from = p.from ?? 0;
  const to = p.to ?? ENTITY_WINDOW_DEFAULT;
  return statements.snapshot(() => {
    const where = entityConditions(p, statements);
    const conditions = where.interruptibleSql('e.cik');
    const count = statements.count(`SELECT count(*) FROM entities e WHERE ${conditions}`, where.values);
    const rows = statements
      .prepareArrays(`SELECT e.record FROM entities e WHERE ${conditions} ORDER BY e.cik LIMIT ? OFFSET ?`)
      .iterate(...where.values, Math.max(0, to - from), from);
    return { count, ...takeRecords(statements, rows, limits.maxBytes) };
  });
}
