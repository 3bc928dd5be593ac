/** A lock that the operating system takes back when its holder dies, however it dies: there are no stale locks. */
import { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  release(): void;
}

/**
 * Takes the lock that a file stands for, or returns null where a living process holds it. Node has no flock; SQLite's exclusive
 * transaction is one (fcntl), and nothing is ever written to the file. Not for network file systems without locks.
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
