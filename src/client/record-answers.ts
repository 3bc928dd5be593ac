/** Answers with one record: read completely or refused. */
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
 * The id in an answer must be the requested one: otherwise rows of another filing would be stored for it.
 * @param given the answer's id in the contract's form; null: it has none, and the requested one is assumed
 * @throws ContractViolationError
 */
export function requireSameId(
  operation: OperationName,
  path: 'accession_number' | 'document_id',
  given: string | null,
  asked: string | null,
): void {
  if (given === null || asked === null || given === asked) return;
  throw new ContractViolationError(operation, { path, value: given, subject: asked }, `${asked} was requested`);
}

/** The violation in a record. An unexpected error counts as a violation too: it costs only this record. */
export function violationOf(
  error: unknown,
  path: string,
  record: unknown,
): { path: string; value: unknown; expected: string } {
  if (error instanceof Violation) return { path: error.path, value: shortened(error.value), expected: error.expected };
  return { path, value: shortened(record), expected: `can't be read: ${shown(String(error))}` };
}

const SUBJECT_NAMES = ['accession_number', 'accessionNumber', 'document_id', 'documentId', 'id', 'cik'];

/** The subject of a record, so that its failure can be recorded under a name. */
export function subjectOf(item: unknown): ContractViolation['subject'] {
  if (!isObject(item)) return null;
  for (const name of SUBJECT_NAMES) {
    const value = item[name];
    if ((typeof value === 'string' && value !== '') || Number.isFinite(value)) return String(value).slice(0, 40);
  }
  return null;
}
