/** What lies where under FILINGLAKE_HOME. */
import { join } from 'node:path';
import { FilinglakeError, systemErrorWords } from '../contract/index.ts';
import { makeFolder } from './folder.ts';

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
 * Names the places under a home folder and makes its folders, readable by the user alone: histories name what was asked for.
 * @throws FilinglakeError `home-unwritable` where they can't be made
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
    throw new FilinglakeError('home-unwritable', `can't write to ${homeFolder}: ${systemErrorWords(cause)}`, {
      remedy: 'set FILINGLAKE_HOME to a folder that can be written',
      cause,
    });
  }
  return home;
}
