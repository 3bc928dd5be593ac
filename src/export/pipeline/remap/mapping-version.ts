/** Versions of the mapping of the filings in a lake. */
import { MAPPING_VERSION } from '../../../filings/forms/index.ts';
import type { Lake } from '../../../lake/index.ts';

/** SQL: the version of the mapping in a selector; 0 if it states none. */
const VERSION = `coalesce(try_cast(regexp_extract(selector, '(?:^|,)mapping:(\\d+)(?:,|$)', 1) AS INTEGER), 0)`;

/** How many filings have tables of forms of an older version of the mapping. */
export function filingsOfOlderMapping(lake: Pick<Lake, 'query'>): Promise<number> {
  return count(lake, `status <> 'failed' AND ${VERSION} < ${MAPPING_VERSION}`);
}

/** How many filings a newer version of filinglake has mapped, with success or not. */
export function filingsOfNewerMapping(lake: Pick<Lake, 'query'>): Promise<number> {
  return count(lake, `${VERSION} > ${MAPPING_VERSION}`);
}

async function count(lake: Pick<Lake, 'query'>, condition: string): Promise<number> {
  const [row] = await lake.query(`SELECT count(*)::DOUBLE AS n FROM coverage WHERE step = 'forms' AND ${condition}`, {
    tables: ['coverage'],
  });
  return Number(row?.n ?? 0);
}
