/** Look-ups for pages. They share the reader threads with /v2, in turns, and each account or network has a limit. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { trusted } from '../../core/index.ts';
import type { AccessionNumber, Filing, OPERATIONS, OperationName, ParametersOf } from '../../filings/api/index.ts';
import { networkOf } from '../accounts/index.ts';
import { ServiceProblem } from '../answers/problem.ts';
import type { SearchFacets } from '../catalog/index.ts';
import type { FormPart, StatementValue } from '../pages/index.ts';
import type { ReaderJob } from '../readers/messages.ts';
import type { Caller, OperationRunner } from '../readers/reader-pool.ts';
import { readParameters } from '../requests/parameters.ts';

type LookName = Exclude<OperationName, 'pdf'>;
type AnswerOf<Name extends LookName> = z.output<(typeof OPERATIONS)[Name]['answer']>;

interface SentForm {
  group: string | null;
  parts: readonly { title: string; html: string }[];
}

interface ShownForm {
  /** Group of its tables */
  group: string | null;
  parts: readonly FormPart[];
}

const VIEWS_A_MINUTE = 120;
/** A page may have many pictures: each counts as a part of a view. */
const PICTURE = 1 / 20;
const MINUTE_MS = 60_000;
const VISITORS_MAX = 10_000;
/** Maximum bytes of an answer: nobody reads a longer page. */
const PAGE_ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Filings whose statements are kept: some 20 kB each. */
const STATEMENTS_MAX = 500;
const CONTEXT = {
  accept: undefined,
  takesZstd: false,
  maxResponseBytes: PAGE_ANSWER_BYTES_MAX,
  ifNoneMatch: undefined,
  headOnly: false,
};

export class Looks {
  readonly #readers: OperationRunner;
  readonly #accountOf: (request: FastifyRequest) => Promise<number | null>;
  readonly #statements = new Map<string, readonly StatementValue[]>();
  /** Views by visitor, the oldest minute first */
  readonly #recent = new Map<string, { count: number; until: number }>();
  /** Who asks, for each view that was counted */
  readonly #callers = new WeakMap<FastifyRequest, Promise<Caller>>();

  /** @param accountOf the account of a visitor who is logged in: it has a limit of its own, wherever it comes from */
  constructor(readers: OperationRunner, accountOf: (request: FastifyRequest) => Promise<number | null>) {
    this.#readers = readers;
    this.#accountOf = accountOf;
  }

  /** @throws ServiceProblem as /v2 does, and 429 */
  async look<Name extends LookName>(
    operation: Name,
    given: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AnswerOf<Name>> {
    const caller = await this.callerOf(request, reply);
    const parameters = readParameters(operation, [], given) as ParametersOf<Name>;
    const { body } = await this.#readers.run({ operation, parameters, context: CONTEXT } as ReaderJob<Name>, caller);
    return JSON.parse(Buffer.from(body).toString('utf8')) as AnswerOf<Name>;
  }

  /** Values of a filing's statements: made once for each revision, and kept. @throws ServiceProblem as `look` */
  async statements(
    { accession_number, revision }: Pick<Filing, 'accession_number' | 'revision'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<readonly StatementValue[]> {
    const key = `${accession_number} ${revision}`;
    const kept = this.#statements.get(key);
    if (kept !== undefined) return kept;
    const caller = await this.callerOf(request, reply);
    const parameters = { accession_number: accession_number as AccessionNumber };
    const { body } = await this.#readers.run({ operation: 'statements', parameters, context: CONTEXT }, caller);
    const values = JSON.parse(Buffer.from(body).toString('utf8')) as StatementValue[];
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.delete(this.#statements.keys().next().value!);
    if (revision !== null) this.#statements.set(key, values);
    return values;
  }

  /** The filing's structured form or items; no parts: it has none. @throws ServiceProblem as `look` */
  async form(accession_number: string, request: FastifyRequest, reply: FastifyReply): Promise<ShownForm> {
    const caller = await this.callerOf(request, reply);
    const parameters = { accession_number: accession_number as AccessionNumber };
    const { body } = await this.#readers.run({ operation: 'form', parameters, context: CONTEXT }, caller);
    const { group, parts } = JSON.parse(Buffer.from(body).toString('utf8')) as SentForm;
    // The reader thread has escaped it.
    return { group, parts: parts.map(({ title, html }) => ({ title, html: trusted(html) })) };
  }

  /** All rows of a table of the filing's form, as CSV. @throws ServiceProblem as `look`; 404: it has none */
  async table(accession_number: string, table: string, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const caller = await this.callerOf(request, reply);
    const parameters = { accession_number: accession_number as AccessionNumber, table };
    const { body } = await this.#readers.run({ operation: 'form', parameters, context: CONTEXT }, caller);
    return Buffer.from(body);
  }

  /** @throws ServiceProblem as `look` */
  async facets(given: Record<string, unknown>, request: FastifyRequest, reply: FastifyReply): Promise<SearchFacets> {
    const caller = await this.callerOf(request, reply);
    const parameters = readParameters('fulltext_search', [], given);
    const { body } = await this.#readers.run({ operation: 'search_facets', parameters, context: CONTEXT }, caller);
    return JSON.parse(Buffer.from(body).toString('utf8')) as SearchFacets;
  }

  /** Counts a view once, however many look-ups it takes. @throws ServiceProblem 429 */
  async callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    let caller = this.#callers.get(request);
    if (caller === undefined) {
      caller = this.#newCaller(request, reply);
      this.#callers.set(request, caller);
    }
    return caller;
  }

  async #newCaller(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    return { key: await this.#visitorOf(request), gone: gone.signal };
  }

  async #visitorOf(request: FastifyRequest): Promise<string> {
    const account = await this.#accountOf(request);
    const visitor = account === null ? `page ${networkOf(request.ip)}` : `page of account ${account}`;
    this.#count(visitor, request.headers['sec-fetch-dest'] === 'image' ? PICTURE : 1);
    return visitor;
  }

  #count(visitor: string, views: number): void {
    const now = Date.now();
    const recent = this.#recent.get(visitor);
    if (recent && recent.until > now) {
      recent.count += views;
      if (recent.count > VIEWS_A_MINUTE) {
        throw new ServiceProblem(429, 'too many pages in a minute: wait a moment, log in, or use /v2', {
          headers: { 'retry-after': '60' },
        });
      }
      return;
    }
    this.#recent.delete(visitor);
    if (this.#recent.size >= VISITORS_MAX) this.#recent.delete(this.#recent.keys().next().value!);
    this.#recent.set(visitor, { count: views, until: now + MINUTE_MS });
  }
}
