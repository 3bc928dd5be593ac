/** Values of a definition from the command line: `--set date_from=-30d`, `--set budget.max_requests=100`. */
import { FilinglakeError, isObject, nearestWord } from '../../core/index.ts';
import { BOOLEAN_KEYS, INTEGER_KEYS, LIST_KEYS, valuePaths } from './schema.ts';
import { type PlacedValues, readYaml, type ScalarRules, typedValue } from './yaml-values.ts';

/** A value with its option, `--set date_from=-30d`. */
interface SetValue {
  option: string;
  path: string[];
  value: unknown;
}

const RULES: ScalarRules = {
  integers: INTEGER_KEYS,
  booleans: BOOLEAN_KEYS,
  lists: LIST_KEYS,
  substitute: (text) => text,
};
/** Names have commas in them. */
const NEVER_SPLIT = new Set(['name_includes', 'name_excludes']);

export interface ReadSetValues {
  values: SetValue[];
  /** `argument-invalid` (exit 2), one for each that can't be read. */
  mistakes: FilinglakeError[];
  /** Paths that the mistakes may mean: a missing value there is not another mistake. */
  meant: string[][];
}

/** @param assignments `name=value`. The name is a path of the definition, or its last part if that is unique */
export function readSetValues(assignments: readonly string[]): ReadSetValues {
  const read: ReadSetValues = { values: [], mistakes: [], meant: [] };
  for (const assignment of assignments) {
    try {
      read.values.push(readAssignment(assignment));
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      read.mistakes.push(error);
      const near = nearName(nameIn(assignment));
      read.meant.push(...valuePaths().filter((path) => path.join('.') === near || path.at(-1) === near));
    }
  }
  return read;
}

/** Replaces values of the file, or adds them. */
export function withSetValues<Values extends PlacedValues>(values: Values, set: readonly SetValue[]): Values {
  let result = values;
  for (const one of set) result = withSetValue(result, one);
  return result;
}

function withSetValue<Values extends PlacedValues>(values: Values, { option, path, value }: SetValue): Values {
  const isWithin = (at: readonly PropertyKey[]) =>
    path.every((name, i) => at[i] === undefined || String(at[i]) === name);
  // Everything inside a set value is on the command line. The values around it keep their place.
  const isSet = (at: readonly PropertyKey[]) => at.length >= path.length && isWithin(at);
  const place = { line: 0, column: 0, option };
  return {
    ...values,
    value: put(values.value, path, value),
    placeOf: (at) => (isSet(at) ? place : values.placeOf(at)),
    placeOfKey: (at, key) => (isSet([...at, key]) ? place : values.placeOfKey(at, key)),
  };
}

function put(into: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = isObject(into) ? into : {};
  return { ...members, [name]: put((members as Record<string, unknown>)[name], rest, value) };
}

function readAssignment(assignment: string): SetValue {
  const at = assignment.indexOf('=');
  const name = nameIn(assignment);
  const option = `--set ${assignment}`;
  if (at === -1) throw invalid(`${option}: a value is missing`, `Give it as --set ${name}=VALUE.`);
  const path = pathOf(name, assignment);
  if (path.at(-1) === 'api_key') {
    throw invalid(`--set ${name}: an API key must not stand on a command line`, 'Set FILINGLAKE_API_KEY.');
  }
  return { option, path, value: givenValue(assignment.slice(at + 1), path.at(-1)!, option) };
}

function pathOf(name: string, assignment: string): string[] {
  const paths = valuePaths();
  const whole = paths.find((path) => path.join('.') === name);
  if (whole) return whole;
  const ending = paths.filter((path) => path.join('.').endsWith(`.${name}`));
  if (ending.length === 1) return ending[0]!;
  if (ending.length > 1) {
    throw invalid(
      `--set ${assignment}: '${name}' may stand in ${ending.map((path) => path.slice(0, -1).join('.')).join(' and ')}`,
      `Give the whole name: --set ${ending[0]!.join('.')}=VALUE.`,
    );
  }
  const shown = name.includes('api_key') ? name : assignment;
  const near = nearName(name);
  throw invalid(
    `--set ${shown}: a definition has no '${name}'${near ? `; did you mean '${near}'?` : ''}`,
    'docs/guide/exports.md and docs/guide/selections.md list every key.',
  );
}

function nameIn(assignment: string): string {
  return assignment.split('=', 1)[0]!.trim();
}

function nearName(name: string): string | null {
  return nearestWord(
    name,
    valuePaths().flatMap((path) => [path.join('.'), path.at(-1)!]),
  );
}

function givenValue(text: string, key: string, option: string): unknown {
  if (text.trim() === '') return null;
  if (!LIST_KEYS.has(key)) return typedValue(text, key, RULES);
  if (text.trimStart().startsWith('[')) {
    const { value } = readYaml(`${key}: ${text}`, RULES, (message) => {
      throw invalid(`${option}: ${message}`, 'Give a list as a,b or as [a, "b, c"].');
    });
    return (value as Record<string, unknown>)[key];
  }
  return NEVER_SPLIT.has(key) ? [text] : text.split(',').map((item) => item.trim());
}

function invalid(message: string, remedy: string): FilinglakeError {
  return new FilinglakeError('argument-invalid', message, { remedy });
}
