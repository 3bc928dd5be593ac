/** The folder of a release: digests that depend on rows alone, and a check that finds every change. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DifferenceOptions, findDifferences, hasAll } from '../../../src/cli/terminal/release-differences.ts';
import { openEngine } from '../../../src/lake/engine/duckdb.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { SUMS, sumsText } from '../../../src/lake/release/manifest.ts';
import { digestRows } from '../../../src/lake/release/row-digest.ts';
import { sha256OfFile } from '../../../src/lake/release/write-release.ts';
import { exportRelease, type ReleaseManifest, readManifest, verifyRelease } from '../../../src/lake/report/index.ts';
import { type ColumnType, TABLES } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { everything } from '../../support/lake/every-table.ts';
import { plainDigest } from '../../support/lake/plain-digest.ts';
import { accession, bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';
import { seededChance } from '../../support/seeded-chance.ts';
import { jsonRows } from '../../support/shared.ts';

const OPTIONS = { versions: { filinglake: '0', mapping: 1 }, citation: {} };

async function released(lake: Lake, folder: string, name = 'v1'): Promise<ReleaseManifest> {
  return (await exportRelease(lake, await lake.makeRelease({ name }), folder, OPTIONS)).manifest;
}

const digestsOf = ({ tables }: ReleaseManifest) =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([name, { rows, digest }]) => (rows > 0 ? [[name, digest?.sha256]] : [])),
  );

describe('the digests of a release', () => {
  it('are the same whatever order, batches, compactions and machines the rows went through', async () => {
    const lakes = await Promise.all([0, 1].map(() => openLake(path.join(temporaryFolder(), 'lake'), { create: true })));
    const [one, other] = lakes as [Lake, Lake];
    const numbers = [1, 2, 3, 4, 5, 6];
    for (const n of numbers) await bring(one, { run: 'first', batch: `b${n}` }, everything(n));
    await bring(other, { run: 'second', batch: 'x' }, together(everything(5), everything(2), filingRows(901, 'old')));
    await bring(other, { run: 'second', batch: 'y' }, together(...[6, 1, 4, 3].map(everything)), wholeFiling(901));
    await other.compact();
    const manifests = await Promise.all(lakes.map((lake) => released(lake, path.join(temporaryFolder(), 'release'))));
    expect(manifests[0]!.digest).toBe(manifests[1]!.digest);
    expect(digestsOf(manifests[0]!)).toEqual(digestsOf(manifests[1]!));
    expect(Object.keys(digestsOf(manifests[0]!)).length).toBeGreaterThan(20);
    // They are what their description says.
    for (const table of TABLES) {
      const digest = manifests[0]!.tables[table.name]?.digest;
      if (!digest || manifests[0]!.tables[table.name]!.rows === 0) continue;
      const rows = await one.query(`FROM ${table.name}`);
      const columns = table.columns.filter(({ name }) => digest.columns.includes(name));
      expect([table.name, plainDigest(rows, columns)]).toEqual([table.name, digest.sha256]);
    }
    await Promise.all(lakes.map((lake) => lake.close()));
  });

  it('name each column that they leave out, and why', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(lake, { batch: 'b' }, everything(1));
    const { tables } = await released(lake, path.join(temporaryFolder(), 'release'));
    for (const [name, { digest, left_out, columns }] of Object.entries(tables)) {
      const covered = [...(digest?.columns ?? []), ...left_out.flatMap(({ column }) => column ?? [])];
      if (digest !== null) expect([name, covered.sort()]).toEqual([name, columns.map((column) => column.name).sort()]);
      else expect(left_out).toMatchObject([{ column: null }]);
      expect(left_out.every(({ why }) => why.length > 5)).toBe(true);
    }
  });
});

describe('the digest of rows', () => {
  const COLUMNS: { name: string; type: ColumnType; value: fc.Arbitrary<string> }[] = [
    {
      name: 't',
      type: 'VARCHAR',
      value: fc.constantFrom(
        "''",
        "'a'",
        "'-'",
        "'1:a'",
        "'é😀'",
        `'${'x'.repeat(64)}'`,
        `'${'x'.repeat(65)}'`,
        `sha256('${'x'.repeat(65)}')`,
      ),
    },
    { name: 'u', type: 'VARCHAR', value: fc.constantFrom("''", "'a'", "'1:a'", "'a1:a'") },
    { name: 'i', type: 'BIGINT', value: fc.constantFrom('0', '1', '-1', '9007199254740993') },
    {
      name: 'm',
      type: 'DECIMAL(38,12)',
      value: fc.constantFrom('0', '0.000000000001', '-0.5', '99999999999999999999999999.999999999999'),
    },
    {
      name: 'x',
      type: 'DOUBLE',
      value: fc.constantFrom(
        '0',
        "'-0'::DOUBLE",
        '0.1',
        '1e308',
        "'NaN'",
        "'Infinity'",
        "'-Infinity'",
        '0.30000000000000004',
        '0.3',
      ),
    },
    { name: 'b', type: 'BOOLEAN', value: fc.constantFrom('true', 'false') },
    { name: 'd', type: 'DATE', value: fc.constantFrom("'1993-01-01'", "'2024-02-29'") },
    {
      name: 'z',
      type: 'TIMESTAMPTZ',
      value: fc.constantFrom("'2024-01-01 00:00:00+00'", "'2024-01-01 00:00:00.000001+00'"),
    },
    { name: 'o', type: 'BLOB', value: fc.constantFrom("''::BLOB", "'\\x00'::BLOB", "'\\x00\\x00'::BLOB") },
  ];
  const row = fc.tuple(...COLUMNS.map(({ value }) => fc.option(value, { nil: 'NULL' })));
  const lists = fc.array(row, { maxLength: 8 });
  let connection: DuckDBConnection;
  beforeAll(async () => {
    const settings = { spillFolder: temporaryFolder(), memoryBytes: 2 ** 28, threads: 2, keepOrder: true };
    connection = await (await openEngine(settings)).connect();
  });
  afterAll(() => connection.closeSync());

  const digest = async (rows: readonly (readonly string[])[]) => {
    const selects = rows.map(
      (one) => `SELECT ${one.map((value, i) => `${value}::${COLUMNS[i]!.type} AS ${COLUMNS[i]!.name}`).join(', ')}`,
    );
    const none = `SELECT ${COLUMNS.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ')} WHERE false`;
    return (await digestRows(connection, `(${[none, ...selects].join(' UNION ALL ')})`, COLUMNS)).sha256;
  };
  const asMultiset = (rows: readonly (readonly string[])[]) =>
    rows
      .map((one) => JSON.stringify(one))
      .sort()
      .join('\n');

  it('is equal for the same rows in any order, and different for any other: values, nulls, repetitions', async () => {
    await fc.assert(
      fc.asyncProperty(lists, lists, fc.nat(), fc.nat(), async (rows, others, at, column) => {
        const before = await digest(rows);
        expect(await digest([...rows].reverse())).toBe(before);
        expect((await digest(others)) === before).toBe(asMultiset(rows) === asMultiset(others));
        if (rows.length === 0) return;
        const n = at % rows.length;
        expect(await digest([...rows, rows[n]!])).not.toBe(before);
        expect(await digest(rows.toSpliced(n, 1))).not.toBe(before);
        const changed = rows[n]!.with(
          column % COLUMNS.length,
          rows[n]![column % COLUMNS.length] === 'NULL' ? "'1'" : 'NULL',
        );
        const isCastable = !changed.some(
          (value, i) => value === "'1'" && ['DATE', 'TIMESTAMPTZ'].includes(COLUMNS[i]!.type),
        );
        if (isCastable) expect(await digest(rows.with(n, changed))).not.toBe(before);
      }),
      { numRuns: runs(60) },
    );
  });

  it('is another one if columns exchange their names, or have other types', async () => {
    const [t, u, i] = COLUMNS as [(typeof COLUMNS)[0], (typeof COLUMNS)[0], (typeof COLUMNS)[0]];
    const rows = "(SELECT 'a' AS t, 'b' AS u, 1::BIGINT AS i)";
    const of = async (from: string, columns: readonly { name: string; type: ColumnType }[]) =>
      (await digestRows(connection, from, columns)).sha256;
    const before = await of(rows, [t, u, i]);
    expect(await of("(SELECT 'b' AS t, 'a' AS u, 1::BIGINT AS i)", [u, t, i])).not.toBe(before);
    expect(await of("(SELECT 'a' AS t, 'b' AS u, '1' AS i)", [t, u, { name: 'i', type: 'VARCHAR' }])).not.toBe(before);
    const empty = `(FROM ${rows} WHERE false)`;
    expect(await of(empty, [t, u])).not.toBe(await of(empty, [t, i]));
  });

  it('streams more rows than fit into the memory of DuckDB', async () => {
    const small = await openEngine({
      spillFolder: temporaryFolder(),
      memoryBytes: 20 * 2 ** 20,
      threads: 1,
      keepOrder: false,
    });
    const narrow = await small.connect();
    // 16 MB of digests, and as much again to sort them.
    const { rows } = await digestRows(narrow, '(SELECT range AS i FROM range(500000))', [
      { name: 'i', type: 'BIGINT' },
    ]);
    expect(rows).toBe(500_000);
    narrow.closeSync();
    small.closeSync();
  });
});

describe('the check of a folder', () => {
  let whole: string;
  let folder: string;
  beforeAll(async () => {
    // Each check digests every table.
    const tables = FEW_TABLES.filter(({ name }) => ['filings', 'coverage'].includes(name));
    await using lake = await openLake(temporaryFolder(), { create: true, tables });
    const rows = (n: number) => together(filingRows(n), filingRows(n + 10));
    for (const n of [1, 2]) {
      const { filings, coverage } = rows(n);
      await bring(lake, { batch: `b${n}` }, { filings: filings!, coverage: coverage! });
    }
    whole = path.join(temporaryFolder(), 'release');
    await released(lake, whole);
  });
  beforeEach(() => {
    folder = path.join(temporaryFolder(), 'copy');
    cpSync(whole, folder, { recursive: true });
  });

  const files = () =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .sort();
  const codes = async () => (await verifyRelease(folder)).problems.map(({ code, file }) => `${code} ${file}`);

  it('finds nothing in a whole one', async () => {
    expect(await verifyRelease(folder)).toMatchObject({ ok: true, problems: [] });
    expect(files()).toEqual(
      expect.arrayContaining(['README.md', 'SHA256SUMS', 'croissant.json', 'datacite.json', 'manifest.json']),
    );
  });

  it('finds each member of the manifest that is of another kind, and reads no file outside the folder', async () => {
    const file = path.join(folder, 'manifest.json');
    const text = readFileSync(file, 'utf8');
    const places = (value: unknown, at: string[] = []): string[][] =>
      typeof value !== 'object' || value === null
        ? [at]
        : [at, ...Object.entries(value).flatMap(([name, one]) => places(one, [...at, name]))];
    const all = places({ tables: JSON.parse(text).tables }).filter((at) => at[0] === 'tables' && at[1] === 'filings');
    expect(all.length).toBeGreaterThan(50);
    const chance = seededChance();
    for (const other of [null, 7, 'x', [], {}, '../../other.parquet', "VARCHAR) FROM read_text('/etc/hostname')"]) {
      const manifest = JSON.parse(text);
      const at = all[Math.floor(chance() * all.length)]!;
      const holder = at.slice(0, -1).reduce((value, name) => value[name], manifest);
      holder[at.at(-1)!] = other;
      writeFileSync(file, JSON.stringify(manifest));
      const report = await verifyRelease(folder);
      expect([at, other, report.problems.some((one) => one.file === 'manifest.json')]).toEqual([at, other, true]);
    }
    for (const wrong of ['null', '[]', '{}', '{"format":1}', '{"format":2}']) {
      writeFileSync(file, wrong);
      expect((await codes()).filter((code) => code.startsWith('unreadable'))).toEqual(['unreadable manifest.json']);
    }
  });

  it('finds missing and additional files', async () => {
    const parts = files().filter((name) => name.startsWith('tables/filings/'));
    expect(parts).toHaveLength(2);
    const first = parts[0]!;
    const at = (name: string) => path.join(folder, name);
    rmSync(at(first));
    expect(await codes()).toContain(`file-missing ${first}`);
    cpSync(path.join(whole, first), at(first));
    writeFileSync(at('tables/filings/0003.parquet'), readFileSync(at(first)));
    expect(await codes()).toContain('file-extra tables/filings/0003.parquet');
    rmSync(at('tables/filings/0003.parquet'));
    mkdirSync(at('tables/more'));
    writeFileSync(at('tables/more/notes.txt'), '');
    expect(await codes()).toContain('file-extra tables/more/notes.txt');
    rmSync(at('tables/more'), { recursive: true });
    for (const name of ['SHA256SUMS', 'manifest.json']) {
      rmSync(at(name));
      expect((await codes()).some((code) => code.includes(name))).toBe(true);
      cpSync(path.join(whole, name), at(name));
    }
    expect(await codes()).toEqual([]);
  });

  it('finds links to nothing, to folders and to files elsewhere, pipes, and folders in the place of a file', async () => {
    const [first, second] = files().filter((name) => name.startsWith('tables/filings/')) as [string, string];
    const at = (name: string) => path.join(folder, name);
    symlinkSync(path.join(whole, second), at('elsewhere'));
    symlinkSync('nowhere', at('dangling'));
    symlinkSync(whole, at('other-folder'));
    execFileSync('mkfifo', [at('pipe')]);
    const additional = ['dangling', 'elsewhere', 'other-folder', 'pipe'];
    expect((await codes()).sort()).toEqual(additional.map((name) => `file-extra ${name}`));
    for (const name of additional) rmSync(at(name));
    // A release whose files are links, as stores by content make them, is whole.
    rmSync(at(first));
    symlinkSync(path.join(whole, first), at(first));
    expect(await codes()).toEqual([]);
    for (const name of [first, 'manifest.json', SUMS]) {
      rmSync(at(name));
      mkdirSync(at(name));
      expect((await codes()).some((code) => code.includes(name))).toBe(true);
      rmSync(at(name), { recursive: true });
      cpSync(path.join(whole, name), at(name));
    }
    expect(await codes()).toEqual([]);
  });

  it('finds each of 55 changes at random, five of a kind: bits, cut ends, zeroed blocks, exchanged files, moved bytes, edited texts', async () => {
    const chance = seededChance();
    const upTo = (n: number) => Math.floor(chance() * n);
    const names = files();
    const aBit = (bytes: Buffer) => {
      const at = upTo(bytes.length);
      return Buffer.from(bytes).fill(bytes[at]! ^ (1 << upTo(8)), at, at + 1);
    };
    const disorders: Record<string, (bytes: Buffer) => Buffer> = {
      'a bit': aBit,
      'another bit': aBit,
      'a third bit': aBit,
      cut: (bytes) => bytes.subarray(0, upTo(bytes.length)),
      'cut in front': (bytes) => bytes.subarray(1 + upTo(bytes.length - 1)),
      zeroed: (bytes) => Buffer.from(bytes).fill(0, upTo(bytes.length - 1)),
      'another file': () => readFileSync(path.join(whole, names[upTo(names.length)]!)),
      longer: (bytes) => Buffer.concat([bytes, Buffer.from('\n')]),
      'in disorder': (bytes) => {
        const [a, b] = [upTo(bytes.length), upTo(bytes.length)].sort((x, y) => x - y) as [number, number];
        return Buffer.concat([bytes.subarray(b), bytes.subarray(a, b), bytes.subarray(0, a)]);
      },
      'another digit': (bytes) => {
        const text = bytes.toString('latin1');
        const at = [...text.matchAll(/\d/g)].map(({ index }) => index);
        const n = at[upTo(at.length)] ?? 0;
        return Buffer.from(`${text.slice(0, n)}${(Number(text[n]) + 1) % 10}${text.slice(n + 1)}`, 'latin1');
      },
      'a line less': (bytes) => Buffer.from(bytes.toString('latin1').replace(/.*\n/, ''), 'latin1'),
    };
    const kinds = Object.keys(disorders);
    const undetected: string[] = [];
    for (let n = 0; n < runs(55); n++) {
      const name = names[upTo(names.length)]!;
      const kind = kinds[n % kinds.length]!;
      const before = readFileSync(path.join(folder, name));
      const after = disorders[kind]!(before);
      writeFileSync(path.join(folder, name), after);
      const { ok, problems } = await verifyRelease(folder);
      // A changed line of the sums names another file.
      const isNamed = name === SUMS || problems.some(({ file }) => file === name);
      if (after.equals(before) ? !ok : ok || !isNamed) undetected.push(`${kind}: ${name}`);
      writeFileSync(path.join(folder, name), before);
    }
    expect(undetected).toEqual([]);
  });

  it('finds rows that were changed together with every sum', async () => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
    const [first, second] = manifest.tables.filings.parts;
    const file = (one: { file: string }) => path.join(folder, one.file);
    writeFileSync(file(second), readFileSync(file(first)));
    Object.assign(second, { sha256: first.sha256, bytes: first.bytes, rows: first.rows });
    writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    const sums = new Map<string, string>();
    for (const name of files()) if (name !== SUMS) sums.set(name, await sha256OfFile(path.join(folder, name)));
    writeFileSync(path.join(folder, SUMS), sumsText(sums));
    expect(await codes()).toContain('rows-differ filings');
  });

  it('is a command', async () => {
    expect(await commandLine(['lake', 'release', 'verify', folder])).toMatchObject({ status: 0 });
    truncateSync(path.join(folder, 'README.md'), 10);
    const { status, stdout } = await commandLine(['lake', 'release', 'verify', folder]);
    expect([status, stdout]).toEqual([1, expect.stringContaining('wrong: README.md differs from its SHA-256')]);
    expect(await commandLine(['lake', 'release', 'verify', temporaryFolder()])).toMatchObject({ status: 1 });
  });
});

/** As the last step of `lake release rebuild`. */
async function compareWith(manifest: string, place: string, options: DifferenceOptions = {}) {
  await using lake = await openLake(place);
  const found = await findDifferences(lake, await readManifest(manifest), path.dirname(manifest), options);
  return { hasAll: hasAll(found), ...found };
}

describe('a lake compared with a release', () => {
  it('has rows that are equal, changed, withdrawn or new', async () => {
    const lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    await bring(lake, { batch: 'a' }, together(...[1, 2, 3, 4].map((n) => filingRows(n))));
    const folder = path.join(temporaryFolder(), 'release');
    await released(lake, folder);
    await lake.close();
    const other = temporaryFolder();
    await using again = await openLake(other, { create: true, tables: FEW_TABLES });
    await bring(again, { run: 'x', batch: 'b' }, together(filingRows(4), filingRows(2)));
    await bring(again, { run: 'x', batch: 'c' }, together(filingRows(3), filingRows(1)));
    const compare = (manifest = path.join(folder, 'manifest.json')) => compareWith(manifest, other);
    const whole = { released: 4, found: 4, same: true, equal: 4, changed: 0, withdrawn: 0, added: 0 };
    expect(await compare()).toMatchObject({ hasAll: true, tables: { filings: whole } });
    // 2 is corrected, 3 withdrawn, 9 new.
    await bring(again, { run: 'x', batch: 'd' }, together(filingRows(2, 'r2'), filingRows(9)), wholeFiling(2, 3));
    const filings = { released: 4, found: 4, same: false, equal: 2, changed: 1, withdrawn: 1, added: 1 };
    const documents = { released: 8, found: 8, same: false, equal: 4, changed: 2, withdrawn: 2, added: 2 };
    expect(await compare()).toMatchObject({ hasAll: false, tables: { filings, documents } });
    const rows = path.join(temporaryFolder(), 'rows.jsonl');
    const named = await compareWith(path.join(folder, 'manifest.json'), other, { rows, parquet: path.dirname(rows) });
    expect(named).toMatchObject({ filings: { equal: 2, changed: 1, withdrawn: 1, new: 1, unfetched: 0 } });
    const fates = jsonRows(rows).filter(({ table }) => table === 'filings');
    expect(fates).toEqual([
      {
        table: 'filings',
        change: 'changed',
        key: { accession_number: accession(2) },
        filing: 'changed',
        columns: ['entity_name'],
      },
      { table: 'filings', change: 'withdrawn', key: { accession_number: accession(3) }, filing: 'withdrawn' },
      { table: 'filings', change: 'new', key: { accession_number: accession(9) }, filing: 'new' },
    ]);
    const whole9 = await again.query(
      `SELECT _change_type, count(*) AS n FROM read_parquet('${path.dirname(rows)}/documents.parquet') GROUP BY 1 ORDER BY 1`,
    );
    expect(whole9.map(({ n }) => n)).toEqual([2, 2, 2, 2]);
    const alone = path.join(temporaryFolder(), 'manifest.json');
    cpSync(path.join(folder, 'manifest.json'), alone);
    expect(await compare(alone)).toMatchObject({ hasAll: false, tables: { filings: { same: false, equal: null } } });
  });

  it('is not compared with rows that were changed in the folder, nor with columns and tables that it does not know', async () => {
    const lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
    const folder = path.join(temporaryFolder(), 'release');
    await released(lake, folder);
    await lake.close();
    const other = temporaryFolder();
    await using again = await openLake(other, { create: true, tables: FEW_TABLES });
    await bring(again, { batch: 'a' }, filingRows(1));
    const manifest = path.join(folder, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    const compare = () => compareWith(manifest, other);
    expect(await compare()).toMatchObject({ hasAll: false, filings: { equal: 1, withdrawn: 1 } });
    // Valid Parquet, but of other rows: both filings would count as changed.
    const engine = await openEngine({
      spillFolder: temporaryFolder(),
      memoryBytes: 2 ** 28,
      threads: 1,
      keepOrder: true,
    });
    await (await engine.connect()).run(
      `COPY (SELECT * REPLACE ('forged' AS entity_name) FROM read_parquet('${folder}/tables/filings/0001.parquet')) TO '${folder}/forged' (FORMAT parquet)`,
    );
    engine.closeSync();
    renameSync(path.join(folder, 'forged'), path.join(folder, 'tables/filings/0001.parquet'));
    await expect(compare()).rejects.toMatchObject({
      message: expect.stringContaining('not those of manifest.json'),
      remedy: expect.stringContaining('release verify'),
    });
    const edited = (edit: (tables: ReleaseManifest['tables']) => unknown) => {
      const parsed = JSON.parse(text);
      edit(parsed.tables);
      writeFileSync(manifest, JSON.stringify(parsed));
      return compare();
    };
    const column = edited(({ filings }) => {
      (filings!.columns as object[]).push({ name: 'more', type: 'DATE', meaning: '' });
      (filings!.digest!.columns as string[]).push('more');
    });
    await expect(column).rejects.toThrow('the column filings.more DATE, which this filinglake lacks');
    const table = edited((tables) => Object.assign(tables, { omens: tables.filings }));
    await expect(table).rejects.toThrow('the table omens, which');
  });

  it('has unfetched filings, not withdrawn ones, where a request of them failed', async () => {
    const tables = [...FEW_TABLES, ...TABLES.filter(({ name }) => name === 'export_failures')];
    const lake = await openLake(temporaryFolder(), { create: true, tables });
    await bring(lake, { batch: 'a' }, together(...[1, 2, 3].map((n) => filingRows(n))));
    const folder = path.join(temporaryFolder(), 'release');
    await released(lake, folder);
    await lake.close();
    const place = temporaryFolder();
    const again = await openLake(place, { create: true, tables });
    const failure = { export: 'e', step: 'filing', subject: accession(3), accession_number: accession(3) };
    await bring(again, { batch: 'a' }, { ...filingRows(1), export_failures: [failure] });
    await again.close();
    const rows = path.join(temporaryFolder(), 'rows.jsonl');
    const manifest = path.join(folder, 'manifest.json');
    expect(await compareWith(manifest, place, { rows })).toMatchObject({
      hasAll: false,
      filings: { equal: 1, changed: 0, withdrawn: 1, new: 0, unfetched: 1 },
    });
    const lines = jsonRows(rows);
    const fates = Object.fromEntries(
      lines.map(({ table, key, filing }) => [`${table} ${key.accession_number}`, filing]),
    );
    expect(fates).toMatchObject({
      [`filings ${accession(2)}`]: 'withdrawn',
      [`filings ${accession(3)}`]: 'unfetched',
      [`coverage ${accession(3)}`]: 'unfetched',
    });
  });

  it('has withdrawn filings that it keeps itself, and not those that the release knew', async () => {
    const place = temporaryFolder();
    const lake = await openLake(place, { create: true, tables: FEW_TABLES });
    const removed = (n: number) => ({
      filings: filingRows(n).filings!.map((row) => ({ ...row, removed_at: '2026-01-01T00:00:00Z' })),
    });
    const filings = (...numbers: number[]) => [
      { table: 'filings', columns: ['accession_number'], values: numbers.map((n) => [accession(n)]) },
    ];
    await bring(lake, { batch: 'a' }, together(...[1, 2, 3].map((n) => filingRows(n))));
    await bring(lake, { batch: 'b' }, removed(1), filings(1));
    const folder = path.join(temporaryFolder(), 'release');
    await released(lake, folder);
    await bring(lake, { batch: 'c' }, removed(2), filings(2));
    await lake.close();
    const manifest = path.join(folder, 'manifest.json');
    expect(await compareWith(manifest, place)).toMatchObject({
      hasAll: false,
      tables: { filings: { same: true } },
      filings: { equal: 2, withdrawn: 1 },
    });
  });
});
