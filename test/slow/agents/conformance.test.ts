/** The official conformance suite with its fixtures, offered by filinglake's server, over both transports and at both revisions. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HTTP_2025,
  HTTP_2026,
  STDIO_2025,
  STDIO_2026,
  surprises,
} from '../../support/agents/conformance/expectations.ts';
import { fixtureService } from '../../support/agents/conformance/http-server.ts';
import { keyed, listening } from '../../support/agents/conformance/listening.ts';
import { StdioBridge } from '../../support/agents/conformance/stdio-bridge.ts';
import { runSuite } from '../../support/agents/conformance/suite.ts';

const FIXTURES = join(import.meta.dirname, '../../support/agents/conformance/stdio-server.ts');

describe('over HTTP, by the route of the service', () => {
  let url: string;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    const service = await fixtureService();
    const proxy = keyed(service.url, 'k');
    url = `${await listening(proxy)}/mcp`;
    close = () => {
      proxy.closeAllConnections();
      proxy.close();
      return service.app.close();
    };
  });
  afterAll(() => close());

  it.each([
    ['2025-11-25', HTTP_2025, 33],
    ['2026-07-28', HTTP_2026, 50],
  ] as const)('the suite passes at %s', async (revision, exceptions, scenarios) => {
    const verdicts = await runSuite(url, revision);
    expect(Object.keys(verdicts)).toHaveLength(scenarios);
    expect(surprises(verdicts, exceptions)).toEqual([]);
  });
});

describe('over standard input and output', () => {
  const bridge = new StdioBridge([FIXTURES]);
  let url: string;
  beforeAll(async () => {
    url = await bridge.start();
  });
  afterAll(() => bridge.close());

  it.each([
    ['2025-11-25', STDIO_2025, 33],
    ['2026-07-28', STDIO_2026, 50],
  ] as const)('the suite passes at %s', async (revision, exceptions, scenarios) => {
    const verdicts = await runSuite(url, revision);
    expect(Object.keys(verdicts)).toHaveLength(scenarios);
    expect(surprises(verdicts, exceptions)).toEqual([]);
  });
});
