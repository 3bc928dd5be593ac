/** One request to one operation, from its bytes to its answer. The key is checked first (docs/api.md#keys). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationName, ParametersOf } from '../../filings/api/index.ts';
import { chooseCoding } from '../answers/accept.ts';
import type { Outcome } from '../answers/outcome.ts';
import { ServiceProblem, unavailable } from '../answers/problem.ts';
import { isQuick, type QuickLookUps } from '../readers/quick-look-ups.ts';
import type { Caller, OperationRunner } from '../readers/reader-pool.ts';
import { type JsonObject, readJsonBody } from '../requests/json-body.ts';
import { apiKeyOf, keysBeforeBody, keysOfBody, readParameters } from '../requests/parameters.ts';
import { type QueryPair, readQueryString } from '../requests/query-string.ts';
import type { AccountBook } from './account-book.ts';
import { admit, requireKnownKey } from './admission.ts';
import { problemBody, problemOf, sendProblem } from './error-answers.ts';
import type { RequestNotes } from './request-notes.ts';
import { encoded, openFrame, type SenderParts, send, type Wanted } from './send-outcome.ts';

export interface PdfJob {
  parameters: ParametersOf<'pdf'>;
  accept: string | undefined;
  /** If it names the PDF's tag, the outcome has no body, and nothing is rendered */
  ifNoneMatch: string | undefined;
}

export interface PdfMaker {
  make(job: PdfJob, caller?: Caller): Promise<Outcome>;
}

export interface RouteParts extends SenderParts {
  readers: OperationRunner;
  /** Answers look-ups of a few records; without it, reader threads make every look-up */
  quick?: QuickLookUps;
  pdfs: PdfMaker;
  accounts: AccountBook;
  pricingUrl: string;
  maxResponseBytes: number;
  now: () => Date;
}

const RETRY_AFTER_SECONDS = 2;

/** The handler of an operation's path, for GET, HEAD and POST alike. */
export function operationRoute<Name extends OperationName>(name: Name, parts: RouteParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const notes = request.notes;
    notes.operation = name;
    const { key, query, body } = await readKeyedRequest(request, parts.accounts);
    const wanted = wantedBy(request);
    const parameters = readOrProblem(name, query, body);
    const quick = answerQuickly(name, parameters, request, parts);
    const quickAnswer = quick === null ? null : await encoded(quick, wanted);
    const admitted = await admit(parts, key, {
      operation: name,
      answer: quickAnswer,
      onRefused: (limit) => {
        notes.quotaRefused = limit;
      },
    });
    try {
      if (parameters instanceof ServiceProblem) throw parameters;
      const answer =
        quickAnswer ??
        (await encoded(await run(name, parameters, request, callerOf(notes, reply, admitted.addWork), parts), wanted));
      // Counted last, before the first byte is sent: an answer that the client gets is counted, one that failed here isn't.
      const quota = await admitted.settle(answer.status, answer.counted);
      const { outcome } = answer;
      const hasStream = outcome.frame && answer.status === 200 && !answer.isHead;
      const stream = hasStream ? await openFrame(outcome.frame!, outcome) : null;
      reply.hijack();
      // A form of the pages sees only headers that are set one by one.
      if (!reply.raw.socket) reply.raw.setHeader('x-request-id', request.id);
      const recipient = { response: reply.raw, requestId: request.id, key: notes.keyPrefix! };
      const isSecure = request.protocol === 'https';
      notes.bytes = send(answer, { ...recipient, isSecure }, quota, parts, stream);
      return reply;
    } catch (error) {
      const problem = problemOf(error, request);
      const bytes = request.method === 'HEAD' ? 0 : problemBody(problem).length;
      return sendProblem(reply, problem, await admitted.settle(problem.status, bytes));
    }
  };
}

/** A wrong parameter is reported after the key's quota: a request over it is refused first. */
function readOrProblem<Name extends OperationName>(
  name: Name,
  query: readonly QueryPair[],
  body: JsonObject,
): ParametersOf<Name> | ServiceProblem {
  try {
    return readParameters(name, query, body);
  } catch (error) {
    if (error instanceof ServiceProblem) return error;
    throw error;
  }
}

/** An answer in JSON from the main thread. Null: a reader thread must answer, or say what is wrong. */
function answerQuickly(
  operation: OperationName,
  parameters: ParametersOf<OperationName> | ServiceProblem,
  { method, headers: { accept }, notes }: FastifyRequest,
  { quick, pending }: RouteParts,
): Outcome | null {
  if (!quick || !isQuick(operation) || method === 'HEAD' || parameters instanceof ServiceProblem) return null;
  // Another media type may ask for the bytes of the document.
  if (operation === 'document' && accept !== undefined && !ACCEPTS_JSON.test(accept)) return null;
  if (!pending.hasRoom(notes.keyPrefix!)) return null;
  const startedAt = performance.now();
  const outcome = quick.answer({ operation, parameters });
  if (outcome !== null) notes.startedAt = startedAt;
  return outcome;
}

const ACCEPTS_JSON = /^(application\/json|\*\/\*)$/;

function wantedBy({ method, headers }: FastifyRequest): Wanted {
  const { 'accept-encoding': encodings, 'if-none-match': ifNoneMatch } = headers;
  const acceptEncoding = Array.isArray(encodings) ? encodings.join(', ') : encodings;
  return { isHead: method === 'HEAD', acceptEncoding, ifNoneMatch };
}

/** Key, query and body. An unknown key is refused before the body is read. @throws ServiceProblem 400, 401, 403, 415 */
export async function readKeyedRequest(
  request: FastifyRequest,
  accounts: AccountBook,
): Promise<{ key: string; query: QueryPair[]; body: JsonObject }> {
  const query = queryOf(request);
  const keys = keysBeforeBody(query, keyHeaders(request));
  if (keys.length > 0) request.notes.keyPrefix = (await requireKnownKey(accounts, apiKeyOf(keys))).prefix;
  const body = readBody(request);
  const key = apiKeyOf([...keys, ...keysOfBody(body)]);
  request.notes.keyPrefix ??= (await requireKnownKey(accounts, key)).prefix;
  return { key: key!, query, body };
}

/** The known key of the URL or a header. @throws ServiceProblem 401 */
export async function readKey(request: FastifyRequest, accounts: AccountBook): Promise<string> {
  const key = apiKeyOf(keysBeforeBody(queryOf(request), keyHeaders(request)));
  request.notes.keyPrefix = (await requireKnownKey(accounts, key)).prefix;
  return key!;
}

/** The prefix of a key outside the body, if it is known: before the body has arrived. */
export async function knownKeyPrefix(request: FastifyRequest, accounts: AccountBook): Promise<string | null> {
  try {
    const keys = keysBeforeBody(queryOf(request), keyHeaders(request));
    return keys.length === 0 ? null : (await requireKnownKey(accounts, apiKeyOf(keys))).prefix;
  } catch {
    // The operation finds the fault again, and names it.
    return null;
  }
}

function queryOf({ raw: { url = '' } }: FastifyRequest): QueryPair[] {
  const at = url.indexOf('?');
  return at < 0 ? [] : readQueryString(url.slice(at + 1));
}

/** Every line of a header: two different keys must not count as one. */
function keyHeaders({ raw }: FastifyRequest) {
  const { authorization, 'x-api-key': plain } = raw.headers;
  if (authorization === undefined && plain === undefined) return {};
  return raw.headersDistinct;
}

function readBody(request: FastifyRequest) {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return readJsonBody(bytes, request.headers['content-type'], request.headers['content-encoding']);
}

function run<Name extends OperationName>(
  name: Name,
  parameters: ParametersOf<Name>,
  request: FastifyRequest,
  caller: Caller,
  parts: RouteParts,
): Promise<Outcome> {
  const { accept } = request.headers;
  const { isHead: headOnly, ifNoneMatch, acceptEncoding } = wantedBy(request);
  if (name === 'pdf') {
    if (!parts.pending.hasRoom(caller.key)) throw unavailable('read the pending answers first', RETRY_AFTER_SECONDS);
    return parts.pdfs.make({ parameters: parameters as ParametersOf<'pdf'>, accept, ifNoneMatch }, caller);
  }
  const takesZstd = chooseCoding(acceptEncoding) === 'zstd';
  const context = { accept, takesZstd, maxResponseBytes: parts.maxResponseBytes, ifNoneMatch, headOnly };
  const operation = name as Exclude<OperationName, 'pdf'>;
  return parts.readers.run({ operation, parameters: parameters as ParametersOf<typeof operation>, context }, caller);
}

function callerOf(notes: RequestNotes, reply: FastifyReply, onWork: (ms: number) => void): Caller {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    key: notes.keyPrefix!,
    gone: gone.signal,
    onWork,
    onStart: () => {
      notes.startedAt = performance.now();
    },
  };
}
