/** What must hold before an entry may go into the lake's log. */
import { FilinglakeError } from '../contract/index.ts';
import { partPath } from './layout.ts';
import type { LakeCommit, LakeSnapshot } from './log.ts';
import type { LakeStorage } from './storage.ts';
import type { TableDefinition } from './tables.ts';

/**
 * Rewriting a part of a newer filinglake would lose the columns that it has and we don't know.
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
        remedy: 'Update filinglake before writing to this lake; reading works.',
      });
    }
  }
}

/**
 * A process that slept (a closed laptop) between bringing its parts and naming them may wake after a vacuum took them for
 * a crash's leftovers. Naming them then would damage the lake.
 * @throws FilinglakeError `part-vanished`: nothing was committed, another attempt builds them again
 */
export async function refuseVanished(storage: LakeStorage, commit: LakeCommit): Promise<void> {
  const paths = Object.entries(commit.tables).flatMap(([table, change]) =>
    change.add.map(({ part }) => partPath(table, part)),
  );
  const sizes = await Promise.all(paths.map((path) => storage.size(path)));
  const vanished = paths.find((_, i) => sizes[i] === null);
  if (vanished === undefined) return;
  throw new FilinglakeError('part-vanished', `${vanished} went before it was committed`, {
    remedy: 'Run the command again: what was committed is unharmed.',
  });
}
