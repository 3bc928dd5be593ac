/** Filings that an older version of the mapping made. */
import { MAPPING_VERSION } from '../../forms/index.ts';
import type { Lake } from '../../lake/index.ts';

/** How many filings have tables of forms of an older version of the mapping. */
export async function filingsOfOlderMapping(lake: Pick<Lake, 'query'>): Promise<number> {
  const [row] = await lake.query(
    `SELECT count(*)::DOUBLE AS n FROM coverage WHERE step = 'forms' AND status <> 'failed'
       AND NOT list_contains(string_split(selector, ','), 'mapping:${MAPPING_VERSION}')`,
    { tables: ['coverage'] },
  );
  return Number(row?.n ?? 0);
}
