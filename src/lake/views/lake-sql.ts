/** Views over a version's parts: lake.sql, for plain DuckDB in any folder, and the SELECT of our own queries. */
import { quoteName, quoteText } from '../../core/index.ts';
import { type LakeSnapshot, type LivePart, tableState } from '../log/log.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { type TableDefinition, tableNamed } from '../tables/index.ts';
import { MACROS, readAs, VIEWS, type View, viewsNamed } from './views.ts';

/** A SELECT of all columns of a table over its live parts, which DuckDB can read from then on. */
export async function selectReadable(
  storage: LakeStorage,
  table: TableDefinition,
  parts: Iterable<LivePart>,
  places = false,
): Promise<string> {
  const list = [...parts];
  await storage.makeReadable(list.map(({ part }) => partPath(table.name, part)));
  return selectTable(table, list, (path) => quoteText(storage.url(path)), places);
}

/** The table's columns from a part that has the first `columns` of them. The others are null. */
export function partColumns(table: TableDefinition, columns: number): string {
  return table.columns
    .map(({ name, type }, i) => (i < columns ? quoteName(name) : `NULL::${type} AS ${quoteName(name)}`))
    .join(', ');
}

/**
 * A SELECT of all columns of a table, with their types, over its live parts.
 * @param url SQL expression for the path of a part
 * @param places adds DuckDB's columns `filename` and `file_row_number`
 */
export function selectTable(
  table: TableDefinition,
  parts: Iterable<LivePart>,
  url: (path: string) => string,
  places = false,
): string {
  const more = places ? ', filename, file_row_number' : '';
  const byColumns = new Map<number, string[]>();
  for (const part of parts) {
    const columns = Math.min(part.columns, table.columns.length);
    const list = byColumns.get(columns) ?? [];
    list.push(url(partPath(table.name, part.part)));
    byColumns.set(columns, list);
  }
  if (byColumns.size === 0) {
    const none = table.columns.map(({ name, type }) => `NULL::${type} AS ${quoteName(name)}`).join(', ');
    return `SELECT ${none}${places ? ', NULL::VARCHAR AS filename, NULL::BIGINT AS file_row_number' : ''} WHERE false`;
  }
  // Parts from before a column was added are read separately: `union_by_name` would open every part, and keep it open.
  return [...byColumns]
    .sort(([a], [b]) => a - b)
    .map(
      ([columns, urls]) => `SELECT ${partColumns(table, columns)}${more} FROM read_parquet([\n ${urls.join(',\n ')}])`,
    )
    .join('\nUNION ALL\n');
}

/** Versions of DuckDB without the lambdas of the views. */
const TOO_OLD = String.raw`^v(0|1\.[0-2])\.`;

/** The text of lake.sql for a version. @param place of the lake, if the reader sets no other: `.` is its own folder */
export function lakeSql(tables: Iterable<TableDefinition>, snapshot: LakeSnapshot, place: string): string {
  const howTo =
    place === '.'
      ? [
          "-- In the lake's folder:  duckdb -c '.read lake.sql'   Elsewhere, set the folder first:",
          `--   duckdb -c "SET VARIABLE lake='DIR'" -c ".read DIR/lake.sql" -c "SELECT count(*) FROM filings"`,
        ]
      : [`-- The views read ${place}. To read a copy, set its place first:  SET VARIABLE lake='DIR'`];
  const present = [...tables];
  const lines = [
    `${headOf(snapshot)} Made by filinglake at every commit.`,
    ...howTo,
    // Older ones would name a character of the first view.
    `SET VARIABLE lake = CASE WHEN regexp_matches(version(), '${TOO_OLD}') THEN error('this lake needs DuckDB 1.3 or later')`,
    `  ELSE coalesce(getvariable('lake'), ${quoteText(place)}) END;`,
  ];
  const addTable = (table: TableDefinition, parts: Iterable<LivePart>) => {
    const select = selectTable(table, parts, (path) => `getvariable('lake')||${quoteText(`/${path}`)}`);
    lines.push(`CREATE OR REPLACE TEMP VIEW ${quoteName(readAs(table.name))} AS\n${select};`);
  };
  for (const table of present) addTable(table, tableState(snapshot, table.name).parts.values());
  const views = viewsOver(new Set(present.map(({ name }) => name)));
  // Views also need tables of forms that have no rows yet, and so no files.
  for (const name of tablesMissing(views, present)) addTable(tableNamed(name)!, []);
  for (const view of views)
    lines.push(`-- ${view.meaning}`, ...createView(view, hasRowsIn(snapshot)).map((statement) => `${statement};`));
  return `${lines.join('\n')}\n`;
}

/**
 * Views over one of these tables, behind the macros that they call. Those in schemas come last, since they can't be
 * created in a read-only database.
 */
export function viewsOver(tables: ReadonlySet<string>): View[] {
  const found = VIEWS.filter(({ over }) => over.some((table) => tables.has(table)));
  const called = new Set(found.flatMap((view) => [...calledBy(view)]));
  return [
    ...MACROS.filter((macro) => called.has(macro)),
    ...found.filter(({ schema }) => schema === undefined),
    ...found.filter(({ schema }) => schema !== undefined),
  ];
}

export const hasRowsIn =
  (snapshot: LakeSnapshot) =>
  (table: string): boolean =>
    tableState(snapshot, table).parts.size > 0;

const calls = new Map<View, ReadonlySet<View>>();

/** What a view reads and calls. Looked for once: lake.sql is written at each commit. */
function calledBy(view: View): ReadonlySet<View> {
  const known = calls.get(view) ?? viewsNamed(view.sql);
  calls.set(view, known);
  return known;
}

/** Tables that views read and that are not among these. */
export function tablesMissing(views: readonly View[], present: readonly { name: string }[]): string[] {
  const names = new Set(present.map(({ name }) => name));
  return [...new Set(views.flatMap((view) => view.tables))].filter((name) => !names.has(name));
}

/** Lines between `-- [TABLE` and `-- ]`: DuckDB plans them for long, even if the table has no rows. */
const ROWS_OF = /^-- \[(\w+)\n([\s\S]*?)^-- \]\n/gm;

/**
 * DuckDB's statements that create a view, without semicolons.
 * @param hasRows of a table; if not, the lines for its rows are left out
 */
export function createView(
  { name, schema, parameters, tables, sql: whole }: View,
  hasRows: (table: string) => boolean = () => true,
): string[] {
  const sql = whole.replace(ROWS_OF, (_, table: string, lines: string) => (hasRows(table) ? lines : ''));
  const of = tables.length > 0 ? ' TABLE' : '';
  if (parameters) return [`CREATE OR REPLACE TEMP MACRO ${quoteName(name)}(${parameters.join(', ')}) AS${of}\n${sql}`];
  if (schema === undefined) return [`CREATE OR REPLACE TEMP VIEW ${quoteName(name)} AS\n${sql}`];
  return [
    `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`,
    `CREATE OR REPLACE VIEW ${quoteName(schema)}.${quoteName(name)} AS\n${sql}`,
  ];
}

/** Whether a lake.sql shows this version of this lake. A copy of the lake may have another version of the same number. */
export function isLakeSqlOf(sql: Buffer, snapshot: LakeSnapshot): boolean {
  return sql.toString('utf8', 0, 200).startsWith(headOf(snapshot));
}

function headOf({ version, committed_at }: LakeSnapshot): string {
  return `-- Views of lake version ${version}, ${committed_at ?? 'empty'}.`;
}
