/** Files of a cache, the longest unused first. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface KeptFile {
  readonly file: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

export async function keptFiles(folder: string): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    // Another process may delete it at any moment.
    const found = entry.isFile() ? await stat(file).catch(() => null) : null;
    if (found) files.push({ file, bytes: found.size, usedAtMs: found.mtimeMs });
  }
  return files.sort((a, b) => a.usedAtMs - b.usedAtMs);
}
