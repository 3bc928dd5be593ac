/** A lake read by the Python package, compared with our own SQL. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import type { TableDefinition } from '../../../../src/lake/tables/index.ts';
import { VIEWS } from '../../../../src/lake/views/index.ts';
import { recipeLake } from '../../../support/docs/recipe-lake.ts';
import { everywhere } from '../../../support/lake/every-table.ts';
import { accession, bring, FEW_TABLES, filingRows, wholeFiling } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';

const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run } = installed as Exclude<typeof installed, { missing: string }>;

/** A query that gives rows and a checksum over all columns, the same text in every engine. */
function checksumSql({ columns }: TableDefinition, from: string): string {
  const texts = columns.map(({ name, type }) => {
    const column = `"${name}"`;
    if (type === 'BLOB') return `coalesce(hex(${column}), '-')`;
    if (type === 'TIMESTAMPTZ') return `coalesce(epoch_us(${column})::VARCHAR, '-')`;
    return `coalesce(${column}::VARCHAR, '-')`;
  });
  return `SELECT count(*) AS n, coalesce(sum(('0x' || md5(${texts.join(` || chr(31) || `)})[:15])::BIGINT), 0)::VARCHAR AS sum FROM ${from}`;
}

async function ours(lake: Lake, table: TableDefinition, at: number): Promise<[number, string]> {
  const [row] = await lake.query(checksumSql(table, `"${table.name}"`), { at });
  return [Number(row!.n), String(row!.sum)];
}

const VERSIONS = 60;

describe.skipIf(missing !== null)(`a lake in Python${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  let lake: Lake;

  beforeAll(async () => {
    folder = path.join(temporaryFolder(), "a lake's folder");
    lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    // Beyond the first snapshot of the log (50), with corrections in between.
    for (let n = 0; n < VERSIONS; n++) {
      await bring(lake, { batch: `b${n}` }, filingRows(n, `r${n}`), n % 4 === 3 ? wholeFiling(n - 1) : []);
    }
  });
  afterAll(() => lake?.close());

  it('is read at a release, by its name', async () => {
    await lake.makeRelease({ name: 'v1', version: 3, note: 'a note' });
    const seen = await run(
      `
lake = filinglake.open(given["folder"], release="v1")
try:
    filinglake.open(given["folder"], release="v2")
except filinglake.UsageError as error:
    unknown = [error.code, error.remedy]
print(json.dumps([lake.version, len(lake.pandas("filings")), [[r.name, r.version, r.note] for r in lake.releases()], unknown]))
`,
      { folder },
    );
    const rows = await lake.query('SELECT count(*) AS n FROM filings', { at: 3 });
    expect(seen).toEqual([3, rows[0]!.n, [['v1', 3, 'a note']], ['release-unknown', 'Its releases: v1.']]);
  });

  it('has every row and value at old and new versions, as DuckDB relation, Arrow, polars and pandas', async () => {
    const versions = [-1, 0, 3, 49, 50, VERSIONS - 1];
    const queries = FEW_TABLES.map((table) => [table.name, checksumSql(table, 'frame')]);
    const seen = (await run(
      `
import duckdb
lake = filinglake.open(given["folder"])
answer = []
for version in given["versions"]:
    for name, query in given["queries"]:
        row = {"version": version, "name": name, "table": lake.table(name, version).query("frame", query).fetchall()[0]}
        for reader in ("arrow", "polars"):
            frame = getattr(lake, reader)(name, version)
            con = duckdb.connect()
            con.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
            row[reader] = con.sql(query).fetchall()[0]
        row["pandas"] = len(lake.pandas(name, version))
        row["listed"] = lake.tables(version).get(name, 0)
        answer.append(row)
print(json.dumps(answer))
`,
      { folder, versions, queries },
    )) as { version: number; name: string }[];
    expect(seen).toHaveLength(versions.length * FEW_TABLES.length);
    for (const { version, name, ...readers } of seen) {
      const table = FEW_TABLES.find((one) => one.name === name)!;
      const our = await ours(lake, table, version);
      const expected = { table: our, arrow: our, polars: our, pandas: our[0], listed: our[0] };
      expect(readers, `${name} at ${version}`).toEqual(expected);
    }
  });

  it('answers queries of one version, joins relations of two, and names its files and versions', async () => {
    const answer = (await run(
      `
import datetime
lake = filinglake.open(given)
old = lake.table("filings", 0)
versions = lake.versions(limit=2)
first = lake.versions()[-1]
print(json.dumps({
    "now": lake.sql("SELECT count(*) FROM filings JOIN documents USING (accession_number)").fetchall()[0][0],
    "before": lake.sql("SELECT count(*) FROM filings JOIN documents USING (accession_number)", 1).fetchall()[0][0],
    "both": lake.table("filings").set_alias("a").join(old.set_alias("b"), "accession_number").count("*").fetchall()[0][0],
    "versions": [version.version for version in versions],
    "run": first.run_id, "rows_new": first.rows_new["filings"],
    "opened_at_first": filinglake.open(given, first.committed_at).version <= 3,
    "files": len(lake.files("filings", 2)),
    "columns": lake.columns("coverage"),
}))
`,
      folder,
    )) as Record<string, unknown>;
    const [now] = await lake.query('SELECT count(*) AS n FROM filings JOIN documents USING (accession_number)');
    expect(answer).toMatchObject({
      now: Number(now!.n),
      // Two filings of two documents each.
      before: 4,
      both: 1,
      versions: [VERSIONS - 1, VERSIONS - 2],
      run: 'run',
      rows_new: 1,
      opened_at_first: true,
      files: 3,
    });
    const coverage = FEW_TABLES.find(({ name }) => name === 'coverage')!;
    expect((answer.columns as string[][]).map(([name]) => name)).toEqual(coverage.columns.map(({ name }) => name));
  });

  it('answers in a lake with every view and macro, each by its name', async () => {
    const full = path.join(temporaryFolder(), 'full');
    const all = await recipeLake(full);
    await bring(all, { batch: 'everywhere' }, everywhere());
    await all.close();
    const answer = (await run(
      `
lake = filinglake.open(given)
one = lake.sql("SELECT 1").fetchall()
read = {}
for statement in lake._statements():
    if statement.parameters is None:
        name = f'"{statement.name}"' if statement.schema is None else f'{statement.schema}."{statement.name}"'
        read[f"{statement.schema or ''}.{statement.name}"] = len(lake.sql(f"SELECT * FROM {name}").fetchall())
        if statement.schema is None:
            assert len(lake.table(statement.name).fetchall()) == read[f".{statement.name}"]
            assert lake.columns(statement.name)
shown = [name for name, in lake.sql("SHOW TABLES").fetchall()]
print(json.dumps([one, read, shown, len(lake.sections("1A"))]))
`,
      full,
    )) as [number[][], Record<string, number>, string[], number];
    const [one, read, shown, sections] = answer;
    expect(one).toEqual([[1]]);
    const views = VIEWS.filter(({ parameters }) => parameters === undefined);
    for (const { name, schema = '' } of views) expect(Object.keys(read)).toContain(`${schema}.${name}`);
    for (const { name } of views.filter(({ schema }) => schema === undefined)) expect(shown).toContain(name);
    expect(read['.statements']).toBeGreaterThan(0);
    expect(sections).toBeGreaterThan(0);
  });

  it('works as in its README', async () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../../../../python/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!);
    const reading = blocks.filter((code) => !code.includes('.export(') && !code.includes('.fetch('));
    expect(reading.length).toBeGreaterThanOrEqual(3);
    const answer = await run(
      `
import contextlib, io, os
os.chdir(os.path.dirname(given["lake"]))
os.path.exists("lake") or os.symlink(given["lake"], "lake")
names = {}
with contextlib.redirect_stdout(io.StringIO()):
    for code in given["reading"]:
        exec(code, names)
for code in given["blocks"]:
    compile(code, "README.md", "exec")
print(json.dumps([names["lake"].version, len(names["new"].fetchall())]))
`,
      { lake: folder, reading, blocks },
    );
    const [filings] = await lake.query(`SELECT count(*) AS n FROM filings WHERE accession_number <> '${accession(0)}'`);
    expect(answer).toEqual([VERSIONS - 1, Number(filings!.n)]);
  });

  it('stays at its version while others commit, until it is refreshed', async () => {
    const growing = path.join(temporaryFolder(), 'lake');
    await using writer = await openLake(growing, { create: true, tables: FEW_TABLES });
    await bring(writer, { batch: 'one' }, filingRows(1));
    const running = run(
      `
import os, time
lake = filinglake.open(given["folder"])
counts = [lake.tables()["filings"]]
open(given["opened"], "w").close()
deadline = time.time() + 30
while not os.path.exists(given["committed"]) and time.time() < deadline:
    time.sleep(0.05)
counts += [lake.tables()["filings"], lake.table("filings").count("*").fetchall()[0][0], lake.refresh(), lake.tables()["filings"]]
print(json.dumps(counts))
`,
      { folder: growing, opened: `${growing}.opened`, committed: `${growing}.committed` },
    );
    await expect.poll(() => readdirSync(path.dirname(growing)), { timeout: 120_000 }).toContain('lake.opened');
    await bring(writer, { batch: 'two' }, filingRows(2));
    writeFileSync(`${growing}.committed`, '');
    expect(await running).toEqual([1, 1, 1, 1, 2]);
  });

  it('reads a column that a later release added as null in older parts', async () => {
    const grown = path.join(temporaryFolder(), 'lake');
    const older = await openLake(grown, { create: true, tables: FEW_TABLES });
    await bring(older, { batch: 'old' }, filingRows(1));
    await older.close();
    const added = { name: 'seen_at', type: 'TIMESTAMPTZ', meaning: 'a time' } as const;
    const wider = FEW_TABLES.map((table) => ({ ...table, columns: [...table.columns, added] }));
    const newer = await openLake(grown, { tables: wider });
    const rows = filingRows(2);
    await bring(
      newer,
      { batch: 'new' },
      { ...rows, filings: [{ ...rows.filings![0]!, seen_at: '2024-05-06T07:08:09Z' }] },
    );
    await newer.close();
    const seen = await run(
      `
lake = filinglake.open(given)
def seen(version):
    rows = lake.table("filings", version).order("accession_number").select("accession_number, epoch(seen_at)").fetchall()
    return [row[1] for row in rows]
print(json.dumps([seen(0), seen(1), str(lake.arrow("filings").schema.field("seen_at").type)]))
`,
      grown,
    );
    expect(seen).toEqual([[null], [null, Date.parse('2024-05-06T07:08:09Z') / 1000], 'timestamp[us, tz=UTC]']);
  });

  it('reports a fault of a lake with the code of the command', async () => {
    const parent = temporaryFolder();
    const damaged = path.join(parent, 'damaged');
    const writer = await openLake(damaged, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 3; n++) await bring(writer, { batch: `b${n}` }, filingRows(n));
    await writer.compact();
    await writer.close();
    const log = path.join(damaged, '_lake');
    // As a vacuum leaves the older versions of a table; the newest part of another is lost.
    const parts = (table: string, version: number) => {
      const commit = JSON.parse(readFileSync(path.join(log, `${String(version).padStart(20, '0')}.json`), 'utf8'));
      return (commit.tables[table]?.add ?? []).map(({ part }: { part: string }) => path.join(damaged, table, part));
    };
    for (const part of parts('filings', 0)) rmSync(part);
    const newest = readdirSync(log).length - 1;
    for (let version = 0; version <= newest; version++)
      for (const part of parts('documents', version)) rmSync(part, { force: true });
    const seen = (await run(
      `
damaged, nowhere = given
lake = filinglake.open(damaged)
print(json.dumps({
    "nowhere": code_of(lambda: filinglake.open(nowhere)),
    "unknown": code_of(lambda: filinglake.open(damaged, 99)),
    "vacuumed": code_of(lambda: lake.arrow("filings", 0)),
    "missing": code_of(lambda: lake.arrow("documents")),
    "no_table": code_of(lambda: lake.table("filing")),
    "query": code_of(lambda: lake.sql("SELECT count(*) FROM documents")),
    "other": lake.sql("SELECT count(*) FROM filings").fetchall()[0][0],
}))
`,
      [damaged, path.join(parent, 'nowhere')],
    )) as Record<string, unknown>;
    expect(seen).toMatchObject({
      nowhere: { code: 'lake-missing' },
      unknown: { class: 'UsageError', code: 'lake-version-unknown', exit_code: 2 },
      vacuumed: { code: 'lake-version-vacuumed' },
      missing: { code: 'part-missing', remedy: expect.stringContaining('lake') },
      no_table: { code: 'table-unknown', remedy: expect.stringContaining('filings') },
      query: { code: 'part-missing' },
      other: 3,
    });
    // A log that lost a version or was changed is damage, never fewer rows.
    const commit = path.join(log, `${'1'.padStart(20, '0')}.json`);
    const text = readFileSync(commit, 'utf8');
    const codeOfOpening = () => run('print(json.dumps(code_of(lambda: filinglake.open(given).tables())))', damaged);
    writeFileSync(commit, text.replace(/"promises":\{"/, '"promises":{"x":1,"').replace(/"filings":2/g, '"filings":3'));
    expect(await codeOfOpening()).toMatchObject({ code: 'lake-damaged' });
    writeFileSync(commit, text.slice(0, -20));
    expect(await codeOfOpening()).toMatchObject({ code: 'lake-damaged' });
    renameSync(commit, `${commit}.gone`);
    expect(await codeOfOpening()).toMatchObject({ code: 'lake-damaged' });
  });
});
