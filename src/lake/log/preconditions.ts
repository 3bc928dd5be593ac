/** Puts an entry into the lake's log, if its conditions hold. */
import { FilinglakeError } from '../../core/index.ts';
import { readLakeFile } from '../storage/lake-file.ts';
import { commitPath, partPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type LakeCommit, type LakeSnapshot, readCommit } from './log.ts';

/** To rewrite a part of a newer filinglake would lose columns. @throws FilinglakeError `lake-newer` */
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

/** Whether the folder has this lake, with the log of the snapshot: it may have been removed, replaced or restored. */
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
 * Puts the next entry of the log, never behind one that is missing: readers would later apply it after a version that it doesn't follow.
 * @param sent called before it is sent: from then on it may be in the log, whatever this throws
 * @returns false: another entry was first
 * @throws FilinglakeError `lake-replaced`, `part-vanished` (another attempt builds it again): nothing was committed
 */
export async function putEntry(
  { storage, id }: { storage: LakeStorage; id: string },
  before: LakeSnapshot,
  commit: LakeCommit,
  sent: () => void = () => {},
): Promise<boolean> {
  const [isThere, vanished] = await Promise.all([hasLog(storage, id, before), vanishedPart(storage, commit)]);
  if (!isThere) throw lakeReplaced(storage.name);
  if (vanished !== undefined)
    throw new FilinglakeError('part-vanished', `${vanished} was removed before it was committed`);
  sent();
  return putOnce(storage, commitPath(commit.version), Buffer.from(`${JSON.stringify(commit)}\n`));
}

export function lakeReplaced(lake: string): FilinglakeError {
  return new FilinglakeError('lake-replaced', `the lake in ${lake} is not the one that this run began with`, {
    remedy:
      'Run `filinglake export` again, and check that all workers see the same folder. A new run begins with the lake that is there.',
  });
}

/**
 * A part of a commit that is gone. A process may sleep (a closed laptop) between adopting its parts and naming them. A vacuum may meanwhile
 * delete them as leftovers of a crash. Naming them then would damage the lake.
 */
async function vanishedPart(storage: LakeStorage, commit: LakeCommit): Promise<string | undefined> {
  const paths = Object.entries(commit.tables).flatMap(([table, change]) =>
    change.add.map(({ part }) => partPath(table, part)),
  );
  const sizes = await Promise.all(paths.map((path) => storage.size(path)));
  return paths.find((_, i) => sizes[i] === null);
}
