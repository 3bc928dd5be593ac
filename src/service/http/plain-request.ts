/** Reads a request that is as nearly every client sends it: a GET without a body, one key, headers that change nothing. */
import type { IncomingMessage } from 'node:http';
import { type AccessionNumber, OPERATIONS, parseAccessionNumber } from '../../filings/api/index.ts';
import type { QuickOperation, QuickRequest } from '../readers/quick-look-ups.ts';
import { apiKeyOf, keysBeforeBody, readParameters } from '../requests/parameters.ts';
import { readQueryString } from '../requests/query-string.ts';

/** Requests over these limits go to the router. */
const URL_LENGTH_MAX = 1024;
const HEADER_TEXTS_MAX = 40;
const HEADER_LENGTH_MAX = 512;

type PlainQuestion = { operation: 'filing_info'; accessionNumber: AccessionNumber } | QuickRequest;

export interface PlainRequest {
  question: PlainQuestion;
  apiKey: string;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string | undefined;
}

const INFO_START = `${OPERATIONS.filing_info.path}?`;
const QUICK: readonly QuickOperation[] = ['filing_lookup', 'entity_lookup', 'document'];
const STARTS = QUICK.map((name) => [name, `${OPERATIONS[name].path}?`] as const);

/** Null: the request is wrong, or the router must look at something in it. */
export function readPlainRequest(request: IncomingMessage): PlainRequest | null {
  const { method, url = '', rawHeaders } = request;
  if (method !== 'GET' || url.length > URL_LENGTH_MAX || rawHeaders.length > HEADER_TEXTS_MAX) return null;
  const found = url.startsWith(INFO_START) ? readInfoQuery(url) : readQuery(url);
  if (found === null) return null;
  let { apiKey } = found;
  let hosts = 0;
  let accept: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let requestId: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = rawHeaders[i + 1]!;
    if (value.length > HEADER_LENGTH_MAX) return null;
    if (name === 'host') hosts++;
    else if (name === 'accept' && accept === undefined) accept = value;
    else if (name === 'accept-encoding' && acceptEncoding === undefined) acceptEncoding = value;
    else if (name === 'if-none-match' && ifNoneMatch === undefined) ifNoneMatch = value;
    else if (name === 'x-request-id' && requestId === undefined) requestId = value;
    else if (name === 'authorization' && apiKey === null && BEARER.test(value)) apiKey = value.slice('bearer '.length);
    else if (name === 'x-api-key' && apiKey === null && PLAIN_KEY.test(value)) apiKey = value;
    else if (!HARMLESS.has(name)) return null;
  }
  if (hosts !== 1 || apiKey === null) return null;
  const { question } = found;
  // Another media type may ask for the bytes of the document.
  if (question.operation === 'document' && accept !== undefined && !ACCEPTS_JSON.test(accept)) return null;
  return { question, apiKey, acceptEncoding, ifNoneMatch, requestId };
}

const BEARER = /^bearer [^\s]+$/i;
const PLAIN_KEY = /^\S+$/;
const ACCEPTS_JSON = /^(application\/json|\*\/\*)$/;
/** Headers that change nothing about these answers. A request with any other goes to the router. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept-language',
  'connection',
  'user-agent',
  'referer',
  'origin',
  'cache-control',
  'pragma',
  // Headers of proxies: forwarded.ts reads those that matter.
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-real-ip',
  'forwarded',
  'via',
  'keep-alive',
  'dnt',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'traceparent',
  'tracestate',
]);

interface FoundInQuery {
  question: PlainQuestion;
  apiKey: string | null;
}

/** `api_key` and `accession_number`, each at most once, of letters, digits and dashes only: nothing to decode. */
function readInfoQuery(url: string): FoundInQuery | null {
  let apiKey: string | null = null;
  let accessionNumber: AccessionNumber | null = null;
  for (const piece of url.slice(INFO_START.length).split('&')) {
    const at = piece.indexOf('=');
    const name = piece.slice(0, at);
    const value = piece.slice(at + 1);
    if (!/^[\w-]+$/.test(value)) return null;
    if (name === 'api_key' && apiKey === null) apiKey = value;
    else if (name === 'accession_number' && accessionNumber === null) {
      accessionNumber = parseAccessionNumber(value);
      if (accessionNumber === null) return null;
    } else return null;
  }
  return accessionNumber === null ? null : { question: { operation: 'filing_info', accessionNumber }, apiKey };
}

/** Reads the parameters as the router's operations do. Null: they are wrong, and the operation says why. */
function readQuery(url: string): FoundInQuery | null {
  const start = STARTS.find(([, path]) => url.startsWith(path));
  if (start === undefined) return null;
  const [operation, path] = start;
  try {
    const query = readQueryString(url.slice(path.length));
    const apiKey = apiKeyOf(keysBeforeBody(query, {})) ?? null;
    return { question: { operation, parameters: readParameters(operation, query, {}) }, apiKey };
  } catch {
    return null;
  }
}
