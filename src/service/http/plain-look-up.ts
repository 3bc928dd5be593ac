/**
 * filing_info as nearly every client sends it: a GET without a body, one key, one accession number, an answer that needs no
 * compression. It is answered before the router. Every other request, and every refusal, takes the
 * ordinary way; an answer is the same both ways (test/integration/service/plain-look-up.test.ts).
 */
import { isAscii } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { type AccessionNumber, parseAccessionNumber } from '../../api/index.ts';
import type { Admission } from '../../catalog/index.ts';
import { chooseCoding } from '../answers/accept.ts';
import { MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import { JSON_TYPE, type Outcome } from '../answers/outcome.ts';
import type { QuickLookUps } from '../readers/quick-look-ups.ts';
import { type AccessLog, logAnswered } from './access-log.ts';
import type { AccountBook } from './account-book.ts';
import { SHARED_HEADERS, STRICT_TRANSPORT } from './cross-origin.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { quotaHeaders } from './quota-headers.ts';
import { requestIdOf } from './request-id.ts';
import { shownPath } from './shown-text.ts';

export interface PlainLookUpParts {
  quick: QuickLookUps;
  accounts: AccountBook;
  pending: PendingAnswers;
  now: () => Date;
  logger: FastifyBaseLogger;
  isClosing: () => boolean;
  accessLog?: AccessLog;
}

const OPERATION = 'filing_info';
const PATH = '/v2/filing_info?';
/** Longer URLs and more headers are looked at by the ordinary way, with its limits. */
const URL_LENGTH_MAX = 256;
const HEADER_TEXTS_MAX = 40;
const HEADER_LENGTH_MAX = 512;

interface PlainRequest {
  accessionNumber: AccessionNumber;
  apiKey: string;
  acceptEncoding: string | undefined;
  requestId: string | undefined;
}

/** A request until its turn. */
interface Arrived extends PlainRequest {
  request: IncomingMessage;
  response: ServerResponse;
  arrivedAt: number;
  /** The ordinary way; called once if the request is not answered here */
  otherwise: () => void;
}

/** A request of a known key, with its answer. */
interface Answerable extends Arrived {
  prefix: string;
  outcome: Outcome;
}

/**
 * Requests that arrive in one turn of the event loop share one look at the keys, one at the catalog and one transaction that counts
 * them. Under load that is most of the work of a request.
 */
export class PlainLookUps {
  readonly #parts: PlainLookUpParts;
  readonly #shared = Object.entries(SHARED_HEADERS).flat();
  #arrived: Arrived[] = [];

  constructor(parts: PlainLookUpParts) {
    this.#parts = parts;
  }

  /** @param otherwise the ordinary way; called once if the request is not answered here */
  answer(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const plain = this.#parts.isClosing() ? null : readPlainRequest(request);
    if (plain === null) return void otherwise();
    if (this.#arrived.length === 0) setImmediate(() => this.#answerAll());
    this.#arrived.push({ ...plain, request, response, arrivedAt: performance.now(), otherwise });
  }

  #answerAll(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    let answerable: Answerable[];
    try {
      answerable = this.#lookUp(arrived);
    } catch {
      // The accounts or the catalog are busy or damaged: the ordinary way finds it again, and answers.
      for (const { otherwise } of arrived) otherwise();
      return;
    }
    if (answerable.length === 0) return;
    const { accounts, now } = this.#parts;
    const date = now();
    const otherwiseAll = () => {
      for (const { otherwise } of answerable) otherwise();
    };
    const finish = (admissions: (Admission | null)[]) => {
      for (const [i, one] of answerable.entries()) {
        const admission = admissions[i];
        if (admission?.outcome === 'admitted') this.#send(one, quotaHeaders(admission.quota, date));
        else one.otherwise();
      }
    };
    const counted = answerable.map(({ apiKey, outcome: { size: bytes } }) => ({ apiKey, bytes, operation: OPERATION }));
    let admissions: ReturnType<AccountBook['countAll']>;
    try {
      admissions = accounts.countAll(counted, date);
    } catch {
      otherwiseAll();
      return;
    }
    if (admissions instanceof Promise) admissions.then(finish, otherwiseAll);
    else finish(admissions);
  }

  /** Sends requests that this way can't answer the other way. @returns the others */
  #lookUp(arrived: readonly Arrived[]): Answerable[] {
    const { accounts, pending, quick } = this.#parts;
    const keys = accounts.findAll(arrived.map(({ apiKey }) => apiKey));
    const known = arrived.flatMap((one, i) => {
      const key = keys[i]!;
      return key && !key.closed && !one.response.destroyed && pending.hasRoom(key.prefix)
        ? [{ ...one, prefix: key.prefix }]
        : [];
    });
    const outcomes = known.length > 0 ? quick.filingInfos(known.map(({ accessionNumber }) => accessionNumber)) : [];
    const answerable = known.flatMap((one, i) => {
      const outcome = outcomes[i]!;
      return outcome && !isCompressed(one.acceptEncoding, outcome.size) ? [{ ...one, outcome }] : [];
    });
    const here = new Set(answerable.map(({ response }) => response));
    for (const { response, otherwise } of arrived) if (!here.has(response)) otherwise();
    return answerable;
  }

  #send({ request, response, outcome, prefix, arrivedAt, requestId }: Answerable, quota: Record<string, string>): void {
    const { body } = outcome;
    const id = requestIdOf(requestId);
    const headers = [
      ...['x-request-id', id, ...this.#shared, 'vary', 'Accept, Accept-Encoding'],
      ...['cache-control', 'private, no-cache', 'etag', outcome.etag!],
      ...['content-type', JSON_TYPE, 'content-length', String(body.byteLength)],
    ];
    if ('encrypted' in request.socket) headers.push(...Object.entries(STRICT_TRANSPORT).flat());
    for (const name in quota) headers.push(name, quota[name]!);
    if (this.#parts.isClosing()) headers.push('connection', 'close');
    response.writeHead(200, headers);
    // As a text it is sent in one piece with the headers.
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
    response.end(bytes.toString(encoding), encoding);
    const answered = { prefix, arrivedAt, requestId: id, bytes: body.byteLength };
    const { socket } = response;
    if (socket !== null && !socket.destroyed && socket.writableLength === 0) {
      // The system has taken the answer already.
      this.#log(request, answered, true);
      return;
    }
    this.#parts.pending.add(prefix, body.byteLength, response);
    response.once('close', () => this.#log(request, answered, response.writableFinished));
  }

  #log(
    request: IncomingMessage,
    of: { prefix: string; arrivedAt: number; requestId: string; bytes: number },
    complete: boolean,
  ): void {
    const totalMs = performance.now() - of.arrivedAt;
    logAnswered(this.#parts.logger, this.#parts.accessLog, {
      ...{ method: 'GET', path: shownPath(request.url!), operation: OPERATION, key: of.prefix, status: 200 },
      quotaRefused: null,
      ...{ address: request.socket.remoteAddress, waitMs: 0, workMs: totalMs, totalMs },
      ...{ bytesSent: complete ? of.bytes : 0, complete, requestId: of.requestId },
    });
  }
}

function isCompressed(acceptEncoding: string | undefined, bytes: number): boolean {
  return bytes >= MIN_BYTES_TO_COMPRESS && acceptEncoding !== undefined && chooseCoding(acceptEncoding) !== null;
}

/** Null: anything about the request is out of the ordinary. */
export function readPlainRequest(request: IncomingMessage): PlainRequest | null {
  const { url = '', rawHeaders } = request;
  if (request.method !== 'GET' || !url.startsWith(PATH) || url.length > URL_LENGTH_MAX) return null;
  if (rawHeaders.length > HEADER_TEXTS_MAX) return null;
  const parameters = readQuery(url);
  if (parameters === null) return null;
  let { apiKey } = parameters;
  let hosts = 0;
  let acceptEncoding: string | undefined;
  let requestId: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = rawHeaders[i + 1]!;
    if (value.length > HEADER_LENGTH_MAX) return null;
    if (name === 'host') hosts++;
    else if (name === 'accept-encoding' && acceptEncoding === undefined) acceptEncoding = value;
    else if (name === 'x-request-id' && requestId === undefined) requestId = value;
    else if (name === 'authorization' && apiKey === null && BEARER.test(value)) apiKey = value.slice('bearer '.length);
    else if (name === 'x-api-key' && apiKey === null && value !== '') apiKey = value;
    else if (!HARMLESS.has(name)) return null;
  }
  const accessionNumber = parseAccessionNumber(parameters.accessionNumber);
  if (hosts !== 1 || apiKey === null || accessionNumber === null) return null;
  return { accessionNumber, apiKey, acceptEncoding, requestId };
}

const BEARER = /^bearer [^\s]+$/i;
/** Headers that change nothing about this answer. A header that is not listed takes the ordinary way. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-language', 'connection', 'user-agent', 'referer', 'origin', 'cache-control', 'pragma'],
  ...['keep-alive', 'dnt', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'traceparent', 'tracestate'],
]);

/** `api_key` and `accession_number`, each at most once, of letters, digits and dashes only: nothing to decode. */
function readQuery(url: string): { apiKey: string | null; accessionNumber: string } | null {
  let apiKey: string | null = null;
  let accessionNumber: string | null = null;
  for (const piece of url.slice(PATH.length).split('&')) {
    const at = piece.indexOf('=');
    const name = piece.slice(0, at);
    const value = piece.slice(at + 1);
    if (!/^[\w-]+$/.test(value)) return null;
    if (name === 'api_key' && apiKey === null) apiKey = value;
    else if (name === 'accession_number' && accessionNumber === null) accessionNumber = value;
    else return null;
  }
  return accessionNumber === null ? null : { apiKey, accessionNumber };
}
