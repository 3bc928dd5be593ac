/** Places of lakes: a kind of place is a folder beside this file, and a line in PLACES. */
import { fileURLToPath } from 'node:url';
import { FilinglakeError } from '../../core/index.ts';
import { LocalStorage } from './local/local-storage.ts';
import { S3Storage } from './s3/s3-storage.ts';
import type { LakeStorage } from './storage.ts';

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

/** Null for a path. A letter and a colon begin a path of Windows. */
function schemeOf(place: string): string | null {
  return /^([a-z][a-z0-9+.-]+):\/\//i.exec(place)?.[1]?.toLowerCase() ?? null;
}
