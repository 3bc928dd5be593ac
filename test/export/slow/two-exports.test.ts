/** Exports that fetch the same filings into one lake at the same time. */
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  Schedules,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

const FILINGS = 60;

describe.skipIf(!temporalExecutable)(
  'exports of one lake at the same time, with overlapping selections and tables',
  () => {
    let road: Road;
    let session: TemporalSession;
    let runs: ExportRuns;
    const workers: RunningWorker[] = [];
    const keys: string[] = [];
    const OF_FILINGS = ['filings', 'documents', 'parties', 'sections', 'section_contents', 'document_contents'];
    /** Requests of the fetches; look-ups are each export's own. */
    let fetches: string[] = [];
    let alone: string[];
    let expected: Record<string, unknown[]>;

    beforeAll(async () => {
      road = await buildRoad(FILINGS, { delayMs: 20 });
      road.proxy.holdSome = (path) => {
        if (/^\/v2\/(filing_info|filing_sections|document)/.test(path)) fetches.push(path);
        return null;
      };
      const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
      session = await ensureTemporal(settings);
      runs = await ExportRuns.of(session);
      for (const [n, plan] of (['unlimited', 'unlimited', 'small'] as const).entries()) {
        keys.push(road.createKey(plan));
        workers.push(
          await startWorker(session, { apiKey: keys[n]!, log: openLog(settings, `worker-${n}`, keys), batchMs: 500 }),
        );
      }
      const lake = join(road.folder, 'lake-alone');
      await (await start('alone', {}, lake)).result();
      alone = fetches.toSorted();
      expected = ofFilings(await contentsOf(lake));
    });
    afterAll(async () => {
      for (const worker of workers) await worker.stop();
      await session.release();
      await road.stop();
    });

    const ofFilings = (contents: Record<string, unknown[]>) =>
      Object.fromEntries(OF_FILINGS.map((table) => [table, contents[table]!]));

    async function start(name: string, over: Partial<ExportDefinition>, lake: string, key = 0) {
      const definition = road.parsed(name);
      const { handle, id } = await runs.start({ ...definition, ...over }, lake, keys[key]!);
      return { id, handle, result: () => runs.result(handle) };
    }

    const without = (...tables: string[]): Partial<ExportDefinition> => {
      const definition = road.parsed('tables');
      return { tables: definition.tables.filter((table) => !tables.includes(table)) };
    };

    it.each([2, 4])('ask for each thing once, if there are %i', async (n) => {
      fetches = [];
      const lake = join(road.folder, `lake-${n}`);
      const definitions = [{}, without('section_contents'), without('document_contents'), {}].slice(0, n);
      const started = await Promise.all(definitions.map((over, i) => start(`of-${n}-${i}`, over, lake, i % 2)));
      const results = await Promise.all(started.map(({ result }) => result()));
      for (const { progress, finished } of results) {
        expect(progress).toMatchObject({ failures: 0, filings_deferred: 0, requests_pending: 0 });
        expect(finished).toMatchObject({ failures: 0, missing: [] });
      }
      expect(ofFilings(await contentsOf(lake))).toEqual(expected);
      expect(fetches.length / alone.length).toBeLessThanOrEqual(1.02);
      expect(new Set(fetches)).toEqual(new Set(alone));
    });

    it('are not held up by one that waits for a month of quota', async () => {
      fetches = [];
      const lake = join(road.folder, 'lake-poor');
      const poor = await start('poor', {}, lake, 2);
      const stateOf = async () => (await runs.status(poor.handle)).progress.state;
      await vi.waitFor(async () => expect(await stateOf()).toBe('waiting_for_quota'), {
        timeout: 120_000,
        interval: 100,
      });
      const { progress, finished } = await (await start('rich', {}, lake, 1)).result();
      expect(progress).toMatchObject({ failures: 0, filings_deferred: 0, requests_pending: 0 });
      expect(finished).toMatchObject({ failures: 0, missing: [] });
      expect(await stateOf()).toBe('waiting_for_quota');
      expect(ofFilings(await contentsOf(lake))).toEqual(expected);
      expect(fetches.length / alone.length).toBeLessThanOrEqual(1.02);
      await poor.handle.cancel();
    });

    it('take over the filings of one that was ended by force, and fetch the rest only', async () => {
      fetches = [];
      const lake = join(road.folder, 'lake-forced');
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const count = road.proxy.holdSome;
      road.proxy.holdSome = (path) => {
        count(path);
        if (fetches.length < alone.length / 2 || fetches.at(-1) !== path) return null;
        reached.resolve();
        return held.promise;
      };
      const first = await start('forced', {}, lake);
      await reached.promise;
      const second = await start('patient', {}, lake, 1);
      await vi.waitFor(
        async () =>
          expect((await runs.status(second.handle)).progress.message).toMatch(
            /^export forced \(.*\) has the lake since/,
          ),
        { timeout: 120_000, interval: 100 },
      );
      const sent = fetches.length;
      await first.handle.terminate();
      road.proxy.holdSome = count;
      const { progress, finished } = await second.result();
      held.resolve();
      expect(progress).toMatchObject({ failures: 0, filings_deferred: 0 });
      expect(finished).toMatchObject({ failures: 0, missing: [] });
      expect(ofFilings(await contentsOf(lake))).toEqual(expected);
      // What was on its way: a request for each connection.
      expect(fetches.length - sent).toBeLessThanOrEqual(alone.length - sent + 4);
      const opened = await openLake(lake);
      expect((await checkLake(opened)).problems).toEqual([]);
      expect(await opened.query("SELECT state FROM export_runs WHERE export = 'forced'")).toEqual([
        { state: 'cancelled' },
      ]);
      await opened.close();
    });
  },
);

describe.skipIf(!temporalExecutable)('exports of one name in two lakes', () => {
  let road: Road;
  let session: TemporalSession;
  let runs: ExportRuns;
  let schedules: Schedules;
  let worker: RunningWorker;
  let apiKey: string;
  const lakeOf = (name: string) => join(road.folder, `lake-${name}`);

  beforeAll(async () => {
    road = await buildRoad(8);
    apiKey = road.createKey('unlimited');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
    session = await ensureTemporal(settings);
    runs = await ExportRuns.of(session);
    schedules = await Schedules.of(session);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
  });
  afterAll(async () => {
    await worker.stop();
    await session.release();
    await road.stop();
  });

  /** One request is all that it may send: it stays open. */
  function definitionOf(name: string, more = 'budget: { max_requests: 1 }') {
    return road.parsed(name, more);
  }
  const untilListed = (name: string, n: number) =>
    vi.waitFor(async () => expect(await runs.list(name)).toHaveLength(n), { timeout: 120_000, interval: 100 });

  it('are two: each continues independently, is listed, and is named by its id', async () => {
    const definition = definitionOf('annual');
    const one = await runs.start(definition, lakeOf('one'), apiKey);
    const other = await runs.start(definition, lakeOf('other'), apiKey);
    expect([one.id, one.attached, other.attached]).toEqual(['export/annual', false, false]);
    expect(other.id).toMatch(/^export\/annual@[0-9a-f]{8}$/);
    await untilListed('annual', 2);
    const lakes = (await runs.list('annual')).map(({ id, lake }) => [id, lake]);
    expect(new Map(lakes as [string, string][])).toEqual(
      new Map([
        [one.id, lakeOf('one')],
        [other.id, lakeOf('other')],
      ]),
    );
    expect((await runs.list()).filter(({ name }) => name === 'annual')).toHaveLength(2);

    expect(await runs.start(definition, lakeOf('one'), apiKey)).toMatchObject({ id: one.id, attached: true });
    expect(await runs.start(definition, lakeOf('other'), apiKey)).toMatchObject({ id: other.id, attached: true });
    await expect(runs.open('annual', apiKey)).rejects.toMatchObject({ code: 'run-ambiguous', exitCode: 2 });
    expect((await runs.open(other.id, apiKey)).workflowId).toBe(other.id);
    expect((await runs.open(one.id, apiKey)).workflowId).toBe(one.id);

    // Of two, the active one is meant. Once both have ended, each has its own last run.
    await one.handle.cancel();
    await runs.result(one.handle).catch(() => {});
    await vi.waitFor(async () => expect((await runs.open('annual', apiKey)).workflowId).toBe(other.id), {
      timeout: 120_000,
      interval: 100,
    });
    await other.handle.cancel();
    await runs.result(other.handle).catch(() => {});
    expect((await runs.definitionOf(other.id)).lake).toBe(lakeOf('other'));
    const again = await runs.start(definition, lakeOf('other'), apiKey);
    expect(again).toMatchObject({ id: other.id, attached: false });
    await again.handle.cancel();
  });

  it('are one if two paths lead to the lake', async () => {
    const definition = definitionOf('linked');
    const [link, folder] = [lakeOf('link'), lakeOf('linked')];
    symlinkSync(road.folder, link);
    const throughLink = join(link, 'lake-linked');
    // The lake does not exist yet: only the link's target says that both mean one folder.
    const one = await runs.start(definition, folder, apiKey);
    expect(await runs.start({ ...definition, lake: throughLink }, throughLink, apiKey)).toMatchObject({
      id: one.id,
      attached: true,
    });
    await vi.waitFor(async () => expect((await runs.status(one.handle)).progress.stopped_by).toBe('budget'), {
      timeout: 120_000,
      interval: 100,
    });
    // A copy has the same lake.json, and is another lake: its run is not that of its original.
    const copy = lakeOf('copied');
    mkdirSync(copy);
    copyFileSync(join(folder, 'lake.json'), join(copy, 'lake.json'));
    const other = await runs.start(definition, copy, apiKey);
    expect([other.attached, other.id === one.id]).toEqual([false, false]);
    await other.handle.cancel();
    await one.handle.cancel();
  });

  it('warn at their start if another run fetches similar filings into the same lake', async () => {
    const first = await runs.start(definitionOf('first'), lakeOf('shared'), apiKey);
    await untilListed('first', 1);
    const second = definitionOf('second');
    await vi.waitFor(
      async () => expect(await runs.sharing(second, lakeOf('shared'), 'export/second')).toEqual([first.id]),
      { timeout: 120_000, interval: 100 },
    );
    expect(await runs.sharing(second, lakeOf('alone'), 'export/second')).toEqual([]);
    expect(await runs.sharing(second, lakeOf('shared'), first.id)).toEqual([]);
    const apart = { ...second, tables: ['fees' as never] };
    expect(await runs.sharing(apart, lakeOf('shared'), 'export/second')).toEqual([]);
    await first.handle.cancel();
  });

  it('have schedules of their own', async () => {
    const definition = definitionOf('nightly');
    const times = { cron: ['0 0 1 1 *'], time_zone: 'UTC', jitter_seconds: 0, replace: false };
    const one = await schedules.create({ definition, lake: lakeOf('one'), apiKey, ...times });
    const other = await schedules.create({ definition, lake: lakeOf('other'), apiKey, ...times });
    expect([one.id, one.lake, other.lake]).toEqual(['export/nightly', lakeOf('one'), lakeOf('other')]);
    expect(other.id).toMatch(/^export\/nightly@/);
    await expect(schedules.create({ definition, lake: lakeOf('other'), apiKey, ...times })).rejects.toMatchObject({
      code: 'schedule-exists',
    });
    await vi.waitFor(async () => expect(await schedules.list()).toHaveLength(2), { timeout: 120_000, interval: 100 });
    await expect(schedules.show('nightly')).rejects.toMatchObject({ code: 'schedule-unknown' });
    expect((await schedules.show(other.id)).lake).toBe(lakeOf('other'));
    await schedules.delete(one.id);
    await vi.waitFor(async () => expect((await schedules.show('nightly')).id).toBe(other.id), {
      timeout: 120_000,
      interval: 100,
    });
    await schedules.delete(other.id);
  });
});
