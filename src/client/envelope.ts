/** Reading whole answers: lists whose broken records are set aside, and single records that are whole or refused. */
import type { Entity, Filing, FulltextHit, OperationName } from '../api/index.ts';
import { type ContractViolation, ContractViolationError, shortened, shown } from './errors.ts';
import { flag, integer, isObject, noteStranger, noValue, type Reader, type ReadNotes, Violation } from './read.ts';
import { snakeCase } from './record.ts';
import { entity, filing, fulltextEntity, fulltextHit } from './record-readers.ts';

/** What every page has. */
export interface PageFacts {
  /** As the service said: all matches, or those of the page; null where it says nothing. */
  count: number | null;
  truncated: boolean;
  /** Records that came, those that broke the contract included: the next page starts at `from + received`. */
  received: number;
}
export interface EntityPage extends PageFacts {
  entities: Entity[];
}
export interface FilingPage extends PageFacts {
  filings: Filing[];
}
export interface FulltextPage extends PageFacts {
  hits: FulltextHit[];
  entities: { cik: string; name: string | null; tickers: string[] }[];
}

export function readEntityPage(body: unknown, notes: ReadNotes): EntityPage {
  const envelope = opened('entity_lookup', body, ['count', 'entities', 'truncated', 'response_bytes'], notes);
  const { records, facts } = page(envelope, 'entity_lookup', 'entities', 'count', entity, notes);
  return { ...facts, entities: records };
}

export function readFilingPage(body: unknown, notes: ReadNotes): FilingPage {
  const envelope = opened('filing_lookup', body, ['count', 'filings', 'truncated', 'response_bytes'], notes);
  const { records, facts } = page(envelope, 'filing_lookup', 'filings', 'count', filing, notes);
  return { ...facts, filings: records };
}

export function readFulltextPage(body: unknown, notes: ReadNotes): FulltextPage {
  const known = ['total_hits', 'hits', 'entities', 'truncated', 'response_bytes'];
  const envelope = opened('fulltext_search', body, known, notes);
  const { records, facts } = page(envelope, 'fulltext_search', 'hits', 'total_hits', fulltextHit, notes);
  // Names of the hits' parties: without them the hits are the same.
  const entities = tolerated([], envelope.entities, 'entities', notes, () =>
    readRecords(envelope.entities, 'entities', fulltextEntity, 'fulltext_search', notes),
  );
  return { ...facts, hits: records, entities };
}

/** Reads an answer that is one record. @throws ContractViolationError */
export function readWhole<T>(operation: OperationName, body: unknown, reader: Reader<T>, notes: ReadNotes): T {
  try {
    return reader.canonical(body) ? (body as T) : reader.read(body, '', notes);
  } catch (error) {
    const { path, value, expected } = violationOf(error, '', body);
    const violation = { path: path || 'the answer', value, subject: subjectOf(body) };
    throw new ContractViolationError(operation, violation, expected);
  }
}

/**
 * What an answer names must be what was asked for: of another filing its rows would pass for those of the one asked.
 * @param given as the answer has it, in the contract's form; null: it names none, and what was asked is meant
 * @throws ContractViolationError
 */
export function holdToAsked(
  operation: OperationName,
  path: 'accession_number' | 'document_id',
  given: string | null,
  asked: string | null,
): void {
  if (given === null || asked === null || given === asked) return;
  throw new ContractViolationError(operation, { path, value: given, subject: asked }, `${asked} was asked for`);
}

/** An envelope's members under the contract's names. */
function opened(operation: OperationName, body: unknown, known: string[], notes: ReadNotes): Record<string, unknown> {
  if (!isObject(body)) broken(operation, '', body, 'not an object');
  const envelope: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const name = known.includes(key) ? key : snakeCase(key);
    if (name !== key || !known.includes(name)) notes.changed = true;
    if (known.includes(name)) envelope[name] ??= value;
    else noteStranger(notes, `${operation}.${key}`);
  }
  return envelope;
}

function page<T>(
  envelope: Record<string, unknown>,
  operation: OperationName,
  list: string,
  countName: string,
  reader: Reader<T>,
  notes: ReadNotes,
): { records: T[]; facts: PageFacts } {
  const raw = envelope[list];
  const count = envelope[countName];
  // `{"error": …}` under 200: taking it for an empty page would end the reading of a window that isn't empty.
  if (raw === undefined && count === undefined) broken(operation, list, raw, 'missing');
  const records = readRecords(raw, list, reader, operation, notes);
  const facts = {
    count: tolerated(null, count, countName, notes, () =>
      noValue(count) ? null : integer.read(count, countName, notes),
    ),
    // A page that may have been cut short is followed by another: that costs a request at most.
    truncated: tolerated(true, envelope.truncated, 'truncated', notes, () =>
      flag.read(envelope.truncated, 'truncated', notes),
    ),
    received: Array.isArray(raw) ? raw.length : 0,
  };
  return { records, facts };
}

/** A member of an envelope; where it breaks the contract that is noted, and the records beside it count all the same. */
function tolerated<T>(instead: T, given: unknown, path: string, notes: ReadNotes, read: () => T): T {
  try {
    return read();
  } catch {
    notes.changed = true;
    notes.violations.push({ path, value: shortened(given), subject: null });
    return instead;
  }
}

function readRecords<T>(
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

/** What a record broke the contract with. An error that nobody foresaw is a violation too: it costs this record, and no other. */
function violationOf(
  error: unknown,
  path: string,
  record: unknown,
): { path: string; value: unknown; expected: string } {
  if (error instanceof Violation) return { path: error.path, value: shortened(error.value), expected: error.expected };
  return { path, value: shortened(record), expected: `can't be read: ${shown(String(error))}` };
}

function broken(operation: OperationName, path: string, value: unknown, expected: string): never {
  throw new ContractViolationError(operation, { path: path || 'the answer', value, subject: null }, expected, {
    envelope: true,
  });
}

const SUBJECT_NAMES = ['accession_number', 'accessionNumber', 'document_id', 'documentId', 'id', 'cik'];

/** What a record is about, so that its failure can be recorded under a name. */
function subjectOf(item: unknown): ContractViolation['subject'] {
  if (!isObject(item)) return null;
  for (const name of SUBJECT_NAMES) {
    const value = item[name];
    if ((typeof value === 'string' && value !== '') || Number.isFinite(value)) return String(value).slice(0, 40);
  }
  return null;
}
