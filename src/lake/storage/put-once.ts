/** Writes a file that nobody may overwrite, even if the storage's answer can't be trusted. */
import type { LakeStorage } from './storage.ts';

/**
 * Writes a file if it does not exist. If the storage reports that it exists, reads it back: a request that was sent twice (NFS, a
 * conditional PUT of an object store) gets that answer for its own file.
 * @returns whether the existing file has these bytes; false also if it was deleted since
 */
export async function putOnce(storage: LakeStorage, path: string, bytes: Uint8Array): Promise<boolean> {
  if (await storage.putIfAbsent(path, bytes)) return true;
  const there = await storage.read(path);
  return there?.equals(bytes) ?? false;
}
