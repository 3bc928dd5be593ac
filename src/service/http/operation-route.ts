/** One request to one operation, from its bytes to its answer. The order of the steps is CONTRACT section 3's. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationName } from '../../contract/index.ts';
import { chooseCoding } from '../answers/accept.ts';
import { compress, isCompressible, MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import { matchesEtag } from '../answers/etag.ts';
import type { Outcome } from '../answers/outcome.ts';
import type { OperationRunner } from '../readers/reader-pool.ts';
import { checkCombination } from '../requests/combinations.ts';
import { type JsonObject, readJsonBody } from '../requests/json-body.ts';
import { apiKeyOf, type ParametersOf, readParameters } from '../requests/parameters.ts';
import { type QueryPair, readQueryString } from '../requests/query-string.ts';
import { type AccountBook, type Admitted, admit } from './admission.ts';
import { problemBody, problemOf, sendProblem } from './error-answers.ts';

export interface PdfJob {
  parameters: ParametersOf<'pdf'>;
  accept: string | undefined;
  /** Where it names the PDF's tag, nothing is rendered: the outcome has no body */
  ifNoneMatch: string | undefined;
}

export interface PdfMaker {
  make(job: PdfJob): Promise<Outcome>;
}

export interface RouteParts {
  readers: OperationRunner;
  pdfs: PdfMaker;
  accounts: AccountBook;
  pricingUrl: string;
  maxResponseBytes: number;
  now: () => Date;
}

interface Sent {
  query: QueryPair[];
  body: JsonObject;
}

/** The handler of an operation's path, for GET, HEAD and POST alike. */
export function operationRoute<Name extends OperationName>(name: Name, parts: RouteParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const sent = readSent(request);
    const key = apiKeyOf(sent.query, sent.body);
    const admitted = admit(parts.accounts, key, parts.pricingUrl, parts.now());
    try {
      const parameters = readParameters(name, sent.query, sent.body);
      checkCombination(name, parameters);
      const outcome = await run(name, parameters, request, parts);
      return await sendOutcome(request, reply, outcome, admitted);
    } catch (error) {
      const problem = problemOf(error, request);
      const bytes = request.method === 'HEAD' ? 0 : problemBody(problem).length;
      return sendProblem(reply, problem, admitted.settle(problem.status, bytes));
    }
  };
}

function readSent(request: FastifyRequest): Sent {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const query = at < 0 ? [] : readQueryString(url.slice(at + 1));
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { query, body: readJsonBody(bytes, request.headers['content-type'], request.headers['content-encoding']) };
}

function run<Name extends OperationName>(
  name: Name,
  parameters: ParametersOf<Name>,
  request: FastifyRequest,
  parts: RouteParts,
): Promise<Outcome> {
  const accept = request.headers.accept;
  if (name === 'pdf') {
    const job = {
      parameters: parameters as ParametersOf<'pdf'>,
      accept,
      ifNoneMatch: request.headers['if-none-match'],
    };
    return parts.pdfs.make(job);
  }
  const takesZstd = chooseCoding(encodingsOf(request)) === 'zstd';
  const context = { accept, takesZstd, maxResponseBytes: parts.maxResponseBytes };
  const operation = name as Exclude<OperationName, 'pdf'>;
  return parts.readers.run({ operation, parameters: parameters as ParametersOf<typeof operation>, context });
}

async function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Outcome,
  admitted: Admitted,
): Promise<FastifyReply> {
  reply.headers({
    vary: 'Accept, Accept-Encoding',
    'cache-control': outcome.etag === null ? 'no-store' : 'private, no-cache',
    ...(outcome.etag === null ? {} : { etag: outcome.etag }),
  });
  if (outcome.etag !== null && matchesEtag(request.headers['if-none-match'], outcome.etag)) {
    return reply.code(304).headers(admitted.settle(304, 0)).send();
  }
  const coding = outcome.coding ?? codingFor(request, outcome);
  const body = coding && coding !== outcome.coding ? await compress(outcome.body, coding) : outcome.body;
  // Settled last, and before the first byte goes out: what the client has in hand is counted, what failed here isn't.
  const quota = admitted.settle(200, request.method === 'HEAD' ? 0 : outcome.size);
  reply.headers({ ...outcome.headers, ...quota, 'content-length': String(body.byteLength) });
  if (coding) reply.header('content-encoding', coding);
  return reply.type(outcome.contentType).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

function codingFor(request: FastifyRequest, outcome: Outcome) {
  if (outcome.body.byteLength < MIN_BYTES_TO_COMPRESS || !isCompressible(outcome.contentType)) return null;
  return chooseCoding(encodingsOf(request));
}

function encodingsOf(request: FastifyRequest): string | undefined {
  const header = request.headers['accept-encoding'];
  return Array.isArray(header) ? header.join(', ') : header;
}
