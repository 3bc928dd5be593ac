/**
 * Look-ups of a few records, as nearly every client sends them (plain-request.ts). They are answered before the router, on the main
 * thread. Every other request, and every refusal, takes the ordinary way; an answer is the same both ways
 * (test/integration/service/plain-look-up.test.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../../accounts/index.ts';
import type { AccessionNumber } from '../../api/index.ts';
import { chooseCoding } from '../answers/accept.ts';
import { compress, MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import type { Outcome } from '../answers/outcome.ts';
import { FairLine } from '../readers/fair-line.ts';
import type { QuickLookUps } from '../readers/quick-look-ups.ts';
import type { AccountBook } from './account-book.ts';
import { type PlainAnswer, type PlainAnswerParts, sendPlain } from './plain-answer.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import { quotaHeaders } from './quota-headers.ts';

export interface PlainLookUpParts extends PlainAnswerParts {
  quick: QuickLookUps;
  accounts: AccountBook;
  now: () => Date;
  /** How often this process has read from a disk; default: as the system counts it */
  diskReads?: () => number;
}

/** Work of one turn of the event loop, in records by their number: some milliseconds. Then other requests have their turn. */
const UNITS_A_TURN = 64;

/** A catalog that is not in memory: the main thread must not wait for its disk. For this time reader threads do it. */
const PAUSE_AFTER_DISK_READS_MS = 250;
/** Only look-ups that took so long are examined: to read the system's counter costs as much as a small look-up. */
const SLOW_TURN_MS = 3;

/** A request until its turn. */
interface Arrived extends PlainRequest {
  request: IncomingMessage;
  response: ServerResponse;
  arrivedAt: number;
  /** The ordinary way; called once if the request is not answered here */
  otherwise: () => void;
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

interface Answered extends PlainAnswer {
  apiKey: string;
  otherwise: () => void;
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

  /** @param otherwise the ordinary way; called once if the request is not answered here */
  answer(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const plain = this.#parts.isClosing() ? null : readPlainRequest(request);
    if (plain === null) return void otherwise();
    this.#arrived.push({ ...plain, request, response, arrivedAt: performance.now(), otherwise });
    this.#haveTurn();
  }

  #haveTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      this.#lineUp();
      this.#lookUp();
      this.#countAndSend();
      if (this.#line.length > 0) this.#haveTurn();
    });
  }

  /** Sends requests of unknown and closed keys the ordinary way, which refuses them. */
  #lineUp(): void {
    const arrived = this.#arrived;
    if (arrived.length === 0) return;
    this.#arrived = [];
    let keys: ReturnType<AccountBook['findAll']>;
    try {
      keys = this.#parts.accounts.findAll(arrived.map(({ apiKey }) => apiKey));
    } catch {
      // The accounts are busy or damaged: the ordinary way finds it again, and answers.
      for (const { otherwise } of arrived) otherwise();
      return;
    }
    for (const [i, one] of arrived.entries()) {
      const key = keys[i]!;
      if (key && !key.closed) this.#line.push({ ...one, key: key.prefix });
      else one.otherwise();
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
      if (one.response.destroyed || !pending.hasRoom(one.key)) one.otherwise();
      else if (question.operation === 'filing_info') infos.push({ one, accessionNumber: question.accessionNumber });
      else if (!isInMemory) one.otherwise();
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
      // The catalog is busy or damaged: the ordinary way finds it again, and answers.
    }
    for (const [i, { one }] of infos.entries()) this.#encode(one, outcomes[i] ?? null, startedAt);
  }

  /** @param outcome null: the request takes the ordinary way */
  #encode(one: Waiting, outcome: Outcome | null, startedAt: number): void {
    if (outcome === null) return void one.otherwise();
    const { request, response, otherwise, apiKey, key: prefix, requestId, arrivedAt, question, acceptEncoding } = one;
    const { operation } = question;
    const coding =
      outcome.size >= MIN_BYTES_TO_COMPRESS && acceptEncoding !== undefined ? chooseCoding(acceptEncoding) : null;
    const about = { request, response, otherwise, apiKey, prefix, requestId, operation, outcome, coding };
    const answered: Answered = { ...about, arrivedAt, startedAt, body: outcome.body };
    if (coding === null) return void this.#answered.push(answered);
    compress(outcome.body, coding).then((body) => {
      this.#answered.push({ ...answered, body });
      this.#haveTurn();
    }, otherwise);
  }

  #countAndSend(): void {
    const answered = this.#answered;
    if (answered.length === 0) return;
    this.#answered = [];
    const { accounts, now } = this.#parts;
    const date = now();
    const otherwiseAll = () => {
      for (const { otherwise } of answered) otherwise();
    };
    const finish = (admissions: (Admission | null)[]) => {
      for (const [i, one] of answered.entries()) {
        const admission = admissions[i];
        if (admission?.outcome === 'admitted') sendPlain(one, quotaHeaders(admission.quota, date), this.#parts);
        else one.otherwise();
      }
    };
    const counted = answered.map(({ apiKey, outcome: { size: bytes }, operation }) => ({ apiKey, bytes, operation }));
    let admissions: ReturnType<AccountBook['countAll']>;
    try {
      admissions = accounts.countAll(counted, date);
    } catch {
      otherwiseAll();
      return;
    }
    if (admissions instanceof Promise) admissions.then(finish, otherwiseAll);
    else finish(admissions);
  }
}
