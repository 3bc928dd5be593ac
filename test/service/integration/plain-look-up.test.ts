/** Look-ups are answered before the router if a request is plain. The answer is the one that the router gives. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlainRequest } from '../../../src/service/http/plain-request.ts';
import { runs } from '../../support/property-runs.ts';
import { type Asked, TestService } from '../../support/service/running-service.ts';
import { ANNUAL, CURRENT, OWNERSHIP, PICTURES_ONLY, TYPED } from '../../support/service/small-catalog.ts';

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

/** Parameters that mean something to the operation, and some that are wrong. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  filing_info: [`accession_number=${ANNUAL}`, 'accession_number=9999999999-24-000001', 'accession_number=odd'],
  filing_lookup: [
    'entity_query.ciks=100001&to=20',
    'entity_query.ciks=100001,0000100002&to=3&from=1',
    'form_types=10-K&to=20',
    'form_types=10-K,8-K&form_types=4&to=20',
    'date_from=2024-04-01&date_to=2024-05-03&to=5&sort_order=asc',
    'form_types=8-k&to=20&sort_by=size',
    'form_types=NONE&to=20',
    'entity_query.ciks=777&to=20',
    'to=2',
    'form_types=10-K',
    'items=2.02&to=20',
    'entity_query=%7B%22ciks%22%3A%5B%22100002%22%5D%7D&to=20',
    'entity_query.name_includes=gadget&to=20',
    'entity_query.tickers=WDG&to=20',
    'exclude_amendments=true&to=20',
    'form_types=10-K&to=20&from=30',
    'form_types=&to=20',
    'form_typos=4&to=20',
    'to=-1',
    'to=%zz',
    '',
  ],
  entity_lookup: [
    'ciks=100001',
    'ciks=100001&ciks=100002&to=1',
    'tickers=NONE',
    'ciks=0',
    'ciks=odd',
    'name_includes=w',
    '',
    'ciks=100003&from=1&to=0',
  ],
  document: [
    `accession_number=${ANNUAL}`,
    `accession_number=${TYPED}`,
    `document_id=${ANNUAL}-3`,
    `document_id=${OWNERSHIP}-1&output_format=json`,
    `document_id=${OWNERSHIP}-2&output_format=json`,
    `accession_number=${CURRENT}&filename=PRESS.htm`,
    `accession_number=${CURRENT}&filename=none.htm`,
    `accession_number=${PICTURES_ONLY}`,
    'accession_number=9999999999-24-000001',
    'document_id=odd',
    '',
    `document_id=${ANNUAL}-1&accession_number=${CURRENT}`,
  ],
};
const HEADERS: readonly Record<string, string>[] = [
  {},
  { 'accept-encoding': 'gzip, deflate' },
  { 'accept-encoding': 'zstd;q=0.5, br' },
  { 'accept-encoding': 'identity' },
  { 'accept-encoding': 'zstd' },
  { 'x-request-id': 'mine' },
  { accept: '*/*' },
  { accept: 'application/json' },
  { accept: 'text/html' },
  { origin: 'https://a.example' },
  { accept: 'application/octet-stream', 'accept-encoding': 'zstd' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"other"', 'accept-encoding': 'br' },
  { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
];
const KEYS = ['unlimited', 'free', 'roomy', 'narrow', 'used up', 'revoked', 'closed', 'none'] as const;

describe('a plain request', () => {
  const request = fc
    .constantFrom(...Object.entries(QUERIES).flatMap(([name, queries]) => queries.map((query) => ({ name, query }))))
    .chain((asked) =>
      fc.record({
        asked: fc.constant(asked),
        headers: fc.constantFrom(...HEADERS),
        keyIn: fc.constantFrom('query', 'authorization', 'x-api-key'),
        key: fc.oneof({ arbitrary: fc.constant('unlimited' as const), weight: 4 }, fc.constantFrom(...KEYS)),
      }),
    );

  /** A key in this state, with its usage before. */
  async function keyIn(state: (typeof KEYS)[number]): Promise<string> {
    if (state === 'none') return 'fl_unknown';
    const key = service.newKey(
      state === 'used up' ? 'narrow' : state === 'revoked' || state === 'closed' ? 'free' : state,
    );
    if (state === 'revoked') service.accounts.revokeKey(key);
    if (state === 'closed') service.accounts.closeAccount(key);
    if (state === 'used up') {
      const { status } = await service.ask(`/v2/document?api_key=${key}&accession_number=${ANNUAL}`, {
        headers: ORDINARY,
      });
      expect(status).toBe(200);
    }
    return key;
  }

  it('has the status, headers, bytes and count of the ordinary way', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ asked: { name, query }, headers, keyIn: place, key: state }) => {
        const ways: unknown[] = [];
        for (const way of [{}, ORDINARY]) {
          const key = await keyIn(state);
          const inHeader = place === 'query' ? {} : { [place]: place === 'authorization' ? `Bearer ${key}` : key };
          const path = `/v2/${name}?${query}${place === 'query' ? `&api_key=${key}` : ''}`;
          const {
            status,
            bytes,
            headers: answered,
          } = await service.ask(path, {
            headers: { ...headers, ...inHeader, ...way },
          });
          // The seconds until the end of the month may differ.
          const { date: _, 'x-request-id': id, 'retry-after': retry, ratelimit, ...rest } = answered;
          // Counts of keys without limits are written in batches, and when they are asked for.
          if (state === 'unlimited') await service.ask(`/v2/usage?api_key=${key}`);
          ways.push({
            status,
            rest,
            bytes: bytes.toString('base64'),
            id: id === 'mine',
            retry: retry !== undefined,
            ratelimit: String(ratelimit).replaceAll(/t=\d+/g, 't'),
            used: state === 'none' ? null : service.used(key),
          });
        }
        expect(ways[0]).toEqual(ways[1]);
      }),
      { numRuns: runs(150) },
    );
  });
});

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

  it('of a key with a limit is admitted exactly as often as the plan says, with other look-ups', async () => {
    const key = service.newKey('free');
    const asked = [
      `filing_info?accession_number=${OWNERSHIP}`,
      'filing_lookup?form_types=8-K&to=20',
      'entity_lookup?ciks=100001',
    ];
    const encodings = ['identity', 'gzip'];
    const ask = (i: number) =>
      service.ask(`/v2/${asked[i % asked.length]}&api_key=${key}`, {
        headers: { 'accept-encoding': encodings[i % 2]!, ...(i % 5 ? {} : ORDINARY) },
      });
    const statuses = (await Promise.all(Array.from({ length: 160 }, (_, i) => ask(i)))).map(({ status }) => status);
    expect([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length]).toEqual([100, 60]);
    expect(service.used(key).requests).toBe(100);
  });

  it.each([
    ['filing_info', `accession_number=${ANNUAL}`],
    ['filing_lookup', 'form_types=10-K&to=20'],
    ['document', `accession_number=${ANNUAL}`],
  ])('%s has the same line in the access log and the same metrics', async (operation, query) => {
    const path = `/v2/${operation}?api_key=${service.key}&${query}`;
    const lineOf = async (way: string, headers: Record<string, string>) => {
      const id = `${operation}-${way}`;
      await service.ask(path, { headers: { 'x-request-id': id, ...headers } });
      const find = () =>
        service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).find((l) => l.request_id === id);
      await expect.poll(find).toBeDefined();
      return find()!;
    };
    const [plain, ordinary] = [await lineOf('plain', {}), await lineOf('ordinary', ORDINARY)];
    const members = ['method', 'path', 'operation', 'key', 'address', 'status', 'bytes_sent', 'complete', 'msg'];
    for (const member of members) expect([member, plain[member]]).toEqual([member, ordinary[member]]);
    expect(Object.keys(plain).toSorted()).toEqual(Object.keys(ordinary).toSorted());
    const metrics = (await service.ask('/metrics')).bytes.toString();
    expect(metrics).toContain(`filinglake_requests_total{operation="${operation}",status="200"}`);
  });
});

describe('a request that is not plain', () => {
  const readable = (method: string, url: string, rawHeaders: string[]) =>
    Object.assign(new IncomingMessage(new Socket()), { method, url, rawHeaders });
  const URL = `/v2/filing_info?api_key=k&accession_number=${ANNUAL}`;
  const DOCUMENT_URL = URL.replace('filing_info', 'document');
  it.each<[string, string, string, string[]]>([
    ['is not a GET', 'HEAD', URL, ['Host', 'a']],
    ['is for another path', 'GET', URL.replace('info', 'infos'), ['Host', 'a']],
    ['has two hosts', 'GET', URL, ['Host', 'a', 'host', 'b']],
    ['has no host', 'GET', URL, []],
    ['has a body', 'GET', URL, ['Host', 'a', 'Content-Length', '2']],
    ['has a body in chunks', 'GET', URL, ['Host', 'a', 'Transfer-Encoding', 'chunked']],
    ['has two keys', 'GET', URL, ['Host', 'a', 'X-API-Key', 'k']],
    ['has an escape', 'GET', URL.replace('=k', '=%6b'), ['Host', 'a']],
    ['asks for bytes', 'GET', DOCUMENT_URL, ['Host', 'a', 'Accept', 'application/octet-stream']],
    ['has a wrong parameter', 'GET', `${DOCUMENT_URL}&to=1`, ['Host', 'a']],
    ['has two keys in its query', 'GET', `${DOCUMENT_URL}&api_key=other`, ['Host', 'a']],
    ['is long', 'GET', URL.replace('=k', `=${'k'.repeat(1_000)}`), ['Host', 'a']],
  ])('%s', (_what, method, url, headers) => {
    expect(readPlainRequest(readable(method, url, headers))).toBeNull();
    for (const plain of [URL, DOCUMENT_URL]) {
      expect(readPlainRequest(readable('GET', plain, ['Host', 'a', 'User-Agent', 'x']))).not.toBeNull();
    }
  });
});
