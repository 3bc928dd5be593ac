/** For plans of all kinds of windows: the window's row in export_windows, and its checks. */
import { windowRecord } from '../../index.ts';
import type { PagedLookup } from '../lookup/paged-lookups.ts';
import type { WindowRecords } from '../staging/staged-files.ts';
import type { PlanWindowRequest } from '../types.ts';

/**
 * Compares the staged records of a window with the number that its reading found: fewer would be a silent gap.
 * @throws Error, so that the activity is retried
 */
export function checkStaged<Kept>(
  { window, record }: Pick<PlanWindowRequest, 'window' | 'record'>,
  { parseKey }: Pick<PagedLookup<Kept>, 'parseKey'>,
  { keys, violations }: { keys: Iterable<string> } & Pick<WindowRecords<Kept>, 'violations'>,
): void {
  if (record === null) return;
  const broken = violations.flatMap(({ subject }) => (subject === null ? [] : (parseKey(subject) ?? [])));
  const { size } = new Set([...keys, ...broken]);
  const { found } = record.read;
  if (size < found)
    throw new Error(`the staging has ${size} records of window ${window}, but its reading found ${found}`);
}

/**
 * Whether a plan is made again, without a new reading of its window. If a plan has a number other than 1 only because of another
 * history of the run, it still follows a reading, and has a row for `export_windows`.
 */
export function isMadeAgain({ plan, record }: Pick<PlanWindowRequest, 'plan' | 'record'>): boolean {
  return plan > 1 && record === null;
}

export function windowRow(run_id: string, { window, read }: NonNullable<PlanWindowRequest['record']>) {
  const { promised, found, proven } = read;
  return { run_id, ...windowRecord(window), expected: promised, found, proven };
}
