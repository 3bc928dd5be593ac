/** Iceberg's metadata, read by PyIceberg: the same rows as the lake's SQL and Delta's readers see, from the same files. */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { everything, FILLED_TABLES } from '../../support/lake/every-table.ts';
import { plainDigest } from '../../support/lake/plain-digest.ts';
import { duckdbWith, pyiceberg } from '../../support/lake/python-readers.ts';
import { startS3Stub } from '../../support/lake/s3-stub.ts';
import { bring, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const python = pyiceberg();
const duckdbIceberg = duckdbWith('avro', 'iceberg');
const missing = 'missing' in python ? python.missing : null;

const SCRIPT = `
import base64, datetime, decimal, json, sys
from pyiceberg.expressions import EqualTo, GreaterThanOrEqual, IsNull, LessThan
from pyiceberg.table import StaticTable

def plain(value):
    if isinstance(value, bytes): return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime): return value.replace(tzinfo=None).isoformat(timespec="microseconds")
    if isinstance(value, datetime.date): return value.isoformat()
    if isinstance(value, decimal.Decimal): return format(value, "f")
    if isinstance(value, bool): return "true" if value else "false"
    return value if value is None else str(value)

properties = json.loads(sys.argv[1])
answer = []
for metadata, asked, *filters in json.load(sys.stdin):
    table = StaticTable.from_metadata(metadata, properties)
    if filters:
        found = []
        for sign, column, value in filters[0]:
            kind = {"=": EqualTo, ">=": GreaterThanOrEqual, "<": LessThan}.get(sign)
            scan = table.scan(row_filter=kind(column, value) if kind else IsNull(column))
            found.append({"rows": scan.count(), "files": len(list(scan.plan_files()))})
        answer.append(found)
        continue
    snapshot = table.snapshot_by_name(asked) if isinstance(asked, str) else table.snapshot_by_id(asked) if asked else None
    rows = table.scan(snapshot_id=snapshot.snapshot_id if snapshot else None).to_arrow().to_pylist()
    answer.append({
        "rows": [{name: plain(value) for name, value in row.items()} for row in rows],
        "types": {field.name: str(field.field_type) for field in table.schema().fields},
        "files": [task.file.file_path for task in table.scan().plan_files()],
    })
json.dump(answer, sys.stdout)
`;

interface Seen {
  rows: Record<string, string | null>[];
  types: Record<string, string>;
  files: string[];
}

async function read(asked: [metadata: string, snapshot: number | string | null][], properties = {}): Promise<Seen[]> {
  return (await ask(asked, properties)) as Seen[];
}

type Filter = readonly [sign: '=' | '>=' | '<' | 'null', column: string, value: string | number | null];

/** Rows of each filter, and the number of files that PyIceberg opens for it. */
async function filtered(metadata: string, filters: readonly Filter[]): Promise<{ rows: number; files: number }[]> {
  return ((await ask([[metadata, null, filters]], {})) as { rows: number; files: number }[][])[0]!;
}

/** The bucket's server may live in this process, so it must not wait. */
async function ask(asked: unknown, properties: object): Promise<unknown> {
  const { command, modules } = python as Exclude<typeof python, { missing: string }>;
  const env = { ...process.env, PYTHONPATH: modules };
  const answer = promisify(execFile)(command, ['-c', SCRIPT, JSON.stringify(properties)], { env, maxBuffer: 2 ** 28 });
  answer.child.stdin!.end(JSON.stringify(asked));
  return JSON.parse((await answer).stdout);
}

/** Of one table. */
const PARTS = 150;
/** A scan takes some 50 ms. */
const COLUMNS_OF_A_TYPE = 6;
/** Types of columns with bounds in the lake's log. */
const BOUNDED: ReadonlySet<string> = new Set(['VARCHAR', 'INTEGER', 'BIGINT', 'DATE', 'TIMESTAMP', 'TIMESTAMPTZ']);

const parquetFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet') && !name.includes('_delta_log'))
    .sort();

async function digestAt(lake: Lake, table: string, at: number): Promise<string> {
  return plainDigest(await lake.query(`FROM ${table}`, { at }), lake.tables.get(table)!.columns);
}

/** DuckDB's own reader of Iceberg: the rows of each version of a table, its times as text. */
const DUCKDB_SCRIPT = `
import duckdb, json, sys
files, asked = json.loads(sys.argv[1]), json.load(sys.stdin)
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute("SET autoinstall_known_extensions = false; SET enable_progress_bar = false; SET TimeZone = 'UTC'")
for file in files: connection.execute(f"LOAD '{file}'")
answer = []
for metadata, snapshot in asked:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE seen AS FROM iceberg_scan('{metadata}', snapshot_from_id = {snapshot})")
    columns = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'seen'").fetchall()
    texts = ", ".join(f'base64("{name}")' if kind == "BLOB" else f'CAST("{name}" AS VARCHAR)' for name, kind in columns)
    rows = connection.execute(f"SELECT {texts} FROM seen").fetchall()
    answer.append([dict(zip([name for name, _ in columns], row)) for row in rows])
json.dump(answer, sys.stdout)
`;

function readByDuckdb(asked: readonly [metadata: string, snapshot: number][]): Record<string, string | null>[][] {
  const { command, modules, files } = duckdbIceberg as Exclude<typeof duckdbIceberg, { missing: string }>;
  const env = { ...process.env, PYTHONPATH: modules };
  const args = ['-c', DUCKDB_SCRIPT, JSON.stringify(files)];
  return JSON.parse(
    execFileSync(command, args, { env, input: JSON.stringify(asked), encoding: 'utf8', maxBuffer: 2 ** 28 }),
  );
}

describe.skipIf(missing !== null)(`a lake in Iceberg${missing ? ` (${missing})` : ''}`, () => {
  it('has the rows of every table at several versions and releases, and no file of data more', async () => {
    const folder = path.join(temporaryFolder(), 'lake');
    let lake = await openLake(folder, { create: true, tables: FILLED_TABLES });
    for (const n of [1, 2, 3]) await bring(lake, { batch: `b${n}` }, everything(n));
    await lake.makeRelease({ name: 'v1' });
    await bring(lake, { batch: 'c' }, together(filingRows(501, 'r2'), filingRows(700)), wholeFiling(501, 502));
    await lake.compact();
    const newest = await lake.currentVersion();
    const files = parquetFiles(folder);
    const { tables, written } = await lake.writeIceberg();
    expect(written).toBeGreaterThan(0);
    expect(parquetFiles(folder)).toEqual(files);
    expect(Object.keys(tables).length).toBeGreaterThan(20);

    const asked: { table: string; at: number; seen: [string, number | string | null] }[] = [];
    for (const [table, { metadata }] of Object.entries(tables)) {
      asked.push({ table, at: newest, seen: [metadata, null] });
      for (const at of [0, 1, 3]) {
        const changed = (await lake.snapshot(at)).tables.get(table)?.version;
        if (changed !== undefined) asked.push({ table, at, seen: [metadata, changed + 1] });
      }
      if ((await lake.snapshot(2)).tables.has(table)) asked.push({ table, at: 2, seen: [metadata, 'v1'] });
    }
    for (const [n, seen] of (await read(asked.map((one) => one.seen))).entries()) {
      const { table, at } = asked[n]!;
      const { columns } = lake.tables.get(table)!;
      expect([table, at, plainDigest(seen.rows, columns)]).toEqual([table, at, await digestAt(lake, table, at)]);
      expect(seen.files.every((file) => file.startsWith(`file://${folder}/${table}/part-`))).toBe(true);
      for (const { name, type } of columns) {
        const names: Record<string, string> = {
          TIMESTAMP: 'timestamp',
          TIMESTAMPTZ: 'timestamptz',
          'DECIMAL(38,12)': 'decimal(38, 12)',
          BLOB: 'binary',
          BIGINT: 'long',
          DATE: 'date',
        };
        if (names[type]) expect([name, seen.types[name]]).toEqual([name, names[type]]);
      }
    }
    // A second call has nothing to write; commits write themselves once that is asked for.
    expect((await lake.writeIceberg()).written).toBe(0);
    await lake.followWithIceberg(true);
    await lake.close();
    lake = await openLake(folder, { tables: FILLED_TABLES });
    const { version } = await bring(lake, { batch: 'd' }, filingRows(701));
    const followed = `file://${folder}/_iceberg/filings/metadata/v${version + 1}.metadata.json`;
    expect(plainDigest((await read([[followed, null]]))[0]!.rows, lake.tables.get('filings')!.columns)).toBe(
      await digestAt(lake, 'filings', version),
    );
    await lake.close();

    // A lake that was moved.
    const moved = path.join(temporaryFolder(), 'moved');
    renameSync(folder, moved);
    lake = await openLake(moved, { tables: FILLED_TABLES });
    const { metadata } = (await lake.writeIceberg()).tables.filings!;
    expect((await read([[metadata, null]]))[0]!.rows).toHaveLength((await lake.query('FROM filings')).length);
    await lake.close();
  });

  it('lets readers skip parts by bounds and null counts, and hides no row', async () => {
    await using lake = await openLake(path.join(temporaryFolder(), 'lake'), { create: true, tables: FILLED_TABLES });
    for (const n of [1, 2, 3, 4, 5]) await bring(lake, { batch: `b${n}` }, everything(n));
    const { tables } = await lake.writeIceberg();
    const skipped: Record<string, number> = {};
    const tried: Record<string, number> = {};
    for (const [table, { metadata }] of Object.entries(tables)) {
      const filters: { filter: Filter; sql: string; type: string }[] = [];
      for (const { name, type } of lake.tables.get(table)!.columns) {
        tried[type] = (tried[type] ?? 0) + 1;
        if (!BOUNDED.has(type) || tried[type] > COLUMNS_OF_A_TYPE) continue;
        filters.push({ filter: ['null', name, null], sql: `"${name}" IS NULL`, type: 'null' });
        const values = await lake.query(
          `SELECT min("${name}")::VARCHAR AS low, max("${name}")::VARCHAR AS high FROM ${table}`,
        );
        for (const text of [values[0]!.low, values[0]!.high]) {
          if (text === null || String(text).length > 64) continue;
          const given = type.startsWith('TIME')
            ? String(text).replace(' ', 'T').replace(/\+00$/, '+00:00')
            : String(text);
          const value = type === 'INTEGER' || type === 'BIGINT' ? Number(given) : given;
          for (const sign of ['=', '>=', '<'] as const) {
            const sql = `"${name}" ${sign} '${String(text).replaceAll("'", "''")}'::${type}`;
            filters.push({ filter: [sign, name, value], sql, type });
          }
        }
      }
      if (filters.length === 0) continue;
      const parts = (await lake.snapshot()).tables.get(table)!.parts.size;
      const found = await filtered(
        metadata,
        filters.map(({ filter }) => filter),
      );
      for (const [i, { filter, sql, type }] of filters.entries()) {
        const [row] = await lake.query(`SELECT count(*) AS n FROM ${table} WHERE ${sql}`);
        expect([table, filter, found[i]!.rows]).toEqual([table, filter, Number(row!.n)]);
        skipped[type] = (skipped[type] ?? 0) + parts - found[i]!.files;
      }
    }
    // Files are skipped by each kind of bound.
    expect(Object.entries(skipped).filter(([, files]) => files === 0)).toEqual([]);
    expect(Object.keys(skipped).sort()).toEqual([...BOUNDED, 'null'].sort());
  });

  it.skipIf('missing' in duckdbIceberg)(
    'has tables whose columns grew, that are empty, or of many parts, for PyIceberg and DuckDB, at each version',
    async () => {
      const folder = path.join(temporaryFolder(), 'a lake, 20%é');
      const older = FILLED_TABLES.map((table) =>
        table.name === 'filings' ? { ...table, columns: table.columns.slice(0, 8) } : table,
      );
      let lake = await openLake(folder, { create: true, tables: older });
      await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
      await lake.makeRelease({ name: 'v1' });
      await lake.writeIceberg();
      await lake.close();
      lake = await openLake(folder, { tables: FILLED_TABLES });
      for (let n = 0; n < PARTS; n++)
        await bring(lake, { batch: `p${n}` }, { entities: [{ cik: String(n), name: '' }] });
      await bring(lake, { batch: 'b' }, everything(3));
      await bring(lake, { batch: 'c' }, {}, wholeFiling(1, 2, 3, 503));
      const newest = await lake.currentVersion();
      const { tables } = await lake.writeIceberg();
      const { parts } = (await lake.snapshot()).tables.get('entities')!;
      expect([parts.size, (await lake.query('FROM documents')).length]).toEqual([PARTS, 0]);
      const asked = Object.entries(tables).flatMap(([table, { metadata }]) =>
        [0, newest - 1, newest].map((at) => ({ table, metadata, at })),
      );
      const known: { table: string; at: number; seen: [string, number] }[] = [];
      for (const { table, metadata, at } of asked) {
        const version = (await lake.snapshot(at)).tables.get(table)?.version ?? -1;
        if (version >= 0) known.push({ table, at, seen: [metadata, version + 1] });
      }
      expect(new Set(known.map(({ table }) => table)).size).toBeGreaterThan(20);
      const seen = known.map((one) => one.seen);
      const [byIceberg, byDuckdb] = [await read(seen), readByDuckdb(seen)];
      for (const [n, { table, at }] of known.entries()) {
        const { columns } = lake.tables.get(table)!;
        const digest = await digestAt(lake, table, at);
        expect([table, at, 'PyIceberg', plainDigest(byIceberg[n]!.rows, columns)]).toEqual([
          table,
          at,
          'PyIceberg',
          digest,
        ]);
        expect([table, at, 'DuckDB', plainDigest(byDuckdb[n]!, columns)]).toEqual([table, at, 'DuckDB', digest]);
      }
      await lake.close();
    },
  );

  it('is read from a bucket', async () => {
    const stub = await startS3Stub();
    Object.assign(process.env, stub.env(temporaryFolder()));
    const lake = await openLake('s3://bucket/iceberg/lake', { create: true, tables: FILLED_TABLES });
    for (const n of [1, 2]) await bring(lake, { batch: `b${n}` }, everything(n));
    await lake.makeRelease({ name: 'v1' });
    await bring(lake, { batch: 'c' }, everything(3));
    const { tables } = await lake.writeIceberg();
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    const properties = {
      's3.endpoint': stub.url,
      's3.region': 'us-east-1',
      's3.force-virtual-addressing': 'false',
      's3.access-key-id': AWS_ACCESS_KEY_ID,
      's3.secret-access-key': AWS_SECRET_ACCESS_KEY,
    };
    const names = Object.keys(tables);
    const at = (snapshot: string | null) =>
      names.map((name): [string, string | null] => [tables[name]!.metadata, snapshot]);
    const [newest, released] = [await read(at(null), properties), await read(at('v1'), properties)];
    for (const [i, name] of names.entries()) {
      const { columns } = lake.tables.get(name)!;
      expect([name, plainDigest(newest[i]!.rows, columns)]).toEqual([name, await digestAt(lake, name, 2)]);
      expect([name, plainDigest(released[i]!.rows, columns)]).toEqual([name, await digestAt(lake, name, 1)]);
    }
    await lake.close();
    await stub.stop();
  });
});
