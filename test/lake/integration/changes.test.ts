/** Changes between versions: replayed onto the older one they give the newer one. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../../../src/lake/engine/duckdb.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { prepareChanges } from '../../../src/lake/release/changes.ts';
import type { ColumnDefinition } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';

type Counts = Map<string, number>;

function counted(rows: readonly unknown[], counts: Counts = new Map(), step = 1): Counts {
  for (const row of rows) {
    const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const n = (counts.get(text) ?? 0) + step;
    if (n === 0) counts.delete(text);
    else counts.set(text, n);
  }
  return counts;
}

const sorted = (counts: Counts) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

/** The older rows with the changes; every row that goes must be there. */
function replayed(before: readonly unknown[], changes: readonly { type: string; row: unknown }[]): Counts {
  const counts = counted(before);
  const going = changes.filter(({ type }) => type === 'delete' || type === 'update_preimage');
  counted(
    going.map(({ row }) => row),
    counts,
    -1,
  );
  expect([...counts.values()].every((n) => n > 0)).toBe(true);
  return counted(
    changes.filter((change) => !going.includes(change)).map(({ row }) => row),
    counts,
  );
}

async function changesOf(lake: Lake, range: { since: number; until?: number }) {
  const found = new Map<string, { type: string; row: unknown[] }[]>();
  for await (const { table, chunks } of lake.changes(range)) {
    const rows: { type: string; row: unknown[] }[] = [];
    for await (const chunk of chunks()) for (const [type, ...row] of chunk) rows.push({ type: String(type), row });
    found.set(table, rows);
  }
  return found;
}

async function rowsAt(lake: Lake, table: string, at: number): Promise<unknown[][]> {
  await using result = await lake.stream(`FROM ${table}`, { at });
  const rows: unknown[][] = [];
  for await (const chunk of result.chunks()) rows.push(...chunk);
  return rows;
}

describe('lake changes', () => {
  const filing = fc.integer({ min: 1, max: 6 });
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      filings: fc.uniqueArray(filing, { minLength: 1, maxLength: 3 }),
      revision: fc.constantFrom('r1', 'r2', 'r3'),
      documents: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      kind: fc.constant('delete' as const),
      filings: fc.uniqueArray(filing, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('compact' as const) }),
  );

  it('replay any version of a random lake onto any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.nat(), fc.nat(), async (steps, from, to) => {
        const lake = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
        for (const [n, one] of steps.entries()) {
          if (one.kind === 'compact') await lake.compact();
          else if (one.kind === 'delete') await bring(lake, { batch: `b${n}` }, {}, wholeFiling(...one.filings));
          else
            await bring(
              lake,
              { batch: `b${n}` },
              together(...one.filings.map((f) => filingRows(f, one.revision, one.documents))),
              wholeFiling(...one.filings),
            );
        }
        const versions = (await lake.currentVersion()) + 2;
        const [since, until] = [(from % versions) - 1, (to % versions) - 1];
        const changes = await changesOf(lake, { since, until });
        for (const { name } of FEW_TABLES) {
          const [before, after] = [await rowsAt(lake, name, since), await rowsAt(lake, name, until)];
          const ofTable = changes.get(name) ?? [];
          expect(sorted(replayed(before, ofTable))).toEqual(sorted(counted(after)));
          // Nothing goes and comes again.
          const [gone, come] = [-1, 1].map(
            (side) =>
              new Set(
                ofTable
                  .filter(({ type }) => side < 0 === (type === 'delete' || type === 'update_preimage'))
                  .map(({ row }) => JSON.stringify(row)),
              ),
          );
          expect([...gone!].filter((row) => come!.has(row))).toEqual([]);
        }
        await lake.close();
      }),
      { numRuns: runs(12) },
    );
  });

  it('of lists with rows that occur twice, keys that change, keys of null, and values of every kind', async () => {
    const engine = await openEngine({
      spillFolder: temporaryFolder(),
      memoryBytes: 2 ** 28,
      threads: 2,
      keepOrder: true,
    });
    const connection = await engine.connect();
    const columns = [
      { name: 'k', type: 'VARCHAR', meaning: '' },
      { name: 'j', type: 'INTEGER', meaning: '' },
      { name: 'x', type: 'DOUBLE', meaning: '' },
    ] satisfies ColumnDefinition[];
    const row = fc.tuple(
      fc.constantFrom("'a'", "'b'", "''", 'NULL'),
      fc.constantFrom('1', '2', 'NULL'),
      fc.constantFrom('0', "'-0'::DOUBLE", "'NaN'", '0.1', 'NULL'),
    );
    const select = (rows: readonly (readonly string[])[]) =>
      [
        'SELECT NULL::VARCHAR AS k, NULL::INTEGER AS j, NULL::DOUBLE AS x WHERE false',
        ...rows.map(([k, j, x]) => `SELECT ${k}::VARCHAR, ${j}::INTEGER, ${x}::DOUBLE`),
      ].join(' UNION ALL ');
    const bits = 'k, j, x::BIT::VARCHAR AS x';
    const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.array(row, { maxLength: 8 }), async (before, after) => {
        const sql = await prepareChanges(connection, { columns, key: ['k', 'j'] }, select(before), select(after));
        const found = (await rowsOf(`SELECT _change_type, ${bits} FROM (${sql})`)).map(([type, ...one]) => ({
          type: String(type),
          row: one,
        }));
        const [was, is] = [
          await rowsOf(`SELECT ${bits} FROM (${select(before)})`),
          await rowsOf(`SELECT ${bits} FROM (${select(after)})`),
        ];
        expect(sorted(replayed(was, found))).toEqual(sorted(counted(is)));
        // Each row before a change is followed by the row after it, of the same key.
        for (const [i, { type, row: one }] of found.entries()) {
          if (type !== 'update_preimage') continue;
          const after = found[i + 1];
          expect([after?.type, after?.row.slice(0, 2)]).toEqual(['update_postimage', one.slice(0, 2)]);
        }
      }),
      { numRuns: runs(100) },
    );
    connection.closeSync();
    engine.closeSync();
  });

  it('are lines of JSON or Parquet files, since a version or a release', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    await bring(lake, { batch: 'a' }, together(filingRows(1), filingRows(2)));
    await lake.makeRelease({ name: 'v1' });
    await bring(lake, { batch: 'b' }, filingRows(1, 'r2'), wholeFiling(1, 2));
    await bring(lake, { batch: 'c' }, filingRows(3));
    await lake.compact();
    const run = (...args: string[]) => commandLine(['lake', 'changes', '--lake', folder, '--since', 'v1', ...args]);
    const { events } = await run('--table', 'filings');
    expect(
      events.map(({ table, _change_type, row }) => [table, _change_type, (row as Record<string, unknown>).entity_name]),
    ).toEqual([
      ['filings', 'update_preimage', 'r1'],
      ['filings', 'update_postimage', 'r2'],
      ['filings', 'delete', 'r1'],
      ['filings', 'insert', 'r1'],
    ]);
    expect((await run('--until', '0')).stdout).toBe('');
    const out = path.join(temporaryFolder(), 'changes');
    expect((await run('--parquet', out)).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['coverage.parquet', 'documents.parquet', 'filings.parquet']);
    const [row] = await lake.query(
      `SELECT count(*) AS n, count(DISTINCT _change_type) AS types FROM read_parquet('${out}/filings.parquet')`,
    );
    expect(row).toEqual({ n: 4, types: 4 });
    expect((await run('--table', 'filing')).status).toBe(2);
  });
});
