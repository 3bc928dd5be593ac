/** Older versions: which one was the newest at a time, and whether all its parts still exist. */
import { FilinglakeError } from '../../core/index.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { type LakeCommit, type LakeSnapshot, tableState } from './log.ts';

/**
 * The newest version that was committed at or before a time. Versions' times never fall, so only a few are read.
 * @throws FilinglakeError `lake-version-unknown` (exit 2): nothing was committed by then
 */
export async function versionAt(
  readCommit: (version: number) => Promise<LakeCommit | null>,
  newest: number,
  time: Date,
): Promise<number> {
  const committedAt = async (version: number) => Date.parse((await readCommit(version))?.committed_at ?? '');
  let before = -1;
  let behind = newest + 1;
  while (behind - before > 1) {
    const middle = (before + behind) >> 1;
    if ((await committedAt(middle)) <= time.getTime()) before = middle;
    else behind = middle;
  }
  if (before >= 0) return before;
  const first = newest < 0 ? 'it is empty' : `its first is of ${(await readCommit(0))?.committed_at}`;
  throw new FilinglakeError('lake-version-unknown', `the lake had no version at ${time.toISOString()}: ${first}`, {
    remedy: 'Run `filinglake lake log` to list versions and their times.',
  });
}

/** @throws FilinglakeError `lake-version-vacuumed` if a part of the version, which the newest version lacks, is gone */
export async function refuseVacuumed(storage: LakeStorage, older: LakeSnapshot, newest: LakeSnapshot): Promise<void> {
  for (const [table, { parts }] of older.tables) {
    const live = tableState(newest, table).parts;
    for (const part of parts.keys()) {
      if (live.has(part) || (await storage.size(partPath(table, part))) !== null) continue;
      throw new FilinglakeError(
        'lake-version-vacuumed',
        `version ${older.version} can't be read any more: vacuum removed parts of it`,
        {
          remedy: `Ask for a later version, up to ${newest.version}. \`filinglake lake vacuum --keep\` sets how long versions stay.`,
        },
      );
    }
  }
}
