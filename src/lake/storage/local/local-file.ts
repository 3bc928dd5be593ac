/** A file on this machine's disk that is being written: in the scratch folder, before the lake takes it over or it is uploaded. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ScratchFile } from '../storage.ts';
import type { FileOperations } from './file-operations.ts';

export class LocalFile implements ScratchFile {
  readonly localPath: string;
  readonly #operations: FileOperations;
  readonly #refused: (error: unknown) => unknown;
  #fd: number | null = null;
  /** Bytes appended so far. */
  bytes = 0;

  /** @param refused the lake's error for one of the system */
  constructor(localPath: string, operations: FileOperations, refused: (error: unknown) => unknown) {
    this.localPath = localPath;
    this.#operations = operations;
    this.#refused = refused;
  }

  append(bytes: Uint8Array): void {
    try {
      if (this.#fd === null) {
        mkdirSync(path.dirname(this.localPath), { recursive: true });
        this.#fd = openSync(this.localPath, 'ax');
      }
      this.#operations.appendSync(this.#fd, bytes);
      this.bytes += bytes.length;
    } catch (error) {
      throw this.#refused(error);
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
    await this.#operations.unlink(this.localPath).catch(() => undefined);
  }
}
