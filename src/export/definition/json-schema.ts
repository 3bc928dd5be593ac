/**
 * The JSON Schema of export definitions, for editors. It is made from the parser's schema, and is as tolerant of YAML as the
 * parser: a form type may look like a number, a single value may stand for a list, and `${NAME}` for any scalar.
 */
import { z } from 'zod';
import { ENTITY_TYPES, EXCHANGES, QUERY_TYPES } from '../../filings/api/index.ts';
import { definitionSchema } from './schema.ts';

export interface JsonSchema {
  [member: string]: unknown;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  description?: string;
}

const VARIABLE: JsonSchema = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' };

/** The checks that are code in the parser's schema, by the path of the value: as patterns, as far as possible. */
const PATTERNS: Readonly<Record<string, JsonSchema>> = {
  'select.date_from': { pattern: '^(\\d{4}-\\d{2}-\\d{2}|today|yesterday|-\\d{1,5}[dwmy])$' },
  'select.date_to': { pattern: '^(\\d{4}-\\d{2}-\\d{2}|today|yesterday|-\\d{1,5}[dwmy])$' },
  'select.entity_query.ciks[]': { pattern: '^\\s*\\d{1,10}\\s*$' },
  'select.entity_query.exchanges[]': anyCase(EXCHANGES),
  'select.entity_query.entity_types[]': anyCase(ENTITY_TYPES),
  'select.fulltext.query_type': anyCase(QUERY_TYPES),
  'select.accession_numbers[]': { pattern: '^\\s*(\\d{10}-\\d{2}-\\d{6}|\\d{18})\\s*$' },
};
/** Texts with a pattern or a few values that YAML may read as numbers. */
const DIGITS_ALLOWED = new Set(['select.entity_query.ciks[]', 'select.accession_numbers[]', 'name']);

/** Values that compare without regard to case, offered in their usual spelling. */
function anyCase(values: readonly string[]): JsonSchema {
  const letter = (c: string) => (/[a-z]/i.test(c) ? `[${c.toUpperCase()}${c.toLowerCase()}]` : c);
  const pattern = `^\\s*(${values.map((value) => [...value].map(letter).join('')).join('|')})\\s*$`;
  return {
    anyOf: [
      { type: 'string', enum: [...values] },
      { type: 'string', pattern },
    ],
  };
}

export function definitionJsonSchema(): JsonSchema {
  const made = z.toJSONSchema(definitionSchema, { io: 'input', target: 'draft-7' }) as unknown as JsonSchema;
  const members = made.properties!;
  const definitions = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asYaml(member, name)]));
  const properties = Object.fromEntries(
    Object.keys(members).map((name) => [name, { $ref: `#/definitions/${name}` } as JsonSchema]),
  );
  /** Whether each export has it itself, or a default provides it. */
  const somewhere = (name: string): JsonSchema => ({
    anyOf: [
      { required: [name] },
      { properties: { exports: { type: 'array', items: { type: 'object', required: [name] } } } },
    ],
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'filinglake export definition',
    description: 'One export, or several under exports, with the keys beside it as their defaults.',
    type: 'object',
    properties: {
      ...properties,
      exports: {
        description: 'several exports; keys beside this one are defaults that each export may override',
        type: 'array',
        minItems: 1,
        items: { type: 'object', properties, required: ['name'], additionalProperties: false },
      },
    },
    additionalProperties: false,
    if: { required: ['exports'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { allOf: [{ not: { required: ['name'] } }, somewhere('select'), somewhere('tables')] },
    else: { required: ['select', 'tables'] },
    definitions,
  };
}

/** What YAML may have in place of a value of the schema. */
function asYaml(schema: JsonSchema, path: string): JsonSchema {
  const { description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  if (rest.anyOf) return { ...said, anyOf: rest.anyOf.flatMap((one) => branches(asYaml(one, path))) };
  if (rest.type === 'array') {
    const items = asYaml(rest.items!, `${path}[]`);
    return { ...said, anyOf: [{ ...rest, items }, ...branches(items)] };
  }
  if (rest.type === 'object') {
    const properties = Object.fromEntries(
      Object.entries(rest.properties ?? {}).map(([name, member]) => [name, asYaml(member, `${path}.${name}`)]),
    );
    return { ...said, ...rest, properties };
  }
  return { ...said, anyOf: [...scalars(rest, path), VARIABLE] };
}

function scalars(schema: JsonSchema, path: string): JsonSchema[] {
  if (schema.type === 'integer') return [schema, { type: 'string', pattern: '^\\s*\\d[\\d_]*\\s*$' }];
  if (schema.type === 'boolean')
    return [schema, { type: 'string', pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$' }];
  const pattern = PATTERNS[path];
  if (pattern?.anyOf) return pattern.anyOf;
  const text: JsonSchema = { ...schema, ...pattern };
  if (Array.isArray(text.enum)) {
    const numbers = text.enum.map(Number).filter((number) => !Number.isNaN(number));
    return numbers.length === 0 ? [text] : [text, { type: 'number', enum: numbers }];
  }
  const isFree = text.pattern === undefined;
  if (!isFree && !DIGITS_ALLOWED.has(path)) return [text];
  return [text, { type: isFree ? ['number', 'boolean'] : 'integer' }];
}

function branches(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ?? [schema];
}
