/** Putting a file that nobody may overwrite, where the answer of the place can't be believed. */
import type { LakeStorage } from './storage.ts';

/**
 * Puts a file if there is none, and reads back what is there when the place says that there was one: a request that was
 * sent twice (NFS, a conditional PUT of an object store) is answered so for one's own file.
 * @returns whether the file that is there has these bytes; false also when it was removed since
 */
export async function putOnce(storage: LakeStorage, path: string, bytes: Uint8Array): Promise<boolean> {
  if (await storage.putIfAbsent(path, bytes)) return true;
  const there = await storage.read(path);
  return there?.equals(bytes) ?? false;
}
