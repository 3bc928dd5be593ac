/** `catalog packs --move`: full packs go into a bucket. */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlace, type S3Objects } from '../../core/bucket/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { tryLock } from './ingest-lock.ts';
import {
  bucketOf,
  digestOf,
  findMoved,
  isBlock,
  type MovedPack,
  movedFile,
  objectName,
  PACK_BLOCK_BYTES,
} from './packs/moved-pack.ts';
import { packFile, readFully, syncFolder } from './packs/packs.ts';
import { fileError, requireCatalog } from './store/database-file.ts';
import { openToRead, PACK_FOLDER } from './store/schema.ts';

/** Packs are read in pieces of this many bytes. */
const PIECE_BYTES = 32 * PACK_BLOCK_BYTES;

/** One move at a time: the system releases the lock if its holder dies. */
const LOCK_FILE = 'packs.lock';

export interface MoveSummary {
  /** Full packs that were moved now */
  moved: number;
  bytes: number;
  /** All packs that are in a bucket now */
  in_bucket: number;
  seconds: number;
}

/**
 * Moves full packs into a bucket: each is uploaded, read back and compared, and only then removed here. Interrupted, it loses nothing:
 * the next call continues. A service or an ingest may run meanwhile.
 * @param onProgress called with the bytes that were compared
 * @throws FilinglakeError `catalog-missing`, `catalog-busy`, `pack-damaged`, and those of a bucket: `lake-unreachable`,
 * `lake-unwritable` …
 */
export async function movePacks(
  folder: string,
  place: string,
  onProgress: (bytes: number, total: number) => void = () => undefined,
): Promise<MoveSummary> {
  const startedAt = performance.now();
  const { url } = parsePlace(place);
  requireCatalog(folder);
  using lock = tryLock(folder, LOCK_FILE);
  if (lock === null) {
    throw new FilinglakeError('catalog-busy', `another process moves packs of the catalog in ${folder}`, {
      remedy: 'Wait until it ends.',
    });
  }
  const packs = fullPacks(folder);
  const left = packs.filter(({ pack }) => existsSync(packFile(folder, pack)));
  const total = left.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { pack, bytes } of left) {
    await movePack(folder, url, pack, bytes, (compared) => onProgress(done + compared, total));
    done += bytes;
  }
  const seconds = Math.round(performance.now() - startedAt) / 1_000;
  return { moved: left.length, bytes: total, in_bucket: packs.length, seconds };
}

async function movePack(
  folder: string,
  place: string,
  pack: number,
  bytes: number,
  onCompared: (bytes: number) => void,
): Promise<void> {
  const file = packFile(folder, pack);
  const objects = bucketOf({ place });
  const digests = digestsOf(file, bytes);
  const moved = { place, object: objectName(pack, digests), bytes, digests };
  // Somebody put the pack back, or the last move was killed.
  const earlier = findMoved(folder, pack);
  if (earlier !== null && earlier.object !== moved.object) {
    throw new FilinglakeError('pack-damaged', `${file} is not what was moved to ${earlier.place}/${earlier.object}`, {
      remedy: 'Delete the file: the catalog then reads the pack in the bucket.',
    });
  }
  if ((await objects.state(moved.object))?.bytes !== bytes || !(await isAsUploaded(objects, moved, onCompared))) {
    await objects.putFile(moved.object, file, bytes);
    if (!(await isAsUploaded(objects, moved, onCompared))) {
      throw new FilinglakeError('pack-damaged', `${place}/${moved.object} is not what was uploaded from ${file}`, {
        remedy: 'The pack stays here. Check the disk and the bucket, and move it again.',
      });
    }
  }
  try {
    note(folder, pack, moved);
    rmSync(file);
    syncFolder(join(folder, PACK_FOLDER));
  } catch (error) {
    throw fileError('write', folder, error);
  }
}

/** All packs but the last, to which the writer appends. */
function fullPacks(folder: string): { pack: number; bytes: number }[] {
  using db = openToRead(folder);
  const packs = db.prepare('SELECT pack, bytes FROM packs WHERE bytes > 0 ORDER BY pack').all();
  return (packs as unknown as { pack: number; bytes: number }[]).slice(0, -1);
}

function digestsOf(file: string, bytes: number): Buffer {
  const digests: Buffer[] = [];
  const descriptor = openSync(file, 'r');
  try {
    for (let at = 0; at < bytes; at += PACK_BLOCK_BYTES) {
      const block = Buffer.alloc(Math.min(PACK_BLOCK_BYTES, bytes - at));
      if (readFully(descriptor, block, at) < block.length) {
        throw new FilinglakeError('pack-damaged', `pack ${file} is shorter than the database says`);
      }
      digests.push(digestOf(block));
    }
  } finally {
    closeSync(descriptor);
  }
  return Buffer.concat(digests);
}

async function isAsUploaded(
  objects: S3Objects,
  moved: MovedPack,
  onCompared: (bytes: number) => void,
): Promise<boolean> {
  for (let from = 0; from < moved.bytes; from += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, moved.bytes - from);
    const bytes = await objects.read(moved.object, { from, bytes: length });
    if (bytes?.length !== length) return false;
    for (let at = 0; at < length; at += PACK_BLOCK_BYTES) {
      if (!isBlock(moved, (from + at) / PACK_BLOCK_BYTES, bytes.subarray(at, at + PACK_BLOCK_BYTES))) return false;
    }
    onCompared(from + length);
  }
  return true;
}

/** Durable before the pack is removed. */
function note(folder: string, pack: number, moved: MovedPack): void {
  const file = movedFile(folder, pack);
  const draft = `${file}.draft`;
  const text = JSON.stringify({ ...moved, digests: Buffer.from(moved.digests).toString('base64') });
  writeFileSync(draft, text, { flush: true });
  renameSync(draft, file);
  syncFolder(join(folder, PACK_FOLDER));
}
