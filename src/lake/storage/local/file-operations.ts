/** What a lake on disk does to files. */
import * as nodeFs from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../../core/index.ts';

/** The calls of the operating system that change something: tests make the Nth of them fail. */
export interface FileOperations {
  mkdir(folder: string): Promise<void>;
  /** Creates the file (it must not exist) and writes it. */
  write(file: string, bytes: Uint8Array): Promise<void>;
  appendSync(fd: number, bytes: Uint8Array): void;
  sync(fileOrFolder: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(file: string): Promise<void>;
  removeTree(folder: string): Promise<void>;
}

export const nodeFileOperations: FileOperations = {
  async mkdir(folder) {
    makeFolder(folder);
  },
  async write(file, bytes) {
    await nodeFs.promises.writeFile(file, bytes, { flag: 'wx' });
  },
  appendSync(fd, bytes) {
    let written = 0;
    while (written < bytes.length) written += nodeFs.writeSync(fd, bytes, written);
  },
  async sync(fileOrFolder) {
    const handle = await nodeFs.promises.open(fileOrFolder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename: (from, to) => nodeFs.promises.rename(from, to),
  link: (from, to) => nodeFs.promises.link(from, to),
  unlink: (file) => nodeFs.promises.unlink(file),
  removeTree: (folder) => nodeFs.promises.rm(folder, { recursive: true, force: true }),
};

export function makeFolder(folder: string): void {
  makeFolders(folder, { ...nodeFs, dirname: path.dirname });
}
