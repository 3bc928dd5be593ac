/** Tables, views and recipes of a lake as other versions of DuckDB read them: docs/internals/decisions/duckdb-after-1.5.md. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lake } from '../../../src/lake/index.ts';
import { VIEWS } from '../../../src/lake/query/views.ts';
import { TABLES } from '../../../src/tables/index.ts';
import { recipeLake } from '../../support/docs/recipe-lake.ts';
import { calledIn } from '../../support/forms/form-database.ts';
import { everywhere } from '../../support/lake/every-table.ts';
import { duckdbWith, type PythonReaders, pythonReaders } from '../../support/lake/python-readers.ts';
import { bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { codeBlocks, readMarkdown } from '../../unit/docs/markdown-files.ts';

/** Number and digest of the rows of a query, the same text in every version. */
const digestOf = (from: string) =>
  `SELECT count(*) AS n, coalesce(sum(('0x' || md5(to_json(t)::VARCHAR)[:15])::BIGINT), 0)::VARCHAR AS digest FROM ${from} t`;
/** The name of a table itself, if a view has the table's name. */
const filedIn = (table: string) =>
  VIEWS.some(({ name, schema }) => name === table && !schema) ? `${table}_as_filed` : table;
const tables = TABLES.map(({ name }) => [filedIn(name), `"${filedIn(name)}"`]);
const views = VIEWS.map((view) => [`${view.schema ? `${view.schema}.` : ''}${view.name}`, calledIn(view)]);
const recipes = codeBlocks(readMarkdown('docs/recipes.md'), 'sql').map(({ heading, code }) => [
  heading,
  `(${code.trim().replace(/;$/, '')})`,
]);
const queries = [...tables, ...views, ...recipes].map(([name, from]) => [name!, digestOf(from!)] as const);

/** Number and digest of each query's rows. @param head opens the lake for `con` */
function seenIn(python: PythonReaders, lake: string, head: string, asked: readonly (readonly [string, string])[]) {
  const { command, modules } = python as Exclude<PythonReaders, { missing: string }>;
  const code = `import duckdb, json, sys
con = duckdb.connect()
lake, asked = json.load(sys.stdin)
con.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
${head}
print(json.dumps([duckdb.__version__, {name: con.execute(query).fetchone() for name, query in asked}]))`;
  const input = JSON.stringify([lake, asked]);
  const env = { ...process.env, PYTHONPATH: modules };
  const answer = execFileSync(command, ['-c', code], { encoding: 'utf8', input, env, cwd: temporaryFolder() });
  const [version, seen] = JSON.parse(answer) as [string, Record<string, [number, string]>];
  return { version, seen };
}

function skipReason(python: PythonReaders): string {
  return 'missing' in python ? ` (${python.missing})` : '';
}

const [next, withDelta] = [pythonReaders(), duckdbWith('delta')];

describe('a lake with rows in every table', () => {
  const folder = path.join(temporaryFolder(), 'lake');
  let lake: Lake;
  const ours: Record<string, [number, string]> = {};

  beforeAll(async () => {
    lake = await recipeLake(folder);
    await bring(lake, { batch: 'everywhere' }, everywhere());
    for (const [name, query] of queries) {
      const [row] = await lake.query(query);
      ours[name] = [Number(row!.n), String(row!.digest)];
    }
  });
  afterAll(() => lake?.close());

  it('has them', () => {
    for (const [name] of tables) expect(ours[name!]![0], name).toBeGreaterThan(0);
  });

  it.skipIf('missing' in next)(`has the same tables, views and recipes in DuckDB 2${skipReason(next)}`, () => {
    const head = `con.execute("SET VARIABLE lake = '" + lake + "'"); con.execute(open(lake + "/lake.sql").read())`;
    const { version, seen } = seenIn(next, folder, head, queries);
    expect(version).toMatch(/^2\./);
    expect(seen).toEqual(ours);
  });

  it.skipIf('missing' in withDelta)(`has the same tables by delta_scan${skipReason(withDelta)}`, () => {
    const scans = TABLES.map(({ name }) => [filedIn(name), digestOf(`delta_scan('${folder}/${name}')`)] as const);
    const { seen } = seenIn(withDelta, folder, `con.execute("LOAD '${withDelta.files[0]}'")`, scans);
    expect(seen).toEqual(Object.fromEntries(tables.map(([name]) => [name, ours[name!]])));
  });
});
