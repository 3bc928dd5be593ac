/** The place of the key: among the parameters as published, or in a header that the service names. */
import { describe, expect, it } from 'vitest';
import { KeyPlacement, placeIn } from '../../../src/client/key-place.ts';
import { openApiDocument } from '../../../src/service/index.ts';
import { KEY, type Scripted, ScriptedService } from '../../support/client/scripted-service.ts';

const PLAIN_KEY = 'fl_ThisIsAKeyOfTheService';
const SCHEMES = {
  bearer: { anyName: { type: 'http', scheme: 'Bearer' } },
  'x-api-key': { other: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
} as const;
const HTML = { 'content-type': 'text/html' };
/** @param needed names of the schemes that a path needs together */
const describing = (securitySchemes: object, needed: Record<string, string[]> = {}): Scripted => ({
  body: {
    openapi: '3.1.0',
    components: { securitySchemes },
    ...(Object.keys(needed).length > 0 ? { security: [{ parameter: [] }] } : {}),
    paths: Object.fromEntries(
      Object.entries(needed).map(([path, names]) => [
        path,
        { get: { security: [Object.fromEntries(names.map((name) => [name, []]))] } },
      ]),
    ),
  },
});
const RECORD = { accession_number: '0000000001-24-000001', form_type: '10-K', filing_date: '2024-03-01' };
const PAGE: Scripted = { body: { count: 1, filings: [RECORD], truncated: false } };
const EMPTY: Scripted = { body: { count: 0, filings: [], truncated: false } };
const REFUSED: Scripted = { status: 401, body: { error: 'Invalid or missing API key' } };

describe('a client that discovers the place of the key', () => {
  it.each([
    ['bearer', 'authorization', `Bearer ${PLAIN_KEY}`],
    ['x-api-key', 'x-api-key', PLAIN_KEY],
  ] as const)('sends it as %s if the description names that', async (scheme, header, value) => {
    await using service = await ScriptedService.start(describing(SCHEMES[scheme]), PAGE);
    const client = service.client({ apiKey: PLAIN_KEY, key: 'discover' });
    await client.filingLookup({ to: 1 });
    await client.filingLookup({ to: 1 });
    const [description, ...lookups] = service.asked;
    expect([description!.path, description!.headers[header], lookups.length]).toEqual(['/openapi.json', undefined, 2]);
    for (const { headers, query } of lookups) expect([headers[header], query]).toEqual([value, { to: '1' }]);
  });

  it.each<[string, Scripted]>([
    ['names another header', describing({ a: { type: 'apiKey', in: 'header', name: 'X-Other' } })],
    ['is not there', { status: 404, body: { error: 'no' } }],
    ['is a web page', { body: '<html></html>' }],
    ['can not be fetched now', { status: 503, body: {} }],
    ['breaks off', { act: (response) => response.destroy() }],
    ['is asked too often', { status: 429, headers: { 'retry-after': '3600' }, body: { error: 'too many' } }],
    ['never comes', { act: () => {} }],
    ['names the header of its accounts only', describing(SCHEMES.bearer, { '/accounts': ['anyName'] })],
    ['wants two things at once', describing(SCHEMES.bearer, { '/v2/filing_lookup': ['anyName', 'other'] })],
  ])('sends it as published if the description %s', async (_why, description) => {
    await using service = await ScriptedService.start(description, PAGE);
    const client = service.client({ apiKey: PLAIN_KEY, key: 'discover', timeoutMs: 2_000 });
    for (let time = 0; time < 3; time++) await client.filingLookup({ to: 1 });
    const [asked, ...lookups] = service.asked;
    expect([asked!.path, asked!.query, lookups.length]).toEqual(['/openapi.json', {}, 3]);
    for (const { query, headers } of lookups)
      expect([query, headers.authorization]).toEqual([{ api_key: PLAIN_KEY, to: '1' }, undefined]);
  });

  it('asks again later if the service was away', async () => {
    await using service = await ScriptedService.start({ status: 503, body: {} }, describing(SCHEMES.bearer));
    const placement = new KeyPlacement();
    expect(await placement.of(service.url, { askAgainMs: 0 })).toBe('parameter');
    expect(await placement.of(service.url)).toBe('bearer');
    expect(await placement.of(service.url)).toBe('bearer');
    expect(service.asked).toHaveLength(2);
  });

  it('asks again when the doubt about a header is a day old, and not before', async () => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer));
    const placement = new KeyPlacement();
    expect(await placement.of(service.url)).toBe('bearer');
    placement.keepInParameter();
    expect(await placement.of(service.url)).toBe('parameter');
    expect(service.asked).toHaveLength(1);
    placement.keepInParameter(0);
    expect(await placement.of(service.url)).toBe('bearer');
    expect(service.asked).toHaveLength(2);
  });

  it('follows no redirect, of the description or of a request: another host never gets the key', async () => {
    await using other = await ScriptedService.start(describing(SCHEMES.bearer), PAGE);
    const redirect: Scripted = { status: 307, headers: { location: `${other.url}/v2/filing_lookup` } };
    await using service = await ScriptedService.start(redirect, PAGE);
    await service.client({ apiKey: PLAIN_KEY, key: 'discover' }).filingLookup({ to: 1 });
    expect(service.asked.at(-1)!.query.api_key).toBe(PLAIN_KEY);
    await using redirecting = await ScriptedService.start(describing(SCHEMES.bearer), redirect);
    const client = redirecting.client({ apiKey: PLAIN_KEY, key: 'discover' });
    await expect(client.filingLookup({ to: 1 })).rejects.toThrow(/was redirected to/);
    expect(redirecting.asked).toHaveLength(3);
    expect(other.asked).toEqual([]);
  });

  it('reports no request for the description', async () => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), PAGE);
    const events: string[] = [];
    let reserved = 0;
    const client = service.client({
      ...{ apiKey: PLAIN_KEY, key: 'discover' as const },
      beforeRequest: () => void reserved++,
      onRequest: ({ operation }) => events.push(operation),
    });
    await client.filingLookup({ to: 1 });
    expect([reserved, events]).toEqual([1, ['filing_lookup']]);
  });

  it.each<[string, Scripted]>([
    ['refused', REFUSED],
    ['refused by a web page before the service', { status: 403, headers: HTML, body: '<html>Forbidden</html>' }],
    ['missed by a service that reads parameters only', { status: 400, body: { error: 'api_key is required' } }],
  ])('sends it as published if the header is %s at first, and continues so', async (_what, refusal) => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), refusal, PAGE);
    const client = service.client({ apiKey: PLAIN_KEY, key: 'discover' });
    await client.filingLookup({ to: 1 });
    await client.filingLookup({ to: 1 });
    const [, first, second, third] = service.asked;
    expect(first!.query).toEqual({ to: '1' });
    expect([second!.query.api_key, third!.query.api_key]).toEqual([PLAIN_KEY, PLAIN_KEY]);
  });

  it.each<[string, Scripted]>([
    ['answered with an empty page, as callers without a key may get it', EMPTY],
    ['answered with the quota of callers without a key', { status: 429, body: { error: 'monthly quota exceeded' } }],
    ['answered 404, which hides records from callers without a key', { status: 404, body: { error: 'not found' } }],
    ['called malformed', { status: 400, body: { error: 'malformed Authorization' } }],
  ])('believes no header that is %s at first', async (_what, answer) => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), answer, PAGE);
    const events: (number | null)[] = [];
    let reserved = 0;
    const client = service.client({
      ...{ apiKey: PLAIN_KEY, key: 'discover' as const },
      beforeRequest: () => void reserved++,
      onRequest: ({ status }) => events.push(status),
    });
    expect((await client.filingLookup({ to: 1 })).value.filings).toHaveLength(1);
    await client.filingLookup({ to: 1 });
    const [, ...asked] = service.asked;
    expect(asked.map(({ query }) => query.api_key)).toEqual([undefined, PLAIN_KEY, PLAIN_KEY]);
    // Each request counts, and is reported.
    expect([reserved, events]).toEqual([3, [answer.status ?? 200, 200, 200]]);
  });

  it('believes empty pages and missing records once a request with the header has returned something, in clients that share it', async () => {
    const missing: Scripted = { status: 404, body: { error: 'no such filing' } };
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), PAGE, EMPTY, missing);
    const { habits } = service;
    const client = () => service.client({ apiKey: PLAIN_KEY, key: 'discover', habits });
    await client().filingLookup({ to: 1 });
    expect((await client().filingLookup({ to: 1 })).value.filings).toEqual([]);
    await expect(client().filingInfo(RECORD.accession_number)).rejects.toMatchObject({ code: 'record-not-found' });
    expect(service.asked.map(({ query }) => query.api_key)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('sends it as published to all if one operation refuses the header that another has accepted', async () => {
    const document: Scripted = { headers: { 'content-type': 'text/plain' }, body: 'text' };
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), PAGE, REFUSED, document, PAGE);
    const client = service.client({ apiKey: PLAIN_KEY, key: 'discover' });
    await client.filingLookup({ to: 1 });
    await client.document({ document_id: `${RECORD.accession_number}-1` });
    await client.filingLookup({ to: 1 });
    expect(service.asked.map(({ query }) => query.api_key)).toEqual([
      ...[undefined, undefined, undefined, PLAIN_KEY, PLAIN_KEY],
    ]);
  });

  it('ends as before if the key is refused both ways, or after it was accepted', async () => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), PAGE, REFUSED);
    const client = service.client({ apiKey: PLAIN_KEY, key: 'discover' });
    await client.filingLookup({ to: 1 });
    await expect(client.filingLookup({ to: 1 })).rejects.toMatchObject({ code: 'key-refused' });
    expect(service.asked).toHaveLength(3);
    await using other = await ScriptedService.start(describing(SCHEMES.bearer), REFUSED);
    await expect(other.client({ apiKey: PLAIN_KEY, key: 'discover' }).filingLookup({})).rejects.toMatchObject({
      code: 'key-refused',
    });
    expect(other.asked).toHaveLength(3);
  });

  it('never puts a key into a header that a header can not have', async () => {
    await using service = await ScriptedService.start(PAGE);
    await service.client({ apiKey: KEY, key: 'discover' }).filingLookup({ to: 1 });
    expect(service.asked.map(({ path }) => path)).toEqual(['/v2/filing_lookup']);
  });

  it('sends a body with POST, though it has no parameters', async () => {
    await using service = await ScriptedService.start(describing(SCHEMES.bearer), PAGE);
    await service.client({ apiKey: PLAIN_KEY, key: 'discover', method: 'post' }).filingLookup({});
    expect(service.asked.at(-1)!.body).toEqual({});
  });
});

describe('a client without that option', () => {
  it('asks for no description', async () => {
    await using service = await ScriptedService.start(PAGE);
    await service.client({ apiKey: PLAIN_KEY }).filingLookup({ to: 1 });
    expect(service.asked.map(({ path }) => path)).toEqual(['/v2/filing_lookup']);
  });
});

describe('the description of our service', () => {
  it('names a header', () => {
    expect(placeIn(JSON.stringify(openApiDocument('1.0.0')))).toBe('bearer');
  });
});
