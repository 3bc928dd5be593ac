/**
 * Which failures of an export are told, and which are known. Told is what a completed run has counted: its id stands in the row, so
 * that neither clocks nor the order of runs matter, and what only a run met that was cancelled, or failed, is new to the next one.
 */

import type { Lake, Replacement } from '../../lake/index.ts';
import type { Row } from '../../tables/index.ts';
import { sqlText } from '../sql-values.ts';
import type { RunReference } from '../types.ts';
import { FINAL_CODES, UNSTORABLE } from './failure-log.ts';

type RunOfExport = Pick<RunReference, 'run_id' | 'definition'>;

/** SQL: whether a row of export_failures is final, and was told by another run than this one. */
export function isKnown(runId: string): string {
  const codes = FINAL_CODES.map((code) => `'${code}'`).join(', ');
  return `(code IN (${codes}) AND first_reported_by <> ${sqlText(runId)})`;
}

/**
 * Failures of an export that are over: another has brought their steps, for the record that this one failed at, or for the one that the lake's
 * own row is of by now. Revisions say so, and no clocks. What this run itself has failed at is not over, though another brings it at
 * the same time: more of it may be wanted here, which the next run plans.
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

/** What the end of a run makes of the failures of its export: what is over goes, and the rest is told. */
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
