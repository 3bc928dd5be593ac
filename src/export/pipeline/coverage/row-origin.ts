/** The service that a filing's row is from. A value that it no longer states is a correction; another service may just lack it. */
import { quoteText } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { among } from '../sql-values.ts';

/** SQL: whether a row of coverage `c` was written by a run over this service. `r` is the run, by a left join. */
export function isOfService(service: string): string {
  const same = quoteText(service);
  return `coalesce(r.service, (SELECT CASE count(DISTINCT service) WHEN 0 THEN ${same} WHEN 1 THEN min(service) END FROM export_runs)) = ${same}`;
}

/**
 * Those of the filings whose row was written from the same service. A run that was ended by force has no row in export_runs. It
 * counts if the lake knows no other service.
 */
export async function rowsOfService(
  lake: Pick<Lake, 'query'>,
  numbers: readonly string[],
  service: string,
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await lake.query(
    `SELECT accession_number FROM coverage c LEFT JOIN export_runs r ON r.run_id = c.run_id
     WHERE c.step = 'filing' AND c.accession_number IN ${among(numbers)}
       AND ${isOfService(service)}`,
    { tables: ['coverage', 'export_runs'] },
  );
  return new Set(rows.map(({ accession_number }) => String(accession_number)));
}
