/** Compactions as workflows: started by exports, beside writers and readers, with workers killed and stopped in their middle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { Compactions, ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../src/runtime/index.ts';
import { bring, filingRows, wholeFiling } from '../support/lake/small-lake.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { buildRoad, CHECKOUT, contentsOf, type Road, runCommand } from '../support/test-stack.ts';

const FILINGS = 24;
const COMPACTED = ['filings', 'documents', 'coverage'] as const;

describe.skipIf(!temporalExecutable)('a compaction by workers', () => {
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

  /** A process that ends after it has put so many versions into the lake's log. */
  function workerProcess(signal?: 'SIGKILL' | 'SIGTERM', versions?: number): ChildProcess {
    const given = [apiKey, ...(signal ? [signal, String(versions)] : [])];
    return spawn(process.execPath, [join(CHECKOUT, 'test/slow/compacting-worker.ts'), ...given], {
      cwd: CHECKOUT,
      env: environment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  it('is started by an export whose tables get many parts, and changes none of its rows', async () => {
    const lakes = [join(road.folder, 'lake-plain'), join(road.folder, 'lake-compacted')] as const;
    const runs = await ExportRuns.of(session);
    for (const [i, lake] of lakes.entries()) {
      const compactParts = i === 0 ? 0 : 3;
      const worker = await startWorker(session, { apiKey, log: log(), batchMs: 100, compactParts });
      const file = road.definition(`parts-${i}`);
      const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
      const { handle } = await runs.start(definition, lake, apiKey);
      const over = { yes: false };
      const result = runs.result(handle).finally(() => {
        over.yes = true;
      });
      const reader = await openLake(lake, { create: true });
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
      await reader.close();
    }
    expect(await contentsOf(lakes[1])).toEqual(await contentsOf(lakes[0]));
  });

  it('loses its races against replacements cleanly: every version that a reader sees is whole', async () => {
    const { folder, lake, partBytes } = await manyParts('lake-replaced');
    const worker = await startWorker(session, { apiKey, log: log(), compactionBoxMs: 1 });
    const compactions = await Compactions.of(session);
    const request = { lake: folder, tables: [...COMPACTED], targetBytes: Math.ceil(partBytes * 4) };
    const { handle, attached } = await compactions.start(request, apiKey);
    expect(attached).toBe(false);
    expect((await compactions.start(request, apiKey)).attached).toBe(true);
    const over = { yes: false };
    const result = compactions.result(handle).finally(() => {
      over.yes = true;
    });
    const writer = await openLake(folder);
    let replaced = 0;
    while (!over.yes && replaced < FILINGS) {
      await bring(writer, { run: 'other', batch: `c${replaced}` }, filingRows(replaced, 'r2'), wholeFiling(replaced));
      replaced++;
      expect((await revisionsSeen(lake)).filter((revision) => revision === 'r2').length).toBe(replaced);
    }
    const done = await result;
    await worker.stop();
    expect(replaced).toBeGreaterThan(3);
    expect(done.commits).toBeGreaterThan(3);
    const entries = (await lake.log(1000)).map(({ run_id }) => run_id).join(' ');
    expect(entries).toContain('compaction other compaction');
    expect(await revisionsSeen(lake)).toEqual(Array.from({ length: FILINGS }, (_, n) => (n < replaced ? 'r2' : 'r1')));
    expect(await checkLake(lake)).toMatchObject({ problems: [] });
    for (const one of [lake, writer]) await one.close();
  });

  it('is done by the workers of the command’s key, even if those of another key left it behind', async () => {
    const { folder, lake } = await manyParts('lake-left');
    const before = await contentsOf(folder);
    const compactions = await Compactions.of(session);
    const left = await compactions.start({ lake: folder, tables: null, targetBytes: null }, 'a key without workers');
    const worker = await startWorker(session, { apiKey, log: log() });
    const env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey };
    const command = runCommand(['lake', 'compact', '--on-workers', '--lake', folder, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    expect(command.events[0]).toMatchObject({ event: 'start', id: left.handle.workflowId, attached: false });
    expect(command.events.at(-1)).toMatchObject({
      event: 'done',
      state: 'completed',
      tables: { filings: { parts_before: FILINGS, parts_after: 1 } },
    });
    const unknown = runCommand(['lake', 'compact', 'fillings', '--on-workers', '--lake', folder], env);
    expect(await unknown.ended).toBe(2);
    expect(unknown.stderr()).toContain("Did you mean 'filings'?");
    await worker.stop();
    expect(await contentsOf(folder)).toEqual(before);
    await lake.close();
  });

  it('is one for all names of a lake; a command with another name waits for it, and then looks itself', async () => {
    const { folder, lake } = await manyParts('lake-named');
    const link = join(road.folder, 'another-name');
    symlinkSync(folder, link);
    const copy = join(road.folder, 'lake-copied');
    cpSync(folder, copy, { recursive: true });
    const compactions = await Compactions.of(session);
    // No worker has it yet.
    const { handle } = await compactions.start({ lake: folder, tables: null, targetBytes: null }, apiKey);
    const named = await compactions.start({ lake: link, tables: null, targetBytes: null }, apiKey);
    expect(named).toMatchObject({ attached: true, elsewhere: folder });
    expect(named.handle.workflowId).toBe(handle.workflowId);
    const env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey };
    const commands = [link, copy].map((place) =>
      runCommand(['lake', 'compact', '--on-workers', '--lake', place, '--json'], env),
    );
    for (const command of commands) await expect.poll(() => command.events.length).toBeGreaterThan(0);
    const worker = await startWorker(session, { apiKey, log: log() });
    for (const command of commands) expect(await command.ended, command.stderr()).toBe(0);
    await worker.stop();
    for (const command of commands) expect(command.events[0]).toMatchObject({ event: 'start', elsewhere: folder });
    // The copy is a lake of its own, though it has the same identity: it is compacted too.
    for (const place of [folder, copy]) {
      const opened = await openLake(place);
      expect(await compactionCommits(opened)).toBeGreaterThan(0);
      expect(await revisionsSeen(opened)).toEqual(await revisionsSeen(lake));
      expect((await checkLake(opened)).problems).toEqual([]);
      await opened.close();
    }
    await lake.close();
  });

  it('continues with the next worker if one was killed, or left', async () => {
    const { folder, lake, partBytes } = await manyParts('lake-killed');
    const before = await contentsOf(folder);
    const compactions = await Compactions.of(session);
    const request = { lake: folder, tables: [...COMPACTED], targetBytes: Math.ceil(partBytes * 4) };
    const { handle } = await compactions.start(request, apiKey);
    expect(await once(workerProcess('SIGKILL', 2), 'close')).toEqual([null, 'SIGKILL']);
    expect((await compactions.status(handle)).running).toBe(true);
    // The next process that opens the lake finishes what the kill left undone after the last commit.
    const opened = await openLake(folder);
    expect((await checkLake(opened)).problems).toEqual([]);
    expect(await compactionCommits(opened)).toBe(2);
    await opened.close();
    expect(await once(workerProcess('SIGTERM', 2), 'close')).toEqual([0, null]);
    expect((await compactions.status(handle)).running).toBe(true);
    expect(await compactionCommits(lake)).toBeGreaterThanOrEqual(4);
    const third = workerProcess();
    const done = await compactions.result(handle);
    third.kill('SIGTERM');
    await once(third, 'close');
    expect(done.tables_left).toBe(0);
    for (const table of COMPACTED) expect(done.tables[table]!.parts_after).toBeLessThanOrEqual(FILINGS / 3);
    expect(await contentsOf(folder)).toEqual(before);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.close();
  });
});
