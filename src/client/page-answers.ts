/** Answers that are pages: lists whose broken records are set aside. */
import type { OperationName } from '../api/index.ts';
import { ContractViolationError, shortened } from './errors.ts';
import { flag, integer, isObject, noteStranger, noValue, orNull, type Reader, type ReadNotes } from './read.ts';
import { snakeCase } from './record.ts';
import { subjectOf, violationOf } from './record-answers.ts';

/** The members of every page. */
export interface PageFacts {
  /** The service's count: all matches, or those of the page; null if it states none. */
  count: number | null;
  /** Whether the service says that the page was cut short; null if it does not say. */
  truncated: boolean | null;
  /** Records received, broken ones included: the next page starts at `from + received`. */
  received: number;
}

/** The names of a page's members. */
export interface PageNames {
  operation: OperationName;
  list: string;
  count: string;
  /** Further members */
  also?: readonly string[];
}

/**
 * Reads a page.
 * @returns its records, and its members under the contract's names
 * @throws ContractViolationError if the answer is not a page
 */
export function readPage<T>(
  names: PageNames,
  body: unknown,
  reader: Reader<T>,
  notes: ReadNotes,
): { records: T[]; facts: PageFacts; members: Record<string, unknown> } {
  const { operation, list } = names;
  const members = membersOf(names, body, notes);
  const raw = members[list];
  const count = members[names.count];
  // `{"error": …}` under 200: an empty page instead would end the reading of a window too early.
  if (raw === undefined && count === undefined) broken(operation, list, raw, 'missing');
  const records = readRecords(raw, list, reader, operation, notes);
  const facts = {
    count: tolerated(null, count, names.count, notes, () =>
      noValue(count) ? null : integer.read(count, names.count, notes),
    ),
    // After a page that may have been cut short, another one is requested: that costs one request at most.
    truncated: tolerated(null, members.truncated, 'truncated', notes, () =>
      orNull(flag).read(members.truncated, 'truncated', notes),
    ),
    received: Array.isArray(raw) ? raw.length : 0,
  };
  return { records, facts, members };
}

/** The members of a page under the contract's names. */
function membersOf({ operation, list, count, also = [] }: PageNames, body: unknown, notes: ReadNotes) {
  if (!isObject(body)) broken(operation, '', body, 'not an object');
  const known = [count, list, ...also, 'truncated', 'response_bytes'];
  const members: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const name = known.includes(key) ? key : snakeCase(key);
    if (name !== key || !known.includes(name)) notes.changed = true;
    if (known.includes(name)) members[name] ??= value;
    else noteStranger(notes, `${operation}.${key}`);
  }
  return members;
}

/** A member of a page. If it breaks the contract, that is noted, and the records still count. */
export function tolerated<T>(instead: T, given: unknown, path: string, notes: ReadNotes, read: () => T): T {
  try {
    return read();
  } catch {
    notes.changed = true;
    notes.violations.push({ path, value: shortened(given), subject: null });
    return instead;
  }
}

export function readRecords<T>(
  raw: unknown,
  path: string,
  reader: Reader<T>,
  operation: OperationName,
  notes: ReadNotes,
): T[] {
  if (noValue(raw)) {
    notes.changed = true;
    return [];
  }
  if (!Array.isArray(raw)) broken(operation, path, raw, 'not a list');
  if (raw.every((item) => isCanonical(reader, item))) return raw as T[];
  notes.changed = true;
  const records: T[] = [];
  for (let i = 0; i < raw.length; i++) {
    const item: unknown = raw[i];
    try {
      records.push(isCanonical(reader, item) ? (item as T) : reader.read(item, `${path}[${i}]`, notes));
    } catch (error) {
      const violation = violationOf(error, `${path}[${i}]`, item);
      notes.violations.push({ path: violation.path, value: violation.value, subject: subjectOf(item) });
    }
  }
  return records;
}

function isCanonical(reader: Reader<unknown>, item: unknown): boolean {
  try {
    return reader.canonical(item);
  } catch {
    return false;
  }
}

function broken(operation: OperationName, path: string, value: unknown, expected: string): never {
  throw new ContractViolationError(operation, { path: path || 'the answer', value, subject: null }, expected, {
    envelope: true,
  });
}
