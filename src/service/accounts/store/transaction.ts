/** All of it or nothing. */
import type { DatabaseSync } from 'node:sqlite';

export function transaction<T>(db: DatabaseSync, body: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A COMMIT that failed on a full disk has rolled back already. A second error would hide the first.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
