/** What a trusted proxy says about a request: as fastify reads it, for requests that are answered before the router. */
import type { IncomingMessage } from 'node:http';
import addressOf from '@fastify/proxy-addr';

interface ForwardedRequest {
  /** Address of the caller */
  address: string | undefined;
  /** By TLS of this server, or by that of the proxy */
  isSecure: boolean;
}

/** @param isTrusted whether an address belongs to a trusted proxy; null: no proxy is trusted */
export function forwardedRequest(
  request: IncomingMessage,
  isTrusted: ((address: string) => boolean) | null,
): ForwardedRequest {
  const { remoteAddress } = request.socket;
  const isEncrypted = 'encrypted' in request.socket;
  if (isTrusted === null || remoteAddress === undefined || !isTrusted(remoteAddress)) {
    return { address: remoteAddress, isSecure: isEncrypted };
  }
  const address = addressOf(request, isTrusted);
  const { 'x-forwarded-proto': schemes } = request.headers;
  // If there are several, each proxy has added its own to the end.
  const scheme = schemes && String(schemes).split(',').at(-1)!.trim();
  return { address, isSecure: scheme ? scheme === 'https' : isEncrypted };
}
