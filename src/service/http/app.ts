/** The HTTP frame: paths, methods, limits, ids, errors. Operations come from outside; so the frame is tested without a catalog. */
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { nearestWord, OPERATIONS, type OperationName } from '../../contract/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { ServiceProblem, unavailable } from '../problem.ts';
import { pathOf, problemOf, sendProblem } from './error-answers.ts';
import {
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_PARSED_BYTES,
  MAX_URL_BYTES,
  REQUEST_TIMEOUT_MS,
} from './limits.ts';
import { openApiDocument } from './openapi.ts';
import { operationRoute, type RouteParts } from './operation-route.ts';
import { answerExpectation, answerOnSocket, answerUnreadable } from './raw-answers.ts';
import { requestIdOf } from './request-id.ts';

const METHODS = ['GET', 'HEAD', 'POST'] as const;

export interface AppParts extends RouteParts {
  logger: FastifyBaseLogger;
  version: string;
  /** The service ends: requests that still come in over open connections are answered 503 */
  isClosing: () => boolean;
}

export function createApp(parts: AppParts): FastifyInstance {
  const app = fastify({
    loggerInstance: parts.logger,
    // Its own lines would hold the URL, and with it the key.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Without a Host header Node would answer an empty 400.
    http: { maxHeaderSize: MAX_PARSED_BYTES, requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, problemOf(error, request)),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket),
  });
  app.server.on('checkExpectation', answerExpectation);
  app.server.on('connect', (_request, socket) => answerOnSocket(socket, 405, 'this is no proxy: CONNECT is not taken'));
  // Bodies as they are: media type and JSON are judged where the words for them are (requests/json-body.ts).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    requireAcceptable(request, parts.isClosing());
  });
  // A connection kept alive would hold the closing service until the client lets go.
  app.addHook('onSend', async (_request, reply) => {
    if (parts.isClosing()) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
  app.setErrorHandler((error, request, reply) => sendProblem(reply, problemOf(error, request)));
  app.setNotFoundHandler((request, reply) => sendProblem(reply, routingProblem(request)));

  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    app.route({ method: [...METHODS], url: OPERATIONS[name].path, handler: operationRoute(name, parts) });
  }
  const health = Buffer.from(JSON.stringify({ status: 'ok', service: 'filinglake', version: parts.version }));
  const spec = Buffer.from(JSON.stringify(openApiDocument(parts.version)));
  app.route({ method: ['GET', 'HEAD'], url: '/healthz', handler: (_request, reply) => sendJson(reply, health) });
  app.route({ method: ['GET', 'HEAD'], url: '/openapi.json', handler: (_request, reply) => sendJson(reply, spec) });
  return app;
}

function sendJson(reply: FastifyReply, body: Buffer): FastifyReply {
  return reply.header('content-length', String(body.length)).type(JSON_TYPE).send(body);
}

function requireAcceptable(request: FastifyRequest, closing: boolean): void {
  if (closing) throw unavailable('the service is shutting down', 5);
  if (Buffer.byteLength(request.raw.url ?? '') > MAX_URL_BYTES) {
    throw new ServiceProblem(414, `the URL is longer than ${MAX_URL_BYTES} bytes; send the parameters as a JSON body`);
  }
  const headerBytes = request.raw.rawHeaders.reduce((bytes, text) => bytes + text.length, 0);
  if (headerBytes > MAX_HEADER_BYTES) {
    throw new ServiceProblem(431, `the headers of the request are longer than ${MAX_HEADER_BYTES} bytes`);
  }
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new ServiceProblem(400, 'the Host header is required');
  }
}

/** A path nobody serves: 404; a known one asked by another method: 405. */
function routingProblem(request: FastifyRequest): ServiceProblem {
  const path = pathOf(request);
  const operations = Object.values(OPERATIONS).map((operation) => operation.path as string);
  if (operations.includes(path)) {
    return new ServiceProblem(405, `${request.method} is not taken here; use GET`, {
      headers: { allow: 'GET, HEAD, POST' },
    });
  }
  if (path === '/healthz' || path === '/openapi.json') {
    return new ServiceProblem(405, `${request.method} is not taken here; use GET`, { headers: { allow: 'GET, HEAD' } });
  }
  const near = nearestWord(path, operations);
  return new ServiceProblem(
    404,
    `no such path: ${path.slice(0, 200)}${near ? `; did you mean ${near}?` : '; /openapi.json describes this service'}`,
  );
}

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
  const length = Number(reply.getHeader('content-length') ?? 0);
  request.log.info(
    {
      request_id: request.id,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      milliseconds,
      bytes_sent: length,
    },
    'answered',
  );
}
