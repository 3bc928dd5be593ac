/** The whole road of a user, by commands: export, SQL; a kill, resume; a schedule. What goes wrong on it is in the other files and in test/slow. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 20;
/** A time that never comes while a test runs, except by backfill. */
const NEVER = '0 6 29 2 *';

describe.skipIf(!temporalExecutable)('the road from a service to SQL', () => {
  let road: Road;
  let env: Record<string, string>;
  let temporal: TemporalSession;
  let lake: string;
  let needed = 0;

  async function ends(...args: string[]) {
    const ended = await commandLine(args, { env });
    expect(ended.status, ended.stderr).toBe(0);
    return ended;
  }

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    lake = join(road.folder, 'lake');
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited'), TEMPORAL_ADDRESS: '' };
    // Held, so that no command starts a server of its own.
    temporal = await ensureTemporal(readSettings({ ...process.env, ...env }));
  });
  afterAll(async () => {
    await temporal?.release();
    await road?.stop();
  });

  it('is an export, its status, a check of the lake, and a query', async () => {
    const { events } = await ends('export', road.definition('all'), '--lake', lake, '--json');
    expect(events.at(-1)).toMatchObject({ event: 'done', state: 'completed', failures: 0 });
    needed = road.proxy.requests;
    // The key is in a header: logs of addresses don't have it.
    expect(road.proxy.keysInAddresses).toBe(0);
    const status = JSON.parse((await ends('status', 'all', '--json')).stdout) as object[];
    expect(status).toMatchObject([{ name: 'all', state: 'completed', progress: { requests: needed } }]);
    await ends('lake', 'check', '--lake', lake);
    const { stdout } = await ends('sql', 'SELECT count(*) AS n FROM filings', '--lake', lake, '--format', 'csv');
    expect(stdout).toBe(`n\n${FILINGS}\n`);
  });

  it('continues after its command was killed, and requests nothing twice but what was in flight', async () => {
    const killed = join(road.folder, 'killed');
    const before = road.proxy.requests;
    const half = before + Math.floor(needed / 2);
    const reached = road.proxy.atRequest(half);
    const command = runCommand(['export', road.definition('killed'), '--lake', killed, '--json'], env);
    await Promise.race([reached, command.ended]);
    command.process.kill('SIGKILL');
    await command.ended;
    expect(road.proxy.requests).toBeGreaterThanOrEqual(half);
    const { events } = await ends('resume', 'killed', '--json');
    expect(events.at(-1)).toMatchObject({ event: 'done', state: 'completed', failures: 0 });
    expect(await contentsOf(killed)).toEqual(await contentsOf(lake));
    // A batch that was not sealed is requested again.
    expect(road.proxy.requests - before).toBeLessThan(2 * needed);
  });

  it('is taken by a schedule, which finds nothing new for a single request', async () => {
    await ends('schedule', 'create', road.definition('all'), '--cron', NEVER, '--lake', lake, '--json');
    const asked = road.proxy.requests;
    const { events } = await ends('schedule', 'trigger', 'all', '--follow', '--json');
    expect(events.at(-1)).toMatchObject({ event: 'done', state: 'completed', failures: 0 });
    expect(road.proxy.requests - asked).toBe(1);
    const shown = JSON.parse((await ends('schedule', 'list', 'all', '--json')).stdout) as { recent: object[] };
    expect(shown.recent).toHaveLength(1);
    await ends('schedule', 'delete', 'all');
  });
});
