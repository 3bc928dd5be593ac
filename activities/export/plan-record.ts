/** What plans of all kinds of windows have in common: the window's row in export_windows, and what it is held against. */
import { windowRecord } from '../../src/export/index.ts';
import type { PagedLookup } from './paged-lookups.ts';
import type { WindowRecords } from './staged.ts';
import type { PlanWindowRequest } from './types.ts';

/**
 * What the staging has of a window against what its reading found: fewer would be a gap that nothing tells of.
 * @throws Error to be tried again
 */
export function checkStaged<Kept>(
  { window, record }: Pick<PlanWindowRequest, 'window' | 'record'>,
  { keyOf, parseKey }: Pick<PagedLookup<Kept>, 'keyOf' | 'parseKey'>,
  { records, violations }: Pick<WindowRecords<Kept>, 'records' | 'violations'>,
): void {
  if (record === null) return;
  const broken = violations.flatMap(({ subject }) => (subject === null ? [] : (parseKey(subject) ?? [])));
  const { size } = new Set([...records.map(keyOf), ...broken]);
  const { found } = record.read;
  if (size < found)
    throw new Error(`the staging has ${size} records of window ${window}, and its reading found ${found}`);
}

export function windowRow(run_id: string, { window, read }: NonNullable<PlanWindowRequest['record']>) {
  const { promised, found, proven } = read;
  return { run_id, ...windowRecord(window), promised, found, proven };
}
