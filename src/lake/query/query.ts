import path from 'node:path';
import { type DuckDBConnection, type DuckDBDataChunk, type DuckDBInstance, DuckDBTypeId } from '@duckdb/node-api';
import { FilinglakeError, quoteName, quoteText } from '../../core/index.ts';
import { type LakeSnapshot, tableState } from '../log/log.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { type TableDefinition, tableNamed } from '../tables/index.ts';
import { createView, hasRowsIn, selectReadable, tablesMissing, viewsOver } from '../views/lake-sql.ts';
import { readAs, VIEWS, type View, viewsNamed } from '../views/views.ts';
import { queryError } from './query-errors.ts';
import { prepareQuestion } from './read-only.ts';
import { type Cell, cellConverter } from './values.ts';

interface ResultColumn {
  /** Unique within the result: a repeated name gets `:1`. */
  name: string;
  /** DuckDB's name of the type. */
  type: string;
}

/** The rows of a query as a stream. `close` it when done, even if it wasn't read to the end. */
export interface QueryResult extends AsyncDisposable {
  /** The version of the lake that was queried. */
  readonly version: number;
  readonly columns: readonly ResultColumn[];
  /** Some thousand rows at a time, a cell for each column. */
  chunks(): AsyncIterable<Cell[][]>;
  /** The rows as an Arrow IPC stream, instead of `chunks`. */
  arrow(): AsyncIterable<Uint8Array>;
  close(): void;
}

/** The storage of the tables. */
export interface QueryPlace {
  storage: LakeStorage;
  tables: Iterable<TableDefinition>;
  /** Adds the file and the row number in it to each view. */
  places?: boolean;
  /** The text of `$1` in the query. */
  given?: string | undefined;
}

/**
 * Runs one reading statement on a separate connection, with a view for every table.
 * @throws FilinglakeError `sql-invalid` (exit 2) with DuckDB's message and position; `sql-refused` (exit 2): several statements, or
 * one that changes something; `lake-unreadable`
 */
export async function runQuery(
  reader: DuckDBInstance,
  place: QueryPlace,
  snapshot: LakeSnapshot,
  sql: string,
): Promise<QueryResult> {
  return runOn(await reader.connect(), place, snapshot, sql);
}

/** As `runQuery`, on a connection that the result closes. */
export async function runOn(
  connection: DuckDBConnection,
  place: QueryPlace,
  snapshot: LakeSnapshot,
  sql: string,
): Promise<QueryResult> {
  try {
    return await withViews(connection, place, snapshot, sql, () => streamOf(connection, sql, snapshot.version, place));
  } catch (error) {
    connection.closeSync();
    throw queryError(error, place.storage.name);
  }
}

/**
 * Writes the rows of one SELECT to a Parquet file with DuckDB.
 * @param file path on this machine's disk; an existing file is replaced
 * @throws FilinglakeError `sql-invalid`, `sql-refused` (both exit 2), `lake-unreadable`, `output-unwritable`
 */
export async function copyQuery(
  reader: DuckDBInstance,
  place: QueryPlace,
  snapshot: LakeSnapshot,
  sql: string,
  file: string,
): Promise<void> {
  const connection = await reader.connect();
  try {
    // A mistake in the query is reported with its own line numbers.
    const question = await withViews(connection, place, snapshot, sql, () => prepareQuestion(connection, sql));
    const all = Array.from({ length: question?.columnCount ?? 0 }, (_, i) => i);
    const sums = all
      .filter((i) => question!.columnTypeId(i) === DuckDBTypeId.HUGEINT)
      .map((i) => question!.columnName(i));
    question?.destroySync();
    // The line end closes a comment at the end of the query.
    const query = `${sql.trim().replace(/;+$/, '')}\n`;
    // Parquet has no such type: DuckDB would write floating point, and sums of whole numbers would lose digits.
    const exact = sums.map((name) => `${quoteName(name)}::DECIMAL(38,0) AS ${quoteName(name)}`);
    const select = exact.length === 0 ? query : `SELECT * REPLACE (${exact.join(', ')}) FROM (${query})`;
    await connection.run(`COPY (${select}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`);
  } catch (error) {
    // DuckDB writes a file with the prefix tmp_ first.
    if (error instanceof Error && error.message.includes(path.basename(file))) {
      const why = /No space left/i.test(error.message) ? 'no space is left on the disk' : error.message;
      throw new FilinglakeError('output-unwritable', `${file} can't be written: ${why}`, { cause: error });
    }
    throw queryError(error, place.storage.name);
  } finally {
    connection.closeSync();
  }
}

/**
 * Prepares a query with views of only the tables that it names, since a view opens the files of its table. If DuckDB then misses
 * something, every table gets a view.
 */
export async function withViews<Prepared>(
  connection: DuckDBConnection,
  place: QueryPlace,
  snapshot: LakeSnapshot,
  sql: string,
  prepare: () => Promise<Prepared>,
  made: Made = { tables: new Set(), views: new Set() },
): Promise<Prepared> {
  const tables = [...place.tables];
  const named = tablesNamed(connection, tables, snapshot, sql).filter(({ name }) => !made.tables.has(name));
  // Two tables may have a dozen views over them, and a view costs DuckDB 10 ms.
  const isListing = LISTING.test(sql);
  const views = isListing ? undefined : viewsNamed(sql).difference(made.views);
  const listed = isListing ? readByViews(named).filter(({ name }) => !made.tables.has(name)) : [];
  await createViews(connection, { ...place, tables: [...named, ...listed] }, snapshot, {
    ...(views && { views }),
    made,
  });
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof Error) || !/Catalog Error/.test(error.message)) throw error;
    const others = present(tables, snapshot).filter(({ name }) => !made.tables.has(name));
    await createViews(connection, { ...place, tables: others }, snapshot, { made });
    return prepare();
  }
}

const LISTING = /\bSHOW\b|\binformation_schema\b|\bduckdb_(tables|views|columns)\b|\bsqlite_master\b/i;

/** Further tables that views over these read, without rows yet. */
function readByViews(tables: readonly TableDefinition[]): TableDefinition[] {
  return tablesMissing(viewsOver(new Set(tables.map(({ name }) => name))), tables).map((name) => tableNamed(name)!);
}

/** What a connection has already: tables, by name, and the views over them. */
export interface Made {
  readonly tables: Set<string>;
  readonly views: Set<View>;
  /** Tables whose rows the connection keeps, in place of a view of their files. */
  readonly keeps?: (table: TableDefinition) => boolean;
}

/** Tables that the version has: some are created with their first row. */
function present(tables: readonly TableDefinition[], snapshot: LakeSnapshot): TableDefinition[] {
  return tables.filter(({ name, onDemand }) => !onDemand || snapshot.tables.has(name));
}

/** Tables that DuckDB finds in a query, also through views; all for a list of them. */
function tablesNamed(
  connection: DuckDBConnection,
  tables: readonly TableDefinition[],
  snapshot: LakeSnapshot,
  sql: string,
): readonly TableDefinition[] {
  const found = connection.getTableNames(sql, false);
  // In a statement with JOIN … USING, or a macro that isn't created yet, DuckDB finds none: its words may be tables.
  const words = found.length > 0 || LISTING.test(sql) ? found : (sql.match(/\w+/g) ?? []);
  const names = new Set(words.map((name) => name.toLowerCase()));
  for (const view of VIEWS) if (names.has(view.name.toLowerCase())) for (const name of view.tables) names.add(name);
  const named = tables.filter(({ name }) => names.has(name.toLowerCase()) || names.has(readAs(name)));
  return named.length === 0 && LISTING.test(sql) ? present(tables, snapshot) : named;
}

interface ViewOptions {
  /** Tables have their own names, and no view stands before one. */
  plainly?: boolean;
  /** Of the views over the tables only these. */
  views?: ReadonlySet<View>;
  made?: Made;
}

/** A view of every table at a version, and the views over them. */
export async function createViews(
  connection: DuckDBConnection,
  place: QueryPlace,
  snapshot: LakeSnapshot,
  { plainly = false, views: wanted, made = { tables: new Set(), views: new Set() } }: ViewOptions = {},
): Promise<void> {
  const { tables: names, keeps } = made;
  for (const table of place.tables) {
    const parts = tableState(snapshot, table.name).parts.values();
    const select = await selectReadable(place.storage, table, parts, place.places);
    const name = plainly ? table.name : readAs(table.name);
    await connection.run(`CREATE TEMP ${keeps?.(table) ? 'TABLE' : 'VIEW'} ${quoteName(name)} AS ${select}`);
    names.add(table.name);
  }
  const views = viewsOver(names).filter(
    (view) =>
      view.tables.every((each) => names.has(each)) &&
      !(plainly && names.has(view.name)) &&
      (wanted === undefined || wanted.has(view)),
  );
  const create = async (view: View) => {
    for (const statement of createView(view, hasRowsIn(snapshot))) await connection.run(statement);
    made.views.add(view);
  };
  for (const view of views) await (view.schema === undefined ? create(view) : inTurn(() => create(view)));
}

let lastTurn: Promise<void> = Promise.resolve();

/** Connections of a reader share their schemas. If two create the same view at the same time, DuckDB refuses one. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function streamOf(
  connection: DuckDBConnection,
  sql: string,
  version: number,
  { storage: { name: lake }, given }: QueryPlace,
): Promise<QueryResult> {
  const question = await prepareQuestion(connection, sql);
  if (given !== undefined) question!.bindVarchar(1, given);
  const result = question === null ? await connection.stream(sql) : await question.stream();
  const names = result.deduplicatedColumnNames();
  const types = result.columnTypes();
  const columns = types.map((type, i) => ({ name: names[i]!, type: String(type) }));
  const close = () => connection.closeSync();
  async function* fetched(): AsyncIterable<DuckDBDataChunk> {
    try {
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        yield chunk;
      }
    } catch (error) {
      throw queryError(error, lake);
    }
  }
  return {
    version,
    columns,
    close,
    async *chunks() {
      for await (const chunk of fetched()) yield cellsOf(chunk, lake);
    },
    async *arrow() {
      const { arrowStream } = await import('./arrow/arrow.ts');
      const typed = types.map((type, i) => ({ name: names[i]!, type }));
      yield* arrowStream(typed, fetched());
    },
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

/** @throws FilinglakeError `query-too-large` */
export function cellsOf(chunk: DuckDBDataChunk, lake: string): Cell[][] {
  try {
    return transposed(chunk.convertColumns(cellConverter), chunk.rowCount);
  } catch (error) {
    throw queryError(error, lake);
  }
}

function transposed(columns: (Cell | null)[][], rowCount: number): Cell[][] {
  const rows: Cell[][] = [];
  for (let i = 0; i < rowCount; i++) rows.push(columns.map((column) => column[i] ?? null));
  return rows;
}
