/** One attempt at one request: connection, time limits, size limit, decompression. Knows nothing of the content. */
import { Pool } from 'undici';
import { systemErrorWords } from '../../core/index.ts';
import { AnswerTooLongError, ServiceFailedError, UnreachableError } from './errors.ts';
import type { WireRequest } from './http-request.ts';
import { type Headers, headerText } from './quota.ts';
import { unpackContent } from './unpack-content.ts';

interface TransportOptions {
  origin: string;
  /** Maximum number of requests in flight; each has a separate connection. */
  connections: number;
  /** How long the service may send nothing. A whole answer may take five times as long. */
  timeoutMs: number;
  /** A longer answer, compressed or decompressed, is refused. */
  bodyBytesMax: number;
  acceptEncoding: string;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  /** Decompressed */
  body: Buffer;
}

const CONNECT_TIMEOUT_MS_MAX = 10_000;
/** A longer answer is reported before the rest of it is read. */
export const LARGE_BYTES = 8 * 2 ** 20;

export class Transport {
  readonly #pool: Pool;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, {
      connections: options.connections,
      pipelining: 1,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connect: { timeout: Math.min(CONNECT_TIMEOUT_MS_MAX, options.timeoutMs) },
      // Several HTTP/2 gateways refuse a GET with a body that they accept over HTTP/1.1.
      allowH2: false,
    });
  }

  /**
   * Sends one request and reads its whole answer.
   * @param onLarge awaited after some megabytes have arrived, with the bytes of the whole answer, or its maximum
   * @throws UnreachableError if no whole answer came; ServiceFailedError if it can't be decompressed or is too long; the signal's
   * reason when aborted
   */
  async send(
    request: WireRequest,
    operation: string,
    signals: readonly (AbortSignal | undefined)[],
    onLarge?: (bytes: number) => Promise<void>,
  ): Promise<RawAnswer> {
    const { timeoutMs, acceptEncoding } = this.#options;
    const deadline = new AbortController();
    const stop = deadline.signal;
    const timer = setTimeout(() => deadline.abort(new AttemptTimeout()), timeoutMs * 5);
    const listeners = signals.map((signal) => {
      if (signal === undefined) return () => {};
      if (signal.aborted) deadline.abort(signal.reason);
      const abort = () => deadline.abort(signal.reason);
      signal.addEventListener('abort', abort);
      return () => signal.removeEventListener('abort', abort);
    });
    try {
      const answer = await this.#pool.request({
        method: request.method,
        path: request.path,
        headers: {
          accept: 'application/json',
          // A cache before the service must ask it: a stale lookup would hide filings.
          'cache-control': 'no-cache',
          'accept-encoding': acceptEncoding,
          'user-agent': 'filinglake',
          ...request.headers,
          ...(request.body === null ? {} : { 'content-type': 'application/json' }),
        },
        body: request.body,
        signal: stop,
        // By default undici closes the connection after a GET with a body.
        reset: false,
      });
      const headers = answer.headers as Headers;
      const stated = headers['content-encoding'] === undefined ? Number(headers['content-length']) : Number.NaN;
      const packed = await this.#readAll(answer.body, operation, answer.statusCode, stated, onLarge);
      return {
        status: answer.statusCode,
        headers,
        body: await this.#unpacked(packed, headers, operation, answer.statusCode),
      };
    } catch (error) {
      if (error instanceof ServiceFailedError) throw error;
      for (const signal of signals) if (signal?.aborted) throw signal.reason;
      throw unreachable(error, operation, this.#options);
    } finally {
      clearTimeout(timer);
      for (const remove of listeners) remove();
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** @param stated bytes of the whole answer; NaN if the service doesn't say */
  async #readAll(
    body: AsyncIterable<Buffer>,
    operation: string,
    status: number,
    stated: number,
    onLarge?: (bytes: number) => Promise<void>,
  ): Promise<Buffer> {
    const { bodyBytesMax } = this.#options;
    const chunks: Buffer[] = [];
    let bytes = 0;
    // One that is not filled yet costs no memory; chunks that are joined at the end cost the answer twice.
    const whole = stated > LARGE_BYTES && stated <= bodyBytesMax ? Buffer.allocUnsafeSlow(stated) : null;
    for await (const chunk of body) {
      if (stated > bodyBytesMax) break;
      const before = bytes;
      bytes += chunk.length;
      // Reading pauses meanwhile: the service waits, and so does the rest of the answer.
      if (bytes > LARGE_BYTES && before <= LARGE_BYTES) await onLarge?.(whole ? stated : bodyBytesMax);
      if (bytes > bodyBytesMax) break;
      if (whole) chunk.copy(whole, before);
      else chunks.push(chunk);
    }
    if (bytes > bodyBytesMax || stated > bodyBytesMax) throw new AnswerTooLongError(operation, status, bodyBytesMax);
    return whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
  }

  async #unpacked(packed: Buffer, headers: Headers, operation: string, status: number): Promise<Buffer> {
    const encodings = (headerText(headers, 'content-encoding') ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '' && name !== 'identity');
    let body = packed;
    for (const encoding of encodings.reverse()) {
      if (body.length === 0) return body;
      try {
        body = await unpackContent(body, encoding, this.#options.bodyBytesMax);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
          throw new AnswerTooLongError(operation, status, this.#options.bodyBytesMax);
        }
        throw new ServiceFailedError(`${operation} answered a body that is not a whole ${encoding}`, status);
      }
    }
    return body;
  }
}

class AttemptTimeout extends Error {
  readonly code = 'ATTEMPT_TIMEOUT';
}

const WORDS: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'the connection was closed during the answer',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
  ATTEMPT_TIMEOUT: 'the answer took too long',
};

/** Only code and message of the cause are kept: a socket or request object may hold the path, and so the key. */
function unreachable(error: unknown, operation: string, options: TransportOptions): UnreachableError {
  const { code, message } = codeOf(error);
  return new UnreachableError(
    `${operation}: ${options.origin} can't be reached: ${WORDS[code] ?? systemErrorWords({ code, message })} (${code})`,
    code,
  );
}

function codeOf(error: unknown): { code: string; message: string } {
  let at = error;
  while (at instanceof Error) {
    const code = (at as NodeJS.ErrnoException).code;
    if (typeof code === 'string') return { code, message: at.message };
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
    else if (at.cause !== undefined) at = at.cause;
    else return { code: at.name, message: at.message };
  }
  return { code: 'unknown', message: 'unknown reason' };
}
