/** Pack files: zstd frames, only ever appended; the database has their positions. Full packs may lie in a bucket. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import { PACK_FOLDER, type ReadOptions } from '../store/schema.ts';
import { findMoved, type MovedPack, packName } from './moved-pack.ts';
import { MovedPackReader } from './moved-pack-reader.ts';

/** A pack is closed once it has grown past this; a frame is never split over two. */
const PACK_BYTES_MAX = 2 ** 30;
const OPEN_PACKS_MAX = 64;
/** How often open packs are looked at, whether they were removed. */
const REMOVED_MS = 60_000;

interface Placement {
  pack: number;
  offset: number;
  length: number;
}

export function packFile(folder: string, pack: number): string {
  return join(folder, PACK_FOLDER, `${packName(pack)}.pack`);
}

/** Reads frames; keeps a bounded number of packs open. */
export class PackReader {
  readonly #folder: string;
  readonly #open = new Map<number, number>();
  readonly #moved: MovedPackReader;
  #lookedAt = performance.now();

  /** @param options also for waiting for a bucket */
  constructor(folder: string, options: ReadOptions = {}) {
    this.#folder = folder;
    this.#moved = new MovedPackReader(options);
  }

  /** @throws FilinglakeError `pack-damaged` if the pack is missing or shorter than the database says; `pack-unreachable` */
  read(at: Placement): Buffer {
    const moved = this.#movedPack(at.pack);
    if (moved !== null) return this.#moved.read(moved, at.offset, at.length);
    const bytes = Buffer.allocUnsafe(at.length);
    let filled = 0;
    try {
      filled = readFully(this.#descriptor(at.pack), bytes, at.offset);
    } catch (cause) {
      // It was moved a moment ago.
      if (this.#movedPack(at.pack) !== null) return this.read(at);
      throw unreadable(this.fileOf(at.pack), cause);
    }
    if (filled < at.length) {
      throw damaged(
        this.fileOf(at.pack),
        `bytes ${at.offset} to ${at.offset + at.length} asked, the file ends at ${at.offset + filled}`,
      );
    }
    return bytes;
  }

  /** A pack's file; null if it lies in a bucket. @throws FilinglakeError `pack-damaged` */
  localFile(pack: number): string | null {
    const file = this.fileOf(pack);
    if (existsSync(file)) return file;
    if (this.#moved.find(this.#folder, pack) !== null) return null;
    throw damaged(file, 'the file is missing');
  }

  fileOf(pack: number): string {
    return packFile(this.#folder, pack);
  }

  /** Null for a pack that is here, or nowhere. */
  #movedPack(pack: number): MovedPack | null {
    if (this.#open.has(pack) || existsSync(this.fileOf(pack))) return null;
    return this.#moved.find(this.#folder, pack);
  }

  #descriptor(pack: number): number {
    if (performance.now() - this.#lookedAt > REMOVED_MS) this.#closeRemoved();
    const known = this.#open.get(pack);
    if (known !== undefined) return known;
    const descriptor = openSync(this.fileOf(pack), 'r');
    if (this.#open.size >= OPEN_PACKS_MAX) {
      const [oldest, oldestDescriptor] = this.#open.entries().next().value!;
      closeSync(oldestDescriptor);
      this.#open.delete(oldest);
    }
    this.#open.set(pack, descriptor);
    return descriptor;
  }

  /** A moved pack takes space while it is open. */
  #closeRemoved(): void {
    this.#lookedAt = performance.now();
    for (const [pack, descriptor] of this.#open) {
      if (fstatSync(descriptor).nlink > 0) continue;
      closeSync(descriptor);
      this.#open.delete(pack);
    }
  }

  close(): void {
    this.#moved.close();
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }
}

function unreadable(file: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('pack-damaged', `pack ${file} can't be read: ${systemErrorWords(cause)}`, { cause });
}

function damaged(file: string, detail: string): FilinglakeError {
  return new FilinglakeError('pack-damaged', `pack ${file} is damaged: ${detail}`);
}

/** Appends frames. Bytes that a crash left after the committed length are cut when the writer opens. */
export class PackWriter {
  readonly #folder: string;
  #pack: number;
  #descriptor: number;
  #length: number;
  /** Committed and appended length of each pack that this batch touched. */
  readonly #touched = new Map<number, number>();

  /** @param committed length of each pack as the database has it */
  constructor(folder: string, committed: ReadonlyMap<number, number>) {
    this.#folder = folder;
    mkdirSync(join(folder, PACK_FOLDER), { recursive: true });
    cutUncommitted(folder, committed);
    this.#pack = Math.max(1, ...committed.keys());
    // In a copy that was made while the original's packs were moved: its database is older than the note of the place.
    if (findMoved(folder, this.#pack) !== null) this.#pack++;
    this.#length = committed.get(this.#pack) ?? 0;
    this.#descriptor = openSync(packFile(folder, this.#pack), 'a');
    syncFolder(join(folder, PACK_FOLDER));
  }

  /** Appends bytes that belong together (a filing's frames) and returns their position. */
  append(bytes: Uint8Array): { pack: number; offset: number } {
    if (this.#length > 0 && this.#length + bytes.length > PACK_BYTES_MAX) this.#next();
    const offset = this.#length;
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written, bytes.length - written);
    this.#length += bytes.length;
    this.#touched.set(this.#pack, this.#length);
    return { pack: this.#pack, offset };
  }

  /** Syncs the appended bytes; returns the lengths that the transaction then stores. */
  sync(): ReadonlyMap<number, number> {
    fdatasyncSync(this.#descriptor);
    const lengths = new Map(this.#touched);
    this.#touched.clear();
    return lengths;
  }

  #next(): void {
    fdatasyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#pack++;
    this.#length = 0;
    this.#descriptor = openSync(packFile(this.#folder, this.#pack), 'a');
    syncFolder(join(this.#folder, PACK_FOLDER));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function cutUncommitted(folder: string, committed: ReadonlyMap<number, number>): void {
  for (const name of readdirSync(join(folder, PACK_FOLDER))) {
    const match = /^(\d{6,})\.pack$/.exec(name);
    if (!match) continue;
    const pack = Number(match[1]);
    const length = committed.get(pack);
    const file = packFile(folder, pack);
    if (length === undefined) {
      rmSync(file);
      continue;
    }
    // It may be moved now.
    const descriptor = openIfThere(file, 'r+');
    if (descriptor === null) continue;
    try {
      if (fstatSync(descriptor).size > length) {
        ftruncateSync(descriptor, length);
        fsyncSync(descriptor);
      }
    } finally {
      closeSync(descriptor);
    }
  }
  for (const [pack, length] of committed) {
    const file = packFile(folder, pack);
    const found = packBytes(folder, pack);
    if (found === null) throw damaged(file, 'the file is missing');
    // Appending to a shortened pack would put new frames where the database expects old ones.
    if (found < length) throw damaged(file, `it has ${found} bytes, ${length} were committed`);
  }
}

/** Bytes of a pack, here or in a bucket; null if it is missing. @throws FilinglakeError `pack-damaged` */
export function packBytes(folder: string, pack: number): number | null {
  return statSync(packFile(folder, pack), { throwIfNoEntry: false })?.size ?? findMoved(folder, pack)?.bytes ?? null;
}

function openIfThere(file: string, flags: string): number | null {
  try {
    return openSync(file, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns bytes that were read: fewer at the end of the file */
export function readFully(file: number, into: Buffer, at: number): number {
  let filled = 0;
  while (filled < into.length) {
    const n = readSync(file, into, filled, into.length - filled, at + filled);
    if (n === 0) break;
    filled += n;
  }
  return filled;
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
