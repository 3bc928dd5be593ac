/** A lake on this machine's disk. Durable by fsync of file and folder, atomic by rename(2), first-wins by link(2). */
import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs';
import path from 'node:path';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import { SCRATCH_FOLDER } from '../layout.ts';
import type { GrowingFile, LakeStorage, ScratchFile, StoredFile } from '../storage.ts';
import { type FileOperations, makeFolder, nodeFileOperations } from './file-operations.ts';
import { LocalFile } from './local-file.ts';

export class LocalStorage implements LakeStorage {
  readonly name: string;
  readonly localFolder: string;
  /** On the lake's own file system, since rename and link don't cross. */
  readonly scratchFolder: string;
  readonly readersPlace = '.';
  readonly requestsAtOnce = 1;
  readonly #operations: FileOperations;
  /** Existing folders whose own names are durable. */
  readonly #durableFolders = new Set<string>();

  constructor(folder: string, operations: FileOperations = nodeFileOperations) {
    this.name = path.resolve(folder);
    this.localFolder = this.name;
    this.scratchFolder = this.url(SCRATCH_FOLDER);
    this.#operations = operations;
  }

  url(file: string): string {
    return path.join(this.localFolder, file);
  }

  /** DuckDB reads the lake's own files. */
  async makeReadable(): Promise<void> {}

  async engineSetUp(): Promise<readonly string[]> {
    return [];
  }

  async howItIsRead(): Promise<string | null> {
    return null;
  }

  /** link(2) lets exactly one of many writers win, or fails if the file system has no hard links. */
  async proveFit(): Promise<void> {}

  async read(file: string): Promise<Buffer | null> {
    return this.#absentAsNull(file, () => nodeFs.promises.readFile(this.url(file)));
  }

  async size(file: string): Promise<number | null> {
    return this.#absentAsNull(file, async () => (await nodeFs.promises.stat(this.url(file))).size);
  }

  async list(folder: string): Promise<StoredFile[]> {
    const entries = await this.#entries(folder);
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
    const files: StoredFile[] = [];
    for (const name of names) {
      const file = `${folder}/${name}`;
      const stat = await this.#absentAsNull(file, () => nodeFs.promises.stat(this.url(file)));
      if (stat !== null) files.push({ name, bytes: stat.size, modifiedAtMs: stat.mtimeMs });
    }
    return files;
  }

  async listNames(folder: string, after = ''): Promise<string[]> {
    const entries = await this.#entries(folder);
    return entries
      .filter((entry) => entry.isFile() && entry.name > after)
      .map((entry) => entry.name)
      .sort();
  }

  async listFolders(folder: string): Promise<string[]> {
    const entries = await this.#entries(folder);
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  }

  async putIfAbsent(file: string, bytes: Uint8Array): Promise<boolean> {
    return this.#writing(file, async () => {
      const target = this.url(file);
      await this.#folderOf(target);
      const temporary = await this.#temporary();
      try {
        await this.#operations.write(temporary, bytes);
        await this.#operations.sync(temporary);
        try {
          await this.#operations.link(temporary, target);
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
          // NFS repeats a link(2) whose answer was lost, and then reports the caller's own link as an existing one.
          if (!(await isSameFile(temporary, target))) {
            // Its writer may have ended before it made the name durable.
            await this.#operations.sync(path.dirname(target));
            return false;
          }
        }
        await this.#operations.sync(path.dirname(target));
        return true;
      } finally {
        await this.#forget(temporary);
      }
    });
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    await this.#writing(file, async () => {
      const target = this.url(file);
      await this.#folderOf(target);
      const temporary = await this.#temporary();
      try {
        await this.#operations.write(temporary, bytes);
        await this.#operations.sync(temporary);
        await this.#operations.rename(temporary, target);
      } catch (error) {
        await this.#forget(temporary);
        throw error;
      }
      await this.#operations.sync(path.dirname(target));
    });
  }

  openScratch(): ScratchFile {
    const folder = this.scratchFolder;
    const localPath = path.join(folder, randomUUID());
    const refused = (error: unknown) => this.#refused('write', localPath, error);
    try {
      makeFolder(folder);
    } catch (error) {
      throw refused(error);
    }
    return new LocalFile(localPath, this.#operations, refused);
  }

  openGrowing(file: string): GrowingFile {
    const localPath = this.url(file);
    return new LocalGrowing(localPath, this.#operations, {
      durableName: () => this.#makeNamesDurable(path.dirname(localPath)),
      refused: (error) => this.#refused('write', localPath, error),
    });
  }

  async adopt(scratch: ScratchFile, file: string): Promise<void> {
    await this.#writing(file, async () => {
      const target = this.url(file);
      (scratch as LocalFile).close();
      await this.#operations.sync(scratch.localPath);
      await this.#folderOf(target);
      await this.#operations.rename(scratch.localPath, target);
      await this.#operations.sync(path.dirname(target));
    });
  }

  async scratchFiles(): Promise<StoredFile[]> {
    return this.#filesUnder('');
  }

  async #filesUnder(folder: string): Promise<StoredFile[]> {
    const at = path.posix.join(SCRATCH_FOLDER, folder);
    const files = (await this.list(at)).map((file) => ({ ...file, name: path.posix.join(folder, file.name) }));
    for (const name of await this.listFolders(at)) {
      files.push(...(await this.#filesUnder(path.posix.join(folder, name))));
    }
    return files;
  }

  removeScratch(name: string): Promise<void> {
    return this.remove(`${SCRATCH_FOLDER}/${name}`);
  }

  async proveWritable(folders: readonly string[]): Promise<void> {
    for (const folder of [...folders, SCRATCH_FOLDER]) await this.#proveWritable(folder);
  }

  async #proveWritable(folder: string): Promise<void> {
    let at = this.url(folder);
    while (!nodeFs.existsSync(at) && at !== path.dirname(at)) at = path.dirname(at);
    try {
      await nodeFs.promises.access(at, nodeFs.constants.W_OK | nodeFs.constants.X_OK);
    } catch (error) {
      throw this.#refused('write', this.url(folder), error);
    }
  }

  async remove(file: string): Promise<void> {
    await this.#writing(file, async () => {
      try {
        await this.#operations.unlink(this.url(file));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    });
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#writing(folder, async () => {
      await this.#operations.removeTree(this.url(folder));
      for (const known of this.#durableFolders) {
        if (known === this.url(folder) || known.startsWith(`${this.url(folder)}${path.sep}`))
          this.#durableFolders.delete(known);
      }
    });
  }

  async #temporary(): Promise<string> {
    await this.#ensureFolder(this.scratchFolder);
    return path.join(this.scratchFolder, randomUUID());
  }

  #folderOf(target: string): Promise<void> {
    return this.#ensureFolder(path.dirname(target));
  }

  async makeNamesDurable(folder: string): Promise<void> {
    await this.#writing(folder, () => this.#makeNamesDurable(this.url(folder)));
  }

  async #makeNamesDurable(folder: string): Promise<void> {
    await this.#operations.sync(folder);
    await this.#makeFoldersDurable(folder);
  }

  /** A folder's own name must be as durable as the files in it, also if another process made it and ended. */
  async #makeFoldersDurable(folder: string): Promise<void> {
    for (let at = folder; at !== this.localFolder && !this.#durableFolders.has(at); at = path.dirname(at)) {
      await this.#operations.sync(path.dirname(at));
      this.#durableFolders.add(at);
    }
  }

  async #ensureFolder(folder: string): Promise<void> {
    if (this.#durableFolders.has(folder)) return;
    const missing: string[] = [];
    for (let at = folder; !nodeFs.existsSync(at); at = path.dirname(at)) missing.push(at);
    if (missing.length > 0) await this.#operations.mkdir(folder);
    const above = missing.filter((made) => !made.startsWith(`${this.localFolder}${path.sep}`));
    for (const made of above) await this.#operations.sync(path.dirname(made));
    await this.#makeFoldersDurable(folder);
  }

  /** A leftover temporary file does no harm: an error on removing it must not hide the first error. */
  async #forget(temporary: string): Promise<void> {
    await this.#operations.unlink(temporary).catch(() => undefined);
  }

  async #entries(folder: string): Promise<nodeFs.Dirent[]> {
    const read = () => nodeFs.promises.readdir(this.url(folder), { withFileTypes: true });
    return (await this.#absentAsNull(folder, read)) ?? [];
  }

  async #absentAsNull<T>(file: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw this.#refused('read', this.url(file), error);
    }
  }

  async #writing<T>(file: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      // Someone may have removed the folder meanwhile.
      const known = this.#durableFolders.size;
      this.#durableFolders.clear();
      if (codeOf(error) === 'ENOENT' && known > 0) return this.#writing(file, write);
      throw this.#refused('write', this.url(file), error);
    }
  }

  #refused(what: 'read' | 'write', file: string, error: unknown): unknown {
    return storageError(this.name, what, file, error);
  }
}

interface GrowingPlace {
  durableName: () => Promise<void>;
  refused: (error: unknown) => unknown;
}

class LocalGrowing implements GrowingFile {
  readonly #localPath: string;
  readonly #operations: FileOperations;
  readonly #place: GrowingPlace;
  #fd: number | null = null;
  #isNew = true;
  /** Bytes were appended since the last sync started. */
  #isAhead = false;

  constructor(localPath: string, operations: FileOperations, place: GrowingPlace) {
    this.#localPath = localPath;
    this.#operations = operations;
    this.#place = place;
  }

  append(bytes: Uint8Array): void {
    try {
      if (this.#fd === null) {
        makeFolder(path.dirname(this.#localPath));
        this.#fd = nodeFs.openSync(this.#localPath, 'ax');
      }
      this.#isAhead = true;
      this.#operations.appendSync(this.#fd, bytes);
    } catch (error) {
      throw this.#place.refused(error);
    }
  }

  async sync(): Promise<void> {
    if (!this.#isAhead) return;
    this.#isAhead = false;
    try {
      await this.#operations.sync(this.#localPath);
      if (this.#isNew) await this.#place.durableName();
      this.#isNew = false;
    } catch (error) {
      this.#isAhead = true;
      throw this.#place.refused(error);
    }
  }

  close(): void {
    if (this.#fd === null) return;
    nodeFs.closeSync(this.#fd);
    this.#fd = null;
  }
}

/** Whether two names are links to one file. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => nodeFs.promises.stat(file).catch(() => null)));
  return a !== null && b !== null && a!.ino === b!.ino && a!.dev === b!.dev;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** The lake's error for a refusal of the operating system, with a remedy. Other errors are returned unchanged. */
export function storageError(lake: string, what: 'read' | 'write', file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof FilinglakeError || code === undefined) return error;
  const cause = { cause: error };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new FilinglakeError('lake-full', `no space is left for the lake ${lake} (writing ${file})`, { ...cause });
  }
  if (what === 'write' && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code) && isLink(error)) {
    return new FilinglakeError('lake-place-unfit', `the file system of the lake ${lake} has no hard links`, {
      ...cause,
    });
  }
  const verb = what === 'read' ? 'read' : 'written';
  return new FilinglakeError(
    `lake-un${what === 'read' ? 'readable' : 'writable'}`,
    `${file} can't be ${verb}: ${systemErrorWords(error)}`,
    { ...cause },
  );
}

function isLink(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'link';
}
