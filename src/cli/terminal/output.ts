/** The destination of a command's result: standard output, or a file that appears only when complete. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

export interface Output extends AsyncDisposable {
  /** Width of the terminal; null elsewhere. */
  readonly columns: number | null;
  /** The temporary file, for programs that write it themselves; null: only `write` writes. */
  readonly file: string | null;
  /** Waits for the reader: a result may be larger than memory. */
  write(chunks: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Everything is written: the file gets its name. Without this call, disposing of the output deletes it. */
  done(): Promise<void>;
}

/** @throws FilinglakeError `output-unwritable` (exit 2) */
export async function openOutput(file: string | undefined): Promise<Output> {
  if (file === undefined) return standardOutput();
  const there = await stat(file).catch(() => null);
  // A pipe or a device is written to directly; it must not be replaced by a file.
  return there !== null && !there.isFile() && !there.isDirectory() ? deviceOutput(file) : fileOutput(file);
}

function standardOutput(): Output {
  return {
    columns: process.stdout.isTTY ? (process.stdout.columns ?? 80) : null,
    file: null,
    async write(chunks) {
      for await (const chunk of chunks) {
        if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
      }
    },
    async done() {},
    async [Symbol.asyncDispose]() {},
  };
}

function deviceOutput(file: string): Output {
  return {
    columns: null,
    file: null,
    write: (chunks) => writeTo(file, file, chunks),
    async done() {},
    async [Symbol.asyncDispose]() {},
  };
}

async function fileOutput(file: string): Promise<Output> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await (await open(partial, 'w')).close();
  } catch (error) {
    throw unwritable(file, error);
  }
  return {
    columns: null,
    file: partial,
    write: (chunks) => writeTo(partial, file, chunks),
    async done() {
      try {
        await rename(partial, file);
      } catch (error) {
        throw unwritable(file, error);
      }
    },
    async [Symbol.asyncDispose]() {
      // DuckDB writes a temporary Parquet file first, and leaves it behind if the disk is full.
      for (const left of [partial, join(dirname(partial), `tmp_${basename(partial)}`)]) await rm(left, { force: true });
    },
  };
}

async function writeTo(path: string, file: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(chunks, createWriteStream(path));
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    throw syscall === 'write' || syscall === 'open' ? unwritable(file, error) : error;
  }
}

function unwritable(file: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('output-unwritable', `${file} can't be written: ${systemErrorWords(cause)}`, { cause });
}
