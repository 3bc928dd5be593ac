/** Folders of this machine's own: made where they are missing, refused in an instant where they can't be. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolders } from '../core/index.ts';

/** @param mode permissions of the folders that are made @throws the system's error, of the folder that can't be made */
export function makeFolder(folder: string, mode?: number): void {
  makeFolders(resolve(folder), {
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
    make: (path) => mkdirSync(path, { mode }),
    parentOf: dirname,
  });
}
