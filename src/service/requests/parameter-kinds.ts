/** The kind of value of each parameter, from the zod schemas of src/filings/api, so that no list of names is needed here. */
import type { z } from 'zod';

/** `pipe`s and `transform`s of the contract all start from text: identifiers, enumerated values. */
type ParameterKind = 'text' | 'number' | 'boolean' | 'array' | 'object';

export interface ParameterShape {
  kind: ParameterKind;
  schema: z.ZodType;
  /** Members of an object; null for other kinds */
  members: ReadonlyMap<string, ParameterShape> | null;
}

/** Never split at commas in a query string: company names have commas. */
export const UNSPLIT_ARRAYS: ReadonlySet<string> = new Set(['name_includes', 'name_excludes']);

const known = new WeakMap<z.ZodObject, ReadonlyMap<string, ParameterShape>>();

export function parametersOf(schema: z.ZodObject): ReadonlyMap<string, ParameterShape> {
  const before = known.get(schema);
  if (before) return before;
  const shapes = new Map(Object.entries(schema.shape).map(([name, member]) => [name, shapeOf(member as z.ZodType)]));
  known.set(schema, shapes);
  return shapes;
}

function shapeOf(schema: z.ZodType): ParameterShape {
  const inner = unwrapped(schema);
  switch (inner.def.type) {
    case 'array':
      return { kind: 'array', schema, members: null };
    case 'number':
    case 'int':
      return { kind: 'number', schema, members: null };
    case 'boolean':
      return { kind: 'boolean', schema, members: null };
    case 'object':
      return { kind: 'object', schema, members: parametersOf(inner as z.ZodObject) };
    default:
      return { kind: 'text', schema, members: null };
  }
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema.def.type === 'optional' ? unwrapped((schema as z.ZodOptional<z.ZodType>).unwrap()) : schema;
}
