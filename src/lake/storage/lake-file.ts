/** lake.json: it makes a folder a lake. Written once, never changed. */
import { randomUUID } from 'node:crypto';
import { FilinglakeError } from '../../core/index.ts';
import type { LakeIdentity } from '../delta/actions.ts';
import { LAKE_FILE, STAGING_FOLDER } from './layout.ts';
import { openStorage } from './open.ts';
import { putOnce } from './put-once.ts';
import type { LakeStorage } from './storage.ts';

interface LakeFile extends LakeIdentity {
  format: number;
}
const LAKE_FORMAT = 1;

/** Null if there is no lake. @throws FilinglakeError `lake-damaged`, `lake-newer`, `lake-unreadable` */
export async function readLakeFile(storage: LakeStorage): Promise<LakeFile | null> {
  const bytes = await storage.read(LAKE_FILE);
  if (bytes === null) return null;
  let file: Partial<LakeFile> | null;
  try {
    file = JSON.parse(bytes.toString('utf8')) as Partial<LakeFile> | null;
  } catch {
    file = null;
  }
  if (typeof file?.format !== 'number' || typeof file.id !== 'string') {
    throw new FilinglakeError('lake-damaged', `${storage.url(LAKE_FILE)} does not describe a lake`, {
      remedy: 'Name the folder or URL of a lake with --lake. If this file of a lake was lost, restore it from a copy.',
    });
  }
  if (file.format === LAKE_FORMAT) return file as LakeFile;
  throw new FilinglakeError(
    'lake-newer',
    `the lake ${storage.name} has format ${file.format}, this filinglake reads ${LAKE_FORMAT}`,
  );
}

/**
 * The identity of the lake in a folder or at a URL; null without a lake. A copy of a lake has the same identity.
 * @throws FilinglakeError if it can't be read
 */
export async function lakeIdAt(place: string): Promise<string | null> {
  return (await readLakeFile(openStorage(place)))?.id ?? null;
}

/**
 * Whether two places of one identity are two lakes, because one was copied: a file written to one does not appear in the other.
 * Also false if this machine can't tell: it doesn't reach the other place, or can't write.
 */
export async function isCopy(place: string, other: string, id: string): Promise<boolean> {
  const [here, there] = [openStorage(place), openStorage(other)];
  const probe = `${STAGING_FOLDER}/${randomUUID()}`;
  try {
    const found = await Promise.all([here, there].map(readLakeFile));
    if (found.some((file) => file?.id !== id)) return false;
    await putOnce(here, probe, Buffer.from(id));
    return (await there.size(probe)) === null;
  } catch (error) {
    if (error instanceof FilinglakeError) return false;
    throw error;
  } finally {
    await here.remove(probe).catch(() => undefined);
  }
}

/** Creates it, or returns the one of another process that was first. @throws FilinglakeError `lake-unwritable`, `lake-place-unfit` */
export async function makeLakeFile(storage: LakeStorage): Promise<LakeFile> {
  await storage.proveFit();
  const file: LakeFile = { format: LAKE_FORMAT, id: randomUUID(), created_at: new Date().toISOString() };
  if (await putOnce(storage, LAKE_FILE, Buffer.from(`${JSON.stringify(file)}\n`))) return file;
  return (await readLakeFile(storage)) ?? file;
}
