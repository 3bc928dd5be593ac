/** Where a command's result goes: standard output, or a file that appears whole or not at all. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

export interface Output extends AsyncDisposable {
  /** Of the terminal that it goes to; null elsewhere. */
  readonly columns: number | null;
  /** The file that is being written, for those who write it themselves; null: only `write` writes. */
  readonly file: string | null;
  /** Waits for the reader: a result may be larger than memory. */
  write(chunks: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** All is written: the file takes its name. Left out, it goes when the output is disposed of. */
  done(): Promise<void>;
}

/** @throws FilinglakeError `output-unwritable` (exit 2) */
export async function openOutput(file: string | undefined): Promise<Output> {
  if (file === undefined) return standardOutput();
  const there = await stat(file).catch(() => null);
  // A pipe or a device is written to; another file in its place would be something else.
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
      // DuckDB writes a Parquet file beside it first, and leaves that where the disk is full.
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
