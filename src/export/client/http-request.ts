/** What is sent: the contract's parameters and nothing else, each in its place. */
import { OPERATIONS, type OperationName } from '../../filings/api/index.ts';
import { BadRequestError } from './errors.ts';

/** The place of the key: the parameter `api_key`, or a header. */
export type KeyPlace = 'parameter' | 'bearer' | 'x-api-key';

/** `get`: as published. `post`: all parameters in a JSON body, for networks that drop the body of a GET. */
export type RequestMethod = 'get' | 'post';

export interface WireRequest {
  method: 'GET' | 'POST';
  /** Path and query. It has the API key: never print it. */
  path: string;
  /** JSON text, or null */
  body: string | null;
  /** With the API key, if it is in a header */
  headers: Readonly<Record<string, string>>;
}

/**
 * Arranges parameters. With GET, single values go into the query string, arrays and objects into a JSON body. With POST, all go
 * into the body; the key alone may go into a header. Parameters without a value, and empty arrays (no filter), are left out.
 * @param prefix path of the base URL, without a slash at the end: `` or `/edgar`
 */
export function wireRequest(
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  apiKey: string,
  method: RequestMethod,
  prefix: string,
  keyPlace: KeyPlace = 'parameter',
): WireRequest {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  const headers = keyHeaders(keyPlace, apiKey);
  if (keyPlace === 'parameter') {
    if (method === 'post') body.api_key = apiKey;
    else query.set('api_key', apiKey);
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || name === 'api_key') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (method === 'post' || typeof value === 'object') body[name] = withoutEmpty(value);
    else query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : '';
  return {
    method: method === 'post' ? 'POST' : 'GET',
    path: `${prefix}${OPERATIONS[operation].path}${search}`,
    body: Object.keys(body).length > 0 || method === 'post' ? JSON.stringify(body) : null,
    headers,
  };
}

/** The service then sends the answer only if its ETag differs. */
export function withEtag(request: WireRequest, etag: string): WireRequest {
  return { ...request, headers: { ...request.headers, 'if-none-match': etag } };
}

function keyHeaders(place: KeyPlace, apiKey: string): Record<string, string> {
  if (place === 'bearer') return { authorization: `Bearer ${apiKey}` };
  return place === 'x-api-key' ? { 'x-api-key': apiKey } : {};
}

/** Drops absent members and empty arrays of `entity_query`: some services read `[]` as "none of them". */
function withoutEmpty(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, v]) => v !== undefined && v !== null && !(Array.isArray(v) && v.length === 0)),
  );
}

/** Parameters in their normal form, checked before a request is spent. @throws BadRequestError naming the parameter */
export function checkedParameters(operation: OperationName, parameters: object): Record<string, unknown> {
  const result = OPERATIONS[operation].parameters.safeParse(parameters);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = issue?.path.join('.') || 'parameters';
  throw new BadRequestError(`${operation}: ${name}: ${issue?.message ?? 'invalid'}`, null);
}
