/** Our service passes every check of the /v2 interface, asked over HTTP as a stranger would. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS, checkConformance } from '../../support/service/conformance/index.ts';
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

describe('our service', () => {
  it('passes every check, with a key whose plan has limits', async () => {
    const keys = { apiKey: service.newKey('roomy'), spentKey };
    const report = await checkConformance(service.service.url, keys);
    const notPassed = report.checks.filter(({ result }) => result !== 'passed');
    // The small catalog has no ticker list, and a machine may have no browser.
    const allowed = ['entity_lookup.tickers', 'entity_lookup.exchanges', 'pdf.filing', 'document.xml-as-json'];
    expect(notPassed.filter(({ id }) => !allowed.includes(id))).toEqual([]);
    expect(notPassed.filter(({ result }) => result === 'failed').map(({ id }) => id)).toEqual(
      notPassed.some(({ id, result }) => id === 'pdf.filing' && result === 'failed') ? ['pdf.filing'] : [],
    );
    expect([report.conforms, report.must.failed]).toEqual([true, 0]);
    expect(report.requests).toBeLessThan(220);
  });

  it('does not conform for an unknown key: the checks can fail', async () => {
    const report = await checkConformance(service.service.url, { apiKey: 'no-such-key', spentKey: null });
    expect(report.conforms).toBe(false);
    expect(report.checks).toContainEqual(expect.objectContaining({ id: 'key.in-query', result: 'failed' }));
    expect(report.checks).toHaveLength(CHECKS.length);
  });
});
