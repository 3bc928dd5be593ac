/** The OpenAPI document of the service, made from the schemas that check requests. */
import { z } from 'zod';
import {
  errorSchema,
  OPERATIONS,
  type Operation,
  type OperationName,
  USAGE_PATH,
  USAGE_SUMMARY,
  usageParametersSchema,
  usageSchema,
} from '../../api/index.ts';
import { parametersOf } from '../requests/parameter-kinds.ts';

/** Clients tell a service of this family by this title (docs/api.md#other-paths). */
export const SERVICE_TITLE = 'filinglake';

type Json = Record<string, unknown>;

const ERRORS: Readonly<Record<string, string>> = {
  400: 'A parameter is missing, unknown or invalid',
  401: 'Invalid or missing API key',
  403: 'The account is closed',
  404: 'No such filing or document',
  405: 'The method is not GET, HEAD or POST',
  413: 'The body is too long',
  414: 'The URL is too long',
  415: 'The body is not JSON',
  422: "The document can't be converted or rendered as asked",
  429: 'The requests or the bytes of the month are used up',
  431: 'The headers are too long',
  500: 'Internal error',
  503: 'Shutting down, busy, past a deadline, or without a renderer',
  504: 'Rendering ran past its limit',
};

export function openApiDocument(version: string): Json {
  const paths: Json = {};
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    paths[OPERATIONS[name].path] = {
      get: operation(name, 'query'),
      post: operation(name, 'body'),
    };
  }
  paths[USAGE_PATH] = { get: usagePath() };
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
    paths,
    // Any one of them; api_key may also be in a JSON body.
    security: [{ parameter: [] }, { header: [] }, { bearer: [] }],
    components: {
      schemas: { Error: schemaOf(errorSchema, 'output') },
      securitySchemes: {
        parameter: { type: 'apiKey', in: 'query', name: 'api_key' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(name: OperationName, where: 'query' | 'body'): Json {
  const { summary, answer, bytes }: Operation = OPERATIONS[name];
  return {
    operationId: where === 'query' ? name : `${name}_post`,
    summary: where === 'query' ? summary : `${summary} (as GET; parameters in a JSON body)`,
    ...(where === 'query'
      ? { parameters: queryParameters(OPERATIONS[name]) }
      : {
          requestBody: { required: true, content: { 'application/json': { schema: bodySchema(OPERATIONS[name]) } } },
        }),
    responses: {
      200: {
        description: 'Found',
        headers: quotaHeaderSchemas(),
        content: {
          'application/json': { schema: schemaOf(answer, 'output') },
          ...(bytes ? { [bytes]: { schema: { type: 'string', format: 'binary' } } } : {}),
        },
      },
      ...errorResponses(),
    },
  };
}

function errorResponses(): Json {
  const schema = { $ref: '#/components/schemas/Error' };
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema } } },
    ]),
  );
}

function usagePath(): Json {
  return {
    operationId: 'usage',
    summary: USAGE_SUMMARY,
    parameters: queryParameters({ parameters: usageParametersSchema }),
    responses: {
      200: {
        description: 'Found',
        headers: quotaHeaderSchemas(),
        content: { 'application/json': { schema: schemaOf(usageSchema, 'output') } },
      },
      ...errorResponses(),
    },
  };
}

function queryParameters({ parameters, required = [] }: Pick<Operation, 'parameters' | 'required'>): Json[] {
  return [...parametersOf(parameters)].map(([parameter, shape]) => {
    const schema = schemaOf(shape.schema, 'input');
    const { description, ...bare } = schema;
    const common = {
      name: parameter,
      in: 'query',
      required: required.includes(parameter),
      ...(typeof description === 'string' ? { description } : {}),
    };
    // In a query string an object is JSON text.
    if (shape.kind === 'object') return { ...common, content: { 'application/json': { schema: bare } } };
    return { ...common, ...(shape.kind === 'array' ? { style: 'form', explode: true } : {}), schema: bare };
  });
}

function bodySchema({ parameters, required, oneOf }: Operation): Json {
  return {
    ...schemaOf(parameters, 'input'),
    ...(required ? { required } : {}),
    ...(oneOf ? { anyOf: oneOf.map((member) => ({ required: [member] })) } : {}),
  };
}

function quotaHeaderSchemas(): Json {
  const text = { schema: { type: 'string' } };
  return {
    'RateLimit-Policy': { description: 'requests and bytes of the plan in a month', ...text },
    RateLimit: { description: 'what is left of them, and the seconds to the reset', ...text },
    'X-Request-Id': { description: "the caller's own, or a new one", ...text },
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}
