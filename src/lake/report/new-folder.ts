/** A folder that appears when it is complete. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { FilinglakeError } from '../../core/index.ts';

/**
 * @param folder must not exist, or be empty
 * @param write fills a draft beside it, which gets its name. The draft of a failure is deleted
 * @throws FilinglakeError `output-unwritable`; what `write` throws
 */
export async function inNewFolder<Result>(folder: string, write: (draft: string) => Promise<Result>): Promise<Result> {
  const target = await realpath(folder).catch(() => path.resolve(folder));
  await refuseFilled(target);
  // Two containers can have processes of the same number.
  const draft = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await mkdir(draft, { recursive: true });
    const result = await write(draft);
    await rmdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(draft, target);
    return result;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw unwritable(error, target);
  }
}

async function refuseFilled(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unwritable(error, folder);
  });
  if (found === null) return;
  if (found.length > 0)
    throw new FilinglakeError('output-unwritable', `${folder} is not empty`, {
      remedy: 'Name a folder that does not exist yet.',
    });
  // A place where a disk is mounted can't be replaced: known now, not after the work.
  await rmdir(folder)
    .then(() => mkdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EBUSY') throw unwritable(error, folder);
      throw new FilinglakeError('output-unwritable', `a disk is mounted at ${folder}: it can't be replaced`, {
        remedy: `Name a folder inside it: ${path.join(folder, 'NAME')}.`,
      });
    });
}

function unwritable(error: unknown, folder: string): unknown {
  if (error instanceof FilinglakeError || !(error instanceof Error) || !('syscall' in error)) return error;
  return new FilinglakeError('output-unwritable', `${folder} can't be written: ${error.message}`, { cause: error });
}
