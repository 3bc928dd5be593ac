/** The thread that fetches blocks of moved packs for a reader, checks them, and keeps them on disk. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { keptFiles, loadSdk, type S3Objects, s3Settings } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { SLOW_MS } from './bucket-circuit.ts';
import { bucketOf, CACHE_FOLDER, cachedBlock, isBlock, type MovedPack, PACK_BLOCK_BYTES } from './moved-pack.ts';
import type { FetchRequest } from './moved-pack-reader.ts';
import { sharedNumbers } from './shared-numbers.ts';
import { serveCallers } from './side-thread.ts';

/** Kept blocks are counted again after new ones of this share of the limit. */
const COUNTED_SHARE = 0.02;
/** Deleted down to this share of the limit. */
const KEPT_SHARE = 0.9;

const buckets = new Map<string, S3Objects>();
/** Since all were counted, of all threads */
const newBytes = sharedNumbers('filinglake: new bytes of packs', 2);
const [BYTES, IS_COUNTED] = [0, 1];

/** A reader that gave up may come again for the same: a look-up changes its lane if it takes long. Slow ones are sent again. */
const asked = new Map<string, Promise<Uint8Array[]>>();

function blocksOf(request: FetchRequest): Promise<Uint8Array[]> {
  const name = `${request.moved.object} ${request.first} ${request.end}`;
  const earlier = asked.get(name);
  if (earlier !== undefined) return earlier;
  const forget = () => void (asked.get(name) === blocks && asked.delete(name));
  const blocks = fetchAndKeep(request).finally(forget);
  asked.set(name, blocks);
  setTimeout(forget, SLOW_MS).unref();
  return blocks;
}

async function fetchAndKeep(request: FetchRequest): Promise<Uint8Array[]> {
  const { moved, first } = request;
  const name = `${moved.place}/${moved.object}`;
  // An answer may be damaged on its way.
  const blocks = await fetchBlocks(request)
    .then((fetched) => fetched ?? fetchBlocks(request))
    .catch((error: Error) => {
      throw new FilinglakeError('pack-unreachable', `${name}: ${error.message}`, { cause: error });
    });
  if (blocks === null) throw new FilinglakeError('pack-damaged', `${name} is missing, or is not what was moved there`);
  await keep(moved, first, blocks);
  return blocks;
}

/** Null if the bucket has other bytes. */
async function fetchBlocks({ moved, first, end }: FetchRequest): Promise<Uint8Array[] | null> {
  const bucket = buckets.get(moved.place) ?? bucketOf(moved);
  buckets.set(moved.place, bucket);
  const from = first * PACK_BLOCK_BYTES;
  const length = Math.min(end * PACK_BLOCK_BYTES, moved.bytes) - from;
  const bytes = await bucket.read(moved.object, { from, bytes: length });
  if (bytes?.length !== length) return null;
  const blocks: Uint8Array[] = [];
  for (let block = first; block < end; block++) {
    const at = (block - first) * PACK_BLOCK_BYTES;
    const own = bytes.subarray(at, at + PACK_BLOCK_BYTES);
    if (!isBlock(moved, block, own)) return null;
    blocks.push(own);
  }
  return blocks;
}

/** A cache that can't be written makes reading slow, not wrong. */
async function keep(moved: MovedPack, first: number, blocks: readonly Uint8Array[]): Promise<void> {
  const { cacheFolder, copiesBytesMax } = s3Settings();
  if (copiesBytesMax === 0) return;
  try {
    for (const [i, bytes] of blocks.entries()) {
      const file = cachedBlock(cacheFolder, moved, first + i);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.${process.pid}-${threadId}`, bytes);
      await rename(`${file}.${process.pid}-${threadId}`, file);
    }
    const added = blocks.reduce((sum, bytes) => sum + bytes.length, 0);
    const sinceCounted = Number(Atomics.add(newBytes, BYTES, BigInt(added))) + added;
    const isFirst = Atomics.exchange(newBytes, IS_COUNTED, 1n) === 0n;
    if (!isFirst && sinceCounted < copiesBytesMax * COUNTED_SHARE) return;
    Atomics.store(newBytes, BYTES, 0n);
    await prune(join(cacheFolder, CACHE_FOLDER), copiesBytesMax);
  } catch {
    // The next reader fetches them from the bucket again.
  }
}

async function prune(folder: string, bytesMax: number): Promise<void> {
  const files = await keptFiles(folder);
  let kept = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (kept <= bytesMax * (1 - COUNTED_SHARE)) return;
  for (const { file, bytes } of files) {
    if (kept <= bytesMax * KEPT_SHARE) return;
    await rm(file, { force: true });
    kept -= bytes;
  }
}

// Readers don't take the time for it as the bucket's. If it fails, so does each request, with its cause.
await loadSdk().catch(() => undefined);
serveCallers(() => blocksOf);
