import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

let service: TestService;
const before = process.env.FILINGLAKE_CHROMIUM;
beforeAll(async () => {
  process.env.FILINGLAKE_CHROMIUM = '/nowhere/chromium';
  service = await TestService.start();
});
afterAll(async () => {
  await service.stop();
  if (before === undefined) delete process.env.FILINGLAKE_CHROMIUM;
  else process.env.FILINGLAKE_CHROMIUM = before;
});

describe('without a browser', () => {
  it('pdf names what to install, costs nothing, and everything else works', async () => {
    const key = service.newKey('twenty');
    const answer = await service.ask(`/v2/pdf?api_key=${key}&accession_number=${ANNUAL}`);
    expect(answer.status).toBe(503);
    const { error } = answer.json as { error: string };
    expect(error).toMatch(
      /no browser to make PDFs with.*apt-get install chromium.*FILINGLAKE_CHROMIUM=\/nowhere\/chromium: there is no such file/,
    );
    expect(answer.headers['retry-after']).toBe('3600');
    expect(service.used(key)).toEqual({ requests: 0, bytes: 0 });
    expect((await service.get('filing_sections', `accession_number=${ANNUAL}`)).status).toBe(200);
  });

  it('mistakes in the request are still reported first', async () => {
    expect((await service.get('pdf', 'accession_number=000000000000000000')).status).toBe(404);
    expect((await service.get('pdf', '')).status).toBe(400);
  });
});
