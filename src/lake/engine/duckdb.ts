/** DuckDB in memory: opens it, and returns rows. */
import { randomUUID } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';

export type JsonRow = Record<string, Json>;

interface EngineSettings {
  /** Folder for data that doesn't fit into DuckDB's memory. */
  spillFolder: string;
  memoryBytes: number;
  threads: number;
  /** False lets `COPY` limit row groups by bytes and use less memory: for writing parts only. */
  keepOrder: boolean;
}

/** Commits share their machine with the rest of an export, so they get little memory: text at 66 MB/s needed 471 MB. */
export const WRITER_MEMORY_BYTES = 768 * 2 ** 20;
/** For queries beside a commit in the same process: look-ups and anti-joins, which spill if they don't fit. */
export const READER_MEMORY_BYTES = 768 * 2 ** 20;

/** All connections of it read times without a zone as UTC. */
export async function openEngine(settings: EngineSettings): Promise<DuckDBInstance> {
  const engine = await DuckDBInstance.create(':memory:', {
    memory_limit: `${Math.floor(settings.memoryBytes / 2 ** 20)}MiB`,
    threads: String(Math.min(settings.threads, availableParallelism())),
    temp_directory: settings.spillFolder,
    preserve_insertion_order: String(settings.keepOrder),
    // Otherwise extensions would be downloaded without the user's knowledge.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Otherwise DuckDB keeps parts in memory up to its limit: a worker's 230 MB became 610 MB in 2,000 commits. The system caches
    // them anyway.
    enable_external_file_cache: 'false',
  });
  const connection = await engine.connect();
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  connection.closeSync();
  return engine;
}

/** A DuckDB for reading. It spills into the system's temporary folder: the lake may be read-only. */
export function openReader(memoryBytes: number): Promise<DuckDBInstance> {
  return openEngine({
    spillFolder: path.join(tmpdir(), `filinglake-spill-${randomUUID()}`),
    memoryBytes,
    threads: 64,
    keepOrder: true,
  });
}

/** @template Row the columns of the result as DuckDB's JSON has them: a BIGINT and a time are texts, a DOUBLE is a number */
export async function rowsOf<Row extends object = JsonRow>(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
}

/** The single number of a query's result; of a statement that writes rows, their number. */
export async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  const rows = await connection.runAndReadAll(sql);
  return Number(rows.getRows()[0]?.[0] ?? 0);
}
