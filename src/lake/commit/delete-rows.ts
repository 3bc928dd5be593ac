/** Deletes rows: parts that hold some of them are written again without them (copy-on-write). */
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, quoteList, quoteName, quoteNames, quoteText } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import type { LivePart, Part } from '../log/log.ts';
import { mayOverlap, type StatisticValue } from '../log/statistics.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { partColumns } from '../views/lake-sql.ts';
import type { BuiltRows } from './built-rows.ts';
import { type BuiltPart, buildPart } from './parts.ts';
import { goneName, isAmong, replaceableColumns } from './repeated-rows.ts';
import { SOURCE } from './rows.ts';
import type { Replacement } from './staging.ts';

/** Values of one replacement, in a temporary table of the commit's connection. */
interface LoadedReplacement {
  readonly columns: readonly string[];
  readonly temporaryTable: string;
  /** Smallest and largest value of each column; null: no values are left. */
  readonly range: ReadonlyMap<string, { min: StatisticValue; max: StatisticValue }> | null;
}

export interface TableReplacement {
  readonly table: TableDefinition;
  readonly loaded: readonly LoadedReplacement[];
  /** SQL: whether the row `ours` replaces an existing one on purpose. */
  readonly conditions: readonly string[];
}

/** Loads a batch's replacements. @throws FilinglakeError `row-invalid`: no such table or column, or a wrong tuple */
export async function loadReplacements(
  storage: LakeStorage,
  connection: DuckDBConnection,
  tables: ReadonlyMap<string, TableDefinition>,
  replacements: readonly Replacement[],
): Promise<Map<string, TableReplacement>> {
  const byTable = new Map<string, Replacement[]>();
  for (const replacement of replacements) {
    checkReplacement(tables, replacement);
    if (replacement.values.length > 0) {
      byTable.set(replacement.table, [...(byTable.get(replacement.table) ?? []), replacement]);
    }
  }
  const result = new Map<string, TableReplacement>();
  for (const [name, list] of byTable) {
    const table = tables.get(name)!;
    const loaded: LoadedReplacement[] = [];
    for (const [n, replacement] of list.entries()) {
      loaded.push(await loadValues(storage, connection, table, replacement, quoteName(goneName(name, n))));
    }
    const conditions = loaded.map(({ columns, temporaryTable }) => isAmong(columns, temporaryTable));
    result.set(name, { table, loaded, conditions });
  }
  return result;
}

async function loadValues(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: TableDefinition,
  replacement: Replacement,
  temporaryTable: string,
): Promise<LoadedReplacement> {
  const { columns } = replacement;
  const typed = columns.map((name) => `${quoteName(name)}: '${typeOf(table, name)}'`).join(', ');
  const lines = replacement.values.map(
    (tuple) => `${JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, tuple[i]])))}\n`,
  );
  const scratch = storage.openScratch();
  try {
    scratch.append(Buffer.from(lines.join('')));
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${temporaryTable} AS SELECT DISTINCT ${quoteNames(columns)}
       FROM read_json(${quoteText(scratch.localPath)}, format = 'newline_delimited', columns = {${typed}})`,
    );
  } finally {
    await scratch.discard();
  }
  return { columns, temporaryTable, range: await rangeOf(connection, temporaryTable, columns) };
}

async function rangeOf(
  connection: DuckDBConnection,
  temporaryTable: string,
  columns: readonly string[],
): Promise<LoadedReplacement['range']> {
  const bounds = columns.flatMap((name, i) => [
    `min(${quoteName(name)}) AS min${i}`,
    `max(${quoteName(name)}) AS max${i}`,
  ]);
  const [row] = await rowsOf(connection, `SELECT count(*) AS n, ${bounds.join(', ')} FROM ${temporaryTable}`);
  if (!row || Number(row.n) === 0) return null;
  return new Map(
    columns.map((name, i) => [name, { min: row[`min${i}`] as StatisticValue, max: row[`max${i}`] as StatisticValue }]),
  );
}

/** The replacement of a live part: a file with fewer rows, or none. */
export interface TouchedPart {
  readonly part: LivePart;
  readonly removedRows: number;
}

/** Live parts with rows to delete: found by their statistics first, then by a semi-join on the columns. */
export async function findTouched(
  storage: LakeStorage,
  connection: DuckDBConnection,
  replacement: TableReplacement,
  parts: Iterable<LivePart>,
): Promise<TouchedPart[]> {
  const { table } = replacement;
  const candidates: LivePart[] = [];
  for (const part of parts) if (replacement.loaded.some((one) => mayHold(table, part, one))) candidates.push(part);
  if (candidates.length === 0) return [];
  await storage.makeReadable(candidates.map(({ part }) => partPath(table.name, part)));
  const byUrl = new Map(candidates.map((part) => [storage.url(partPath(table.name, part.part)), part]));
  const found = await rowsOf(
    connection,
    `SELECT ${SOURCE}, count(*) AS removed FROM read_parquet(${quoteList([...byUrl.keys()])}, filename = '${SOURCE}') ours
     WHERE ${replacement.conditions.join(' OR ')} GROUP BY ${SOURCE}`,
  );
  return found.map((row) => ({ part: byUrl.get(String(row[SOURCE]))!, removedRows: Number(row.removed) }));
}

function mayHold(table: TableDefinition, part: Part, { columns, range }: LoadedReplacement): boolean {
  if (range === null) return false;
  return columns.every((name) => {
    if (table.columns.findIndex((column) => column.name === name) >= part.columns) return false;
    const { min, max } = range.get(name)!;
    return mayOverlap(part.stats, name, min, max);
  });
}

/** The part without the deleted rows. */
export function rewritePart(
  storage: LakeStorage,
  connection: DuckDBConnection,
  replacement: TableReplacement,
  part: LivePart,
): Promise<BuiltPart> {
  const { table } = replacement;
  return buildPart(
    storage,
    connection,
    table,
    `SELECT ${partColumns(table, part.columns)}
     FROM read_parquet(${quoteText(storage.url(partPath(table.name, part.part)))}) ours
     WHERE NOT (${replacement.conditions.join(' OR ')})`,
  );
}

/** How many built rows have the key of a deleted row. */
export async function countReplaced(
  storage: LakeStorage,
  connection: DuckDBConnection,
  replacement: TableReplacement,
  touched: readonly TouchedPart[],
  built: BuiltRows,
): Promise<number> {
  const { table } = replacement;
  const urls = touched.map(({ part }) => storage.url(partPath(table.name, part.part)));
  const same = table.key.map((name) => `gone.${quoteName(name)} = built.${quoteName(name)}`).join(' AND ');
  return numberOf(
    connection,
    `SELECT count(*) FROM read_parquet(${quoteList(built.files)}) built
     SEMI JOIN (SELECT ${quoteNames(table.key)} FROM read_parquet(${quoteList(urls)}) ours
                WHERE ${replacement.conditions.join(' OR ')}) gone ON ${same}`,
  );
}

function typeOf(table: TableDefinition, column: string): string {
  return table.columns.find(({ name }) => name === column)!.type;
}

function checkReplacement(
  tables: ReadonlyMap<string, TableDefinition>,
  { table: name, columns, values }: Replacement,
): void {
  const refuse = (message: string) => new FilinglakeError('row-invalid', `can't replace rows of ${name}: ${message}`);
  const table = tables.get(name);
  if (!table) throw refuse('the lake has no such table');
  const allowed = replaceableColumns(table);
  if (columns.length === 0) throw refuse('name at least one column');
  for (const column of columns) {
    if (!allowed.includes(column)) throw refuse(`${column} is not one of ${allowed.join(', ')}`);
  }
  if (values.some((tuple) => tuple.length !== columns.length)) {
    throw refuse(`every value needs ${columns.length} members: ${columns.join(', ')}`);
  }
}
