/**
 * Reads frames of moved packs. Readers are synchronous: a thread fetches what the cache on disk lacks, and the reader waits for it.
 * While it waits it asks whether the answer is still wanted.
 */
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { extname } from 'node:path';
import { s3Settings } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import type { ReadOptions, StillWanted } from '../store/schema.ts';
import { bucketCircuit, FAILURES_MAX, SLOW_MS } from './bucket-circuit.ts';
import { cachedBlock, findMoved, isBlock, type MovedPack, PACK_BLOCK_BYTES } from './moved-pack.ts';
import { SideThread } from './side-thread.ts';

/** Commands wait longer than the client of the bucket tries. */
const PATIENT_MS_MAX = 300_000;
/** Blocks of one request. The first read of a pack, and others at random, fetch only what they need. */
const BLOCKS_AT_ONCE = 32;
/** A kept block is marked as used once in this time. */
const USED_MS = 60_000;
/** A pack of 1 GiB has 64 KiB of digests. */
const NOTES_MAX = 64;

export interface FetchRequest {
  moved: MovedPack;
  /** Blocks: `first` to before `end` */
  first: number;
  end: number;
}

export class MovedPackReader {
  /** Undefined in a command: nobody else waits for this thread */
  readonly #stillWanted: StillWanted | undefined;
  readonly #neverWait: boolean;
  readonly #notes = new Map<number, MovedPack>();
  readonly #thread = new SideThread<FetchRequest, Uint8Array[]>(
    new URL(`./pack-fetcher${extname(import.meta.filename)}`, import.meta.url),
  );
  /** The block after the last fetched one: who reads on from there reads the whole pack. */
  #next = '';

  constructor({ stillWanted, neverWait = false }: ReadOptions) {
    this.#stillWanted = stillWanted;
    this.#neverWait = neverWait;
  }

  /** Null if the pack was not moved. @throws FilinglakeError `pack-damaged` */
  find(folder: string, pack: number): MovedPack | null {
    const moved = this.#notes.get(pack) ?? findMoved(folder, pack);
    if (moved === null) return null;
    if (this.#notes.size >= NOTES_MAX) this.#notes.clear();
    this.#notes.set(pack, moved);
    return moved;
  }

  /** @throws FilinglakeError `pack-unreachable`, `pack-damaged`; and what `stillWanted` throws */
  read(moved: MovedPack, offset: number, length: number): Buffer {
    if (offset + length > moved.bytes) {
      throw new FilinglakeError('pack-damaged', `${nameOf(moved)} ends before byte ${offset + length}`);
    }
    const first = Math.floor(offset / PACK_BLOCK_BYTES);
    const end = Math.ceil((offset + length) / PACK_BLOCK_BYTES);
    const blocks: Uint8Array[] = [];
    for (let block = first; block < end; ) {
      const kept = this.#kept(moved, block);
      const got = kept === null ? this.#fetch(moved, block, end) : [kept];
      blocks.push(...got.slice(0, end - block));
      block += got.length;
    }
    const from = offset - first * PACK_BLOCK_BYTES;
    return Buffer.concat(blocks).subarray(from, from + length);
  }

  #kept(moved: MovedPack, block: number): Uint8Array | null {
    const file = cachedBlock(s3Settings().cacheFolder, moved, block);
    try {
      const bytes = readFileSync(file);
      if (!isBlock(moved, block, bytes)) {
        rmSync(file, { force: true });
        return null;
      }
      const now = Date.now();
      if (now - statSync(file).mtimeMs > USED_MS) utimesSync(file, now / 1_000, now / 1_000);
      return bytes;
    } catch {
      return null;
    }
  }

  #fetch(moved: MovedPack, first: number, wantedEnd: number): Uint8Array[] {
    const isReadOn = this.#next === `${moved.object} ${first}`;
    const most = Math.min(first + BLOCKS_AT_ONCE, Math.ceil(moved.bytes / PACK_BLOCK_BYTES));
    const end = isReadOn ? most : Math.min(most, wantedEnd);
    try {
      const blocks = this.#ask({ moved, first, end });
      this.#next = `${moved.object} ${end}`;
      return blocks;
    } catch (error) {
      // Somebody may have moved the objects, and told the new place.
      this.#notes.clear();
      throw error;
    }
  }

  #ask(request: FetchRequest): Uint8Array[] {
    const name = nameOf(request.moved);
    if (this.#neverWait) throw unreachable(`${name} is not kept here, and this thread waits for no bucket`);
    if (this.#stillWanted === undefined) return this.#thread.ask(request, patience(name));
    if (!bucketCircuit.mayAsk()) throw unreachable(`${name} was not requested: its bucket did not answer before`);
    return this.#askForOthers(request, name, this.#stillWanted);
  }

  /** Others wait for this thread: slow answers count as failures, and a bucket that is away ends the waiting. */
  #askForOthers(request: FetchRequest, name: string, stillWanted: StillWanted): Uint8Array[] {
    let askedAt = performance.now();
    let failures = 0;
    try {
      const blocks = this.#thread.ask(request, () => {
        stillWanted();
        const now = performance.now();
        if (!this.#thread.isReady) askedAt = now;
        if (now - askedAt < SLOW_MS * (failures + 1)) return;
        failures++;
        bucketCircuit.failed();
        if (bucketCircuit.isAway() || failures === FAILURES_MAX) throw noAnswer(name, failures * SLOW_MS);
      });
      if (failures === 0) bucketCircuit.answered();
      return blocks;
    } catch (error) {
      if (!(error instanceof FilinglakeError)) bucketCircuit.unproven();
      else if (error.code === 'pack-damaged') bucketCircuit.answered();
      else if (failures === 0) bucketCircuit.failed();
      throw error;
    }
  }

  close(): void {
    this.#thread.close();
  }
}

function nameOf({ place, object }: MovedPack): string {
  return `${place}/${object}`;
}

function unreachable(message: string): FilinglakeError {
  return new FilinglakeError('pack-unreachable', message);
}

function noAnswer(name: string, waitedMs: number): FilinglakeError {
  return unreachable(`${name} did not answer for ${waitedMs / 1_000} s`);
}

function patience(name: string): () => void {
  const endsAt = performance.now() + PATIENT_MS_MAX;
  return () => {
    if (performance.now() > endsAt) throw noAnswer(name, PATIENT_MS_MAX);
  };
}
