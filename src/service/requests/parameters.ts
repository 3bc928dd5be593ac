/** A request's parameters: from the query string, the JSON body, or both, checked and normalised by the contract's schemas. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isObject } from '../../core/index.ts';
import { MAX_ARRAY_VALUES, OPERATIONS, type OperationName, type ParametersOf } from '../../filings/api/index.ts';
import { badRequest, ServiceProblem } from '../answers/problem.ts';
import type { JsonObject } from './json-body.ts';
import { type ParameterShape, parametersOf } from './parameter-kinds.ts';
import type { QueryPair } from './query-string.ts';
import { valuesOfQuery } from './query-values.ts';
import { unknownParameter } from './unknown-parameter.ts';

type Shapes = ReadonlyMap<string, ParameterShape>;

/** Each line of the headers that may have a key (docs/api.md#keys). */
interface KeyHeaders {
  authorization?: readonly string[] | undefined;
  'x-api-key'?: readonly string[] | undefined;
}

/** The keys outside the body: in `Authorization: Bearer`, `X-API-Key`, the query. Other schemes of `Authorization` are ignored. */
export function keysBeforeBody(query: readonly QueryPair[], headers: KeyHeaders): string[] {
  const bearers = (headers.authorization ?? []).flatMap((line) => /^bearer +(\S+)\s*$/i.exec(line)?.[1] ?? []);
  const plain = (headers['x-api-key'] ?? []).map((line) => line.trim());
  return [...bearers, ...plain, ...query.filter(([name]) => name === 'api_key').map(([, value]) => value)];
}

/** The key of the request; undefined: none, or not a text. @throws ServiceProblem 400 for two different keys */
export function apiKeyOf(keys: readonly string[]): string | undefined {
  if (keys.some((key) => key !== keys[0])) throw badRequest('api_key is given twice with different values');
  return keys[0] === '' ? undefined : keys[0];
}

export function keysOfBody(body: JsonObject): string[] {
  return Object.hasOwn(body, 'api_key') && typeof body.api_key === 'string' ? [body.api_key] : [];
}

/**
 * Parameters of one operation, normalised: identifiers in their normal form, enumerated values as published, empty arrays left out
 * (an empty array is not a filter).
 * @throws ServiceProblem 400 that names the parameter, or the parameters that contradict each other
 */
export function readParameters<Name extends OperationName>(
  operation: Name,
  query: readonly QueryPair[],
  body: JsonObject,
): ParametersOf<Name> {
  const schema = OPERATIONS[operation].parameters as unknown as z.ZodObject;
  const parameters = readValues(schema, query, body) as ParametersOf<Name>;
  const error = OPERATIONS[operation].combinationError(parameters as never);
  if (error !== null) throw badRequest(error);
  return parameters;
}

/** The same for any schema. @throws ServiceProblem 400 that names the parameter */
export function readValues<Schema extends z.ZodObject>(
  schema: Schema,
  query: readonly QueryPair[],
  body: JsonObject,
): z.output<Schema> {
  const shapes = parametersOf(schema);
  const fromQuery = checked(valuesOfBody(valuesOfQuery(query, shapes), shapes), shapes);
  const fromBody = checked(valuesOfBody(body, shapes), shapes);
  for (const name of Object.keys(fromBody)) {
    if (!Object.hasOwn(fromQuery, name) || isDeepStrictEqual(fromQuery[name], fromBody[name])) continue;
    throw badRequest(`${name} is given twice with different values`);
  }
  return withoutEmptyArrays({ ...fromQuery, ...fromBody }) as z.output<Schema>;
}

/** Known names only. A single value for an array becomes an array of one. */
function valuesOfBody(body: JsonObject, shapes: Shapes, prefix = ''): JsonObject {
  const values: JsonObject = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    const shape = shapes.get(name);
    if (!shape) throw unknownParameter(name, shapes, prefix);
    const path = `${prefix}${name}`;
    if (value === null) throw badRequest(`${path} is invalid: must not be null; leave it out`);
    if (shape.kind === 'array') {
      const list = Array.isArray(value) ? value : [value];
      if (list.length > MAX_ARRAY_VALUES) {
        throw badRequest(`${path} is invalid: at most ${MAX_ARRAY_VALUES} values in one array`);
      }
      values[name] = list;
    } else if (shape.kind === 'object') {
      if (!isObject(value)) throw badRequest(`${path} is invalid: must be a JSON object`);
      values[name] = valuesOfBody(value, shape.members!, `${path}.`);
    } else values[name] = value;
  }
  return values;
}

function checked(values: JsonObject, shapes: Shapes): JsonObject {
  const results: JsonObject = {};
  for (const name of Object.keys(values)) {
    const result = shapes.get(name)!.schema.safeParse(values[name], { reportInput: true });
    if (!result.success) throw new ServiceProblem(400, issueText(name, result.error.issues[0]!));
    results[name] = result.data;
  }
  return results;
}

function withoutEmptyArrays(values: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (Array.isArray(value) && value.length === 0) continue;
    kept[name] = isObject(value) ? withoutEmptyArrays(value) : value;
  }
  return kept;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** @param name the parameter that the issue is about; the issue's own path is below it */
function issueText(name: string, issue: z.core.$ZodIssue): string {
  const members = issue.path.filter((part) => typeof part === 'string');
  return `${[name, ...members].join('.')} is invalid: ${reason(issue)}`;
}

function reason(issue: z.core.$ZodIssue): string {
  const value = shown(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return `${value}must be ${EXPECTED[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${value}must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      return issue.origin === 'array'
        ? `at most ${issue.maximum} values in one array`
        : `${value}must be at most ${issue.maximum}`;
    case 'too_small':
      if (issue.origin !== 'string') return `${value}must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `${value}must have at least ${issue.minimum} characters`;
    default:
      return `${value}${issue.message}`;
  }
}

/** The invalid value before the message, if it is short and plain. */
function shown(input: unknown): string {
  if (typeof input === 'string') return input.length > 0 && input.length <= 60 ? `'${input}' ` : '';
  return typeof input === 'number' || typeof input === 'boolean' ? `${input} ` : '';
}
