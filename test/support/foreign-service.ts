/** A `/v2` service that nobody here wrote: its answers are texts, as they are sent. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns JSON text */
type Answering = (asked: URLSearchParams) => string;

export class ForeignService {
  /** By operation, such as `filing_lookup`; others are answered 404. */
  readonly answers: Record<string, Answering>;
  /** Operations, in the order of their requests. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(answers: Record<string, Answering>) {
    this.answers = answers;
    this.#server = createServer((request, response) => {
      request.resume();
      const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
      const operation = pathname.replace('/v2/', '');
      const answer = this.answers[operation];
      if (pathname.startsWith('/v2/')) this.asked.push(operation);
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(answer?.(searchParams) ?? '{"error":"no such path"}');
    });
  }

  static async start(answers: Record<string, Answering>): Promise<ForeignService> {
    const service = new ForeignService(answers);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
