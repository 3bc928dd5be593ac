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

const KEY = '{key}';

describe('a refused request', () => {
  it.each<[string, string, AskOptions, number, RegExp]>([
    [
      'an unknown path',
      '/v2/filing_lookups',
      {},
      404,
      /no such path: \/v2\/filing_lookups; did you mean \/v2\/filing_lookup\?/,
    ],
    ['a path of nothing', '/v3', {}, 404, /no such path: \/v3; \/openapi.json/],
    ['a slash too many', '/v2/filing_info/', {}, 404, /no such path/],
    ['a path that is not UTF-8', '/v2/%zz', {}, 400, /path of the URL/],
    ['another method', '/v2/filing_info', { method: 'DELETE' }, 405, /DELETE is not taken here/],
    ['PUT with a body', '/v2/filing_info', { method: 'PUT', body: {} }, 405, /PUT is not taken here/],
    ['OPTIONS', '/v2/filing_info', { method: 'OPTIONS' }, 405, /OPTIONS/],
    ['an uncommon method', '/v2/filing_info', { method: 'PROPFIND' }, 405, /PROPFIND/],
    ['QUERY of a path without a key', '/healthz', { method: 'QUERY' }, 405, /QUERY is not taken/],
    ['POST of the spec', '/openapi.json', { method: 'POST', body: {} }, 405, /POST is not taken/],
    ['a body that is not JSON', `/v2/filing_info?api_key=${KEY}`, { body: '{' }, 400, /not valid JSON/],
    ['a body that is not an object', `/v2/filing_info?api_key=${KEY}`, { body: '[1]' }, 400, /must be a JSON object/],
    [
      'a body of another type',
      `/v2/filing_info?api_key=${KEY}`,
      { body: 'a=1', headers: { 'content-type': 'text/plain' } },
      415,
      /application\/json/,
    ],
    [
      'a compressed body',
      `/v2/filing_info?api_key=${KEY}`,
      { body: '{}', headers: { 'content-encoding': 'gzip' } },
      415,
      /compressed/,
    ],
    [
      'a body that is too long',
      `/v2/filing_info?api_key=${KEY}`,
      { body: { accession_number: 'x'.repeat(1024 * 1024) } },
      413,
      /longer than 1048576 bytes/,
    ],
    [
      'a URL that is too long',
      `/v2/entity_lookup?api_key=${KEY}&tickers=${'A,'.repeat(33_000)}A`,
      {},
      414,
      /longer than 65536 bytes/,
    ],
    [
      'headers that are too long',
      '/v2/filing_info',
      { headers: { 'x-long': 'a'.repeat(40_000) } },
      431,
      /headers .* longer/,
    ],
    ['garbled query', `/v2/filing_info?api_key=${KEY}&x=%ff`, {}, 400, /percent-encoded/],
    ['no key', '/v2/filing_info', {}, 401, /^Invalid or missing API key$/],
    ['no key, and wrong parameters', '/v2/filing_info?nonsense=1', {}, 401, /^Invalid or missing API key$/],
    ['an empty key', '/v2/filing_info?api_key=', {}, 401, /^Invalid or missing API key$/],
    ['a wrong key', '/v2/pdf?api_key=fl_wrong', {}, 401, /^Invalid or missing API key$/],
    [
      'a key that is not text',
      '/v2/pdf',
      { method: 'POST', body: { api_key: 7 } },
      401,
      /^Invalid or missing API key$/,
    ],
    ['two keys', `/v2/filing_info?api_key=${KEY}&api_key=other`, {}, 400, /api_key is given twice/],
    ['a missing parameter', `/v2/filing_info?api_key=${KEY}`, {}, 400, /^accession_number is required$/],
    ['an unknown parameter', `/v2/filing_lookup?api_key=${KEY}&form_type=4`, {}, 400, /did you mean 'form_types'/],
    [
      'a full-text query that is open',
      `/v2/fulltext_search?api_key=${KEY}&query_type=query_string&query=%22open`,
      {},
      400,
      /^query is invalid at 0: /,
    ],
    [
      'a full-text query without a word',
      `/v2/fulltext_search?api_key=${KEY}&query=...`,
      {},
      400,
      /^query is required$/,
    ],
    [
      'an unknown filing',
      `/v2/filing_info?api_key=${KEY}&accession_number=000000000000000000`,
      {},
      404,
      /^filing 0000000000-00-000000 was not found$/,
    ],
    [
      'an unknown document',
      `/v2/document?api_key=${KEY}&document_id=${ANNUAL}-9`,
      {},
      404,
      new RegExp(`^document ${ANNUAL}-9 was not found$`),
    ],
    [
      'an unknown file name',
      `/v2/document?api_key=${KEY}&accession_number=${ANNUAL}&filename=no.htm`,
      {},
      404,
      /has no document named 'no.htm'/,
    ],
    [
      'sections of a form without',
      `/v2/filing_sections?api_key=${KEY}&accession_number=${OWNERSHIP}`,
      {},
      404,
      /^form 4 has no sections$/,
    ],
    ['sections of a picture', `/v2/filing_sections?api_key=${KEY}&document_id=${ANNUAL}-3`, {}, 422, /image\/gif/],
    [
      'broken XML as JSON',
      `/v2/document?api_key=${KEY}&document_id=${OWNERSHIP}-2&output_format=json`,
      {},
      422,
      /can't be converted: .*line 2/,
    ],
    [
      'a PDF of what can not be shown',
      `/v2/pdf?api_key=${KEY}&accession_number=${PICTURES_ONLY}`,
      {},
      422,
      /no document that can be rendered/,
    ],
    ['a PDF of an archive', `/v2/pdf?api_key=${KEY}&document_id=${PICTURES_ONLY}-1`, {}, 422, /application\/zip/],
    [
      'a PDF of an unknown filing',
      `/v2/pdf?api_key=${KEY}&accession_number=000000000000000000`,
      {},
      404,
      /was not found/,
    ],
  ])('for %s', async (_name, path, options, status, message) => {
    const answer = await service.ask(path.replace(KEY, service.key), options);
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
