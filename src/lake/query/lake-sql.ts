/** Views over a version's parts: lake.sql, for plain DuckDB in any folder, and the SELECT of our own queries. */

import { type TableDefinition, VIEWS, type View } from '../../tables/index.ts';
import { partColumns } from '../commit/parts.ts';
import { type LakeSnapshot, type LivePart, tableState } from '../log/log.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { quoteName, quoteText } from './quoting.ts';

/** A SELECT of all columns of a table over its live parts, which DuckDB can read from then on. */
export async function selectReadable(
  storage: LakeStorage,
  table: TableDefinition,
  parts: Iterable<LivePart>,
): Promise<string> {
  const list = [...parts];
  await storage.makeReadable(list.map(({ part }) => partPath(table.name, part)));
  return selectTable(table, list, (path) => quoteText(storage.url(path)));
}

/**
 * A SELECT of all columns of a table, with their types, over its live parts.
 * @param url SQL expression for the path of a part
 */
export function selectTable(table: TableDefinition, parts: Iterable<LivePart>, url: (path: string) => string): string {
  const byColumns = new Map<number, string[]>();
  for (const part of parts) {
    const columns = Math.min(part.columns, table.columns.length);
    const list = byColumns.get(columns) ?? [];
    list.push(url(partPath(table.name, part.part)));
    byColumns.set(columns, list);
  }
  if (byColumns.size === 0) {
    return `SELECT ${table.columns.map(({ name, type }) => `NULL::${type} AS ${quoteName(name)}`).join(', ')} WHERE false`;
  }
  // Parts from before a column was added are read separately: `union_by_name` would open every part, and keep it open.
  return [...byColumns]
    .sort(([a], [b]) => a - b)
    .map(([columns, urls]) => `SELECT ${partColumns(table, columns)} FROM read_parquet([\n ${urls.join(',\n ')}])`)
    .join('\nUNION ALL\n');
}

/**
 * The text of lake.sql for a version of the lake.
 * @param place where the lake is, if the reader sets no other: `.` is the folder that the reader is in
 */
export function lakeSql(tables: Iterable<TableDefinition>, snapshot: LakeSnapshot, place: string): string {
  const howTo =
    place === '.'
      ? [
          "-- In the lake's folder:  duckdb -c '.read lake.sql'   Elsewhere, set the folder first:",
          `--   duckdb -c "SET VARIABLE lake='DIR'" -c ".read DIR/lake.sql" -c "SELECT count(*) FROM filings"`,
        ]
      : [`-- The views read ${place}. To read a copy, set its place first:  SET VARIABLE lake='DIR'`];
  const names = new Set<string>();
  const lines = [
    `-- Views of lake version ${snapshot.version}, ${snapshot.committed_at ?? 'empty'}. Made by filinglake at every commit.`,
    ...howTo,
    `SET VARIABLE lake = coalesce(getvariable('lake'), ${quoteText(place)});`,
  ];
  for (const table of tables) {
    names.add(table.name);
    const parts = tableState(snapshot, table.name).parts.values();
    const select = selectTable(table, parts, (path) => `getvariable('lake')||${quoteText(`/${path}`)}`);
    lines.push(`CREATE OR REPLACE TEMP VIEW ${quoteName(table.name)} AS\n${select};`);
  }
  for (const { name, meaning, sql } of viewsOver(names))
    lines.push(`-- ${meaning}`, `CREATE OR REPLACE TEMP VIEW ${quoteName(name)} AS\n${sql};`);
  return `${lines.join('\n')}\n`;
}

/** Views that read no other tables than these. */
export function viewsOver(tables: ReadonlySet<string>): View[] {
  return VIEWS.filter((view) => view.tables.every((name) => tables.has(name)));
}

/** The version of a lake.sql; -1 if it states none. */
export function lakeSqlVersion(sql: Buffer): number {
  return Number(/lake version (-?\d+)/.exec(sql.toString('utf8', 0, 200))?.[1] ?? -1);
}
