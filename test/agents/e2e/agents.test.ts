/** A whole research task by the official client over standard input and output, and an export whose server and worker are killed. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DetailedTaskV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeSample } from '../../../src/cli/sample/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type Answer, readAnswer } from '../../support/agents/agent-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');
const FILINGS = 60;
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

let folder: string;
let catalog: string;
let env: Record<string, string>;
beforeAll(async () => {
  if (temporalExecutable === null) return;
  folder = temporaryFolder();
  catalog = join(folder, 'catalog');
  await writeSample({ out: join(folder, 'sample'), filings: FILINGS, seed: 3, onProgress: () => {} });
  await ingest([join(folder, 'sample')], catalog, { threads: 0 });
  const place = await temporalNamespace();
  env = { ...(process.env as Record<string, string>), ...place, FILINGLAKE_HOME: join(folder, 'home') };
});

const opened: Client[] = [];
afterAll(() => Promise.all(opened.map((client) => client.close().catch(() => {}))));

async function connected(lake: string): Promise<Client & { pid: number }> {
  const client = new Client(
    { name: 'research', version: '1' },
    { capabilities: TASKS, versionNegotiation: { mode: 'auto' } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--lake', lake, '--catalog', catalog],
    env,
    stderr: 'ignore',
  });
  await client.connect(transport);
  opened.push(client);
  return Object.assign(client, { pid: transport.pid! });
}

async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  return readAnswer((result.content as { text: string }[])[0]!.text);
}

/** The state of the protocol's task. */
const taskOf = (client: Client, taskId: string) =>
  client.request({ method: 'tasks/get', params: { taskId } }, DetailedTaskV2Schema) as Promise<Answer>;

const DEFINITION = {
  name: 'research',
  select: { date_from: '2005-01-01' },
  tables: ['filings', 'parties', 'documents', 'sections', 'section_contents', 'items_8k'],
};

describe.skipIf(temporalExecutable === null)('the official client', () => {
  // A server of these tools costs seconds of CPU to start.
  let client: Client;
  beforeAll(async () => {
    client = await connected(join(folder, 'lake'));
  });

  it('does a research task from the first question to the verified answer', async () => {
    expect((await client.listTools()).tools).toHaveLength(14);

    const found = await ask(client, 'find_filings', { forms: ['10-K'] });
    expect(found).toMatchObject({ source: 'service' });
    const [{ accession_number }, { accession_number: before }] = found.rows;
    const { rows: parts } = await ask(client, 'outline', { accession_number });
    expect(parts.some((part: Answer) => part.section === '1A')).toBe(true);
    const read = await ask(client, 'read', { accession_number, section: '1A' });
    const compared = await ask(client, 'compare', { before, after: accession_number, section: '1A' });
    expect(compared.error).toBeUndefined();

    const planned = await ask(client, 'plan_export', { definition: DEFINITION });
    expect(planned.requests).toBeGreaterThan(10);
    const cheap = await ask(client, 'start_export', { definition: DEFINITION, plan: planned.plan, max_requests: 1 });
    expect(cheap.error.code).toBe('budget-exceeded');
    const other = await ask(client, 'start_export', {
      definition: { ...DEFINITION, tables: ['filings'] },
      plan: planned.plan,
      max_requests: 9999,
    });
    expect(other.error.code).toBe('plan-unknown');

    const budget = { definition: DEFINITION, plan: planned.plan, max_requests: planned.requests * 2 + 50 };
    // The client of today doesn't take a task from callTool.
    await expect(client.callTool({ name: 'start_export', arguments: budget })).rejects.toThrow(/task/);
    const task = 'export/research';
    await expect.poll(async () => (await taskOf(client, task)).status, { interval: 500 }).toBe('completed');
    const { result } = await taskOf(client, task);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ state: 'completed', filings_done: FILINGS });

    const counts = await ask(client, 'sql', { statement: 'SELECT count(*) AS n FROM filings', keep_as: 'all' });
    expect(counts.rows).toEqual([{ n: FILINGS }]);
    const inLake = await ask(client, 'read', { accession_number, section: '1A' });
    expect(inLake.citation).toMatchObject({ source: 'lake', sha256: read.citation.sha256 });
    const citations = [read, compared, counts, inLake].map(({ citation }) => citation);
    const verified = await ask(client, 'verify', { citations, budget: 20_000 });
    expect(verified).toMatchObject({ rows: citations.map(() => ({ equal: true })) });
  });

  it('finds its export finished after the deaths of client, server and worker', async () => {
    const lake = join(folder, 'killed');
    const first = await connected(lake);
    const definition = { ...DEFINITION, name: 'killed', tables: [...DEFINITION.tables, 'document_contents'] };
    const { plan, requests } = await ask(first, 'plan_export', { definition });
    const started = first.callTool({
      name: 'start_export',
      arguments: { definition, plan, max_requests: requests * 2 + 50 },
    });
    await expect(started).rejects.toThrow(/task/);
    const task = 'export/killed';
    const half = async () => JSON.parse(JSON.stringify(await ask(first, 'start_export', { task }))) as Answer;
    await expect.poll(async () => (await half()).requests, { interval: 100 }).toBeGreaterThan(0);
    process.kill(first.pid, 'SIGKILL');
    await first.close().catch(() => {});

    const second = await connected(lake);
    await expect.poll(async () => (await taskOf(second, task)).status, { interval: 500 }).toBe('completed');
    const { rows } = await ask(second, 'sql', {
      statement: 'SELECT count(*) AS n, count(DISTINCT accession_number) AS d FROM filings',
    });
    expect(rows).toEqual([{ n: FILINGS, d: FILINGS }]);
    expect((await ask(second, 'start_export', { task: 'export/of-another' })).error.code).toBe('run-unknown');
    await second.close();
  });

  it('ends an export that it cancels', async () => {
    const client = await connected(join(folder, 'cancelled'));
    const definition = { ...DEFINITION, name: 'cancelled', tables: [...DEFINITION.tables, 'document_contents'] };
    const { plan, requests } = await ask(client, 'plan_export', { definition });
    await expect(
      client.callTool({ name: 'start_export', arguments: { definition, plan, max_requests: requests * 2 + 50 } }),
    ).rejects.toThrow(/task/);
    const task = 'export/cancelled';
    await client.request({ method: 'tasks/cancel', params: { taskId: task } }, z.looseObject({}));
    expect(['cancelled', 'completed']).toContain((await taskOf(client, task)).status);
    await client.close();
  });

  it("must not name what is the server's in a definition", async () => {
    for (const more of [
      { service: { base_url: 'http://elsewhere.example' } },
      { service: { edgar: true } },
      { lake: '/tmp/elsewhere' },
      { budget: { max_requests: 1e9 } },
      { select: { accession_numbers: { file: '/etc/passwd' } } },
      { select: { entity_query: { ciks: { file: '/etc/passwd' } } } },
    ]) {
      const answer = await ask(client, 'plan_export', { definition: { ...DEFINITION, ...more } });
      expect(answer.error).toBeDefined();
      expect(JSON.stringify(answer)).not.toContain('root:');
    }
  });
});
