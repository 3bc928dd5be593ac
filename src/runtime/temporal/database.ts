/** Temporal's database before Temporal is started: Temporal makes it only where there is no file, and takes any file for a whole one. */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError } from '../../core/index.ts';

/**
 * Removes a database that was never finished: a server that is killed in its first moments leaves a file with no tables, or some of them,
 * and no later one would start with it. It has no namespace yet, and so no run. To be called under the supervisor's lock, while no
 * server of this home lives.
 * @returns whether one was removed
 * @throws FilinglakeError `temporal-database-unusable` where the file can't be read as a database, or another process has it open: it is left as it is
 */
export function removeUnfinishedDatabase(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    if (hasNamespace(file)) return false;
    requireUnused(file);
  } catch (cause) {
    throw unusable(file, cause as Error);
  }
  // Itself last: without it nobody would look for what belongs to it.
  for (const ending of ['-wal', '-shm', '-journal', '']) rmSync(`${file}${ending}`, { force: true });
  return true;
}

function hasNamespace(file: string): boolean {
  // What a killed transaction has left is rolled back by the first who reads, as Temporal would; read-only that is refused.
  const database = new DatabaseSync(file, { readOnly: !existsSync(`${file}-journal`) });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'namespaces'").get();
    return table !== undefined && database.prepare('SELECT 1 FROM namespaces LIMIT 1').get() !== undefined;
  } finally {
    database.close();
  }
}

/** A write-ahead log is given up only by the last who has the database open. */
function requireUnused(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; ROLLBACK');
  } finally {
    database.close();
  }
}

function unusable(file: string, cause: Error): FilinglakeError {
  const isInUse = /locked/.test(cause.message);
  return new FilinglakeError(
    'temporal-database-unusable',
    isInUse
      ? `its database ${file} is being used by another process`
      : `its database ${file} is damaged: ${cause.message}`,
    {
      remedy: isInUse
        ? 'End the other process, and run the command again.'
        : 'Move the file away, and run the command again. Runs that had not ended are lost. Lakes keep all that was committed, and the next export continues from there.',
      cause,
    },
  );
}
