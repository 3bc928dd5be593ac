/** A client of any /v2 service: strict in what it sends, tolerant in what it reads, patient with faults. */
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { FilingInfo, FilingSections, GivenParametersOf, OperationName } from '../../filings/api/index.ts';
import { jsonInUtf8, MixedEncodings, withoutMark } from './charset.ts';
import { type DocumentRecord, readDocument } from './document.ts';
import { DocumentValidator, type KnownOfDocument } from './document-validation.ts';
import { errorOfAnswer, isHtml } from './error-answers.ts';
import {
  BadRequestError,
  type ContractViolation,
  ContractViolationError,
  KeyRefusedError,
  ServiceFailedError,
  UnchangedError,
} from './errors.ts';
import { readFilingSections, type SectionsRequest } from './filing-sections.ts';
import { checkedParameters, type KeyPlace, type RequestMethod, wireRequest, withEtag } from './http-request.ts';
import { readJson } from './json-body.ts';
import { type PageOf, type PageOperation, readPage } from './page-answers.ts';
import { pagesOf } from './pages.ts';
import { type PdfRecord, readPdf } from './pdf.ts';
import { headerText, type Quota, readQuota } from './quota.ts';
import type { ReadNotes } from './read.ts';
import { readRecord } from './record-answers.ts';
import { DEFAULT_RETRY, type RetryPolicy, waitBeforeRetry } from './retry.ts';
import { ServiceHabits } from './service-habits.ts';
import { type RawAnswer, Transport } from './transport.ts';

/** One attempt, reported as soon as it has ended. */
export interface RequestEvent {
  operation: OperationName;
  /** From 1 */
  attempt: number;
  /** null: no answer */
  status: number | null;
  /** Decompressed size of the answer's body, which counts against the month's bytes */
  bytes: number;
  ms: number;
  /** Code of its error; null: answered */
  error: string | null;
  quota: Quota | null;
}

export interface AnswerNotes {
  /** Unknown members, `filing.foo`: each reported once in a client's life. */
  unknownMembers: string[];
  /** Records of a list that break the contract: left out of the value. */
  violations: ContractViolation[];
}

export interface Answer<T> {
  value: T;
  status: number;
  /** Decompressed size of the body */
  bytes: number;
  /** As the service sent it; null: the answer has no ETag */
  etag: string | null;
  quota: Quota | null;
  notes: AnswerNotes;
  /** Of a lookup: the original body without a byte order mark, if it says the same as `value`; else null. */
  verbatim: Buffer | null;
}

/** Clock and randomness, replaced in tests. */
export interface ClientClock {
  now(): Date;
  /** In [0, 1) */
  random(): number;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export interface ClientOptions {
  /** `http://127.0.0.1:8080`, without `/v2` */
  baseUrl: string;
  apiKey: string;
  /** Default `get` */
  method?: RequestMethod;
  /** Default `parameter`, as published */
  key?: KeyPlace;
  /** Maximum number of requests in flight, default 8 */
  connections?: number;
  /** How long the service may send nothing, default 60,000 */
  timeoutMs?: number;
  /** A longer body is refused, default 256 MiB */
  bodyBytesMax?: number;
  /** Default: what Node decompresses (zstd, br, gzip); `identity` for this machine, where compression costs more than it saves. */
  acceptEncoding?: string;
  retry?: Partial<RetryPolicy>;
  onRequest?: (event: RequestEvent) => void;
  /** Awaited before every request that is sent, retries included. Its error ends the call. */
  beforeRequest?: (operation: OperationName) => Promise<void> | void;
  signal?: AbortSignal;
  /** What earlier clients of the service learned of it. Default: nothing */
  habits?: ServiceHabits;
  clock?: ClientClock;
}

/** What a caller may pass: identifiers in any spelling that the contract accepts. */
export type RequestOf<Operation extends OperationName> = Omit<GivenParametersOf<Operation>, 'api_key'>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Awaited after some megabytes of an answer, before the rest is read. @param bytes of all, or their maximum */
  onLarge?: (bytes: number) => Promise<void>;
  /** The ETag of an earlier answer. If it is still the answer, the call ends with UnchangedError, and moves no body. */
  etag?: string;
}

export interface DocumentCallOptions extends CallOptions {
  /** The document's name: it distinguishes a proxy's web page from the document. */
  known?: KnownOfDocument;
}

/** A longer answer is refused. */
export const BODY_BYTES_MAX = 256 * 1024 * 1024;
/** More names than any real service has: further ones may be reported repeatedly. */
const NOTED_MEMBERS_MAX = 2_000;
const CONNECTIONS = 8;
const TIMEOUT_MS = 60_000;

export class FilingClient {
  /** A private field: neither util.inspect nor JSON.stringify shows it. */
  readonly #apiKey: string;
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #prefix: string;
  /** Without `/v2` */
  readonly #method: RequestMethod;
  readonly #retry: RetryPolicy;
  readonly #clock: ClientClock;
  readonly #habits: ServiceHabits;
  readonly #notedMembers = new Set<string>();

  /** @throws KeyRefusedError for an empty key, BadRequestError for an invalid base URL */
  constructor(options: ClientOptions) {
    const { apiKey, ...rest } = options;
    if (apiKey.trim() === '') throw new KeyRefusedError('no API key was given', null);
    const { origin, prefix } = splitBaseUrl(options.baseUrl);
    this.#apiKey = apiKey;
    this.#options = { ...rest, apiKey: '' };
    this.#prefix = prefix;
    this.#method = options.method ?? 'get';
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#clock = options.clock ?? systemClock;
    this.#habits = options.habits ?? new ServiceHabits();
    this.#transport = new Transport({
      origin,
      connections: options.connections ?? CONNECTIONS,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      bodyBytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
      acceptEncoding: options.acceptEncoding ?? (isThisMachine(origin) ? 'identity' : 'zstd, br, gzip'),
    });
  }

  entityLookup(parameters: RequestOf<'entity_lookup'>, call?: CallOptions): Promise<Answer<PageOf<'entity_lookup'>>> {
    return this.#page('entity_lookup', parameters, call);
  }

  filingLookup(parameters: RequestOf<'filing_lookup'>, call?: CallOptions): Promise<Answer<PageOf<'filing_lookup'>>> {
    return this.#page('filing_lookup', parameters, call);
  }

  fulltextSearch(
    parameters: RequestOf<'fulltext_search'>,
    call?: CallOptions,
  ): Promise<Answer<PageOf<'fulltext_search'>>> {
    return this.#page('fulltext_search', parameters, call);
  }

  filingInfo(accessionNumber: string, call?: CallOptions): Promise<Answer<FilingInfo>> {
    return this.#record('filing_info', { accession_number: accessionNumber }, call);
  }

  filingSections(parameters: SectionsRequest, call?: CallOptions): Promise<Answer<FilingSections>> {
    const read = jsonReader((body, notes) => readFilingSections(body, parameters, notes));
    return this.#ask('filing_sections', parameters, call, read);
  }

  document(parameters: RequestOf<'document'>, call?: DocumentCallOptions): Promise<Answer<DocumentRecord>> {
    const validator = new DocumentValidator(this.#habits.documents, {
      filename: parameters.filename,
      document_id: parameters.document_id,
      ...call?.known,
    });
    return this.#ask('document', parameters, call, (raw, notes) => readDocument(raw, parameters, notes, validator));
  }

  pdf(parameters: RequestOf<'pdf'>, call?: CallOptions): Promise<Answer<PdfRecord>> {
    return this.#ask('pdf', parameters, call, (raw, notes) => readPdf(raw, parameters, notes));
  }

  coverage(parameters: RequestOf<'coverage'> = {}, call?: CallOptions): Promise<Answer<PageOf<'coverage'>>> {
    return this.#page('coverage', parameters, call);
  }

  /** All pages from `from` (0) to `to` (10,000, the last position that exists), `pageSize` records each. */
  filingPages(
    parameters: RequestOf<'filing_lookup'>,
    pageSize?: number,
    call?: CallOptions,
  ): AsyncGenerator<Answer<PageOf<'filing_lookup'>>> {
    return pagesOf(parameters, pageSize, (window) => this.filingLookup(window, call));
  }

  entityPages(
    parameters: RequestOf<'entity_lookup'>,
    pageSize?: number,
    call?: CallOptions,
  ): AsyncGenerator<Answer<PageOf<'entity_lookup'>>> {
    return pagesOf(parameters, pageSize, (window) => this.entityLookup(window, call));
  }

  fulltextPages(
    parameters: RequestOf<'fulltext_search'>,
    pageSize?: number,
    call?: CallOptions,
  ): AsyncGenerator<Answer<PageOf<'fulltext_search'>>> {
    return pagesOf(parameters, pageSize, (window) => this.fulltextSearch(window, call));
  }

  /** Closes all connections; requests in flight end with an error. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #page<Name extends PageOperation>(operation: Name, parameters: object, call: CallOptions | undefined) {
    return this.#ask(
      operation,
      parameters,
      call,
      jsonReader((body, notes) => readPage(operation, body, notes)),
    );
  }

  #record<Name extends OperationName>(operation: Name, parameters: object, call: CallOptions | undefined) {
    return this.#ask(
      operation,
      parameters,
      call,
      jsonReader((body, notes) => readRecord(operation, body, parameters, notes)),
    );
  }

  async #ask<T>(
    operation: OperationName,
    parameters: object,
    call: CallOptions | undefined,
    read: (raw: RawAnswer, notes: ReadNotes) => T,
  ): Promise<Answer<T>> {
    const checked = checkedParameters(operation, parameters);
    const signals = [this.#options.signal, call?.signal];
    for (let attempt = 1; ; attempt++) {
      for (const signal of signals) signal?.throwIfAborted();
      await this.#options.beforeRequest?.(operation);
      const startedAt = performance.now();
      let raw: RawAnswer | null = null;
      try {
        const request = wireRequest(operation, checked, this.#apiKey, this.#method, this.#prefix, this.#options.key);
        const sent = call?.etag === undefined ? request : withEtag(request, call.etag);
        raw = await this.#transport.send(sent, operation, signals, call?.onLarge);
        if (raw.status === 304 && call?.etag !== undefined) throw new UnchangedError(operation);
        const answer = this.#readAnswer(operation, raw, read, checked);
        this.#report(operation, attempt, raw, startedAt, null);
        return answer;
      } catch (thrown) {
        const error = this.#withoutKey(thrown);
        this.#report(operation, attempt, raw, startedAt, error);
        const waitMs = waitBeforeRetry(error, attempt, this.#retry, this.#clock.random());
        if (waitMs === null) throw error;
        await this.#clock.sleep(waitMs, anySignal(signals));
      }
    }
  }

  #readAnswer<T>(
    operation: OperationName,
    raw: RawAnswer,
    read: (raw: RawAnswer, notes: ReadNotes) => T,
    asked: object,
  ): Answer<T> {
    if (raw.status !== 200) throw errorOfAnswer({ operation, ...raw, body: withoutMark(raw.body) }, this.#clock.now());
    const notes: ReadNotes = { unknownMembers: new Set(), violations: [], changed: false };
    let value: T;
    let body = raw.body;
    try {
      // The bytes of a file stay as they are.
      if (isJsonAnswer(operation, raw)) body = jsonInUtf8(body, raw.headers);
      value = read({ ...raw, body }, notes);
    } catch (error) {
      if (error instanceof MixedEncodings) {
        const { document_id, accession_number } = asked as { document_id?: string; accession_number?: string };
        const about = { path: 'the answer', value: null, subject: document_id ?? accession_number ?? null };
        throw new ContractViolationError(operation, about, error.message);
      }
      if (!(error instanceof SyntaxError)) throw error;
      const what = isHtml(raw.headers, raw.body)
        ? "a web page, not the service's answer"
        : `no JSON (${raw.body.length} bytes)`;
      throw new ServiceFailedError(`${operation} answered 200 with ${what}`, raw.status);
    }
    const unknownMembers = [...notes.unknownMembers].filter((name) => !this.#notedMembers.has(name));
    for (const name of unknownMembers) if (this.#notedMembers.size < NOTED_MEMBERS_MAX) this.#notedMembers.add(name);
    return {
      value,
      status: raw.status,
      bytes: raw.body.length,
      etag: headerText(raw.headers, 'etag'),
      quota: readQuota(raw.headers),
      notes: { unknownMembers, violations: notes.violations },
      verbatim: notes.changed ? null : body,
    };
  }

  #report(operation: OperationName, attempt: number, raw: RawAnswer | null, startedAt: number, error: unknown): void {
    this.#options.onRequest?.({
      operation,
      attempt,
      status: raw?.status ?? (error instanceof ServiceFailedError ? error.status : null),
      bytes: raw?.body.length ?? 0,
      ms: performance.now() - startedAt,
      error: error === null ? null : codeOfError(error),
      quota: raw === null ? null : readQuota(raw.headers),
    });
  }

  /** A service may repeat the request in its message: the key must not reach an error. */
  #withoutKey(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    for (const form of this.#spellingsOfKey()) {
      if (error.message.includes(form)) error.message = error.message.replaceAll(form, '<API_KEY>');
      if (error.stack?.includes(form)) error.stack = error.stack.replaceAll(form, '<API_KEY>');
    }
    return error;
  }

  /** Unchanged, and as in a query string, a path and a JSON text. */
  #spellingsOfKey(): Set<string> {
    const key = this.#apiKey;
    const query = new URLSearchParams({ key }).toString().slice('key='.length);
    return new Set([key, query, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]);
  }
}

function isJsonAnswer(operation: OperationName, { headers }: RawAnswer): boolean {
  const isFile = operation === 'document' || operation === 'pdf';
  return !isFile || /[/+]json\b/i.test(headerText(headers, 'content-type') ?? '');
}

function jsonReader<T>(read: (body: unknown, notes: ReadNotes) => T): (raw: RawAnswer, notes: ReadNotes) => T {
  return (raw, notes) => readJson(raw.body, notes, read);
}

function codeOfError(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}

/** @throws BadRequestError */
function splitBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new BadRequestError(
      `the service's base URL is not a URL: ${baseUrl.slice(0, 200)}`,
      null,
      'such as http://127.0.0.1:8080',
    );
  }
  if (!/^https?:$/.test(url.protocol))
    throw new BadRequestError(`the service's base URL is not http or https: ${url.protocol}`, null);
  if (url.username !== '' || url.password !== '')
    throw new BadRequestError("the service's base URL has a user name or a password", null, 'a key is given apart');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '') };
}

function isThisMachine(origin: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

const systemClock: ClientClock = {
  now: () => new Date(),
  random: Math.random,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal === undefined ? {} : { signal }),
};

function anySignal(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
