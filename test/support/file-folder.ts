/**
 * The folder of a test file for all that it makes. It goes with the file, whether that passed, failed or was cut short. In memory for
 * the quick tiers: their lakes are small, and a tenth of their time went into the disk.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Four files at a time make some hundred megabytes. A container often has 64 MB here. */
const MEMORY_BYTES = 4 * 2 ** 30;
/** Folders of a run are below one with its process in its name. */
const PREFIX = 'filinglake-test-';
const DISK = tmpdir();

/** Called before all files, by the process that starts theirs. */
export function chooseRunFolders(): void {
  process.env.FILINGLAKE_TEST_DISK = join(DISK, `${PREFIX}${process.pid}`);
  process.env.FILINGLAKE_TEST_MEMORY = hasMemory()
    ? join(MEMORY, `${PREFIX}${process.pid}`)
    : process.env.FILINGLAKE_TEST_DISK;
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES;
}

/** A folder that the files of a run share. */
export function runFolder(name: string, inMemory = true): string {
  const folder = join(process.env[inMemory ? 'FILINGLAKE_TEST_MEMORY' : 'FILINGLAKE_TEST_DISK']!, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Makes a folder for all that is temporary, in this process and those that it starts. @returns removes it */
export function enterFileFolder(inMemory: boolean): () => void {
  const folder = mkdtempSync(join(runFolder('files', inMemory), 'f-'));
  // Commands without rights (no-rights.ts) go through it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    process.env.TMPDIR = DISK;
    unmountBelow(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/**
 * Removes what this run and those that were killed have left. What can't be removed stays, and a line names it: another run left it.
 */
export function removeRunFolders(): void {
  for (const parent of [DISK, MEMORY].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(parent)) {
      const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
      if (Number.isNaN(owner) || (owner !== process.pid && isAlive(owner))) continue;
      removeFolder(join(parent, name));
    }
  }
}

function removeFolder(folder: string): void {
  unmountBelow(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    process.stderr.write(`${folder} of an earlier run can't be removed: ${(error as Error).message}\n`);
  }
}

/** Disks that a file mounts while it loads are left if its tests are skipped or killed: no hook runs then. */
function unmountBelow(folder: string): void {
  for (const disk of disksBelow(folder)) spawnSync('umount', ['-l', disk], { stdio: 'ignore' });
}

/** The innermost first. */
function disksBelow(folder: string): string[] {
  if (!existsSync('/proc/mounts')) return [];
  const places = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`)).reverse();
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
