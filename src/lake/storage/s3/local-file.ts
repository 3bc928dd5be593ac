/** A file on this machine's disk that is being written before its upload. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { storageError } from '../local/local-storage.ts';
import type { ScratchFile } from '../storage.ts';

export class LocalFile implements ScratchFile {
  readonly localPath: string;
  readonly #lake: string;
  #fd: number | null = null;
  /** Bytes appended so far. */
  bytes = 0;

  constructor(localPath: string, lake: string) {
    this.localPath = localPath;
    this.#lake = lake;
  }

  append(bytes: Uint8Array): void {
    try {
      if (this.#fd === null) {
        mkdirSync(path.dirname(this.localPath), { recursive: true });
        this.#fd = openSync(this.localPath, 'ax');
      }
      let written = 0;
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      this.bytes += bytes.length;
    } catch (error) {
      throw storageError(this.#lake, 'write', this.localPath, error);
    }
  }

  /** Size of the file, with bytes of any writer. */
  async size(): Promise<number> {
    return (await stat(this.localPath)).size;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  async discard(): Promise<void> {
    this.close();
    await rm(this.localPath, { force: true }).catch(() => undefined);
  }
}
