/** A copy's note has the SHA-256 of its databases, as SQLite sees no changed value. A writer removes it first. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTE = 'backup.json';
const BLOCK_BYTES = 2 ** 20;

export const NOT_AS_COPIED = 'not as the backup wrote it (sha256 differs)';

type Sums = Readonly<Record<string, string>>;

export function noteDatabases(folder: string, names: readonly string[]): void {
  const sha256: Sums = Object.fromEntries(names.map((name) => [name, sha256Of(join(folder, name))]));
  writeFileSync(join(folder, NOTE), JSON.stringify({ sha256 }), { flag: 'wx', flush: true });
}

/** Names of databases that are not as they were copied; of the note, if a file can't be read. Empty: all are, or the folder isn't a copy. */
export function damagedDatabases(folder: string): string[] {
  if (!existsSync(join(folder, NOTE))) return [];
  try {
    const sums = (JSON.parse(readFileSync(join(folder, NOTE), 'utf8')) as { sha256: Sums }).sha256;
    return Object.keys(sums).filter((name) => sha256Of(join(folder, name)) !== sums[name]);
  } catch {
    return [NOTE];
  }
}

/** From now on it is a catalog of its own. */
export function forgetCopy(folder: string): void {
  rmSync(join(folder, NOTE), { force: true });
}

function sha256Of(file: string): string {
  const sum = createHash('sha256');
  const block = Buffer.alloc(BLOCK_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    for (let n = readSync(descriptor, block); n > 0; n = readSync(descriptor, block)) sum.update(block.subarray(0, n));
  } finally {
    closeSync(descriptor);
  }
  return sum.digest('hex');
}
