/** Folders of this machine: creates missing ones, and fails at once if that is impossible. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolders } from '../index.ts';

/** @param mode permissions of the created folders @throws the system's error for the folder that can't be created */
export function makeFolder(folder: string, mode?: number): void {
  makeFolders(resolve(folder), { statSync, mkdirSync, dirname }, mode);
}
