/** Steps covered at an older revision than the filing's own row: their rows stay until an export fetches them again. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from '../engine/duckdb.ts';
export interface OlderRevisions {
  readonly filings: number;
  /** Steps by kind: `info`, `sections`, `document`; only kinds with steps. */
  readonly steps: Readonly<Record<string, number>>;
}

/** SQL: the steps, as `accession_number` and `kind`. */
const OLDER = `SELECT accession_number, CASE WHEN step LIKE 'document:%' THEN 'document' ELSE step END AS kind
  FROM coverage c JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') f USING (accession_number)
  WHERE c.step <> 'filing' AND c.status <> 'failed' AND c.revision <> f.revision`;

/** @param connection with a view of `coverage` */
export async function olderRevisions(connection: DuckDBConnection): Promise<OlderRevisions> {
  const rows = await rowsOf(
    connection,
    `WITH older AS (${OLDER})
     SELECT kind, count(*)::DOUBLE AS n, (SELECT count(DISTINCT accession_number) FROM older)::DOUBLE AS filings
     FROM older GROUP BY kind ORDER BY kind`,
  );
  return {
    filings: Number(rows[0]?.filings ?? 0),
    steps: Object.fromEntries(rows.map(({ kind, n }) => [String(kind), Number(n)])),
  };
}
