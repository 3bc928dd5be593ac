/** The HTTP server under the app: its limits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from '../accounts/index.ts';
import { LateTimeouts } from './late-timeouts.ts';
import { KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_TIMEOUT_MS, MAX_PARSED_BYTES, REQUEST_TIMEOUT_MS } from './limits.ts';
import { isTrustedProxy } from './trusted-proxies.ts';

/** Certificate chain and private key, as PEM. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

interface ServerOptions {
  headersTimeoutMs: number;
  maxConnections?: number | undefined;
  /** Limit for one address; trusted proxies are exempt */
  maxConnectionsOfAddress?: number | undefined;
  trustedProxies?: readonly string[] | undefined;
  tls?: TlsFiles | undefined;
  /** Answers a request that can't be read, or that did not arrive in time */
  onUnreadable: (error: NodeJS.ErrnoException, socket: Duplex) => void;
  keepAliveTimeoutMs?: number;
  keepAliveMarginMs?: number;
}

/**
 * How often connections are checked for late headers. Thousands of silent connections then end a few at a time: their ends in one
 * turn of the event loop would delay every other request.
 */
const CHECK_MS = 200;

export function createHttpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  settings: ServerOptions,
): Server {
  const { headersTimeoutMs, maxConnections, tls } = settings;
  const options = {
    maxHeaderSize: MAX_PARSED_BYTES,
    // Without a Host header Node would answer an empty 400.
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: settings.keepAliveTimeoutMs ?? KEEP_ALIVE_TIMEOUT_MS,
    keepAliveTimeoutBuffer: settings.keepAliveMarginMs ?? KEEP_ALIVE_MARGIN_MS,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs / 4),
  };
  const late = new LateTimeouts();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    late.note(request);
    handler(request, response);
  };
  const server: Server = tls
    ? createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, listener)
    : createServer(options, listener);
  late.watch(server);
  if (settings.maxConnectionsOfAddress !== undefined) {
    limitAddresses(server, settings.maxConnectionsOfAddress, isTrustedProxy(settings.trustedProxies ?? []));
  }
  server.on('clientError', late.patient(settings.onUnreadable));
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  return server;
}

/**
 * Closes connections beyond the share of their address at once. An IPv6 address counts with its /64 network, which one caller has.
 * @param isExempt addresses of proxies, behind which are many callers
 */
export function limitAddresses(server: Server, most: number, isExempt: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // The caller has left already.
    if (address === undefined) return void socket.destroy();
    if (isExempt(address)) return;
    const network = networkOf(address);
    const before = open.get(network) ?? 0;
    if (before >= most) return void socket.destroy();
    open.set(network, before + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
