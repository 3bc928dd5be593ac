/**
 * Look-ups of a few records, as nearly every client sends them (plain-request.ts), are answered before the router, on the main
 * thread. The router takes every other request, and refuses. The answer is the same both ways
 * (test/service/integration/plain-look-up.test.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { AccessionNumber } from '../../filings/api/index.ts';
import type { Admission, KnownKey } from '../accounts/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import { FairLine } from '../readers/fair-line.ts';
import type { QuickLookUps } from '../readers/quick-look-ups.ts';
import { type AccessLog, logAnswer } from './access-log.ts';
import type { AccountBook } from './account-book.ts';
import { forwardedRequest } from './forwarded.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import { quotaHeaders } from './quota-headers.ts';
import { requestIdOf } from './request-id.ts';
import { newNotes } from './request-notes.ts';
import { type Encoded, encoded, type SenderParts, send } from './send-outcome.ts';

interface PlainLookUpParts extends SenderParts {
  quick: QuickLookUps;
  accounts: AccountBook;
  logger: FastifyBaseLogger;
  accessLog?: AccessLog;
  /** Whether an address belongs to a trusted proxy; null: no proxy is trusted */
  isTrustedProxy: ((address: string) => boolean) | null;
  now: () => Date;
  /** Reads of this process from a disk; default: as the system counts them */
  diskReads?: () => number;
}

/** Work of one turn of the event loop, in records by their number: some milliseconds. Then other requests are read and answered. */
const UNITS_A_TURN = 64;

/** A catalog that is not in memory: the main thread must not wait for its disk. For this time reader threads do it. */
const PAUSE_AFTER_DISK_READS_MS = 250;
/** Only slower look-ups are examined: to read the system's counter costs as much as a small look-up. */
const SLOW_TURN_MS = 3;

/** A request until its turn. */
interface Arrived extends PlainRequest {
  request: IncomingMessage;
  response: ServerResponse;
  arrivedAt: number;
  /** Called once if the request is not answered here */
  toRouter: () => void;
}

/** A request of a known key. */
interface Waiting extends Arrived {
  /** The beginning of its key */
  key: string;
}

interface InfoRequest {
  one: Waiting;
  accessionNumber: AccessionNumber;
}

interface Answered {
  one: Waiting;
  answer: Encoded;
  startedAt: number;
}

/**
 * Requests that arrive in one turn of the event loop share one look at the keys, and one transaction that counts them. Under load
 * that is much of the work of a request. The keys take turns, and a turn has a bound: nobody can use the main thread alone.
 */
export class PlainLookUps {
  readonly #parts: PlainLookUpParts;
  #arrived: Arrived[] = [];
  readonly #line = new FairLine<Waiting>();
  #answered: Answered[] = [];
  #isTurnDue = false;
  readonly #diskReads: () => number;
  #diskReadsBefore: number;
  #onThreadsUntil = 0;

  constructor(parts: PlainLookUpParts) {
    this.#parts = parts;
    this.#diskReads = parts.diskReads ?? (() => process.resourceUsage().fsRead);
    this.#diskReadsBefore = this.#diskReads();
  }

  /** @param toRouter called once if the request is not answered here */
  answer(request: IncomingMessage, response: ServerResponse, toRouter: () => void): void {
    const plain = this.#parts.isClosing() ? null : readPlainRequest(request);
    if (plain === null) return void toRouter();
    this.#arrived.push({ ...plain, request, response, arrivedAt: performance.now(), toRouter });
    this.#scheduleTurn();
  }

  #scheduleTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      this.#queueKnownKeys();
      this.#lookUp();
      this.#countAndSend();
      if (this.#line.length > 0) this.#scheduleTurn();
    });
  }

  /** The router refuses requests of unknown and closed keys. */
  #queueKnownKeys(): void {
    const arrived = this.#arrived;
    if (arrived.length === 0) return;
    this.#arrived = [];
    const queue = (keys: readonly (KnownKey | null)[]) => {
      for (const [i, one] of arrived.entries()) {
        const key = keys[i];
        if (key && !key.closed) this.#line.push({ ...one, key: key.prefix });
        else one.toRouter();
      }
    };
    try {
      const keys = this.#parts.accounts.find(arrived.map(({ apiKey }) => apiKey));
      const later = (found: readonly (KnownKey | null)[]) => {
        queue(found);
        this.#scheduleTurn();
      };
      if (keys instanceof Promise) keys.then(later, () => queue([]));
      else queue(keys);
    } catch {
      // The accounts are busy or damaged: the router finds it again, and answers.
      queue([]);
    }
  }

  /** Answers requests until their work is enough for one turn. */
  #lookUp(): void {
    const { pending, quick } = this.#parts;
    const startedAt = performance.now();
    const infos: InfoRequest[] = [];
    const isInMemory = startedAt >= this.#onThreadsUntil;
    for (let units = 0; units < UNITS_A_TURN; units++) {
      const one = this.#line.take();
      if (!one) break;
      const { question } = one;
      if (one.response.destroyed || !pending.hasRoom(one.key)) one.toRouter();
      else if (question.operation === 'filing_info') infos.push({ one, accessionNumber: question.accessionNumber });
      else if (!isInMemory) one.toRouter();
      else {
        const answer = quick.answer(question);
        units += answer.units;
        this.#encode(one, answer.outcome, startedAt);
      }
    }
    if (performance.now() - startedAt > SLOW_TURN_MS) this.#pauseAfterDiskReads();
    if (infos.length > 0) this.#lookUpInfos(infos, startedAt);
  }

  #pauseAfterDiskReads(): void {
    const reads = this.#diskReads();
    if (reads > this.#diskReadsBefore) this.#onThreadsUntil = performance.now() + PAUSE_AFTER_DISK_READS_MS;
    this.#diskReadsBefore = reads;
  }

  #lookUpInfos(infos: readonly InfoRequest[], startedAt: number): void {
    let outcomes: readonly (Outcome | null)[] = [];
    try {
      outcomes = this.#parts.quick.filingInfos(infos.map(({ accessionNumber }) => accessionNumber));
    } catch {
      // The catalog is busy or damaged: a reader thread finds it again, and answers.
    }
    for (const [i, { one }] of infos.entries()) this.#encode(one, outcomes[i] ?? null, startedAt);
  }

  /** @param outcome null: the router must answer */
  #encode(one: Waiting, outcome: Outcome | null, startedAt: number): void {
    if (outcome === null) return void one.toRouter();
    const answer = encoded(outcome, { isHead: false, ...one });
    if (!(answer instanceof Promise)) return void this.#answered.push({ one, answer, startedAt });
    answer.then((packed) => {
      this.#answered.push({ one, answer: packed, startedAt });
      this.#scheduleTurn();
    }, one.toRouter);
  }

  #countAndSend(): void {
    const answered = this.#answered;
    if (answered.length === 0) return;
    this.#answered = [];
    const date = this.#parts.now();
    const finish = (admissions: readonly (Admission | null)[]) => {
      for (const [i, one] of answered.entries()) {
        const admission = admissions[i];
        if (admission?.outcome === 'admitted') this.#send(one, quotaHeaders(admission.quota, date));
        else one.one.toRouter();
      }
    };
    const counted = answered.map(({ one: { apiKey, question }, answer }) => ({
      apiKey,
      answer: { bytes: answer.counted, operation: question.operation },
    }));
    let admissions: ReturnType<AccountBook['count']> = [];
    try {
      admissions = this.#parts.accounts.count(counted, date);
    } catch {
      // The accounts can't be written: the router finds it again, and answers.
    }
    if (admissions instanceof Promise) admissions.then(finish, () => finish([]));
    else finish(admissions);
  }

  #send({ one, answer, startedAt }: Answered, quota: Record<string, string>): void {
    const { request, response, key, arrivedAt } = one;
    const requestId = requestIdOf(one.requestId);
    const { address, isSecure } = forwardedRequest(request, this.#parts.isTrustedProxy);
    const bytes = send(answer, { response, requestId, key, isSecure }, quota, this.#parts);
    const notes = { ...newNotes(), operation: one.question.operation, keyPrefix: key, startedAt };
    const log = (complete: boolean) =>
      logAnswer(this.#parts.logger, this.#parts.accessLog, {
        request,
        notes,
        status: answer.status,
        arrivedAt,
        address,
        bytes,
        complete,
        requestId,
      });
    // The system may have taken the answer already, or its caller left while it was counted.
    if (response.socket?.writableLength === 0 && !response.socket.destroyed) log(true);
    else if (response.destroyed) log(false);
    else response.once('close', () => log(response.writableFinished));
  }
}
