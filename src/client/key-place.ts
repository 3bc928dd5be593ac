/**
 * The place of the key in a request. The published interface has it among the parameters, and so in logs of addresses. A service
 * whose /openapi.json names a header for it is sent the header.
 */
import { request } from 'undici';

export type KeyPlace = 'parameter' | 'bearer' | 'x-api-key';

/** A description takes no longer than this, or the key stays among the parameters. */
const TIMEOUT_MS = 5_000;
const DESCRIPTION_BYTES_MAX = 4 * 2 ** 20;
const SERVICES_MAX = 100;
/** After this the description is requested again. An outage must not double the requests. */
const ASK_AGAIN_MS = 10 * 60_000;

interface Known {
  place: Promise<KeyPlace>;
  /** By performance.now(); null: for the life of the process */
  until: number | null;
}

/** What services said. */
const known = new Map<string, Known>();

/**
 * Requests the description once. A service without one gets the key as published. After a failure the key is a parameter for ten
 * minutes.
 */
export function keyPlaceOf(
  baseUrl: string,
  { timeoutMs = TIMEOUT_MS, askAgainMs = ASK_AGAIN_MS }: { timeoutMs?: number; askAgainMs?: number } = {},
): Promise<KeyPlace> {
  const before = known.get(baseUrl);
  if (before && (before.until === null || performance.now() < before.until)) return before.place;
  if (known.size >= SERVICES_MAX) known.delete(known.keys().next().value!);
  const asked: Known = {
    until: null,
    place: askForPlace(baseUrl, Math.min(timeoutMs, TIMEOUT_MS)).catch((): KeyPlace => {
      asked.until = performance.now() + askAgainMs;
      return 'parameter';
    }),
  };
  known.set(baseUrl, asked);
  return asked.place;
}

/** The header was refused: something between here and the service may drop it. */
export function keepKeyInParameter(baseUrl: string): void {
  known.set(baseUrl, { place: Promise.resolve('parameter'), until: null });
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
