/** A database with empty tables of a lake, and the views over them that a query names. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Filing, mapFiling } from '../../../src/filings/forms/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { createView } from '../../../src/lake/views/lake-sql.ts';
import { MACROS, readAs, VIEWS, type View, viewsNamed } from '../../../src/lake/views/views.ts';

const IN_VIEWS = new Set(VIEWS.flatMap(({ tables }) => tables));

/** A view as SQL names it, a macro with a value for each parameter. */
export function calledIn({ name, schema, parameters }: View): string {
  const values = parameters?.map(
    (one) => ({ period: "'year'", companies: 'NULL', items: 'NULL' })[one] ?? "'2024-03-01 16:00'",
  );
  return `${schema ? `${schema}.` : ''}${name}${values ? `(${values.join(', ')})` : ''}`;
}

export class FormDatabase {
  readonly connection: DuckDBConnection;
  /** All of them cost a quarter of a second of CPU. */
  readonly #made = new Set<View>();

  private constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  static async create(): Promise<FormDatabase> {
    const connection = await (await DuckDBInstance.create()).connect();
    for (const { name, columns } of TABLES.filter((table) => IN_VIEWS.has(table.name)))
      await connection.run(
        `CREATE TABLE ${readAs(name)} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`,
      );
    return new FormDatabase(connection);
  }

  /** Rows of a query, as arrays of values that JSON has. */
  async rows(sql: string): Promise<unknown[]> {
    await this.makeViews(viewsNamed(sql));
    return (await this.connection.runAndReadAll(sql)).getRowsJson();
  }

  async makeViews(wanted: ReadonlySet<View> = new Set([...MACROS, ...VIEWS])): Promise<void> {
    for (const view of [...MACROS, ...VIEWS]) {
      if (!wanted.has(view) || this.#made.has(view)) continue;
      this.#made.add(view);
      for (const statement of createView(view)) await this.connection.run(statement);
    }
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
