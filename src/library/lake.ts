/** `filinglake/lake`: read a lake at one version. */
import { FilinglakeError, quoteName } from '../core/index.ts';
import { type Cell, type Lake, type LakeVersionEntry, openLake as open, type QueryResult } from '../lake/index.ts';
import { TABLES, type TableDefinition } from '../lake/tables/index.ts';

export { FilinglakeError } from '../core/index.ts';
export { type Cell, cellJson, csvText, jsonText, type LakeVersionEntry, type QueryResult } from '../lake/index.ts';
export { type ColumnDefinition, type ColumnType, TABLES, type TableDefinition } from '../lake/tables/index.ts';

/** A row by the names of its columns. Whole numbers beyond 2^53 are bigint, times ISO 8601, bytes base64. */
export type Row = Record<string, Cell>;

export interface ReadOptions {
  /** Default: all */
  columns?: readonly string[];
  /** A condition in SQL: `form_type = '10-K'` */
  where?: string;
}

/**
 * Opens the lake in a folder at its newest version, at an older one, at the newest version of a given time, or at a release.
 * @throws FilinglakeError `lake-missing`, `lake-newer`, `lake-damaged`, `lake-version-unknown`, `lake-version-vacuumed`,
 * `release-unknown`
 */
export async function openLake(folder: string, at?: number | Date | { release: string }): Promise<LakeReader> {
  const lake = await open(folder);
  try {
    return await LakeReader.of(lake, at);
  } catch (error) {
    await lake.close();
    throw error;
  }
}

/** A lake at one version: every table stays the same while exports commit. Close it when done. */
export class LakeReader implements AsyncDisposable {
  readonly folder: string;
  /** -1: nothing is committed yet. */
  readonly version: number;
  readonly #lake: Lake;

  private constructor(lake: Lake, version: number) {
    this.#lake = lake;
    this.folder = lake.root;
    this.version = version;
  }

  /** @internal */
  static async of(lake: Lake, at: number | Date | { release: string } | undefined): Promise<LakeReader> {
    const version = await versionOf(lake, at);
    // Refuses a version that never existed.
    return new LakeReader(lake, (await lake.snapshot(version)).version);
  }

  /** Tables with rows, and their numbers of rows. */
  async tables(): Promise<Record<string, number>> {
    const { tables } = await this.#lake.snapshot(this.version);
    const filled = [...tables].filter(([, { rows }]) => rows > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(filled.map(([name, { rows }]) => [name, rows]));
  }

  /** All rows of a table, some thousand in memory at a time. @throws as `query`; `table-unknown` */
  async *read(table: string, { columns, where }: ReadOptions = {}): AsyncGenerator<Row> {
    const { name } = tableNamed(table);
    const list = columns === undefined ? '*' : columns.map(quoteName).join(', ');
    // The line break ends a possible comment in the condition.
    const condition = where === undefined ? '' : ` WHERE (${where}\n)`;
    await using result = await this.#lake.stream(`SELECT ${list} FROM ${quoteName(name)}${condition}`, {
      at: this.version,
      // A condition may name other tables.
      ...(where === undefined ? { tables: [name] } : {}),
    });
    const names = result.columns.map((column) => column.name);
    for await (const rows of result.chunks()) {
      for (const row of rows) yield Object.fromEntries(names.map((column, i) => [column, row[i] ?? null]));
    }
  }

  /**
   * All rows of a query: for results that fit into memory.
   * @param sql one statement that reads, in DuckDB's SQL
   * @throws FilinglakeError `sql-invalid`, `sql-refused`, `lake-unreadable`, `part-missing`, `lake-version-vacuumed`
   */
  query(sql: string): Promise<Row[]> {
    return this.#lake.query(sql, { at: this.version });
  }

  /** The rows of a query as a stream, in chunks or as an Arrow IPC stream. Close the result when done. @throws as `query` */
  stream(sql: string): Promise<QueryResult> {
    return this.#lake.stream(sql, { at: this.version });
  }

  /** Writes the rows of a SELECT to a Parquet file outside the lake. @throws as `query`; `output-unwritable` */
  writeParquet(sql: string, file: string): Promise<void> {
    return this.#lake.writeParquet(sql, file, { at: this.version });
  }

  /** The newest versions of the lake, newest first, with the Delta version of each table. */
  versions(limit = 20): Promise<LakeVersionEntry[]> {
    return this.#lake.versions(limit);
  }

  /** The same lake at another version; default: the newest. It is open as long as this one. @throws as `openLake` */
  at(version?: number | Date | { release: string }): Promise<LakeReader> {
    return LakeReader.of(this.#lake, version);
  }

  async close(): Promise<void> {
    await this.#lake.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function versionOf(lake: Lake, at: number | Date | { release: string } | undefined): Promise<number> {
  if (at === undefined) return lake.currentVersion();
  if (at instanceof Date) return lake.versionAt(at);
  return typeof at === 'number' ? at : (await lake.release(at.release)).version;
}

function tableNamed(name: string): TableDefinition {
  const table = TABLES.find((one) => one.name === name);
  if (table) return table;
  throw new FilinglakeError('table-unknown', `there is no table '${name}'`, {
    remedy: `The tables are ${TABLES.map((one) => one.name).join(', ')}.`,
  });
}
