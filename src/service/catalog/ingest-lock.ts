/**
 * Allows one ingest at a time in a catalog. The lock is SQLite's own exclusive lock on a small file. The system releases it if its
 * holder dies, so there is never a stale one. Another file names the holder.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { FilinglakeError } from '../../core/index.ts';
import { databaseError, fileError } from './store/database-file.ts';
import { makeFolder } from './store/folder.ts';

const LOCK_FILE = 'ingest.lock';
const RETRY_AFTER_MS = 250;

/**
 * Takes the catalog's ingest lock until it is disposed of. With `wait`, waits until it is free or `signal` is raised.
 * @throws FilinglakeError `catalog-busy`: says which process holds it; `catalog-unwritable`
 */
export async function takeIngestLock(
  folder: string,
  options: { wait?: boolean; signal?: AbortSignal | undefined; onWait?: ((holder: string) => void) | undefined } = {},
): Promise<Disposable> {
  makeFolder(folder);
  const holderFile = join(folder, 'ingest.pid');
  let told = false;
  for (;;) {
    const db = tryLock(folder, LOCK_FILE);
    if (db) {
      try {
        writeFileSync(holderFile, `${process.pid}\n`);
      } catch (error) {
        db.close();
        throw fileError('write', folder, error);
      }
      return {
        [Symbol.dispose]() {
          if (!db.isOpen) return;
          // First the name, then the lock: the next holder's name is never removed.
          rmSync(holderFile, { force: true });
          db.exec('ROLLBACK');
          db.close();
        },
      };
    }
    const holder = holderOf(holderFile);
    if (!options.wait) {
      throw new FilinglakeError('catalog-busy', `another ingest (${holder}) is writing to the catalog in ${folder}`);
    }
    if (!told) options.onWait?.(holder);
    told = true;
    await setTimeout(RETRY_AFTER_MS, undefined, options.signal ? { signal: options.signal } : undefined);
  }
}

/** Null: another process has the lock. Closing the database releases it. */
export function tryLock(folder: string, name: string): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(join(folder, name), { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    // SQLITE_BUSY
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw databaseError(join(folder, name), error);
  }
}

function holderOf(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8').trim()}`;
  } catch {
    // The holder has the lock and is about to write its name, or has just removed it.
    return 'just starting or ending';
  }
}
