/** The catalog's databases as files: errors for one that is damaged, or that the system refuses to open. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FilinglakeError, shellWord, systemErrorWords } from '../../../core/index.ts';

export const DATABASE_FILE = 'catalog.db';
export const ACCOUNTS_FILE = 'accounts.db';

/** SQLite's result codes, without the detail in the higher bits. */
const PERMISSION = 3;
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const DISK_ERROR = 10;
const CORRUPT = 11;
const DISK_FULL = 13;
const CANNOT_OPEN = 14;
const NO_DATABASE = 26;

const READABLE = 'Run the command as a user who may read it.';
const WRITABLE = 'Run the command as a user who may write to that folder, on a disk with room.';

/** The kind of a failure of SQLite; null for another error. */
function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
}

/** Whether another process has locked a database for longer than the time limit: worth a retry. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether a database can't be written: a full or failing disk, or missing rights. */
export function isWriteFailure(error: unknown): boolean {
  return [READ_ONLY, DISK_ERROR, DISK_FULL, CANNOT_OPEN].includes(resultCode(error) ?? 0);
}

export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NO_DATABASE;
}

/**
 * Whether a file exists. Unlike existsSync it doesn't return false for a file that it has no right to see.
 * @throws FilinglakeError `catalog-unreadable` if that is unknown, or it is not a file
 */
export function isFileThere(file: string): boolean {
  let isFolder: boolean;
  try {
    isFolder = statSync(file).isDirectory();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw unreadable(file, systemErrorWords(cause), cause, READABLE);
  }
  if (isFolder) throw unreadable(file, 'it is a folder, not a file', null);
  return true;
}

/** @throws FilinglakeError `catalog-missing` without filings and keys; `catalog-unreadable` as isFileThere */
export function requireCatalog(folder: string): void {
  if (!isFileThere(join(folder, ACCOUNTS_FILE)) && !isFileThere(join(folder, DATABASE_FILE))) throw missing(folder);
}

export function missing(folder: string): FilinglakeError {
  return new FilinglakeError('catalog-missing', `there is no catalog in ${folder}`, {
    remedy: `Run \`filinglake ingest PATH --catalog ${shellWord(folder)}\` to make one.`,
  });
}

/** A database of something else, or an empty file. */
export function noCatalog(file: string): FilinglakeError {
  return unreadable(file, 'it holds no catalog', null);
}

/**
 * The catalog's error for a refusal of SQLite: `catalog-unreadable` if a file is damaged or can't be opened, `catalog-unwritable`
 * if only writing is refused. Other errors are returned unchanged.
 */
export function databaseError(file: string, cause: unknown): unknown {
  const code = resultCode(cause);
  if (code === null) return cause;
  const { message } = cause as Error;
  if (code === CORRUPT || code === NO_DATABASE) return unreadable(file, `it is damaged (${message})`, cause);
  const refused = refusalOf(file, constants.R_OK);
  if (refused !== null) return unreadable(file, refused, cause, READABLE);
  if (code === DISK_FULL) return unwritable(file, 'no space is left on the disk', cause);
  if (code !== PERMISSION && code !== READ_ONLY && code !== CANNOT_OPEN && code !== DISK_ERROR) return cause;
  // SQLite keeps files beside an open database, even if it is only read.
  const why = refusalOf(file, constants.W_OK) ?? folderRefusal(dirname(file)) ?? message;
  return unwritable(file, why, cause);
}

function folderRefusal(folder: string): string | null {
  const refused = refusalOf(folder, constants.W_OK);
  return refused === null ? null : `in its folder ${refused}`;
}

/** Why the system refuses the file, in words. Null: it doesn't, or the file is missing. */
function refusalOf(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : systemErrorWords(error);
  }
}

function unreadable(file: string, why: string, cause: unknown, remedy = remedyFor(file)): FilinglakeError {
  return new FilinglakeError('catalog-unreadable', `${file} can't be read: ${why}`, { remedy, cause });
}

function unwritable(file: string, why: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('catalog-unwritable', `${file} can't be written: ${why}`, {
    remedy: WRITABLE,
    cause,
  });
}

/** The catalog's error for a refusal of the system, for files that are not a database. Other errors are returned unchanged. */
export function fileError(what: 'read' | 'write', folder: string, cause: unknown): unknown {
  const { syscall, path = folder } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  const why = systemErrorWords(cause);
  return what === 'read' ? unreadable(path, why, cause, READABLE) : unwritable(path, why, cause);
}

/** Filings can be ingested again. Keys exist only here. */
function remedyFor(file: string): string {
  const folder = dirname(file);
  return basename(file) === ACCOUNTS_FILE
    ? `Restore it from a copy. Without one, move it away and make new keys: \`filinglake keys create --catalog ${shellWord(folder)}\`.`
    : `Move it and packs/ away, and run \`filinglake ingest PATH --catalog ${shellWord(folder)}\`. Leave accounts.db, which holds the keys.`;
}
