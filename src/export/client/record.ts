/** Reads a record whose members may have other names, in any order, with unknown ones among them. */
import { isObject } from '../../core/index.ts';
import { noteStranger, noValue, type Reader, type ReadNotes, Violation } from './read.ts';

/**
 * A reader of records.
 * @param name for notes: `filing`
 * @param aliases other name -> the contract's: `{ form: 'form_type' }`
 * @param optional members that even an exact service may leave out
 */
export function recordOf(
  name: string,
  fields: Readonly<Record<string, Reader<unknown>>>,
  aliases: Readonly<Record<string, string>> = {},
  optional: readonly string[] = [],
): Reader<Record<string, unknown>> {
  const names = Object.keys(fields);
  const readers = Object.values(fields);
  const mayLack = names.map((field) => optional.includes(field));
  const slots = new MemberSlots(names, aliases);
  const required = names.length - optional.length;

  return {
    /** Whether all members have the contract's form, and there are no others. */
    canonical(value) {
      if (!isObject(value)) return false;
      let present = 0;
      for (let i = 0; i < names.length; i++) {
        const item = value[names[i]!];
        if (item === undefined) {
          if (!mayLack[i]) return false;
        } else if (readers[i]!.canonical(item)) present++;
        else return false;
      }
      let members = 0;
      for (const _ in value) members++;
      return present === members && present >= required;
    },
    read(value, path, notes) {
      if (!isObject(value)) throw new Violation(path, value, 'not an object');
      const members = slots.fill(value, name, notes);
      const read: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) {
        if (mayLack[i] && members[i] === undefined) continue;
        const reader = readers[i]!;
        read[names[i]!] = reader.canonical(members[i])
          ? members[i]
          : reader.read(members[i], path === '' ? names[i]! : `${path}.${names[i]}`, notes);
      }
      return read;
    },
  };
}

/** More names than any real service has: further ones are resolved each time. */
const REMEMBERED_NAMES_MAX = 500;
const REMEMBERED_CHARACTERS_MAX = 100;
const STRANGER = -1;

/** Finds the field of each member, under any of its names. Each name is resolved once. */
class MemberSlots {
  readonly #names: readonly string[];
  readonly #targets: ReadonlyMap<string, number>;
  readonly #known = new Map<string, number>();

  constructor(names: readonly string[], aliases: Readonly<Record<string, string>>) {
    const targets = new Map<string, number>();
    // Records of one name may differ: an alias of a member that this one lacks is a stranger.
    for (const [alias, field] of Object.entries(aliases)) targets.set(alias, names.indexOf(field));
    for (const [i, field] of names.entries()) targets.set(field, i);
    this.#names = names;
    this.#targets = targets;
  }

  /** Members in the order of the fields. The contract's own spelling wins over an alias. Unknown ones are noted and left out. */
  fill(value: Record<string, unknown>, name: string, notes: ReadNotes): unknown[] {
    const members: unknown[] = new Array(this.#names.length).fill(undefined);
    for (const key in value) {
      const slot = this.#slot(key);
      if (slot === STRANGER) {
        noteStranger(notes, `${name}.${key}`);
        continue;
      }
      const item = value[key];
      if (noValue(members[slot]) || (key === this.#names[slot] && !noValue(item))) members[slot] = item;
    }
    return members;
  }

  #slot(key: string): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const slot = this.#targets.get(key) ?? this.#targets.get(snakeCase(key)) ?? STRANGER;
    if (key.length <= REMEMBERED_CHARACTERS_MAX && this.#known.size < REMEMBERED_NAMES_MAX) this.#known.set(key, slot);
    return slot;
  }
}

/** `acceptanceDateTime` -> `acceptance_date_time`, `documentID` -> `document_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
