/** A `/v2` service that nobody here wrote: its answers are texts, as they are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.ts';

/** @returns JSON text */
type Answering = (asked: URLSearchParams) => string;

export class ForeignService extends LocalServer {
  /** By operation, such as `filing_lookup`; others are answered 404. */
  readonly answers: Record<string, Answering>;
  /** Operations, in the order of their requests. */
  readonly asked: string[] = [];

  private constructor(answers: Record<string, Answering>) {
    super();
    this.answers = answers;
  }

  static start(answers: Record<string, Answering>): Promise<ForeignService> {
    return new ForeignService(answers).listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const operation = pathname.replace('/v2/', '');
    const answer = this.answers[operation];
    if (pathname.startsWith('/v2/')) this.asked.push(operation);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(answer?.(searchParams) ?? '{"error":"no such path"}');
  }
}
