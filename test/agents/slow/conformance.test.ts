/** The official conformance suite with its fixtures, offered by filinglake's server, over both transports and at both revisions; and against `filinglake mcp` itself. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import {
  HTTP_2025,
  HTTP_2026,
  OF_HTTP_CHECKS,
  STDIO_2025,
  STDIO_2026,
  surprises,
} from '../../support/agents/conformance/expectations.ts';
import { fixtureService } from '../../support/agents/conformance/http-server.ts';
import { keyed, listening } from '../../support/agents/conformance/listening.ts';
import { PASSED, PASSED_CHECKS, unexplained } from '../../support/agents/conformance/product.ts';
import { StdioBridge } from '../../support/agents/conformance/stdio-bridge.ts';
import { runSuite } from '../../support/agents/conformance/suite.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');
/** About a tool of the suite that is always a task. */
const OF_A_TOOL = 'sep-2663-server-returns-missing-capability-when-required';
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

describe('filinglake mcp', () => {
  let bridge: StdioBridge;
  let url: string;
  beforeAll(async () => {
    const lake = join(temporaryFolder(), 'lake');
    await (await openLake(lake, { create: true })).close();
    // With a service, so that it offers tasks. Nothing asks the service for anything.
    const places = ['--lake', lake, '--service', 'http://127.0.0.1:9'];
    bridge = new StdioBridge([MAIN, 'mcp', ...places], { ...process.env, FILINGLAKE_API_KEY: 'k' });
    url = await bridge.start();
  });
  afterAll(() => bridge.close());

  it.each(PASSED['2025-11-25'])('passes %s at 2025-11-25', async (scenario) => {
    const verdicts = await runSuite(url, '2025-11-25', scenario);
    expect(unexplained(verdicts, [scenario], ['server-session-id-visible-ascii'])).toEqual([]);
  });

  it('passes at 2026-07-28 what needs no fixture of the suite', async () => {
    const verdicts = await runSuite(url, '2026-07-28');
    expect(Object.keys(verdicts)).toHaveLength(50);
    expect(unexplained(verdicts, PASSED['2026-07-28'], [...OF_HTTP_CHECKS, OF_A_TOOL])).toEqual([]);
    for (const [scenario, passed] of Object.entries({ ...PASSED_CHECKS, 'server-stateless': 13 }))
      expect(verdicts[scenario]!.passed, scenario).toBeGreaterThanOrEqual(passed);
  });
});
