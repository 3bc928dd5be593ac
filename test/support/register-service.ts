/**
 * A register of filings behind `/v2/filing_lookup`, and their companies behind `/v2/entity_lookup`, by CIK: nothing else is answered,
 * but that fast. `/plain/filings` gives the same records by
 * `offset` and `limit`, however far back, to readers that know no windows.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupRequest } from '../../src/export/windows/index.ts';
import { FilingRegister, type RegisterOptions } from './filing-register.ts';
import { LocalServer } from './local-server.ts';

export interface RegisterServiceOptions extends RegisterOptions {
  /** A page is cut short beyond; default 16 MiB, the contract's. */
  maxResponseBytes?: number;
  /** Milliseconds before each answer. */
  delayMs?: number;
}

const ENVELOPE_BYTES = 64;
const ORDER = { sort_by: 'filing_date', sort_order: 'desc' } as const;

export class RegisterService extends LocalServer {
  readonly register: FilingRegister;
  requests = 0;
  truncated = 0;
  bytes = 0;
  /** Called before each answer, with the request: filings arrive here. */
  meanwhile: (asked: LookupRequest, n: number) => void = () => {};
  /** Called before each answer with companies, with their number. */
  onEntities: (n: number) => void = () => {};
  /** How often each list of CIKs was requested. */
  readonly entityRequests = new Map<string, number>();
  mostInFlight = 0;
  #inFlight = 0;
  #entityRequests = 0;
  readonly #maxResponseBytes: number;
  readonly #delayMs: number;

  private constructor({ maxResponseBytes = 16 * 2 ** 20, delayMs = 0, ...options }: RegisterServiceOptions) {
    super();
    this.register = new FilingRegister(options);
    this.#delayMs = delayMs;
    this.#maxResponseBytes = maxResponseBytes;
  }

  static start(options: RegisterServiceOptions): Promise<RegisterService> {
    return new RegisterService(options).listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#lookUp(request, response).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
    });
  }

  async #lookUp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { ciks?: string[] });
    if (pathname === '/v2/entity_lookup') return this.#entities(body.ciks ?? searchParams.getAll('ciks'), response);
    if (pathname !== '/v2/filing_lookup' && pathname !== '/plain/filings') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no such path"}');
      return;
    }
    const { from = '0', to = '10000', offset, limit, api_key: _, ...single } = Object.fromEntries(searchParams);
    const positions =
      pathname === '/v2/filing_lookup'
        ? { from: Number(from), to: Number(to) }
        : { from: Number(offset), to: Number(offset) + Number(limit) };
    const asked = { ...ORDER, ...single, ...body, ...positions } as LookupRequest;
    this.meanwhile(asked, ++this.requests);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    if (this.#delayMs > 0) await sleep(this.#delayMs);
    this.#inFlight--;
    const { count, records, truncated } = this.register.lookUp(asked, this.#maxResponseBytes - ENVELOPE_BYTES);
    const answer = Buffer.from(`{"count":${count},"filings":[${records.join(',')}],"truncated":${truncated}}`);
    if (truncated) this.truncated++;
    this.bytes += answer.length;
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length });
    response.end(answer);
  }

  async #entities(ciks: string[], response: ServerResponse): Promise<void> {
    const list = ciks.join();
    this.entityRequests.set(list, (this.entityRequests.get(list) ?? 0) + 1);
    this.requests++;
    this.onEntities(++this.#entityRequests);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    if (this.#delayMs > 0) await sleep(this.#delayMs);
    this.#inFlight--;
    const entities = ciks.map((cik) => ({ cik, name: `Company ${cik}`, tickers: [], exchanges: [] }));
    const answer = JSON.stringify({ count: entities.length, entities, truncated: false });
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(answer);
  }
}
