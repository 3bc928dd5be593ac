/** Requests to EDGAR: one at a time, retried after temporary faults, none during a block. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { Agent, request } from 'undici';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { isAgentRefused, kindOfAnswer } from './answers.ts';
import type { Clock } from './clock.ts';
import type { RequestGate } from './request-gate.ts';
import { unwritable } from './write-error.ts';

/** The state of a file at its last request. EDGAR answers "unchanged" if the state is the same. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type Answer<Body> =
  | ({ kind: 'file'; body: Body } & Validators)
  | { kind: 'unchanged' }
  /** EDGAR states that the file does not exist, or not yet. `isRefused`: EDGAR refuses this file, and answers for others. */
  | { kind: 'missing'; status: number; isRefused?: true };

interface AskOptions {
  unless?: Validators | null;
  signal?: AbortSignal | undefined;
  /** Retries after a temporary fault; default: the number of pauses */
  retries?: number;
}

interface EdgarHttpOptions {
  agent: string;
  gate: RequestGate;
  clock: Clock;
}

/** Pauses between the tries of a request after temporary faults. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000];
/** A request that is blocked this often is refused for another reason. */
const BLOCKS_MAX = 3;
const TIMEOUT_MS = 60_000;
/** Indexes have at most some 60 MB; the largest submissions are downloaded to a file. */
const BYTES_IN_MEMORY_MAX = 512 * 2 ** 20;
/** Enough bytes to recognise a refusal page. */
const HEAD_BYTES = 16 * 1024;

/** EDGAR refused an address with 403 and a page of an unknown kind, before and after a pause, and no other file shows why. */
export class RefusedAgainError extends FilinglakeError {
  override name = 'RefusedAgainError';
  readonly url: string;
  constructor(url: string) {
    super('edgar-blocked', `EDGAR refuses ${url} with 403, also after a pause`);
    this.url = url;
  }
}

/** A temporary fault: the answer was cut short, or is an error of the server. */
class PassingFault extends Error {}

export class EdgarHttp {
  /** Requests sent, tries included. */
  requests = 0;
  readonly #options: EdgarHttpOptions;
  /** The last request got no answer after all its tries. The next ones are retried only once, until one is answered. */
  #isAway = false;
  /** End of the last pause after a refusal of an unknown kind (milliseconds since 1970). */
  #silentUntil = 0;
  /** By folder (`Archives/edgar/data`): the last address that EDGAR has answered for. */
  readonly #answered = new Map<string, string>();
  /** The last refusal was of one file: for other files EDGAR answered. */
  #refusesSingleFiles = false;
  readonly #dispatcher = new Agent({ connections: 8, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

  constructor(options: EdgarHttpOptions) {
    this.#options = options;
  }

  /** @throws FilinglakeError `edgar-unreachable`, `edgar-blocked` (exit 5), `edgar-agent-missing` (exit 2) */
  get(url: string, options: AskOptions = {}): Promise<Answer<Buffer>> {
    return this.#ask(url, options, async (body) => {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > BYTES_IN_MEMORY_MAX) throw new Error(`${url} has more than ${BYTES_IN_MEMORY_MAX} bytes`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, length);
    });
  }

  /** Whether EDGAR has a file; its bytes are not read. @throws as `get` */
  async isThere(url: string, options: AskOptions = {}): Promise<boolean> {
    return (await this.#ask(url, options, async () => null)).kind !== 'missing';
  }

  /** Downloads a whole file or none. @returns its size in bytes @throws as `get`; the system's error for the file */
  download(url: string, file: string, options: AskOptions = {}): Promise<Answer<number>> {
    const partial = `${file}.part`;
    return this.#ask(url, options, async (body) => {
      let size = 0;
      const counted = new Transform({
        transform(chunk: Buffer, _, done) {
          size += chunk.length;
          done(null, chunk);
        },
      });
      try {
        await pipeline(body, counted, createWriteStream(partial));
        await rename(partial, file);
        return size;
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {});
        throw isPassing(error) || signalled(options) ? error : unwritable(file, error);
      }
    });
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #ask<Body>(
    url: string,
    { unless, signal, retries = PAUSES_MS.length }: AskOptions,
    take: (body: Readable) => Promise<Body>,
  ): Promise<Answer<Body>> {
    const { clock, gate } = this.#options;
    let faults = 0;
    let refusals = 0;
    for (let blocks = 0; ; ) {
      await gate.turn(signal);
      this.requests++;
      const sentAt = clock.now();
      try {
        const answer = await this.#send(url, unless ?? null, signal, take);
        this.#isAway = false;
        if (answer === 'refused') {
          if (await this.#refusesFile(url, { sentAt, refusals: ++refusals, signal }))
            return { kind: 'missing', status: 403, isRefused: true };
          continue;
        }
        if (answer !== 'blocked') return answer;
        if (++blocks >= BLOCKS_MAX) throw stillBlocked(url);
      } catch (error) {
        signal?.throwIfAborted();
        if (!isPassing(error)) throw error;
        const pauseMs = faults < (this.#isAway ? 1 : retries) ? PAUSES_MS[faults++] : undefined;
        if (pauseMs === undefined) {
          this.#isAway = !(error instanceof PassingFault);
          throw unreachable(url, error);
        }
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  /**
   * A refusal of an unknown kind may be of one file, or a block. After a pause, as for a block, a request for another file, which EDGAR
   * has answered before, shows which.
   * @returns whether EDGAR refuses this file alone; false: request it again
   * @throws FilinglakeError `edgar-blocked`
   */
  async #refusesFile(
    url: string,
    { sentAt, refusals, signal }: { sentAt: number; refusals: number; signal: AbortSignal | undefined },
  ): Promise<boolean> {
    const { gate } = this.#options;
    if (refusals === 1 && !this.#refusesSingleFiles) {
      // Requests that were sent together count as one refusal.
      if (sentAt >= this.#silentUntil) this.#silentUntil = gate.blocked();
      return false;
    }
    const other = this.#answered.get(folderOf(url));
    this.#refusesSingleFiles = other !== undefined && (await this.#isAnswered(other, signal));
    if (this.#refusesSingleFiles) return true;
    this.#silentUntil = gate.blocked();
    throw new RefusedAgainError(url);
  }

  async #isAnswered(url: string, signal: AbortSignal | undefined): Promise<boolean> {
    await this.#options.gate.turn(signal);
    this.requests++;
    const answer = await this.#send(url, null, signal, async () => null);
    return answer !== 'refused' && answer !== 'blocked';
  }

  async #send<Body>(
    url: string,
    unless: Validators | null,
    signal: AbortSignal | undefined,
    take: (body: Readable) => Promise<Body>,
  ): Promise<Answer<Body> | 'blocked' | 'refused'> {
    const answer = await request(url, {
      dispatcher: this.#dispatcher,
      headers: {
        'user-agent': this.#options.agent,
        'accept-encoding': 'gzip, deflate',
        ...(unless?.etag ? { 'if-none-match': unless.etag } : {}),
        ...(unless?.lastModified ? { 'if-modified-since': unless.lastModified } : {}),
      },
      ...(signal ? { signal } : {}),
    });
    const header = (name: string) => [answer.headers[name]].flat()[0] ?? null;
    // "Unchanged" has no body, even if its headers state a compression.
    const body = answer.statusCode === 304 ? answer.body : unpacked(answer.body, header('content-encoding'));
    try {
      const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const first = await firstBytes(iterator);
      const head = first.toString('latin1', 0, HEAD_BYTES);
      const kind = kindOfAnswer({ status: answer.statusCode, contentType: header('content-type') ?? '', head });
      if (kind === 'file' || kind === 'unchanged') this.#answered.set(folderOf(url), url);
      switch (kind) {
        case 'refused':
          return kind;
        case 'file':
          return {
            kind,
            body: await take(Readable.from(joined(first, iterator))),
            etag: header('etag'),
            lastModified: header('last-modified'),
          };
        case 'unchanged':
          return { kind };
        case 'missing':
          return { kind, status: answer.statusCode };
        case 'blocked':
          this.#options.gate.blocked();
          if (isAgentRefused(head)) throw agentRefused(this.#options.agent);
          return 'blocked';
        case 'fault':
          throw new PassingFault(`EDGAR answered ${answer.statusCode}`);
      }
    } finally {
      body.on('error', () => {});
      body.destroy();
      answer.body.on('error', () => {});
      answer.body.destroy();
    }
  }
}

function folderOf(url: string): string {
  return new URL(url).pathname.split('/').slice(1, 4).join('/');
}

function unpacked(body: Readable, coding: string | null): Readable {
  const unpacker = /gzip/i.test(coding ?? '') ? createGunzip() : /deflate/i.test(coding ?? '') ? createInflate() : null;
  if (unpacker === null) return body;
  body.on('error', (error) => unpacker.destroy(error));
  return body.pipe(unpacker);
}

async function firstBytes(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(chunks, length);
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Connections that fail or break, and bodies that are cut short or damaged. Errors of the local disk are not among them. */
function isPassing(error: unknown): boolean {
  if (error instanceof PassingFault) return true;
  if (error instanceof FilinglakeError) return false;
  const { code = '', name, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'write' || syscall === 'open' || syscall === 'rename') return false;
  return (
    /^(UND_ERR_|Z_|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ERR_STREAM_PREMATURE_CLOSE|ERR_SSL)/.test(
      code,
    ) || name === 'SocketError'
  );
}

function signalled({ signal }: AskOptions): boolean {
  return signal?.aborted === true;
}

function unreachable(url: string, cause: unknown): FilinglakeError {
  return new FilinglakeError('edgar-unreachable', `${url} can't be read: ${systemErrorWords(cause)}`, { cause });
}

function stillBlocked(url: string): FilinglakeError {
  return new FilinglakeError('edgar-blocked', `EDGAR refuses ${url} again after each pause`);
}

function agentRefused(agent: string): FilinglakeError {
  return new FilinglakeError('edgar-agent-missing', `EDGAR does not accept the agent '${agent}'`);
}
