/** Turns query pairs into JSON values of each parameter's kind (docs/api.md#requests). */
import { isObject } from '../../core/index.ts';
import { badRequest } from '../answers/problem.ts';
import { type JsonObject, requireShallow } from './json-body.ts';
import { type ParameterShape, UNSPLIT_ARRAYS } from './parameter-kinds.ts';
import type { QueryPair } from './query-string.ts';
import { unknownParameter } from './unknown-parameter.ts';

type Shapes = ReadonlyMap<string, ParameterShape>;

/** The object of a JSON body with them. @param prefix `entity_query.` for its members @throws ServiceProblem 400 */
export function valuesOfQuery(pairs: readonly QueryPair[], shapes: Shapes, prefix = ''): JsonObject {
  const texts = new Map<string, string[]>();
  const dotted = new Map<string, QueryPair[]>();
  for (const [written, text] of pairs) {
    const { name, member } = resolve(written, shapes, prefix);
    if (member === null) append(texts, name, text);
    else append(dotted, name, [member, text] as const);
  }
  const values: JsonObject = {};
  for (const [name, all] of texts) values[name] = valueFor(`${prefix}${name}`, name, all, shapes.get(name)!);
  for (const [name, members] of dotted) {
    const value = valuesOfQuery(members, shapes.get(name)!.members!, `${prefix}${name}.`);
    values[name] = name in values ? joined(values[name] as JsonObject, value, `${prefix}${name}.`) : value;
  }
  return values;
}

/** `tickers[]` is `tickers`; `entity_query.tickers` the member `tickers` of `entity_query`. */
function resolve(written: string, shapes: Shapes, prefix: string): { name: string; member: string | null } {
  if (shapes.has(written)) return { name: written, member: null };
  const bare = written.endsWith('[]') ? written.slice(0, -2) : written;
  if (shapes.get(bare)?.kind === 'array') return { name: bare, member: null };
  const dot = written.indexOf('.');
  const parent = written.slice(0, dot);
  if (dot > 0 && shapes.get(parent)?.kind === 'object') return { name: parent, member: written.slice(dot + 1) };
  throw unknownParameter(written, shapes, prefix);
}

function valueFor(path: string, name: string, texts: readonly string[], shape: ParameterShape): unknown {
  if (shape.kind === 'array') return texts.flatMap((text) => listOf(path, name, text));
  const [first = '', ...others] = texts;
  if (others.some((other) => other !== first)) throw badRequest(`${path} is given twice with different values`);
  switch (shape.kind) {
    case 'number':
      if (!/^-?\d{1,15}$/.test(first)) throw badRequest(`${path} is invalid: must be a whole number`);
      return Number(first);
    case 'boolean':
      if (!/^(true|false|1|0)$/.test(first)) throw badRequest(`${path} is invalid: must be true, false, 1 or 0`);
      return first === 'true' || first === '1';
    case 'object':
      return objectOf(path, first);
    case 'text':
      return first;
  }
}

/** The values in one query value of an array: a JSON array, values between commas, or one value. */
function listOf(path: string, name: string, text: string): unknown[] {
  const unsplit = UNSPLIT_ARRAYS.has(name);
  if (text.trimStart().startsWith('[')) {
    const value = parsed(text);
    if (Array.isArray(value)) return value;
    // A name may well start with a bracket; a ticker, form or CIK doesn't.
    if (!unsplit) throw badRequest(`${path} is invalid: starts with [ but is not a valid JSON array`);
  }
  return unsplit ? [text] : text.split(',').map((value) => value.trim());
}

function objectOf(path: string, text: string): JsonObject {
  const value = parsed(text);
  if (!isObject(value)) throw badRequest(`${path} is invalid: must be a JSON object, or ${path}.<name>=<value>`);
  return value;
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  requireShallow(value);
  return value;
}

function joined(literal: JsonObject, dotted: JsonObject, prefix: string): JsonObject {
  for (const name of Object.keys(dotted)) {
    if (Object.hasOwn(literal, name)) throw badRequest(`${prefix}${name} is given twice`);
  }
  return { ...literal, ...dotted };
}

function append<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}
