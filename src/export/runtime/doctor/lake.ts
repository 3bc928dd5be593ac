/** The lake of an export: whether it can be written, and how much of it no recent version needs. */
import { counted, FilinglakeError, shellWord } from '../../../core/index.ts';
import { type Lake, openLakeIfThere, openStorage } from '../../../lake/index.ts';
import { type Check, missing, ok, warning } from './check.ts';
import { checkFolder } from './machine.ts';

const MB = 1_000_000;

/** @param place absolute folder or URL; a lake that does not exist yet is not examined */
export async function checkLake(place: string): Promise<Check> {
  try {
    const storage = openStorage(place);
    const { localFolder } = storage;
    if (localFolder !== null) {
      const folder = await checkFolder('lake', localFolder, 'Name another folder with --lake.');
      if (folder.state === 'missing') return folder;
      const lake = await openLakeIfThere(place);
      return lake === null ? folder : await checkOpen(lake, folder);
    }
    const lake = await openLakeIfThere(place);
    return lake === null ? await checkNew(storage) : await checkOpen(lake, ok('lake', await readingOf(storage)));
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return missing('lake', error.message, error.remedy ?? 'Run `filinglake lake check`.');
  }
}

/** A place that is not on this machine's disk, without a lake: only a test shows whether it can hold one. */
async function checkNew(storage: Lake['storage']): Promise<Check> {
  await storage.proveFit();
  return ok('lake', `${await readingOf(storage)} (not made yet)`);
}

async function readingOf(storage: Lake['storage']): Promise<string> {
  const how = await storage.howItIsRead();
  return how === null ? storage.name : `${storage.name}: ${how}`;
}

async function checkOpen(opened: Lake, place: Check): Promise<Check> {
  await using lake = opened;
  if (lake.unwritable) throw lake.unwritable;
  await lake.proveWritable();
  const newest = [...(await lake.snapshot()).tables.values()].flatMap((table) => [...table.parts.values()]);
  const newestBytes = newest.reduce((sum, { bytes }) => sum + bytes, 0);
  return withSuperseded(place, { ...(await lake.superseded()), newestBytes }, lake.root);
}

/** Bytes that a vacuum would free, and bytes of the newest version. */
type Superseded = Awaited<ReturnType<Lake['superseded']>> & { newestBytes: number };

/** Nothing is deleted automatically, so a lake of twice the necessary size gets a warning. */
function withSuperseded(place: Check, { files, bytes, newestBytes }: Superseded, folder: string): Check {
  if (files === 0) return place;
  const found = `${place.found}; ${counted(files, 'file')} of ${(bytes / MB).toFixed(1)} MB that no version of the last 7 days needs`;
  const remedy = `Run \`filinglake lake vacuum --lake ${shellWord(folder)}\` to remove such files.`;
  if (place.state === 'warning') return { ...place, found, remedy: `${remedy} ${place.remedy}` };
  return bytes >= newestBytes ? warning('lake', found, remedy) : { ...ok('lake', found), remedy };
}
