/** Two exports that fetch the same filings into one lake at the same time, with different tables. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  Schedules,
  startWorker,
  type TemporalSession,
} from '../../src/runtime/index.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../support/test-stack.ts';

const FILINGS = 20;
const CHOICES = { risks: "['1A']", discussions: "['7']" };

describe.skipIf(!temporalExecutable)('two exports of different choices', () => {
  let road: Road;
  let session: TemporalSession;
  let runs: ExportRuns;
  let worker: RunningWorker;
  let apiKey: string;

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    apiKey = road.createKey('unlimited');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
    session = await ensureTemporal(settings);
    runs = await ExportRuns.of(session);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
  });
  afterAll(async () => {
    await worker.stop();
    await session.release();
    await road.stop();
  });

  async function start(name: string, choice: keyof typeof CHOICES, lake: string) {
    const file = road.definition(name, `sections: { codes: ${CHOICES[choice]} }`);
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const { handle } = await runs.start(definition, lake, apiKey);
    return { result: () => runs.result(handle) };
  }

  it('leave a lake with everything that both need, in any order', async () => {
    const calm = join(road.folder, 'lake-calm');
    await (await start('calm-risks', 'risks', calm)).result();
    await (await start('calm-discussions', 'discussions', calm)).result();

    const lake = join(road.folder, 'lake-shared');
    const answered = Promise.withResolvers<void>();
    let isHeld = false;
    road.proxy.holdSome = (path) => {
      if (isHeld || !path.startsWith('/v2/filing_sections')) return null;
      isHeld = true;
      return answered.promise;
    };
    // It has its plan of all sections, and waits for the first of them.
    const late = await start('late', 'discussions', lake);
    await vi.waitFor(() => expect(isHeld).toBe(true), { timeout: 120_000 });
    const { progress: ofFirst } = await (await start('first', 'risks', lake)).result();
    expect(ofFirst).toMatchObject({ rows_conflicted: 0, filings_deferred: 0 });
    answered.resolve();
    const { progress, finished } = await late.result();
    expect(progress.rows_conflicted).toBeGreaterThan(0);
    expect(progress).toMatchObject({ failures: 0, filings_deferred: 0, requests_pending: 0 });
    expect(finished.failures).toBe(0);
    const perFiling = ['filings', 'documents', 'sections', 'section_contents', 'document_contents', 'parties'];
    const [shared, one] = [await contentsOf(lake), await contentsOf(calm)];
    for (const table of perFiling) expect(shared[table], table).toEqual(one[table]);

    const asked = road.proxy.requests;
    await (await start('late', 'discussions', lake)).result();
    expect(road.proxy.requests - asked).toBe(1);
  });
});

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
    const file = road.definition(name, more);
    return parseExportDefinition(readFileSync(file, 'utf8'), file, {}).definition;
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
      ...{ id: one.id, attached: true },
    });
    await vi.waitFor(async () => expect((await runs.status(one.handle)).progress.stopped_by).toBe('budget'), {
      ...{ timeout: 120_000, interval: 100 },
    });
    // Another mount of it: no link, and the same lake.json.
    const mount = lakeOf('mounted');
    mkdirSync(mount);
    copyFileSync(join(folder, 'lake.json'), join(mount, 'lake.json'));
    expect(await runs.start(definition, mount, apiKey)).toMatchObject({ id: one.id, attached: true });
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
    await expect(schedules.show('nightly')).rejects.toMatchObject({ code: 'schedule-ambiguous' });
    expect((await schedules.show(other.id)).lake).toBe(lakeOf('other'));
    await schedules.delete(one.id);
    await vi.waitFor(async () => expect((await schedules.show('nightly')).id).toBe(other.id), {
      timeout: 120_000,
      interval: 100,
    });
    await schedules.delete(other.id);
  });
});
