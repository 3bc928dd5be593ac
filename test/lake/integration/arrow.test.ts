/** Results as Arrow and Parquet: what goes in comes out, by apache-arrow, pyarrow and polars, against DuckDB's own Arrow. */
import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { pythonReaders } from '../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';

let lake: Lake;
beforeAll(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
});
afterAll(() => lake.close());

async function arrowOf(sql: string): Promise<Buffer> {
  await using result = await lake.stream(sql);
  const parts: Uint8Array[] = [];
  for await (const part of result.arrow()) parts.push(part);
  return Buffer.concat(parts);
}

const quoted = (text: string | null) => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`);

describe('a result as Arrow', () => {
  it('has the texts, bytes and lists that went in, whatever their length and however many are null', async () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ maxLength: 14 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constant('x'.repeat(5000)),
      ),
      { freq: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 700 }),
        async (texts, times) => {
          const clean = texts.map((one) => one?.replaceAll('\0', '') ?? null);
          const sql =
            `SELECT t, encode(t) AS b, CASE WHEN n % 3 = 0 THEN NULL ELSE [t, NULL, n::VARCHAR] END AS l, {'t': t} AS s, n
          FROM (SELECT unnest([${clean.map(quoted).join(', ')}]::VARCHAR[]) AS t), range(${times}) r(n)`.replace(
              't::BLOB',
              'encode(t)',
            );
          const table = tableFromIPC(await arrowOf(sql));
          expect(table.numRows).toBe(clean.length * times);
          await using result = await lake.stream(sql);
          let row = 0;
          const [t, b, l, s] = ['t', 'b', 'l', 's'].map((name) => table.getChild(name)!);
          for await (const chunk of result.chunks()) {
            for (const cells of chunk) {
              const bytes = b!.get(row) as Uint8Array | null;
              const list = l!.get(row) as Iterable<string | null> | null;
              const given = [
                t!.get(row),
                bytes && Buffer.from(bytes).toString('base64'),
                list && [...list],
                (s!.get(row) as { t: string | null }).t,
              ];
              const wanted = [cells[0], cells[1], cells[2], cells[0]];
              // There are some 200,000 rows: an expectation for each costs more than the reading.
              if (!isDeepStrictEqual(given, wanted)) expect(given, `row ${row}`).toEqual(wanted);
              row++;
            }
          }
          expect(row).toBe(table.numRows);
        },
      ),
      { numRuns: runs(8) },
    );
  });

  it('is only a schema if there are no rows', async () => {
    const table = tableFromIPC(await arrowOf('SELECT * FROM filings'));
    const names = TABLES.find(({ name }) => name === 'filings')!.columns.map(({ name }) => name);
    expect([table.numRows, table.schema.fields.map(({ name }) => name)]).toEqual([0, names]);
    const accepted = table.schema.fields.find(({ name }) => name === 'acceptance_datetime')!;
    expect(String(accepted.type)).toBe('Timestamp<MICROSECOND>');
  });

  it('comes in batches, the first of them before the last row is read', async () => {
    await using result = await lake.stream('SELECT n, n::VARCHAR AS t FROM range(200000) r(n)');
    const parts = [];
    for await (const part of result.arrow()) parts.push(part.length);
    // Schema, batches, end.
    expect(parts.length).toBe(1 + Math.ceil(200_000 / 32_768) + 1);
    expect(Math.max(...parts)).toBeLessThan(2_000_000);
  });

  it('reports mistakes of the query like every format', async () => {
    await expect(arrowOf("SELECT n, error('late') FROM range(5) r(n)")).rejects.toMatchObject({ code: 'sql-invalid' });
    await expect(lake.writeParquet('SELECT 1; SELECT 2', path.join(temporaryFolder(), 'x'))).rejects.toMatchObject({
      code: 'sql-refused',
      exitCode: 2,
    });
    await expect(lake.writeParquet('SELECT 1', path.join(temporaryFolder(), 'no', 'x'))).rejects.toMatchObject({
      code: 'output-unwritable',
    });
  });
});

const python = pythonReaders();
const missing = 'missing' in python ? python.missing : null;
if (missing !== null) process.stderr.write(`tests of Arrow with Python are skipped: ${missing}\n`);

/** Each value, its negative or another, and null. */
const both = (type: string, ...values: string[]) =>
  `unnest([${[...values, 'NULL'].join(', ')}]::${type}[]) AS "${type.toLowerCase()}"`;

const QUERIES: Record<string, string> = {
  numbers: `SELECT ${[
    both('BOOLEAN', 'true', 'false'),
    both('TINYINT', '-128', '127'),
    both('SMALLINT', '-32768', '32767'),
    both('INTEGER', '-2147483648', '2147483647'),
    both('BIGINT', '-9223372036854775808', '9223372036854775807'),
    both('UTINYINT', '0', '255'),
    both('USMALLINT', '0', '65535'),
    both('UINTEGER', '0', '4294967295'),
    both('UBIGINT', '0', '18446744073709551615'),
    both('HUGEINT', '-99999999999999999999999999999999999999', '99999999999999999999999999999999999999'),
    both('FLOAT', '1.5', '-0.25'),
    both('DOUBLE', '1e300', "'-inf'"),
  ].join(', ')}`,
  decimals: `SELECT ${[
    both('DECIMAL(4,1)', '-123.4', '999.9'),
    both('DECIMAL(9,3)', '-123456.789', '0.001'),
    both('DECIMAL(18,0)', '-999999999999999999', '1'),
    both('DECIMAL(38,10)', '-1234567890123456789012345678.0123456789', '0.0000000001'),
  ].join(', ')}`,
  times: `SELECT ${[
    both('DATE', "'1993-01-01'", "'2024-02-29'"),
    both('TIME', "'00:00:00'", "'23:59:59.999999'"),
    both('TIMESTAMP', "'1969-12-31 23:59:59.000001'", "'2024-02-29 12:00:00'"),
    both('TIMESTAMP_S', "'1969-12-31 23:59:59'", "'2024-02-29 12:00:00'"),
    both('TIMESTAMP_MS', "'1969-12-31 23:59:59.001'", "'2024-02-29 12:00:00'"),
    both('TIMESTAMP_NS', "'1969-12-31 23:59:59.000000001'", "'2024-02-29 12:00:00'"),
    both('TIMESTAMPTZ', "'1969-12-31 23:59:59.000001+00'", "'2024-02-29 12:00:00-05'"),
  ].join(', ')}`,
  texts: `SELECT ${[both('VARCHAR', "''", "'twelve bytes'", "'thirteen bytes'", "'Ünïcödé 🙂'"), both('BLOB', "''", "'\\x00\\xFF'", "'thirteen byte'")].join(', ')}`,
  nested: `SELECT unnest([[1, NULL], [], NULL]) AS ints, unnest([[['a'], []], NULL, [NULL, ['b', 'a longer text']]]) AS lists,
    unnest([{'a': 1, 'b': ['x']}, NULL, {'a': NULL, 'b': []}]) AS structs, unnest([MAP {'k': 1}, MAP {}, NULL]) AS maps,
    unnest([[1, 2]::INTEGER[2], NULL, [3, NULL]::INTEGER[2]]) AS pairs, unnest([[1.5::DECIMAL(5,2)], NULL, [true::INT]]) AS decimals`,
  nulls:
    'SELECT NULL::INTEGER AS i, NULL::VARCHAR AS v, NULL::VARCHAR[] AS l, NULL::DECIMAL(9,2) AS d, NULL::BOOLEAN AS b FROM range(5000)',
  many: `SELECT n, CASE WHEN n % 3 = 0 THEN NULL ELSE repeat('ab', (n % 40)::INT) || n END AS t, n % 5 = 0 AS b,
      CASE WHEN n > 60000 AND n % 2 = 0 THEN NULL ELSE n * 0.01::DECIMAL(10,2) END AS d,
      CASE WHEN n % 4 = 0 THEN NULL ELSE [x FOR x IN range(n % 6) IF x <> 2] END AS l,
      {'a': CASE WHEN n % 2 = 0 THEN n END, 'b': 'same text for all of them'} AS s, 'same text for all of them' AS c
    FROM range(100000) r(n) WHERE n % 7 <> 0 ORDER BY n`,
};

describe.skipIf(missing)('Arrow and Parquet, read by pyarrow and polars', () => {
  it('hold the same values as DuckDB, in the same types', async () => {
    const folder = temporaryFolder();
    const asked = [];
    for (const [name, sql] of Object.entries(QUERIES)) {
      const [arrow, parquet] = [path.join(folder, `${name}.arrows`), path.join(folder, `${name}.parquet`)];
      await using result = await lake.stream(sql);
      await pipeline(result.arrow(), createWriteStream(arrow));
      await lake.writeParquet(`${sql} -- the end`, parquet);
      asked.push({ sql, arrow, parquet, unlike: name === 'nested' ? ['pairs'] : [] });
    }
    const { command, modules } = python as { command: string; modules: string };
    const script = path.join(import.meta.dirname, '../../support/lake/read_arrow.py');
    const options = { input: JSON.stringify(asked), env: { ...process.env, PYTHONPATH: modules } };
    const answers = JSON.parse(execFileSync(command, [script], options).toString()) as {
      rows: number;
      problems: string[];
    }[];
    const byName = Object.fromEntries(Object.keys(QUERIES).map((name, i) => [name, answers[i]!.problems]));
    expect(byName).toEqual(Object.fromEntries(Object.keys(QUERIES).map((name) => [name, []])));
    expect(answers.map(({ rows }) => rows)).toEqual([3, 3, 3, 5, 3, 5000, 85_714]);
  });

  it('have types that Arrow lacks as texts', async () => {
    const table = tableFromIPC(
      await arrowOf(`SELECT '550e8400-e29b-41d4-a716-446655440000'::UUID AS u, INTERVAL 1 MONTH AS i, 'b'::ENUM('a', 'b') AS e,
        '0101'::BIT AS bits, 340282366920938463463374607431768211455::UHUGEINT AS h, [INTERVAL 2 DAY, NULL] AS l, NULL::UUID AS n`),
    );
    expect(table.get(0)!.toJSON()).toMatchObject({
      u: '550e8400-e29b-41d4-a716-446655440000',
      i: '1 month',
      e: 'b',
      bits: '0101',
      h: '340282366920938463463374607431768211455',
      n: null,
    });
    expect([...(table.getChild('l')!.get(0) as Iterable<string>)]).toEqual(['2 days', null]);
  });
});
