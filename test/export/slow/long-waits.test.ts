/** A run that waits for its quota, while everything that it lives in ends and comes back. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import { readTemporalState } from '../../../src/export/runtime/temporal/state.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('a run that waits for its quota', () => {
  let road: Road;
  beforeAll(async () => {
    road = await buildRoad(30);
  });
  afterAll(() => road.stop());

  async function ends(args: readonly string[], apiKey: string) {
    const env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey };
    const command = runCommand([...args, '--json'], env);
    const code = await command.ended;
    return { code, stderr: command.stderr(), done: command.events.at(-1) as Record<string, number> };
  }

  it('exits with 6, survives the end of every process, and requests nothing twice when it continues', async () => {
    const calm = join(road.folder, 'calm');
    expect((await ends(['export', road.definition('calm'), '--lake', calm], road.createKey('unlimited'))).code).toBe(0);
    const needed = road.proxy.requests;
    road.proxy.requests = 0;

    const apiKey = road.createKey('small');
    const lake = join(road.folder, 'waiting');
    const left = await ends(['export', road.definition('waiting'), '--lake', lake, '--no-wait'], apiKey);
    expect(left.code, left.stderr).toBe(6);
    expect(left.done).toMatchObject({ state: 'waiting_for_quota', stopped_by: 'quota', windows_left: 0 });
    expect(left.done.requests_pending).toBe(needed - road.proxy.requests);
    // The last command has gone, and with it the worker and the Temporal server.
    const state = openHome(readSettings({ FILINGLAKE_HOME: road.home }).homeFolder).temporalState;
    const { server } = readTemporalState(state) ?? {};
    if (server) await vi.waitFor(() => expect(() => process.kill(server.pid, 0)).toThrow(), { timeout: 120_000 });

    for (let month = 1; ; month++) {
      const now = new Date();
      road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1, 0, 5)));
      const resumed = await ends(['resume', 'waiting', '--no-wait'], apiKey);
      if (resumed.code === 0) break;
      expect(resumed.code, resumed.stderr).toBe(6);
    }
    expect(await contentsOf(lake)).toEqual(await contentsOf(calm));
    expect(road.proxy.requests).toBe(needed);
    expect(road.proxy.refused()).toBe(0);
  });
});
