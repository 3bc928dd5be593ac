/** The catalog's folder: made where there is none, and what is said where it can't be written. */
import { mkdirSync } from 'node:fs';
import { FilinglakeError } from '../contract/index.ts';

/** @throws FilinglakeError `catalog-unwritable` */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** The system's refusal in the catalog's words. */
export function unwritable(folder: string, cause: unknown): FilinglakeError {
  return new FilinglakeError(
    'catalog-unwritable',
    `the catalog in ${folder} can't be written: ${(cause as Error).message}`,
    {
      remedy: 'name a folder that you may write to, on a disk with room',
      cause,
    },
  );
}
