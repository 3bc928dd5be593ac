/**
 * A database in a copy that shares pages with earlier copies: a folder with `0.whole`, then `1.changes` and so on, each with the pages
 * that differ from those before it. All files but the last are hard links to those of the copy before. So each copy is whole, and any
 * may be deleted. `blocks.json` has a checksum of each block of the result.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { FilinglakeError } from '../core/index.ts';
import { BLOCK_BYTES, readFully } from './database-snapshot.ts';

export interface Pages {
  readonly pageBytes: number;
  readonly bytes: number;
  read(block: number): Buffer;
}

export interface WrittenPages {
  writtenBytes: number;
  /** Blocks of the earlier copy that are not what was written there. They are not taken over. */
  damagedBlocks: number;
}

interface Blocks {
  page_bytes: number;
  bytes: number;
  crc32: number[];
}

const BLOCKS = 'blocks.json';
/** Pages are written whole again once the changes have this share of them: a restore reads all. */
const CHANGES_SHARE_MAX = 0.5;
const NUMBER_BYTES = 4;

export class CopiedPages implements Pages {
  readonly pageBytes: number;
  readonly bytes: number;
  /** Names of its files in their order */
  readonly files: readonly string[];
  changedBytes = 0;
  readonly #folder: string;
  readonly #crc32: readonly number[];
  readonly #whole: number;
  readonly #changed = new Map<number, { file: number; at: number }>();
  readonly #open: number[] = [];

  /** @throws FilinglakeError `backup-damaged` */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      const { page_bytes, bytes, crc32: sums } = JSON.parse(readFileSync(join(folder, BLOCKS), 'utf8')) as Blocks;
      if (sums.length !== Math.ceil(bytes / BLOCK_BYTES)) throw new Error(`${BLOCKS} has ${sums.length} checksums`);
      [this.pageBytes, this.bytes, this.#crc32] = [page_bytes, bytes, sums];
      const changes = readdirSync(folder).filter((name) => name.endsWith('.changes'));
      this.files = ['0.whole', ...changes.map((_, i) => `${i + 1}.changes`)];
      this.#open = this.files.map((name) => openSync(join(folder, name), 'r'));
    } catch (cause) {
      throw new FilinglakeError('backup-damaged', `${folder} can't be read: ${(cause as Error).message}`, { cause });
    }
    this.#whole = this.#open[0]!;
    for (const file of this.#open.slice(1)) this.#readChanges(file);
  }

  #readChanges(file: number): void {
    const number = Buffer.alloc(NUMBER_BYTES);
    for (let at = 0; readFully(file, number, at) === NUMBER_BYTES; at += NUMBER_BYTES + this.pageBytes) {
      this.#changed.set(number.readUInt32BE(0), { file, at: at + NUMBER_BYTES });
      this.changedBytes += this.pageBytes;
    }
  }

  /** Bytes that are missing are zeros: `isSound` tells. */
  read(block: number): Buffer {
    const from = block * BLOCK_BYTES;
    const bytes = Buffer.alloc(Math.max(0, Math.min(BLOCK_BYTES, this.bytes - from)));
    readFully(this.#whole, bytes, from);
    for (let at = 0; at < bytes.length; at += this.pageBytes) {
      const changed = this.#changed.get((from + at) / this.pageBytes + 1);
      if (changed) readFully(changed.file, bytes.subarray(at, at + this.pageBytes), changed.at);
    }
    return bytes;
  }

  /** Whether a block is what was written. */
  isSound(block: number, bytes: Buffer): boolean {
    return crc32(bytes) === this.#crc32[block];
  }

  /** Makes the database. @throws FilinglakeError `backup-damaged` */
  async restore(to: string): Promise<void> {
    const file = openSync(to, 'wx');
    for (let block = 0; block < this.#crc32.length; block++) {
      const bytes = this.read(block);
      if (!this.isSound(block, bytes)) {
        throw new FilinglakeError(
          'backup-damaged',
          `bytes from ${block * BLOCK_BYTES} on of ${this.#folder} are damaged`,
        );
      }
      writeFully(file, bytes);
      await setImmediate();
    }
    fsyncSync(file);
    closeSync(file);
  }

  /** Links its files into another copy. @returns false if they lie on another disk */
  linkInto(folder: string): boolean {
    try {
      for (const name of this.files) linkSync(join(this.#folder, name), join(folder, name));
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    for (const file of this.#open) closeSync(file);
  }
}

/** Whether a copy has this database in pages. */
export function isInPages(folder: string): boolean {
  return existsSync(join(folder, BLOCKS));
}

/** Writes into an empty folder the pages that the earlier copy lacks, or all. */
export async function writePages(source: Pages, folder: string, previous: CopiedPages | null): Promise<WrittenPages> {
  mkdirSync(folder, { recursive: true });
  const isShared =
    previous !== null &&
    previous.pageBytes === source.pageBytes &&
    previous.changedBytes <= source.bytes * CHANGES_SHARE_MAX &&
    previous.linkInto(folder);
  const file = openSync(join(folder, isShared ? `${previous.files.length}.changes` : '0.whole'), 'wx');
  const sums: number[] = [];
  const written: WrittenPages = { writtenBytes: 0, damagedBlocks: 0 };
  for (let block = 0; block * BLOCK_BYTES < source.bytes; block++) {
    const bytes = source.read(block);
    sums.push(crc32(bytes));
    const earlier = previous?.read(block) ?? Buffer.alloc(0);
    if (earlier.length > 0 && !previous!.isSound(block, earlier)) written.damagedBlocks++;
    if (!isShared) written.writtenBytes += writeFully(file, bytes);
    else if (!bytes.equals(earlier)) written.writtenBytes += writeFully(file, changesOf(source, block, bytes, earlier));
    await setImmediate();
  }
  fsyncSync(file);
  closeSync(file);
  const blocks: Blocks = { page_bytes: source.pageBytes, bytes: source.bytes, crc32: sums };
  const list = Buffer.from(JSON.stringify(blocks));
  writeFileSync(join(folder, BLOCKS), list, { flag: 'wx', flush: true });
  written.writtenBytes += list.length;
  return written;
}

function changesOf({ pageBytes }: Pages, block: number, bytes: Buffer, earlier: Buffer): Buffer {
  const changes: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes);
    if (page.equals(earlier.subarray(at, at + pageBytes))) continue;
    const number = Buffer.alloc(NUMBER_BYTES);
    number.writeUInt32BE((block * BLOCK_BYTES + at) / pageBytes + 1);
    changes.push(number, page);
  }
  return Buffer.concat(changes);
}

function writeFully(file: number, bytes: Buffer): number {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written);
  return written;
}
