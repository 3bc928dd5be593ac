/** `filinglake conformance`: our service passes every check. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/conformance/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { TestService } from '../../support/service/running-service.ts';

let service: TestService;
/** Its month is used up. */
let spentKey: string;
beforeAll(async () => {
  service = await TestService.start();
  spentKey = service.newKey('twenty');
  for (let i = 0; i < 20; i++) await service.ask(`/v2/filing_lookup?to=0&api_key=${spentKey}`);
});
afterAll(() => service.stop());

interface Report {
  conforms: boolean;
  must: Record<string, number>;
  may: Record<string, number>;
  requests: number;
  checks: { id: string; level: string; result: string; reason: string | null }[];
}

describe('filinglake conformance', () => {
  it('passes every check on our own service, with a key whose plan has limits', async () => {
    const key = service.newKey('roomy');
    const { status: code, stdout } = await commandLine([
      ...['conformance', service.service.url, '--api-key', key],
      ...['--spent-key', spentKey, '--json'],
    ]);
    const report = JSON.parse(stdout) as Report;
    const notPassed = report.checks.filter(({ result }) => result !== 'passed');
    // The small catalog has no ticker list, and a machine may have no browser.
    const allowed = ['entity_lookup.tickers', 'entity_lookup.exchanges', 'pdf.filing', 'document.xml-as-json'];
    expect(notPassed.filter(({ id }) => !allowed.includes(id))).toEqual([]);
    expect(notPassed.filter(({ result }) => result === 'failed').map(({ id }) => id)).toEqual(
      notPassed.some(({ id, result }) => id === 'pdf.filing' && result === 'failed') ? ['pdf.filing'] : [],
    );
    expect([code, report.conforms, report.must.failed]).toEqual([0, true, 0]);
    expect(report.requests).toBeLessThan(220);
    expect(stdout).not.toContain(key);
  });

  it('prints a line a check, and ends with 1 if the key is refused', async () => {
    const {
      status: code,
      stdout,
      stderr,
    } = await commandLine(['conformance', service.service.url, '--api-key', 'no-such-key']);
    expect(code).toBe(1);
    expect(stderr).toContain('the service refused the key');
    expect(stdout).toContain('must  FAILED   key.in-query');
    expect(stdout.trim().split('\n').length).toBeGreaterThanOrEqual(CHECKS.length);
  });

  it('says so if the month of the key is used up before the end', async () => {
    const key = service.newKey('twenty');
    const { stderr } = await commandLine(['conformance', service.service.url, '--api-key', key]);
    expect(stderr).toContain('the month of the key was used up');
  });

  it('refuses an address that is none, and a service that does not answer', async () => {
    expect((await commandLine(['conformance', 'localhost', '--api-key', 'k'])).status).toBe(2);
    expect((await commandLine(['conformance', 'http://127.0.0.1:9', '--api-key', 'k'])).status).not.toBe(0);
  });
});

describe('the checks', () => {
  it('have names of their own, and name an operation or a subject', () => {
    const ids = CHECKS.map((check) => check.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w]+\.[\w.-]+$/);
  });
});
