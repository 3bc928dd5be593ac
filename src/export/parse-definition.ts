/** Reads an export definition: YAML in, a checked definition out, every mistake with line, column and the nearest right word. */
import type { z } from 'zod';
import { EXIT, FilinglakeError, isEightK, MAX_WINDOW, nearestWord, sectionFamily } from '../contract/index.ts';
import {
  DEFAULT_BASE_URL,
  DEFAULT_CONNECTIONS,
  DEFAULT_LAKE,
  definitionSchema,
  ENTITY_QUERY_KEYS,
  type ExportDefinition,
  NAME_PATTERN,
} from './definition.ts';
import { isGraphicType } from './document-choice.ts';
import { ALWAYS_WRITTEN, EXPORT_TABLES, tablesBroughtBy } from './tables.ts';
import { MASKED_VARIABLE, type Position, readYaml, type YamlValues } from './yaml-values.ts';

/** A mistake in a definition, with its place in the file. Exit code 2. */
export class DefinitionError extends FilinglakeError {
  override name = 'DefinitionError';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The right word that is nearest to the wrong one, if any is near. */
  readonly nearest: string | null;
  constructor(file: string, position: Position, message: string, nearest: string | null = null, remedy?: string) {
    const hint = nearest === null ? '' : `; did you mean '${nearest}'?`;
    super('definition-invalid', `${file}:${position.line}:${position.column}: ${message}${hint}`, {
      exitCode: EXIT.usage,
      ...(remedy === undefined ? {} : { remedy }),
    });
    this.file = file;
    this.line = position.line;
    this.column = position.column;
    this.nearest = nearest;
  }
}

export interface ParsedDefinition {
  /** Holds no key: fit for a workflow's input, a log, a lake. */
  definition: ExportDefinition;
  /** null: neither the file nor the environment has one (the command ends with exit code 4, and names `apiKeyVariable`). */
  apiKey: string | null;
  /** The environment variable that is meant to hold the key. */
  apiKeyVariable: string;
  /** What is allowed and yet brings nothing. */
  warnings: string[];
}

type Yaml = z.output<typeof definitionSchema>;
type Environment = Readonly<Record<string, string | undefined>>;

const INTEGERS = new Set(['connections', 'page_size', 'max_requests', 'max_bytes', 'reserve']);
const BOOLEANS = new Set(['exclude_amendments', 'graphics', 'sizes']);
const LISTS = new Set(['form_types', 'excluded_form_types', 'items', 'tables', 'types', ...ENTITY_QUERY_KEYS]);

/**
 * @param file its name, for messages and for the name of an export that gives none
 * @param env where `${NAME}` and the defaults of `service` come from
 * @throws DefinitionError
 */
export function parseExportDefinition(yamlText: string, file: string, env: Environment): ParsedDefinition {
  const fail = (message: string, position: Position, nearest?: string | null, remedy?: string): never => {
    throw new DefinitionError(file, position, message, nearest ?? null, remedy);
  };
  let apiKeyVariable = 'FILINGLAKE_API_KEY';
  const yaml = readYaml(
    yamlText,
    {
      integers: INTEGERS,
      booleans: BOOLEANS,
      lists: LISTS,
      substitute(text, path, failHere) {
        let missing: string | null = null;
        const filled = text.replace(MASKED_VARIABLE, (_, name: string) => {
          if (!env[name]) missing ??= name;
          return env[name] ?? '';
        });
        if (missing === null) return filled;
        if (path.join('.') !== 'service.api_key') failHere(`the environment variable ${missing} is not set`);
        apiKeyVariable = missing;
        return null;
      },
    },
    fail,
  );
  if (yaml.value === null) fail('the definition is empty', { line: 1, column: 1 });
  const checked = definitionSchema.safeParse(yaml.value);
  if (!checked.success) throw firstMistake(checked.error.issues, yaml, file);
  const given = checked.data;
  refuseImpossible(given, yaml, fail);

  const baseUrl = given.service?.base_url ?? (env.FILINGLAKE_BASE_URL || DEFAULT_BASE_URL);
  if (!definitionSchema.shape.service.unwrap().safeParse({ base_url: baseUrl }).success) {
    return fail('FILINGLAKE_BASE_URL is no http or https URL', yaml.positionOf(['service']));
  }
  const definition: ExportDefinition = {
    name: given.name ?? nameFromFile(file),
    service: {
      base_url: baseUrl.replace(/\/+$/, '').replace(/\/v2$/, ''),
      method: given.service?.method ?? 'get',
      connections: given.service?.connections ?? DEFAULT_CONNECTIONS,
      page_size: given.service?.page_size ?? MAX_WINDOW,
    },
    select: withoutEmpty(given.select),
    tables: tablesBroughtBy(given.tables),
    documents: {
      types: given.documents?.types ?? ['primary'],
      xml: given.documents?.xml ?? 'json',
      graphics: given.documents?.graphics ?? false,
      sizes: given.documents?.sizes ?? given.tables.includes('documents'),
    },
    lake: given.lake ?? DEFAULT_LAKE,
    budget: {
      max_requests: given.budget?.max_requests ?? null,
      max_bytes: given.budget?.max_bytes ?? null,
      reserve: given.budget?.reserve ?? 0,
    },
  };
  const apiKey = given.service?.api_key ?? env[apiKeyVariable];
  return { definition, apiKey: apiKey || null, apiKeyVariable, warnings: warningsOf(definition) };
}

/** The mistake that stands first in the file; what is missing stands nowhere, and is told only when nothing else is wrong. */
function firstMistake(issues: readonly z.core.$ZodIssue[], yaml: YamlValues, file: string): DefinitionError {
  const present = issues.filter(
    (issue) => issue.code === 'unrecognized_keys' || valueAt(yaml, issue.path) !== undefined,
  );
  const mistakes = (present.length > 0 ? present : issues).map((issue) => mistakeOf(issue, yaml, file));
  mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
  return mistakes[0]!;
}

function valueAt(yaml: YamlValues, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Record<PropertyKey, unknown> | null | undefined)?.[name],
    yaml.value,
  );
}

/** `tables[6]`, `select.entity_query.tickers[0]` */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : `.${String(part)}`)).join('');
  return name.replace(/^\./, '') || 'the definition';
}

function mistakeOf(issue: z.core.$ZodIssue, yaml: YamlValues, file: string): DefinitionError {
  const path = issue.path.map(String);
  const where = nameOf(path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const near = nearestWord(key, keysAt(path));
    const position = yaml.positionOfKey(path, key);
    return new DefinitionError(file, position, `unknown key '${key}'${path.length > 0 ? ` in ${where}` : ''}`, near);
  }
  const position = yaml.positionOf(path);
  const value = valueAt(yaml, path);
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

/** The keys that a mapping of the definition may have. */
function keysAt(path: readonly string[]): readonly string[] {
  const [section, inner] = path;
  if (inner === 'entity_query') return ENTITY_QUERY_KEYS;
  const shape = definitionSchema.shape;
  switch (section) {
    case undefined:
      return Object.keys(shape);
    case 'service':
      return Object.keys(shape.service.unwrap().shape);
    case 'select':
      return Object.keys(shape.select.shape);
    case 'documents':
      return Object.keys(shape.documents.unwrap().shape);
    case 'budget':
      return Object.keys(shape.budget.unwrap().shape);
    default:
      return [];
  }
}

type FailAt = (message: string, position: Position, nearest?: string | null, remedy?: string) => never;

/** Combinations that can bring nothing, or say two things at once. */
function refuseImpossible(given: Yaml, yaml: YamlValues, fail: FailAt): void {
  const { select, documents } = given;
  const { date_from, date_to, form_types, excluded_form_types, items, entity_query } = select;
  if (date_from !== undefined && date_to !== undefined && date_from > date_to) {
    fail(
      `select.date_from (${date_from}) is after select.date_to (${date_to})`,
      yaml.positionOf(['select', 'date_from']),
    );
  }
  const excluded = new Set(excluded_form_types?.map((form) => form.toUpperCase()));
  const both = form_types?.findIndex((form) => excluded.has(form.toUpperCase())) ?? -1;
  if (both >= 0) {
    fail(
      `${form_types![both]} is in form_types and in excluded_form_types`,
      yaml.positionOf(['select', 'form_types', both]),
    );
  }
  if (form_types?.length && select.exclude_amendments && form_types.every((form) => /\/A$/i.test(form))) {
    fail(
      'form_types names amendments only, and exclude_amendments leaves them out',
      yaml.positionOf(['select', 'form_types']),
    );
  }
  if (items?.length && form_types?.length && !form_types.some(isEightK)) {
    fail('items are those of 8-K filings, and form_types names no 8-K', yaml.positionOf(['select', 'items']));
  }
  if (
    entity_query !== undefined &&
    Object.values(entity_query).every((list) => list === undefined || list.length === 0)
  ) {
    fail('select.entity_query has no filter', yaml.positionOf(['select', 'entity_query']));
  }
  const types = documents?.types ?? [];
  const graphic = types.findIndex(isGraphicType);
  if (graphic >= 0 && !documents?.graphics) {
    fail(
      `documents.types names ${types[graphic]}, and documents.graphics is false`,
      yaml.positionOf(['documents', 'types', graphic]),
    );
  }
  if (types.length > 1 && types.includes('all')) {
    fail("documents.types: 'all' stands alone", yaml.positionOf(['documents', 'types', types.indexOf('all')]));
  }
}

function warningsOf(definition: ExportDefinition): string[] {
  const { form_types } = definition.select;
  if (!form_types) return [];
  const warnings: string[] = [];
  const has = (tables: readonly string[]) => tables.filter((table) => (definition.tables as string[]).includes(table));
  const sections = has(['sections', 'section_contents']);
  if (sections.length > 0 && !form_types.some((form) => sectionFamily(form) !== null)) {
    warnings.push(`${sections.join(' and ')} will stay empty: only 10-K and 10-Q forms have sections`);
  }
  const items = has(['items_8k', 'exhibits_8k']);
  if (items.length > 0 && !form_types.some(isEightK)) {
    warnings.push(`${items.join(' and ')} will stay empty: only 8-K forms have items`);
  }
  return warnings;
}

/** Empty lists are no filter. */
function withoutEmpty<T extends object>(filters: T): T {
  const entries = Object.entries(filters)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, isMapping(value) ? withoutEmpty(value) : value] as const);
  return Object.fromEntries(entries) as T;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameFromFile(file: string): string {
  const stem = (file.split(/[\\/]/).at(-1) ?? '').replace(/\.ya?ml$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-');
  return NAME_PATTERN.test(stem) ? stem : 'export';
}
