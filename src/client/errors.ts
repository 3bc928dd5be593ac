/**
 * What can go wrong with a request to a /v2 service: one class a case, each with what to do about it. Remedies fit whoever asks: what
 * becomes of a run, which a plan hasn't, its own words tell.
 */
import { type ErrorCode, FilinglakeError } from '../core/index.ts';

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

/** Too many requests in a short time (429 that is not the month's), still so after all retries. */
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

/** 404: no such filing or document, or sections asked of a form that has none. */
export class RecordNotFoundError extends FilinglakeError {
  override name = 'RecordNotFoundError';
  /** Whether the answer explains itself as the service's do. A gateway's 404 doesn't: it may be of an operation that is away. */
  readonly explained: boolean;
  constructor(message: string, explained = true) {
    super('record-not-found', message);
    this.explained = explained;
  }
}

/** 422: the document can't be converted or rendered as asked. */
export class UnprocessableError extends FilinglakeError {
  override name = 'UnprocessableError';
  constructor(message: string) {
    super('record-unprocessable', message);
  }
}

/** The service answered with a fault of its own: 5xx, a proxy's HTML page, a redirect, a body that is no JSON. */
export class ServiceFailedError extends FilinglakeError {
  override name = 'ServiceFailedError';
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** The service's own Retry-After, where it gave one. */
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

/** An answer longer than the client takes: the same request would get it again. */
export class AnswerTooLongError extends ServiceFailedError {
  override name = 'AnswerTooLongError';
  readonly bytesMax: number;
  constructor(operation: string, status: number, bytesMax: number) {
    super(`${operation} answered more than ${bytesMax} bytes`, status, {
      code: 'answer-too-long',
      transient: false,
    });
    this.bytesMax = bytesMax;
  }
}

/** No answer: refused, reset, cut off in mid-body, timed out, name not found. */
export class UnreachableError extends FilinglakeError {
  override name = 'UnreachableError';
  /** The system's or undici's code: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`. */
  readonly reason: string;
  constructor(message: string, reason: string) {
    super('service-unreachable', message);
    this.reason = reason;
  }
}

/** One value of an answer that breaks the published types beyond what a liberal reader takes. */
export interface ContractViolation {
  /** `filings[17].size` */
  path: string;
  /** As it came, long texts shortened. */
  value: unknown;
  /** The accession number, document id or CIK of the record, where it could be read. */
  subject: string | null;
}

/** An answer that breaks the contract. Lists go on without the record (see `Answer.notes`); a single record throws this. */
export class ContractViolationError extends FilinglakeError {
  override name = 'ContractViolationError';
  readonly path: string;
  readonly value: unknown;
  readonly subject: string | null;
  /** No record, but what is around the records of a lookup: something in between may have answered, and the next try may be well. */
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
  /** null: no date, the run's own budget is used up */
  readonly retryAt: Date | null;
  constructor(message: string, retryAt: Date | null = null) {
    super('budget-reached', message);
    this.retryAt = retryAt;
  }
}

const SHOWN_CHARACTERS_MAX = 120;

/** Scalars as they came; anything long or nested as a short text. */
export function shortened(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= SHOWN_CHARACTERS_MAX ? value : shown(value);
}

/** A value for a message or a record of a failure: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : jsonOf(value);
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}

/** JSON can be read nested deeper than it can be written. */
function jsonOf(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_CHARACTERS_MAX * 2)) : JSON.stringify(value);
  } catch {
    return Array.isArray(value)
      ? 'a list that is too large or too deep to show'
      : 'a value too large or too deep to show';
  }
}
