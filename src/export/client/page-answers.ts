/** Answers that are pages: lists whose broken records are set aside. */
import type { z } from 'zod';
import { isObject } from '../../core/index.ts';
import { type AnswerOf, OPERATIONS, type OperationName } from '../../filings/api/index.ts';
import { ContractViolationError, shortened } from './errors.ts';
import { flag, integer, noteStranger, noValue, orNull, type Reader, type ReadNotes } from './read.ts';
import { readerOf } from './reader-of.ts';
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

export type PageOperation = {
  [Name in OperationName]: AnswerOf<Name> extends { truncated: boolean } ? Name : never;
}[OperationName];

type ListsOf<Answer> = {
  [Name in keyof Answer as Answer[Name] extends readonly unknown[] ? Name : never]: Answer[Name];
};
export type PageOf<Name extends PageOperation> = PageFacts & ListsOf<AnswerOf<Name>>;

/** Reads a page. @throws ContractViolationError if the answer is not a page */
export function readPage<Name extends PageOperation>(operation: Name, body: unknown, notes: ReadNotes): PageOf<Name> {
  const { list, count, others } = partsOf(operation);
  const members = membersOf(operation, body, notes);
  const raw = members[list.name];
  const stated = members[count];
  // `{"error": …}` under 200: an empty page instead would end the reading of a window too early.
  if (raw === undefined && stated === undefined) broken(operation, list.name, raw, 'missing');
  const lists: Record<string, unknown[]> = { [list.name]: readRecords(raw, list, operation, notes) };
  // A list beside the records (the names of their parties) costs no record if it is broken.
  for (const other of others) {
    const given = members[other.name];
    lists[other.name] = tolerated([], given, other.name, notes, () => readRecords(given, other, operation, notes));
  }
  const facts: PageFacts = {
    count: tolerated(null, stated, count, notes, () => (noValue(stated) ? null : integer.read(stated, count, notes))),
    // After a page that may have been cut short, another one is requested: that costs one request at most.
    truncated: tolerated(null, members.truncated, 'truncated', notes, () =>
      orNull(flag).read(members.truncated, 'truncated', notes),
    ),
    received: Array.isArray(raw) ? raw.length : 0,
  };
  return { ...facts, ...(lists as ListsOf<AnswerOf<Name>>) };
}

interface List {
  name: string;
  reader: Reader<unknown>;
}

/** The first list of a page has its records, the first number is their count. */
function partsOf(operation: PageOperation): { list: List; count: string; others: List[] } {
  const known = parts.get(operation);
  if (known !== undefined) return known;
  const shape = Object.entries(OPERATIONS[operation].answer.shape) as [string, z.core.$ZodTypes][];
  const lists = shape.flatMap(([name, { _zod }]) =>
    _zod.def.type === 'array' ? [{ name, reader: readerOf(_zod.def.element) }] : [],
  );
  const [count] = shape.find(([, { _zod }]) => _zod.def.type === 'number')!;
  const made = { list: lists[0]!, count, others: lists.slice(1) };
  parts.set(operation, made);
  return made;
}

const parts = new Map<PageOperation, ReturnType<typeof partsOf>>();

/** The members of a page under the contract's names. */
function membersOf(operation: PageOperation, body: unknown, notes: ReadNotes) {
  if (!isObject(body)) broken(operation, '', body, 'not an object');
  const { shape } = OPERATIONS[operation].answer;
  const isKnown = (name: string) => Object.hasOwn(shape, name) || name === 'response_bytes';
  const members: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const name = isKnown(key) ? key : snakeCase(key);
    if (name !== key || !isKnown(name)) notes.changed = true;
    if (isKnown(name)) members[name] ??= value;
    else noteStranger(notes, `${operation}.${key}`);
  }
  return members;
}

/** A member of a page. If it breaks the contract, that is noted, and the records still count. */
function tolerated<T>(instead: T, given: unknown, path: string, notes: ReadNotes, read: () => T): T {
  try {
    return read();
  } catch {
    notes.changed = true;
    notes.violations.push({ path, value: shortened(given), subject: null });
    return instead;
  }
}

function readRecords(
  raw: unknown,
  { name: path, reader }: List,
  operation: PageOperation,
  notes: ReadNotes,
): unknown[] {
  if (noValue(raw)) {
    notes.changed = true;
    return [];
  }
  if (!Array.isArray(raw)) broken(operation, path, raw, 'not a list');
  if (raw.every((item) => isCanonical(reader, item))) return raw;
  notes.changed = true;
  const records: unknown[] = [];
  for (let i = 0; i < raw.length; i++) {
    const item: unknown = raw[i];
    try {
      records.push(isCanonical(reader, item) ? item : reader.read(item, `${path}[${i}]`, notes));
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

function broken(operation: PageOperation, path: string, value: unknown, expected: string): never {
  throw new ContractViolationError(operation, { path: path || 'the answer', value, subject: null }, expected, {
    envelope: true,
  });
}
