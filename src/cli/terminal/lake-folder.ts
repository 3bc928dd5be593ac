/** The lake of a command without `--lake`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Lake, type OpenLakeOptions, openLake } from '../../lake/index.ts';

/** `--lake`, else the working folder if it is a lake, else ./lake, the default of exports. */
export function lakeFolder(option: string | undefined): string {
  if (option !== undefined) return option;
  return existsSync('lake.json') ? '.' : path.join('.', 'lake');
}

/** Opens a lake for one command, and closes it. */
export async function withLake<T>(
  option: string | undefined,
  options: OpenLakeOptions,
  use: (lake: Lake) => Promise<T>,
): Promise<T> {
  const lake = await openLake(lakeFolder(option), options);
  try {
    return await use(lake);
  } finally {
    await lake.close();
  }
}
