/** The HTTP server under the app: its limits, and the look-ups that are answered before the router. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { KEEP_ALIVE_TIMEOUT_MS, MAX_PARSED_BYTES, REQUEST_TIMEOUT_MS } from './limits.ts';
import type { PlainLookUps } from './plain-look-up.ts';

/** Certificate chain and private key, as PEM. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

export interface ServerOptions {
  headersTimeoutMs: number;
  maxConnections?: number | undefined;
  tls?: TlsFiles | undefined;
  plain?: PlainLookUps | undefined;
}

export function createHttpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { headersTimeoutMs, maxConnections, tls, plain }: ServerOptions,
): Server {
  const options = {
    maxHeaderSize: MAX_PARSED_BYTES,
    // Without a Host header Node would answer an empty 400.
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: headersTimeoutMs / 4,
  };
  const listener = plain
    ? (request: IncomingMessage, response: ServerResponse) =>
        plain.answer(request, response, () => handler(request, response))
    : handler;
  const server: Server = tls
    ? createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, listener)
    : createServer(options, listener);
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  return server;
}
