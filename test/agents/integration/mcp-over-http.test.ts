/** /mcp of a service: the same keys and quotas as /v2, both eras of the protocol, and the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, readAnswer } from '../../support/agents/agent-lake.ts';
import { serviceTools } from '../../support/agents/service-tools.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ tools: serviceTools });
});
afterAll(() => service.stop());

async function connected(key: string, legacy = false): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, legacy ? {} : { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', service.service.url), { requestInit: { headers } }),
  );
  return client;
}

async function ask(client: Client, name: string, args: object): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  return readAnswer((result.content as { text: string }[])[0]!.text);
}

describe('/mcp', () => {
  it.each([
    ['2026-07-28', false],
    ['2025-11-25', true],
  ])('serves the official client at revision %s', async (_, legacy) => {
    const client = await connected(service.key, legacy);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'find_companies',
      'find_filings',
      'outline',
      'read',
      'search_text',
      'events',
      'compare',
      'verify',
    ]);
    const found = await ask(client, 'find_filings', { accession_numbers: [ANNUAL] });
    expect(found.rows).toMatchObject([{ accession_number: ANNUAL, form_type: '10-K' }]);
    const { rows: parts } = await ask(client, 'outline', { accession_number: ANNUAL });
    const section = parts.find((part: Answer) => part.part === 'section');
    const read = await ask(client, 'read', { accession_number: ANNUAL, section: section.section });
    expect(read.filed_content.length).toBeGreaterThan(10);
    expect((await ask(client, 'verify', { citations: [read.citation] })).rows).toEqual([{ equal: true }]);
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
    await client.close();
  });

  it('takes the keys of /v2, and no other', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const headers of [{}, { 'x-api-key': 'nobody' }, { authorization: 'Bearer nobody' }])
      expect(await service.ask('/mcp', { method: 'POST', body, headers })).toMatchObject({
        status: 401,
        json: { error: 'Invalid or missing API key' },
      });
    expect((await service.ask('/mcp', { method: 'PUT' })).status).toBe(405);
  });

  it('counts what a tool requests for the key that called it, and says so when the month is used up', async () => {
    const key = service.newKey('twenty');
    const client = await connected(key);
    await client.listTools();
    expect(service.used(key).requests).toBe(0);
    await ask(client, 'find_filings', { forms: ['10-K'] });
    await expect.poll(() => service.used(key).requests).toBe(1);
    let error: Answer | undefined;
    for (let i = 0; i < 25 && error === undefined; i++)
      error = (await ask(client, 'find_filings', { forms: ['10-K'] })).error;
    expect(error).toMatchObject({ code: 'quota-exceeded' });
    expect(service.used(key).requests).toBe(20);
    await client.close();
  });

  it('hides what EDGAR accepted after as_of, in rows and counts', async () => {
    const client = await connected(service.key);
    const all = await ask(client, 'find_filings', { budget: 40_000 });
    const at = (filing: Answer) => filing.acceptance_datetime ?? `${filing.filing_date}T24:00:00`;
    for (const { acceptance_datetime } of all.rows.filter((one: Answer) => one.acceptance_datetime !== null)) {
      const then = await ask(client, 'find_filings', { as_of: acceptance_datetime, budget: 40_000 });
      const known = all.rows.filter((filing: Answer) => at(filing) <= acceptance_datetime);
      expect(then.count).toBe(known.length);
      expect(then.rows.map((one: Answer) => one.accession_number).sort()).toEqual(
        known.map((one: Answer) => one.accession_number).sort(),
      );
    }
    await client.close();
  });
});
