/** Records of a lookup that broke the contract in an earlier run, and are right in the window that was read now: their failures go. */
import type { Lake, Replacement } from '../../lake/index.ts';
import { sqlText } from '../sql-values.ts';
import type { PlanWindowRequest } from '../types.ts';

type Reading = Pick<PlanWindowRequest, 'run' | 'window' | 'record'>;

/**
 * @param step under which failures of the lookup's records are kept
 * @param isRight whether the window has the record that a failure is about, without fault
 * @returns what takes the failures out that are no more; a fault that is still there is written anew with the plan
 */
export async function resolvedFailures(
  lake: Lake,
  reading: Reading,
  step: 'filing' | 'hit' | 'entity',
  isRight: (subject: string) => boolean,
): Promise<Replacement[]> {
  return mendedAmong(await failedBefore(lake, reading, step), reading, step, isRight);
}

/** What records that broke the contract are recorded under; none for a plan that is made again, which has no new reading. */
export async function failedBefore(
  lake: Lake,
  { run, record }: Reading,
  step: 'filing' | 'hit' | 'entity',
): Promise<string[]> {
  const { name } = run.definition;
  // Mostly nothing has failed before.
  if (record === null || !(await lake.mayHold('export_failures', 'export', [name]))) return [];
  const rows = await lake.query(
    `SELECT DISTINCT subject FROM export_failures WHERE export = ${sqlText(name)} AND step = '${step}'`,
    { tables: ['export_failures'] },
  );
  return rows.map(({ subject }) => String(subject));
}

/** As `resolvedFailures`, among those that failed before. */
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

/** What records without a key are recorded under. */
export function unidentifiedOf(window: string): string {
  return `window ${window}`;
}

/** A window that was cut otherwise before has left its failures under the names of its parts, or of what it is a part of. */
function isOfWindow(subject: string, window: string): boolean {
  if (!subject.startsWith(unidentifiedOf(''))) return false;
  const other = subject.slice(unidentifiedOf('').length);
  return other === window || other.startsWith(`${window}-`) || window.startsWith(`${other}-`);
}
