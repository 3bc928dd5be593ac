/** Columns of views, as DuckDB finds them over tables without rows. */
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteName } from '../../core/index.ts';
import { tableNamed } from '../tables/index.ts';
import { createView, selectTable, viewsOver } from './lake-sql.ts';
import { readAs, type View, viewsNamed } from './views.ts';

export interface ViewColumn {
  name: string;
  type: string;
  /** The view's own, or that of the column of the same name in a view or table that it reads; empty: nobody wrote one. */
  meaning: string;
}

export async function columnsOfView(view: View): Promise<ViewColumn[]> {
  const read = [view, ...viewsNamed(view.sql)];
  const tables = [...new Set(read.flatMap((one) => one.tables))].map((name) => tableNamed(name)!);
  const engine = await DuckDBInstance.create(':memory:');
  const connection = await engine.connect();
  try {
    const empty = tables.map(
      (table) => `CREATE TEMP VIEW ${quoteName(readAs(table.name))} AS ${selectTable(table, [], String)}`,
    );
    const views = viewsOver(new Set(tables.map(({ name }) => name))).filter((one) => read.includes(one));
    for (const statement of [...empty, ...views.flatMap((one) => createView(one))]) await connection.run(statement);
    const called = view.parameters
      ? `${quoteName(view.name)}(${view.parameters.map(() => 'NULL').join(', ')})`
      : quoteName(view.name);
    const from = view.schema === undefined ? called : `${quoteName(view.schema)}.${called}`;
    const rows = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRowObjects();
    const known = tables.flatMap(({ columns }) => columns);
    const meaningIn = (name: string) => read.find(({ columns }) => columns.has(name))?.columns.get(name);
    return rows.map(({ column_name: name, column_type: type }) => ({
      name: String(name),
      type: String(type),
      meaning: meaningIn(String(name)) ?? known.find((column) => column.name === name)?.meaning ?? '',
    }));
  } finally {
    connection.closeSync();
    engine.closeSync();
  }
}
