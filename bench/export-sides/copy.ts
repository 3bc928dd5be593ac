/** The bare COPY: DuckDB turns the loop's NDJSON into Parquet. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { given, report } from './given.ts';

await report(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const name of ['filings', 'info', 'sections', 'documents', 'entities']) {
    const file = (ending: string) => join(given.spool, `${name}.${ending}`).replaceAll("'", "''");
    await connection.run(
      `COPY (FROM read_json('${file('ndjson')}', format = 'newline_delimited', maximum_object_size = 268435456))
       TO '${file('parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
  return { requests: 0, others_cpu_seconds: 0 };
});
