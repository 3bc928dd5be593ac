/** SQL over one version of a lake: views of all tables in a DuckDB of our own, results a chunk at a time. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { EXIT, FilinglakeError } from '../contract/index.ts';
import { connect, openEngine } from './duckdb.ts';
import { selectTable } from './lake-sql.ts';
import { type LakeSnapshot, tableState } from './log.ts';
import { quoteName, quoteText } from './quoting.ts';
import type { LakeStorage } from './storage.ts';
import type { TableDefinition } from './tables.ts';
import { type Cell, cellConverter } from './values.ts';

export interface ResultColumn {
  /** Unique within the result: a name that comes again gets `:1`. */
  name: string;
  /** DuckDB's name of the type. */
  type: string;
}

/** The rows of a query, as they come. `close` it when done, also when it wasn't read to the end. */
export interface QueryResult extends AsyncDisposable {
  /** The version of the lake that it was asked of. */
  readonly version: number;
  readonly columns: readonly ResultColumn[];
  /** Some thousand rows at a time, each with a cell a column. */
  chunks(): AsyncIterable<Cell[][]>;
  close(): void;
}

/** A DuckDB for reading. Spills into the system's temporary folder: the lake may be read-only. */
export function openReader(memoryBytes: number): Promise<DuckDBInstance> {
  return openEngine({
    spillFolder: path.join(tmpdir(), `filinglake-spill-${randomUUID()}`),
    memoryBytes,
    threads: 64,
    keepOrder: true,
  });
}

/**
 * Runs SQL (several statements: the last one's rows) on a connection of its own, with a view for every table.
 * @throws FilinglakeError `sql-invalid` (exit 2) with DuckDB's message and position; `lake-unreadable`
 */
export async function runQuery(
  reader: DuckDBInstance,
  place: { storage: LakeStorage; tables: Iterable<TableDefinition> },
  snapshot: LakeSnapshot,
  sql: string,
): Promise<QueryResult> {
  const connection = await connect(reader);
  try {
    for (const table of place.tables) {
      const parts = tableState(snapshot, table.name).parts.values();
      const select = selectTable(table, parts, (part) => quoteText(place.storage.url(part)));
      await connection.run(`CREATE TEMP VIEW ${quoteName(table.name)} AS ${select}`);
    }
    return await streamOf(connection, sql, snapshot.version);
  } catch (error) {
    connection.closeSync();
    throw queryError(error);
  }
}

async function streamOf(connection: DuckDBConnection, sql: string, version: number): Promise<QueryResult> {
  const result = await connection.stream(sql);
  const names = result.deduplicatedColumnNames();
  const columns = result.columnTypes().map((type, i) => ({ name: names[i]!, type: String(type) }));
  const close = () => connection.closeSync();
  return {
    version,
    columns,
    close,
    async *chunks() {
      try {
        for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
          yield transposed(chunk.convertColumns(cellConverter), chunk.rowCount);
        }
      } catch (error) {
        throw queryError(error);
      }
    },
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

function transposed(columns: (Cell | null)[][], rowCount: number): Cell[][] {
  const rows: Cell[][] = [];
  for (let i = 0; i < rowCount; i++) rows.push(columns.map((column) => column[i] ?? null));
  return rows;
}

/** DuckDB says `Parser Error`, `Binder Error` ... with the line and a caret: what the person who asked can mend. */
function queryError(error: unknown): unknown {
  if (error instanceof FilinglakeError || !(error instanceof Error)) return error;
  const message = error.message.replace(/^Failed to (extract|prepare) statements?: /, '').trimEnd();
  if (/^(IO|Out of Memory|Fatal|Internal) ?Error/i.test(message)) {
    return new FilinglakeError('lake-unreadable', message, {
      cause: error,
      remedy: 'filinglake lake check says whether a part is missing or damaged.',
    });
  }
  return new FilinglakeError('sql-invalid', message, {
    exitCode: EXIT.usage,
    remedy: 'filinglake schema lists tables and columns.',
    cause: error,
  });
}
