/** A service with scripted answers, request by request, which records its requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientClock, type ClientOptions, FilingClient, ServiceHabits } from '../../../src/export/client/index.ts';
import { LocalServer } from '../local-server.ts';

export const KEY = 'fl key/with+odd=characters';

export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  /** Parsed JSON, or null without a body. */
  body: Record<string, unknown> | null;
  /** Number of the connection it came on. */
  connection: number;
}

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
  /** Instead of an answer. */
  act?: (response: ServerResponse, request: IncomingMessage) => void;
}

export class ScriptedService extends LocalServer {
  readonly asked: Asked[] = [];
  /** Answers in order; the last one is given again and again. */
  script: Scripted[] = [];
  /** What its clients learn of it, if they share it. */
  readonly habits = new ServiceHabits();
  readonly #clients: FilingClient[] = [];
  #connections = 0;

  static start(...script: Scripted[]): Promise<ScriptedService> {
    return ScriptedService.startAt(0, ...script);
  }

  /** @param port 0: any that is free */
  static startAt(port: number, ...script: Scripted[]): Promise<ScriptedService> {
    return Object.assign(new ScriptedService(), { script }).listen(port);
  }

  client(options: Partial<ClientOptions> = {}): FilingClient {
    const client = new FilingClient({ baseUrl: this.url, apiKey: KEY, clock: new StillClock(), ...options });
    this.#clients.push(client);
    return client;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.close();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const socket = request.socket as typeof request.socket & { number?: number };
    socket.number ??= ++this.#connections;
    const url = new URL(request.url ?? '/', this.url);
    const text = Buffer.concat(chunks).toString('utf8');
    this.asked.push({
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
      connection: socket.number,
    });
    const scripted = this.script.length > 1 ? this.script.shift()! : this.script[0]!;
    if (scripted.act) return scripted.act(response, request);
    const { status = 200, headers = {}, body = {} } = scripted;
    const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(bytes);
  }
}

/** A stopped clock that records the requested waits, and always throws the same die. */
export class StillClock implements ClientClock {
  readonly waits: number[] = [];
  readonly #now: Date;

  constructor(now = '2024-02-10T12:00:00Z') {
    this.#now = new Date(now);
  }
  now(): Date {
    return this.#now;
  }
  random(): number {
    return 0.5;
  }
  sleep(ms: number): Promise<void> {
    this.waits.push(ms);
    return Promise.resolve();
  }
}

/** The error that a call ends in. */
export async function failure(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error) => error,
  );
}
