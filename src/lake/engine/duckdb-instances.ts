/** The two DuckDBs of an open lake: one for queries, one for commits. Each is opened at its first use. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { FilinglakeError } from '../../core/index.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { openEngine, openReader, WRITER_MEMORY_BYTES } from './duckdb.ts';

const WRITER_THREADS = 4;

export class Engines {
  readonly #storage: LakeStorage;
  readonly #queryMemoryBytes: number;
  #writer: Promise<DuckDBInstance> | null = null;
  #reader: Promise<DuckDBInstance> | null = null;
  readonly #setUps = new WeakMap<DuckDBInstance, string>();

  constructor(storage: LakeStorage, queryMemoryBytes: number) {
    this.#storage = storage;
    this.#queryMemoryBytes = queryMemoryBytes;
  }

  async reader(): Promise<DuckDBInstance> {
    this.#reader ??= openReader(this.#queryMemoryBytes);
    return this.#setUp(await this.#reader);
  }

  async writer(): Promise<DuckDBInstance> {
    this.#writer ??= this.#openWriter(WRITER_MEMORY_BYTES, WRITER_THREADS);
    return this.#setUp(await this.#writer);
  }

  /** Another one for commits, which the caller closes. */
  async openWriter(memoryBytes: number, threads: number): Promise<DuckDBInstance> {
    return this.#setUp(await this.#openWriter(memoryBytes, threads));
  }

  #openWriter(memoryBytes: number, threads: number): Promise<DuckDBInstance> {
    const spillFolder = path.join(this.#storage.scratchFolder, `spill-${randomUUID()}`);
    return openEngine({ spillFolder, memoryBytes, threads, keepOrder: false });
  }

  /** Runs the storage's statements on an instance, again only if they have changed. */
  async #setUp(engine: DuckDBInstance): Promise<DuckDBInstance> {
    const statements = await this.#storage.engineSetUp();
    const text = statements.join(';\n');
    if ((this.#setUps.get(engine) ?? '') === text) return engine;
    const connection = await engine.connect();
    try {
      for (const statement of statements) await connection.run(statement);
      this.#setUps.set(engine, text);
    } catch {
      // Without its cause: DuckDB repeats the statement in its message, and that may hold a key.
      throw new FilinglakeError('lake-unreadable', `DuckDB can't be prepared to read ${this.#storage.name}`);
    } finally {
      connection.closeSync();
    }
    return engine;
  }

  async close(): Promise<void> {
    if (this.#writer) (await this.#writer).closeSync();
    if (this.#reader) (await this.#reader).closeSync();
    this.#writer = null;
    this.#reader = null;
  }
}
