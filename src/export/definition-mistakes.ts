/** What is wrong with a definition, in words: which key, what belongs there, the nearest right word, and where it stands. */
import type { z } from 'zod';
import { EXIT, FilinglakeError, nearestWord } from '../contract/index.ts';
import { membersAt } from './definition-schema.ts';
import { ALWAYS_WRITTEN, EXPORT_TABLES } from './tables.ts';
import { type PlacedValues, type Position, positionOf, positionOfKey } from './yaml-values.ts';

/** A mistake in a definition, with its place in the file, or the option of the command line. Exit code 2. */
export class DefinitionError extends FilinglakeError {
  override name = 'DefinitionError';
  readonly file: string;
  /** 0 where an option of the command line is meant */
  readonly line: number;
  readonly column: number;
  /** The right word that is nearest to the wrong one, if any is near. */
  readonly nearest: string | null;
  constructor(file: string, position: Position, message: string, nearest: string | null = null, remedy?: string) {
    const hint = nearest === null ? '' : `; did you mean '${nearest}'?`;
    const { line, column, option } = position;
    super('definition-invalid', `${option ?? `${file}:${line}:${column}`}: ${message}${hint}`, {
      exitCode: EXIT.usage,
      ...(remedy === undefined ? {} : { remedy }),
    });
    this.file = file;
    this.line = line;
    this.column = column;
    this.nearest = nearest;
  }
}

export type FailAt = (message: string, position: Position, nearest?: string | null, remedy?: string) => never;

/** The mistake that stands first in the file; what is missing stands nowhere, and is told only when nothing else is wrong. */
export function firstMistake(given: readonly z.core.$ZodIssue[], values: PlacedValues, file: string): DefinitionError {
  const issues = given.flatMap((issue) => ofTheBranchMeant(issue, values));
  const present = issues.filter(
    (issue) => issue.code === 'unrecognized_keys' || valueAt(values, issue.path) !== undefined,
  );
  const mistakes = (present.length > 0 ? present : issues).map((issue) => mistakeOf(issue, values, file));
  mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
  return mistakes[0]!;
}

/** Where a list or a mapping may stand, the mistakes of the one that does. */
function ofTheBranchMeant(issue: z.core.$ZodIssue, values: PlacedValues): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const value = valueAt(values, issue.path);
  const isKind = (kind: string) => (branch: readonly z.core.$ZodIssue[]) =>
    branch.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type' && inner.expected === kind);
  const refused = Array.isArray(value) ? 'object' : 'array';
  const meant = issue.errors.find((branch) => !isKind(refused)(branch));
  if (typeof value !== 'object' || value === null || meant === undefined) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function valueAt({ value }: PlacedValues, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<PropertyKey, unknown> | null | undefined)?.[name], value);
}

/** `tables[6]`, `select.entity_query.tickers[0]` */
export function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : `.${String(part)}`)).join('');
  return name.replace(/^\./, '') || 'the definition';
}

function mistakeOf(issue: z.core.$ZodIssue, values: PlacedValues, file: string): DefinitionError {
  const path = issue.path.map(String);
  const where = nameOf(path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = Object.keys(membersAt(path) ?? {});
    const near = nearestWord(key, path.length === 0 ? [...known, 'exports'] : known);
    const position = positionOfKey(values, path, key);
    return new DefinitionError(file, position, `unknown key '${key}'${path.length > 0 ? ` in ${where}` : ''}`, near);
  }
  const position = positionOf(values, path);
  const value = valueAt(values, path);
  if (value === undefined || value === null) {
    const remedy = where === 'tables' ? `tables: [${EXPORT_TABLES.join(', ')}]` : undefined;
    return new DefinitionError(file, position, `${where} is ${value === null ? 'empty' : 'missing'}`, null, remedy);
  }
  // A key that was written where something else belongs must not be printed.
  const shown = path[1] === 'api_key' ? '' : `: ${JSON.stringify(value)}`.slice(0, 100);
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    const always = ALWAYS_WRITTEN.find((table) => table === value);
    if (always) return new DefinitionError(file, position, `${always} is written always and can't be asked for`);
    const near = nearestWord(String(value), known);
    return new DefinitionError(file, position, `${where} must be one of ${known.join(', ')}${shown}`, near);
  }
  if (issue.code === 'invalid_union') {
    return new DefinitionError(file, position, `${where} must be a list, or { file: … }${shown}`);
  }
  const expected =
    issue.code === 'invalid_type' ? `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}` : issue.message;
  return new DefinitionError(file, position, `${where} ${expected}${shown}`);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a mapping',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
};
