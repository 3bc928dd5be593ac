/** A proxy before a store that loses answers, cuts connections and refuses, as its rules say. It counts what it passes on. */
import { type IncomingMessage, request } from 'node:http';
import { serve } from '../local-server.ts';

/** `lose`: the store carries the request out, and the answer is lost; `cut`: it never sees it. A number: the proxy's own status. */
export type Fault = 'lose' | 'cut' | number | null;

export interface FaultyProxy {
  readonly url: string;
  /** Method and path of all requests since the last `clear`. */
  readonly seen: string[];
  clear(): void;
  /** What happens to the next requests. */
  rule: (request: { method: string; url: string }) => Fault;
  stop(): Promise<void>;
}

export const FAULT_CODES: Readonly<Record<number, string>> = {
  403: 'AccessDenied',
  409: 'ConditionalRequestConflict',
  500: 'InternalError',
  501: 'NotImplemented',
  503: 'SlowDown',
};

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const seen: string[] = [];
  const server = await serve(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    seen.push(`${method} ${url}`);
    const fault = proxy.rule({ method, url });
    const body = await bodyOf(incoming).catch(() => null);
    if (body === null) return;
    if (fault === 'cut') return void incoming.socket.destroy();
    if (typeof fault === 'number') {
      outgoing.writeHead(fault, { 'content-type': 'application/xml' });
      outgoing.end(
        fault < 300 ? '' : `<Error><Code>${FAULT_CODES[fault]}</Code><Message>of the test</Message></Error>`,
      );
      return;
    }
    // The Host header is part of the signature.
    const { 'transfer-encoding': _, ...headers } = incoming.headers;
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      if (fault === 'lose') {
        answer.resume();
        answer.once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => incoming.socket.destroy());
    onward.end(body);
  });
  const proxy: FaultyProxy = {
    url: server.url,
    seen,
    clear: () => void seen.splice(0),
    rule: () => null,
    stop: () => server.close(),
  };
  return proxy;
}

export async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
