/** Places of lakes: a kind of place is a folder of `storage`, and a line in PLACES. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { FilinglakeError } from '../../core/index.ts';
import { readLakeFile } from '../storage/lake-file.ts';
import { STAGING_FOLDER } from '../storage/layout.ts';
import { LocalStorage } from '../storage/local/local-storage.ts';
import { putOnce } from '../storage/put-once.ts';
import { S3Storage } from '../storage/s3/s3-storage.ts';
import type { LakeStorage } from '../storage/storage.ts';

/** By the scheme of their URLs. A place without a scheme is a folder. */
const PLACES: Readonly<Record<string, (url: string) => LakeStorage>> = {
  file: (url) => new LocalStorage(fileURLToPath(url)),
  s3: (url) => new S3Storage(url),
};

/** @param place a folder, or a URL: `./lake`, `file:///data/lake`. @throws FilinglakeError `lake-place-unknown` */
export function openStorage(place: string): LakeStorage {
  const scheme = schemeOf(place);
  if (scheme === null) return new LocalStorage(place);
  const open = PLACES[scheme];
  if (open) return open(place);
  throw new FilinglakeError('lake-place-unknown', `a lake can't lie in ${place}`);
}

/** One name for one place, seen from any folder: a path becomes absolute. @throws FilinglakeError `lake-place-unknown` */
export function absolutePlace(place: string): string {
  return openStorage(place).name;
}

/** The identity of a lake, which a copy shares; null without a lake. @throws FilinglakeError if it can't be read */
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

/** Null for a path. A letter and a colon begin a path of Windows. */
function schemeOf(place: string): string | null {
  return /^([a-z][a-z0-9+.-]+):\/\//i.exec(place)?.[1]?.toLowerCase() ?? null;
}
