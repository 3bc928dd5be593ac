/** What a failed request means for the run: it ends the activity, is recorded and skipped, or is an absence. */
import { FilinglakeError } from '../../../core/index.ts';
import {
  AnswerTooLongError,
  BadRequestError,
  BudgetReachedError,
  ContractViolationError,
  QuotaExceededError,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
  UnreachableError,
} from '../../client/index.ts';

export type Verdict =
  /** Not found, explained by the service. Not retried. */
  | 'absent'
  /** This request can't succeed; others may. */
  | 'failed'
  /** This request failed after all retries, as others will if the service is unwell. */
  | 'suspect'
  /** No more requests may be sent. */
  | 'stopped'
  /** The activity ends: key refused, service unreachable, a bug. */
  | 'fatal';

/**
 * A connection was made, but no whole answer arrived. One document on which a service or a proxy crashes does that. If it counted
 * as an unreachable service, it would stop the run for ever.
 */
const ANSWER_LOST: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ATTEMPT_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
]);
/** Codes of undici's HTTP parser: the answer's head or length is invalid. If it gives no code, the error's name is used. */
const BROKEN_HTTP = /^(HPE_|HTTPParserError$)/;

/** The document is larger than `documents.max_bytes`. */
export class DocumentTooLargeError extends FilinglakeError {
  override name = 'DocumentTooLargeError';
  readonly bytesMax: number;

  /** @param bytes its stated size, or the length of its answer; null: of an earlier answer */
  constructor(documentId: string, bytes: number | null, bytesMax: number) {
    const has = bytes === null ? 'had more bytes than that in an earlier answer' : `has ${bytes} bytes`;
    super('document-too-large', `document ${documentId} ${has}, documents.max_bytes is ${bytesMax}`);
    this.bytesMax = bytesMax;
  }
}

/** A document of a form that can't be mapped: no row of its filing is made, since half a table is worse than none. */
export class FormUnreadableError extends FilinglakeError {
  override name = 'FormUnreadableError';
  constructor(documentId: string, reason: string) {
    super('form-unreadable', `document ${documentId} can't be mapped: ${reason}`);
    ofDocument(this, documentId);
  }
}

/** The document of a step that an error is about. */
const documentByError = new WeakMap<Error, string>();

/** @returns the error, with the document that it is about */
export function ofDocument(error: unknown, document_id: string): unknown {
  if (error instanceof Error && !documentByError.has(error)) documentByError.set(error, document_id);
  return error;
}

/** The document that an error of a step of several is about; null if that isn't known. */
export function documentOfError(error: unknown): string | null {
  return error instanceof Error ? (documentByError.get(error) ?? null) : null;
}

export function verdictOf(error: unknown): Verdict {
  if (error instanceof RecordNotFoundError) return 'absent';
  if (
    error instanceof UnprocessableError ||
    error instanceof ContractViolationError ||
    error instanceof BadRequestError
  )
    return 'failed';
  if (error instanceof FormUnreadableError) return 'failed';
  // A fault of one record. It says nothing of other requests.
  if (error instanceof AnswerTooLongError || error instanceof DocumentTooLargeError) return 'failed';
  if (error instanceof ServiceFailedError) return 'suspect';
  if (error instanceof UnreachableError && (ANSWER_LOST.has(error.reason) || BROKEN_HTTP.test(error.reason)))
    return 'suspect';
  if (error instanceof BudgetReachedError || error instanceof QuotaExceededError) return 'stopped';
  return 'fatal';
}

export function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
