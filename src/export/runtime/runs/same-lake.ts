/** Whether two places are one lake: by the id in `lake.json`, by any path, link or mount. A copy is another lake. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { FilinglakeError } from '../../../core/index.ts';

/** A lake as a run or a schedule names it. */
export interface NamedLake {
  /** Absolute folder or URL. */
  lake: string;
  /** Its identity. Absent: the lake did not exist yet, or could not be read. */
  lake_id?: string;
}

export async function namedLake(place: string): Promise<NamedLake> {
  const { lakeIdAt } = await import('../../../lake/index.ts');
  const id = await lakeIdAt(place).catch((error: unknown) => {
    // Perhaps only its worker can read it. The worker reports an error.
    if (error instanceof FilinglakeError) return null;
    throw error;
  });
  return id === null ? { lake: place } : { lake: place, lake_id: id };
}

export async function isSameLake(one: NamedLake, other: NamedLake): Promise<boolean> {
  const ids = [one.lake_id, other.lake_id].filter((id) => id !== undefined);
  if (new Set(ids).size > 1) return false;
  if (one.lake === other.lake || (await realPlace(one.lake)) === (await realPlace(other.lake))) return true;
  if (ids.length < 2) return false;
  const { isCopy } = await import('../../../lake/index.ts');
  return !(await isCopy(one.lake, other.lake, ids[0]!));
}

/** The real path of a folder. If it doesn't exist yet, links are resolved in the part of the path that exists. */
export async function realPlace(place: string): Promise<string> {
  if (!isAbsolute(place)) return place;
  try {
    return await realpath(place);
  } catch {
    // A folder that this machine lacks keeps its name, below the real path of its parent.
    return dirname(place) === place ? place : join(await realPlace(dirname(place)), basename(place));
  }
}
