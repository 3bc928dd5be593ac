/** Requests to OpenSearch. One index holds the texts of one catalog. */
import { setTimeout as pause } from 'node:timers/promises';
import { FilinglakeError, invalidValue, systemErrorWords } from '../../../core/index.ts';

const SCHEMES: Readonly<Record<string, string>> = { 'opensearch+http:': 'http:', 'opensearch+https:': 'https:' };
const EXPECTED = 'opensearch+https://USER:PASSWORD@HOST:PORT/INDEX';
/** A search ends before it: its caller does not wait so long. */
const REQUEST_MS = 120_000;
/** A connection that the server closed is noticed when it is used. */
const TRIES = 2;

export interface Answer {
  status: number;
  /** The JSON of the answer; null: there was none */
  body: unknown;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the index on: `/_search?…`, or empty for the index itself */
  path: string;
  /** JSON, or lines of JSON */
  body?: string;
}

export class OpenSearch {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  /** Host and index, without a password, for messages */
  readonly name: string;

  /** @throws FilinglakeError `setting-invalid` */
  constructor(place: string) {
    const url = URL.canParse(place) ? new URL(place) : null;
    const scheme = url === null ? undefined : SCHEMES[url.protocol];
    const index = url?.pathname.slice(1) ?? '';
    // The value may hold a password: no message repeats it.
    if (url === null || scheme === undefined || !/^[a-z0-9][a-z0-9_-]*$/.test(index))
      throw invalidValue('setting-invalid', '--fulltext', EXPECTED, 'another text');
    this.#base = `${scheme}//${url.host}/${index}`;
    this.name = this.#base;
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    this.#headers = {
      'content-type': 'application/json',
      ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    };
  }

  /**
   * @param isWanted aborted: the answer is no longer wanted
   * @throws FilinglakeError `fulltext-engine-unreachable` if it does not answer, or refuses for its own reasons (401, 403, 429, 5xx)
   */
  async call({ method, path, body }: Call, isWanted?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(REQUEST_MS);
    const signal = isWanted === undefined ? limit : AbortSignal.any([limit, isWanted]);
    for (let tries = 1; ; tries++) {
      try {
        const options = { method, headers: this.#headers, signal, ...(body === undefined ? {} : { body }) };
        const answer = await fetch(this.#base + path, options);
        const text = await answer.text();
        // Of a query that would have too many parts, OpenSearch says 400 or 500.
        const status = text.includes('maxClauseCount') ? 400 : answer.status;
        if (status === 401 || status === 403 || status === 429 || status >= 500)
          throw this.away(`it answers ${status}: ${reasonIn(text)}`);
        return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
      } catch (error) {
        if (error instanceof FilinglakeError) throw error;
        if (tries >= TRIES || signal.aborted) throw this.away(whyOf(error), error);
        await pause(50);
      }
    }
  }

  away(why: string, cause?: unknown): FilinglakeError {
    return new FilinglakeError('fulltext-engine-unreachable', `OpenSearch at ${this.name} can't be asked: ${why}`, {
      cause,
    });
  }
}

/** fetch hides the reason of the system in its error's cause. */
function whyOf(error: unknown): string {
  const { cause } = error as Error;
  return systemErrorWords(cause instanceof Error ? cause : error);
}

/** What OpenSearch says of a refusal. */
export function reasonIn(text: string): string {
  return /"reason":"((?:[^"\\]|\\.){1,300})/.exec(text)?.[1] ?? text.slice(0, 300);
}
