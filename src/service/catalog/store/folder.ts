/** The catalog's folder: creates it if missing, and reports if it can't be written. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FilinglakeError, makeFolders, systemErrorWords } from '../../../core/index.ts';
import { forgetCopy } from './copied-databases.ts';

/** Makes a folder fit to be written to. @throws FilinglakeError `catalog-unwritable` */
export function makeFolder(folder: string): void {
  try {
    makeFolders(resolve(folder), { statSync, mkdirSync, dirname });
    forgetCopy(folder);
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
