/** Converts an answer other than 200 to its error, for all variants of services. */
import { errorSchema, OPERATIONS, type Operation, type OperationName } from '../../filings/api/index.ts';
import {
  BadRequestError,
  KeyRefusedError,
  QuotaExceededError,
  RateLimitedError,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
} from './errors.ts';
import { firstOfNextMonth, type Headers, headerText, readQuota, retryAfterMs } from './quota.ts';

/** A longer wait means the monthly limit, not a burst limit. */
const BURST_WAIT_MS_MAX = 60_000;
const MESSAGE_CHARACTERS_MAX = 500;

interface FailedAnswer {
  operation: OperationName;
  status: number;
  headers: Headers;
  body: Buffer;
}

/** @param now the client's clock, for `Retry-After` and the month's end */
export function errorOfAnswer(answer: FailedAnswer, now: Date): Error {
  const { operation, status, headers } = answer;
  const page = isHtml(headers, answer.body);
  const told = messageOf(answer.body, page);
  const message = `${operation} answered ${status}${told ? `: ${told}` : ''}`;
  const waitMs = retryAfterMs(headers, now);

  // A web page comes from something between us and the service: its status says nothing of the record.
  if (page && status !== 429)
    return new ServiceFailedError(`${message} (a web page, not the service's answer)`, status);
  // From a cache between us and the service: the request had no ETag.
  if (status === 304) return new ServiceFailedError(`${message}, not modified, to a request without an ETag`, status);
  if (status >= 300 && status < 400) {
    const to = (headerText(headers, 'location') ?? 'elsewhere').replace(/[?#].*$/, '');
    return new ServiceFailedError(`${operation} was redirected to ${to}`, status, {
      transient: false,
      remedy: 'Set service.base_url to the address of the service. The key is not sent along a redirect.',
    });
  }
  if (status === 401 || status === 402 || status === 403) return new KeyRefusedError(message, status);
  if (status === 400) {
    return /\bapi[ _-]?key\b|unauthori[sz]ed/i.test(told)
      ? new KeyRefusedError(message, status)
      : new BadRequestError(message, status);
  }
  if (status === 404) {
    const { addition }: Operation = OPERATIONS[operation];
    if (addition) {
      const remedy = "Ask a filinglake service that is up to date: other services don't have this operation.";
      return new ServiceFailedError(`the service has no ${operation} (${message})`, status, {
        transient: false,
        remedy,
      });
    }
    if (
      operation.endsWith('_lookup') ||
      operation === 'fulltext_search' ||
      /no such path|cannot get|route/i.test(told)
    ) {
      return new ServiceFailedError(message, status, {
        transient: false,
        remedy: 'Check service.base_url: there is no such path (it must not end in /v2).',
      });
    }
    return new RecordNotFoundError(message, isExplained(answer.body));
  }
  if (status === 422) return new UnprocessableError(message);
  if (status === 429) return tooMany(answer, told, message, waitMs, now);
  if (status === 408 || status === 425 || status >= 500) {
    return new ServiceFailedError(message, status, { retryAfterMs: waitMs });
  }
  const remedy = status === 405 ? 'Try service.method: post (or get) in the export definition.' : undefined;
  return new BadRequestError(message, status, remedy);
}

/** Whether a 429 is about the monthly limit or a burst: from the message, the requested wait, and the quota headers. */
function tooMany(answer: FailedAnswer, told: string, message: string, waitMs: number | null, now: Date): Error {
  const quota = readQuota(answer.headers);
  const usedUp = quota?.requests?.remaining === 0 ? 'requests' : quota?.bytes?.remaining === 0 ? 'bytes' : null;
  if (!isMonthly(told, waitMs, usedUp !== null, isHtml(answer.headers, answer.body))) {
    return new RateLimitedError(message, waitMs ?? 0);
  }
  const limit = /byte|bandwidth/i.test(told) ? 'bytes' : /request/i.test(told) ? 'requests' : (usedUp ?? 'requests');
  const resetSeconds = usedUp === null ? null : (quota?.[usedUp]?.resetSeconds ?? null);
  const untilResetMs = waitMs ?? (resetSeconds === null ? null : resetSeconds * 1_000);
  const retryAt = untilResetMs !== null ? new Date(now.getTime() + untilResetMs) : firstOfNextMonth(now);
  return new QuotaExceededError(message, limit, retryAt);
}

/** The interface has only the monthly 429; gateways add bursts. */
function isMonthly(told: string, waitMs: number | null, usedUp: boolean, page: boolean): boolean {
  if (/\bmonth/i.test(told) || usedUp) return true;
  if (waitMs !== null) return waitMs > BURST_WAIT_MS_MAX;
  const burst = page || told === '' || /too many|per[ -](second|minute)|rate.?limit|slow down|throttl/i.test(told);
  return !burst;
}

export function isHtml(headers: Headers, body: Buffer): boolean {
  const type = headerText(headers, 'content-type') ?? '';
  if (/^\s*(text\/html|application\/xhtml)/i.test(type)) return true;
  return /^\s*<(!doctype html|html)\b/i.test(body.toString('latin1', 0, 200));
}

/** `{"error": "…"}`, or a similar shape, or the plain text; for a web page, its title. One line. */
function messageOf(body: Buffer, page: boolean): string {
  const text = body.toString('utf8', 0, 100_000);
  if (page) return oneLine(/<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? '');
  try {
    const parsed: unknown = JSON.parse(text);
    const published = errorSchema.safeParse(parsed);
    if (published.success) return oneLine(published.data.error);
    if (typeof parsed === 'string') return oneLine(parsed);
    if (parsed !== null && typeof parsed === 'object') {
      const { error, message, detail } = parsed as Record<string, unknown>;
      for (const candidate of [(error as { message?: unknown } | undefined)?.message, message, detail]) {
        if (typeof candidate === 'string') return oneLine(candidate);
      }
    }
    return '';
  } catch {
    return oneLine(text);
  }
}

/** `{"error": "form 4 has no sections"}`, and nothing else: frameworks answer `{"error": "Not Found"}` for an unknown path. */
function isExplained(body: Buffer): boolean {
  try {
    const published = errorSchema.strict().safeParse(JSON.parse(body.toString('utf8', 0, 100_000)));
    return published.success && !/^\W*(404\W*)?((page|path|resource|url) )?not found\W*$/i.test(published.data.error);
  } catch {
    return false;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_CHARACTERS_MAX);
}
