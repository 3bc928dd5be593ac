/** A database with empty tables of a lake, and the views over them that a query names. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Filing, mapFiling } from '../../../src/filings/forms/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { createView } from '../../../src/lake/views/lake-sql.ts';
import { MACROS, readAs, VIEWS, type View, viewsNamed } from '../../../src/lake/views/views.ts';

const IN_VIEWS = TABLES.filter(({ name }) => VIEWS.some(({ tables }) => tables.includes(name)));

/** One DuckDB for the databases of a process: each has its own catalog in it. */
let engine: Promise<DuckDBInstance> | undefined;
let databases = 0;

/** A view as SQL names it, a macro with a value for each parameter. */
export function calledIn({ name, schema, parameters }: View): string {
  const values = parameters?.map((one) =>
    one.endsWith('_sql')
      ? 'NULL'
      : ({ period: "'year'", companies: 'NULL', items: 'NULL', kinds: "['ticker']" }[one] ?? "'2024-03-01 16:00'"),
  );
  return `${schema ? `${schema}.` : ''}${name}${values ? `(${values.join(', ')})` : ''}`;
}

export class FormDatabase {
  readonly connection: DuckDBConnection;
  /** Of its catalog. */
  readonly name: string;
  /** Names of tables, and views. All of them cost half a second of CPU. */
  readonly #made = new Set<string | View>();

  private constructor(connection: DuckDBConnection, name: string) {
    this.connection = connection;
    this.name = name;
  }

  static async create(): Promise<FormDatabase> {
    engine ??= DuckDBInstance.create();
    const connection = await (await engine).connect();
    const name = `d${++databases}`;
    await connection.run(`ATTACH ':memory:' AS ${name}; USE ${name}`);
    return new FormDatabase(connection, name);
  }

  async #makeTables(isWanted: (name: string) => boolean): Promise<void> {
    for (const { name, columns } of IN_VIEWS) {
      if (this.#made.has(name) || !(isWanted(name) || isWanted(readAs(name)))) continue;
      this.#made.add(name);
      await this.connection.run(
        `CREATE TABLE ${readAs(name)} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`,
      );
    }
  }

  /** Rows of a query, as arrays of values that JSON has. */
  async rows(sql: string): Promise<unknown[]> {
    await this.makeViews(viewsNamed(sql));
    const words = new Set(sql.match(/\w+/g));
    await this.#makeTables((name) => words.has(name));
    return (await this.connection.runAndReadAll(sql)).getRowsJson();
  }

  async makeViews(wanted: ReadonlySet<View> = new Set([...MACROS, ...VIEWS])): Promise<void> {
    const read = new Set([...wanted].flatMap(({ tables }) => tables));
    await this.#makeTables((name) => read.has(name));
    for (const view of [...MACROS, ...VIEWS]) {
      if (!wanted.has(view) || this.#made.has(view)) continue;
      this.#made.add(view);
      for (const statement of createView(view)) await this.connection.run(statement);
    }
  }

  /** Inserts rows; a column that a row leaves out is null. */
  async insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#makeTables((name) => name === table);
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
    for (const [table, rows] of byTable)
      if (IN_VIEWS.some(({ name }) => name === table)) await this.insert(table, rows);
  }
}
