/** Tasks whose key has no quota left: they say so, outlive their server, continue when the quota is back, and can be cancelled. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DetailedTaskV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../../support/agents/agent-lake.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, CHECKOUT, contentsOf, type Road } from '../../support/test-stack.ts';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
/** Of the small plan. */
const QUOTA = 40;
const TABLES = ['filings', 'parties', 'documents', 'sections', 'section_contents', 'items_8k', 'document_contents'];

describe.skipIf(temporalExecutable === null)('a task whose quota is used up', () => {
  let road: Road;
  let place: Record<string, string>;
  const opened: Client[] = [];
  beforeAll(async () => {
    road = await buildRoad(25);
    place = { ...(await temporalNamespace()) };
  });
  beforeEach(() => road.setClock(null));
  afterAll(async () => {
    for (const client of opened) await client.close().catch(() => {});
    await road.stop();
  });

  async function connected(lake: string, key: string): Promise<Client & { pid: number }> {
    const client = new Client(
      { name: 'research', version: '1' },
      { capabilities: TASKS, versionNegotiation: { mode: 'auto' } },
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(CHECKOUT, 'src/cli/main.ts'), 'mcp', '--lake', join(road.folder, lake), '--service', road.proxy.url],
      env: {
        ...(process.env as Record<string, string>),
        ...place,
        FILINGLAKE_HOME: road.home,
        FILINGLAKE_API_KEY: key,
      },
      stderr: 'ignore',
    });
    await client.connect(transport);
    opened.push(client);
    return Object.assign(client, { pid: transport.pid! });
  }

  async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await client.callTool({ name, arguments: args });
    return JSON.parse((result.content as { text: string }[])[0]!.text) as Answer;
  }

  const taskOf = (client: Client, taskId: string) =>
    client.request({ method: 'tasks/get', params: { taskId } }, DetailedTaskV2Schema) as Promise<Answer>;

  /** @returns what was planned */
  async function start(client: Client, name: string): Promise<Answer> {
    const definition = { name, select: {}, tables: TABLES };
    const planned = await ask(client, 'plan_export', { definition });
    expect(planned.error).toBeUndefined();
    const call = { definition, plan: planned.plan, max_requests: planned.requests * 2 + 10 };
    // The client of today doesn't take a task from callTool.
    await expect(client.callTool({ name: 'start_export', arguments: call })).rejects.toThrow(/task/);
    return planned;
  }

  /** Rows of an export, without those about its runs. */
  const rowsOf = async (lake: string) =>
    Object.entries(await contentsOf(join(road.folder, lake))).filter(([name]) => !name.startsWith('export_'));

  /** @returns the time of the service from now on: the first of a later month */
  const turnMonths = (n: number): Date => {
    const now = new Date();
    const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1, 0, 5));
    road.setClock(then);
    return then;
  };

  it('says until when it waits, also by a new server, and ends with the rows of an export that never waited', async () => {
    const whole = await connected('whole', road.createKey('unlimited'));
    await start(whole, 'whole');
    await expect.poll(async () => (await taskOf(whole, 'export/whole')).status).toBe('completed');
    await whole.close();

    const key = road.createKey('small');
    const first = await connected('waiting', key);
    const planned = await start(first, 'waiting');
    expect(planned.requests).toBeGreaterThan(QUOTA);
    expect(planned.months_of_quota).toBeGreaterThan(1);
    const task = 'export/waiting';
    await expect
      .poll(async () => (await taskOf(first, task)).statusMessage)
      // The service tells whole seconds to wait, counted from its answer.
      .toMatch(/^waiting_for_quota.*continues at \d{4}-\d{2}-01T00:00:0\d/);
    expect((await taskOf(first, task)).status).toBe('working');
    const waiting = await ask(first, 'start_export', { task });
    expect(waiting).toMatchObject({ state: 'waiting', detail: expect.stringContaining('quota') });
    expect(Date.parse(waiting.waits_until)).toBeGreaterThan(Date.now());
    process.kill(first.pid, 'SIGKILL');

    const second = await connected('waiting', key);
    expect(await ask(second, 'start_export', { task })).toMatchObject({
      state: 'waiting',
      waits_until: waiting.waits_until,
    });
    // While nothing is left, nobody can plan either, and the error says so.
    expect(
      (await ask(second, 'plan_export', { definition: { name: 'other', select: {}, tables: TABLES } })).error.code,
    ).toBe('quota-exceeded');
    for (let month = 1, isWhole = false; !isWhole; month++) {
      expect(month).toBeLessThan(9);
      const now = turnMonths(month);
      await start(second, 'waiting');
      await expect
        .poll(async () => {
          const { state, waits_until } = await ask(second, 'start_export', { task });
          isWhole = state === 'completed';
          return isWhole || (state === 'waiting' && Date.parse(waits_until) > now.getTime());
        })
        .toBe(true);
    }
    const { result } = await taskOf(second, task);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ state: 'completed', filings_done: 25 });
    await second.close();
    const rows = await rowsOf('waiting');
    expect(rows.length).toBeGreaterThanOrEqual(TABLES.length);
    expect(rows).toEqual(await rowsOf('whole'));
  });

  it('is cancelled while it waits, and keeps what was committed', async () => {
    const client = await connected('cancelled', road.createKey('small'));
    await start(client, 'cancelled');
    const task = 'export/cancelled';
    await expect.poll(async () => (await ask(client, 'start_export', { task })).state).toBe('waiting');
    await client.request({ method: 'tasks/cancel', params: { taskId: task } }, z.looseObject({}));
    expect((await taskOf(client, task)).status).toBe('cancelled');
    const { rows } = await ask(client, 'sql', {
      statement: 'SELECT count(*) AS n, count(DISTINCT accession_number) AS d FROM filings',
    });
    expect(rows[0].n).toBeGreaterThan(0);
    expect(rows[0].d).toBe(rows[0].n);
    await client.close();
  });
});
