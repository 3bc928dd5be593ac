/**
 * A proxy before the real service that uses the variants of section 10 of the contract, each as an independent service would: the
 * content is the same, the form differs.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'undici';
import { type Liberties as Spelling, written } from './client/records.ts';
import { LocalServer } from './local-server.ts';

export interface Liberties extends Partial<Spelling> {
  /** `count` is that of the page */
  countOfPage?: boolean;
  /** Pages end after one to four records, and say so */
  cutPages?: boolean;
  /** filing_info with the filing's own members under `filing`, the filer's under `filer` */
  nestedInfo?: boolean;
  /** Documents come as bytes under their own media type */
  documentsAsBytes?: boolean;
  /** A refused key is a bad request */
  keyRefusedAs400?: boolean;
  /** What is not found is not explained */
  empty404?: boolean;
  /** Each ninth answer is a proxy's web page */
  webPages?: boolean;
  /** Each eleventh is refused, without a word on when to come again */
  bursts?: boolean;
}

const PLAIN_SPELLING: Spelling = {
  camelCase: false,
  numbersAsStrings: false,
  paddedCiks: false,
  plainAccessionNumbers: false,
  timesBehindDates: false,
  noValue: 'null',
  strangers: false,
};

interface Upstream {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class LiberalFront extends LocalServer {
  /** Answers by the obstacle: `page`, `burst`. */
  readonly faults = { page: 0, burst: 0 };
  /** Answers that differ in any byte from the real service's. */
  altered = 0;
  readonly #upstream: string;
  readonly #liberties: Liberties;
  readonly #absent: RegExp | null;
  readonly #rewrite: (answer: Record<string, unknown>, operation: string) => void;
  #requests = 0;

  private constructor(
    upstream: string,
    liberties: Liberties,
    absent: RegExp | null,
    rewrite: (answer: Record<string, unknown>, operation: string) => void,
  ) {
    super();
    this.#rewrite = rewrite;
    this.#upstream = upstream;
    this.#liberties = liberties;
    this.#absent = absent;
  }

  /**
   * @param absent paths (with their queries) of which the service knows nothing
   * @param rewrite changes an answer in its place
   */
  static start(
    upstream: string,
    liberties: Liberties,
    absent: RegExp | null = null,
    rewrite: (answer: Record<string, unknown>, operation: string) => void = () => {},
  ): Promise<LiberalFront> {
    return new LiberalFront(upstream, liberties, absent, rewrite).listen();
  }

  protected async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const n = ++this.#requests;
    const { webPages, bursts } = this.#liberties;
    if (webPages && n % 9 === 4) {
      this.faults.page++;
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html><title>502 Bad Gateway</title></html>');
    } else if (bursts && n % 11 === 6) {
      this.faults.burst++;
      outgoing.writeHead(429, { 'content-type': 'application/json' }).end('{"error":"Too many requests"}');
    } else {
      const { status, headers, body } = await this.#said(incoming.url ?? '/', Buffer.concat(chunks), incoming.headers);
      outgoing.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
    }
  }

  async #said(path: string, body: Buffer, headers: IncomingHttpHeaders): Promise<Upstream> {
    const { documentsAsBytes, keyRefusedAs400, empty404 } = this.#liberties;
    if (this.#absent?.test(path)) {
      if (empty404) this.altered++;
      const explained = Buffer.from(empty404 ? '' : '{"error":"it was not found"}');
      return { status: 404, headers: { 'content-type': 'application/json' }, body: explained };
    }
    if (documentsAsBytes && path.startsWith('/v2/document')) {
      const bytes = await this.#ask(path, body, { ...headers, accept: 'application/octet-stream' });
      if (bytes.status === 200) {
        this.altered++;
        return { ...bytes, headers: { 'content-type': bytes.headers['content-type'] } };
      }
    }
    const plain = await this.#ask(path, body, headers);
    const status = keyRefusedAs400 && plain.status === 401 ? 400 : plain.status;
    if (status !== 200) return { ...plain, status };
    const answer = JSON.parse(plain.body.toString('utf8')) as Record<string, unknown>;
    this.#rewrite(answer, /\/v2\/(\w+)/.exec(path)?.[1] ?? '');
    const spelt = written(this.#reshaped(answer, path), { ...PLAIN_SPELLING, ...this.#liberties });
    const told = Buffer.from(JSON.stringify(spelt));
    if (!told.equals(plain.body)) this.altered++;
    return { status, headers: { 'content-type': 'application/json' }, body: told };
  }

  #reshaped(answer: Record<string, unknown>, path: string): Record<string, unknown> {
    const { cutPages, countOfPage, nestedInfo } = this.#liberties;
    // A search names entities beside its hits.
    const list = ['filings', 'hits', 'entities'].find((name) => Array.isArray(answer[name]));
    if (list !== undefined) {
      const records = answer[list] as unknown[];
      const page = cutPages ? records.slice(0, 1 + (this.#requests % 4)) : records;
      const truncated = answer.truncated === true || page.length < records.length;
      return {
        ...answer,
        [list]: page,
        truncated,
        ...(countOfPage ? { [list === 'hits' ? 'total_hits' : 'count']: page.length } : {}),
      };
    }
    if (!nestedInfo || !path.startsWith('/v2/filing_info')) return answer;
    const { cik, entity_name, documents, sections, items_8k, parties, ...filing } = answer;
    return { filing, filer: { cik, name: entity_name, sic_code: 1 }, documents, sections, items_8k, parties };
  }

  async #ask(path: string, body: Buffer, headers: IncomingHttpHeaders): Promise<Upstream> {
    const { accept = 'application/json', 'content-type': contentType } = headers;
    const answer = await request(`${this.#upstream}${path}`, {
      method: 'GET',
      headers: { accept, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      body: body.length > 0 ? body : null,
    });
    const { statusCode } = answer;
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: statusCode, headers: answer.headers as IncomingHttpHeaders, body: bytes };
  }
}
