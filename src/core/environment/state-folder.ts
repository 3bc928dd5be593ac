/** The files under FILINGLAKE_HOME. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { FilinglakeError, systemErrorWords } from '../index.ts';
import { makeFolder } from './folders.ts';

export interface Home {
  folder: string;
  logs: string;
  /** Temporal's database, its supervisor's lock and state. */
  temporal: string;
  temporalDatabase: string;
  temporalState: string;
  temporalLock: string;
  /** One file for each process that uses the embedded Temporal. */
  leases: string;
}

/**
 * Returns the places under a home folder and creates its folders, readable by the user alone: histories name the requests.
 * @throws FilinglakeError `home-unwritable` if they can't be created
 */
export function openHome(homeFolder: string): Home {
  const temporal = join(homeFolder, 'temporal');
  const home: Home = {
    folder: homeFolder,
    logs: join(homeFolder, 'logs'),
    temporal,
    temporalDatabase: join(temporal, 'temporal.db'),
    temporalState: join(temporal, 'state.json'),
    temporalLock: join(temporal, 'supervisor.lock'),
    leases: join(temporal, 'leases'),
  };
  try {
    for (const folder of [home.logs, home.leases]) makeFolder(folder, 0o700);
  } catch (cause) {
    throw unwritable(homeFolder, cause);
  }
  for (const folder of [home.logs, home.temporal, home.leases]) requireWritable(folder);
  return home;
}

/**
 * Refuses files that belong to another user, for example of a command that was run with sudo. Otherwise Temporal would fail with a
 * page of its log, and an unwritable log with a stack trace.
 * @param files missing ones are skipped
 * @throws FilinglakeError `home-unwritable`
 */
export function requireWritableFiles(files: readonly string[]): void {
  for (const file of files) requireWritable(file);
}

function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('home-unwritable', `can't write to ${path}: ${systemErrorWords(cause)}`, { cause });
}
