/** The official conformance suite against `/mcp` itself. Scenarios that call tools of the suite are in test/agents/slow. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyed, listening } from '../../support/agents/conformance/listening.ts';
import { PASSED, PASSED_CHECKS, PASSED_OVER_HTTP, unexplained } from '../../support/agents/conformance/product.ts';
import { runSuite } from '../../support/agents/conformance/suite.ts';
import { serviceTools } from '../../support/agents/service-tools.ts';
import { TestService } from '../../support/service/running-service.ts';

/** A service starts no exports, so it has no tasks. The other is about a tool of the suite that always is one. */
const OF_TASKS = ['tasks-extension-advertised', 'sep-2663-server-returns-missing-capability-when-required'];

let service: TestService;
let url: string;
let close: () => void;
beforeAll(async () => {
  service = await TestService.start({ tools: serviceTools });
  const proxy = keyed(service.service.url, service.key);
  url = `${await listening(proxy)}/mcp`;
  close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
});
afterAll(async () => {
  close();
  await service.stop();
});

describe('/mcp', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)('passes what needs no fixture at %s', async (revision) => {
    const verdicts = await runSuite(url, revision);
    expect(unexplained(verdicts, [...PASSED[revision], ...PASSED_OVER_HTTP[revision]], OF_TASKS)).toEqual([]);
    if (revision === '2026-07-28')
      for (const [scenario, passed] of Object.entries(PASSED_CHECKS))
        expect(verdicts[scenario]!.passed, scenario).toBeGreaterThanOrEqual(passed);
  });

  it('refuses pages of other origins, also with a key', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = 'application/json, text/event-stream';
    const ask = (origin: string) =>
      service.ask('/mcp', { method: 'POST', body, headers: { 'x-api-key': service.key, origin, accept } });
    for (const origin of [
      'https://elsewhere.example',
      'null',
      'http://localhost.elsewhere.example',
      'http://127.0.0.1.nip.example',
    ])
      expect(await ask(origin), origin).toMatchObject({
        status: 403,
        json: { error: expect.stringContaining('origin') },
      });
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1:8080', 'http://[::1]:80'])
      expect((await ask(origin)).status, origin).toBe(200);
  });
});
