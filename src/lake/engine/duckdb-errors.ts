/** Files that DuckDB couldn't open because the system refused. They get the same errors as other files of a lake. */
import { FilinglakeError } from '../../core/index.ts';
import { storageError } from '../storage/local/local-storage.ts';
import type { LakeStorage } from '../storage/storage.ts';

/** The system's words as DuckDB repeats them, and their codes. */
const CODES: Readonly<Record<string, string>> = {
  'Permission denied': 'EACCES',
  'Operation not permitted': 'EPERM',
  'Input/output error': 'EIO',
  'Too many open files': 'EMFILE',
  'Too many open files in system': 'ENFILE',
};

/** @param lake its folder @returns `lake-unreadable` or `lake-unwritable`; null: another error, or of another file */
export function refusalByEngine(lake: string, error: unknown): FilinglakeError | null {
  const message = error instanceof Error ? error.message : '';
  const [, file = '', words = ''] = /IO Error: Cannot open file "(.+?)": ([\w /]+)/.exec(message) ?? [];
  const code = CODES[words.trim()];
  if (code === undefined || !file.startsWith(lake)) return null;
  const what = file.endsWith('.parquet') || file.endsWith('.json') ? 'read' : 'write';
  const refused = storageError(lake, what, file, Object.assign(new Error(message), { code }));
  return refused instanceof FilinglakeError ? refused : null;
}

/** The lake's error for an error of DuckDB. @param file that it was writing, in words */
export function engineError(storage: LakeStorage, table: string, cause: unknown, file = `a part of ${table}`): unknown {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof FilinglakeError) return cause;
  if (/No space left on device|Disk quota exceeded/i.test(message)) {
    return new FilinglakeError('lake-full', `no space is left for the lake ${storage.name} (writing ${file})`, {
      cause,
    });
  }
  const refused = refusalByEngine(storage.name, cause);
  if (refused !== null) return refused;
  if (/^IO Error/.test(message)) {
    return new FilinglakeError('lake-unwritable', `${file} in ${storage.name} can't be made: ${message}`, {
      cause,
    });
  }
  return new FilinglakeError('part-failed', `${file} can't be made: ${message}`, { cause });
}
