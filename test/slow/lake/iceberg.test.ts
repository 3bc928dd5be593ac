/** Iceberg's metadata, read by PyIceberg: the same rows as the lake's SQL and Delta's readers see, from the same files. */
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { everything, FILLED_TABLES } from '../../support/lake/every-table.ts';
import { plainDigest } from '../../support/lake/plain-digest.ts';
import { pyiceberg } from '../../support/lake/python-readers.ts';
import { bring, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const python = pyiceberg();
const missing = 'missing' in python ? python.missing : null;

const SCRIPT = `
import base64, datetime, decimal, json, sys
from pyiceberg.table import StaticTable

def plain(value):
    if isinstance(value, bytes): return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime): return value.replace(tzinfo=None).isoformat(timespec="microseconds")
    if isinstance(value, datetime.date): return value.isoformat()
    if isinstance(value, decimal.Decimal): return format(value, "f")
    if isinstance(value, bool): return "true" if value else "false"
    return value if value is None else str(value)

answer = []
for metadata, asked in json.load(sys.stdin):
    table = StaticTable.from_metadata(metadata)
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

function read(asked: [metadata: string, snapshot: number | string | null][]): Seen[] {
  const { command, modules } = python as Exclude<typeof python, { missing: string }>;
  const text = execFileSync(command, ['-c', SCRIPT], {
    input: JSON.stringify(asked),
    env: { ...process.env, PYTHONPATH: modules },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text) as Seen[];
}

const parquetFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet') && !name.includes('_delta_log'))
    .sort();

async function digestAt(lake: Lake, table: string, at: number): Promise<string> {
  return plainDigest(await lake.query(`FROM ${table}`, { at }), lake.tables.get(table)!.columns);
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
    for (const [n, seen] of read(asked.map((one) => one.seen)).entries()) {
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
    expect(plainDigest(read([[followed, null]])[0]!.rows, lake.tables.get('filings')!.columns)).toBe(
      await digestAt(lake, 'filings', version),
    );
    await lake.close();

    // A lake that was moved.
    const moved = path.join(temporaryFolder(), 'moved');
    renameSync(folder, moved);
    lake = await openLake(moved, { tables: FILLED_TABLES });
    const { metadata } = (await lake.writeIceberg()).tables.filings!;
    expect(read([[metadata, null]])[0]!.rows).toHaveLength((await lake.query('FROM filings')).length);
    await lake.close();
  });
});
