/** The HTTP frame: paths, methods, limits, ids, errors. The operations are passed in, so that tests need no catalog. */
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { nearestWord } from '../../core/index.ts';
import { OPERATIONS, type OperationName, USAGE } from '../../filings/api/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { ServiceProblem, unavailable } from '../answers/problem.ts';
import { type AccessLog, logAnswer } from './access-log.ts';
import type { UsageBook } from './account-book.ts';
import { BodyBudget, isLargeBody } from './body-budget.ts';
import { answerPreflight, isPreflight, SHARED_HEADERS, STRICT_TRANSPORT } from './cross-origin.ts';
import { pathOf, problemOf, sendProblem } from './error-answers.ts';
import { DEFAULT_LIMITS, MAX_BODY_BYTES, MAX_HEADER_BYTES, MAX_URL_BYTES } from './limits.ts';
import { type DescribedPath, openApiDocument } from './openapi.ts';
import { knownKeyPrefix, operationRoute, type RouteParts } from './operation-route.ts';
import { answerExpectation, answerOnSocket, answerUnreadable } from './raw-answers.ts';
import { requestIdOf } from './request-id.ts';
import { newNotes } from './request-notes.ts';
import { createHttpServer, type TlsFiles } from './server.ts';
import { isTrustedProxy } from './trusted-proxies.ts';
import { usageRoute } from './usage-route.ts';

const METHODS = ['GET', 'HEAD', 'POST'] as const;

interface OpenAnswer {
  status: number;
  body: string | Buffer;
}

/** A path outside /v2 that needs no key. */
export interface OpenPath extends DescribedPath {
  answer: () => OpenAnswer | Promise<OpenAnswer>;
}

interface AppParts extends RouteParts {
  logger: FastifyBaseLogger;
  version: string;
  maxConnections?: number;
  maxConnectionsOfAddress?: number;
  headersTimeoutMs?: number;
  /** Limit for request bodies that are arriving */
  bodyBytesMax?: number;
  /** HTTPS in place of HTTP */
  tls?: TlsFiles;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted */
  trustedProxies?: readonly string[];
  /** `/readyz`, `/metrics`, unless they have an address of their own */
  openPaths?: readonly OpenPath[];
  accessLog?: AccessLog;
  /** /v2/usage; absent: there is no such path */
  usage?: UsageBook;
  /** Adds further paths: accounts, pages. */
  addPaths?: (app: FastifyInstance) => void;
}

/** Methods by path */
type Routes = ReadonlyMap<string, readonly string[]>;

/** The app, and its paths as `GET /v2/document`; without pages and accounts, which are for people. */
type ServiceApp = FastifyInstance & { routes: string[] };

export function createApp(parts: AppParts): ServiceApp {
  const isTrusted = parts.trustedProxies ? isTrustedProxy(parts.trustedProxies) : null;
  const app = fastify({
    loggerInstance: parts.logger,
    // fastify's own lines would have the URL, and with it the key.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // A logger for each request costs more than its line: lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: isTrusted ?? false,
    serverFactory: (handler) =>
      createHttpServer(handler, {
        headersTimeoutMs: parts.headersTimeoutMs ?? DEFAULT_LIMITS.headersTimeoutMs,
        maxConnections: parts.maxConnections,
        tls: parts.tls,
        maxConnectionsOfAddress: parts.maxConnectionsOfAddress,
        trustedProxies: parts.trustedProxies,
        onUnreadable: answerUnreadable,
      }),
    frameworkErrors: (error, request, reply) => void sendProblem(reply, problemOf(error, request)),
    // createHttpServer handles them: onUnreadable.
    clientErrorHandler: () => undefined,
  });
  app.server.on('checkExpectation', answerExpectation);
  app.server.on('connect', (_request, socket) =>
    answerOnSocket(socket, 405, 'this is not a proxy: CONNECT is not allowed'),
  );
  // Raw bodies: requests/json-body.ts checks media type and JSON, and has the messages.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('QUERY', { hasBody: true, overrideExisting: true });
  app.decorateRequest('notes');
  const bodies = new BodyBudget(parts.bodyBytesMax);
  const routes = new Map<string, string[]>();
  app.addHook('onRoute', ({ method, url }) => {
    routes.set(url, [...(routes.get(url) ?? []), ...[method].flat()]);
  });

  app.addHook('onRequest', (request, reply, done) => {
    request.notes = newNotes();
    reply.headers({ 'x-request-id': request.id, ...SHARED_HEADERS });
    // By TLS of this server, or by that of a trusted proxy.
    if (request.protocol === 'https') reply.headers(STRICT_TRANSPORT);
    if (isPreflight(request)) return void answerPreflight(reply);
    // fastify refuses it itself, with 400, if it has no body.
    if (request.method === 'QUERY') return done(routingProblem(request, routes));
    done(problemOfFrame(request, parts.isClosing()));
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!isLargeBody(request)) return done(null, payload);
    void knownKeyPrefix(request, parts.accounts).then((key) => done(null, bodies.count(request, reply, payload, key)));
  });
  // A kept-alive connection would delay the shutdown until the client closes it.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (parts.isClosing()) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { raw, notes, ip } = request;
    logAnswer(request.log, parts.accessLog, {
      request: raw,
      requestId: request.id,
      notes,
      address: ip,
      status: reply.statusCode,
      complete: reply.raw.writableFinished,
      arrivedAt: performance.now() - reply.elapsedTime,
      bytes: notes.bytes ?? Number(reply.getHeader('content-length') ?? 0),
    });
    done();
  });
  app.setErrorHandler((error, request, reply) => sendProblem(reply, problemOf(error, request)));

  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    app.route({ method: [...METHODS], url: OPERATIONS[name].path, handler: operationRoute(name, parts) });
  }
  const open = withDescription(parts.version, [healthPath(parts.version), ...(parts.openPaths ?? [])]);
  for (const { path, contentType, answer } of open) {
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = await answer();
      return reply
        .code(status)
        .headers({ 'content-length': String(Buffer.byteLength(body)), 'cache-control': 'no-store' })
        .type(contentType)
        .send(body);
    };
    app.route({ method: ['GET', 'HEAD'], url: path, handler });
  }
  if (parts.usage) app.route({ method: [...METHODS], url: USAGE.path, handler: usageRoute(parts.usage, parts) });
  const ofInterface = [...routes].flatMap(([url, methods]) => methods.map((method) => `${method} ${url}`));
  parts.addPaths?.(app);
  app.setNotFoundHandler((request, reply) => sendProblem(reply, routingProblem(request, routes)));
  return Object.assign(app, { routes: ofInterface });
}

function healthPath(version: string): OpenPath {
  const body = Buffer.from(JSON.stringify({ status: 'ok', service: 'filinglake', version }));
  return {
    path: '/healthz',
    summary: 'Whether the process runs',
    contentType: JSON_TYPE,
    statuses: { 200: 'It runs' },
    answer: () => ({ status: 200, body }),
  };
}

/** The paths, and `/openapi.json`, which describes them and itself. */
function withDescription(version: string, paths: readonly OpenPath[]): OpenPath[] {
  const own: DescribedPath = {
    path: '/openapi.json',
    summary: 'This description of the interface',
    contentType: JSON_TYPE,
    statuses: { 200: 'An OpenAPI 3.1 document' },
  };
  const body = Buffer.from(JSON.stringify(openApiDocument(version, [...paths, own])));
  return [...paths, { ...own, answer: () => ({ status: 200, body }) }];
}

/** Problems that any request may have. */
function problemOfFrame(request: FastifyRequest, closing: boolean): ServiceProblem | undefined {
  if (closing) return unavailable('the service is shutting down', 5);
  // Counted in characters first: nearly every URL is far below, and no character has more than three bytes.
  const url = request.raw.url ?? '';
  if (url.length * 3 > MAX_URL_BYTES && Buffer.byteLength(url) > MAX_URL_BYTES) {
    return new ServiceProblem(414, `the URL is longer than ${MAX_URL_BYTES} bytes; send the parameters as a JSON body`);
  }
  let headerBytes = 0;
  let hosts = 0;
  const { rawHeaders } = request.raw;
  for (let i = 0; i < rawHeaders.length; i++) {
    const text = rawHeaders[i]!;
    headerBytes += text.length;
    if (i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host') hosts++;
  }
  if (headerBytes > MAX_HEADER_BYTES) {
    return new ServiceProblem(431, `the headers of the request are longer than ${MAX_HEADER_BYTES} bytes`);
  }
  if (hosts > 1) return new ServiceProblem(400, 'the request has more than one Host header');
  if (hosts === 0 && request.raw.httpVersion === '1.1') return new ServiceProblem(400, 'the Host header is required');
  return undefined;
}

/** An unknown path: 404. A known path with another method: 405. */
function routingProblem(request: FastifyRequest, routes: Routes): ServiceProblem {
  const path = pathOf(request);
  const methods = routes.get(path);
  if (methods) {
    return new ServiceProblem(405, `${request.method} is not taken here; use ${methods[0]}`, {
      headers: { allow: methods.join(', ') },
    });
  }
  const near = nearestWord(
    path,
    Object.values(OPERATIONS).map((operation) => operation.path),
  );
  return new ServiceProblem(
    404,
    `no such path: ${path}${near ? `; did you mean ${near}?` : '; /openapi.json describes this service'}`,
  );
}
