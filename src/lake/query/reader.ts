/** Reads a lake: SQL over a version, its history, the statistics of its parts. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../../core/index.ts';
import { refusalByEngine } from '../engine/duckdb-errors.ts';
import { type LakeCommit, type LakeSnapshot, presentTables, tableState } from '../log/log.ts';
import { mayOverlap } from '../log/statistics.ts';
import { refuseVacuumed, versionAt } from '../log/time-travel.ts';
import { type LakeVersionEntry, type LogEntry, logEntries, rowsLost, versionEntries } from '../log/versions.ts';
import type { LakeState } from '../state/state.ts';
import { copyQuery, createViews, type QueryResult, runQuery, withViews } from './query.ts';
import { queryError } from './query-errors.ts';
import { LakeSession } from './session.ts';
import type { Cell } from './values.ts';

interface QueryOptions {
  /** Version; default the newest */
  at?: number;
  tables?: readonly string[];
  /** By table: the parts that its view reads. It ignores the table's other parts. */
  parts?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The text of `$1` in the query: DuckDB, and we, would read it several times within the query. */
  given?: string;
  /** Views also have the columns `filename` and `file_row_number`: the place of each row. */
  places?: boolean;
}

/** A version of a lake, with a connection that has a view of its tables. */
interface Inspection {
  readonly connection: DuckDBConnection;
  readonly snapshot: LakeSnapshot;
  readonly readCommit: (version: number) => Promise<LakeCommit | null>;
}

export class LakeReader {
  readonly #state: LakeState;

  constructor(state: LakeState) {
    this.#state = state;
  }

  /**
   * Runs SQL over a version (default: the newest), with a view for every table. Rows are streamed.
   * @param options.tables only these tables get views: DuckDB opens every part of a table for its view
   * @throws FilinglakeError `sql-invalid` (exit 2), `lake-unreadable`, `lake-version-unknown`, `lake-version-vacuumed`
   */
  async stream(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { places = false, given } = options;
    const place = { ...this.#state.place(options.tables), places, given };
    const snapshot = withParts(await this.#snapshotFor(options), options.parts);
    const named = (error: unknown) => this.#state.namingDamage(error, snapshot);
    const result = await runQuery(await this.#state.engines.reader(), place, snapshot, sql).catch(named);
    return {
      ...result,
      chunks: () => rethrown(result.chunks(), named),
      arrow: () => rethrown(result.arrow(), named),
      close: () => result.close(),
      [Symbol.asyncDispose]: () => result[Symbol.asyncDispose](),
    };
  }

  /** Many questions to one version. Close it. @throws FilinglakeError as `stream` */
  async session(at: number): Promise<LakeSession> {
    const snapshot = await this.#snapshotFor({ at });
    const connection = await (await this.#state.engines.reader()).connect();
    return new LakeSession(connection, this.#state.place(), snapshot, (error) =>
      this.#state.namingDamage(error, snapshot),
    );
  }

  /** Keeps the rows of a SELECT as the table `kept.NAME` of later queries, until the lake is closed. @throws FilinglakeError as `stream` */
  async keep(name: string, sql: string, at: number): Promise<void> {
    const snapshot = await this.#snapshotFor({ at });
    const connection = await (await this.#state.engines.reader()).connect();
    const create = () => connection.run(`CREATE OR REPLACE TABLE kept.${quoteName(name)} AS ${sql}`);
    try {
      await connection.run('CREATE SCHEMA IF NOT EXISTS kept');
      await withViews(connection, this.#state.place(), snapshot, sql, create);
    } catch (error) {
      await this.#state.namingDamage(queryError(error, this.#state.storage.name), snapshot);
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Writes the rows of a SELECT to a Parquet file outside the lake.
   * @throws FilinglakeError `sql-invalid` (exit 2), `output-unwritable`, `lake-unreadable`, `lake-version-unknown`, `lake-version-vacuumed`
   */
  async writeParquet(sql: string, file: string, options: { at?: number } = {}): Promise<void> {
    await copyQuery(
      await this.#state.engines.reader(),
      this.#state.place(),
      await this.#snapshotFor(options),
      sql,
      file,
    );
  }

  async #snapshotFor({ at }: { at?: number }): Promise<LakeSnapshot> {
    const snapshot = await this.#state.snapshot(at);
    if (at !== undefined) await refuseVacuumed(this.#state.storage, snapshot, await this.#state.snapshot());
    return snapshot;
  }

  /** The newest version at a time. @throws FilinglakeError `lake-version-unknown`: nothing was committed by then */
  async versionAt(time: Date): Promise<number> {
    return versionAt(this.#state.readCommit, await this.#state.currentVersion(), time);
  }

  /** All rows of a query as objects: for results that fit into memory. */
  async query(sql: string, options: QueryOptions = {}): Promise<Record<string, Cell>[]> {
    await using result = await this.stream(sql, options);
    const names = result.columns.map((column) => column.name);
    const rows: Record<string, Cell>[] = [];
    for await (const chunk of result.chunks()) {
      for (const row of chunk) rows.push(Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])));
    }
    return rows;
  }

  /** Whether the newest version may have a row with one of the values in a column, by the statistics of its parts alone. */
  async mayHold(table: string, column: string, values: readonly string[]): Promise<boolean> {
    let [min, max] = [values[0] ?? '', values[0] ?? ''];
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const { parts } = tableState(await this.#state.snapshot(), table);
    return values.length > 0 && [...parts.values()].some(({ stats }) => mayOverlap(stats, column, min, max));
  }

  /** The changes of the newest versions, newest first. */
  async log(limit: number): Promise<LogEntry[]> {
    return logEntries(this.#state.storage, await this.#state.currentVersion(), limit, await this.#runNames());
  }

  /** Rows that repairs took out of each table, from a version back to a time. */
  rowsLost(at: number, since: Date): Promise<ReadonlyMap<string, number>> {
    return rowsLost(this.#state.storage, at, since);
  }

  /** The newest versions with their Delta versions, newest first. */
  async versions(limit: number): Promise<LakeVersionEntry[]> {
    const [snapshot, exports] = [await this.#state.snapshot(), await this.#runNames()];
    return versionEntries(this.#state.storage, [...this.#state.tables.keys()], snapshot, limit, exports);
  }

  async #runNames(): Promise<ReadonlyMap<string, string>> {
    const runs = this.#runs();
    if (!runs) return new Map();
    const rows = await this.query(`SELECT run_id, export FROM ${runs}`, { tables: [runs] });
    return new Map(rows.map(({ run_id, export: name }) => [String(run_id), String(name)]));
  }

  async endedRuns(): Promise<string[]> {
    const runs = this.#runs();
    if (!runs) return [];
    const rows = await this.query(`SELECT run_id FROM ${runs} WHERE ended_at IS NOT NULL`);
    return rows.map(({ run_id }) => String(run_id));
  }

  /** The table of runs, if the lake has one. */
  #runs(): string | undefined {
    return this.#state.tables.values().find(({ role }) => role === 'runs')?.name;
  }

  /** Passes the newest version to a caller with many queries. @param tables those with a view; default: all */
  async inspect<Result>(
    look: (inspection: Inspection) => Promise<Result>,
    tables?: readonly string[],
  ): Promise<Result> {
    const snapshot = await this.#state.snapshot();
    const connection = await (await this.#state.engines.reader()).connect();
    try {
      const names = tables ?? [...presentTables(this.#state.tables, snapshot).keys()];
      await createViews(connection, this.#state.place(names), snapshot, { plainly: true });
      return await look({ connection, snapshot, readCommit: this.#state.readCommit });
    } catch (error) {
      return await this.#state.namingDamage(refusalByEngine(this.#state.storage.name, error) ?? error, snapshot);
    } finally {
      connection.closeSync();
    }
  }
}

function withParts(snapshot: LakeSnapshot, parts: QueryOptions['parts']): LakeSnapshot {
  if (parts === undefined) return snapshot;
  const tables = new Map(snapshot.tables);
  for (const [name, wanted] of parts) {
    const state = tableState(snapshot, name);
    tables.set(name, { ...state, parts: new Map([...state.parts].filter(([part]) => wanted.has(part))) });
  }
  return { ...snapshot, tables };
}

async function* rethrown<T>(values: AsyncIterable<T>, rethrow: (error: unknown) => Promise<never>): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (error) {
    await rethrow(error);
  }
}
