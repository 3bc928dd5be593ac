/** Answers with one record: read completely or refused. */
import { isObject } from '../../core/index.ts';
import {
  type AnswerOf,
  type FilingInfo,
  OPERATIONS,
  type OperationName,
  parseAccessionNumber,
  parseDocumentId,
  sectionFamily,
  splitDocumentId,
} from '../../filings/api/index.ts';
import { type ContractViolation, ContractViolationError, shortened, shown } from './errors.ts';
import { type Reader, type ReadNotes, Violation } from './read.ts';
import { readerOf } from './reader-of.ts';
import { withCodes } from './section-codes.ts';

/** The identifiers in a request, in any spelling. */
export interface AskedIds {
  document_id?: string | undefined;
  accession_number?: string | undefined;
}

/** @throws ContractViolationError also for the record of another filing or document than the requested one */
export function readRecord<Name extends OperationName>(
  operation: Name,
  body: unknown,
  asked: AskedIds,
  notes: ReadNotes,
): AnswerOf<Name> {
  const flatBody = operation === 'filing_info' ? flatInfo(body) : body;
  const record: unknown = readWhole(operation, flatBody, readerOf(OPERATIONS[operation].answer), notes);
  requireSameIds(operation, record as GivenIds, asked);
  return (operation === 'filing_info' ? infoWithCodes(record as FilingInfo) : record) as AnswerOf<Name>;
}

function infoWithCodes(info: FilingInfo): FilingInfo {
  const sections = withCodes(info.sections, sectionFamily(info.form_type ?? ''));
  return sections === info.sections ? info : { ...info, sections };
}

/** Reads the record. @throws ContractViolationError */
export function readWhole<T>(operation: OperationName, body: unknown, reader: Reader<T>, notes: ReadNotes): T {
  // Pages of lookups are cut too, and say where the next begins. One record has no next page.
  if (isObject(body) && isCut(body.truncated))
    throw new ContractViolationError(
      operation,
      { path: 'truncated', value: body.truncated, subject: subjectOf(body) },
      'the answer is cut short',
    );
  try {
    return reader.canonical(body) ? (body as T) : reader.read(body, '', notes);
  } catch (error) {
    const { path, value, expected } = violationOf(error, '', body);
    const violation = { path: path || 'the answer', value, subject: subjectOf(body) };
    throw new ContractViolationError(operation, violation, expected);
  }
}

function isCut(truncated: unknown): boolean {
  return /^(true|1)$/i.test(String(truncated));
}

/** The ids in an answer, in the contract's form. Null or absent: the requested one is assumed. */
interface GivenIds {
  document_id?: string | null;
  accession_number?: string | null;
}

/** An answer must have the requested ids, else another filing's rows would be stored. @throws ContractViolationError */
export function requireSameIds(operation: OperationName, given: GivenIds, asked: AskedIds): void {
  const askedId = parseDocumentId(asked.document_id ?? '');
  const askedAccession = accessionAsked(asked);
  requireSame('document_id', given.document_id, askedId);
  const id = parseDocumentId(given.document_id ?? '');
  if (id !== null && splitDocumentId(id).accessionNumber !== askedAccession) {
    requireSame('document_id', id, askedAccession);
  }
  requireSame('accession_number', given.accession_number, askedAccession);

  function requireSame(path: string, value: string | null | undefined, wanted: string | null): void {
    if (value === null || value === undefined || wanted === null || value === wanted) return;
    throw new ContractViolationError(operation, { path, value, subject: wanted }, `${wanted} was requested`);
  }
}

/** The accession number in a request, by itself or in its document id. */
export function accessionAsked({ document_id = '', accession_number = '' }: AskedIds): string | null {
  const id = parseDocumentId(document_id);
  return id === null ? parseAccessionNumber(accession_number) : splitDocumentId(id).accessionNumber;
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

/** Some services put the filing's own members under `filing` and the filer's under `filer`. */
function flatInfo(value: unknown): unknown {
  if (!isObject(value) || !('filing' in value || 'filer' in value)) return value;
  const { filing: own, filer, ...rest } = value;
  let flat: Record<string, unknown> = {};
  if (isObject(filer)) {
    if (filer.cik !== undefined) flat.cik = filer.cik;
    const name = filer.name ?? filer.entity_name ?? filer.entityName;
    if (name !== undefined) flat.entity_name = name;
  } else if (filer !== undefined && filer !== null) flat.filer = filer;
  if (isObject(own)) flat = { ...flat, ...own };
  else if (own !== undefined && own !== null) flat.filing = own;
  return { ...flat, ...rest };
}
