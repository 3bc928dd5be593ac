/** A lock that the operating system releases if its holder dies. There are no stale locks. */
import { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  release(): void;
}

/**
 * Takes the lock of a file, or returns null if a living process holds it. Node has no flock, so it uses SQLite's exclusive
 * transaction (fcntl). Nothing is ever written to the file. Not for network file systems without locks.
 */
export function takeProcessLock(file: string): ProcessLock | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/database is locked/.test((error as Error).message)) return null;
    throw error;
  }
  return { release: () => database.close() };
}
