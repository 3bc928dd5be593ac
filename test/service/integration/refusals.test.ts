/**
 * Requests, keys and errors of docs/api.md over real HTTP: every refusal is `{"error"}`, with an id, and costs nothing if it must
 * not.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskOptions, TestService } from '../../support/service/running-service.ts';
import { ANNUAL, OWNERSHIP, PICTURES_ONLY } from '../../support/service/small-catalog.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const UNKNOWN = '000000000000000000';

describe('a refused request', () => {
  it.each<[number, string, RegExp, AskOptions?]>([
    [404, '/v2/filing_lookups', /no such path: \/v2\/filing_lookups; did you mean \/v2\/filing_lookup\?/],
    [404, '/v3', /no such path: \/v3; \/openapi.json/],
    [404, '/v2/filing_info/', /no such path/],
    [400, '/v2/%zz', /path of the URL/],
    [405, '/v2/filing_info', /DELETE is not taken here/, { method: 'DELETE' }],
    [405, '/v2/filing_info', /PUT is not taken here/, { method: 'PUT', body: {} }],
    [405, '/v2/filing_info', /OPTIONS/, { method: 'OPTIONS' }],
    [405, '/v2/filing_info', /PROPFIND/, { method: 'PROPFIND' }],
    [405, '/healthz', /QUERY is not taken/, { method: 'QUERY' }],
    [405, '/openapi.json', /POST is not taken/, { method: 'POST', body: {} }],
    [400, 'filing_info?', /not valid JSON/, { body: '{' }],
    [400, 'filing_info?', /must be a JSON object/, { body: '[1]' }],
    [415, 'filing_info?', /application\/json/, { body: 'a=1', headers: { 'content-type': 'text/plain' } }],
    [415, 'filing_info?', /compressed/, { body: '{}', headers: { 'content-encoding': 'gzip' } }],
    [413, 'filing_info?', /longer than 1048576 bytes/, { body: { accession_number: 'x'.repeat(1024 * 1024) } }],
    [414, `entity_lookup?tickers=${'A,'.repeat(33_000)}A`, /longer than 65536 bytes/],
    [431, '/v2/filing_info', /headers .* longer/, { headers: { 'x-long': 'a'.repeat(40_000) } }],
    [400, 'filing_info?x=%ff', /percent-encoded/],
    [401, '/v2/filing_info', /^Invalid or missing API key$/],
    [401, '/v2/filing_info?nonsense=1', /^Invalid or missing API key$/],
    [401, '/v2/filing_info?api_key=', /^Invalid or missing API key$/],
    [401, '/v2/pdf?api_key=fl_wrong', /^Invalid or missing API key$/],
    [401, '/v2/pdf', /^Invalid or missing API key$/, { method: 'POST', body: { api_key: 7 } }],
    [400, 'filing_info?api_key=other', /api_key is given twice/],
    [400, 'filing_info?', /^accession_number is required$/],
    [400, 'filing_lookup?form_type=4', /did you mean 'form_types'/],
    [400, 'fulltext_search?query_type=query_string&query=%22open', /^query is invalid at 0: /],
    [400, 'fulltext_search?query=...', /^query is required$/],
    [404, `filing_info?accession_number=${UNKNOWN}`, /^filing 0000000000-00-000000 was not found$/],
    [404, `document?document_id=${ANNUAL}-9`, new RegExp(`^document ${ANNUAL}-9 was not found$`)],
    [404, `document?accession_number=${ANNUAL}&filename=no.htm`, /has no document named 'no.htm'/],
    [404, `filing_sections?accession_number=${OWNERSHIP}`, /^form 4 has no sections$/],
    [404, `filing_sections?accession_number=${UNKNOWN}`, /was not found/],
    [422, `filing_sections?document_id=${ANNUAL}-3`, /image\/gif/],
    [422, `document?document_id=${OWNERSHIP}-2&output_format=json`, /can't be converted: .*line 2/],
    [422, `pdf?accession_number=${PICTURES_ONLY}`, /no document that can be rendered/],
    [422, `pdf?document_id=${PICTURES_ONLY}-1`, /application\/zip/],
    [404, `pdf?accession_number=${UNKNOWN}`, /was not found/],
  ])('is answered %i: %3$s', async (status, path, message, options) => {
    const [operation, query] = path.split('?');
    const asked = path.startsWith('/') ? path : `/v2/${operation}?api_key=${service.key}&${query}`;
    const answer = await service.ask(asked.replace(/&$/, ''), options);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([status, ['error']]);
    expect((answer.json as { error: string }).error).toMatch(message);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    if (status === 405) expect(answer.headers.allow).toMatch(/^GET, HEAD/);
  });

  it('names the methods of the path', async () => {
    const asked = await service.ask('/account/keys', { method: 'PUT', body: {} });
    expect([asked.status, asked.headers.allow]).toEqual([405, 'POST']);
    expect((await service.ask('/healthz', { method: 'POST', body: {} })).headers.allow).toBe('GET, HEAD');
    expect((await service.ask('/v2/pdf', { method: 'PUT', body: {} })).headers.allow).toBe('GET, HEAD, POST');
  });

  it('of a closed account is 403', async () => {
    const key = service.newKey('free');
    service.accounts.closeAccount(key);
    const answer = await service.ask(`/v2/filing_info?api_key=${key}`);
    expect([answer.status, answer.json]).toEqual([403, { error: 'this account is closed' }]);
  });

  it('of a revoked key is 401', async () => {
    const key = service.newKey('free');
    service.accounts.revokeKey(key);
    expect((await service.ask(`/v2/filing_info?api_key=${key}`)).status).toBe(401);
  });
});

describe('bytes that are hardly a request', () => {
  it.each<[string, string, number]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a method nobody knows', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a proxy request', 'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n', 405],
    ['an expectation', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n', 417],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: a\r\n${'x-a: b\r\n'.repeat(300_000)}\r\n`, 431],
    ['a length that is none', 'POST /v2/pdf HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n', 400],
  ])('%s', async (_name, text, status) => {
    const answer = await rawAnswer(service.service.port, text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}/);
    expect(head.toLowerCase()).toContain('\r\ncontent-type: application/json; charset=utf-8');
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['error']);
  });
});

describe('an error of our own making', () => {
  it('is 500 without a stack, a path or a query, and is logged with the request id', async () => {
    const broken = await TestService.start();
    try {
      // A table goes missing under the service: whatever it does now fails in a way nobody foresaw.
      const key = broken.newKey('free');
      const database = new DatabaseSync(join(broken.catalog.folder, 'accounts.db'));
      database.exec('ALTER TABLE usage RENAME TO elsewhere');
      database.close();
      const answer = await broken.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`, {
        headers: { 'x-request-id': 'mine-1' },
      });
      expect(answer.status).toBe(500);
      expect(answer.json).toEqual({ error: 'internal error; it is logged with the request id mine-1' });
      const logged = broken.logLines.find((line) => line.includes('"level":50'))!;
      expect(JSON.parse(logged)).toMatchObject({
        request_id: 'mine-1',
        path: '/v2/filing_info',
        err: { type: 'Error' },
      });
      expect(broken.logLines.join('')).not.toContain(key);
    } finally {
      await broken.stop();
    }
  });
});

function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
      // Some answers leave the connection open: its length shows that the whole body is there.
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (length && answer.length >= answer.indexOf('\r\n\r\n') + 4 + Number(length)) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    // The service may close while the rest of a request that is too long is still on its way.
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
    socket.write(text);
  });
}
