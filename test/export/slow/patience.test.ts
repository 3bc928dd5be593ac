/** A service that becomes unreachable during a run: the run waits visibly, for as long as the definition says. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

/** Longer than the client's own retries, about 8 s. FILINGLAKE_AWAY_SECONDS=45 repeats an outage that once ended a run. */
const AWAY_MS = Number(process.env.FILINGLAKE_AWAY_SECONDS ?? 11) * 1_000;

describe.skipIf(!temporalExecutable)('a service that goes away in mid-run', () => {
  let road: Road;
  let env: Record<string, string>;
  let undisturbed: Record<string, unknown[]>;
  let needed = 0;
  beforeAll(async () => {
    road = await buildRoad(25, { delayMs: 5 });
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    const lake = join(road.folder, 'undisturbed');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    needed = road.proxy.requests;
  });
  afterEach(() => {
    road.proxy.onRequest = () => {};
  });
  afterAll(() => road.stop());

  /** Goes away in the middle of the run that is started next. @returns its port, once it is away */
  function awayInMidRun(): Promise<number> {
    const at = road.proxy.requests + Math.floor(needed / 2);
    return new Promise((settle) => {
      road.proxy.onRequest = (n) => {
        if (n === at) settle(road.proxy.goAway());
      };
    });
  }

  it('makes the run wait for a stated time, and the lake is the same', async () => {
    const lake = join(road.folder, 'waited');
    const before = road.proxy.requests;
    const away = awayInMidRun();
    const command = runCommand(['export', road.definition('waited'), '--lake', lake, '--json'], env);
    const port = await away;
    await sleep(AWAY_MS);
    await road.proxy.comeBack(port);
    expect(await command.ended, command.stderr()).toBe(0);
    const waits = command.events.flatMap(({ progress }) => {
      const { stopped_by, patient_until, waiting_until, message } = (progress ?? {}) as Record<string, string | null>;
      return stopped_by === 'unreachable' ? [{ patient_until, waiting_until, message }] : [];
    });
    expect(waits.length).toBeGreaterThan(0);
    for (const { patient_until, waiting_until, message } of waits) {
      const left = Date.parse(patient_until!) - Date.parse(waiting_until!);
      expect(left).toBeGreaterThan(3_000_000);
      expect(left).toBeLessThan(3_600_000);
      expect(message).toContain('ECONNREFUSED');
    }
    expect(await contentsOf(lake)).toEqual(undisturbed);
    // Requests in flight during the outage are sent again.
    expect(road.proxy.requests - before).toBeLessThanOrEqual(needed + 4);
  });

  it('ends the command with 5 when the patience is over, and resume continues the run', async () => {
    const lake = join(road.folder, 'left');
    const file = road.definition('left');
    const away = awayInMidRun();
    const command = runCommand(['export', file, '--lake', lake, '--json', '--set', 'service.patience=2s'], env);
    const port = await away;
    expect(await command.ended, command.stderr()).toBe(5);
    expect(command.events.at(-1)).toMatchObject({ event: 'done', state: 'paused', stopped_by: 'unreachable' });
    await road.proxy.comeBack(port);
    const resumed = runCommand(['resume', 'left', '--json'], env);
    expect(await resumed.ended, resumed.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });
});
