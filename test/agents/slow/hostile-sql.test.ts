/** 1,000 hostile statements: none reads or writes a file, changes a setting, or passes the limits of time, memory and rows. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentLake } from '../../support/agents/agent-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const SECRET = 'the words of a file outside the lake';
const TIME_MS = 1_500;

let agents: AgentLake;
let folder: string;
let secret: string;
beforeAll(async () => {
  folder = temporaryFolder();
  secret = join(folder, 'secret.csv');
  writeFileSync(secret, `${SECRET}\n`);
  agents = await AgentLake.open({
    timeMs: TIME_MS,
    rowsMax: 1_000,
    charactersMax: 200_000,
    memoryBytes: 200 * 2 ** 20,
    residentBytesMax: 700 * 2 ** 20,
  });
});
afterAll(() => agents.close());

/** What reads files, or lists them. FILE stands for a path. */
const READERS = [
  "SELECT * FROM 'FILE'",
  'SELECT * FROM "FILE"',
  "SELECT * FROM read_csv('FILE')",
  "SELECT * FROM read_csv_auto('FILE', header = false)",
  "SELECT * FROM read_text('FILE')",
  "SELECT * FROM read_blob('FILE')",
  "SELECT * FROM read_json('FILE')",
  "SELECT * FROM read_ndjson_objects('FILE')",
  "SELECT * FROM read_parquet('FILE')",
  "SELECT * FROM parquet_metadata('FILE')",
  "SELECT * FROM parquet_schema('FILE')",
  "SELECT * FROM sniff_csv('FILE')",
  "SELECT * FROM glob('FILE')",
  "SELECT * FROM query('SELECT * FROM read_text(''FILE'')')",
  "SELECT * FROM query_table('FILE')",
  "SELECT content FROM read_text(['FILE'])",
];
const FILES = [
  'SECRET',
  '/etc/passwd',
  '/proc/self/environ',
  'FOLDER/*',
  'FOLDER/**',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:9/x.csv',
  's3://bucket/x.parquet',
];
/** What else a statement may try. */
const OTHERS = [
  "COPY (SELECT 1) TO 'OUT'",
  "COPY filings TO 'OUT' (FORMAT parquet)",
  "COPY filings FROM 'SECRET'",
  "EXPORT DATABASE 'OUT'",
  "IMPORT DATABASE 'OUT'",
  "ATTACH 'OUT' AS other",
  "ATTACH ':memory:' AS other",
  'DETACH memory',
  'USE memory',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD 'OUT'",
  'SET enable_external_access = true',
  "SET allowed_paths = ['SECRET']",
  "SET allowed_directories = ['/']",
  'SET lock_configuration = false',
  "SET memory_limit = '64GB'",
  'RESET memory_limit',
  "SET temp_directory = '/'",
  'PRAGMA database_list',
  "PRAGMA enable_profiling = 'json'",
  "PRAGMA profiling_output = 'OUT'",
  'CALL pragma_version()',
  'CREATE TABLE t AS SELECT 1',
  'CREATE VIEW v AS SELECT 1',
  'CREATE OR REPLACE TEMP VIEW filings AS SELECT 1',
  'CREATE MACRO f(x) AS x',
  "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'CREATE TYPE mood AS ENUM (SELECT cik FROM filings)',
  'INSERT INTO filings SELECT * FROM filings',
  'UPDATE filings SET cik = NULL',
  'DELETE FROM filings',
  'DROP VIEW filings',
  'DROP SCHEMA kept CASCADE',
  'ALTER TABLE kept.x ADD COLUMN y INT',
  'VACUUM',
  'CHECKPOINT',
  'BEGIN TRANSACTION',
  'COMMIT',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'DEALLOCATE p',
  "EXPLAIN ANALYZE COPY (SELECT 1) TO 'OUT'",
  "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO 'OUT'",
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY (SELECT 1) TO 'OUT'",
  "SELECT E'\\''; COPY (SELECT 1) TO 'OUT'; SELECT ''",
  "SELECT $tag$ ' $tag$; COPY (SELECT 1) TO 'OUT'; SELECT ''",
  "SELECT /* ' */ 1; COPY (SELECT 1) TO 'OUT' -- '",
  "SELECT 1 -- \n; COPY (SELECT 1) TO 'OUT'",
  "PIVOT filings ON form_type USING count(*); COPY (SELECT 1) TO 'OUT'",
  "WITH x AS (COPY (SELECT 1) TO 'OUT') SELECT * FROM x",
  "WITH x AS (SELECT * FROM read_text('SECRET')), y AS (FROM x) SELECT * FROM y",
  "SELECT (SELECT content FROM read_text('SECRET'))",
  "SELECT * FROM filings UNION ALL BY NAME SELECT content AS cik FROM read_text('SECRET')",
  "SELECT list(content) FROM read_text('SECRET')",
  "SELECT getenv('HOME')",
  'SELECT * FROM duckdb_secrets(redact = false)',
  "SELECT current_setting('s3_secret_access_key')",
  'SELECT 1 WHERE',
  '',
  ';;;',
];
/** What never ends, or grows. */
const BOMBS = [
  'SELECT count(*) FROM range(1000000000000)',
  'SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b',
  'SELECT * FROM range(1000000000000)',
  'SELECT list_sum(range(500000000))',
  'SELECT len(range(10000000000))',
  "SELECT length(repeat('x', 2000000000))",
  "SELECT repeat(repeat('x', 100000), 100000)",
  "SELECT string_agg(repeat('x', 10000), '') FROM range(1000000)",
  'SELECT list(range) FROM range(100000000)',
  'SELECT array_agg(r) FROM (SELECT range(1000) AS r FROM range(1000000))',
  'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t',
  'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT * FROM t',
  "WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t",
  'SELECT * FROM filings a, filings b, filings c, filings d, filings e, filings f, filings g, filings h ORDER BY a.cik',
  'SELECT count(DISTINCT hash(a.range, b.range)) FROM range(100000) a, range(100000) b',
  "SELECT regexp_replace(repeat('a', 30000000), '(a*)*b', '', 'g')",
  "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))",
  'SELECT factorial(33) ** 100000',
  'SELECT * FROM generate_series(1, 1000000000) ORDER BY random()',
  "SELECT bit_count(repeat('1', 1000000000)::BIT)",
];
const NESTED = [
  `${'('.repeat(30_000)}1${')'.repeat(30_000)}`,
  Array.from({ length: 20_000 }, () => '1').join(' + '),
  `${'NOT '.repeat(50_000)}true`,
  `${'[ '.repeat(20_000)}${' ]'.repeat(20_000)}`,
];

/** Ways to say the same. */
const DRESSES: ((sql: string) => string)[] = [
  (sql) => sql,
  (sql) => sql.toLowerCase(),
  (sql) => `/* harmless */ ${sql}`,
  (sql) => `-- harmless\n${sql}`,
  (sql) => `${sql};`,
  (sql) => `${sql} -- '`,
  (sql) => `\u00a0${sql.replaceAll(' ', '\t')}`,
  (sql) => `EXPLAIN ${sql}`,
  (sql) => `SELECT * FROM (${sql}) t`,
  (sql) => `WITH a AS (${sql}) SELECT * FROM a`,
];

function statements(): string[] {
  const readers = READERS.flatMap((reader) => FILES.map((file) => reader.replaceAll('FILE', file)));
  const dressed = [
    ...readers.flatMap((sql, i) => [DRESSES[i % DRESSES.length]!(sql), DRESSES[(i + 5) % DRESSES.length]!(sql)]),
    ...OTHERS.flatMap((sql) => DRESSES.map((dress) => dress(sql))),
  ];
  const bombs = [...BOMBS, ...NESTED.map((sql) => `SELECT ${sql}`)];
  const all = [...readers, ...dressed, ...bombs].map((sql) =>
    sql.replaceAll('SECRET', secret).replaceAll('FOLDER', folder).replaceAll('OUT', join(folder, 'out')),
  );
  return all;
}

/** In turn, so that each group has some of each kind. */
const GROUPS = 16;

describe('hostile statements', () => {
  it('are a thousand at least', () => {
    expect(statements().length).toBeGreaterThanOrEqual(1_000);
  });

  it.each(Array.from({ length: GROUPS }, (_, group) => group))(
    'of group %i get nothing, nor more time than they may have',
    async (group) => {
      const all = statements().filter((statement, i) => i % GROUPS === group && statement !== '');
      let refused = 0;
      for (const statement of all) {
        const began = performance.now();
        const { error, text, rows } = await agents.ask('sql', {
          statement: statement.slice(0, 20_000),
          budget: 40_000,
        });
        const ms = performance.now() - began;
        const shown = statement.slice(0, 200);
        if (error) refused++;
        else expect(text, shown).not.toContain(SECRET);
        expect(text, shown).not.toContain('root:x:');
        expect(text, shown).not.toContain('FILINGLAKE_');
        expect((rows ?? []).length, shown).toBeLessThanOrEqual(1_000);
        // The process may have to start again: that is not the statement's time.
        expect(ms, shown).toBeLessThan(TIME_MS + 60_000);
        expect(readdirSync(folder), shown).toEqual(['secret.csv']);
      }
      expect(refused).toBeGreaterThan(all.length * 0.8);
    },
  );

  it('leave the lake and what is beside it as they were', async () => {
    expect(readFileSync(secret, 'utf8')).toBe(`${SECRET}\n`);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    expect(await agents.ask('sql', { statement: 'SELECT count(*) AS n FROM filings' })).toMatchObject({
      rows: [{ n: expect.any(Number) }],
    });
  });
});

describe('kept results', () => {
  it('are tables of the session, with the types of their statement', async () => {
    await agents.ask('sql', {
      statement:
        "SELECT 12345678901234567890::HUGEINT AS big, DATE '2024-01-02' AS day, 'it''s' AS word, NULL::INT AS none",
      keep_as: 'mine',
    });
    expect(
      await agents.ask('sql', { statement: 'SELECT big::VARCHAR AS big, day + 1 AS next, word, none FROM kept.mine' }),
    ).toMatchObject({
      rows: [{ big: '12345678901234567890', next: '2024-01-03', word: "it's", none: null }],
    });
    expect((await agents.ask('sql', { statement: 'SELECT 1', keep_as: 'x; DROP' })).error.code).toBe(
      'tool-input-invalid',
    );
  });
});
