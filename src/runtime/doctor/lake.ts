/** The lake of an export: whether it can be written, and how much of it no recent version needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted, FilinglakeError, shellWord } from '../../core/index.ts';
import { openLake, type Removed } from '../../lake/index.ts';
import { type Check, missing, ok, warning } from './check.ts';
import { checkFolder } from './machine.ts';

const MB = 1_000_000;

/** @param folder absolute; a lake that does not exist yet is not examined */
export async function checkLake(folder: string): Promise<Check> {
  const place = await checkFolder('lake', folder, 'name another folder with --lake');
  if (place.state === 'missing' || !existsSync(join(folder, 'lake.json'))) return place;
  try {
    const lake = await openLake(folder);
    try {
      if (lake.unwritable) throw lake.unwritable;
      await lake.proveWritable();
      const newest = [...(await lake.snapshot()).tables.values()].flatMap((table) => [...table.parts.values()]);
      const newestBytes = newest.reduce((sum, { bytes }) => sum + bytes, 0);
      return withSuperseded(place, { ...(await lake.superseded()), newestBytes }, folder);
    } finally {
      await lake.close();
    }
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return missing('lake', error.message, error.remedy ?? 'run filinglake lake check');
  }
}

/** Bytes that a vacuum would free, and bytes of the newest version. */
type Superseded = Removed & { newestBytes: number };

/** Nothing is deleted automatically. A lake of twice the necessary size is a reason to look. */
function withSuperseded(place: Check, { files, bytes, newestBytes }: Superseded, folder: string): Check {
  if (files === 0) return place;
  const found = `${place.found}; ${counted(files, 'file')} of ${(bytes / MB).toFixed(1)} MB that no version of the last 7 days needs`;
  const remedy = `filinglake lake vacuum --lake ${shellWord(folder)} removes such files`;
  if (place.state === 'warning') return { ...place, found, remedy: `${remedy}; ${place.remedy}` };
  return bytes >= newestBytes ? warning('lake', found, remedy) : { ...ok('lake', found), remedy };
}
