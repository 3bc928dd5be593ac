/**
 * A disk that keeps only what was synced. After a power cut, files have the content of their last sync, and folders the names of
 * theirs. A sync that failed has lost the content for good: as on Linux, a later sync of the same file succeeds, and writes nothing.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FileOperations, nodeFileOperations } from '../../../src/lake/storage/local/file-operations.ts';

export class DurableDisk implements FileOperations {
  readonly #root: string;
  /** Durable content of files, by `fileId`. */
  readonly #contents = new Map<string, Buffer>();
  /** Files whose content a failed sync has lost. */
  readonly #lost = new Set<string>();
  /** Durable names of each folder: `null` for a folder. */
  readonly #names = new Map<string, Map<string, string | null>>();
  #failAt = 0;
  #calls = 0;
  #fails: 'sync' | 'rename' | 'link' | 'all' = 'all';

  /** @param root its present content is durable */
  constructor(root: string) {
    this.#root = root;
    this.#keepTree(root);
  }

  /** Makes the Nth of these calls fail with EIO, without effect on the disk. @param at from now on; the first is 1; 0: none */
  failAt(at: number, what: 'sync' | 'rename' | 'link' | 'all' = 'all'): void {
    this.#failAt = at;
    this.#calls = 0;
    this.#fails = what;
  }

  get failed(): boolean {
    return this.#failAt > 0 && this.#calls >= this.#failAt;
  }

  mkdir(folder: string): Promise<void> {
    return nodeFileOperations.mkdir(folder);
  }

  write(file: string, bytes: Uint8Array): Promise<void> {
    return nodeFileOperations.write(file, bytes);
  }

  appendSync(fd: number, bytes: Uint8Array): void {
    nodeFileOperations.appendSync(fd, bytes);
  }

  async sync(fileOrFolder: string): Promise<void> {
    const isFolder = statSync(fileOrFolder).isDirectory();
    if (this.#isDue('sync')) {
      if (!isFolder) this.#lost.add(fileId(fileOrFolder));
      throw failure('fsync', fileOrFolder);
    }
    if (isFolder) this.#keepNames(fileOrFolder);
    else if (!this.#lost.has(fileId(fileOrFolder)))
      this.#contents.set(fileId(fileOrFolder), readFileSync(fileOrFolder));
  }

  async rename(from: string, to: string): Promise<void> {
    if (this.#isDue('rename')) throw failure('rename', from);
    await nodeFileOperations.rename(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    if (this.#isDue('link')) throw failure('link', from);
    await nodeFileOperations.link(from, to);
  }

  unlink(file: string): Promise<void> {
    return nodeFileOperations.unlink(file);
  }

  removeTree(folder: string): Promise<void> {
    return nodeFileOperations.removeTree(folder);
  }

  /** What the disk has after a power cut now, in another folder. */
  afterPowerCut(target: string, folder = this.#root): void {
    mkdirSync(target, { recursive: true });
    for (const [name, id] of this.#names.get(folder) ?? []) {
      if (id === null) this.afterPowerCut(path.join(target, name), path.join(folder, name));
      else writeFileSync(path.join(target, name), this.#contents.get(id) ?? '');
    }
  }

  #isDue(what: 'sync' | 'rename' | 'link'): boolean {
    if (this.#failAt === 0 || (this.#fails !== 'all' && this.#fails !== what)) return false;
    return ++this.#calls === this.#failAt;
  }

  #keepNames(folder: string): void {
    const entries = readdirSync(folder, { withFileTypes: true });
    this.#names.set(
      folder,
      new Map(entries.map((one) => [one.name, one.isDirectory() ? null : fileId(path.join(folder, one.name))])),
    );
  }

  #keepTree(folder: string): void {
    this.#keepNames(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) this.#keepTree(at);
      else this.#contents.set(fileId(at), readFileSync(at));
    }
  }
}

/** The number of a deleted file is soon another file's. */
function fileId(file: string): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${ino}-${birthtimeNs}`;
}

function failure(syscall: string, file: string): Error {
  return Object.assign(new Error(`EIO: i/o error, ${syscall} '${file}'`), { code: 'EIO', syscall });
}
