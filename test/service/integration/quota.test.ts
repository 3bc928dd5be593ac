import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL, OWNERSHIP } from '../../support/service/small-catalog.ts';

const NOW = new Date('2026-11-21T00:00:00Z');
const SECONDS_LEFT = 10 * 86_400;

let service: TestService;
let now = NOW;
beforeAll(async () => {
  service = await TestService.start({ now: () => now });
});
afterAll(() => service.stop());

function used(key: string): { requests: number; bytes: number } {
  const { requests, bytes } = service.accounts.listKeys(now).find(({ prefix }) => key.startsWith(prefix))!;
  return { requests, bytes };
}

describe('quota headers', () => {
  it('state the plan’s limits and the remaining quota, on every authenticated answer', async () => {
    const key = service.newKey('free');
    const policy = '"requests";q=100;w=month, "bytes";q=1000000;w=month';
    const first = await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    expect(first.headers['ratelimit-policy']).toBe(policy);
    expect(first.headers.ratelimit).toBe(
      `"requests";r=99;t=${SECONDS_LEFT}, "bytes";r=${1_000_000 - first.bytes.length};t=${SECONDS_LEFT}`,
    );
    const refused = await service.ask(`/v2/filing_info?api_key=${key}`);
    expect(refused.status).toBe(400);
    expect(refused.headers['ratelimit-policy']).toBe(policy);
    expect(refused.headers.ratelimit).toBe(first.headers.ratelimit);
  });

  it('name only limits, and are absent for a plan without any', async () => {
    const path = `/v2/filing_info?accession_number=${ANNUAL}&api_key=`;
    const narrow = await service.ask(`${path}${service.newKey('narrow')}`);
    expect(narrow.headers['ratelimit-policy']).toBe('"bytes";q=1000;w=month');
    const twenty = await service.ask(`${path}${service.newKey('twenty')}`);
    expect(twenty.headers.ratelimit).toBe(`"requests";r=19;t=${SECONDS_LEFT}`);
    const unlimited = await service.ask(`${path}${service.key}`);
    expect(unlimited.headers.ratelimit ?? unlimited.headers['ratelimit-policy']).toBeUndefined();
    expect((await service.ask('/v2/filing_info')).headers.ratelimit).toBeUndefined();
  });
});

describe('what counts', () => {
  it.each<[string, string, Record<string, string>, string, number, boolean]>([
    ['200', `filing_info?accession_number=${ANNUAL}`, {}, 'GET', 200, true],
    ['404 of a record', 'filing_info?accession_number=000000000000000000', {}, 'GET', 404, true],
    ['422', `document?document_id=${OWNERSHIP}-2&output_format=json`, {}, 'GET', 422, true],
    ['400', 'filing_info?', {}, 'GET', 400, false],
    ['415', 'filing_info?', { 'content-type': 'text/plain' }, 'POST', 415, false],
  ])('%s', async (_name, path, headers, method, status, counts) => {
    const key = service.newKey('free');
    const options = method === 'POST' ? { method, headers, body: 'x' } : { method, headers };
    const answer = await service.ask(`/v2/${path}&api_key=${key}`, options);
    expect(answer.status).toBe(status);
    expect(used(key)).toEqual(counts ? { requests: 1, bytes: answer.bytes.length } : { requests: 0, bytes: 0 });
  });

  it('are the bytes of the uncompressed body', async () => {
    const key = service.newKey('free');
    const path = `/v2/filing_lookup?api_key=${key}`;
    const plain = await service.ask(path);
    const packed = await service.ask(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(used(key)).toEqual({ requests: 2, bytes: 2 * plain.bytes.length });
  });

  it('is a request without bytes for 304 and HEAD', async () => {
    const key = service.newKey('free');
    const path = `/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`;
    const first = await service.ask(path);
    await service.ask(path, { headers: { 'if-none-match': String(first.headers.etag) } });
    await service.ask(path, { method: 'HEAD' });
    expect(used(key)).toEqual({ requests: 3, bytes: first.bytes.length });
  });

  it('is not a refusal for want of quota', async () => {
    const key = service.newKey('twenty');
    for (let index = 0; index < 20; index++)
      await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    const refused = await service.ask(`/v2/filing_info?api_key=${key}`);
    expect(refused.status).toBe(429);
    expect(used(key).requests).toBe(20);
  });
});

describe('a month that is used up', () => {
  it('serves exactly as many of 50 calls at once as are left', async () => {
    const key = service.newKey('twenty');
    const agent = new Agent({ connections: 25, allowH2: false });
    const url = `${service.service.url}/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`;
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await request(url, { dispatcher: agent });
        await response.body.dump();
        return response.statusCode;
      }),
    );
    await agent.close();
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect(used(key).requests).toBe(20);
  });

  it('of requests states itself, its end, and the page of plans; and starts again with the next', async () => {
    const key = service.newKey('twenty');
    const path = `/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`;
    for (let index = 0; index < 20; index++) await service.ask(path);
    const refused = await service.ask(path);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(SECONDS_LEFT));
    expect(refused.headers.ratelimit).toBe(`"requests";r=0;t=${SECONDS_LEFT}`);
    const { error } = refused.json as { error: string };
    expect(error).toMatch(/^Monthly request limit exceeded: .*2026-12-01T00:00:00Z.*https:\/\/plans\.example\/prices$/);
    expect(error).not.toMatch(/byte|bandwidth/i);
    try {
      now = new Date('2026-12-01T00:00:00Z');
      expect((await service.ask(path)).status).toBe(200);
      expect(used(key).requests).toBe(1);
    } finally {
      now = NOW;
    }
  });

  it('of bytes still gives the whole answer that crosses the limit', async () => {
    const key = service.newKey('narrow');
    const path = `/v2/document?api_key=${key}&accession_number=${ANNUAL}`;
    const crossing = await service.ask(path);
    expect(crossing.status).toBe(200);
    expect(crossing.bytes.length).toBeGreaterThan(1_000);
    expect(crossing.headers.ratelimit).toBe(`"bytes";r=0;t=${SECONDS_LEFT}`);
    const refused = await service.ask(path);
    expect(refused.status).toBe(429);
    expect((refused.json as { error: string }).error).toMatch(/^Monthly bandwidth limit exceeded: .* bytes a month/);
    expect(used(key)).toEqual({ requests: 1, bytes: crossing.bytes.length });
  });
});
