/**
 * Which failures of an export are reported, and which are known. A failure is reported if a completed run has counted it; the row
 * then has the run's id. So neither clocks nor the order of runs matter. Failures of a cancelled or failed run are new to the next
 * run.
 */

import type { Lake, Replacement } from '../../lake/index.ts';
import type { Row } from '../../tables/index.ts';
import { sqlText } from '../sql-values.ts';
import type { RunReference } from '../types.ts';
import { FINAL_CODES, UNSTORABLE } from './failure-log.ts';

type RunOfExport = Pick<RunReference, 'run_id' | 'definition'>;

/** SQL: whether a row of export_failures has a final code, and another run reported it. */
export function isKnown(runId: string): string {
  const codes = FINAL_CODES.map((code) => `'${code}'`).join(', ');
  return `(code IN (${codes}) AND first_reported_by <> ${sqlText(runId)})`;
}

/**
 * Resolved failures of an export: another export has fetched their steps, for the failed revision or for the revision of the lake's
 * row. Revisions decide, not clocks. This run's own failures stay, even if another run fetches the step meanwhile: this export may
 * want more of it, which the next run plans.
 */
export async function failuresMadeGood(
  lake: Lake,
  { run_id, definition: { name } }: RunOfExport,
): Promise<{ step: string; subject: string }[]> {
  if (!(await lake.mayHold('export_failures', 'export', [name]))) return [];
  const rows = await lake.query(
    `SELECT f.step, f.subject FROM export_failures f JOIN coverage c USING (accession_number, step)
     LEFT JOIN (SELECT accession_number, revision FROM coverage WHERE step = 'filing') l USING (accession_number)
     WHERE f.export = ${sqlText(name)} AND f.run_id IS DISTINCT FROM ${sqlText(run_id)}
       AND f.code <> '${UNSTORABLE}' AND c.status IN ('done', 'absent')
       AND (c.revision = f.revision OR c.revision = l.revision)`,
    { tables: ['export_failures', 'coverage'] },
  );
  return rows.map(({ step, subject }) => ({ step: String(step), subject: String(subject) }));
}

/** At the end of a run: deletes resolved failures, and marks the rest as reported. */
export async function reportedBy(lake: Lake, run: RunOfExport): Promise<{ rows: Row[]; replace: Replacement[] }> {
  const { name } = run.definition;
  const keyOf = ({ step, subject }: Row) => `${step} ${subject}`;
  const over = await failuresMadeGood(lake, run);
  const gone = new Set(over.map(keyOf));
  const untold = (await lake.query(
    `SELECT * FROM export_failures WHERE export = ${sqlText(name)} AND first_reported_by IS NULL ORDER BY step, subject`,
    { tables: ['export_failures'] },
  )) as Row[];
  const rows = untold
    .filter((row) => !gone.has(keyOf(row)))
    .map((row): Row => ({ ...row, first_reported_by: run.run_id }));
  const values = [...over, ...rows].map(({ step, subject }) => [name, String(step), String(subject)]);
  if (values.length === 0) return { rows, replace: [] };
  return { rows, replace: [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values }] };
}
