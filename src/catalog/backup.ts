/**
 * Copies a catalog while others read and write it. The database is copied first, as one state. Packs are only appended to, and a
 * frame is on disk before the database names it: so the bytes that the copied database names are all there afterwards.
 */
import {
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  openAsBlob,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { FilinglakeError } from '../core/index.ts';
import {
  ACCOUNTS_FILE,
  DATABASE_FILE,
  databaseError,
  fileError,
  isFileThere,
  requireCatalog,
} from './database-file.ts';
import { makeFolder } from './folder.ts';
import { packFile } from './packs.ts';
import { PACK_FOLDER } from './schema.ts';

interface BackupSummary {
  /** Absolute folder of the copy */
  folder: string;
  filings: number;
  /** Bytes of all packs */
  bytes: number;
  /** Of them, those that the copy shares with the previous one. */
  shared_bytes: number;
  seconds: number;
}

/** Databases of a catalog's folder. `edgar.db`: what EDGAR published, for `coverage`. */
const DATABASES = [DATABASE_FILE, ACCOUNTS_FILE, 'edgar.db'];
/** All pages in one step: a writer then never makes SQLite begin again. */
const ALL_PAGES = 2 ** 30;
/** What is compared of a pack before it is shared: bytes at each of these places. */
const COMPARED_BYTES = 65_536;
const COMPARED_PLACES = 16;

export interface BackupOptions {
  /** An earlier copy on the same disk: packs that are full since then are shared with it by hard links. */
  readonly previous?: string | undefined;
  readonly onProgress?: (bytes: number) => void;
}

/**
 * The copy is a catalog: to restore it, name its folder, or move it to the old place.
 * @param target must not exist, or be an empty folder. It appears whole, or not at all
 * @throws FilinglakeError `catalog-missing` (of the previous copy too), `backup-exists`, `catalog-unreadable`, `catalog-unwritable`, `pack-damaged`
 */
export async function backupCatalog(
  folder: string,
  target: string,
  { previous, onProgress = () => undefined }: BackupOptions = {},
): Promise<BackupSummary> {
  const startedAt = performance.now();
  requireCatalog(folder);
  if (previous !== undefined) requireCatalog(previous);
  const whole = resolve(target);
  if (existsSync(whole)) refuseFilled(whole, target);
  makeFolder(dirname(whole));
  const partial = `${whole}.partial-${process.pid}`;
  try {
    mkdirSync(join(partial, PACK_FOLDER), { recursive: true });
    for (const name of DATABASES) {
      if (isFileThere(join(folder, name))) await copyDatabase(join(folder, name), join(partial, name));
    }
    const { filings, packs } = contentOf(join(partial, DATABASE_FILE));
    let bytes = 0;
    let shared = 0;
    for (const [i, { pack, bytes: length }] of packs.entries()) {
      const [from, to] = [packFile(folder, pack), packFile(partial, pack)];
      // The last pack is not full: a copy that is put in place appends to it.
      const isShared =
        previous !== undefined && i < packs.length - 1 && (await sharePack(from, packFile(previous, pack), to, length));
      if (isShared) shared += length;
      else await copyPack(from, to, length);
      bytes += length;
      onProgress(bytes);
    }
    rmSync(whole, { recursive: true, force: true });
    renameSync(partial, whole);
    const seconds = Math.round(performance.now() - startedAt) / 1_000;
    return { folder: whole, filings, bytes, shared_bytes: shared, seconds };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error instanceof FilinglakeError ? error : fileError('write', whole, error);
  }
}

function refuseFilled(folder: string, target: string): void {
  if (readdirSync(folder).length > 0) throw new FilinglakeError('backup-exists', `${target} is not empty`);
  try {
    rmdirSync(folder);
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw fileError('write', folder, error);
    throw new FilinglakeError('backup-exists', `a disk is mounted at ${target}: a copy can't replace it`, {
      remedy: `Name a folder inside it: ${join(target, 'NAME')}.`,
    });
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } catch (error) {
    throw databaseError(from, error);
  } finally {
    source.close();
  }
}

/** Keys may be made before there are filings: then there is no catalog.db. */
function contentOf(file: string): { filings: number; packs: { pack: number; bytes: number }[] } {
  if (!existsSync(file)) return { filings: 0, packs: [] };
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const { filings } = db.prepare('SELECT count(*) AS filings FROM filings').get() as { filings: number };
    const packs = db.prepare('SELECT pack, bytes FROM packs WHERE bytes > 0 ORDER BY pack').all();
    return { filings, packs: packs as unknown as { pack: number; bytes: number }[] };
  } finally {
    db.close();
  }
}

/** @returns false if the earlier copy has another pack, or lies on another disk */
async function sharePack(from: string, earlier: string, to: string, length: number): Promise<boolean> {
  if (!isFileThere(from) || !isFileThere(earlier) || statSync(earlier).size !== length) return false;
  if (!(await isAlike(from, earlier, length))) return false;
  try {
    linkSync(earlier, to);
    return true;
  } catch {
    return false;
  }
}

/** Packs of other filings differ in every frame, the last one too. */
async function isAlike(one: string, other: string, length: number): Promise<boolean> {
  const blobs = await Promise.all([openAsBlob(one), openAsBlob(other)]);
  for (let i = 0; i <= COMPARED_PLACES; i++) {
    const at = Math.floor((Math.max(0, length - COMPARED_BYTES) * i) / COMPARED_PLACES);
    const [a, b] = await Promise.all(
      blobs.map((blob) => blob.slice(at, Math.min(length, at + COMPARED_BYTES)).bytes()),
    );
    if (Buffer.compare(a!, b!) !== 0) return false;
  }
  return true;
}

async function copyPack(from: string, to: string, length: number): Promise<void> {
  if (!isFileThere(from)) throw new FilinglakeError('pack-damaged', `${from} is missing`);
  const sink = createWriteStream(to, { flush: true });
  await pipeline(createReadStream(from, { end: length - 1 }), sink);
  if (sink.bytesWritten < length)
    throw new FilinglakeError('pack-damaged', `${from} is shorter than the database says`);
}
