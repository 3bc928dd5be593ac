/** The two DuckDBs of an open lake: one for queries, one for commits. Each is opened at its first use. */
import { randomUUID } from 'node:crypto';
import type { DuckDBInstance } from '@duckdb/node-api';
import { SCRATCH_FOLDER } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { openEngine, WRITER_MEMORY_BYTES } from './duckdb.ts';
import { openReader } from './query.ts';

const WRITER_THREADS = 4;

export class Engines {
  readonly #storage: LakeStorage;
  readonly #queryMemoryBytes: number;
  #writer: Promise<DuckDBInstance> | null = null;
  #reader: Promise<DuckDBInstance> | null = null;

  constructor(storage: LakeStorage, queryMemoryBytes: number) {
    this.#storage = storage;
    this.#queryMemoryBytes = queryMemoryBytes;
  }

  reader(): Promise<DuckDBInstance> {
    this.#reader ??= openReader(this.#queryMemoryBytes);
    return this.#reader;
  }

  writer(): Promise<DuckDBInstance> {
    this.#writer ??= this.openWriter(WRITER_MEMORY_BYTES, WRITER_THREADS);
    return this.#writer;
  }

  /** Another one for commits, which the caller closes. */
  openWriter(memoryBytes: number, threads: number): Promise<DuckDBInstance> {
    const spillFolder = this.#storage.url(`${SCRATCH_FOLDER}/spill-${randomUUID()}`);
    return openEngine({ spillFolder, memoryBytes, threads, keepOrder: false });
  }

  async close(): Promise<void> {
    if (this.#writer) (await this.#writer).closeSync();
    if (this.#reader) (await this.#reader).closeSync();
    this.#writer = null;
    this.#reader = null;
  }
}
