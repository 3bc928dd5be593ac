/** Jobs that wait for the database: one turn at a time takes all of them. What its COMMIT became is asked, if nobody heard of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { FilinglakeError } from '../../../core/index.ts';
import type { Admission } from '../keys/admission.ts';
import type { KeyRow } from '../keys/known-keys.ts';
import type { UsedOfMonth } from '../keys/quotas.ts';
import type { Connections } from './connections.ts';
import { isAway, isContended } from './postgres-errors.ts';
import {
  type CountJob,
  type Doubt,
  type FindJob,
  isGivenBack,
  type Job,
  type SettleJob,
  type WriteJob,
} from './quota-jobs.ts';
import type { Unwritten } from './unwritten.ts';

const JOBS_AT_ONCE = 1_000;
const RETRY_MS = 100;
const ATTEMPTS = 5;

export interface JobQueueOptions {
  connections: Connections;
  unwritten: Unwritten;
  /** Names this process to the database */
  server: string;
  waitMaxMs: number;
  /** Does the jobs, or none of them */
  turn(client: pg.PoolClient, jobs: readonly Job[]): Promise<void>;
}

export class JobQueue {
  readonly #options: JobQueueOptions;
  #queue: Job[] = [];
  #doubts: Doubt[] = [];
  #isWorking = false;
  #awaySince: number | null = null;

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  get hasDoubts(): boolean {
    return this.#doubts.length > 0;
  }

  /** A turn says so before it fails: its jobs are neither done nor undone. */
  doubt(doubt: Doubt): void {
    this.#doubts.push(doubt);
  }

  ask(job: Pick<CountJob, 'kind' | 'requests' | 'now'>): Promise<(Admission | null)[]>;
  ask(job: Pick<SettleJob, 'kind' | 'ticket' | 'answer'>): Promise<UsedOfMonth>;
  ask(job: Pick<FindJob, 'kind' | 'apiKeys'>): Promise<(KeyRow | null)[]>;
  ask(job: Pick<WriteJob, 'kind'>): Promise<void>;
  ask(job: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const at = performance.now();
    // After a while without the database, nobody waits for it any more.
    const until = Math.max(at, (this.#awaySince ?? at) + this.#options.waitMaxMs);
    this.#queue.push({ ...job, until, resolve, reject } as unknown as Job);
    if (!this.#isWorking) {
      this.#isWorking = true;
      // What arrives in this turn of the event loop goes together.
      setImmediate(() => void this.#work());
    }
    return promise;
  }

  async #work(): Promise<void> {
    let attempts = 0;
    while (this.#queue.length > 0 || this.#doubts.some(({ jobs }) => jobs.some(({ isOver }) => !isOver))) {
      const jobs = this.#queue.splice(0, JOBS_AT_ONCE);
      try {
        if (this.hasDoubts) await this.#connected((client) => this.#clearDoubts(client));
        await this.#connected((client) => this.#options.turn(client, jobs));
        this.#awaySince = null;
        attempts = 0;
      } catch (error) {
        attempts++;
        const isLost = isAwayOrUnreachable(error);
        if (isLost) this.#awaySince ??= performance.now();
        const mayRetry = isLost || (isContended(error) && attempts < ATTEMPTS);
        this.#queue.unshift(...jobs.filter((job) => !this.#isInDoubt(job)));
        this.#refuse(this.#options.connections.errorOf(error), (job) => !mayRetry || performance.now() >= job.until);
        if (mayRetry && this.#queue.length + this.#doubts.length > 0) await pause(RETRY_MS);
      }
    }
    this.#isWorking = false;
  }

  async #connected(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#options.connections.connect(performance.now());
    let failure: unknown = null;
    try {
      await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure !== null);
    }
  }

  #refuse(problem: unknown, isFailed: (job: Job) => boolean): void {
    for (const job of [...this.#queue, ...this.#doubts.flatMap(({ jobs: doubted }) => doubted)]) {
      if (!isFailed(job) || job.isOver) continue;
      job.isOver = true;
      job.reject(problem);
    }
    for (const job of this.#queue) if (job.isOver) this.#drop(job);
    this.#queue = this.#queue.filter((job) => !job.isOver);
  }

  #isInDoubt(job: Job): boolean {
    return this.#doubts.some(({ jobs }) => jobs.includes(job));
  }

  /** Its caller has an error, and nothing of it is in the database. A request that was to be given back still must be. */
  #drop(job: Job): void {
    if (!isGivenBack(job)) return;
    const { keyId: meter, month } = job.ticket;
    this.#options.unwritten.deltas.addMonth({ meter, month, requests: -1, bytes: 0 });
  }

  /** Asks what became of transactions whose COMMIT got no answer. */
  async #clearDoubts(client: pg.PoolClient): Promise<void> {
    const { server, unwritten } = this.#options;
    for (const doubt of [...this.#doubts]) {
      const { batch, jobs, finish, taken } = doubt;
      // Waits for the transaction, if it is still open on the server.
      const { rows } = await client.query('SELECT batch FROM account_servers WHERE server = $1 FOR UPDATE', [server]);
      this.#doubts = this.#doubts.filter((one) => one !== doubt);
      if (rows[0]?.batch >= batch) {
        // A request that should be given back is given back.
        for (const job of jobs) {
          if (job.isOver && job.delta && !isGivenBack(job)) unwritten.deltas.addAll(job.delta, -1);
        }
        finish();
      } else {
        unwritten.putBack(taken);
        for (const job of jobs) if (job.isOver) this.#drop(job);
        this.#queue.unshift(...jobs.filter(({ isOver }) => !isOver));
      }
    }
  }
}

function isAwayOrUnreachable(error: unknown): boolean {
  return isAway(error) || (error instanceof FilinglakeError && error.code === 'accounts-unreachable');
}
