/** A lake as two readers see it that know nothing of filinglake: one of Delta logs, and plain DuckDB with lake.sql. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export type SeenRows = Record<string, string[]>;

/** The rows of tables as sorted JSON. @param relation of a table: what follows FROM */
async function rowsOf(
  tables: readonly string[],
  relation: (table: string) => Promise<string>,
  setUp = '',
): Promise<SeenRows> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(`SET TimeZone = 'UTC'; ${setUp}`);
    const seen: SeenRows = {};
    for (const table of tables) {
      const from = await relation(table);
      const reader = await connection.runAndReadAll(`SELECT to_json(t)::VARCHAR FROM (FROM ${from}) t ORDER BY 1`);
      seen[table] = reader.getRows().map(([row]) => String(row));
    }
    return seen;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Plain DuckDB, which runs lake.sql. */
export function byLakeSql(lake: string, tables: readonly string[]): Promise<SeenRows> {
  const script = readFileSync(path.join(lake, 'lake.sql'), 'utf8');
  return rowsOf(
    tables,
    async (table) => `"${table}"`,
    `SET VARIABLE lake = '${lake.replaceAll("'", "''")}'; ${script}`,
  );
}

/** A strict reader of Delta logs: it believes `_last_checkpoint`, and refuses a log with a hole. */
export async function byDelta(lake: string, tables: readonly string[]): Promise<SeenRows> {
  return rowsOf(tables, async (table) => {
    const live = await deltaFiles(path.join(lake, table, '_delta_log'));
    const files = live.map((name) => `'${path.join(lake, table, name).replaceAll("'", "''")}'`);
    return files.length === 0 ? '(SELECT 1 WHERE false)' : `read_parquet([${files.join(', ')}], union_by_name = true)`;
  });
}

async function deltaFiles(log: string): Promise<string[]> {
  const hint = path.join(log, '_last_checkpoint');
  const versions = readdirSync(log)
    .flatMap((name) => /^(\d{20})\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const checkpoint = existsSync(hint) ? (JSON.parse(readFileSync(hint, 'utf8')) as { version: number }).version : -1;
  const live = new Set<string>();
  if (checkpoint >= 0) {
    const file = path.join(log, `${String(checkpoint).padStart(20, '0')}.checkpoint.parquet`);
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT "add".path FROM '${file.replaceAll("'", "''")}' WHERE "add".path IS NOT NULL`,
    );
    for (const [name] of reader.getRows()) live.add(String(name));
    connection.closeSync();
    instance.closeSync();
  }
  const after = versions.filter((version) => version > checkpoint);
  for (const [i, version] of after.entries()) {
    if (version !== checkpoint + 1 + i) throw new Error(`${log} has no version ${checkpoint + 1 + i}`);
    const lines = readFileSync(path.join(log, `${String(version).padStart(20, '0')}.json`), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) {
      const { add, remove } = JSON.parse(line) as { add?: { path: string }; remove?: { path: string } };
      if (add) live.add(add.path);
      if (remove) live.delete(remove.path);
    }
  }
  return [...live];
}
