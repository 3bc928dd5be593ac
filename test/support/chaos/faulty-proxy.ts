/** Stands before a service that may be killed, and spoils a share of its answers: 500, reset, cut in mid-body, a burst's 429. */
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../src/cli/sample/companies/random.ts';
import { LocalServer } from '../local-server.ts';
import type { AnswersChanged, ChangedAnswer } from './answers-changed.ts';

export const FAULTS = ['500', 'reset', 'cut', '429'] as const;
export type Fault = (typeof FAULTS)[number];

export class FaultyProxy extends LocalServer {
  requests = 0;
  readonly faults: Record<Fault, number> = { '500': 0, reset: 0, cut: 0, '429': 0 };
  /** Of requests whose answer is spoilt. */
  share = 0;
  /** Milliseconds before each answer: a run that is over in a moment can't be disturbed. */
  delayMs = 0;
  /** Address of the service. */
  upstreamPort: number;
  /** Answers that the service never gave. */
  changed: AnswersChanged | null = null;
  /** Told the running number of each request. */
  onRequest: (n: number) => void = () => {};
  readonly #random: Random;

  private constructor(upstreamPort: number, random: Random) {
    super();
    this.upstreamPort = upstreamPort;
    this.#random = random;
  }

  static start(upstreamPort: number, random: Random): Promise<FaultyProxy> {
    return new FaultyProxy(upstreamPort, random).listen();
  }

  protected async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // The description of the service is not an operation. Its loss changes only the place of the key.
    if (incoming.url !== '/openapi.json') this.onRequest(++this.requests);
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
    const asked = new URL(url, this.url);
    const changes = this.changed?.mayChange(asked) ? this.changed : null;
    const headersAsked = { ...headers, ...(changes ? { 'accept-encoding': 'identity' } : {}) };
    const to = { host: '127.0.0.1', port: this.upstreamPort, method, path: url, headers: headersAsked };
    const upstream = request(to, (answer) => {
      answer.on('error', () => outgoing.destroy());
      if (!cut && !changes) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const whole: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => whole.push(chunk));
      answer.on('end', () => {
        const all = Buffer.concat(whole);
        const changed = answer.statusCode === 200 ? (changes?.change(asked, all) ?? null) : null;
        send(outgoing, answer, changed ?? { body: all, header: null }, cut);
      });
    });
    upstream.on('error', () => outgoing.destroy());
    upstream.end(body);
  }
}

function send(outgoing: ServerResponse, answer: IncomingMessage, { body, header }: ChangedAnswer, cut: boolean): void {
  const status = answer.statusCode ?? 502;
  const headers: Record<string, unknown> = { ...answer.headers, 'content-length': String(body.length) };
  delete headers['transfer-encoding'];
  if (header !== null) {
    // Node's server would not send some of these.
    headers[header[0].toLowerCase()] = header[1];
    headers.connection = 'close';
    const head = Object.entries(headers).map(([name, text]) => `${name}: ${String(text)}\r\n`);
    const bytes = Buffer.concat([Buffer.from(`HTTP/1.1 ${status} OK\r\n${head.join('')}\r\n`, 'latin1'), body]);
    outgoing.socket?.end(cut ? bytes.subarray(0, bytes.length - 1 - Math.floor(body.length / 2)) : bytes);
    return;
  }
  outgoing.writeHead(status, headers as never);
  if (cut) outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  else outgoing.end(body);
}
