/** Compactions after commits of an export: beside readers and writers, and with the worker killed in their middle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { bring, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, CHECKOUT, contentsOf, type Road } from '../../support/test-stack.ts';

const FILINGS = 24;
const COMPACTED = ['filings', 'documents', 'coverage'] as const;

describe.skipIf(!temporalExecutable)('a compaction', () => {
  let road: Road;
  let session: TemporalSession;
  let apiKey: string;
  const environment = () => ({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
  const log = () => openLog(readSettings(environment()), 'worker', [apiKey]);

  beforeAll(async () => {
    road = await buildRoad(FILINGS, { delayMs: 15 });
    apiKey = road.createKey('unlimited');
    session = await ensureTemporal(readSettings(environment()));
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  /** A lake of many small parts, a filing each. */
  async function manyParts(name: string): Promise<{ folder: string; lake: Lake; partBytes: number }> {
    const folder = join(road.folder, name);
    const lake = await openLake(folder, { create: true });
    for (let n = 0; n < FILINGS; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.dropStaging('run');
    const { tables } = await lake.snapshot();
    const partBytes = Math.max(...COMPACTED.map((table) => tables.get(table)!.bytes / FILINGS));
    return { folder, lake, partBytes };
  }

  /** Each filing once, in one revision in all its tables: what a reader must see of every version. */
  async function revisionsSeen(lake: Lake): Promise<string[]> {
    const rows = await lake.query(
      `SELECT f.accession_number AS a, any_value(f.entity_name) AS r, count(*) AS n,
         bool_and(d.description = f.entity_name AND c.revision = f.entity_name) AS same
       FROM filings f JOIN documents d USING (accession_number) JOIN coverage c USING (accession_number)
       GROUP BY ALL ORDER BY a`,
    );
    expect(rows.every(({ n, same }) => n === 2 && same === true)).toBe(true);
    return rows.map(({ r }) => String(r));
  }

  async function compactionCommits(lake: Lake): Promise<number> {
    return (await lake.log(1000)).filter(({ run_id }) => run_id === 'compaction').length;
  }

  /** A process that kills itself at the nth part of a compaction's commit: see `compacting-worker.ts`. */
  function workerProcess(count: number): ChildProcess {
    return spawn(process.execPath, [join(CHECKOUT, 'test/export/slow/compacting-worker.ts'), apiKey, String(count)], {
      cwd: CHECKOUT,
      env: environment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  it('is done by an export whose tables get many parts, and changes none of its rows', async () => {
    const lakes = [join(road.folder, 'lake-plain'), join(road.folder, 'lake-compacted')] as const;
    const runs = await ExportRuns.of(session);
    for (const [i, lake] of lakes.entries()) {
      const compactParts = i === 0 ? 0 : 3;
      const worker = await startWorker(session, { apiKey, log: log(), batchMs: 100, compactParts });
      const definition = road.parsed(`parts-${i}`);
      const { handle } = await runs.start(definition, lake, apiKey);
      const over = { yes: false };
      const result = runs.result(handle).finally(() => {
        over.yes = true;
      });
      await using reader = await openLake(lake, { create: true });
      for (let seen = 0; !over.yes; await sleep(50)) {
        const [row] = await reader.query('SELECT count(*) AS n, count(DISTINCT accession_number) AS d FROM filings');
        expect(row!.n).toBe(row!.d);
        expect(Number(row!.n)).toBeGreaterThanOrEqual(seen);
        seen = Number(row!.n);
      }
      await result;
      await worker.stop();
      if (i === 0) expect(await compactionCommits(reader)).toBe(0);
      else {
        const entries = (await reader.log(1000)).reverse().map(({ run_id }) => run_id);
        const [first, last] = [entries.indexOf('compaction'), entries.length - 1];
        expect(first).toBeGreaterThan(0);
        expect(first).toBeLessThan(last);
      }
      expect((await checkLake(reader)).problems).toEqual([]);
    }
    expect(await contentsOf(lakes[1])).toEqual(await contentsOf(lakes[0]));
  });

  it('loses its races against replacements cleanly: every version that a reader sees is whole', async () => {
    const { folder, lake, partBytes } = await manyParts('lake-replaced');
    const compacting = await openLake(folder);
    const targetBytes = Math.ceil(partBytes * 4);
    const writer = await openLake(folder);
    let commits = 0;
    for (let n = 0; n < FILINGS; n++) {
      const step = compacting.compact({ tables: [...COMPACTED], targetBytes, boxMs: 1 });
      await bring(writer, { run: 'other', batch: `c${n}` }, filingRows(n, 'r2'), wholeFiling(n));
      commits += (await step).commits;
      expect((await revisionsSeen(lake)).filter((revision) => revision === 'r2').length).toBe(n + 1);
    }
    expect(commits).toBeGreaterThan(3);
    const entries = (await lake.log(1000)).map(({ run_id }) => run_id).join(' ');
    expect(entries).toContain('compaction other compaction');
    expect(await revisionsSeen(lake)).toEqual(Array(FILINGS).fill('r2'));
    expect(await checkLake(lake)).toMatchObject({ problems: [] });
    for (const one of [lake, writer, compacting]) await one.close();
  });

  it('that ends its worker costs the export nothing: the next worker continues', async () => {
    const lake = join(road.folder, 'lake-killed');
    const runs = await ExportRuns.of(session);
    const definition = road.parsed('killed');
    const { handle } = await runs.start(definition, lake, apiKey);
    // In the middle of a compaction, and after its commit.
    const ended = runs.result(handle).then(() => ['the run has ended']);
    for (const count of [1, 2])
      expect(await Promise.race([once(workerProcess(count), 'close'), ended])).toEqual([null, 'SIGKILL']);
    const last = await startWorker(session, { apiKey, log: log(), batchMs: 100, compactParts: 3 });
    await runs.result(handle);
    await last.stop();
    expect(await contentsOf(lake)).toEqual(await contentsOf(join(road.folder, 'lake-plain')));
    const opened = await openLake(lake);
    expect(await compactionCommits(opened)).toBeGreaterThan(0);
    expect((await checkLake(opened)).problems).toEqual([]);
    await opened.close();
  });
});
