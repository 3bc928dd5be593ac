/**
 * Keys and quotas of services on several machines. Requests that wait are counted together, in one transaction that holds the rows of
 * their meters: no other server counts between the check of a limit and the count. docs/internals/decisions/accounts-in-postgresql.md
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import type { Admission, CountedAnswer, CountedRequest, KnownKey, UsageRow, UsageTicket } from '../keys/admission.ts';
import { Counting, NOTHING_USED, PLANS_IN_USE, planUnknown } from '../keys/counting.ts';
import type { KeyRow } from '../keys/known-keys.ts';
import { monthOf, planIn } from '../keys/plan-of-month.ts';
import type { KeyUsage, UsedOfMonth } from '../keys/quotas.ts';
import { RequestRates } from '../keys/request-rates.ts';
import { usageOfMeter } from '../keys/usage-days.ts';
import { all, run } from '../store/operation.ts';
import { BEGIN, type Connections } from './connections.ts';
import { TIME } from './database-clock.ts';
import { Deltas } from './deltas.ts';
import { type HeldMeters, WantedMeters } from './held-meters.ts';
import { JobQueue } from './job-queue.ts';
import { KnownRows } from './known-rows.ts';
import { PostgresAccounts } from './postgres-accounts.ts';
import { isAway } from './postgres-errors.ts';
import { apiKeysOf, type FindJob, type Job, keysOf, knownKey, type SettleJob } from './quota-jobs.ts';
import { deltaOf, Unwritten, writesOf } from './unwritten.ts';

/** The row of this server is held from the beginning of a transaction: who reads it knows if the batch is there. */
const BATCH = `INSERT INTO account_servers (server, batch) VALUES ($1, $2)
  ON CONFLICT (server) DO UPDATE SET batch = excluded.batch, at = now()`;
const STATE = `n, ${TIME} AS at`;

export class SharedQuotas {
  readonly #accounts: PostgresAccounts;
  readonly #connections: Connections;
  readonly #plans: QuotaPlans;
  readonly #counting: Counting;
  readonly #rates = new RequestRates();
  readonly #unwritten = new Unwritten();
  readonly #keys: KnownRows;
  readonly #jobs: JobQueue;
  /** Names this process to the database, and its transactions */
  readonly #id = randomUUID();
  #batch = 0;

  private constructor(accounts: PostgresAccounts, plans: QuotaPlans, waitMaxMs: number) {
    const { connections } = accounts;
    [this.#accounts, this.#connections, this.#plans] = [accounts, connections, plans];
    this.#counting = new Counting(plans);
    this.#keys = new KnownRows(connections);
    this.#jobs = new JobQueue({
      connections,
      waitMaxMs,
      server: this.#id,
      unwritten: this.#unwritten,
      turn: (client, jobs) =>
        jobs.every((job) => job.kind === 'find') ? this.#findOnly(client, jobs) : this.#transact(client, jobs),
    });
  }

  /** @throws FilinglakeError `accounts-unreachable`, `catalog-unsupported` */
  static async open(url: string, plans: QuotaPlans, waitMaxMs = 5_000): Promise<SharedQuotas> {
    const quotas = new SharedQuotas(await PostgresAccounts.open(url, { most: 2, waitMaxMs }), plans, waitMaxMs);
    await quotas.#accounts.run(() => run('INSERT INTO account_servers (server, batch) VALUES (?, 0)', quotas.#id));
    await quotas.#accounts.run(() => run("DELETE FROM account_servers WHERE at < now() - interval '30 days'"));
    await quotas.#jobs.ask({ kind: 'find', apiKeys: [] });
    return quotas;
  }

  /** Looks keys up. Null: unknown or revoked. */
  find(apiKeys: readonly string[]): (KnownKey | null)[] | Promise<(KnownKey | null)[]> {
    const known = this.#keys.of(apiKeys);
    if (known) return known.map(knownKey);
    return this.#jobs.ask({ kind: 'find', apiKeys }).then((rows) => rows.map(knownKey));
  }

  async admit(apiKey: string | undefined, now: Date): Promise<Admission> {
    const [admission] = await this.count([{ apiKey: apiKey ?? '' }], now);
    if (admission) return admission;
    const [key] = await this.#jobs.ask({ kind: 'find', apiKeys: [apiKey!] });
    throw planUnknown(planIn(monthOf(now), key!));
  }

  count(requests: readonly CountedRequest[], now: Date): (Admission | null)[] | Promise<(Admission | null)[]> {
    const keys = this.#keys.of(requests.map(({ apiKey }) => apiKey));
    const month = monthOf(now);
    const waits = keys?.some((key) => this.#counting.isLimited(key, month) || this.#counting.hasWorkLimit(key, month));
    if (keys && !waits) {
      const { admissions, finish } = this.#decide(requests, keys, now, { meters: new Map(), work: new Map() });
      finish();
      return admissions;
    }
    return this.#jobs.ask({ kind: 'count', requests, now });
  }

  settle(ticket: UsageTicket, answer: CountedAnswer): UsedOfMonth | Promise<UsedOfMonth> {
    if (!ticket.unlimited) return this.#jobs.ask({ kind: 'settle', ticket, answer });
    if (answer.counted) this.#unwritten.addAnswer(ticket, answer);
    return { requestsUsed: 0, bytesUsed: 0 };
  }

  addWork({ keyId, month }: UsageTicket, ms: number): void {
    this.#unwritten.work.add(keyId, month, ms);
  }

  /** Writes what counts in batches, and asks what has changed. What can't be written now is kept for the next call. */
  async writeBatch(): Promise<void> {
    if (this.#unwritten.isEmpty && !this.#jobs.hasDoubts) await this.#jobs.ask({ kind: 'find', apiKeys: [] });
    else await this.#jobs.ask({ kind: 'write' });
  }

  async usage(apiKey: string, now: Date, month?: string): Promise<KeyUsage | null> {
    await this.writeBatch();
    const [key = null] = await this.#jobs.ask({ kind: 'find', apiKeys: [apiKey] });
    if (key === null) return null;
    const current = await this.#accounts.run(() => usageOfMeter(key.meter, monthOf(now)));
    const quota = this.#counting.quota(planIn(monthOf(now), key), current, current.work_seconds, now);
    const isCurrent = month === undefined || month === current.month;
    return { quota, usage: isCurrent ? current : await this.#accounts.run(() => usageOfMeter(key.meter, month)) };
  }

  timeOf(now: Date): Date {
    return this.#accounts.timeOf(now);
  }

  async missingPlans(): Promise<string[]> {
    const rows = await this.#accounts.run(() => all<{ plan: string }>(PLANS_IN_USE));
    return rows.map(({ plan }) => plan).filter((plan) => !Object.hasOwn(this.#plans.plans, plan));
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): Promise<void> {
    return this.#accounts.close();
  }

  async #findOnly(client: pg.PoolClient, jobs: readonly FindJob[]): Promise<void> {
    const sentAt = performance.now();
    const { rows } = await client.query(`SELECT ${STATE} FROM account_changes`);
    this.#note(rows[0], sentAt);
    const keys = await this.#keys.read(client, jobs.flatMap(apiKeysOf));
    for (const job of jobs) job.resolve(keysOf(job.apiKeys, keys));
  }

  async #transact(client: pg.PoolClient, jobs: readonly Job[]): Promise<void> {
    const sentAt = performance.now();
    const batch = ++this.#batch;
    const [, , { rows }] = await Promise.all([
      client.query(BEGIN),
      client.query(BATCH, [this.#id, batch]),
      client.query(`SELECT ${STATE} FROM account_changes`),
    ]);
    this.#note(rows[0], sentAt);
    const keys = await this.#keys.read(client, jobs.flatMap(apiKeysOf));
    const held = await this.#wanted(jobs, keys).hold(this.#connections, client);
    const finishes = jobs.map((job) => this.#apply(job, keys, held));
    const finish = () => {
      for (const done of finishes) done();
      this.#unwritten.written(taken);
    };
    const deltas = new Deltas();
    for (const { delta } of jobs) if (delta) deltas.addAll(delta);
    const taken = this.#unwritten.take();
    deltas.addAll(taken.deltas);
    const writes = [...deltas.writes(), ...writesOf(taken)];
    try {
      const sent = writes.map(({ sql, values }) => this.#connections.query(client, sql, values));
      const [{ command }] = await Promise.all([client.query('COMMIT'), ...sent]);
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    } catch (error) {
      if (isAway(error)) {
        this.#jobs.doubt({ batch, jobs, finish, taken });
      } else this.#unwritten.putBack(taken);
      throw error;
    }
    finish();
  }

  #note({ n, at }: { n: number; at: number }, sentAt: number): void {
    this.#keys.note(n);
    this.#connections.clock.note(at, sentAt);
  }

  #wanted(jobs: readonly Job[], keys: ReadonlyMap<string, KeyRow>): WantedMeters {
    const wanted = new WantedMeters();
    for (const job of jobs) {
      if (job.kind === 'settle') wanted.count(job.ticket.keyId, job.ticket.month);
      if (job.kind !== 'count') continue;
      const month = monthOf(job.now);
      for (const key of keysOf(apiKeysOf(job), keys)) {
        if (key && this.#counting.isLimited(key, month)) wanted.count(key.meter, month);
        if (key && this.#counting.hasWorkLimit(key, month)) wanted.work(key.meter, month);
      }
    }
    return wanted;
  }

  /** @returns what to do once it is committed */
  #apply(job: Job, keys: ReadonlyMap<string, KeyRow>, held: HeldMeters): () => void {
    if (job.isOver) return () => {};
    if (job.kind === 'find') return () => job.resolve(keysOf(job.apiKeys, keys));
    if (job.kind === 'write') return job.resolve;
    if (job.kind === 'settle') return this.#applySettle(job, held);
    const rows = keysOf(apiKeysOf(job), keys);
    const { admissions, delta, finish } = this.#decide(job.requests, rows, job.now, held);
    job.delta = delta;
    return () => {
      if (job.isOver) return;
      finish();
      job.resolve(admissions);
    };
  }

  #applySettle(job: SettleJob, { meters }: HeldMeters): () => void {
    const { keyId: meter, month, day } = job.ticket;
    const { counted, bytes, operation = '' } = job.answer;
    const delta = new Deltas();
    const row = meters.get(`${meter} ${month}`) ?? NOTHING_USED;
    if (counted) delta.addDay({ meter, day, operation, requests: 1, bytes });
    const change = counted ? { requests: 0, bytes } : { requests: -1, bytes: 0 };
    delta.addMonth({ meter, month, ...change });
    const used = { requests: row.requests + change.requests, bytes: row.bytes + change.bytes };
    meters.set(`${meter} ${month}`, used);
    job.delta = delta;
    return () => job.resolve({ requestsUsed: used.requests, bytesUsed: used.bytes });
  }

  /** @param held its meters are changed */
  #decide(
    requests: readonly CountedRequest[],
    keys: readonly (KeyRow | null)[],
    now: Date,
    { meters, work }: HeldMeters,
  ) {
    const month = monthOf(now);
    const used = new Map<number, UsageRow>();
    const { admissions, counted } = this.#counting.decide(
      ...([requests, keys, now] as const),
      {
        uses: this.#unwritten.uses,
        rates: this.#rates,
        usageOf: (meter) => meters.get(`${meter} ${month}`) ?? NOTHING_USED,
        workOf: (meter) => ((work.get(`${meter} ${month}`) ?? 0) + this.#unwritten.work.ms(meter, month)) / 1_000,
      },
      used,
    );
    for (const [meter, row] of used) meters.set(`${meter} ${month}`, row);
    const finish = () => {
      for (const [i, { answer }] of requests.entries()) {
        const admission = admissions[i];
        if (answer && admission?.outcome === 'admitted' && admission.ticket.unlimited) {
          this.#unwritten.addAnswer(admission.ticket, answer);
        }
      }
    };
    return { admissions, delta: deltaOf(counted), finish };
  }
}
