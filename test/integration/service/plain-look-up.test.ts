/** filing_info is answered before the router if a request is plain. The answer is the one that the router gives. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlainRequest } from '../../../src/service/http/plain-look-up.ts';
import { type Asked, TestService } from '../../support/service/running-service.ts';
import { ANNUAL, CURRENT, OWNERSHIP, TYPED } from '../../support/service/small-catalog.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Takes the ordinary way: the header is not one that the short way knows. */
const ORDINARY = { 'x-takes-the-ordinary-way': '1' };

function compared({ status, headers, json }: Asked) {
  const { date: _, 'x-request-id': __, ratelimit, ...rest } = headers;
  return { status, json, rest, ratelimit: String(ratelimit).replaceAll(/r=\d+;t=\d+/g, 'r;t') };
}

describe('a plain filing_info', () => {
  const numbers = [ANNUAL, CURRENT, OWNERSHIP, TYPED, ANNUAL.replaceAll('-', ''), '9999999999-24-000001', 'odd'];
  it.each(numbers)('of %s is answered as the ordinary way answers it', async (number) => {
    for (const plan of ['unlimited', 'free', 'narrow']) {
      const key = service.newKey(plan);
      const ways: [string, Record<string, string>][] = [
        [`/v2/filing_info?api_key=${key}&accession_number=${number}`, {}],
        [`/v2/filing_info?accession_number=${number}&api_key=${key}`, { 'accept-encoding': 'gzip, br' }],
        [`/v2/filing_info?accession_number=${number}`, { authorization: `Bearer ${key}` }],
        [`/v2/filing_info?accession_number=${number}`, { 'x-api-key': key }],
      ];
      for (const [path, headers] of plan === 'narrow' ? ways.slice(0, 1) : ways) {
        const plain = await service.ask(path, { headers });
        const usedByPlain = service.used(key);
        const ordinary = await service.ask(path, { headers: { ...headers, ...ORDINARY } });
        if (plan !== 'narrow') expect(compared(plain)).toEqual(compared(ordinary));
        if (plan === 'free') {
          const used = service.used(key);
          expect(used).toEqual({ requests: usedByPlain.requests * 2, bytes: usedByPlain.bytes * 2 });
          service.accounts.revokeKey(key);
          return;
        }
      }
    }
  });

  it.each([
    ['no key', () => `accession_number=${ANNUAL}`, 401],
    ['an unknown key', () => `api_key=fl_unknown&accession_number=${ANNUAL}`, 401],
    ['two keys that differ', () => `api_key=a&api_key=${service.key}&accession_number=${ANNUAL}`, 400],
    ['an unknown parameter', () => `api_key=${service.key}&accession_number=${ANNUAL}&form=1`, 400],
    ['no accession number', () => `api_key=${service.key}`, 400],
    [
      'a number in percent-encoding',
      () => `api_key=${service.key}&accession_number=${ANNUAL.replace('-', '%2D')}`,
      200,
    ],
  ])('with %s is answered the ordinary way', async (_what, query, status) => {
    expect((await service.ask(`/v2/filing_info?${query()}`)).status).toBe(status);
  });

  it('of a key with a limit is admitted exactly as often as the plan says', async () => {
    const key = service.newKey('free');
    const ask = (i: number) =>
      service.ask(`/v2/filing_info?api_key=${key}&accession_number=${i % 2 ? ANNUAL : OWNERSHIP}`, {
        headers: i % 3 ? {} : ORDINARY,
      });
    const statuses = (await Promise.all(Array.from({ length: 160 }, (_, i) => ask(i)))).map(({ status }) => status);
    expect([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length]).toEqual([100, 60]);
    expect(service.used(key).requests).toBe(100);
  });

  it('has the same line in the access log and the same metrics', async () => {
    const path = `/v2/filing_info?api_key=${service.key}&accession_number=${ANNUAL}`;
    const lineOf = async (id: string, headers: Record<string, string>) => {
      await service.ask(path, { headers: { 'x-request-id': id, ...headers } });
      const find = () =>
        service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).find((l) => l.request_id === id);
      await expect.poll(find).toBeDefined();
      return find()!;
    };
    const [plain, ordinary] = [await lineOf('plain-1', {}), await lineOf('ordinary-1', ORDINARY)];
    const members = ['method', 'path', 'operation', 'key', 'address', 'status', 'bytes_sent', 'complete', 'msg'];
    for (const member of members) expect([member, plain[member]]).toEqual([member, ordinary[member]]);
    expect(Object.keys(plain).toSorted()).toEqual(Object.keys(ordinary).toSorted());
    const metrics = (await service.ask('/metrics')).bytes.toString();
    expect(metrics).toMatch(/filinglake_requests_total\{operation="filing_info",status="200"\} \d+/);
  });
});

describe('a request that is not plain', () => {
  const readable = (method: string, url: string, rawHeaders: string[]) =>
    Object.assign(new IncomingMessage(new Socket()), { method, url, rawHeaders });
  const URL = `/v2/filing_info?api_key=k&accession_number=${ANNUAL}`;
  it.each<[string, string, string, string[]]>([
    ['is not a GET', 'HEAD', URL, ['Host', 'a']],
    ['is for another path', 'GET', URL.replace('info', 'infos'), ['Host', 'a']],
    ['has two hosts', 'GET', URL, ['Host', 'a', 'host', 'b']],
    ['has no host', 'GET', URL, []],
    ['has a body', 'GET', URL, ['Host', 'a', 'Content-Length', '2']],
    ['has a body in chunks', 'GET', URL, ['Host', 'a', 'Transfer-Encoding', 'chunked']],
    ['has two keys', 'GET', URL, ['Host', 'a', 'X-API-Key', 'k']],
    ['has a tag', 'GET', URL, ['Host', 'a', 'If-None-Match', '*']],
    ['came by a proxy', 'GET', URL, ['Host', 'a', 'X-Forwarded-For', '1.2.3.4']],
    ['has an escape', 'GET', URL.replace('=k', '=%6b'), ['Host', 'a']],
    ['is long', 'GET', URL.replace('=k', `=${'k'.repeat(300)}`), ['Host', 'a']],
  ])('%s', (_what, method, url, headers) => {
    expect(readPlainRequest(readable(method, url, headers))).toBeNull();
    expect(readPlainRequest(readable('GET', URL, ['Host', 'a', 'User-Agent', 'x']))).not.toBeNull();
  });
});
