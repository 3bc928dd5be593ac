/** A lock that the operating system releases if its holder dies. There are no stale locks. */
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the lock of a file until it is disposed of, or returns null if a living process holds it. Node has no flock, so it uses SQLite's exclusive
 * transaction (fcntl). Nothing is ever written to the file. Not for network file systems without locks.
 */
export function takeProcessLock(file: string): Disposable | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/database is locked/.test((error as Error).message)) return null;
    throw error;
  }
  return database;
}
