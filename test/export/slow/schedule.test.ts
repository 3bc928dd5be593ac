/** Schedules on a real Temporal server: runs that start by themselves, name themselves, and ask for nothing twice. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunStatus,
  type ScheduleDetails,
  type ScheduleStatus,
  Schedules,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 6;
/** A time that never comes while a test runs, except by backfill. */
const NEVER = '0 6 29 2 *';

describe.skipIf(!temporalExecutable)('a schedule', () => {
  let road: Road;
  let env: Record<string, string>;
  let up: Command;
  let lake: string;
  let session: TemporalSession;
  let runs: ExportRuns;
  let schedules: Schedules;

  /** The outcome of a command that prints JSON. */
  async function told<T>(...args: string[]): Promise<T> {
    const command = runCommand([...args, '--json'], env);
    let text = '';
    command.process.stdout!.on('data', (data: Buffer) => {
      text += data.toString();
    });
    expect(await command.ended, command.stderr()).toBe(0);
    return JSON.parse(text) as T;
  }

  async function refused(...args: string[]) {
    const command = runCommand(args, env);
    return { code: await command.ended, stderr: command.stderr() };
  }

  /** Waits for the run of an id to end: `up` works on it. */
  async function ended(id: string): Promise<RunStatus> {
    await runs.result(await runs.handleOf(id));
    return (await runs.list(id))[0]!;
  }

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    lake = join(road.folder, 'lake');
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    up = runCommand(['up', '--json'], env);
    await up.event((event) => 'task_queue' in event);
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', ...env }));
    runs = await ExportRuns.of(session);
    schedules = await Schedules.of(session);
  });
  afterAll(async () => {
    await session.release();
    up.process.kill('SIGTERM');
    await up.ended;
    await road.stop();
  });

  it('is created from a definition, with the times in its zone', async () => {
    const file = road.definition('nightly');
    const times = ['--cron', '0 6 * * *', '--time-zone', 'America/New_York', '--jitter', '10m', '--lake', lake];
    const made = await told<ScheduleDetails>('schedule', 'create', file, ...times);
    expect(made).toMatchObject({ name: 'nightly', state: 'active', jitter_seconds: 600, lake, recent: [] });
    for (const time of made.next) expect(time).toMatch(/T1[01]:(0\d|10):/);
    expect(JSON.stringify(made)).not.toContain(env.FILINGLAKE_API_KEY);
    expect(await told<ScheduleStatus[]>('schedule', 'list')).toMatchObject([{ name: 'nightly', cron: ['0 6 * * *'] }]);
    expect(await refused('schedule', 'create', file, ...times)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--replace'),
    });
  });

  it('is refused with the reason for times that are none, and the one that it was to replace stays', async () => {
    const file = road.definition('nightly');
    const cron = await refused('schedule', 'create', file, '--cron', '99 6 * * *', '--replace', '--lake', lake);
    expect(cron).toMatchObject({ code: 2, stderr: expect.stringContaining("'99 6 * * *'") });
    const zone = await refused('schedule', 'create', file, '--cron', NEVER, '--time-zone', 'Europe/Atlantis');
    expect(zone).toMatchObject({ code: 2, stderr: expect.stringContaining('Europe/Atlantis') });
    expect(await told<ScheduleDetails>('schedule', 'list', 'nightly')).toMatchObject({ cron: ['0 6 * * *'] });
    const replaced = await told<ScheduleDetails>(
      'schedule',
      'create',
      file,
      '--cron',
      NEVER,
      '--replace',
      '--lake',
      lake,
    );
    expect(replaced).toMatchObject({ cron: [NEVER], time_zone: 'UTC' });
  });

  it('starts a run that exports everything, then one that finds nothing with a single request', async () => {
    const { id } = await told<{ id: string }>('schedule', 'trigger', 'nightly');
    expect(id).toMatch(/^export\/nightly-\d{4}-.*Z$/);
    const first = await ended(id);
    expect(first).toMatchObject({ name: 'nightly', lake, progress: { filings_found: FILINGS, failures: 0 } });
    const { export_windows: _windows, ...before } = await contentsOf(lake);
    expect(before.filings).toHaveLength(FILINGS);

    const asked = road.proxy.requests;
    const again = await told<{ id: string }>('schedule', 'trigger', 'nightly');
    expect(again.id).not.toBe(id);
    await ended(again.id);
    expect(road.proxy.requests - asked).toBe(1);
    const { export_windows: windows, ...after } = await contentsOf(lake);
    expect(after).toEqual(before);
    expect(windows).toHaveLength(2);
    expect(await told<RunStatus[]>('status')).toMatchObject([{ name: 'nightly', id: again.id }]);
    expect(await told<RunStatus[]>('status', 'nightly')).toMatchObject([{ id: again.id }]);
    const shown = await told<ScheduleDetails>('schedule', 'list', 'nightly');
    expect(shown.recent.map((run) => run.id)).toEqual([id, again.id]);
  });

  it('is paused and resumed', async () => {
    await told('schedule', 'pause', 'nightly', '--note', 'the plan is changed');
    expect(await told<ScheduleDetails>('schedule', 'list', 'nightly')).toMatchObject({
      state: 'paused',
      note: 'the plan is changed',
      next: [],
    });
    await told('schedule', 'resume', 'nightly');
    expect(await told<ScheduleDetails>('schedule', 'list', 'nightly')).toMatchObject({ state: 'active' });
  });

  it('makes up for the days that have passed, one run after another', async () => {
    const file = road.definition('daily');
    await told('schedule', 'create', file, '--cron', '0 6 * * *', '--time-zone', 'Asia/Tokyo', '--lake', lake);
    const days = ['--from', '2024-01-01', '--to', '2024-01-03'];
    expect(await told('schedule', 'backfill', 'daily', ...days)).toEqual({
      name: 'daily',
      from: '2023-12-31T15:00:00.000Z',
      to: '2024-01-03T15:00:00.000Z',
    });
    for (const day of ['2023-12-31', '2024-01-01', '2024-01-02']) {
      const id = `export/daily-${day}T21:00:00Z`;
      for (;;) {
        const shown = await schedules.show('daily');
        if (shown.recent.some((run) => run.id === id)) break;
      }
      await ended(id);
    }
    const runs = new Set((await told<ScheduleDetails>('schedule', 'list', 'daily')).recent.map((run) => run.id));
    expect(runs.size).toBe(3);
    expect(await refused('schedule', 'backfill', 'daily', '--from', '2024-02-30', '--to', '2024-03-01')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2024-02-30'),
    });
  });

  it('gives its run to an export of the same definition, and to cancel', async () => {
    const key = { FILINGLAKE_API_KEY: road.createKey('large') };
    const own = runCommand(
      ['schedule', 'create', road.definition('owned'), '--cron', NEVER, '--lake', lake, '--json'],
      { ...env, ...key },
    );
    expect(await own.ended).toBe(0);
    // No worker has this key: the run waits for one.
    const { id } = await told<{ id: string }>('schedule', 'trigger', 'owned');
    const attached = runCommand(['export', road.definition('owned'), '--lake', lake, '--json'], { ...env, ...key });
    expect(await attached.event((event) => event.event === 'start')).toMatchObject({ id, attached: true });
    expect(await attached.ended, attached.stderr()).toBe(0);

    const waiting = await told<{ id: string }>('schedule', 'trigger', 'owned');
    expect(await told('pause', 'owned').catch(() => 'refused')).toBe('refused');
    const cancelled = runCommand(['cancel', 'owned', '--json'], { ...env, ...key });
    expect(await cancelled.ended, cancelled.stderr()).toBe(0);
    expect(cancelled.events).toEqual([{ id: waiting.id, state: 'cancelled' }]);
  });

  it('is paused by a run that fails, with the reason', async () => {
    const refusedKey = { ...env, FILINGLAKE_API_KEY: 'fl_of_nobody' };
    const made = runCommand(
      ['schedule', 'create', road.definition('keyless'), '--cron', NEVER, '--lake', lake, '--json'],
      refusedKey,
    );
    expect(await made.ended, made.stderr()).toBe(0);
    const run = runCommand(['schedule', 'trigger', 'keyless', '--follow', '--json'], refusedKey);
    expect(await run.ended, run.stderr()).toBe(4);
    const { id } = run.events[0] as { id: string };
    for (;;) {
      const { state, note } = await schedules.show('keyless');
      if (state === 'active') continue;
      expect(note).toContain(id);
      return;
    }
  });

  it('is deleted, and unknown from then on', async () => {
    for (const name of ['nightly', 'daily', 'owned', 'keyless']) await told('schedule', 'delete', name);
    expect(await told<ScheduleStatus[]>('schedule', 'list')).toEqual([]);
    expect(await refused('schedule', 'list', 'nightly')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no schedule nightly'),
    });
  });
});
