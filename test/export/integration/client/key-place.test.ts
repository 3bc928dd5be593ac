/** The place of the key: the parameter `api_key` as published, or the header that the caller names. */
import { expect, it } from 'vitest';
import { type Scripted, ScriptedService } from '../../../support/client/scripted-service.ts';

const PLAIN_KEY = 'fl_ThisIsAKeyOfTheService';
const PAGE: Scripted = { body: { count: 0, filings: [], truncated: false } };

it.each([
  ['parameter', 'authorization', undefined, { api_key: PLAIN_KEY, to: '1' }],
  ['bearer', 'authorization', `Bearer ${PLAIN_KEY}`, { to: '1' }],
  ['x-api-key', 'x-api-key', PLAIN_KEY, { to: '1' }],
] as const)('is %s', async (key, header, value, query) => {
  await using service = await ScriptedService.start(PAGE);
  await service.client({ apiKey: PLAIN_KEY, key }).filingLookup({ to: 1 });
  expect(service.asked.map((one) => [one.headers[header], one.query])).toEqual([[value, query]]);
});

it('is refused as it is: the key is sent nowhere else', async () => {
  await using service = await ScriptedService.start({ status: 401, body: { error: 'Invalid or missing API key' } });
  const client = service.client({ apiKey: PLAIN_KEY, key: 'bearer' });
  await expect(client.filingLookup({ to: 1 })).rejects.toMatchObject({ code: 'key-refused' });
  expect(service.asked.map(({ query }) => query)).toEqual([{ to: '1' }]);
});

it('follows no redirect: another host never gets the key', async () => {
  await using other = await ScriptedService.start(PAGE);
  const redirect: Scripted = { status: 307, headers: { location: `${other.url}/v2/filing_lookup` } };
  await using service = await ScriptedService.start(redirect);
  const client = service.client({ apiKey: PLAIN_KEY, key: 'bearer' });
  await expect(client.filingLookup({ to: 1 })).rejects.toThrow(/was redirected to/);
  expect([service.asked.length, other.asked]).toEqual([1, []]);
});

it('sends a body with POST, though it has no parameters', async () => {
  await using service = await ScriptedService.start(PAGE);
  await service.client({ apiKey: PLAIN_KEY, key: 'bearer', method: 'post' }).filingLookup({});
  expect(service.asked.at(-1)!.body).toEqual({});
});
