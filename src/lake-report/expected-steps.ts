/** What runs planned to fetch, step by step, held against coverage: what is complete, failed, left to another run, or missing. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText, rowsOf } from '../lake/index.ts';

/** Tables that `plannedSteps` reads. */
export const PLAN_TABLES: readonly string[] = ['export_plans', 'export_failures', 'coverage', 'entities', 'filings'];

/** Tables that must be there for steps to be held. */
export const STEP_TABLES = [...PLAN_TABLES, 'export_passes', 'export_runs'];

/**
 * SQL: a row for each planned step, with `verdict`: `complete`, `failed`, `left` (another run has brought the filing in another revision since), or `missing`.
 * A step counts as failed only where the run that planned it recorded the failure: one from before would hide that this run never asked.
 * An entity that is requested by its CIK has no coverage: it is complete if its row is there, or if the filing turned out to name none.
 * @param condition on a row `p` of export_plans
 */
export function plannedSteps(condition: string): string {
  return `SELECT p.*, c.status AS covered, c.run_id AS covered_by, CASE
      WHEN p.pass = 'entities' AND (e.cik IS NOT NULL OR NOT regexp_full_match(coalesce(p.subject, ''), '[0-9]+')) THEN 'complete'
      WHEN p.pass <> 'entities' AND c.status IN ('done', 'absent')
        AND (p.revision = '' OR c.revision = p.revision OR c.revision = l.revision) THEN 'complete'
      WHEN f.run_id = p.run_id THEN 'failed'
      WHEN p.pass <> 'entities' AND p.revision <> '' AND l.revision IS NOT NULL AND l.revision <> p.revision THEN 'left'
      ELSE 'missing' END AS verdict
    FROM (SELECT export, accession_number, pass, revision, run_id, "window",
        CASE pass WHEN 'documents' THEN 'document:' || subject WHEN 'entities' THEN 'entity' ELSE one END AS step, subject
      FROM (SELECT p.*, CASE WHEN pass = 'entities' THEN coalesce(nullif(one, ''), ltrim(n.cik, '0'))
          WHEN pass <> 'documents' THEN p.accession_number WHEN starts_with(one, '=') THEN substr(one, 2)
          ELSE p.accession_number || '-' || one END AS subject
        FROM (SELECT p.* EXCLUDE (steps), unnest(string_split(p.steps, ',')) AS one FROM export_plans p WHERE ${condition}) p
        LEFT JOIN (SELECT accession_number, cik FROM filings WHERE accession_number IN
          (SELECT accession_number FROM export_plans p WHERE pass = 'entities' AND steps = '' AND ${condition})) n
          ON p.pass = 'entities' AND p.one = '' AND n.accession_number = p.accession_number)) p
    LEFT JOIN coverage c ON c.accession_number = p.accession_number AND c.step = p.step
    LEFT JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') l ON l.accession_number = p.accession_number
    LEFT JOIN entities e ON p.pass = 'entities' AND e.cik = p.subject
    LEFT JOIN export_failures f ON f.export = p.export AND f.step IN (p.step, p.pass) AND f.subject = p.subject`;
}

/** A lake, as far as it answers questions. */
interface Asked {
  query(sql: string, options: { tables: readonly string[] }): Promise<Record<string, unknown>[]>;
}

/**
 * How many of the filings that each run has listed lack something that it planned to fetch of them, or failed when they were listed. Entities
 * don't count: they are of many filings.
 * @returns by id of the run; a run that lacks nothing isn't there
 */
export async function incompleteFilings(lake: Asked, runIds: readonly string[]): Promise<Map<string, number>> {
  const ids = runIds.map(quoteText).join(', ');
  if (ids === '') return new Map();
  const rows = await lake.query(
    `SELECT run_id, count(*)::DOUBLE AS n FROM (
       SELECT run_id, accession_number FROM (${plannedSteps(`p.run_id IN (${ids}) AND p.pass <> 'entities'`)}) WHERE verdict <> 'complete'
       UNION SELECT run_id, accession_number FROM export_failures WHERE run_id IN (${ids}) AND step = 'filing' AND accession_number IS NOT NULL)
     GROUP BY run_id`,
    { tables: PLAN_TABLES },
  );
  return new Map(rows.map(({ run_id, n }) => [String(run_id), Number(n)]));
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
