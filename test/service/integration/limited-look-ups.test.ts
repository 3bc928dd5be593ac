/** Look-ups that the main thread answers are counted together: a limit still holds exactly, beside requests that reader threads answer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL, OWNERSHIP } from '../../support/service/small-catalog.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

it('a key with a limit is admitted exactly as often as the plan says', async () => {
  const key = service.newKey('free');
  const asked = [
    `filing_info?accession_number=${OWNERSHIP}`,
    'filing_lookup?form_types=8-K&to=20',
    'filing_lookup?to=1',
    'entity_lookup?ciks=100001',
  ];
  const ask = (i: number) =>
    service.ask(`/v2/${asked[i % asked.length]}&api_key=${key}`, {
      headers: { 'accept-encoding': i % 2 ? 'gzip' : 'identity' },
    });
  const statuses = (await Promise.all(Array.from({ length: 160 }, (_, i) => ask(i)))).map(({ status }) => status);
  expect([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length]).toEqual([100, 60]);
  expect(service.used(key).requests).toBe(100);
});

it.each([
  ['HEAD', {}, 200],
  ['POST', {}, 200],
  ['GET', { accept: 'application/octet-stream' }, 200],
  ['GET', { 'if-none-match': '*' }, 304],
])('%s of a document with the headers %j is counted once', async (method, headers, status) => {
  const key = service.newKey('free');
  const answer = await service.ask(`/v2/document?accession_number=${ANNUAL}&api_key=${key}`, { method, headers });
  expect([answer.status, service.used(key)]).toEqual([
    status,
    { requests: 1, bytes: method === 'HEAD' || status === 304 ? 0 : answer.bytes.length },
  ]);
});
