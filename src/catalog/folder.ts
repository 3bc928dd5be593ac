/** The catalog's folder: creates it if missing, and reports if it can't be written. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FilinglakeError, makeFolders, systemErrorWords } from '../core/index.ts';
import { missing, PAGES_FOLDER } from './database-file.ts';

/** @throws FilinglakeError `catalog-unwritable`; `catalog-missing` for a copy in pages, which nothing may be written to */
export function makeFolder(folder: string): void {
  if (existsSync(join(folder, PAGES_FOLDER))) throw missing(folder);
  try {
    makeFolders(resolve(folder), { statSync, mkdirSync, dirname });
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** The system's refusal in the catalog's words. */
function unwritable(folder: string, cause: unknown): FilinglakeError {
  return new FilinglakeError(
    'catalog-unwritable',
    `the catalog in ${folder} can't be written: ${systemErrorWords(cause)}`,
    { cause },
  );
}
