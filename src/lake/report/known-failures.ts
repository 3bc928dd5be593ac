/** Failures in a lake: known ones, and those that the next run must try again or report. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type ErrorCode, quoteText } from '../../core/index.ts';
import { rowsOf } from '../engine/duckdb.ts';

/** Codes whose cause is the service's own data: the request fails again tomorrow, unless the data are corrected. */
export const FINAL_CODES: readonly string[] = [
  'value-unstorable',
  'contract-broken',
  'record-not-found',
  'entity-not-found',
  'record-unprocessable',
  'answer-too-long',
  'document-too-large',
  'form-unreadable',
] satisfies ErrorCode[];

export interface FailureCounts {
  /** Rows of `export_failures`. */
  readonly failures: number;
  /** Those failures that a completed run has reported, in the service's own data. */
  readonly known_failures: number;
}

/** @param connection with a view of `export_failures` */
export async function failureCounts(connection: DuckDBConnection): Promise<FailureCounts> {
  const codes = FINAL_CODES.map(quoteText).join(', ');
  const [row] = await rowsOf(
    connection,
    `SELECT count(*) AS failures, count(*) FILTER (code IN (${codes}) AND first_reported_by IS NOT NULL) AS known FROM export_failures`,
  );
  return { failures: Number(row!.failures), known_failures: Number(row!.known) };
}
