import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../../src/api/index.ts';
import { TestService } from '../../support/service/running-service.ts';

interface Spec {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<
    string,
    Record<
      'get' | 'post',
      {
        parameters?: { name: string; in: string; required?: boolean }[];
        responses: Record<string, unknown>;
        requestBody?: unknown;
      }
    >
  >;
}

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('/openapi.json', () => {
  it('needs no key and names the family', async () => {
    const { status, json, headers } = await service.ask('/openapi.json');
    const spec = json as Spec;
    expect([status, spec.info.title, spec.openapi, headers['content-type']]).toEqual([
      200,
      'filinglake',
      '3.1.0',
      'application/json; charset=utf-8',
    ]);
    expect(spec.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each(Object.keys(OPERATIONS) as OperationName[])('describes every parameter of %s', async (name) => {
    const { paths } = (await service.ask('/openapi.json')).json as Spec;
    const { get, post } = paths[OPERATIONS[name].path]!;
    expect(get.parameters!.map((parameter) => parameter.name)).toEqual(Object.keys(OPERATIONS[name].parameters.shape));
    expect(get.parameters!.every((parameter) => parameter.in === 'query')).toBe(true);
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '429', '503']));
    expect(post.requestBody).toBeDefined();
  });

  it('states the required parameters, and where the key is accepted', async () => {
    const spec = (await service.ask('/openapi.json')).json as Spec & {
      security: object[];
      components: { securitySchemes: Record<string, object> };
    };
    const required = (name: OperationName) =>
      spec.paths[OPERATIONS[name].path]!.get.parameters!.filter((parameter) => parameter.required).map(
        (parameter) => parameter.name,
      );
    expect([required('filing_info'), required('fulltext_search'), required('pdf')]).toEqual([
      ['accession_number'],
      ['query'],
      [],
    ]);
    const body = JSON.stringify(spec.paths['/v2/document']!.post.requestBody);
    expect(body).toContain('"anyOf":[{"required":["document_id"]},{"required":["accession_number"]}]');
    const dates = JSON.stringify(spec.paths['/v2/filing_lookup']!.get.parameters);
    expect(dates).toContain('"pattern":"^\\\\d{4}-\\\\d{2}-\\\\d{2}$"');
    expect(spec.security).toHaveLength(3);
    expect(Object.keys(spec.components.securitySchemes)).toEqual(['parameter', 'header', 'bearer']);
  });

  it('refers to nothing that it does not hold', async () => {
    const { bytes, json } = await service.ask('/openapi.json');
    const references = [...bytes.toString().matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      const found = reference
        .split('/')
        .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], json);
      expect(found, reference).toBeDefined();
    }
  });
});

describe('/healthz', () => {
  it('needs no key', async () => {
    expect((await service.ask('/healthz')).json).toMatchObject({ status: 'ok', service: 'filinglake' });
    expect((await request(`${service.service.url}/healthz`, { method: 'HEAD' })).statusCode).toBe(200);
  });
});

describe('the log', () => {
  it('has a line an answer, and never a key or a query', async () => {
    await service.get('filing_lookup', 'form_types=SECRETFORM', { headers: { 'x-request-id': 'logged-1' } });
    const line = service.logLines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((entry) => entry.request_id === 'logged-1');
    expect(line).toMatchObject({ method: 'GET', path: '/v2/filing_lookup', status: 200, msg: 'answered' });
    expect(service.logLines.join('')).not.toContain(service.key);
    expect(service.logLines.join('')).not.toContain('SECRETFORM');
  });
});
