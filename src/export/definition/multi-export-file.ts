/** A file of several exports: keys beside `exports` are defaults. Each export may override single members. */
import { isObject } from '../../core/index.ts';
import { type FailAt, nameOf } from './mistakes.ts';
import { type PlacedValues, positionOf, positionOfKey } from './yaml-values.ts';

type Mapping = Record<string, unknown>;

/** The place of an export's path in the file: in the export itself, then in the defaults. */
type PathsOf = (path: readonly PropertyKey[]) => (readonly PropertyKey[])[];

export interface OneExport extends PlacedValues {
  pathsOf: PathsOf;
}

/** The exports of a file, with the defaults filled in. A file without `exports` is one export. @throws by calling `fail` */
export function exportsOf(file: PlacedValues, fail: FailAt): OneExport[] {
  const { value } = file;
  if (!isObject(value) || !('exports' in value)) return [{ ...file, pathsOf: (path) => [path] }];
  const { exports: list, ...defaults } = value;
  if (!Array.isArray(list) || list.length === 0) {
    return fail('exports must be a list of at least one export', positionOf(file, ['exports']));
  }
  if ('name' in defaults) {
    fail('each of exports has a name of its own; it can not be a default', positionOfKey(file, [], 'name'));
  }
  const names = new Set<string>();
  return list.map((own: unknown, i) => {
    const path = ['exports', i] as const;
    if (!isObject(own)) return fail(`${nameOf(path)} must be a mapping`, positionOf(file, path));
    const name = own.name;
    if (typeof name !== 'string') return fail(`${nameOf(path)} needs a name`, positionOf(file, [...path, 'name']));
    if (names.has(name)) fail(`two exports are named ${name}`, positionOf(file, [...path, 'name']));
    names.add(name);
    return withDefaults(file, defaults, own, path);
  });
}

function withDefaults(file: PlacedValues, defaults: Mapping, own: Mapping, path: readonly PropertyKey[]): OneExport {
  const value: Mapping = { ...defaults };
  for (const [key, member] of Object.entries(own)) {
    const common = defaults[key];
    value[key] = isObject(common) && isObject(member) ? { ...common, ...member } : member;
  }
  const pathsOf: PathsOf = (inner) => [[...path, ...inner], inner];
  const firstOf = <Place>(inner: readonly PropertyKey[], place: (at: readonly PropertyKey[]) => Place | null) =>
    pathsOf(inner).reduce<Place | null>((found, at) => found ?? place(at), null);
  return {
    value,
    pathsOf,
    placeOf: (inner) => firstOf(inner, file.placeOf),
    placeOfKey: (inner, key) => firstOf(inner, (at) => file.placeOfKey(at, key)),
  };
}
