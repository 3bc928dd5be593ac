/** Reads one column of a user's Parquet file, such as a list of companies. */
import type { DuckDBInstance } from '@duckdb/node-api';
import { quoteName, quoteText } from '../../core/index.ts';
import { openReader, rowsOf } from '../engine/duckdb.ts';

const MEMORY_BYTES = 512 * 2 ** 20;
const FLOATS = new Set(['FLOAT', 'DOUBLE']);

/**
 * The cells of one column as text, in the order of the file; null for an empty one. `NaN` is empty: pandas writes it for a missing
 * number.
 * @param choose gets the names of the columns, and returns the position of the wanted one
 * @throws the error of `choose`; Error with DuckDB's message if the file can't be read
 */
export async function parquetColumn(
  file: string,
  choose: (names: readonly string[]) => number,
): Promise<(string | null)[]> {
  const engine: DuckDBInstance = await openReader(MEMORY_BYTES);
  const connection = await engine.connect();
  try {
    const source = `read_parquet(${quoteText(withoutPatterns(file))}, binary_as_string = true)`;
    const columns = await rowsOf(connection, `DESCRIBE SELECT * FROM ${source}`);
    const { column_name, column_type } = columns[choose(columns.map((column) => String(column.column_name)))]!;
    const name = quoteName(String(column_name));
    const cell = FLOATS.has(String(column_type)) ? `CASE WHEN isnan(${name}) THEN NULL ELSE ${name} END` : name;
    const read = await connection.runAndReadAll(`SELECT (${cell})::VARCHAR FROM ${source}`);
    return read.getColumns()[0] as (string | null)[];
  } finally {
    connection.closeSync();
    engine.closeSync();
  }
}

/** DuckDB takes `*`, `?` and `[` in a path as patterns: `firms[1].parquet` would be `firms1.parquet`. */
function withoutPatterns(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}
