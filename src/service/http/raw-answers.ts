/** Answers to unreadable requests: written to the socket, in the shape of every other error. */
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

/** Faults that Node's parser or timers find, by error code. Anything else is a request that isn't HTTP. */
const UNREADABLE: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the URL and headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};
/** Time for a client to read the last answer. */
const LINGER_MS = 2_000;

export function answerUnreadable(error: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  const method = error.code === 'HPE_INVALID_METHOD' ? unknownMethod(error.rawPacket) : null;
  const [status, message] =
    method === null
      ? (UNREADABLE[error.code ?? ''] ?? [400, 'the request is not valid HTTP'])
      : [405, `${method} is not taken here; use GET`];
  answerOnSocket(socket, status, message);
}

/** A request line with a method that Node doesn't know is still HTTP. */
function unknownMethod(packet: unknown): string | null {
  const line = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 64) : '';
  return /^([A-Z]{1,20}) \//.exec(line)?.[1] ?? null;
}

/** Answers and closes. Ending alone would keep the socket open if the client never closes its side. */
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
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
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
