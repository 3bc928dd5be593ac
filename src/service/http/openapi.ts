/** The OpenAPI document of the service, made from the schemas that check requests. */
import { z } from 'zod';
import { errorSchema, OPERATIONS, type Operation, type OperationName, USAGE } from '../../filings/api/index.ts';
import { parametersOf } from '../requests/parameter-kinds.ts';

/** Clients tell a service of this family by this title (docs/api.md#other-paths). */
export const SERVICE_TITLE = 'filinglake';

type Json = Record<string, unknown>;

/** A path outside /v2 that needs no key, as the document states it. */
export interface DescribedPath {
  path: string;
  summary: string;
  contentType: string;
  /** Statuses of its answers, with their meaning */
  statuses: Readonly<Record<number, string>>;
}

/** Errors that every operation can answer. */
const ERRORS: Readonly<Record<string, string>> = {
  400: 'A parameter is missing, unknown or invalid',
  401: 'Invalid or missing API key',
  403: 'The account is closed',
  408: 'The request did not arrive in time',
  413: 'The body is too long',
  414: 'The URL is too long',
  415: 'The body is not JSON',
  417: 'An Expect header that the service does not meet',
  429: 'The requests or the bytes of the month are used up',
  431: 'The headers are too long',
  500: 'Internal error',
  503: 'Shutting down, busy, past a deadline, or without a renderer',
};

type KeyedName = OperationName | 'usage';
/** What needs a key: the operations, and the holder's own usage. */
const KEYED: Readonly<Record<KeyedName, Operation>> = { ...OPERATIONS, usage: USAGE };

/** Errors of single operations. */
const ERRORS_OF: Partial<Record<KeyedName, Readonly<Record<string, string>>>> = {
  filing_info: { 404: 'No such filing' },
  filing_sections: { 404: 'No such filing or document, or a form without sections', 422: 'The document has no text' },
  document: { 404: 'No such filing or document', 422: "The document can't be converted as asked" },
  pdf: {
    404: 'No such filing or document',
    422: "The document can't be rendered",
    504: 'Rendering ran past its limit',
  },
};

/** Operations whose answers have an ETag. */
const TAGGED: ReadonlySet<KeyedName> = new Set(['document', 'filing_info', 'filing_sections', 'pdf']);

const text = { type: 'string' };
const HEADERS: Json = {
  RequestId: { description: "the caller's own, or a new one", schema: text },
  RateLimitPolicy: {
    description: 'requests and bytes of the plan in a month; absent for a plan without limits',
    schema: { ...text, examples: ['"requests";q=100;w=month'] },
  },
  RateLimit: {
    description: 'what is left of them, and the seconds to the reset',
    schema: { ...text, examples: ['"requests";r=93;t=861231'] },
  },
  RetryAfter: { description: 'seconds to wait', schema: { type: 'integer', minimum: 1 } },
  ETag: { description: 'send it back as If-None-Match: 304 if nothing changed', schema: text },
};
const reference = (kind: 'headers' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** @param open paths that need no key: `/healthz` … */
export function openApiDocument(version: string, open: readonly DescribedPath[] = []): Json {
  const names = Object.keys(KEYED) as KeyedName[];
  const operations = names.map((name) => [
    KEYED[name].path,
    { get: operation(name, 'query'), post: operation(name, 'body') },
  ]);
  const others = open.map((path) => [path.path, { get: openOperation(path) }]);
  const answers = names.map((name) => [answerName(name), schemaOf(KEYED[name].answer, 'output')]);
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE_TITLE,
      version,
      description:
        'Public SEC EDGAR filings over HTTP. Parameters may be given in the query string, in a JSON body, or in both. Every call takes a key: in api_key, X-API-Key or Authorization.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'filings', description: 'operations on EDGAR filings; each needs a key' },
      { name: 'service', description: 'the service itself; no key' },
    ],
    paths: Object.fromEntries([...operations, ...others]),
    // Any one of them; api_key may also be in a JSON body.
    security: [{ parameter: [] }, { header: [] }, { bearer: [] }],
    components: {
      schemas: { Error: schemaOf(errorSchema, 'output'), ...Object.fromEntries(answers) },
      headers: HEADERS,
      securitySchemes: {
        parameter: { type: 'apiKey', in: 'query', name: 'api_key' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(name: KeyedName, where: 'query' | 'body'): Json {
  const { summary } = KEYED[name];
  return {
    operationId: where === 'query' ? name : `${name}_post`,
    summary: where === 'query' ? summary : `${summary} (as GET; parameters in a JSON body)`,
    tags: ['filings'],
    ...(where === 'query' ? { parameters: queryParameters(name) } : { requestBody: requestBody(name) }),
    responses: responses(name),
  };
}

function responses(name: KeyedName): Json {
  const { bytes } = KEYED[name];
  const quota = {
    'X-Request-Id': reference('headers', 'RequestId'),
    'RateLimit-Policy': reference('headers', 'RateLimitPolicy'),
    RateLimit: reference('headers', 'RateLimit'),
  };
  const tag = TAGGED.has(name) ? { ETag: reference('headers', 'ETag') } : {};
  return {
    200: {
      description: 'Found',
      headers: { ...quota, ...tag },
      content: {
        'application/json': { schema: reference('schemas', answerName(name)), example: KEYED[name].example.answer },
        ...(bytes ? { [bytes]: { schema: { type: 'string', format: 'binary' } } } : {}),
      },
    },
    ...(TAGGED.has(name)
      ? { 304: { description: 'If-None-Match names the ETag', headers: { ...quota, ...tag } } }
      : {}),
    ...Object.fromEntries(
      Object.entries({ ...ERRORS, ...ERRORS_OF[name] }).map(([status, description]) => [
        status,
        errorResponse(status, description),
      ]),
    ),
  };
}

function errorResponse(status: string, description: string): Json {
  const waits = status === '429' || status === '503';
  return {
    description,
    headers: {
      'X-Request-Id': reference('headers', 'RequestId'),
      ...(waits ? { 'Retry-After': reference('headers', 'RetryAfter') } : {}),
    },
    content: { 'application/json': { schema: reference('schemas', 'Error') } },
  };
}

function openOperation({ path, summary, contentType, statuses }: DescribedPath): Json {
  const type = contentType.split(';', 1)[0]!;
  const schema = type === 'application/json' ? { type: 'object' } : { type: 'string' };
  return {
    operationId: path.slice(1).replaceAll(/\W/g, '_'),
    summary,
    tags: ['service'],
    security: [],
    responses: Object.fromEntries(
      Object.entries(statuses).map(([status, description]) => [
        status,
        {
          description,
          headers: { 'X-Request-Id': reference('headers', 'RequestId') },
          content: { [type]: { schema } },
        },
      ]),
    ),
  };
}

function queryParameters(name: KeyedName): Json[] {
  const { parameters, required = [] } = KEYED[name];
  // The key is a security scheme.
  const shown = [...parametersOf(parameters)].filter(([parameter]) => parameter !== 'api_key');
  return shown.map(([parameter, shape]) => {
    const { description, ...bare } = schemaOf(shape.schema, 'input');
    const example = KEYED[name].example.parameters[parameter];
    const common = {
      name: parameter,
      in: 'query',
      required: required.includes(parameter),
      ...(typeof description === 'string' ? { description } : {}),
    };
    // In a query string an object is JSON text.
    if (shape.kind === 'object') {
      const content = { schema: bare, ...(example === undefined ? {} : { example }) };
      return { ...common, content: { 'application/json': content } };
    }
    return {
      ...common,
      ...(shape.kind === 'array' ? { style: 'form', explode: true } : {}),
      schema: bare,
      ...(example === undefined ? {} : { example }),
    };
  });
}

function requestBody(name: KeyedName): Json {
  const { parameters, required, oneOf } = KEYED[name];
  const schema = {
    ...schemaOf(parameters, 'input'),
    ...(required ? { required } : {}),
    ...(oneOf ? { anyOf: oneOf.map((member) => ({ required: [member] })) } : {}),
  };
  return { required: true, content: { 'application/json': { schema, example: KEYED[name].example.parameters } } };
}

/** `filing_info`: `FilingInfoAnswer` */
function answerName(name: KeyedName): string {
  const words = name.split('_').map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join('')}Answer`;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}
