/** The lake that an export is to write to: whether it can be, and what in it no recent version needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted, FilinglakeError } from '../../contract/index.ts';
import { type Lake, openLake } from '../../lake/index.ts';
import { type Check, missing, ok, warning } from './check.ts';
import { checkFolder } from './machine.ts';

const MB = 1_000_000;

/** @param folder absolute; a lake that isn't there yet is none to look into */
export async function checkLake(folder: string): Promise<Check> {
  const place = await checkFolder('lake', folder, 'name another folder with --lake');
  if (place.state === 'missing' || !existsSync(join(folder, 'lake.json'))) return place;
  try {
    const lake = await openLake(folder);
    try {
      if (lake.unwritable) throw lake.unwritable;
      await lake.proveWritable();
      return withSuperseded(place, await supersededIn(lake), folder);
    } finally {
      await lake.close();
    }
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return missing('lake', error.message, error.remedy ?? 'filinglake lake check says more');
  }
}

interface Superseded {
  files: number;
  /** What a vacuum would free */
  bytes: number;
  /** Of the newest version */
  newestBytes: number;
}

async function supersededIn(lake: Lake): Promise<Superseded> {
  const { parts, scratch, staging } = await lake.vacuum({ dryRun: true });
  const going = [...Object.values(parts), scratch, staging];
  const newest = [...(await lake.snapshot()).tables.values()].flatMap((table) => [...table.parts.values()]);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  return {
    files: sum(going.map(({ files }) => files)),
    bytes: sum(going.map(({ bytes }) => bytes)),
    newestBytes: sum(newest.map(({ bytes }) => bytes)),
  };
}

/** Nothing goes by itself. Once the lake takes twice what it need be, that is a reason to look. */
function withSuperseded(place: Check, { files, bytes, newestBytes }: Superseded, folder: string): Check {
  if (files === 0) return place;
  const found = `${place.found}; ${counted(files, 'file')} of ${(bytes / MB).toFixed(1)} MB that no version of the last 7 days needs`;
  const remedy = `filinglake lake vacuum --lake ${folder} frees them`;
  if (place.state === 'warning') return { ...place, found, remedy: `${remedy}; ${place.remedy}` };
  return bytes >= newestBytes ? warning('lake', found, remedy) : { ...ok('lake', found), remedy };
}
