/** A separate disk for a lake, that can be filled to its last byte: a file system in memory, if this process may mount one. */
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  /** Fills the rest of it, except for what is written meanwhile. @param leave bytes that stay free, in blocks of 4 KiB */
  fill(leave?: number): void;
  /** Gives it back. */
  empty(): void;
  remove(): void;
}

/** @returns null if nothing may be mounted: only root may, and in many containers nobody */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'filinglake-test', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    fill(leave = 0) {
      const file = openSync(filler, 'w');
      try {
        for (let size = 1 << 20; size >= 1; size >>= 4) {
          const block = Buffer.alloc(size, 1);
          try {
            for (;;) if (writeSync(file, block) < size) break;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          }
        }
        ftruncateSync(file, Math.max(0, fstatSync(file).size - leave));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  };
}
