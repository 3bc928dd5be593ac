/** Errors of a request to a /v2 service, a class for each case. A run's own messages say what becomes of the run. */
import { type ErrorCode, FilinglakeError } from '../../core/index.ts';

/** Which monthly limit is used up. */
export type QuotaLimit = 'requests' | 'bytes';

/** The service refused the API key (401, 402, 403, or a 400 that says so). Asking again can't help. */
export class KeyRefusedError extends FilinglakeError {
  override name = 'KeyRefusedError';
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super('key-refused', message);
    this.status = status;
  }
}

/** The month's requests or bytes are used up. Nothing is answered before `retryAt`. */
export class QuotaExceededError extends FilinglakeError {
  override name = 'QuotaExceededError';
  readonly limit: QuotaLimit;
  readonly retryAt: Date;
  constructor(message: string, limit: QuotaLimit, retryAt: Date) {
    super('quota-exceeded', message, { remedy: `Wait until ${retryAt.toISOString()}, or choose a larger plan.` });
    this.limit = limit;
    this.retryAt = retryAt;
  }
}

/** Too many requests in a short time (a 429 that is not about the month), even after all retries. */
export class RateLimitedError extends FilinglakeError {
  override name = 'RateLimitedError';
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number) {
    super('rate-limited', message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service (or the client, before anything was sent) refused the request's parameters. */
export class BadRequestError extends FilinglakeError {
  override name = 'BadRequestError';
  /** null: refused before it was sent */
  readonly status: number | null;
  constructor(message: string, status: number | null, remedy?: string) {
    super('request-refused', message, { ...(remedy && { remedy }) });
    this.status = status;
  }
}

/** 404: no such filing or document, or sections of a form that has none. */
export class RecordNotFoundError extends FilinglakeError {
  override name = 'RecordNotFoundError';
  /** Whether the answer has the service's own explanation. A gateway's 404 lacks it: the operation itself may be missing. */
  readonly explained: boolean;
  constructor(message: string, explained = true) {
    super('record-not-found', message);
    this.explained = explained;
  }
}

/** 422: the document can't be converted or rendered as requested. */
export class UnprocessableError extends FilinglakeError {
  override name = 'UnprocessableError';
  constructor(message: string) {
    super('record-unprocessable', message);
  }
}

/** The service answered with a fault: 5xx, a proxy's HTML page, a redirect, a body that isn't JSON. */
export class ServiceFailedError extends FilinglakeError {
  override name = 'ServiceFailedError';
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** The service's own Retry-After, if it sent one. */
  readonly retryAfterMs: number | null;
  constructor(
    message: string,
    status: number,
    options: { transient?: boolean; retryAfterMs?: number | null; remedy?: string; code?: ErrorCode } = {},
  ) {
    super(options.code ?? 'service-failed', message, {
      ...(options.remedy && { remedy: options.remedy }),
    });
    this.status = status;
    this.transient = options.transient ?? true;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** An answer longer than the client accepts: the same request would get it again. */
export class AnswerTooLongError extends ServiceFailedError {
  override name = 'AnswerTooLongError';
  readonly bytesMax: number;
  constructor(operation: string, status: number, bytesMax: number) {
    super(`${operation} answered more than ${bytesMax} bytes`, status, { code: 'answer-too-long', transient: false });
    this.bytesMax = bytesMax;
  }
}

/** No answer: refused, reset, cut off, timed out, name not found. */
export class UnreachableError extends FilinglakeError {
  override name = 'UnreachableError';
  /** The system's or undici's code: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`. */
  readonly reason: string;
  constructor(message: string, reason: string) {
    super('service-unreachable', message);
    this.reason = reason;
  }
}

/** 304: the answer is the one whose ETag was sent. */
export class UnchangedError extends Error {
  override name = 'UnchangedError';
  readonly code = 'unchanged';
  constructor(operation: string) {
    super(`${operation} answered 304: nothing changed`);
  }
}

/** One value of an answer that even the tolerant reader can't convert to the published type. */
export interface ContractViolation {
  /** `filings[17].size` */
  path: string;
  /** Unchanged, long texts shortened. */
  value: unknown;
  /** The accession number, document id or CIK of the record, if it was readable. */
  subject: string | null;
}

/** An answer that breaks the contract. A list continues without the record (see `Answer.notes`); a single record throws this. */
export class ContractViolationError extends FilinglakeError {
  override name = 'ContractViolationError';
  readonly path: string;
  readonly value: unknown;
  readonly subject: string | null;
  /** A fault outside the records of a lookup: something in between may have answered, and a retry may succeed. */
  readonly envelope: boolean;
  constructor(operation: string, violation: ContractViolation, what: string, options: { envelope?: boolean } = {}) {
    super('contract-broken', `${operation} answered ${violation.path} = ${shown(violation.value)}: ${what}`);
    this.path = violation.path;
    this.value = shortened(violation.value);
    this.subject = violation.subject;
    this.envelope = options.envelope ?? false;
  }
}

/** Thrown by a `beforeRequest` gate: the run's budget grants no further request. */
export class BudgetReachedError extends FilinglakeError {
  override name = 'BudgetReachedError';
  constructor(message: string) {
    super('budget-reached', message);
  }
}

const SHOWN_CHARACTERS_MAX = 120;

/** Scalars unchanged; anything long or nested as a short text. */
export function shortened(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= SHOWN_CHARACTERS_MAX ? value : shown(value);
}

/** A value for a message or a failure record: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : jsonOf(value);
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}

/** JSON can be parsed at greater depth than it can be written. */
function jsonOf(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_CHARACTERS_MAX * 2)) : JSON.stringify(value);
  } catch {
    return Array.isArray(value)
      ? 'a list that is too large or too deep to show'
      : 'a value too large or too deep to show';
  }
}
