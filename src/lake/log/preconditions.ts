/** The conditions for an entry in the lake's log. */
import { FilinglakeError } from '../../core/index.ts';
import { readLakeFile } from '../storage/lake-file.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type LakeCommit, type LakeSnapshot, readCommit } from './log.ts';

/**
 * Rewriting a part of a newer filinglake would lose columns that this one doesn't know.
 * @throws FilinglakeError `lake-newer`
 */
export function refuseNewer(
  storage: LakeStorage,
  tables: ReadonlyMap<string, TableDefinition>,
  snapshot: LakeSnapshot,
): void {
  for (const [name, state] of snapshot.tables) {
    const table = tables.get(name);
    const newer = [...state.parts.values()].some((part) => !table || part.columns > table.columns.length);
    if (newer) {
      throw new FilinglakeError('lake-newer', `${name} in ${storage.name} was written by a newer filinglake`, {
        remedy: 'Update filinglake before you write to this lake. Reading works.',
      });
    }
  }
}

/**
 * Whether the folder has this lake, with the log that a snapshot was read from. Someone may have removed it, replaced it, or
 * restored an older copy.
 */
export async function hasLog(storage: LakeStorage, lakeId: string, snapshot: LakeSnapshot | null): Promise<boolean> {
  const isLogged = snapshot !== null && snapshot.version >= 0;
  const [file, entry] = await Promise.all([
    readLakeFile(storage),
    isLogged ? readCommit(storage, snapshot.version) : null,
  ]);
  if (file?.id !== lakeId) return false;
  if (!isLogged) return true;
  // A restored copy may have reached the same version by other commits.
  return entry?.committed_at === snapshot.committed_at;
}

/**
 * A version is never put if the one before it is missing: readers would later apply it after a version that it doesn't follow.
 * @throws FilinglakeError `lake-replaced`: nothing was committed
 */
export async function refuseReplaced(storage: LakeStorage, lakeId: string, snapshot: LakeSnapshot): Promise<void> {
  if (await hasLog(storage, lakeId, snapshot)) return;
  throw lakeReplaced(storage.name);
}

export function lakeReplaced(lake: string): FilinglakeError {
  return new FilinglakeError('lake-replaced', `the lake in ${lake} is not the one that this run began with`, {
    remedy:
      'Run `filinglake export` again, and check that all workers see the same folder. A new run begins with the lake that is there.',
  });
}

/**
 * A process may sleep (a closed laptop) between adopting its parts and naming them. A vacuum may meanwhile delete them as leftovers
 * of a crash. Naming them then would damage the lake.
 * @throws FilinglakeError `part-vanished`: nothing was committed; another attempt builds them again
 */
export async function refuseVanished(storage: LakeStorage, commit: LakeCommit): Promise<void> {
  const paths = Object.entries(commit.tables).flatMap(([table, change]) =>
    change.add.map(({ part }) => partPath(table, part)),
  );
  const sizes = await Promise.all(paths.map((path) => storage.size(path)));
  const vanished = paths.find((_, i) => sizes[i] === null);
  if (vanished === undefined) return;
  throw new FilinglakeError('part-vanished', `${vanished} was removed before it was committed`);
}
