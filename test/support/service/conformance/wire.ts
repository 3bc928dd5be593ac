/** Requests as the published interface has them: single values in the query string, arrays and objects in a JSON body. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { FilinglakeError, systemErrorWords } from '../../../../src/core/index.ts';
import { type RawHead, rawHead } from './raw-head.ts';

export interface WireAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Buffer;
  text: string;
  /** The body as JSON; undefined for other texts */
  json: unknown;
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Place of the key; `none`: no key. Default `query` */
  key?: 'query' | 'body' | 'none';
  /** All parameters in the body, or as they are in a query string made by hand */
  place?: 'body';
  query?: string;
  /** Instead of parameters */
  rawBody?: string;
}

/** Time limit for one answer. */
const TIMEOUT_MS = 60_000;
/** A service that asks for a longer pause is not waited for. */
const PAUSE_MS_MAX = 10_000;
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

export class Wire {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #agent = new Agent({ connections: 4, allowH2: false, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  requests = 0;

  /** @param baseUrl without `/v2` */
  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  /** For headers and misplaced keys. */
  get apiKey(): string {
    return this.#apiKey;
  }

  /** Calls an operation. @throws FilinglakeError `service-unreachable` */
  ask(operation: string, parameters: Readonly<Record<string, unknown>> = {}, options: AskOptions = {}) {
    const query = new URLSearchParams(options.query ?? '');
    const body: Record<string, unknown> = {};
    if (options.key === 'body') body.api_key = this.#apiKey;
    else if (options.key !== 'none') query.set('api_key', this.#apiKey);
    for (const [name, value] of Object.entries(parameters)) {
      if (options.place === 'body' || typeof value === 'object') body[name] = value;
      else query.set(name, String(value));
    }
    const text = options.rawBody ?? (Object.keys(body).length > 0 ? JSON.stringify(body) : null);
    return this.get(`/v2/${operation}${query.size > 0 ? `?${query}` : ''}`, { ...options, body: text });
  }

  /** Any path of the service. A busy service is asked once more. @throws FilinglakeError `service-unreachable` */
  async get(path: string, options: AskOptions & { body?: string | null } = {}): Promise<WireAnswer> {
    const first = await this.#send(path, options);
    const pauseMs = Number(first.headers['retry-after'] ?? Number.NaN) * 1_000;
    if (![429, 503].includes(first.status) || !(pauseMs <= PAUSE_MS_MAX)) return first;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return this.#send(path, options);
  }

  /** HEAD of an operation, with the bytes that come behind the headers. @throws FilinglakeError `service-unreachable` */
  async head(operation: string, parameters: Readonly<Record<string, string>>): Promise<RawHead> {
    this.requests++;
    const query = new URLSearchParams({ api_key: this.#apiKey, ...parameters });
    try {
      return await rawHead(new URL(`${this.#baseUrl}/v2/${operation}?${query}`), TIMEOUT_MS);
    } catch (cause) {
      throw new FilinglakeError('service-unreachable', `${this.#baseUrl} can't be reached: ${systemErrorWords(cause)}`);
    }
  }

  async #send(path: string, options: AskOptions & { body?: string | null }): Promise<WireAnswer> {
    this.requests++;
    const { body = null, method = 'GET', headers = {} } = options;
    try {
      const answer = await request(`${this.#baseUrl}${path}`, {
        method: method as Dispatcher.HttpMethod,
        headers: {
          accept: 'application/json',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body,
        dispatcher: this.#agent,
      });
      const packed = Buffer.from(await answer.body.arrayBuffer());
      const coding = String(answer.headers['content-encoding'] ?? '');
      const bytes = packed.length > 0 && UNPACK[coding] ? await UNPACK[coding](packed) : packed;
      const text = bytes.toString('utf8');
      return { status: answer.statusCode, headers: answer.headers, bytes, text, json: jsonOf(text) };
    } catch (cause) {
      // The path has the key: neither it nor an object that holds it goes into the error.
      throw new FilinglakeError('service-unreachable', `${this.#baseUrl} can't be reached: ${systemErrorWords(cause)}`);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
