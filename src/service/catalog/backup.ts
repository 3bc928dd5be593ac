/**
 * Copies a catalog while others read and write it. The database is copied first, as one state. Packs are only appended to, and a
 * frame is on disk before the database names it: so the bytes that the copied database names are all there afterwards.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { FilinglakeError } from '../../core/index.ts';
import { movedFile } from './packs/moved-pack.ts';
import { packFile, readFully, syncFolder } from './packs/packs.ts';
import { damagedDatabases, NOT_AS_COPIED, noteDatabases } from './store/copied-databases.ts';
import {
  ACCOUNTS_FILE,
  DATABASE_FILE,
  databaseError,
  fileError,
  isFileThere,
  requireCatalog,
} from './store/database-file.ts';
import { makeFolder } from './store/folder.ts';
import { PACK_FOLDER } from './store/schema.ts';

interface BackupSummary {
  /** Absolute folder of the copy */
  folder: string;
  filings: number;
  /** Bytes of the packs in the copy */
  bytes: number;
  /** Bytes of packs that lie in a bucket: the copy names their place */
  bucket_bytes: number;
  /** Of `bytes`, those that the copy shares with the previous one. */
  shared_bytes: number;
  /** Bytes that the copy took on disk: packs and databases */
  written_bytes: number;
  /** Full packs of the previous copy that are damaged, or of another catalog. The copy doesn't share them. */
  damaged_earlier: string[];
  /** Unfinished copies in the same folder, absolute: of a backup that was killed, or that runs here or on another machine */
  unfinished: string[];
  seconds: number;
}

/** Databases of a catalog's folder. `edgar.db`: what EDGAR published, for `coverage`. */
const DATABASES = [DATABASE_FILE, ACCOUNTS_FILE, 'edgar.db'];
/** All pages in one step: a writer then never makes SQLite begin again. */
const ALL_PAGES = 2 ** 30;
const BLOCK_BYTES = 2 ** 20;
/** A quick comparison looks at this many places of a pack, and at its end. */
const COMPARED_PLACES = 16;

/** The number of a process says nothing on a network disk or in a container, so none of them is deleted here. */
const UNFINISHED = /\.partial-\d+$/;

interface BackupOptions {
  /** An earlier copy on the same disk: full packs are shared with it by hard links. They never change. */
  readonly previous?: string | undefined;
  /** Full packs are compared with those of the earlier copy at some places, not byte by byte. */
  readonly quick?: boolean | undefined;
  readonly onProgress?: (bytes: number) => void;
}

/**
 * The copy is a catalog: to restore it, name its folder, or copy it to the old place.
 * @param folder a catalog, or a copy
 * @param target must not exist, or be an empty folder. It appears whole, or not at all
 * @throws FilinglakeError `catalog-missing` (of the previous copy too), `folder-taken`, `backup-damaged`, `catalog-unreadable`,
 * `catalog-unwritable`, `pack-damaged`
 */
export async function backupCatalog(
  folder: string,
  target: string,
  { previous, quick = false, onProgress = () => undefined }: BackupOptions = {},
): Promise<BackupSummary> {
  const startedAt = performance.now();
  requireCatalog(folder);
  if (previous !== undefined) requireCatalog(previous);
  const [damaged] = damagedDatabases(folder);
  if (damaged !== undefined)
    throw new FilinglakeError('backup-damaged', `${join(folder, damaged)} is ${NOT_AS_COPIED}`);
  const whole = resolve(target);
  if (existsSync(whole)) refuseFilled(whole, target);
  makeFolder(dirname(whole));
  const partial = `${whole}.partial-${process.pid}`;
  try {
    mkdirSync(join(partial, PACK_FOLDER), { recursive: true });
    let written = 0;
    const there = DATABASES.filter((name) => isFileThere(join(folder, name)));
    for (const name of there) written += await copyDatabase(join(folder, name), join(partial, name));
    noteDatabases(partial, there);
    const { filings, packs } = contentOf(join(partial, DATABASE_FILE));
    const differing: string[] = [];
    let bytes = 0;
    let shared = 0;
    let moved = 0;
    for (const [i, { pack, bytes: length }] of packs.entries()) {
      const [from, to] = [packFile(folder, pack), packFile(partial, pack)];
      const earlier = previous === undefined ? null : packFile(previous, pack);
      try {
        // The last pack is not full: a copy that is put in place appends to it.
        const isFull = earlier !== null && i < packs.length - 1 && isFileThere(earlier) && isFileThere(from);
        const isSame = isFull && isAlike(from, earlier, length, quick);
        if (isFull && !isSame && isFileThere(packFile(previous!, pack + 1)))
          differing.push(join(PACK_FOLDER, basename(from)));
        if (isSame && isLinked(earlier, to)) shared += length;
        else {
          await copyPack(from, to, length);
          written += length;
        }
        bytes += length;
      } catch (error) {
        if (isFileThere(from) || !isFileThere(movedFile(folder, pack))) throw error;
        rmSync(to, { force: true });
        await copyPack(movedFile(folder, pack), movedFile(partial, pack));
        moved += length;
      }
      onProgress(bytes);
    }
    syncFolder(join(partial, PACK_FOLDER));
    rmSync(whole, { recursive: true, force: true });
    renameSync(partial, whole);
    syncFolder(dirname(whole));
    const beside = readdirSync(dirname(whole)).filter((name) => UNFINISHED.test(name));
    const unfinished = beside.map((name) => join(dirname(whole), name));
    const seconds = Math.round(performance.now() - startedAt) / 1_000;
    return {
      folder: whole,
      filings,
      bytes,
      shared_bytes: shared,
      bucket_bytes: moved,
      written_bytes: written,
      damaged_earlier: differing,
      unfinished,
      seconds,
    };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error instanceof FilinglakeError ? error : fileError('write', whole, error);
  }
}

function refuseFilled(folder: string, target: string): void {
  if (readdirSync(folder).length > 0) throw new FilinglakeError('folder-taken', `${target} is not empty`);
  try {
    rmdirSync(folder);
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw fileError('write', folder, error);
    throw new FilinglakeError('folder-taken', `a disk is mounted at ${target}: a copy can't replace it`, {
      remedy: `Name a folder inside it: ${join(target, 'NAME')}.`,
    });
  }
}

/** @returns bytes of the copy */
async function copyDatabase(from: string, to: string): Promise<number> {
  using source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } catch (error) {
    throw databaseError(from, error);
  }
  return statSync(to).size;
}

interface PackedContent {
  filings: number;
  packs: { pack: number; bytes: number }[];
}

/** Keys may be made before there are filings: then there is no catalog.db. */
function contentOf(file: string): PackedContent {
  if (!isFileThere(file)) return { filings: 0, packs: [] };
  using db = new DatabaseSync(file, { readOnly: true });
  const { filings } = db.prepare('SELECT count(*) AS filings FROM filings').get() as { filings: number };
  const packs = db.prepare('SELECT pack, bytes FROM packs WHERE bytes > 0 ORDER BY pack').all();
  return { filings, packs: packs as unknown as { pack: number; bytes: number }[] };
}

/** @returns false if the earlier copy lies on another disk */
function isLinked(earlier: string, to: string): boolean {
  try {
    linkSync(earlier, to);
    return true;
  } catch {
    return false;
  }
}

/** Packs of other filings differ in every frame, the last one too. */
function isAlike(one: string, other: string, length: number, quick: boolean): boolean {
  if (statSync(other).size !== length) return false;
  const [a, b] = [openSync(one, 'r'), openSync(other, 'r')];
  const last = Math.max(0, length - BLOCK_BYTES);
  const step = quick ? Math.max(BLOCK_BYTES, Math.ceil(last / COMPARED_PLACES)) : BLOCK_BYTES;
  const buffers = [Buffer.alloc(Math.min(length, BLOCK_BYTES)), Buffer.alloc(Math.min(length, BLOCK_BYTES))] as const;
  try {
    for (let at = 0; ; at = Math.min(at + step, last)) {
      if (readFully(a, buffers[0], at) !== readFully(b, buffers[1], at) || !buffers[0].equals(buffers[1])) return false;
      if (at === last) return true;
    }
  } finally {
    closeSync(a);
    closeSync(b);
  }
}

async function copyPack(from: string, to: string, length = Number.POSITIVE_INFINITY): Promise<void> {
  if (!isFileThere(from)) throw new FilinglakeError('pack-damaged', `${from} is missing`);
  const sink = createWriteStream(to, { flush: true });
  await pipeline(createReadStream(from, { end: length - 1 }), sink);
  if (sink.bytesWritten < length && length < Number.POSITIVE_INFINITY)
    throw new FilinglakeError('pack-damaged', `${from} is shorter than the database says`);
}
