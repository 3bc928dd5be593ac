/** Answers where there is no request that could be read: written onto the socket, in the shape of every other error. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from '../answers/outcome.ts';
import { requestIdOf } from './request-id.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** What Node's parser or its timers found wrong, by error code; anything else is a request that isn't HTTP. */
const UNREADABLE: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the URL and headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = UNREADABLE[error.code ?? ''] ?? [400, 'the request is not valid HTTP'];
  answerOnSocket(socket, status, message);
}

export function answerOnSocket(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestIdOf(undefined)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  if (status === 405) head.push('Allow: GET, HEAD, POST');
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** `Expect:` anything but 100-continue. Node's own answer has no body. */
export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: 'the expectation of the Expect header can not be met' });
  response.writeHead(417, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestIdOf(request.headers['x-request-id']),
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(body);
}
