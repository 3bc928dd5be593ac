/** Reads export definitions: from YAML to checked definitions. Every mistake has line, column and the nearest correct word. */
import { DEFAULT_BASE_URL, FilinglakeError, isObject, nearestHint } from '../../core/index.ts';
import { formsOfFamily, isFormFamily, MAX_WINDOW } from '../../filings/api/index.ts';
import { tablesNamed, tablesWrittenFor } from '../../lake/tables/index.ts';
import { catalogAddress } from './catalog-address.ts';
import {
  DEFAULT_CONNECTIONS,
  DEFAULT_LAKE,
  type ExportDefinition,
  type Notify,
  type NumbersFile,
  type Selection,
} from './definition.ts';
import { tellImpossible, warningsOf } from './impossible-selections.ts';
import { type GivenList, withoutFiles } from './listed-entities.ts';
import { misspeltValues } from './misspelt-values.ts';
import { allOf, DefinitionError, type FailAt, mistakesOf, nameOf, type TellAt } from './mistakes.ts';
import { exportsOf, type OneExport } from './multi-export-file.ts';
import type { ListToRead } from './read-lists.ts';
import {
  BASE_URL_PATTERN,
  BOOLEAN_KEYS,
  type DefinitionYaml,
  definitionSchema,
  INTEGER_KEYS,
  LIST_KEYS,
  NAME_PATTERN,
} from './schema.ts';
import { type ReadSetValues, readSetValues, withSetValues } from './set-values.ts';
import { UnsetVariables } from './unset-variables.ts';
import type { ListKind } from './value-list.ts';
import { MASKED_VARIABLE, type PlacedValues, type Position, positionOf, readYaml } from './yaml-values.ts';

export { DefinitionError } from './mistakes.ts';

/** Some 10 GB, or half an hour at EDGAR's rate: a mistyped selection must not fetch all of EDGAR. */
const EDGAR_FILINGS_MAX = 10_000;

export interface ParsedDefinition {
  /** Holds no key: safe for a workflow's input, a log, a lake. */
  definition: ExportDefinition;
  /** null: neither the file nor the environment has one (the command ends with exit code 4, and names `apiKeyVariable`). */
  apiKey: string | null;
  apiKeyVariable: string;
  /** Fetch from EDGAR first; absent: don't. */
  edgar?: { max_filings: number };
  /** Files that the definition names, not read yet: `withListsRead`. */
  lists?: readonly ListToRead[];
  /** Allowed definitions that yield nothing. */
  warnings: string[];
}

export interface ParseOptions {
  /** Which exports of the file to take; default: all */
  names?: readonly string[];
  /** Values that replace the file's: `select.date_from=-30d`, or `date_from=-30d` */
  set?: readonly string[];
  /** The absolute path of a file that a definition names, relative to its folder; absent: such definitions are refused. */
  pathOf?: (name: string) => string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The exports of a file: one, or those of its list `exports`.
 * @param file its name, for messages and as the name of an export without one
 * @param env the environment for `${NAME}` and the defaults of `service`
 * @throws DefinitionError; FilinglakeError `argument-invalid`
 */
export function parseExportDefinitions(
  yamlText: string,
  file: string,
  env: Environment,
  options: ParseOptions = {},
): ParsedDefinition[] {
  const fail: FailAt = (message, position, nearest, remedy) => {
    throw new DefinitionError(file, position, message, nearest ?? null, remedy);
  };
  const mistakes: DefinitionError[] = [];
  const tell: TellAt = (message, position, nearest, remedy) => {
    mistakes.push(new DefinitionError(file, position, message, nearest ?? null, remedy));
  };
  const set = readSetValues(options.set ?? []);
  /** Unset variables that should hold a key, by the path of the key. */
  const missingKeys = new Map<string, string>();
  const unset = new UnsetVariables();
  const yaml = readYaml(
    yamlText,
    {
      integers: INTEGER_KEYS,
      booleans: BOOLEAN_KEYS,
      lists: LIST_KEYS,
      substitute(text, path, place) {
        const missing: string[] = [];
        const filled = text.replace(MASKED_VARIABLE, (_, name: string) => {
          if (!env[name]) missing.push(name);
          return env[name] ?? '';
        });
        if (missing.length === 0) return filled;
        if (path.slice(-2).join('.') === 'service.api_key') {
          missingKeys.set(path.join('.'), missing[0]!);
          return null;
        }
        for (const name of missing) {
          unset.note(new DefinitionError(file, place, `the environment variable ${name} is not set`), path);
        }
        return text.replace(MASKED_VARIABLE, '$${$1}');
      },
    },
    fail,
  );
  if (yaml.value === null) fail('the definition is empty', { line: 1, column: 1 });
  const taken = noted(mistakes, () => namedExports(exportsOf(yaml, fail), file, options.names ?? [])) ?? [];
  const exports = taken.map((one) => withSetValues(one, set.values));
  const parsing = { file, env, missingKeys, fail, tell, mistakes, pathOf: options.pathOf };
  const parsed = exports.map((one) => noted(mistakes, () => parseOne(one, parsing)));
  const isSet = (at: readonly string[]) => set.values.some(({ path }) => path.every((name, i) => at[i] === name));
  throwAll(set, unset.among(mistakes, isSet));
  const whole = parsed.flatMap((one) => one ?? []);
  refuseSameNames(whole, exports, fail);
  return whole;
}

/** All mistakes as one error, those of the command line first. */
function throwAll({ mistakes, meant }: ReadSetValues, ofFile: readonly DefinitionError[]): void {
  const isMeant = ({ isOfMissing, message }: DefinitionError) =>
    isOfMissing && meant.some((path) => message.endsWith(`: ${nameOf(path)} is missing`));
  const told = ofFile.filter((mistake) => !isMeant(mistake));
  const rest = told.length === 0 ? null : allOf(told);
  const [first, ...others] = mistakes;
  if (first === undefined) {
    if (rest !== null) throw rest;
    return;
  }
  if (rest !== null) others.push(rest, ...rest.others);
  const { code, message, remedy } = first;
  throw new FilinglakeError(code, message, { others, remedy });
}

/** Notes the mistake that ends the reading of an export. The other exports are still read. */
function noted<Result>(mistakes: DefinitionError[], read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    mistakes.push(error);
    return null;
  }
}

/** The first export of a file. @throws as parseExportDefinitions */
export function parseExportDefinition(
  yamlText: string,
  file: string,
  env: Environment,
  options: ParseOptions = {},
): ParsedDefinition {
  return parseExportDefinitions(yamlText, file, env, options)[0]!;
}

/** Those of the names, in the order of the file; without names, all. @throws FilinglakeError `export-unknown` (exit 2) */
function namedExports(exports: readonly OneExport[], file: string, names: readonly string[]): readonly OneExport[] {
  if (names.length === 0) return exports;
  const nameOf = ({ value }: OneExport) => String((value as { name?: unknown } | null)?.name ?? nameFromFile(file));
  const known = exports.map(nameOf);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return exports.filter((one) => names.includes(nameOf(one)));
  throw new FilinglakeError('export-unknown', `${file} has no export '${unknown}'${nearestHint(unknown, known)}`, {
    remedy: `The file has ${known.join(', ')}.`,
  });
}

interface Parsing {
  file: string;
  env: Environment;
  missingKeys: ReadonlyMap<string, string>;
  fail: FailAt;
  tell: TellAt;
  mistakes: DefinitionError[];
  pathOf: ParseOptions['pathOf'] | undefined;
}

function keyPlaceOf(key: 'parameter' | 'bearer' | 'x-api-key' | undefined): Pick<ExportDefinition['service'], 'key'> {
  return key === undefined || key === 'parameter' ? {} : { key };
}

/** @returns null if there are mistakes, which were noted */
function parseOne(one: OneExport, parsing: Parsing): ParsedDefinition | null {
  const { file, env, missingKeys, fail, tell, mistakes } = parsing;
  const checked = definitionSchema.safeParse(one.value);
  if (!checked.success) {
    mistakes.push(...mistakesOf(checked.error.issues, one, file));
    return null;
  }
  const given = checked.data;
  tellImpossible(given, one, tell);

  const catalog = given.service?.catalog;
  const baseUrl = given.service?.base_url ?? (env.FILINGLAKE_BASE_URL || DEFAULT_BASE_URL);
  if (catalog === undefined && !BASE_URL_PATTERN.test(baseUrl)) {
    return fail('FILINGLAKE_BASE_URL is not an http or https URL', positionOf(one, ['service']));
  }
  const annualReport = given.documents?.annual_report ?? given.tables.includes('annual_report_sections');
  const { select, lists } = selectionOf(given, one, parsing);
  const definition: ExportDefinition = {
    name: given.name ?? nameFromFile(file),
    service: {
      base_url: catalog === undefined ? baseUrl.replace(/\/+$/, '').replace(/\/v2$/, '') : catalogAddress(catalog),
      method: given.service?.method ?? 'get',
      ...keyPlaceOf(given.service?.key),
      connections: given.service?.connections ?? DEFAULT_CONNECTIONS,
      ...(given.service?.parallel === undefined ? {} : { parallel: given.service.parallel }),
      page_size: given.service?.page_size ?? MAX_WINDOW,
      ...(given.service?.patience === undefined ? {} : { patience_seconds: secondsOf(given.service.patience) }),
    },
    select,
    tables: tablesWrittenFor(tablesNamed(annualReport ? [...given.tables, 'annual_report_sections'] : given.tables), {
      filings: given.select.entities !== 'query',
    }),
    documents: {
      types: documentTypes(given.documents?.types, annualReport),
      xml: given.documents?.xml ?? 'json',
      graphics: given.documents?.graphics ?? false,
      // Chunks are pieces of the readable text.
      ...(given.documents?.text || given.tables.includes('chunks') ? { text: true as const } : {}),
      ...(annualReport ? { annual_report: true as const } : {}),
      sizes: given.documents?.sizes ?? given.tables.includes('documents'),
      ...(given.documents?.max_bytes === undefined ? {} : { max_bytes: given.documents.max_bytes }),
    },
    ...(given.text_format === undefined || given.text_format === 'plain' ? {} : { text_format: given.text_format }),
    ...(given.sections?.codes ? { sections: { codes: [...new Set(given.sections.codes)].sort() } } : {}),
    ...(given.refresh === undefined ? {} : { refresh: given.refresh === 'all' ? 'all' : daysOf(given.refresh) }),
    ...(given.entities?.refresh === undefined
      ? {}
      : { entities: { refresh_days: given.entities.refresh === 'never' ? null : daysOf(given.entities.refresh) } }),
    lake: given.lake ?? DEFAULT_LAKE,
    budget: {
      max_requests: given.budget?.max_requests ?? null,
      max_bytes: given.budget?.max_bytes ?? null,
      reserve: given.budget?.reserve ?? 0,
      ...(given.budget?.order === 'breadth' ? { order: 'breadth' as const } : {}),
    },
    ...(given.notify === undefined ? {} : { notify: notifyOf(given.notify) }),
  };
  const places = one.pathsOf(['service', 'api_key']).map((path) => path.join('.'));
  const apiKeyVariable = places.map((place) => missingKeys.get(place)).find(Boolean) ?? 'FILINGLAKE_API_KEY';
  // The command knows the key of a catalog.
  const apiKey = catalog === undefined ? (given.service?.api_key ?? env[apiKeyVariable]) : null;
  const edgar = given.service?.edgar;
  return {
    definition,
    apiKey: apiKey?.trim() || null, // of a file: with an editor's newline
    apiKeyVariable,
    ...(edgar === undefined ? {} : { edgar: { max_filings: edgar.max_filings ?? EDGAR_FILINGS_MAX } }),
    ...(lists.length === 0 ? {} : { lists }),
    warnings: [...misspeltValues(given, one), ...warningsOf(definition)],
  };
}

/** Exhibit 13 is one of the types if annual reports are wanted; alone, unless others are named. */
function documentTypes(given: readonly string[] | undefined, annualReport: boolean): string[] {
  if (!annualReport) return [...(given ?? ['primary'])];
  const hasIt = given?.some((type) => ['all', 'exhibits', 'EX-13*'].includes(type)) ?? false;
  return hasIt ? [...given!] : [...(given ?? []), 'EX-13*'];
}

function selectionOf(
  { select }: DefinitionYaml,
  values: PlacedValues,
  parsing: Parsing,
): { select: Selection; lists: ListToRead[] } {
  const { entities, accession_numbers, entity_query, ...rest } = withoutEmpty(select);
  const forms = (list: readonly string[]) => [
    ...new Set(list.flatMap((form) => (isFormFamily(form) ? formsOfFamily(form) : [form]))),
  ];
  const lists: ListToRead[] = [];
  const listed = (given: GivenList, kind: ListKind, place: readonly string[]): NumbersFile => {
    const list = listFile(given, kind, positionOf(values, [...place, 'file']), parsing);
    lists.push(list);
    return list.list;
  };
  const { query, files } = withoutFiles(entity_query);
  const entityLists = Object.entries(files).map(([kind, given]) => {
    return [kind, listed(given, kind as ListKind, ['select', 'entity_query', kind])] as const;
  });
  const selection = {
    ...rest,
    ...(rest.form_types ? { form_types: forms(rest.form_types) } : {}),
    ...(rest.excluded_form_types ? { excluded_form_types: forms(rest.excluded_form_types) } : {}),
    ...(query === undefined ? {} : { entity_query: query }),
    ...(entityLists.length === 0 ? {} : { entity_lists: Object.fromEntries(entityLists) }),
    ...(entities === 'query' ? { entities } : {}),
    ...(accession_numbers === undefined
      ? {}
      : {
          accession_numbers: Array.isArray(accession_numbers)
            ? [...new Set(accession_numbers)]
            : listed(accession_numbers, 'accession_numbers', ['select', 'accession_numbers']),
        }),
  } as Selection;
  return { select: selection, lists };
}

function listFile(
  { file: name, column }: GivenList,
  kind: ListKind,
  position: Position,
  { pathOf, fail, file: definition }: Parsing,
): ListToRead {
  if (!pathOf) return fail(`${definition} names a file, which can't be read here: ${name}`, position);
  const list = { file: pathOf(name), ...(column === undefined ? {} : { column }) };
  return { kind, name, list, position, definition };
}

function refuseSameNames(parsed: readonly ParsedDefinition[], exports: readonly OneExport[], fail: FailAt): void {
  const names = parsed.map(({ definition }) => definition.name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again !== -1) fail(`two exports are named ${names[again]}`, positionOf(exports[again]!, ['name']));
}

/** Empty lists are not a filter. */
function withoutEmpty<T extends object>(filters: T): T {
  const entries = Object.entries(filters)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, isObject(value) ? withoutEmpty(value) : value] as const);
  return Object.fromEntries(entries) as T;
}

function nameFromFile(file: string): string {
  const stem = (file.split(/[\\/]/).at(-1) ?? '').replace(/\.ya?ml$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-');
  return NAME_PATTERN.test(stem) ? stem : 'export';
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function notifyOf({ late, ...targets }: NonNullable<DefinitionYaml['notify']>): Notify {
  return { ...targets, ...(late === undefined ? {} : { late_seconds: secondsOf(late) }) };
}

/** @param duration matches `PATIENCE_PATTERN`: `45m` */
function secondsOf(duration: string): number {
  return Number(duration.slice(0, -1)) * UNIT_SECONDS[duration.at(-1)!]!;
}

/** @param text `30d` */
function daysOf(text: string): number {
  return Number(text.slice(0, -1));
}
