/**
 * The place of the key in a request. The published interface has it among the parameters, and so in logs of addresses. A service
 * whose /openapi.json names a header for it is sent the header.
 */
import { request } from 'undici';
import type { OperationName } from '../api/index.ts';
import {
  BadRequestError,
  KeyRefusedError,
  QuotaExceededError,
  RecordNotFoundError,
  ServiceFailedError,
} from './errors.ts';

export type KeyPlace = 'parameter' | 'bearer' | 'x-api-key';

/** A description takes no longer than this, or the key stays among the parameters. */
const TIMEOUT_MS = 5_000;
const DESCRIPTION_BYTES_MAX = 4 * 2 ** 20;
/** After this the description is requested again. An outage must not double the requests. */
const ASK_AGAIN_MS = 10 * 60_000;
/** How long a doubt lasts. A run may wait for weeks, and one odd answer must not put the key into addresses for all of them. */
const DOUBT_MS = 24 * 60 * 60_000;

/** The place of the key in requests to one service. */
export class KeyPlacement {
  /** Operations that have returned something with the key in a header. */
  #works = new Set<OperationName>();
  /** `until` by performance.now(); null: for good */
  #known: { place: Promise<KeyPlace>; until: number | null } | null = null;

  /**
   * Requests the description once. A service without one gets the key as published. After a failure the key is a parameter for ten
   * minutes.
   */
  of(
    baseUrl: string,
    { timeoutMs = TIMEOUT_MS, askAgainMs = ASK_AGAIN_MS }: { timeoutMs?: number; askAgainMs?: number } = {},
  ): Promise<KeyPlace> {
    const before = this.#known;
    if (before && (before.until === null || performance.now() < before.until)) return before.place;
    const asked: NonNullable<typeof before> = {
      until: null,
      place: askForPlace(baseUrl, Math.min(timeoutMs, TIMEOUT_MS)).catch((): KeyPlace => {
        asked.until = performance.now() + askAgainMs;
        return 'parameter';
      }),
    };
    this.#known = asked;
    return asked.place;
  }

  /** The header was refused: something between here and the service may drop it. The key is a parameter for a day. */
  keepInParameter(doubtMs = DOUBT_MS): void {
    this.#known = { place: Promise.resolve('parameter'), until: performance.now() + doubtMs };
    this.#works = new Set();
  }

  /** The service has answered the operation with something, so it has seen the header. */
  works(operation: OperationName): void {
    this.#works.add(operation);
  }

  /**
   * Whether the answer to a request with the header may be due to its place: the operation has refused it, and never accepted it. Or
   * there is nothing, and no request with the header has returned anything yet: a service may answer so without a key.
   * @param outcome the answer's value, or the error
   */
  doubts(operation: OperationName, outcome: unknown): boolean {
    if (isRefusal(outcome)) return !this.#works.has(operation);
    return this.#works.size === 0 && isNothing(outcome);
  }
}

/** A refused key, or a web page or redirect of something before the service that says the same. */
function isRefusal(error: unknown): boolean {
  if (error instanceof KeyRefusedError) return true;
  if (!(error instanceof ServiceFailedError)) return false;
  return (error.status >= 300 && error.status < 400) || (error.status >= 401 && error.status <= 403);
}

/** An empty page, a 404, a used-up quota, or a request that is called wrong. */
function isNothing(outcome: unknown): boolean {
  if (outcome instanceof BadRequestError) return outcome.status !== null;
  if (outcome instanceof ServiceFailedError) return outcome.status === 404;
  if (outcome instanceof RecordNotFoundError || outcome instanceof QuotaExceededError) return true;
  if (outcome instanceof Error || !isObject(outcome)) return false;
  const lists = Object.values(outcome).filter(Array.isArray);
  return 'truncated' in outcome && lists.every((list) => list.length === 0);
}

/** A redirect is not followed: what another host says of itself decides nothing here. */
async function askForPlace(baseUrl: string, timeoutMs: number): Promise<KeyPlace> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { statusCode, body } = await request(`${baseUrl}/openapi.json`, {
    headers: { accept: 'application/json', 'user-agent': 'filinglake' },
    signal,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > DESCRIPTION_BYTES_MAX) return 'parameter';
    chunks.push(chunk);
  }
  // A service that is away now may say it later.
  if (statusCode >= 500 || statusCode === 429) throw new Error(`/openapi.json answered ${statusCode}`);
  return statusCode === 200 ? placeIn(Buffer.concat(chunks).toString('utf8')) : 'parameter';
}

interface Description {
  security?: unknown;
  paths?: Record<string, Partial<Record<string, { security?: unknown }>> | null>;
  components?: { securitySchemes?: unknown };
}

/** @param text of a description; any other page states no header */
export function placeIn(text: string): KeyPlace {
  let description: Description | null;
  try {
    description = JSON.parse(text) as Description | null;
  } catch {
    return 'parameter';
  }
  const schemes = description?.components?.securitySchemes;
  if (!isObject(schemes)) return 'parameter';
  const used = schemesUsed(description!);
  const all = Object.entries(schemes).filter(([name, scheme]) => isObject(scheme) && (used?.has(name) ?? true));
  const has = (words: Record<string, string>) =>
    all.some(([, scheme]) =>
      Object.entries(words).every(
        ([name, word]) => String((scheme as Record<string, unknown>)[name]).toLowerCase() === word,
      ),
    );
  if (has({ type: 'http', scheme: 'bearer' })) return 'bearer';
  return has({ type: 'apikey', in: 'header', name: 'x-api-key' }) ? 'x-api-key' : 'parameter';
}

/**
 * Names of the schemes that operations under /v2 accept alone: a service may use another one for its accounts. Null: the description
 * does not say.
 */
function schemesUsed({ security, paths }: Description): Set<string> | null {
  const operations = Object.entries(isObject(paths) ? paths : {})
    .filter(([path, item]) => path.includes('/v2/') && isObject(item))
    .flatMap(([, item]) => ['get', 'post'].map((method) => (item as Record<string, unknown>)[method]))
    .filter(isObject);
  const stated = [security, ...operations.map((operation) => operation.security)].filter(Array.isArray);
  if (stated.length === 0) return null;
  const alone = stated.flat().filter((one) => isObject(one) && Object.keys(one).length === 1) as object[];
  return new Set(alone.flatMap((one) => Object.keys(one)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Only characters that a header can have as they are. */
export function fitsHeader(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}
