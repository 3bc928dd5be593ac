/** What is known and what is owed: candidates held against coverage, by an anti-join in DuckDB. */
import type { DuckDBInstance } from '@duckdb/node-api';
import type { LakeSnapshot } from './log.ts';
import { type QueryResult, runQuery } from './query.ts';
import { quoteText } from './quoting.ts';
import type { LakeStorage } from './storage.ts';
import type { TableDefinition } from './tables.ts';

/** Something that an export may ask of a filing. */
export interface Candidate {
  accession_number: string;
  step: string;
  selector: string | null;
  revision: string | null;
}

/** A candidate that coverage doesn't have as done or absent in this revision and selector, with what it has instead. */
export interface Owed extends Candidate {
  present: { revision: string | null; selector: string | null; status: string } | null;
}

export interface OwedList {
  /** The version that was asked: the `base_version` of the batches that are planned from it. */
  readonly version: number;
  /** In the order of the candidates. */
  rows(): AsyncIterable<Owed>;
  close(): void;
}

const COLUMNS = ['accession_number', 'step', 'selector', 'revision'] as const;

/** @param candidates NDJSON of Candidate, on this machine's disk */
export async function owedOf(
  reader: DuckDBInstance,
  place: { storage: LakeStorage; tables: Iterable<TableDefinition> },
  snapshot: LakeSnapshot,
  candidates: string,
): Promise<OwedList> {
  const types = COLUMNS.map((name) => `${name}: 'VARCHAR'`).join(', ');
  const result = await runQuery(
    reader,
    place,
    snapshot,
    `WITH candidates AS (
       SELECT row_number() OVER () AS place, ${COLUMNS.join(', ')}
       FROM read_json(${quoteText(candidates)}, format = 'newline_delimited', columns = {${types}}))
     SELECT c.accession_number, c.step, c.selector, c.revision, p.revision, p.selector, p.status
     FROM candidates c LEFT JOIN coverage p ON p.accession_number = c.accession_number AND p.step = c.step
     WHERE NOT coalesce(p.status IN ('done', 'absent') AND p.revision IS NOT DISTINCT FROM c.revision
                        AND p.selector IS NOT DISTINCT FROM c.selector, false)
     ORDER BY c.place`,
  );
  return { version: result.version, rows: () => owedRows(result), close: () => result.close() };
}

async function* owedRows(result: QueryResult): AsyncIterable<Owed> {
  try {
    for await (const rows of result.chunks()) {
      for (const row of rows as (string | null)[][]) {
        const [accession_number, step, selector, revision, presentRevision, presentSelector, status] = row;
        yield {
          accession_number: accession_number!,
          step: step!,
          selector: selector ?? null,
          revision: revision ?? null,
          present: status ? { revision: presentRevision ?? null, selector: presentSelector ?? null, status } : null,
        };
      }
    }
  } finally {
    result.close();
  }
}
