import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../../src/filings/api/index.ts';
import type { JsonObject } from '../../../src/service/requests/json-body.ts';
import { readParameters } from '../../../src/service/requests/parameters.ts';
import { TestService } from '../../support/service/running-service.ts';

interface Described {
  parameters?: { name: string; in: string; required?: boolean; description?: string; example?: unknown }[];
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  security?: object[];
}

interface Spec {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, { get: Described; post: Described }>;
  components: Record<string, Record<string, unknown>>;
}

const names = Object.keys(OPERATIONS) as OperationName[];

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

  it.each(names)('describes every parameter of %s', async (name) => {
    const { paths } = (await service.ask('/openapi.json')).json as Spec;
    const { get, post } = paths[OPERATIONS[name].path]!;
    expect(get.parameters!.map((parameter) => parameter.name)).toEqual(
      Object.keys(OPERATIONS[name].parameters.shape).filter((parameter) => parameter !== 'api_key'),
    );
    expect(get.parameters!.every((parameter) => parameter.in === 'query')).toBe(true);
    expect(get.parameters!.filter((parameter) => !parameter.description).map((parameter) => parameter.name)).toEqual(
      [],
    );
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '429', '500', '503']));
    expect(Object.keys(post.responses)).toEqual(Object.keys(get.responses));
    expect(post.requestBody).toBeDefined();
  });

  it.each(names)('has an example of %s that the contract and its own schemas accept', async (name) => {
    const spec = (await service.ask('/openapi.json')).json as Spec;
    const { get, post } = spec.paths[OPERATIONS[name].path]!;
    const body = post.requestBody!.content['application/json']!;
    const answer = get.responses['200']!.content!['application/json']!;
    expect(Object.keys(readParameters(name, [], body.example as JsonObject))).toEqual(
      Object.keys(body.example as JsonObject),
    );
    expect(OPERATIONS[name].answer.parse(answer.example)).toEqual(answer.example);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'spec', components: spec.components });
    const schemas = [
      [body.schema, body.example],
      [{ $ref: `spec${(answer.schema as { $ref: string }).$ref}` }, answer.example],
    ] as const;
    for (const [schema, example] of schemas) expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
  });

  it('describes exactly the paths and methods that are served', async () => {
    const spec = (await service.ask('/openapi.json')).json as Spec;
    const described = Object.entries(spec.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // HEAD is GET without the body: OpenAPI needs no entry for it.
    const served = service.service.routes.filter((route) => !route.startsWith('HEAD '));
    expect(served.toSorted()).toEqual(described.toSorted());
    expect(service.service.routes).toEqual(expect.arrayContaining(['HEAD /v2/pdf', 'HEAD /metrics']));
  });

  it('describes the paths of the contract’s page, and no others', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
    const spec = (await service.ask('/openapi.json')).json as Spec;
    const others = page.slice(page.indexOf('## Other paths'), page.indexOf('## A client that reads'));
    const operations = [...page.matchAll(/^`GET (\/v2\/\w+)`/gm)].map((match) => match[1]!);
    // Accounts have a page of their own: docs/guide/accounts.md.
    const open = [...others.matchAll(/^\| `(\/(?!accounts)[\w./]+)`/gm)].map((match) => match[1]!);
    expect([...operations, ...open].toSorted()).toEqual(Object.keys(spec.paths).toSorted());
  });

  it('states which paths need no key', async () => {
    const spec = (await service.ask('/openapi.json')).json as Spec;
    for (const [path, { get }] of Object.entries(spec.paths)) {
      const { status } = await service.ask(path);
      expect([path, status]).toEqual([path, get.security === undefined ? 401 : 200]);
    }
  });

  it('states the required parameters, and where the key is accepted', async () => {
    const spec = (await service.ask('/openapi.json')).json as Spec & { security: object[] };
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
    expect(Object.keys(spec.components.securitySchemes!)).toEqual(['parameter', 'header', 'bearer']);
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
