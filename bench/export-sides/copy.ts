/** The bare COPY: DuckDB turns the loop's NDJSON into Parquet. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { given, NO_ROWS, report } from './given.ts';

await report(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const name of ['filings', 'info', 'sections', 'documents', 'entities']) {
    const file = (ending: string) => join(given.spool, `${name}.${ending}`).replaceAll("'", "''");
    if (!existsSync(file('ndjson'))) throw new Error(`the loop left no ${name}`);
    await connection.run(
      `COPY (FROM read_json('${file('ndjson')}', format = 'newline_delimited', maximum_object_size = 268435456))
       TO '${file('parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
  return { requests: 0, rows: NO_ROWS };
});
