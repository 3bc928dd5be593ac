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

/** What services said, for the life of the process: each is asked once. */
const known = new Map<string, Promise<KeyPlace>>();

/** Asks a service once. A service without a description, or that can't be reached now, gets the key as published. */
export function keyPlaceOf(baseUrl: string): Promise<KeyPlace> {
  const before = known.get(baseUrl);
  if (before) return before;
  if (known.size >= SERVICES_MAX) known.delete(known.keys().next().value!);
  const asked = askForPlace(baseUrl).catch((): KeyPlace => {
    known.delete(baseUrl);
    return 'parameter';
  });
  known.set(baseUrl, asked);
  return asked;
}

/** The header was refused: something between here and the service may drop it. */
export function keepKeyInParameter(baseUrl: string): void {
  known.set(baseUrl, Promise.resolve('parameter'));
}

async function askForPlace(baseUrl: string): Promise<KeyPlace> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
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

/** @param text of a description; any other page states no header */
export function placeIn(text: string): KeyPlace {
  let schemes: unknown;
  try {
    const description = JSON.parse(text) as { components?: { securitySchemes?: unknown } } | null;
    schemes = description?.components?.securitySchemes;
  } catch {
    return 'parameter';
  }
  if (typeof schemes !== 'object' || schemes === null) return 'parameter';
  const all = Object.values(schemes) as Partial<Record<string, unknown>>[];
  const is = (value: unknown, text: string) => typeof value === 'string' && value.toLowerCase() === text;
  if (all.some((scheme) => is(scheme?.type, 'http') && is(scheme?.scheme, 'bearer'))) return 'bearer';
  const plain = all.some(
    (scheme) => is(scheme?.type, 'apikey') && is(scheme?.in, 'header') && is(scheme?.name, 'x-api-key'),
  );
  return plain ? 'x-api-key' : 'parameter';
}

/** Only characters that a header can have as they are. */
export function fitsHeader(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}
