/**
 * Removes failures of lookup records that broke the contract in an earlier run and are valid in the window now.
 * @param step the step under which failures of the lookup's records are stored
 * @param isRight whether the window has the record, without a fault
 * @returns the deletions; a fault that is still there is written anew with the plan
 */
import type { Lake, Replacement } from '../../lake/index.ts';
import { sqlText } from '../sql-values.ts';
import type { PlanWindowRequest } from '../types.ts';

type Reading = Pick<PlanWindowRequest, 'run' | 'window' | 'record'>;

export async function resolvedFailures(
  lake: Lake,
  reading: Reading,
  step: 'filing' | 'hit' | 'entity',
  isRight: (subject: string) => boolean,
): Promise<Replacement[]> {
  return mendedAmong(await failedBefore(lake, reading, step), reading, step, isRight);
}

/** Subjects of records that broke the contract. Empty for a plan that is made again: it has no new reading. */
export async function failedBefore(
  lake: Lake,
  { run, record }: Reading,
  step: 'filing' | 'hit' | 'entity',
): Promise<string[]> {
  const { name } = run.definition;
  // Most exports have no earlier failures.
  if (record === null || !(await lake.mayHold('export_failures', 'export', [name]))) return [];
  const rows = await lake.query(
    `SELECT DISTINCT subject FROM export_failures WHERE export = ${sqlText(name)} AND step = '${step}'`,
    { tables: ['export_failures'] },
  );
  return rows.map(({ subject }) => String(subject));
}

/** Like `resolvedFailures`, for entities or hits. */
export function mendedAmong(
  subjects: readonly string[],
  { run, window }: Reading,
  step: 'filing' | 'hit' | 'entity',
  isRight: (subject: string) => boolean,
): Replacement[] {
  const mended = subjects.filter((subject) => isOfWindow(subject, window) || isRight(subject));
  if (mended.length === 0) return [];
  const values = mended.map((subject) => [run.definition.name, step, subject]);
  return [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values }];
}

/** The subject of records without a key. */
export function unidentifiedOf(window: string): string {
  return `window ${window}`;
}

/** If the window was split differently before, its failures have the names of other parts, or of the whole. */
function isOfWindow(subject: string, window: string): boolean {
  if (!subject.startsWith(unidentifiedOf(''))) return false;
  const other = subject.slice(unidentifiedOf('').length);
  return other === window || other.startsWith(`${window}-`) || window.startsWith(`${other}-`);
}
