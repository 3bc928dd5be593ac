/**
 * `npm run spark -- LAKE`: reads every table of a lake with Spark and delta-spark, now and at an older version, and holds rows, values and
 * bytes of each column against filinglake's own. By hand: it fetches Spark by pip (434 MB, once) and its jars from Maven (or takes
 * those that SPARK_JARS names), and needs Java 17 or later. Exit code 1 where something differs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings } from '../src/environment/settings.ts';
import { type Lake, openLake } from '../src/lake/index.ts';

const SPARK = 'pyspark==4.0.1';
const PY4J = 'py4j==0.10.9.9';
const DELTA = 'io.delta:delta-spark_2.13:4.0.0';

type Figures = Record<string, number | null>;
interface TableAt {
  name: string;
  delta_version: number | null;
}

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('error: which lake? npm run spark -- ./lake\n');
  process.exit(2);
}
const lake = await openLake(resolve(folder));
const python = process.env.PYTHON ?? 'python3';
const modules = join(readSettings().cacheFolder, 'python-spark');
if (!existsSync(join(modules, 'pyspark'))) {
  process.stderr.write(`fetching ${SPARK}…\n`);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', modules, SPARK, PY4J], {
    stdio: 'inherit',
  });
}

const versions = await lake.versions(1_000);
const newest = versions[0];
const older = versions[Math.floor(versions.length / 2)];
let different = 0;
if (newest) different += await compare(lake, newest.version, null);
if (older && older !== newest) different += await compare(lake, older.version, older.delta);
await lake.close();
process.exitCode = different === 0 ? 0 : 1;

/** @param delta versions of the tables to pin; null: the newest */
async function compare(
  own: Lake,
  version: number,
  delta: Readonly<Record<string, number | null>> | null,
): Promise<number> {
  const tables = [...own.tables.keys()]
    .map((name): TableAt => ({ name, delta_version: delta === null ? null : (delta[name] ?? null) }))
    .filter(
      ({ name, delta_version }) =>
        existsSync(join(own.root, name, '_delta_log')) && (delta === null || delta_version !== null),
    );
  const seen = new Map(bySpark(own.root, tables).map(({ table, figures }) => [table, figures]));
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
    return column.type === 'BLOB' ? [values, `sum(octet_length(${quoted})) AS "${column.name} bytes"`] : [values];
  });
  const [row] = await own.query(`SELECT count(*) AS rows, ${figures.join(', ')} FROM ${name}`, { at: version });
  return Object.fromEntries(Object.entries(row ?? {}).map(([figure, n]) => [figure, n === null ? null : Number(n)]));
}

function bySpark(root: string, tables: readonly TableAt[]): { table: string; figures: Figures }[] {
  const output = execFileSync(python, [join(import.meta.dirname, 'read_with_spark.py')], {
    input: JSON.stringify({ lake: root, tables, packages: DELTA }),
    env: { ...process.env, PYTHONPATH: modules, SPARK_LOCAL_IP: '127.0.0.1' },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as { table: string; figures: Figures });
}
