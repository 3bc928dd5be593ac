import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import type { TableDefinition } from '../../../src/lake/tables/index.ts';
import { everything, FILLED_TABLES, makeTimedLake, TIMED_TABLES } from '../../support/lake/every-table.ts';
import { pythonReaders, readByOthers, type SeenByReader } from '../../support/lake/python-readers.ts';
import { bring, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const python = pythonReaders();
const missing = 'missing' in python ? python.missing : null;

/** A column as the text that `written` in the script makes of it. */
function writtenSql(name: string, type: string): string {
  const column = `"${name}"`;
  const forms: Record<string, string> = {
    BLOB: `hex(${column})`,
    DATE: `strftime(${column}, '%Y-%m-%d')`,
    TIMESTAMP: `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`,
    TIMESTAMPTZ: `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`,
  };
  return forms[type] ?? `${column}::VARCHAR`;
}

/** What our own SQL sees of a table, in the script's words. */
async function seenByUs(lake: Lake, { name, columns }: TableDefinition, at?: number): Promise<SeenByReader> {
  const texts = columns.map((column) => writtenSql(column.name, column.type));
  const row = texts.map((text) => `coalesce(${text}, '\\N')`).join(` || chr(31) || `);
  const extremes = texts.map((text, i) => `min(${text}) AS lo${i}, max(${text}) AS hi${i}`);
  const [seen] = await lake.query(
    `SELECT count(*) AS n, coalesce(sum(('0x' || md5(${row})[:15])::BIGINT), 0) AS checksum, ${extremes.join(', ')} FROM "${name}"`,
    at === undefined ? {} : { at },
  );
  const pairs = columns.map((column, i) => {
    const [lo, hi] = [seen![`lo${i}`], seen![`hi${i}`]];
    return [column.name, lo === null ? null : [String(lo), String(hi)]] as const;
  });
  return {
    rows: Number(seen!.n),
    checksum: String(seen!.checksum),
    extremes: Object.fromEntries(pairs) as SeenByReader['extremes'],
  };
}

function seenByOthers(
  folder: string,
  delta: Record<string, number> = {},
  definitions: readonly TableDefinition[] = FILLED_TABLES,
  readers?: readonly string[],
): Record<string, Record<string, SeenByReader>> {
  return readByOthers(python as { command: string; modules: string }, folder, definitions, {
    delta,
    ...(readers === undefined ? {} : { readers }),
  });
}

describe.skipIf(missing !== null)(
  `the lake as deltalake, polars, pyarrow and DuckDB read it${missing ? ` (${missing})` : ''}`,
  () => {
    let folder: string;
    let lake: Lake;

    beforeAll(async () => {
      folder = temporaryFolder();
      lake = await openLake(folder, { create: true });
      for (let n = 0; n < 13; n++) {
        await bring(lake, { batch: `b${n}` }, everything(n), n % 4 === 3 ? wholeFiling(n - 1, n + 499) : []);
      }
    });
    afterAll(() => lake?.close());

    it('is the lake as we read it: every table, row and value', async () => {
      const others = seenByOthers(folder);
      for (const table of FILLED_TABLES) {
        const ours = await seenByUs(lake, table);
        expect(ours.rows, `rows of ${table.name} in every-table.ts`).toBeGreaterThan(0);
        for (const reader of ['deltalake', 'polars', 'pyarrow', 'duckdb']) {
          expect({ reader, ...others[table.name]![reader] }, table.name).toEqual({ reader, ...ours });
        }
      }
    });

    it('is the same after the Delta commits before the checkpoints were cleaned up', async () => {
      // polars 2.1 finds no file under a folder with a space in its name; the others do.
      const copy = path.join(temporaryFolder(), "moved-to-another's-place");
      cpSync(folder, copy, { recursive: true });
      for (const { name } of FILLED_TABLES) {
        const log = path.join(copy, name, '_delta_log');
        for (const file of readdirSync(log)) if (/^0{18}0\d\.json$/.test(file)) rmSync(path.join(log, file));
      }
      const others = seenByOthers(folder);
      const moved = seenByOthers(copy);
      expect(moved).toEqual(others);
    });

    it('is one moment of the lake at the Delta versions that belong to it', async () => {
      const version = 7;
      const entry = (await lake.versions(13)).find((one) => one.version === version)!;
      const others = seenByOthers(folder, entry.delta);
      for (const table of FILLED_TABLES) {
        const ours = await seenByUs(lake, table, version);
        for (const reader of ['deltalake', 'polars', 'pyarrow']) {
          expect({ reader, ...others[table.name]![reader] }, table.name).toEqual({ reader, ...ours });
        }
      }
    });

    // The last test: it changes the lake.
    it('is the same rows after compaction and vacuum', async () => {
      const before = new Map<string, SeenByReader>();
      for (const table of FILLED_TABLES) before.set(table.name, await seenByUs(lake, table));
      await lake.dropStaging('run');
      await lake.compact();
      const { parts } = await lake.vacuum({ nowMs: Date.now() + 8 * 24 * 3600 * 1000 });
      const others = seenByOthers(folder);
      for (const { name } of FILLED_TABLES) {
        expect(parts[name]!.files, name).toBeGreaterThan(12);
        expect(
          readdirSync(path.join(folder, name)).filter((file) => file.endsWith('.parquet')),
          name,
        ).toHaveLength(1);
        for (const reader of ['deltalake', 'polars', 'pyarrow', 'duckdb']) {
          expect({ reader, ...others[name]![reader] }, name).toEqual({ reader, ...before.get(name) });
        }
      }
    });
  },
);

describe.skipIf(missing !== null)(
  `a column with times that a release adds, as deltalake and polars read it${missing ? ` (${missing})` : ''}`,
  () => {
    it('is read in every table, with the rows from before', async () => {
      const folder = temporaryFolder();
      await using lake = await makeTimedLake(folder);
      expect((await checkLake(lake)).problems.filter(({ code }) => code.startsWith('delta'))).toEqual([]);
      const readTables = () => seenByOthers(folder, {}, TIMED_TABLES, ['deltalake', 'polars']);
      const compare = async (when: string) => {
        const others = readTables();
        for (const table of TIMED_TABLES) {
          const ours = await seenByUs(lake, table);
          expect(ours.extremes.seen_at, table.name).not.toBeNull();
          for (const reader of ['deltalake', 'polars']) {
            expect({ reader, ...others[table.name]![reader] }, `${table.name} ${when}`).toEqual({ reader, ...ours });
          }
        }
      };
      await compare('after the commit that brings the column');
      // Behind the next checkpoint, readers know of the column by that alone.
      for (let n = 10; n < 17; n++) await bring(lake, { batch: `b${n}` }, everything(n));
      await compare('after a checkpoint');
    });
  },
);
