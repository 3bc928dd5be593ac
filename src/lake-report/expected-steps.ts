/** What runs planned to fetch, step by step, held against coverage: what is complete, failed, left to another run, or missing. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from '../lake/index.ts';
/** Tables that must be there for steps to be held. */
export const STEP_TABLES = ['export_plans', 'export_passes', 'export_runs', 'export_failures', 'coverage'];

/**
 * SQL: a row for each planned step, with `verdict`: `complete`, `failed`, `left` (another run has brought the filing in another revision since), or `missing`.
 * A step counts as failed only where the run that planned it recorded the failure: one from before would hide that this run never asked.
 * @param condition on a row `p` of export_plans
 */
export function plannedSteps(condition: string): string {
  return `SELECT p.*, c.status AS covered, c.run_id AS covered_by, CASE
      WHEN c.status IN ('done', 'absent') AND (p.revision = '' OR c.revision = p.revision OR c.revision = l.revision) THEN 'complete'
      WHEN f.run_id = p.run_id THEN 'failed'
      WHEN p.revision <> '' AND l.revision IS NOT NULL AND l.revision <> p.revision THEN 'left'
      ELSE 'missing' END AS verdict
    FROM (SELECT export, accession_number, pass, revision, run_id, "window",
        CASE WHEN pass = 'documents' THEN 'document:' || subject ELSE one END AS step, subject
      FROM (SELECT *, CASE WHEN pass <> 'documents' THEN accession_number WHEN starts_with(one, '=') THEN substr(one, 2)
          ELSE accession_number || '-' || one END AS subject
        FROM (SELECT p.* EXCLUDE (steps), unnest(string_split(p.steps, ',')) AS one FROM export_plans p WHERE ${condition}))) p
    LEFT JOIN coverage c ON c.accession_number = p.accession_number AND c.step = p.step
    LEFT JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') l ON l.accession_number = p.accession_number
    LEFT JOIN export_failures f ON f.export = p.export AND f.step IN (p.step, p.pass) AND f.subject = p.subject`;
}

export interface MissingSteps {
  readonly export: string;
  readonly run_id: string;
  readonly pass: string;
  readonly steps: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/**
 * Steps that completed runs planned and that coverage lacks by now. A run that ended early makes no promise; what a run left to another one that brought the
 * same filings at the same time is not missing. Nor is a step that was complete at the run's end, and that another run has asked for more of in vain since.
 */
export async function missingSteps(connection: DuckDBConnection): Promise<MissingSteps[]> {
  const rows = await rowsOf(
    connection,
    `WITH missing AS (
       SELECT s.export, s.run_id, s."window", s.pass, s.subject FROM (${plannedSteps('true')}) s
       JOIN export_runs r ON r.run_id = s.run_id AND r.state = 'completed' WHERE s.verdict = 'missing'
         AND NOT (coalesce(s.covered = 'failed' AND s.covered_by <> s.run_id, false) AND EXISTS (SELECT 1 FROM export_passes p
           WHERE p.run_id = s.run_id AND p."window" = s."window" AND p.pass = s.pass AND p.missing = 0))
       QUALIFY row_number() OVER (PARTITION BY s.run_id, s."window", s.pass ORDER BY s.subject) >
         coalesce((SELECT max(p.given_up) FROM export_passes p WHERE p.run_id = s.run_id AND p."window" = s."window" AND p.pass = s.pass), 0))
     SELECT export, run_id, pass, count(*)::DOUBLE AS n, list_sort(list(subject))[:${EXAMPLES}] AS examples
     FROM missing GROUP BY ALL ORDER BY export, run_id, pass`,
  );
  return rows.map(({ export: name, run_id, pass, n, examples }) => ({
    ...{ export: String(name), run_id: String(run_id), pass: String(pass), steps: Number(n) },
    examples: (examples as unknown as string[]).map(String),
  }));
}
