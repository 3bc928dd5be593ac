/** Temporal's database before Temporal starts, which takes any file for complete, and creates one only without it. */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError } from '../../../core/index.ts';

/**
 * Deletes an unfinished database: a server that is killed in its first moments leaves a file with no or only some tables, and later
 * servers fail on it. It has no namespace yet, and so no run. Call it under the supervisor's lock, while no server of this home
 * runs.
 * @returns whether one was deleted
 * @throws FilinglakeError `temporal-database-unusable` if the file is not a readable database, or another process has it open: it
 * stays unchanged
 */
export function removeUnfinishedDatabase(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    if (hasNamespace(file)) return false;
    requireUnused(file);
  } catch (cause) {
    throw unusable(file, cause as Error);
  }
  // The database last: without it, nobody would look for its other files.
  for (const ending of ['-wal', '-shm', '-journal', '']) rmSync(`${file}${ending}`, { force: true });
  return true;
}

function hasNamespace(file: string): boolean {
  // The first reader rolls a killed transaction back, as Temporal would. A read-only connection can't.
  using database = new DatabaseSync(file, { readOnly: !existsSync(`${file}-journal`) });
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'namespaces'").get();
  return table !== undefined && database.prepare('SELECT 1 FROM namespaces LIMIT 1').get() !== undefined;
}

/** A write-ahead log can be removed only if nobody else has the database open. */
function requireUnused(file: string): void {
  using database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; ROLLBACK');
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
