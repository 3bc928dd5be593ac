/** The catalog's folder: creates it if missing, and reports if it can't be written. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FilinglakeError, makeFolders, systemErrorWords } from '../core/index.ts';

/** @throws FilinglakeError `catalog-unwritable` */
export function makeFolder(folder: string): void {
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
