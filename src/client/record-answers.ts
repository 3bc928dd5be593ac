/** Answers that are one record: read whole or refused. */
import type { OperationName } from '../api/index.ts';
import { type ContractViolation, ContractViolationError, shortened, shown } from './errors.ts';
import { isObject, type Reader, type ReadNotes, Violation } from './read.ts';

/** Reads the record. @throws ContractViolationError */
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
export function requireSameId(
  operation: OperationName,
  path: 'accession_number' | 'document_id',
  given: string | null,
  asked: string | null,
): void {
  if (given === null || asked === null || given === asked) return;
  throw new ContractViolationError(operation, { path, value: given, subject: asked }, `${asked} was asked for`);
}

/** What a record broke the contract with. An error that nobody foresaw is a violation too: it costs this record, and no other. */
export function violationOf(
  error: unknown,
  path: string,
  record: unknown,
): { path: string; value: unknown; expected: string } {
  if (error instanceof Violation) return { path: error.path, value: shortened(error.value), expected: error.expected };
  return { path, value: shortened(record), expected: `can't be read: ${shown(String(error))}` };
}

const SUBJECT_NAMES = ['accession_number', 'accessionNumber', 'document_id', 'documentId', 'id', 'cik'];

/** What a record is about, so that its failure can be recorded under a name. */
export function subjectOf(item: unknown): ContractViolation['subject'] {
  if (!isObject(item)) return null;
  for (const name of SUBJECT_NAMES) {
    const value = item[name];
    if ((typeof value === 'string' && value !== '') || Number.isFinite(value)) return String(value).slice(0, 40);
  }
  return null;
}
