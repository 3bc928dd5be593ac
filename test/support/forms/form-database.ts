/** A database with empty tables of a lake and the views over them. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Filing, mapFiling } from '../../../src/forms/index.ts';
import { createView } from '../../../src/lake/query/lake-sql.ts';
import { readAs, VIEWS } from '../../../src/lake/query/views.ts';
import { TABLES } from '../../../src/tables/index.ts';

const IN_VIEWS = new Set(VIEWS.flatMap(({ tables }) => tables));

export class FormDatabase {
  readonly connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  static async create(): Promise<FormDatabase> {
    const connection = await (await DuckDBInstance.create()).connect();
    for (const { name, columns } of TABLES.filter((table) => IN_VIEWS.has(table.name)))
      await connection.run(
        `CREATE TABLE ${readAs(name)} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`,
      );
    for (const view of VIEWS) for (const statement of createView(view)) await connection.run(statement);
    return new FormDatabase(connection);
  }

  /** Rows of a query, as arrays of values that JSON has. */
  async rows(sql: string): Promise<unknown[]> {
    return (await this.connection.runAndReadAll(sql)).getRowsJson();
  }

  /** Inserts rows; a column that a row leaves out is null. */
  async insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    const { columns } = TABLES.find(({ name }) => name === table)!;
    const structure = columns.map(({ name, type }) => `"${name}": '"${type}"'`).join(', ');
    const json = JSON.stringify(rows).replaceAll("'", "''");
    await this.connection.run(
      `INSERT INTO ${readAs(table)} BY NAME SELECT unnest(from_json('${json}', '[${`{${structure}}`.replaceAll("'", '')}]'), recursive := true)`,
    );
  }

  /** The rows of a filing's forms, as `filinglake map` makes them. */
  async map(filing: Filing): Promise<void> {
    const byTable = new Map<string, Record<string, unknown>[]>();
    for (const { table, row } of mapFiling(filing)) byTable.set(table, [...(byTable.get(table) ?? []), row]);
    for (const [table, rows] of byTable) if (IN_VIEWS.has(table)) await this.insert(table, rows);
  }
}
