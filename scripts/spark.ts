/**
 * `npm run spark [-- LAKE]`: reads every table of a lake with Spark and delta-spark, now and at an older version, and compares rows, values, bytes
 * and times of each column with filinglake's own. Without LAKE it makes a lake with rows in every table, adds a TIMESTAMP column to every
 * table, and reads that before and after the next checkpoint. With `--bucket` that lake lies in a bucket, and Spark reads it by hadoop-aws. It
 * fetches Spark by pip (434 MB, once) and its jars from Maven (hadoop-aws: 558 MB; or takes those that SPARK_JARS names), and needs Java
 * 17 or later. Exit code 1 if something differs.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readSettings } from '../src/core/environment/settings.ts';
import { type Lake, openLake } from '../src/lake/index.ts';
import { everything, makeTimedLake } from '../test/support/lake/every-table.ts';
import { startS3Stub } from '../test/support/lake/s3-stub.ts';
import { bring } from '../test/support/lake/small-lake.ts';

const SPARK = 'pyspark==4.0.1';
const PY4J = 'py4j==0.10.9.9';
const DELTA = 'io.delta:delta-spark_2.13:4.0.0';
/** Of the Hadoop that Spark 4.0.1 carries. */
const S3A = 'org.apache.hadoop:hadoop-aws:3.4.1';

type Figures = Record<string, number | null>;
interface TableAt {
  name: string;
  delta_version: number | null;
}

const python = process.env.PYTHON ?? 'python3';
const modules = join(readSettings().cacheFolder, 'python-spark');
if (!existsSync(join(modules, 'pyspark'))) {
  process.stderr.write(`fetching ${SPARK}…\n`);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', modules, SPARK, PY4J], {
    stdio: 'inherit',
  });
}

/** Address of the store whose buckets Spark reads; null: lakes on disk. */
let store: string | null = null;
const place = process.argv[2];
const different = await (place === '--bucket'
  ? compareInBucket()
  : place === undefined
    ? compareTimed(mkdtempSync(join(tmpdir(), 'filinglake-spark-')))
    : compareVersions(await openLake(resolve(place))));
process.exitCode = different === 0 ? 0 : 1;

async function compareInBucket(): Promise<number> {
  const stub = await startS3Stub();
  const cache = mkdtempSync(join(tmpdir(), 'filinglake-spark-'));
  Object.assign(process.env, stub.env(cache));
  store = stub.url;
  try {
    return await compareTimed('s3://spark/a lake');
  } finally {
    await stub.stop();
    rmSync(cache, { recursive: true, force: true });
  }
}

/** A lake now, and half of its versions ago. @returns tables that differ */
async function compareVersions(lake: Lake): Promise<number> {
  const versions = await lake.versions(1_000);
  const newest = versions[0];
  const older = versions[Math.floor(versions.length / 2)];
  let wrong = 0;
  if (newest) wrong += await compare(lake, newest.version, null);
  if (older && older !== newest) wrong += await compare(lake, older.version, older.delta);
  await lake.close();
  return wrong;
}

/** A lake whose tables each got a column of times: by its commit, and by the next checkpoint. @returns tables that differ */
async function compareTimed(made: string): Promise<number> {
  const lake = await makeTimedLake(made);
  let wrong = await compare(lake, await lake.currentVersion(), null);
  for (let n = 10; n < 17; n++) await bring(lake, { batch: `b${n}` }, everything(n));
  wrong += await compare(lake, await lake.currentVersion(), null);
  await lake.close();
  if (store === null) rmSync(made, { recursive: true, force: true });
  return wrong;
}

/** @param delta versions of the tables to pin; null: the newest */
async function compare(
  own: Lake,
  version: number,
  delta: Readonly<Record<string, number | null>> | null,
): Promise<number> {
  const present = own.presentTables(await own.snapshot());
  const tables = [...own.tables.keys()]
    .map((name): TableAt => ({ name, delta_version: delta === null ? null : (delta[name] ?? null) }))
    .filter(({ name, delta_version }) => (delta === null ? present.has(name) : delta_version !== null));
  const seen = new Map((await bySpark(own.root, tables)).map(({ table, figures }) => [table, figures]));
  let wrong = 0;
  for (const { name } of tables) {
    const expected = await byFilinglake(own, name, version);
    const found = seen.get(name) ?? {};
    const off = Object.keys(expected).filter((figure) => (expected[figure] ?? null) !== (found[figure] ?? null));
    if (off.length > 0) wrong++;
    const verdict =
      off.length === 0 ? 'equal' : `DIFFERS in ${off.map((f) => `${f}: ${expected[f]}, Spark ${found[f]}`).join('; ')}`;
    process.stdout.write(
      `version ${version} ${name}: ${expected.rows} rows, ${Object.keys(expected).length} figures ${verdict}\n`,
    );
  }
  return wrong;
}

async function byFilinglake(own: Lake, name: string, version: number): Promise<Figures> {
  const columns = own.tables.get(name)!.columns;
  const figures = columns.flatMap((column) => {
    const quoted = `"${column.name}"`;
    const values = `count(${quoted}) AS "${column.name} values"`;
    if (column.type === 'VARCHAR') return [values, `sum(strlen(${quoted})) AS "${column.name} bytes"`];
    if (column.type === 'TIMESTAMP' || column.type === 'TIMESTAMPTZ')
      return [values, `epoch_us(max(${quoted})) AS "${column.name} latest"`];
    if (column.type === 'DECIMAL(38,12)') return [values, `max(${quoted})::DOUBLE AS "${column.name} largest"`];
    return column.type === 'BLOB' ? [values, `sum(octet_length(${quoted})) AS "${column.name} bytes"`] : [values];
  });
  const [row] = await own.query(`SELECT count(*) AS rows, ${figures.join(', ')} FROM ${name}`, { at: version });
  return Object.fromEntries(Object.entries(row ?? {}).map(([figure, n]) => [figure, n === null ? null : Number(n)]));
}

async function bySpark(root: string, tables: readonly TableAt[]): Promise<{ table: string; figures: Figures }[]> {
  const lake = root.replace(/^s3:/, 's3a:');
  const packages = store === null ? DELTA : `${DELTA},${S3A}`;
  const running = promisify(execFile)(python, [join(import.meta.dirname, 'read_with_spark.py')], {
    env: { ...process.env, PYTHONPATH: modules, SPARK_LOCAL_IP: '127.0.0.1' },
    maxBuffer: 1 << 26,
  });
  running.child.stderr?.pipe(process.stderr);
  running.child.stdin?.end(JSON.stringify({ lake, tables, packages, store }));
  const { stdout: output } = await running;
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as { table: string; figures: Figures });
}
