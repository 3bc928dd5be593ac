import { inspect } from 'node:util';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BudgetReachedError, FilingClient, type RequestEvent } from '../../../../src/export/client/index.ts';
import { failure, KEY, type Scripted, ScriptedService, StillClock } from '../../../support/client/scripted-service.ts';

const ACCESSION = '0000320193-24-000123';
const FILING = {
  accession_number: ACCESSION,
  cik: '320193',
  form_type: '10-K',
  filing_date: '2024-11-01',
  acceptance_datetime: null,
  entity_name: 'SAMPLE CORP',
  report_date: null,
  size: 1,
  documents: [],
};
/** The service's clock, if it is ours. */
const AT_NOON = { date: 'Sat, 10 Feb 2024 12:00:00 GMT' };
const said = (status: number, error: string, headers = {}): Scripted => ({ status, headers, body: { error } });
const EMPTY_PAGE: Scripted = { body: { count: 0, filings: [], truncated: false } };

function page(numbers: readonly number[], count: number, truncated = false): Scripted {
  const filings = numbers.map((n) => ({ ...FILING, accession_number: `0000320193-24-${String(n).padStart(6, '0')}` }));
  return { body: { count, filings, truncated } };
}

describe('what the client sends', () => {
  it('puts single values into the query string, lists and the entity query into a JSON body of a GET', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    await service.client().filingLookup({
      form_types: ['10-K'],
      entity_query: { tickers: ['AAPL'], ciks: [], name_includes: undefined },
      items: [],
      exclude_amendments: true,
      date_from: '2024-01-01',
      from: 0,
      to: 100,
    });
    const [asked] = service.asked;
    expect(asked).toMatchObject({
      method: 'GET',
      path: '/v2/filing_lookup',
      query: { api_key: KEY, exclude_amendments: 'true', date_from: '2024-01-01', from: '0', to: '100' },
      body: { form_types: ['10-K'], entity_query: { tickers: ['AAPL'] } },
    });
    expect(asked!.headers['content-type']).toBe('application/json');
    expect(Object.keys(asked!.body!).sort()).toEqual(['entity_query', 'form_types']);
  });

  it('sends no body, and no media type for one, if all values are single', async () => {
    await using service = await ScriptedService.start({ body: { accession_number: ACCESSION } });
    await service.client().filingInfo('000032019324000123');
    expect(service.asked[0]).toMatchObject({ query: { api_key: KEY, accession_number: ACCESSION }, body: null });
    expect(service.asked[0]!.headers['content-type']).toBeUndefined();
  });

  it('puts everything into the body with method post', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    await service.client({ method: 'post' }).filingLookup({ form_types: ['4'], to: 5 });
    expect(service.asked[0]).toMatchObject({
      method: 'POST',
      query: {},
      body: { api_key: KEY, form_types: ['4'], to: 5 },
    });
  });

  it('keeps the path of the base URL, with or without /v2', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    for (const path of ['/edgar', '/edgar/', '/edgar/v2']) {
      await service.client({ baseUrl: service.url + path }).filingLookup({});
    }
    expect(service.asked.map(({ path }) => path)).toEqual(Array(3).fill('/edgar/v2/filing_lookup'));
  });

  it('keeps its connection though its GETs have bodies', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    const client = service.client({ connections: 1 });
    for (let i = 0; i < 5; i++) await client.filingLookup({ form_types: ['4'] });
    expect(new Set(service.asked.map(({ connection }) => connection)).size).toBe(1);
  });

  it('asks a cache before the service to compare: a stale lookup would hide filings', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE, { body: FILING });
    await service.client().filingLookup({});
    await service.client().filingInfo(ACCESSION, { etag: '"1"' });
    expect(service.asked.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache', 'no-cache']);
  });

  it('always states the form of the section labels', async () => {
    await using service = await ScriptedService.start({
      body: { sections: [{ itemLabel: 'I-1', content: '<p>x</p>' }] },
    });
    const { value } = await service.client().filingSections({ accession_number: ACCESSION, form_type: '10-Q' });
    expect(service.asked[0]!.query).toMatchObject({ form_type: '10-Q' });
    expect(value).toEqual({
      accession_number: ACCESSION,
      form_type: '10-Q',
      sections: [{ section: 'I-1', title: null, heading: null, html: '<p>x</p>' }],
    });
  });

  it('refuses wrong parameters before a request is spent on them', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    const error = await failure(service.client().filingLookup({ date_from: '2024-02-31' }));
    expect(error).toMatchObject({ code: 'request-refused', exitCode: 2, status: null });
    expect(error.message).toContain('date_from');
    expect(service.asked).toEqual([]);
  });

  it('asks for packed answers from afar, and for plain ones on this machine', async () => {
    await using service = await ScriptedService.start(EMPTY_PAGE);
    await service.client().filingLookup({});
    await service.client({ acceptEncoding: 'zstd, br, gzip' }).filingLookup({});
    expect(service.asked.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'zstd, br, gzip']);
  });
});

describe('what an answer means', () => {
  const monthly = 'Monthly request limit exceeded, see https://plans.example/';
  it.each<[string, Scripted, object]>([
    ['401', said(401, 'Invalid or missing API key'), { code: 'key-refused', exitCode: 4, status: 401 }],
    ['401 under 400', said(400, 'Invalid or missing API key'), { code: 'key-refused', exitCode: 4 }],
    ['402', said(402, 'payment required'), { code: 'key-refused' }],
    ['403', said(403, 'account closed'), { code: 'key-refused' }],
    ['400', said(400, 'entity filter is required'), { code: 'request-refused', exitCode: 2 }],
    ['404', said(404, 'not found'), { code: 'record-not-found' }],
    ['404 with an empty body', { status: 404, body: '' }, { code: 'record-not-found' }],
    ['422', said(422, 'no XML'), { code: 'record-unprocessable' }],
    ['405', said(405, 'no'), { code: 'request-refused', status: 405 }],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://else.example/v2?api_key=x' } },
      { code: 'service-failed', transient: false },
    ],
    [
      'the month in requests, with Retry-After',
      said(429, monthly, { 'retry-after': '86400' }),
      { code: 'quota-exceeded', exitCode: 6, limit: 'requests', retryAt: new Date('2024-02-11T12:00:00Z') },
    ],
    [
      'the month in bytes, without Retry-After',
      said(429, 'monthly bandwidth used up'),
      { code: 'quota-exceeded', limit: 'bytes', retryAt: new Date('2024-03-01T00:00:00Z') },
    ],
    [
      'a limit of which nothing more is said',
      said(429, 'limit exceeded'),
      { code: 'quota-exceeded', limit: 'requests' },
    ],
    [
      'a quota header at zero',
      said(429, 'no more', { ratelimit: '"requests";r=7;t=90, "bytes";r=0;t=60' }),
      { code: 'quota-exceeded', limit: 'bytes', retryAt: new Date('2024-02-10T12:01:00Z') },
    ],
    [
      'Retry-After as a date',
      said(429, 'x', { ...AT_NOON, 'retry-after': 'Fri, 01 Mar 2024 00:00:00 GMT' }),
      { code: 'quota-exceeded', retryAt: new Date('2024-03-01T00:00:00Z') },
    ],
    [
      'Retry-After as a date of a clock that is two hours ahead',
      said(429, 'x', { date: 'Sat, 10 Feb 2024 14:00:00 GMT', 'retry-after': 'Sat, 10 Feb 2024 16:00:00 GMT' }),
      { code: 'quota-exceeded', retryAt: new Date('2024-02-10T14:00:00Z') },
    ],
  ])('%s', async (_name, scripted, expected) => {
    await using service = await ScriptedService.start(scripted);
    expect(await failure(service.client().filingInfo(ACCESSION))).toMatchObject(expected);
    expect(service.asked).toHaveLength(1);
  });

  it.each([
    ['the published error', { error: 'form 4 has no sections' }, true],
    ['an empty body', '', false],
    ["a gateway's text", 'default backend - 404', false],
    ["a framework's error", { timestamp: 1, status: 404, error: 'Not Found', path: '/v2/filing_info' }, false],
    ['an error that names nothing', { error: 'Not Found' }, false],
  ])('a 404 with %s tells whether it is explained', async (_name, body, explained) => {
    await using service = await ScriptedService.start({ status: 404, body });
    const error = await failure(service.client().filingInfo('0000320193-24-000123'));
    expect(error).toMatchObject({ code: 'record-not-found', explained });
  });

  it('a 404 of a lookup means a wrong base URL', async () => {
    await using service = await ScriptedService.start({ status: 404, body: { error: 'not found' } });
    const error = await failure(service.client().filingLookup({}));
    expect(error).toMatchObject({ code: 'service-failed', transient: false });
    expect(error.remedy).toContain('service.base_url');
  });

  it.each([
    ['is away', 'service-unreachable', null],
    ['is unwell', 'service-failed', { status: 503, body: { error: 'catalog busy' } }],
    ['is asked too fast', 'rate-limited', { status: 429, body: { error: 'slow down' } }],
    ['answers what it may not', 'contract-broken', { body: { accession_number: 7 } }],
  ] as const)(
    'the remedy for a service that %s fits a plan too: it has no run to continue',
    async (_, code, scripted) => {
      await using service = await ScriptedService.start(scripted ?? {});
      const away = { baseUrl: 'http://127.0.0.1:9' };
      const client = service.client({ retry: { attempts: 1 }, ...(scripted === null ? away : {}) });
      const error = await failure(client.filingInfo('0000320193-24-000123'));
      expect(error.code).toBe(code);
      expect(error.remedy).not.toMatch(/resume|run is kept|is recorded/);
      expect(error.remedy).toMatch(/^(Check|Run the command again|Report) /);
    },
  );

  it('quota headers come with the answer', async () => {
    const headers = {
      'ratelimit-policy': '"requests";q=100;w=month, "bytes";q=1000000;w=month',
      ratelimit: '"requests";r=93;t=861231, "bytes";r=900000;t=861231',
    };
    await using service = await ScriptedService.start({ ...EMPTY_PAGE, headers });
    const { quota, bytes, status } = await service.client().filingLookup({});
    expect(quota).toEqual({
      requests: { limit: 100, remaining: 93, resetSeconds: 861_231 },
      bytes: { limit: 1_000_000, remaining: 900_000, resetSeconds: 861_231 },
    });
    expect(status).toBe(200);
    expect(bytes).toBe(JSON.stringify(EMPTY_PAGE.body).length);
  });

  it('unknown members are reported once', async () => {
    await using service = await ScriptedService.start({
      body: { count: 1, filings: [{ ...FILING, foo: 1 }], took: 3 },
    });
    const client = service.client();
    expect((await client.filingLookup({})).notes.unknownMembers).toEqual(['filing_lookup.took', 'filing.foo']);
    expect((await client.filingLookup({})).notes.unknownMembers).toEqual([]);
  });
});

describe('retries', () => {
  const cut: Scripted = {
    act: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"count": 1, "fil');
      setImmediate(() => response.destroy());
    },
  };
  const reset: Scripted = { act: (response) => response.socket?.resetAndDestroy() };
  it.each<[string, Scripted]>([
    ['a 304, though no ETag was sent', { status: 304 }],
    ['a fault of the service', { status: 500, body: { error: 'internal' } }],
    ['a service that shuts down', { status: 503, headers: { 'retry-after': '1' }, body: { error: 'shutting down' } }],
    [
      "a proxy's web page",
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><title>Bad Gateway</title>' },
    ],
    [
      "a proxy's web page under 200",
      { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Login</title>' },
    ],
    ["a proxy's 404", { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>nginx</html>' }],
    ['an answer that is not JSON', { body: '{"count": 1, "filings": [' }],
    ['an answer cut off', cut],
    ['a connection reset', reset],
    ['an answer that does not unpack', { headers: { 'content-encoding': 'zstd' }, body: 'xxxxxxxx' }],
    ['a burst of requests', { status: 429, headers: { 'retry-after': '2' }, body: { error: 'slow down' } }],
  ])('ask again after %s', async (_name, fault) => {
    await using service = await ScriptedService.start(fault, fault, EMPTY_PAGE);
    const clock = new StillClock();
    const events: RequestEvent[] = [];
    const { value } = await service.client({ clock, onRequest: (event) => events.push(event) }).filingLookup({});
    expect(value.filings).toEqual([]);
    expect(service.asked).toHaveLength(3);
    expect(clock.waits).toHaveLength(2);
    expect(events.map(({ attempt, error }) => [attempt, error !== null])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
  });

  it('wait longer each time, and give up in the end', async () => {
    await using service = await ScriptedService.start({ status: 500, body: { error: 'internal' } });
    const clock = new StillClock();
    const error = await failure(service.client({ clock, retry: { attempts: 4, baseMs: 100 } }).filingInfo(ACCESSION));
    expect(error).toMatchObject({ code: 'service-failed', exitCode: 5, status: 500 });
    expect(error.message).toBe('filing_info answered 500: internal');
    expect(clock.waits).toEqual([75, 150, 300]);
  });

  it('wait as long as the service asks, if that is short', async () => {
    await using service = await ScriptedService.start(said(429, 'slow down', { 'retry-after': '30' }));
    const clock = new StillClock();
    const error = await failure(service.client({ clock, retry: { attempts: 2, baseMs: 100 } }).filingInfo(ACCESSION));
    expect(error).toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
    expect(clock.waits).toEqual([30_050]);
  });

  it('leave a long wait to the caller', async () => {
    await using service = await ScriptedService.start(said(503, 'maintenance', { 'retry-after': '7200' }));
    const clock = new StillClock();
    expect(await failure(service.client({ clock }).filingInfo(ACCESSION))).toMatchObject({ retryAfterMs: 7_200_000 });
    expect(clock.waits).toEqual([]);
  });

  it('pass the gate before every request that is sent', async () => {
    await using service = await ScriptedService.start({ status: 500, body: {} });
    let left = 3;
    const beforeRequest = () => {
      if (left-- === 0) throw new BudgetReachedError('the budget of 3 requests is used up');
    };
    const error = await failure(service.client({ beforeRequest }).filingInfo(ACCESSION));
    expect(error).toMatchObject({ code: 'budget-reached', exitCode: 6 });
    expect(service.asked).toHaveLength(3);
  });

  it('report that nothing listens', async () => {
    const service = await ScriptedService.start(EMPTY_PAGE);
    const url = service.url;
    await service[Symbol.asyncDispose]();
    const clock = new StillClock();
    await using client = new FilingClient({ baseUrl: url, apiKey: KEY, clock, retry: { attempts: 3 } });
    const error = await failure(client.filingLookup({}));
    expect(error).toMatchObject({ code: 'service-unreachable', exitCode: 5, reason: 'ECONNREFUSED' });
    expect(error.message).toBe(`filing_lookup: ${url} can't be reached: nothing listens there (ECONNREFUSED)`);
    expect(clock.waits).toHaveLength(2);
  });

  it('give up an answer that never comes', async () => {
    await using service = await ScriptedService.start({ act: () => {} });
    const error = await failure(service.client({ timeoutMs: 20, retry: { attempts: 2 } }).filingLookup({}));
    expect(error).toMatchObject({ code: 'service-unreachable' });
    expect(service.asked).toHaveLength(2);
  });

  it('end at once, with its reason, when the caller aborts', async () => {
    const abort = new AbortController();
    const reason = new Error('cancelled by a person');
    await using service = await ScriptedService.start({ act: () => abort.abort(reason) });
    expect(await failure(service.client().filingLookup({}, { signal: abort.signal }))).toBe(reason);
    expect(await failure(service.client({ signal: abort.signal }).filingLookup({}))).toBe(reason);
    expect(service.asked).toHaveLength(1);
  });
});

describe('a byte order mark', () => {
  const marked = (body: object) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(body))]);

  it('before a page is ignored, and is not before its stored bytes', async () => {
    const body = { count: 1, filings: [FILING], truncated: false };
    await using service = await ScriptedService.start({ body: marked(body) });
    const { value, verbatim, bytes } = await service.client().filingLookup({});
    expect(value.filings).toEqual([FILING]);
    expect(verbatim?.toString('utf8')).toBe(JSON.stringify(body));
    expect(bytes).toBe(JSON.stringify(body).length + 3);
    expect(service.asked).toHaveLength(1);
  });

  it('before a document, or the reason of a refusal, is skipped', async () => {
    const document = { document_id: `${ACCESSION}-1`, content: 'x' };
    await using service = await ScriptedService.start(
      { body: marked(document) },
      { status: 404, body: marked({ error: 'form 4 has no sections' }) },
    );
    const client = service.client();
    expect((await client.document({ document_id: `${ACCESSION}-1` })).value.content).toBe('x');
    const error = await failure(client.filingSections({ accession_number: ACCESSION, form_type: '10-K' }));
    expect(error).toMatchObject({ code: 'record-not-found', explained: true });
    expect(error.message).toBe('filing_sections answered 404: form 4 has no sections');
  });

  it('of a document that comes as bytes is part of it', async () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0x61]);
    await using service = await ScriptedService.start({ headers: { 'content-type': 'text/plain' }, body });
    const { value } = await service.client().document({ document_id: `${ACCESSION}-1` });
    expect(value).toMatchObject({ content: '\ufeffa', size: 4 });
  });
});

describe('packed answers', () => {
  const body = JSON.stringify({
    count: 1,
    filings: [{ ...FILING, entity_name: 'X'.repeat(100_000) }],
    truncated: false,
  });
  it.each([
    ['gzip', zlib.gzipSync(body)],
    ['br', zlib.brotliCompressSync(body)],
    ['zstd', zlib.zstdCompressSync(body)],
    ['deflate', zlib.deflateSync(body)],
    ['gzip, zstd', zlib.zstdCompressSync(zlib.gzipSync(body))],
  ])('%s is unpacked, and its unpacked bytes count', async (encoding, packed) => {
    await using service = await ScriptedService.start({ headers: { 'content-encoding': encoding }, body: packed });
    const { value, bytes } = await service.client().filingLookup({});
    expect(value.filings[0]!.entity_name).toHaveLength(100_000);
    expect(bytes).toBe(body.length);
  });

  it('of a document in several frames of zstd are read to their end', async () => {
    const frames = [Buffer.from('first '), Buffer.from('second')].map((part) => zlib.zstdCompressSync(part));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'zstd' };
    await using service = await ScriptedService.start({ headers, body: Buffer.concat(frames) });
    const { value } = await service.client().document({ document_id: `${ACCESSION}-1` });
    expect(value).toMatchObject({ content: 'first second', size: 12 });
  });

  it('that unpack beyond the limit are refused, without another attempt', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(2_000_000, 32));
    await using service = await ScriptedService.start({ headers: { 'content-encoding': 'gzip' }, body: bomb });
    const error = await failure(service.client({ bodyBytesMax: 1_000_000 }).filingLookup({}));
    expect(error).toMatchObject({ code: 'answer-too-long', transient: false });
    expect(error.message).toBe('filing_lookup answered more than 1000000 bytes');
    expect(service.asked).toHaveLength(1);
  });

  it('and plain ones beyond the limit too', async () => {
    await using service = await ScriptedService.start({ body: ' '.repeat(200_000) });
    expect(await failure(service.client({ bodyBytesMax: 100_000 }).filingLookup({}))).toMatchObject({
      transient: false,
    });
  });
});

describe('pages', () => {
  async function collect(service: ScriptedService, pageSize?: number) {
    const numbers: number[] = [];
    for await (const { value } of service.client().filingPages({}, pageSize)) {
      numbers.push(...value.filings.map((f) => Number(f.accession_number.slice(-6))));
    }
    return { numbers, asked: service.asked.map(({ query }) => [Number(query.from), Number(query.to)]) };
  }

  it('end at a short page', async () => {
    await using service = await ScriptedService.start(page([1, 2], 2));
    expect(await collect(service)).toEqual({ numbers: [1, 2], asked: [[0, 10_000]] });
  });

  it('continue after a page that was cut short, at the number of received records', async () => {
    await using service = await ScriptedService.start(page([1, 2, 3], 5, true), page([4], 5, true), page([5], 5));
    expect(await collect(service, 10)).toEqual({
      numbers: [1, 2, 3, 4, 5],
      asked: [
        [0, 10],
        [3, 13],
        [4, 14],
      ],
    });
  });

  it('end at an empty page if count is that of the page', async () => {
    await using service = await ScriptedService.start(page([1, 2], 2), page([3, 4], 2), page([], 0));
    expect((await collect(service, 2)).numbers).toEqual([1, 2, 3, 4]);
  });

  it('continue after a short page while count is larger', async () => {
    await using service = await ScriptedService.start(page([1, 2], 3), page([3], 3));
    expect((await collect(service, 10)).numbers).toEqual([1, 2, 3]);
  });

  it('count records that broke the contract as received', async () => {
    const broken = { body: { count: 3, filings: [{ ...FILING, size: 'x' }, FILING], truncated: true } };
    await using service = await ScriptedService.start(broken, page([9], 3));
    expect((await collect(service, 10)).asked).toEqual([
      [0, 10],
      [2, 12],
    ]);
  });

  it('of entities and hits likewise', async () => {
    await using entities = await ScriptedService.start(
      { body: { count: 1, entities: [{ cik: '0000000001' }] } },
      { body: { count: 1, entities: [] } },
    );
    const ciks: string[] = [];
    for await (const { value } of entities.client().entityPages({ tickers: ['AA'] }))
      ciks.push(...value.entities.map(({ cik }) => cik));
    expect(ciks).toEqual(['1']);
    const hit = { id: `${ACCESSION}-1`, accession_number: ACCESSION, formType: '8-K', fileName: 'a.htm' };
    await using hits = await ScriptedService.start(
      { body: { total_hits: 1, hits: [hit] } },
      { body: { total_hits: 1, hits: [] } },
    );
    const found: unknown[] = [];
    for await (const { value } of hits.client().fulltextPages({ query: 'merger' })) {
      expect(value.count).toBe(1);
      found.push(...value.hits);
    }
    expect(found).toMatchObject([{ form_type: '8-K', file_name: 'a.htm', highlights: [], score: null }]);
    // Neither says whether it was cut short.
    expect([entities.asked.length, hits.asked.length]).toEqual([2, 2]);
  });
});

describe('the API key', () => {
  it('is in no error, event or picture of the client, even if the service echoes it', async () => {
    const echo: Scripted = {
      act: (response, request) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: `bad request ${request.url} with ${KEY}` }));
      },
    };
    await using service = await ScriptedService.start(echo, echo, { status: 500, body: KEY });
    const events: RequestEvent[] = [];
    const client = service.client({ onRequest: (event) => events.push(event), retry: { attempts: 1 } });
    const pictures: string[] = [inspect(client, { depth: 20, showHidden: true }), JSON.stringify(client)];
    const post = service.client({ method: 'post', retry: { attempts: 1 } });
    for (const call of [client.filingInfo(ACCESSION), post.filingInfo(ACCESSION), client.filingLookup({})]) {
      const error = await failure(call);
      pictures.push(error.message, error.stack ?? '', String(error), inspect(error, { depth: 20, showHidden: true }));
    }
    pictures.push(JSON.stringify(events));
    const spellings = [KEY, encodeURIComponent(KEY), new URLSearchParams({ k: KEY }).toString().slice(2)];
    for (const picture of pictures) for (const spelling of spellings) expect(picture).not.toContain(spelling);
    expect(pictures.join()).toContain('<API_KEY>');
  });

  it('stands apart from the base URL', () => {
    for (const baseUrl of ['http://user:secret@localhost', 'https://user@localhost/v2', 'http://:secret@localhost'])
      expect(() => new FilingClient({ baseUrl, apiKey: KEY })).toThrow('has a user name or a password');
  });

  it('must not be empty', () => {
    expect(() => new FilingClient({ baseUrl: 'http://localhost', apiKey: ' ' })).toThrow(
      expect.objectContaining({ code: 'key-refused', exitCode: 4 }),
    );
  });
});
