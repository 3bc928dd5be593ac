/** The steps that runs planned to fetch, compared with coverage: complete, failed, left to another run, or missing. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../core/index.ts';
import { type JsonRow, rowsOf } from '../engine/duckdb.ts';

/** Tables that `plannedSteps` reads. */
export const PLAN_TABLES: readonly string[] = ['export_plans', 'export_failures', 'coverage', 'entities', 'filings'];

export const STEP_TABLES = [...PLAN_TABLES, 'export_passes', 'export_runs'];

/**
 * SQL: a row for each planned step, with `verdict`: `complete`, `failed`, `left` (another run has written the filing in another
 * revision since), or `missing`.
 * A step counts as failed only if the run that planned it recorded the failure: an earlier one would hide that this run never
 * requested it.
 * An entity that is requested by its CIK has no coverage. It is complete if its row exists, or if the filing names no CIK. A filing that
 * the run could not learn of names none, whatever another run has found since.
 * @param condition on a row `p` of export_plans
 */
export function plannedSteps(condition: string): string {
  return `SELECT p.*, c.status AS covered, c.run_id AS covered_by, f.run_id AS failed_by, CASE
      WHEN p.pass = 'entities' AND (e.cik IS NOT NULL OR NOT regexp_full_match(coalesce(p.subject, ''), '[0-9]+')) THEN 'complete'
      WHEN p.pass <> 'entities' AND c.status IN ('done', 'absent')
        AND (p.revision = '' OR c.revision = p.revision OR c.revision = l.revision) THEN 'complete'
      WHEN f.run_id = p.run_id THEN 'failed'
      WHEN p.pass <> 'entities' AND p.revision <> '' AND l.revision IS NOT NULL AND l.revision <> p.revision THEN 'left'
      ELSE 'missing' END AS verdict
    FROM (SELECT export, accession_number, pass, revision, run_id, "window",
        CASE pass WHEN 'documents' THEN 'document:' || subject WHEN 'entities' THEN 'entity' ELSE one END AS step, subject
      FROM (SELECT p.*, CASE WHEN pass = 'entities' THEN coalesce(nullif(one, ''), CASE WHEN u.run_id IS NULL THEN ltrim(n.cik, '0') END)
          WHEN pass <> 'documents' THEN p.accession_number WHEN starts_with(one, '=') THEN substr(one, 2)
          ELSE p.accession_number || '-' || one END AS subject
        FROM (SELECT p.* EXCLUDE (steps), unnest(string_split(p.steps, ',')) AS one FROM export_plans p WHERE ${condition}) p
        LEFT JOIN (SELECT accession_number, cik FROM filings WHERE accession_number IN
          (SELECT accession_number FROM export_plans p WHERE pass = 'entities' AND steps = '' AND ${condition})) n
          ON p.pass = 'entities' AND p.one = '' AND n.accession_number = p.accession_number
        LEFT JOIN (SELECT DISTINCT run_id, accession_number FROM export_failures WHERE step IN ('filing', 'info')) u
          ON p.pass = 'entities' AND p.one = '' AND u.run_id = p.run_id AND u.accession_number = p.accession_number)) p
    LEFT JOIN coverage c ON c.accession_number = p.accession_number AND c.step = p.step
    LEFT JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') l ON l.accession_number = p.accession_number
    LEFT JOIN entities e ON p.pass = 'entities' AND e.cik = p.subject
    LEFT JOIN export_failures f ON f.export = p.export AND f.step IN (p.step, p.pass) AND f.subject = p.subject`;
}

/** The queries of a lake that these functions need. */
interface Asked {
  query(sql: string, options: { tables: readonly string[] }): Promise<Record<string, unknown>[]>;
}

/**
 * For each run: how many of its listed filings lack a planned step, or failed when they were listed. Entities don't count: each
 * belongs to many filings.
 * @returns by id of the run; only runs that lack something
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

/** Steps that a run planned, of one kind. */
export interface PendingSteps {
  readonly export: string;
  readonly run_id: string;
  readonly pass: string;
  readonly steps: number;
}

interface MissingSteps extends PendingSteps {
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/**
 * Planned steps that coverage lacks: `missing` of completed runs, `pending` of others, which promise nothing. Those that a run left to
 * another one are not missing. Neither are those that were complete at its end, if another run has requested more of
 * them without success since, or has read that they are older than their filing.
 */
export async function lackingSteps(
  connection: DuckDBConnection,
): Promise<{ missing: MissingSteps[]; pending: PendingSteps[] }> {
  const rows = await rowsOf(
    connection,
    `WITH lacking AS (
       SELECT s.export, s.run_id, s.pass, s.subject, r.run_id IS NOT NULL AS is_completed FROM (${plannedSteps('true')}) s
       LEFT JOIN (SELECT DISTINCT run_id FROM export_runs WHERE state = 'completed') r ON r.run_id = s.run_id
       WHERE s.verdict = 'missing'
         AND NOT (r.run_id IS NOT NULL AND coalesce(s.covered <> 'failed' OR s.covered_by <> s.run_id, false) AND EXISTS (
           SELECT 1 FROM export_passes p WHERE p.run_id = s.run_id AND p."window" = s."window" AND p.pass = s.pass AND p.missing = 0)))
     SELECT is_completed, export, run_id, pass, count(*)::DOUBLE AS n, min(subject, ${EXAMPLES}) AS examples
     FROM lacking GROUP BY ALL ORDER BY export, run_id, pass`,
  );
  const [missing, pending] = [true, false].map((over) => rows.filter(({ is_completed }) => is_completed === over));
  return {
    missing: missing!.map((row) => ({ ...stepsOf(row), examples: (row.examples as unknown as string[]).map(String) })),
    pending: pending!.map(stepsOf),
  };
}

function stepsOf({ export: name, run_id, pass, n }: JsonRow): PendingSteps {
  return { export: String(name), run_id: String(run_id), pass: String(pass), steps: Number(n) };
}
