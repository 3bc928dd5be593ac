/** A lake in a bucket, read by other tools as docs/guide/object-storage.md says: each has all rows of the newest version. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { S3Storage } from '../../../src/lake/storage/s3/s3-storage.ts';
import { duckdbWith, type PythonReaders, pythonReaders } from '../../support/lake/python-readers.ts';
import { type S3Stub, startS3Stub } from '../../support/lake/s3-stub.ts';
import { bring, FEW_TABLES, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const COMMITS = 13;

describe('a lake in a bucket', () => {
  let stub: S3Stub;
  let lake: Lake;
  const place = `s3://bucket/${randomUUID()}/lake`;

  beforeAll(async () => {
    stub = await startS3Stub();
    Object.assign(process.env, stub.env(temporaryFolder()));
    lake = await openLake(place, { create: true, tables: FEW_TABLES, storage: new S3Storage(place) });
    // Beyond a checkpoint, with a correction.
    for (let n = 0; n < COMMITS; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await bring(lake, { batch: 'correction' }, filingRows(3, 'r2'), wholeFiling(3));
  });
  afterAll(async () => {
    await lake.close();
    await stub.stop();
  });

  /** Runs Python code that prints JSON. */
  async function seen(python: PythonReaders, code: string): Promise<unknown> {
    if ('missing' in python) {
      console.warn(`not read by other tools: ${python.missing}`);
      return null;
    }
    const env = { ...process.env, PYTHONPATH: python.modules, PLACE: place, ENDPOINT: stub.url };
    const head = 'import json, os\nplace, endpoint = os.environ["PLACE"], os.environ["ENDPOINT"]\n';
    const { stdout } = await promisify(execFile)(python.command, ['-c', head + code], { env });
    return JSON.parse(stdout) as unknown;
  }

  it('is read by deltalake and polars', async () => {
    const rows = await seen(
      pythonReaders(),
      `
import polars
from deltalake import DeltaTable
options = {"AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
table = DeltaTable(f"{place}/filings", storage_options=options)
newest = table.to_pyarrow_table()
older = DeltaTable(f"{place}/filings", version=4, storage_options=options).to_pyarrow_table()
frame = polars.scan_delta(f"{place}/documents", storage_options=options).collect()
print(json.dumps([newest.num_rows, sorted(set(newest["entity_name"].to_pylist())), older.num_rows, frame.height]))
`,
    );
    if (rows !== null) expect(rows).toEqual([COMMITS, ['r1', 'r2'], 4, 2 * COMMITS]);
  });

  it('is read by plain DuckDB through its lake.sql, and by its files', async () => {
    const python = duckdbWith('httpfs');
    const rows = await seen(
      python,
      `
import duckdb
con = duckdb.connect()
# It would stand in the answer if a query takes two seconds.
con.execute("SET enable_progress_bar = false")
con.execute("LOAD '${python.files[0]}'")
host = endpoint.removeprefix("http://")
con.execute(f"CREATE SECRET (TYPE s3, KEY_ID 'k', SECRET 's', REGION 'us-east-1', ENDPOINT '{host}', USE_SSL false, URL_STYLE 'path')")
con.execute(con.execute(f"SELECT content FROM read_text('{place}/lake.sql')").fetchone()[0])
print(json.dumps([
    con.execute("SELECT count(*), count(DISTINCT accession_number), max(entity_name) FROM filings").fetchone(),
    con.execute("SELECT count(*) FROM documents JOIN filings USING (accession_number)").fetchone(),
]))
`,
    );
    if (rows !== null) expect(rows).toEqual([[COMMITS, COMMITS, 'r2'], [2 * COMMITS]]);
  });
});
