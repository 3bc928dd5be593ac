/**
 * Copies a catalog while others read and write it. The database is copied first, as one state. Packs are only appended to, and a
 * frame is on disk before the database names it: so the bytes that the copied database names are all there afterwards.
 */
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
  /** Bytes of all files */
  bytes: number;
  seconds: number;
}

/** Databases of a catalog's folder. `edgar.db`: what EDGAR published, for `coverage`. */
const DATABASES = [DATABASE_FILE, ACCOUNTS_FILE, 'edgar.db'];
/** All pages in one step: a writer then never makes SQLite begin again. */
const ALL_PAGES = 2 ** 30;

/**
 * The copy is a catalog: to restore it, name its folder, or move it to the old place.
 * @param target must not exist, or be an empty folder. It appears whole, or not at all
 * @throws FilinglakeError `catalog-missing`, `backup-exists`, `catalog-unreadable`, `catalog-unwritable`, `pack-damaged`
 */
export async function backupCatalog(
  folder: string,
  target: string,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<BackupSummary> {
  const startedAt = performance.now();
  requireCatalog(folder);
  const whole = resolve(target);
  if (existsSync(whole) && readdirSync(whole).length > 0) {
    throw new FilinglakeError('backup-exists', `${target} is not empty`);
  }
  makeFolder(dirname(whole));
  const partial = `${whole}.partial-${process.pid}`;
  try {
    mkdirSync(join(partial, PACK_FOLDER), { recursive: true });
    for (const name of DATABASES) {
      if (isFileThere(join(folder, name))) await copyDatabase(join(folder, name), join(partial, name));
    }
    const { filings, packs } = contentOf(join(partial, DATABASE_FILE));
    let bytes = 0;
    for (const { pack, bytes: length } of packs) {
      await copyPack(packFile(folder, pack), packFile(partial, pack), length);
      bytes += length;
      onProgress(bytes);
    }
    rmSync(whole, { recursive: true, force: true });
    renameSync(partial, whole);
    return { folder: whole, filings, bytes, seconds: Math.round(performance.now() - startedAt) / 1_000 };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error instanceof FilinglakeError ? error : fileError('write', whole, error);
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

async function copyPack(from: string, to: string, length: number): Promise<void> {
  if (!isFileThere(from)) throw new FilinglakeError('pack-damaged', `${from} is missing`);
  const sink = createWriteStream(to, { flush: true });
  await pipeline(createReadStream(from, { end: length - 1 }), sink);
  if (sink.bytesWritten < length)
    throw new FilinglakeError('pack-damaged', `${from} is shorter than the database says`);
}
