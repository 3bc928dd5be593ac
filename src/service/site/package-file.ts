/** Files of the installed package. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file or folder beside package.json; null if the installation lacks it. */
export function packageFile(name: string): string | null {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, name);
    if (existsSync(join(folder, 'package.json')) && existsSync(file)) return file;
  }
  return null;
}

export function packageVersion(): string {
  const file = packageFile('package.json');
  return file === null ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
