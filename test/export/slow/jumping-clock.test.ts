/** Exports by a process whose clock jumps in mid-run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, CHECKOUT, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const CONNECTIONS = 4;
const PRELOAD = join(CHECKOUT, 'test/support/jumping-clock.ts');

describe.skipIf(!temporalExecutable)('an export whose clock jumps', () => {
  let road: Road;
  let session: TemporalSession;
  let apiKey: string;
  let undisturbed: Record<string, unknown[]>;
  let requests: number;

  beforeAll(async () => {
    road = await buildRoad(40, { delayMs: 20 });
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
    apiKey = road.createKey('large');
    const lake = join(road.folder, 'lake-undisturbed');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    requests = road.proxy.requests;
  });
  afterAll(async () => {
    await session?.release();
    await road?.stop();
  });

  function machine(): Record<string, string> {
    return {
      FILINGLAKE_HOME: temporaryFolder(),
      TEMPORAL_ADDRESS: session.address,
      TEMPORAL_NAMESPACE: session.namespace,
      FILINGLAKE_API_KEY: apiKey,
    };
  }

  /** An export whose clock is off by each of `jumps` in turn, at equal distances of requests. */
  async function jumping(name: string, jumps: readonly number[], isKilled = false) {
    const [lake, clock] = [join(road.folder, `lake-${name}`), join(temporaryFolder(), 'offset')];
    writeFileSync(clock, '0');
    const env = { ...machine(), NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE: clock };
    // The key's quota is shared out too, by reservations that end.
    const args = ['export', road.definition(name, 'budget: { max_requests: 1000 }'), '--lake', lake, '--json'];
    const before = road.proxy.requests;
    const left = jumps.map((ms, i) => ({ ms, at: before + Math.floor((requests * (i + 1)) / (jumps.length + 1)) }));
    const killedAt = before + Math.floor((2 * requests) / 3);
    const command = runCommand(args, env);
    road.proxy.onRequest = (n) => {
      while (left.length > 0 && n >= left[0]!.at) writeFileSync(clock, String(left.shift()!.ms));
      if (isKilled && n === killedAt) command.process.kill('SIGKILL');
    };
    const code = await command.ended;
    // A connection sends its next request while its last answer is read and written, and may do so before the signal reaches the process.
    const inFlight = 2 * CONNECTIONS + Math.max(0, road.proxy.requests - killedAt);
    const sent = () => road.proxy.requests - before;
    return { lake, code, command, sent, inFlight, clock, again: () => runCommand(args, env) };
  }

  async function isWhole(lake: string, jumps: readonly number[]): Promise<void> {
    expect(await contentsOf(lake)).toEqual(undisturbed);
    const opened = await openLake(lake);
    expect((await checkLake(opened)).problems).toEqual([]);
    const [row] = await opened.query(
      'SELECT epoch_ms(max(fetched_at))::DOUBLE - epoch_ms(min(fetched_at))::DOUBLE AS ms FROM coverage',
    );
    // The clock did jump.
    expect(Number(row!.ms)).toBeGreaterThan(0.9 * Math.max(...jumps.map(Math.abs)));
    await opened.close();
  }

  it.each([
    ['hour-ahead', [HOUR_MS, 0]],
    ['hour-behind', [-HOUR_MS, 0]],
    ['year-ahead', [YEAR_MS, 0]],
    ['year-behind', [-YEAR_MS, 0]],
    ['year-behind-for-good', [YEAR_MS, -YEAR_MS]],
    ['to-and-fro', [YEAR_MS, -HOUR_MS, HOUR_MS, -YEAR_MS, 0, YEAR_MS, 0, -YEAR_MS, HOUR_MS]],
  ])('%s: makes the lake of an undisturbed one, and the next run asks for the lookup alone', async (name, jumps) => {
    const { lake, code, command, sent, again } = await jumping(name, jumps);
    expect(code, command.stderr()).toBe(0);
    expect(sent()).toBe(requests);
    await isWhole(lake, jumps);
    const next = again();
    expect(await next.ended, next.stderr()).toBe(0);
    expect(sent()).toBe(requests + 1);
  });

  it.each([
    ['killed-ahead', [YEAR_MS]],
    ['killed-behind', [-YEAR_MS]],
    ['killed-an-hour-ahead', [HOUR_MS]],
  ])('%s: a process that is killed with a wrong clock is followed by one with the right one', async (name, jumps) => {
    const { lake, code, clock, again, sent, inFlight } = await jumping(name, jumps, true);
    expect(code).toBe(null);
    writeFileSync(clock, '0');
    const next = again();
    expect(await next.ended, next.stderr()).toBe(0);
    expect(sent() - requests).toBeLessThanOrEqual(inFlight);
    await isWhole(lake, jumps);
  });
});
