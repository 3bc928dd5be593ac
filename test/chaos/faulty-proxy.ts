/** Stands before a service that may be killed, and spoils a share of its answers: 500, reset, cut in mid-body, a burst's 429. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/sample/random.ts';

export const FAULTS = ['500', 'reset', 'cut', '429'] as const;
export type Fault = (typeof FAULTS)[number];

export class FaultyProxy {
  requests = 0;
  readonly faults: Record<Fault, number> = { '500': 0, reset: 0, cut: 0, '429': 0 };
  /** Of requests whose answer is spoilt. */
  share = 0;
  /** Milliseconds before each answer: a run that is over in a moment can't be disturbed. */
  delayMs = 0;
  /** Where the service listens. */
  upstreamPort: number;
  /** Told the running number of each request. */
  onRequest: (n: number) => void = () => {};
  readonly #random: Random;
  readonly #server: Server;

  private constructor(upstreamPort: number, random: Random) {
    this.upstreamPort = upstreamPort;
    this.#random = random;
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async start(upstreamPort: number, random: Random): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstreamPort, random);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.requests++;
    this.onRequest(this.requests);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => {});
    const fault = this.#random.unit() < this.share ? FAULTS[this.#random.int(0, FAULTS.length - 1)]! : null;
    if (fault !== null) this.faults[fault]++;
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    if (this.delayMs > 0) await sleep(this.delayMs);
    if (fault === 'reset') {
      outgoing.destroy();
      return;
    }
    if (fault === '500') {
      outgoing.writeHead(500, { 'content-type': 'text/html' }).end('<html><body>Internal Server Error</body></html>');
      return;
    }
    if (fault === '429') {
      outgoing
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
        .end('{"error":"too many requests in a short time"}');
      return;
    }
    this.#ask(incoming, Buffer.concat(body), outgoing, fault === 'cut');
  }

  #ask(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, cut: boolean): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port: this.upstreamPort, method, path: url, headers }, (answer) => {
      if (!cut) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
        return;
      }
      const whole: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => whole.push(chunk));
      answer.on('error', () => outgoing.destroy());
      answer.on('end', () => {
        const all = Buffer.concat(whole);
        const headersOfAll = { ...answer.headers, 'content-length': String(all.length) };
        delete (headersOfAll as Record<string, unknown>)['transfer-encoding'];
        outgoing.writeHead(answer.statusCode ?? 502, headersOfAll);
        outgoing.write(all.subarray(0, Math.floor(all.length / 2)), () => outgoing.destroy());
      });
    });
    upstream.on('error', () => outgoing.destroy());
    upstream.end(body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
