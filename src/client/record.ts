/** Reading a record whose members may bear other names, in any order, with strangers among them. */
import { isObject, type Reader, type ReadNotes, Violation } from './read.ts';

export interface RecordOptions<T> {
  /** snake_case alias -> the contract's name: `{ form: 'form_type' }`. camelCase is turned into snake_case before. */
  aliases?: Readonly<Record<string, keyof T & string>>;
  /** Members that may be left out even by a service that follows the contract to the letter. */
  optional?: readonly (keyof T & string)[];
  /** Flattens an object of another build before its members are looked at. */
  reshape?: (value: Record<string, unknown>) => Record<string, unknown>;
}

export interface RecordReader<T> extends Reader<T> {
  readonly name: string;
}

/**
 * A reader of records.
 * @param name for notes: `filing`
 */
export function recordOf<T>(
  name: string,
  fields: { [K in keyof T & string]: Reader<T[K]> },
  options: RecordOptions<T> = {},
): RecordReader<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const optional = new Set<string>(options.optional ?? []);
  const canonical = canonicalCheck(names, fields, optional);
  const targets = new Map<string, string>(Object.entries(options.aliases ?? {}));
  for (const field of names) targets.set(field, field);

  return {
    name,
    canonical,
    read(value, path, notes) {
      if (!isObject(value)) throw new Violation(path, value, 'not an object');
      const members = renamed(options.reshape?.(value) ?? value, name, targets, notes);
      const read: Record<string, unknown> = {};
      for (const field of names) {
        if (optional.has(field) && members[field] === undefined) continue;
        const reader: Reader<unknown> = fields[field];
        read[field] = reader.read(members[field], path === '' ? field : `${path}.${field}`, notes);
      }
      return read as T;
    },
  };
}

/** Members under the contract's names; the contract's own spelling wins over an alias. Strangers are noted and left out. */
function renamed(
  value: Record<string, unknown>,
  name: string,
  targets: ReadonlyMap<string, string>,
  notes: ReadNotes,
): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null);
  const aliased: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const direct = targets.get(key);
    if (direct === key) members[key] = item;
    else {
      const target = direct ?? targets.get(snakeCase(key));
      if (target === undefined) notes.unknownMembers.add(`${name}.${key}`);
      else aliased.push([target, item]);
    }
  }
  for (const [target, item] of aliased) {
    if (members[target] === undefined || members[target] === null || members[target] === '') members[target] = item;
  }
  return members;
}

/** `acceptanceDateTime` -> `acceptance_date_time`, `documentID` -> `document_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/**
 * Whether a value is a record in the contract's own form, with all its members and no other.
 * The check is compiled: member access by constant names is what makes it cheaper than a fifth of JSON.parse (a loop over names is three times slower).
 */
function canonicalCheck<T>(
  names: readonly (keyof T & string)[],
  fields: { [K in keyof T & string]: Reader<T[K]> },
  optional: ReadonlySet<string>,
): (value: unknown) => boolean {
  const checks = names.map((field) => {
    const reader: Reader<unknown> = fields[field];
    return reader.canonical;
  });
  const required = names.length - optional.size;
  return (value) => {
    if (!isObject(value)) return false;
    let members = 0;
    for (const _ in value) members++;
    if (members < required || members > names.length) return false;
    let present = 0;
    for (let i = 0; i < names.length; i++) {
      const item = value[names[i]!];
      if (item === undefined) {
        if (!optional.has(names[i]!)) return false;
        continue;
      }
      if (!checks[i]!(item)) return false;
      present++;
    }
    return present === members;
  };
}
