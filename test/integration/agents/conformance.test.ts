/** The official conformance suite against `/mcp` itself. Scenarios that call tools of the suite are in test/slow/agents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyed, listening } from '../../support/agents/conformance/listening.ts';
import { runSuite } from '../../support/agents/conformance/suite.ts';
import { TestService } from '../../support/service/running-service.ts';

/** Scenarios that need no fixture. */
const PASSED = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'dns-rebinding-protection'],
    ...['http-header-validation', 'server-sse-multiple-streams', 'input-required-result-unsupported-methods'],
  ],
};
/** Checks of scenarios that need fixtures for others. */
const PASSED_CHECKS = { 'server-stateless': 24, caching: 7 };
const MISSING = /test_|not testable|-32601|there is no (?:tool|resource)|Method not found/i;

let service: TestService;
let url: string;
let close: () => void;
beforeAll(async () => {
  service = await TestService.start();
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
    for (const scenario of PASSED[revision]) {
      expect(verdicts[scenario]!.failed, scenario).toEqual({});
      expect(verdicts[scenario]!.passed, scenario).toBeGreaterThan(0);
    }
    if (revision === '2026-07-28')
      for (const [scenario, passed] of Object.entries(PASSED_CHECKS)) {
        expect(verdicts[scenario]!.passed, scenario).toBeGreaterThanOrEqual(passed);
        for (const message of Object.values(verdicts[scenario]!.failed)) expect(message, scenario).toMatch(MISSING);
      }
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
