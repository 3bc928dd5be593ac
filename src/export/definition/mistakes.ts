/** Mistakes in a definition, in words: the key, the expected value, the nearest correct word, and the place. */
import type { z } from 'zod';
import { FilinglakeError, nearestWord } from '../../core/index.ts';
import { ALWAYS_WRITTEN, EXPORT_TABLES, TABLE_GROUPS, tableNamed } from '../../lake/tables/index.ts';
import { membersAt, valuePaths } from './schema.ts';
import { type PlacedValues, type Position, positionOf, positionOfKey } from './yaml-values.ts';

/** A mistake in a definition, with its place in the file, or the option of the command line. Exit code 2. */
export class DefinitionError extends FilinglakeError {
  override name = 'DefinitionError';
  readonly file: string;
  /** 0 for an option of the command line */
  readonly line: number;
  readonly column: number;
  /** The correct word that is nearest to the wrong one, if any is near. */
  readonly nearest: string | null;
  readonly #rest: [position: Position, message: string, remedy: string | undefined];

  /** @param others other mistakes in the same definition */
  constructor(
    file: string,
    position: Position,
    message: string,
    nearest: string | null = null,
    remedy?: string,
    others: readonly DefinitionError[] = [],
  ) {
    const hint = nearest === null ? '' : `; did you mean '${nearest}'?`;
    const { line, column, option } = position;
    super('definition-invalid', `${option ?? `${file}:${line}:${column}`}: ${message}${hint}`, {
      others,
      ...(remedy && { remedy }),
    });
    this.#rest = [position, message, remedy];
    this.file = file;
    this.line = line;
    this.column = column;
    this.nearest = nearest;
  }

  /** For a value without a place. */
  get isOfMissing(): boolean {
    return this.#rest[0].missing === true;
  }

  /** This mistake, followed by others. */
  with(others: readonly DefinitionError[]): DefinitionError {
    const [position, message, remedy] = this.#rest;
    return new DefinitionError(this.file, position, message, this.nearest, remedy, others);
  }
}

/** Several mistakes as one error, in the order of the file. Each is listed once, however many exports share it. */
export function allOf(mistakes: readonly DefinitionError[]): DefinitionError {
  const each = [...new Map(mistakes.map((mistake) => [mistake.message, mistake])).values()];
  each.sort((a, b) => Number(a.isOfMissing) - Number(b.isOfMissing) || a.line - b.line || a.column - b.column);
  const [first, ...others] = each;
  return others.length === 0 ? first! : first!.with(others);
}

/** Notes a mistake, and continues. */
export type TellAt = (message: string, position: Position, nearest?: string | null, remedy?: string) => void;
export type FailAt = (message: string, position: Position, nearest?: string | null, remedy?: string) => never;

/** The schema's errors, a mistake each. A missing key may be there under a misspelled name: then only that name is reported. */
export function mistakesOf(given: readonly z.core.$ZodIssue[], values: PlacedValues, file: string): DefinitionError[] {
  const issues = given.flatMap((issue) => ofTheBranchMeant(issue, values)).flatMap(oneOfEachKey);
  const meant = new Set(
    issues.flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [];
      const near = nearestMember(issue.path.map(String), issue.keys[0]!);
      return near === null ? [] : [nameOf([...issue.path, near])];
    }),
  );
  return issues
    .filter(({ code, path }) => {
      const isMissing = code !== 'unrecognized_keys' && valueAt(values, path) === undefined;
      return !isMissing || !(meant.has(nameOf(path)) || meant.has('exports'));
    })
    .map((issue) => mistakeOf(issue, values, file));
}

function oneOfEachKey(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue];
}

function nearestMember(path: readonly string[], key: string): string | null {
  const members = Object.keys(membersAt(path) ?? {});
  const known = path.length === 0 ? [...members, 'exports'] : members;
  return nearestWord(key, known) ?? abbreviated(key, known);
}

/** `docs` is `documents`: the only key that begins with the same three letters and has the others in this order. */
function abbreviated(key: string, known: readonly string[]): string | null {
  if (key.length < 3) return null;
  const hasLettersOf = (word: string) => {
    let at = 0;
    for (const letter of word) if (letter === key[at]) at++;
    return at === key.length;
  };
  const fitting = known.filter((word) => word.startsWith(key.slice(0, 3)) && hasLettersOf(word));
  return fitting.length === 1 ? fitting[0]! : null;
}

/** If a list or a mapping is allowed, the mistakes of the given kind. */
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
    const near = nearestMember(path, key);
    const position = positionOfKey(values, path, key);
    const elsewhere = near === null ? valuePaths().find((one) => one.at(-1) === key) : undefined;
    const belongs = elsewhere ? `; it belongs in ${nameOf(elsewhere.slice(0, -1))}` : '';
    const within = path.length > 0 ? ` in ${where}` : '';
    return new DefinitionError(file, position, `unknown key '${key}'${within}${belongs}`, near);
  }
  const position = positionOf(values, path);
  const value = valueAt(values, path);
  if (value === undefined || value === null) {
    const remedy = where === 'tables' ? `Choose among the tables: [${TABLE_CHOICE.join(', ')}].` : undefined;
    if (value === null) return new DefinitionError(file, position, `${where} is empty`, null, remedy);
    return new DefinitionError(file, { ...position, missing: true }, `${where} is missing`, null, remedy);
  }
  // Don't print an API key that was written in the wrong place.
  const shown = path[1] === 'api_key' ? '' : `: ${JSON.stringify(value)}`.slice(0, 100);
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    const always = ALWAYS_WRITTEN.find((table) => table === value);
    if (always) return new DefinitionError(file, position, `${always} is always written and can't be requested`);
    const near = nearestWord(String(value), known);
    const choice = path[0] === 'tables' ? TABLE_CHOICE : known;
    return new DefinitionError(file, position, `${where} must be one of ${choice.join(', ')}${shown}`, near);
  }
  if (issue.code === 'invalid_union') {
    return new DefinitionError(file, position, `${where} must be a list, or { file: … }${shown}`);
  }
  const expected =
    issue.code === 'invalid_type' ? `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}` : issue.message;
  const isFile = typeof value === 'object' && 'file' in value;
  const remedy = isFile ? FILES_REMEDY : undefined;
  return new DefinitionError(file, position, `${where} ${expected}${shown}`, null, remedy);
}

/** For messages: forms by their groups, since their tables are too many. */
const TABLE_CHOICE: readonly string[] = [
  ...EXPORT_TABLES.filter((name) => !tableNamed(name)!.sources.includes('forms')),
  ...TABLE_GROUPS.keys(),
];

const FILES_REMEDY = 'A file may hold ciks, tickers, names or accession_numbers: names: { file: names.txt }.';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a mapping',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
};
