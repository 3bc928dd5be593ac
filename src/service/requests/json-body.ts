/** The JSON body of a request: its media type, its text, its depth. */
import { isObject } from '../../core/index.ts';
import { badRequest, ServiceProblem } from '../answers/problem.ts';

const MAX_JSON_DEPTH = 8;

export type JsonObject = Record<string, unknown>;

/**
 * Reads a request's body: an empty one means no parameters, with any media type.
 * @throws ServiceProblem 415 for another media type, charset or content encoding; 400 if it is not a JSON object
 */
export function readJsonBody(bytes: Buffer, contentType: string | undefined, contentEncoding?: string): JsonObject {
  if (bytes.length === 0) return {};
  requireJson(contentType, contentEncoding);
  requireLittle(bytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.replace(/, ?".*$/s, '') : 'it is not UTF-8';
    throw badRequest(`the body is not valid JSON: ${reason}`);
  }
  if (!isObject(value)) throw badRequest('the body must be a JSON object');
  requireShallow(value);
  return value;
}

/** More values than all parameters with full arrays have. */
const MAX_VALUES = 25_000;

/**
 * Checks brackets and commas before parsing. The key is not checked yet, and a deep body or one with too many values would cost
 * the main thread too much.
 * @throws ServiceProblem 400
 */
function requireLittle(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i]!;
    if (code === 0x22) {
      i = endOfString(bytes, i);
      if (i < 0) return;
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > MAX_JSON_DEPTH) throw tooDeep();
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c && ++values > MAX_VALUES) {
      throw badRequest(`the body has more than ${MAX_VALUES} values`);
    }
  }
}

/** Position of the quote that ends the string; -1: the string does not end. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(0x22, start + 1); end >= 0; end = bytes.indexOf(0x22, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

function tooDeep(): ServiceProblem {
  return badRequest(`JSON may be nested at most ${MAX_JSON_DEPTH} deep`);
}

/** @throws ServiceProblem 400 if arrays and objects are nested deeper than MAX_JSON_DEPTH */
export function requireShallow(value: unknown, depth = 1): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH) throw tooDeep();
  for (const member of Object.values(value)) requireShallow(member, depth + 1);
}

function requireJson(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceProblem(415, 'a compressed body is not taken; send it without Content-Encoding');
  }
  const [type = '', ...attributes] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = attributes.find((attribute) => attribute.startsWith('charset='))?.slice('charset='.length);
  const utf8 = charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset);
  if (type === 'application/json' && utf8) return;
  const found = contentType ? `not ${contentType.slice(0, 100)}` : 'and the request has no Content-Type';
  throw new ServiceProblem(415, `the body must be sent as application/json (UTF-8), ${found}`);
}
