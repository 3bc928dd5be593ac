/** An export through the real service, the real Temporal server and real workers, with processes killed in its middle. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import { readTemporalState } from '../../../src/export/runtime/temporal/state.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { txtOf } from '../../support/catalog/synthetic-filings.ts';
import { PAGE, WITH_INSTANCE } from '../../support/doors/corpus.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 40;
/** Filings with XBRL, which those of the sample have not. */
const TAGGED = [PAGE, WITH_INSTANCE];
/** Of an export, by default. */
const CONNECTIONS = 8;

describe.skipIf(!temporalExecutable)('an export whose processes are killed', () => {
  let road: Road;
  let env: Record<string, string>;
  let undisturbed: Record<string, unknown[]>;
  let undisturbedRequests = 0;

  beforeAll(async () => {
    road = await buildRoad(FILINGS - TAGGED.length, { delayMs: 25 });
    const tagged = join(road.folder, 'tagged');
    mkdirSync(tagged);
    for (const [i, filing] of TAGGED.entries()) writeFileSync(join(tagged, `${i}.txt`), txtOf(filing));
    await ingest([tagged], road.catalogFolder, { threads: 0 });
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    const lake = join(road.folder, 'lake-undisturbed');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    undisturbedRequests = road.proxy.requests;
  });
  afterAll(() => road.stop());

  it('exports every filing of the catalog without disturbance', () => {
    expect(undisturbed.filings).toHaveLength(FILINGS);
    expect(undisturbed.document_contents!.length).toBeGreaterThan(FILINGS - 1);
    expect(undisturbed.section_contents!.length).toBeGreaterThan(0);
  });

  it('makes the same lake when the worker is killed and another starts', async () => {
    const lake = join(road.folder, 'lake-worker');
    const before = road.proxy.requests;
    const first = runCommand(['worker', '--json'], env);
    await first.event((event) => 'task_queue' in event);
    const killAt = before + Math.floor(undisturbedRequests / 2);
    const killed = road.proxy.atRequest(killAt, () => first.process.kill('SIGKILL'));
    const command = runCommand(
      ['export', road.definition('worker-killed'), '--lake', lake, '--json', '--no-worker'],
      env,
    );
    await killed;
    await first.ended;
    const second = runCommand(['worker', '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    second.process.kill('SIGTERM');
    expect(await second.ended, second.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
    // Sealed rows from before the kill are not requested again: only the open segment is.
    const sent = road.proxy.requests - before;
    expect(sent).toBeLessThan(undisturbedRequests * 1.6);
    // Each sent request is counted, also those that the killed worker sent after its last heartbeat. Those in flight may not have
    // arrived.
    const opened = await openLake(lake);
    const [run] = await opened.query('SELECT requests FROM export_runs');
    await opened.close();
    const { requests } = command.events.at(-1) as { requests: number };
    expect(Number(run!.requests)).toBe(requests);
    expect(requests).toBeGreaterThanOrEqual(sent);
    expect(requests).toBeLessThanOrEqual(sent + CONNECTIONS);
  });

  it('makes the same tables of XBRL when the worker is killed between two documents of a filing', async () => {
    const file = join(road.folder, 'xbrl.yaml');
    const service = `service: { base_url: ${road.proxy.url}, connections: 2 }`;
    writeFileSync(file, `name: xbrl\n${service}\nselect: {}\ntables: [filings, xbrl]\n`);
    const whole = join(road.folder, 'lake-xbrl');
    let before = road.proxy.requests;
    const command = runCommand(['export', file, '--lake', whole, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    const needed = road.proxy.requests - before;
    const expected = await contentsOf(whole);
    expect(expected.xbrl_facts!.length).toBeGreaterThan(0);

    const lake = join(road.folder, 'lake-xbrl-killed');
    before = road.proxy.requests;
    const first = runCommand(['worker', '--json'], env);
    await first.event((event) => 'task_queue' in event);
    const killed = road.proxy.atRequest(before + Math.ceil(needed / 2), () => first.process.kill('SIGKILL'));
    const again = runCommand(['export', file, '--lake', lake, '--json', '--no-worker'], env);
    await killed;
    await first.ended;
    const second = runCommand(['worker', '--json'], env);
    expect(await again.ended, again.stderr()).toBe(0);
    second.process.kill('SIGTERM');
    await second.ended;
    expect(await contentsOf(lake)).toEqual(expected);
  });

  it('makes the same lake when the Temporal server is killed', async () => {
    const lake = join(road.folder, 'lake-temporal');
    const before = road.proxy.requests;
    const state = openHome(readSettings({ FILINGLAKE_HOME: road.home }).homeFolder).temporalState;
    const killAt = before + Math.floor(undisturbedRequests / 2);
    let restartsBefore = -1;
    road.proxy.onRequest = (n) => {
      if (n !== killAt) return;
      const { server, restarts } = readTemporalState(state)!;
      restartsBefore = restarts;
      process.kill(server!.pid, 'SIGKILL');
    };
    let restarts = -1;
    const command = runCommand(['export', road.definition('temporal-killed'), '--lake', lake, '--json'], env);
    await command.event((event) => event.event === 'done');
    restarts = readTemporalState(state)!.restarts;
    expect(await command.ended, command.stderr()).toBe(0);
    expect(restarts).toBe(restartsBefore + 1);
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });

  it('ends when Temporal no longer answers, and the next export completes the run', async () => {
    const lake = join(road.folder, 'lake-temporal-silent');
    const definition = road.definition('temporal-silent');
    const state = openHome(road.home).temporalState;
    const middle = road.proxy.requests + Math.floor(undisturbedRequests / 2);
    const reached = road.proxy.atRequest(middle);
    const command = runCommand(['export', definition, '--lake', lake, '--json'], env);
    await reached;
    const { pid } = readTemporalState(state)!.server!;
    process.kill(pid, 'SIGSTOP');
    expect(await command.ended, command.stderr()).toBe(5);
    expect(command.stderr()).toContain("Temporal doesn't answer");
    // The stopped server was killed with the last lease: the next command starts another.
    const next = runCommand(['export', definition, '--lake', lake, '--json'], env);
    expect(await next.ended, next.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });

  it('continues the work of a killed export command', async () => {
    const lake = join(road.folder, 'lake-command');
    const definition = road.definition('command-killed');
    const before = road.proxy.requests;
    const killAt = before + Math.floor(undisturbedRequests / 2);
    const first = runCommand(['export', definition, '--lake', lake, '--json'], env);
    void road.proxy.atRequest(killAt, () => first.process.kill('SIGKILL'));
    await first.ended;
    const again = runCommand(['export', definition, '--lake', lake, '--json'], env);
    expect(await again.ended, again.stderr()).toBe(0);
    expect(again.events[0]).toMatchObject({ event: 'start', attached: true });
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });

  it('exits on Ctrl-C with 130, cleanly: nothing is requested again', async () => {
    const lake = join(road.folder, 'lake-left');
    const definition = road.definition('left');
    const before = road.proxy.requests;
    const leaveAt = before + Math.floor(undisturbedRequests / 2);
    const first = runCommand(['export', definition, '--lake', lake, '--json'], env);
    void road.proxy.atRequest(leaveAt, () => first.process.kill('SIGINT'));
    expect(await first.ended, first.stderr()).toBe(130);
    expect(first.events.at(-1)).toMatchObject({ event: 'done', state: 'running' });
    const again = runCommand(['export', definition, '--lake', lake, '--json'], env);
    expect(await again.ended, again.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
    expect(road.proxy.requests - before).toBe(undisturbedRequests);
  });

  it('leaves lakes that pass their check', async () => {
    for (const name of ['undisturbed', 'worker', 'temporal', 'command', 'left']) {
      await using lake = await openLake(join(road.folder, `lake-${name}`));
      expect((await checkLake(lake)).problems).toEqual([]);
    }
    rmSync(road.home, { recursive: true, force: true });
  });
});
