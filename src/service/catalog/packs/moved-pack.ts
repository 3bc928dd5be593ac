/**
 * Full packs in a bucket. In place of such a pack stands a small file with its place there, and a digest of each block: what a
 * bucket gives is used only if it fits. A full pack is never written again, so its object never changes.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlace, S3Objects, S3Requests, s3Settings } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { PACK_FOLDER } from '../store/schema.ts';

/** Ranges of a moved pack are requested, checked and kept in blocks of this size. */
export const PACK_BLOCK_BYTES = 2 ** 18;
/** A block's digest: the first bytes of its SHA-256. */
const DIGEST_BYTES = 16;
/** In the folder for copies of objects */
export const CACHE_FOLDER = 'packs';
const MARK_CHARACTERS = 16;

export interface MovedPack {
  /** `s3://bucket/prefix` */
  readonly place: string;
  readonly object: string;
  readonly bytes: number;
  /** Of its blocks, one after the other */
  readonly digests: Uint8Array;
}

/** The name of a pack, without its ending */
export function packName(pack: number): string {
  return String(pack).padStart(6, '0');
}

/** Packs of other catalogs in the same place have other names, and a damaged digest does not fit the name. */
export function objectName(pack: number, digests: Uint8Array): string {
  return `${packName(pack)}-${hash('sha256', digests).slice(0, MARK_CHARACTERS)}.pack`;
}

export function movedFile(folder: string, pack: number): string {
  return join(folder, PACK_FOLDER, `${packName(pack)}.moved`);
}

/** @returns null if the pack was not moved. @throws FilinglakeError `pack-damaged` */
export function findMoved(folder: string, pack: number): MovedPack | null {
  const file = movedFile(folder, pack);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { place, object, bytes, digests } = JSON.parse(text) as Record<keyof MovedPack, string> & { bytes: number };
    const moved = { place: parsePlace(place).url, object, bytes, digests: Buffer.from(digests, 'base64') };
    const isWhole = moved.digests.length === Math.ceil(bytes / PACK_BLOCK_BYTES) * DIGEST_BYTES;
    if (isWhole && object === objectName(pack, moved.digests)) return moved;
  } catch {
    // What can't be read is damaged, as what names another object.
  }
  throw new FilinglakeError('pack-damaged', `${file} is damaged: it should name the place of a pack in a bucket`);
}

export function isBlock({ digests }: MovedPack, block: number, bytes: Uint8Array): boolean {
  return digestOf(bytes).equals(digests.subarray(block * DIGEST_BYTES, (block + 1) * DIGEST_BYTES));
}

/** Objects are named after their content: places share it. */
export function cachedBlock(cacheFolder: string, { object }: MovedPack, block: number): string {
  return join(cacheFolder, CACHE_FOLDER, object, String(block));
}

export function bucketOf({ place }: Pick<MovedPack, 'place'>): S3Objects {
  return new S3Objects(new S3Requests(parsePlace(place), s3Settings()));
}

export function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, DIGEST_BYTES);
}
