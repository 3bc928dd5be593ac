/** The meaning of a store's errors. Only the words of the SDK are passed on: its objects hold signed requests. */
import { FilinglakeError, systemErrorWords } from '../index.ts';
import type { S3Place } from './place.ts';

interface StoreError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const CUT: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const PASSING: ReadonlySet<string> = new Set([
  'SlowDown',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'InternalError',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'OperationAborted',
  'TimeoutError',
]);
const MESSAGE_MAX = 300;
const GUIDE = 'See docs/guide/object-storage.md.';

export function statusOf(error: unknown): number | undefined {
  return (error as StoreError | null)?.$metadata?.httpStatusCode;
}

export function nameOf(error: unknown): string | undefined {
  return (error as StoreError | null)?.name;
}

/** Refusals of this machine's disk. */
const OF_THE_DISK: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENOENT',
]);

/** A body that ended early. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** No answer: it is unknown whether the request was carried out. */
export function isUnreachable(error: unknown): boolean {
  if (statusOf(error) !== undefined) return false;
  const { code, message } = error as StoreError;
  if (error instanceof CutShort || nameOf(error) === 'TimeoutError') return true;
  return CUT.has(code ?? '') || /socket hang up|aborted|premature close/i.test(message ?? '');
}

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (status === undefined) return isUnreachable(error);
  return PASSING.has(nameOf(error) ?? '') || status === 429 || status === 408 || (status >= 500 && status !== 501);
}

/** A store's names for credentials that have expired, or that it doesn't know (any more). */
const REFUSED_CREDENTIALS: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidToken',
  'TokenRefreshRequired',
  'RequestExpired',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'SignatureDoesNotMatch',
  'CredentialsProviderError',
]);

/** Whether other credentials may be accepted: the owner may have renewed them. */
export function areRefusedCredentials(error: unknown): boolean {
  return REFUSED_CREDENTIALS.has(nameOf(error) ?? '');
}

/** Our error for a permanent one. */
export function refusal(place: S3Place, what: 'read' | 'write', path: string, error: unknown): unknown {
  if (error instanceof FilinglakeError) return error;
  const { code, name = 'Error', message = '' } = error as StoreError;
  const status = statusOf(error);
  if (status === undefined && OF_THE_DISK.has(code ?? '')) return error;
  // The SDK's own errors have no name. A store's code says little without its message.
  const said = message.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX);
  const words = name === 'Error' && said !== '' ? said : `${name}${status === undefined ? '' : ` (HTTP ${status})`}`;
  const where = path === '' ? place.url : `${place.url}/${path}`;
  const cause = new Error(words);
  const fail = (why: string, remedy: string) =>
    new FilinglakeError(
      what === 'read' ? 'lake-unreadable' : 'lake-unwritable',
      `${where} can't be ${what === 'read' ? 'read' : 'written'}: ${why}`,
      { remedy, cause },
    );
  if (isPassing(error)) {
    const why = status === undefined ? systemErrorWords({ code, message: message || name }) : `it answers ${words}`;
    return new FilinglakeError('lake-unreachable', `the store of ${place.url} is unreachable: ${why}`, { cause });
  }
  if (name === 'CredentialsProviderError' || /could not load credentials/i.test(message)) {
    return fail(
      'there are no credentials',
      `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, where the command or worker runs. ${GUIDE}`,
    );
  }
  if (name === 'NoSuchBucket') return fail(`there is no bucket ${place.bucket}`, 'Create the bucket, or name another.');
  if (status === 401 || status === 403 || /^(Expired|InvalidToken)/.test(name)) {
    return fail(
      `the store refuses: ${name}`,
      `Check the credentials and their rights: s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket. ${GUIDE}`,
    );
  }
  if (status === 507 || name === 'QuotaExceeded') {
    return new FilinglakeError('lake-full', `no space is left for the lake ${place.url}`, { cause });
  }
  const more = said === '' || words.includes(said) ? '' : `: ${said}`;
  return fail(
    status === undefined ? `${words}${more}` : `the store answers ${words}${more}`,
    `Check the endpoint and the region. ${GUIDE}`,
  );
}
