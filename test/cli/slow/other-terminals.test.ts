/** A run that is paused, resumed and cancelled by other commands than the one that started it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal } from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

/** Longer than a batch may take: a pause begins after the batch that is fetched. */
const BATCH_MS = 8_000;

describe.skipIf(!temporalExecutable)('a run that other terminals speak to', () => {
  let road: Road;
  let env: Record<string, string>;
  let undisturbed: Record<string, unknown[]>;
  let undisturbedRequests = 0;

  beforeAll(async () => {
    road = await buildRoad(30, { delayMs: 20 });
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    const lake = join(road.folder, 'lake-undisturbed');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    undisturbedRequests = road.proxy.requests;
  });
  afterAll(() => road.stop());

  async function withClient(use: (client: Client) => Promise<unknown>): Promise<void> {
    const session = await ensureTemporal(readSettings({ ...process.env, ...env }), {
      onMessage: () => {},
      command: 'test',
    });
    try {
      await use(new Client({ connection: await session.connect(), namespace: session.namespace }));
    } finally {
      await session.release();
    }
  }

  const textOf = ({ process }: ReturnType<typeof runCommand>) => text(process.stdout!);

  /** Starts an export, and runs another command when it is at half of its requests: nothing is answered until `holdMs` after that. */
  async function atHalf(name: string, args: readonly string[], holdMs = 0) {
    const lake = join(road.folder, `lake-${name}`);
    const file = road.definition(name);
    const before = road.proxy.requests;
    const half = before + Math.floor(undisturbedRequests / 2);
    const held = Promise.withResolvers<void>();
    const reached = road.proxy.atRequest(half, () => {
      road.proxy.hold = held.promise;
    });
    const command = runCommand(['export', file, '--lake', lake, '--json'], env);
    await reached;
    const other = runCommand(args, env);
    const otherCode = await other.ended;
    await sleep(holdMs);
    road.proxy.hold = null;
    held.resolve();
    return { lake, file, before, command, otherCode, other };
  }

  it('pauses, sends nothing, and continues after resume', async () => {
    const { lake, before, command, otherCode, other } = await atHalf('paused', ['pause', 'paused', '--json'], BATCH_MS);
    expect(otherCode, other.stderr()).toBe(0);
    const paused = await command.event((event) => event.state === 'paused');
    expect(paused).toMatchObject({ progress: { stopped_by: 'pause' } });
    const asked = road.proxy.requests;
    const status = runCommand(['status', 'paused', '--json'], env);
    const shown = textOf(status);
    expect(await status.ended).toBe(0);
    expect(JSON.parse(await shown)).toMatchObject([{ state: 'paused', worker: { answers: true } }]);
    const again = runCommand(['pause', 'paused'], env);
    const said = textOf(again);
    expect(await again.ended, again.stderr()).toBe(0);
    expect(await said).toBe('export/paused is paused already\n');
    await sleep(1_000);
    expect(road.proxy.requests).toBe(asked);
    expect(asked - before).toBeLessThan(undisturbedRequests);

    const resumed = runCommand(['resume', 'paused', '--json'], env);
    expect(await resumed.ended, resumed.stderr()).toBe(0);
    expect(await command.ended, command.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
    expect(road.proxy.requests - before).toBe(undisturbedRequests);
  });

  it('leaves the lake at its last commit when it is cancelled, and the next run requests nothing that it has', async () => {
    const { lake, file, before, command, otherCode, other } = await atHalf('cancelled', [
      'cancel',
      'cancelled',
      '--json',
    ]);
    expect(otherCode, other.stderr()).toBe(0);
    expect(await command.ended).toBe(1);
    expect(command.events.at(-1)).toMatchObject({ event: 'done', state: 'cancelled' });
    expect(command.stderr()).toContain('was cancelled');
    const open = await openLake(lake);
    expect((await checkLake(open)).problems).toEqual([]);
    // With its last answers, committed after the cancellation, and the row of the run.
    expect(command.events.at(-1)).toMatchObject({ lake_version: await open.currentVersion() });
    await open.close();
    const twice = runCommand(['cancel', 'cancelled', '--json'], env);
    expect(await twice.ended, twice.stderr()).toBe(0);
    expect(twice.events).toEqual([{ id: 'export/cancelled', state: 'cancelled' }]);
    const staging = join(lake, '_staging');
    expect(existsSync(staging) ? readdirSync(staging) : []).toEqual([]);
    const halfway = await contentsOf(lake);
    expect(halfway.filings).toEqual(undisturbed.filings);
    expect(halfway.coverage!.length).toBeLessThan(undisturbed.coverage!.length);

    const cancelledRequests = road.proxy.requests - before;
    const again = runCommand(['export', file, '--lake', lake, '--json'], env);
    expect(await again.ended, again.stderr()).toBe(0);
    // Each run has its window.
    expect({ ...(await contentsOf(lake)), export_windows: [] }).toEqual({ ...undisturbed, export_windows: [] });
    expect(road.proxy.requests - before - cancelledRequests).toBeLessThan(undisturbedRequests);
  });

  it('has no worker once its only one has left, and continues with the next', async () => {
    const lake = join(road.folder, 'lake-left');
    const half = road.proxy.requests + Math.floor(undisturbedRequests / 2);
    const reached = road.proxy.atRequest(half);
    const command = runCommand(['export', road.definition('left'), '--lake', lake, '--json'], env);
    await reached;
    command.process.kill('SIGINT');
    expect(await command.ended, command.stderr()).toBe(130);
    const asked = road.proxy.requests;
    const status = runCommand(['status', 'left'], env);
    const shown = await textOf(status);
    expect(shown).toMatch(/^worker +none \(last heard from at 20[^)]+Z\): no worker is active/m);
    expect(shown).toContain('filinglake resume left continues it');
    expect(shown).not.toMatch(/time left|\/s\)/);
    expect(road.proxy.requests).toBe(asked);
    const resumed = runCommand(['resume', 'left', '--json'], env);
    expect(await resumed.ended, resumed.stderr()).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });

  it('refreshes to its end if the next command asks for no refresh', async () => {
    const lake = join(road.folder, 'lake-undisturbed');
    const file = road.definition('undisturbed');
    const before = road.proxy.requests;
    const reached = road.proxy.atRequest(before + Math.floor(undisturbedRequests / 2));
    const command = runCommand(['export', file, '--lake', lake, '--json', '--refresh'], env);
    await reached;
    command.process.kill('SIGINT');
    expect(await command.ended, command.stderr()).toBe(130);
    const next = runCommand(['export', file, '--lake', lake, '--json'], env);
    expect(await next.ended, next.stderr()).toBe(0);
    // The entities are young enough. What was on its way at the interruption is requested again.
    const { steps_refreshed } = next.events.at(-1) as { steps_refreshed: number };
    expect(steps_refreshed).toBe(
      (undisturbed.coverage as { step: string }[]).filter(({ step }) => step !== 'filing').length,
    );
    expect(road.proxy.requests - before).toBeLessThanOrEqual(steps_refreshed + 1 + 8);
    const ofFilings = ({ export_windows: _, ...rest }: typeof undisturbed) => rest;
    expect(ofFilings(await contentsOf(lake))).toEqual(ofFilings(undisturbed));
  });

  it('is not started to retry nothing, and not cancelled after its end', async () => {
    const asked = road.proxy.requests;
    const retry = runCommand(['retry', 'undisturbed'], env);
    expect(await textOf(retry)).toMatch(/^nothing to retry: \S+ records no failure of undisturbed\n$/);
    expect(await retry.ended).toBe(0);
    expect(road.proxy.requests).toBe(asked);
    const cancel = runCommand(['cancel', 'undisturbed'], env);
    expect(await cancel.ended).toBe(1);
    expect(cancel.stderr()).toContain('export/undisturbed has ended (completed)');
  });

  it('is terminated if no worker runs any more, and leaves neither staged files nor a share of the budget', async () => {
    const lake = join(road.folder, 'lake-forced');
    const half = road.proxy.requests + Math.floor(undisturbedRequests / 2);
    const reached = road.proxy.atRequest(half);
    const command = runCommand(['export', road.definition('forced'), '--lake', lake, '--json'], env);
    await reached;
    command.process.kill('SIGKILL');
    await command.ended;
    expect(readdirSync(join(lake, '_staging'))).toHaveLength(1);
    const withoutKey = { ...env, FILINGLAKE_API_KEY: '' };
    const cancelled = runCommand(['cancel', 'forced', '--json'], withoutKey);
    expect(await cancelled.ended, cancelled.stderr()).toBe(0);
    expect(cancelled.events).toEqual([{ id: 'export/forced', state: 'cancelled' }]);
    expect(readdirSync(join(lake, '_staging'))).toEqual([]);

    // With the next run the budget hears of it, and ends as no run needs it any more.
    const next = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], env);
    expect(await next.ended, next.stderr()).toBe(0);
    await withClient(async (client) => {
      const budgets = new Set<string>();
      for await (const { workflowId } of client.workflow.list({ query: "WorkflowType = 'budgetWorkflow'" }))
        budgets.add(workflowId);
      expect(budgets.size).toBe(1);
      const { status } = await client.workflow.getHandle([...budgets][0]!).describe();
      expect(status.name).toBe('COMPLETED');
    });
  });

  /** Ends a run of which no worker is active. */
  const FORCES = {
    cancel: async (name: string) => {
      const cancelled = runCommand(['cancel', name, '--json'], { ...env, FILINGLAKE_API_KEY: '' });
      expect(await cancelled.ended, cancelled.stderr()).toBe(0);
    },
    terminate: (name: string) => withClient((client) => client.workflow.getHandle(`export/${name}`).terminate()),
    'delete-history': (name: string) =>
      withClient(async ({ workflow, options: { namespace } }) => {
        const workflowExecution = { workflowId: `export/${name}` };
        await workflow.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
        const isThere = () => workflow.getHandle(`export/${name}`).describe();
        await vi.waitFor(() => expect(isThere()).rejects.toThrow(), { timeout: 120_000, interval: 100 });
      }),
  };

  it.each(Object.keys(FORCES) as (keyof typeof FORCES)[])(
    'that %s ended by force leaves its answers to the next run of any export, and a row of its requests',
    async (force) => {
      const [lake, before] = [join(road.folder, `lake-${force}`), road.proxy.requests];
      const reached = road.proxy.atRequest(before + Math.floor(undisturbedRequests / 2));
      const command = runCommand(['export', road.definition(force), '--lake', lake, '--json'], env);
      await reached;
      command.process.kill('SIGKILL');
      await command.ended;
      const spent = road.proxy.requests - before;
      await FORCES[force](force);
      const next = runCommand(['export', road.definition(`after-${force}`), '--lake', lake, '--json'], env);
      expect(await next.ended, next.stderr()).toBe(0);
      // Both runs have read the windows.
      const ofFilings = ({ export_windows: _, ...rest }: typeof undisturbed) => rest;
      expect(ofFilings(await contentsOf(lake))).toEqual(ofFilings(undisturbed));
      expect(readdirSync(join(lake, '_staging'))).toEqual([]);
      // Twice: the lookup, and what was on its way when the worker was killed.
      const connections = 8;
      expect(road.proxy.requests - before).toBeLessThanOrEqual(undisturbedRequests + 1 + connections);
      const opened = await openLake(lake);
      const [row] = await opened.query(`SELECT state, requests FROM export_runs WHERE export = '${force}'`);
      expect(row!.state).toBe('cancelled');
      expect(Number(row!.requests)).toBeGreaterThanOrEqual(spent - connections);
      expect(Number(row!.requests)).toBeLessThanOrEqual(spent + connections);
      expect((await checkLake(opened)).problems).toEqual([]);
      const { runs_kept } = await opened.vacuum({ dryRun: true });
      expect(runs_kept).toEqual([]);
      await opened.close();
    },
  );
});
