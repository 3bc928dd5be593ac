/**
 * Keys and quotas of services on several machines. Requests that wait are counted together, in one transaction that holds the rows of
 * their meters: no other server counts between the check of a limit and the count. docs/internals/decisions/accounts-in-postgresql.md
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { QuotaPlans } from '../../api/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import type { Admission, CountedAnswer, CountedRequest, KnownKey, UsageRow, UsageTicket } from '../keys/admission.ts';
import { hashOf } from '../keys/api-key.ts';
import { add, type Batch, Counting, NOTHING_USED, PLANS_IN_USE, planUnknown } from '../keys/counting.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { KEY_ROWS, type KeyRow, KNOWN_KEYS_MAX } from '../keys/known-keys.ts';
import { monthOf, planIn } from '../keys/plan-of-month.ts';
import type { KeyUsage, UsedOfMonth } from '../keys/quotas.ts';
import { RequestRates } from '../keys/request-rates.ts';
import { usageOfMeter } from '../keys/usage-days.ts';
import { WorkMeter } from '../keys/work-meter.ts';
import { all, run } from '../operation.ts';
import type { Connections } from './connections.ts';
import { isAway, isContended } from './connections.ts';
import { addRows, Deltas } from './deltas.ts';
import { PostgresAccounts } from './postgres-accounts.ts';

/** Keys in memory hold for this time without a word from the database. Each second it is asked what has changed. */
const KNOWN_FOR_MS = 5_000;
const JOBS_AT_ONCE = 1_000;
const RETRY_MS = 100;
/** Two clocks can't be compared more exactly on a busy machine. */
const CLOCK_ERROR_MS = 100;
const CLOCK_HOLDS_MS = 60_000;
const ATTEMPTS = 5;

interface Waiting<Result> {
  /** By performance.now(): then it fails */
  until: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Its caller has got an error */
  isOver?: boolean;
  /** What its last transaction counted */
  delta?: Deltas;
}
type CountJob = Waiting<(Admission | null)[]> & { kind: 'count'; requests: readonly CountedRequest[]; now: Date };
type SettleJob = Waiting<UsedOfMonth> & { kind: 'settle'; ticket: UsageTicket; answer: CountedAnswer };
type FindJob = Waiting<(KeyRow | null)[]> & { kind: 'find'; apiKeys: readonly string[] };
type WriteJob = Waiting<void> & { kind: 'write' };
type Job = CountJob | SettleJob | FindJob | WriteJob;

interface Taken {
  deltas: Deltas;
  work: ReturnType<WorkMeter['take']>;
  uses: ReadonlyMap<number, string>;
}

/** A transaction whose COMMIT got no answer. */
interface Doubt {
  batch: number;
  jobs: readonly Job[];
  finish: () => void;
  taken: Taken;
}

export class SharedQuotas {
  readonly #accounts: PostgresAccounts;
  readonly #connections: Connections;
  readonly #plans: QuotaPlans;
  readonly #counting: Counting;
  readonly #waitMaxMs: number;
  readonly #rates = new RequestRates();
  readonly #uses = new KeyUses();
  readonly #work = new WorkMeter();
  /** Counts of keys without limits, and corrections */
  #unwritten = new Deltas();
  readonly #keys = new Map<string, KeyRow>();
  #change = -1;
  /** When the database was last asked for changes, by performance.now() */
  #askedAt = Number.NEGATIVE_INFINITY;
  /** How far the database's clock is ahead of this machine's */
  #clock = { aheadMs: 0, roundTripMs: Number.POSITIVE_INFINITY, readAt: 0 };
  /** Names this process to the database, and its transactions */
  readonly #id = randomUUID();
  #batch = 0;
  #queue: Job[] = [];
  #doubts: Doubt[] = [];
  #isWorking = false;
  #awaySince: number | null = null;

  private constructor(accounts: PostgresAccounts, plans: QuotaPlans, waitMaxMs: number) {
    this.#accounts = accounts;
    this.#connections = accounts.connections;
    this.#plans = plans;
    this.#counting = new Counting(plans);
    this.#waitMaxMs = waitMaxMs;
  }

  /** @throws FilinglakeError `accounts-unreachable`, `accounts-unsupported` */
  static async open(url: string, plans: QuotaPlans, waitMaxMs = 5_000): Promise<SharedQuotas> {
    const quotas = new SharedQuotas(await PostgresAccounts.open(url, { most: 2, waitMaxMs }), plans, waitMaxMs);
    await quotas.#accounts.run(() => run('INSERT INTO account_servers (server, batch) VALUES (?, 0)', quotas.#id));
    await quotas.#accounts.run(() => run("DELETE FROM account_servers WHERE at < now() - interval '30 days'"));
    await quotas.#ask({ kind: 'find', apiKeys: [] });
    return quotas;
  }

  /** Looks keys up. Null: unknown or revoked. */
  find(apiKeys: readonly string[]): (KnownKey | null)[] | Promise<(KnownKey | null)[]> {
    const known = this.#known(apiKeys);
    if (known) return known.map(knownKey);
    return this.#ask({ kind: 'find', apiKeys }).then((rows) => rows.map(knownKey));
  }

  async admit(apiKey: string | undefined, now: Date): Promise<Admission> {
    const [admission] = await this.count([{ apiKey: apiKey ?? '' }], now);
    if (admission) return admission;
    const [key] = await this.#ask({ kind: 'find', apiKeys: [apiKey!] });
    throw planUnknown(planIn(monthOf(now), key!));
  }

  count(requests: readonly CountedRequest[], now: Date): (Admission | null)[] | Promise<(Admission | null)[]> {
    const keys = this.#known(requests.map(({ apiKey }) => apiKey));
    const month = monthOf(this.#timeOf(now));
    const waits = keys?.some((key) => this.#counting.isLimited(key, month) || this.#counting.hasWorkLimit(key, month));
    if (keys && !waits) {
      const { admissions, finish } = this.#decide(requests, keys, now, new Map(), new Map());
      finish();
      return admissions;
    }
    return this.#ask({ kind: 'count', requests, now });
  }

  settle(ticket: UsageTicket, answer: CountedAnswer): UsedOfMonth | Promise<UsedOfMonth> {
    if (!ticket.unlimited) return this.#ask({ kind: 'settle', ticket, answer });
    if (answer.counted) this.#addAnswer(ticket, answer);
    return { requestsUsed: 0, bytesUsed: 0 };
  }

  addWork({ keyId, month }: UsageTicket, ms: number): void {
    this.#work.add(keyId, month, ms);
  }

  /** Writes what counts in batches, and asks what has changed. What can't be written now is kept for the next call. */
  async writeBatch(): Promise<void> {
    const isIdle = this.#unwritten.size + this.#work.unwritten.size + this.#uses.unwritten.size === 0;
    if (isIdle && this.#doubts.length === 0) await this.#ask({ kind: 'find', apiKeys: [] });
    else await this.#ask({ kind: 'write' });
  }

  async usage(apiKey: string, now: Date, month?: string): Promise<KeyUsage | null> {
    await this.writeBatch();
    const [key = null] = await this.#ask({ kind: 'find', apiKeys: [apiKey] });
    if (key === null) return null;
    const at = this.#timeOf(now);
    const current = await this.#accounts.run(() => usageOfMeter(key.meter, monthOf(at)));
    const quota = this.#counting.quota(planIn(monthOf(at), key), current, current.work_seconds, at);
    const isCurrent = month === undefined || month === current.month;
    return { quota, usage: isCurrent ? current : await this.#accounts.run(() => usageOfMeter(key.meter, month)) };
  }

  async missingPlans(): Promise<string[]> {
    const rows = await this.#accounts.run(() => all<{ plan: string }>(PLANS_IN_USE));
    return rows.map(({ plan }) => plan).filter((plan) => !Object.hasOwn(this.#plans.plans, plan));
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): Promise<void> {
    return this.#accounts.close();
  }

  /** Null: one of the keys must be looked up. */
  #known(apiKeys: readonly string[]): KeyRow[] | null {
    if (performance.now() - this.#askedAt > KNOWN_FOR_MS) return null;
    const rows = apiKeys.map((apiKey) => this.#keys.get(apiKey));
    return rows.every((row) => row !== undefined) ? rows : null;
  }

  /** By the clock of the database: all servers begin a month together. */
  #timeOf(now: Date): Date {
    return new Date(now.getTime() + this.#clock.aheadMs);
  }

  #ask(job: Pick<CountJob, 'kind' | 'requests' | 'now'>): Promise<(Admission | null)[]>;
  #ask(job: Pick<SettleJob, 'kind' | 'ticket' | 'answer'>): Promise<UsedOfMonth>;
  #ask(job: Pick<FindJob, 'kind' | 'apiKeys'>): Promise<(KeyRow | null)[]>;
  #ask(job: Pick<WriteJob, 'kind'>): Promise<void>;
  #ask(job: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const at = performance.now();
    // After a while without the database, nobody waits for it any more.
    const until = Math.max(at, (this.#awaySince ?? at) + this.#waitMaxMs);
    this.#queue.push({ ...job, until, resolve, reject } as unknown as Job);
    if (!this.#isWorking) {
      this.#isWorking = true;
      // What arrives in this turn of the event loop goes together.
      setImmediate(() => void this.#worker());
    }
    return promise;
  }

  async #worker(): Promise<void> {
    let attempts = 0;
    while (this.#queue.length > 0 || this.#doubts.some(({ jobs }) => jobs.some(({ isOver }) => !isOver))) {
      const jobs = this.#queue.splice(0, JOBS_AT_ONCE);
      try {
        await this.#clearDoubts();
        await this.#turn(jobs);
        this.#awaySince = null;
        attempts = 0;
      } catch (error) {
        attempts++;
        const isLost = isAwayOrUnreachable(error);
        if (isLost) this.#awaySince ??= performance.now();
        const mayRetry = isLost || (isContended(error) && attempts < ATTEMPTS);
        const problem = this.#connections.errorOf(error);
        this.#queue.unshift(...jobs.filter((job) => !this.#isInDoubt(job)));
        const isFailed = (job: Job) => !mayRetry || performance.now() >= job.until;
        for (const job of [...this.#queue, ...this.#doubts.flatMap(({ jobs: doubted }) => doubted)]) {
          if (!isFailed(job) || job.isOver) continue;
          job.isOver = true;
          job.reject(problem);
        }
        for (const job of this.#queue) if (job.isOver) this.#drop(job);
        this.#queue = this.#queue.filter((job) => !job.isOver);
        if (mayRetry && this.#queue.length + this.#doubts.length > 0) await pause(RETRY_MS);
      }
    }
    this.#isWorking = false;
  }

  #isInDoubt(job: Job): boolean {
    return this.#doubts.some(({ jobs }) => jobs.includes(job));
  }

  /** Its caller has an error, and nothing of it is in the database. A request that was to be given back still must be. */
  #drop(job: Job): void {
    if (!isGivenBack(job)) return;
    const { keyId: meter, month } = job.ticket;
    this.#unwritten.addMonth({ meter, month, requests: -1, bytes: 0 });
  }

  /** Asks what became of transactions whose COMMIT got no answer. */
  async #clearDoubts(): Promise<void> {
    if (this.#doubts.length === 0) return;
    const client = await this.#connections.connect(performance.now());
    let failure: unknown = null;
    try {
      for (const doubt of [...this.#doubts]) {
        const { batch, jobs, finish, taken } = doubt;
        // Waits for the transaction, if it is still open on the server.
        const { rows } = await client.query('SELECT batch FROM account_servers WHERE server = $1 FOR UPDATE', [
          this.#id,
        ]);
        this.#doubts = this.#doubts.filter((one) => one !== doubt);
        if (rows[0]?.batch >= batch) {
          // A request that was to be given back is.
          for (const job of jobs) {
            if (job.isOver && job.delta && !isGivenBack(job)) this.#unwritten.addAll(job.delta, -1);
          }
          finish();
        } else {
          this.#putBack(taken);
          for (const job of jobs) if (job.isOver) this.#drop(job);
          this.#queue.unshift(...jobs.filter(({ isOver }) => !isOver));
        }
      }
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure !== null);
    }
  }

  async #turn(jobs: readonly Job[]): Promise<void> {
    const client = await this.#connections.connect(performance.now());
    let failure: unknown = null;
    try {
      if (jobs.every(({ kind }) => kind === 'find')) await this.#findOnly(client, jobs as readonly FindJob[]);
      else await this.#transact(client, jobs);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure !== null);
    }
  }

  async #findOnly(client: pg.PoolClient, jobs: readonly FindJob[]): Promise<void> {
    const sentAt = Date.now();
    const { rows } = await client.query(`SELECT ${STATE} FROM account_changes`);
    this.#note(rows[0], sentAt);
    const keys = await this.#readKeys(client, jobs);
    for (const job of jobs) job.resolve(keysOf(job.apiKeys, keys));
  }

  async #transact(client: pg.PoolClient, jobs: readonly Job[]): Promise<void> {
    const sentAt = Date.now();
    const batch = ++this.#batch;
    const [, , { rows }] = await Promise.all([
      client.query('BEGIN'),
      client.query(BATCH, [this.#id, batch]),
      client.query(`SELECT ${STATE} FROM account_changes`),
    ]);
    this.#note(rows[0], sentAt);
    const keys = await this.#readKeys(client, jobs);
    const { meters, work } = await this.#hold(client, jobs, keys);
    const finishes = jobs.map((job) => this.#apply(job, keys, meters, work));
    const finish = () => {
      for (const done of finishes) done();
      this.#uses.written(taken.uses);
    };
    const deltas = new Deltas();
    for (const { delta } of jobs) if (delta) deltas.addAll(delta);
    const taken = this.#take();
    deltas.addAll(taken.deltas);
    const writes = [...deltas.writes(), ...writesOf(taken)];
    try {
      const sent = writes.map(({ sql, values }) => this.#connections.query(client, sql, values));
      const [{ command }] = await Promise.all([client.query('COMMIT'), ...sent]);
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    } catch (error) {
      if (isAway(error)) {
        this.#doubts.push({ batch, jobs, finish, taken });
      } else this.#putBack(taken);
      throw error;
    }
    finish();
  }

  #note({ n, at }: { n: number; at: number }, sentAt: number): void {
    if (n !== this.#change) this.#keys.clear();
    this.#change = n;
    this.#askedAt = performance.now();
    const now = Date.now();
    const roundTripMs = now - sentAt;
    // The quickest answer of a minute tells the time best.
    if (roundTripMs > this.#clock.roundTripMs && this.#askedAt - this.#clock.readAt < CLOCK_HOLDS_MS) return;
    const aheadMs = Math.round(at - (sentAt + now) / 2);
    this.#clock = { roundTripMs, readAt: this.#askedAt, aheadMs: Math.abs(aheadMs) > CLOCK_ERROR_MS ? aheadMs : 0 };
  }

  /** The keys of jobs, of which each that is known is remembered. */
  async #readKeys(client: pg.PoolClient, jobs: readonly Job[]): Promise<Map<string, KeyRow>> {
    const found = new Map<string, KeyRow>();
    const missing = new Map<string, string>();
    for (const apiKey of jobs.flatMap(apiKeysOf)) {
      const known = this.#keys.get(apiKey);
      if (known) found.set(apiKey, known);
      else if (apiKey !== '') missing.set(hashOf(apiKey).toString('hex'), apiKey);
    }
    if (missing.size === 0) return found;
    const hashes = [...missing.keys()].map((hash) => Buffer.from(hash, 'hex'));
    const { rows } = await this.#connections.query(client, `${KEY_ROWS} WHERE hash = ANY(?)`, [hashes]);
    for (const row of rows as (KeyRow & { hash: Buffer })[]) {
      if (row.revoked_at !== null) continue;
      const apiKey = missing.get(row.hash.toString('hex'))!;
      found.set(apiKey, row);
      if (this.#keys.size < KNOWN_KEYS_MAX) this.#keys.set(apiKey, row);
    }
    return found;
  }

  /** Takes the rows of all meters that are counted, so that no other server counts there before this transaction ends. */
  async #hold(client: pg.PoolClient, jobs: readonly Job[], keys: ReadonlyMap<string, KeyRow>) {
    const wanted = new Map<string, { meter: number; month: string }>();
    const working = new Map<string, { meter: number; month: string }>();
    for (const job of jobs) {
      if (job.kind === 'settle') {
        const { keyId: meter, month } = job.ticket;
        wanted.set(`${meter} ${month}`, { meter, month });
      } else if (job.kind === 'count') {
        const month = monthOf(this.#timeOf(job.now));
        for (const key of keysOf(apiKeysOf(job), keys)) {
          if (!key) continue;
          const { meter } = key;
          if (this.#counting.isLimited(key, month)) wanted.set(`${meter} ${month}`, { meter, month });
          if (this.#counting.hasWorkLimit(key, month)) working.set(`${meter} ${month}`, { meter, month });
        }
      }
    }
    const read = async (sql: string, pairs: ReadonlyMap<string, { meter: number; month: string }>) => {
      const list = [...pairs.values()];
      if (list.length === 0) return [];
      const values = [list.map(({ meter }) => meter), list.map(({ month }) => month)];
      return (await this.#connections.query(client, sql, values)).rows;
    };
    const [usage, worked] = await Promise.all([read(HOLD, wanted), read(WORKED, working)]);
    const meters = new Map<string, UsageRow>();
    for (const { key, month, requests, bytes } of usage as (UsageRow & { key: number; month: string })[]) {
      meters.set(`${key} ${month}`, { requests, bytes });
    }
    const work = new Map<string, number>();
    for (const { meter, month, ms } of worked as { meter: number; month: string; ms: number }[]) {
      work.set(`${meter} ${month}`, ms);
    }
    return { meters, work };
  }

  /** @returns what to do once it is committed */
  #apply(
    job: Job,
    keys: ReadonlyMap<string, KeyRow>,
    meters: Map<string, UsageRow>,
    work: ReadonlyMap<string, number>,
  ): () => void {
    if (job.isOver) return () => {};
    if (job.kind === 'find') return () => job.resolve(keysOf(job.apiKeys, keys));
    if (job.kind === 'write') return job.resolve;
    if (job.kind === 'settle') return this.#applySettle(job, meters);
    const rows = keysOf(apiKeysOf(job), keys);
    const { admissions, delta, finish } = this.#decide(job.requests, rows, job.now, meters, work);
    job.delta = delta;
    return () => {
      if (job.isOver) return;
      finish();
      job.resolve(admissions);
    };
  }

  #applySettle(job: SettleJob, meters: Map<string, UsageRow>): () => void {
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

  /** @param meters changed */
  #decide(
    requests: readonly CountedRequest[],
    keys: readonly (KeyRow | null)[],
    now: Date,
    meters: Map<string, UsageRow>,
    work: ReadonlyMap<string, number>,
  ) {
    const at = this.#timeOf(now);
    const month = monthOf(at);
    const used = new Map<number, UsageRow>();
    const { admissions, counted } = this.#counting.decide(
      ...([requests, keys, at] as const),
      {
        ...{ uses: this.#uses, rates: this.#rates },
        usageOf: (meter) => meters.get(`${meter} ${month}`) ?? NOTHING_USED,
        workOf: (meter) => ((work.get(`${meter} ${month}`) ?? 0) + this.#work.ms(meter, month)) / 1_000,
      },
      used,
    );
    for (const [meter, row] of used) meters.set(`${meter} ${month}`, row);
    const finish = () => {
      for (const [i, { answer }] of requests.entries()) {
        const admission = admissions[i];
        if (answer && admission?.outcome === 'admitted' && admission.ticket.unlimited) {
          this.#addAnswer(admission.ticket, answer);
        }
      }
    };
    return { admissions, delta: deltaOf(counted), finish };
  }

  #addAnswer(ticket: UsageTicket, { bytes, operation = '' }: { bytes: number; operation?: string }): void {
    const batch: Batch = new Map();
    add(batch, ticket, { bytes, operation });
    this.#unwritten.addAll(deltaOf(batch));
  }

  #take(): Taken {
    const taken = { deltas: this.#unwritten, work: this.#work.take(), uses: new Map(this.#uses.unwritten) };
    this.#unwritten = new Deltas();
    return taken;
  }

  #putBack({ deltas, work }: Taken): void {
    this.#unwritten.addAll(deltas);
    this.#work.putBack(work);
  }
}

/** The row of this server is held from the beginning of a transaction: who reads it knows if the batch is there. */
const BATCH = `INSERT INTO account_servers (server, batch) VALUES ($1, $2)
  ON CONFLICT (server) DO UPDATE SET batch = excluded.batch, at = now()`;
const STATE = 'n, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at';
const HOLD = `INSERT INTO usage AS held (key, month, requests, bytes)
  SELECT meter, month, 0, 0 FROM unnest(?::bigint[], ?::text[]) AS wanted (meter, month) ORDER BY meter, month
  ON CONFLICT (key, month) DO UPDATE SET requests = held.requests RETURNING key, month, requests, bytes`;
const WORKED = `SELECT work.meter, work.month, ms FROM work
  JOIN unnest(?::bigint[], ?::text[]) AS wanted (meter, month) ON wanted.meter = work.meter AND wanted.month = work.month`;

function writesOf({ work, uses }: Taken) {
  const works = [...work.values()].sort((a, b) => a.meter - b.meter);
  const days = [...uses].sort(([a], [b]) => a - b);
  const used = `INSERT INTO key_uses (key, day) SELECT * FROM unnest(?::bigint[], ?::text[])
    ON CONFLICT (key) DO UPDATE SET day = greatest(key_uses.day, excluded.day)`;
  return [
    addRows('work', { meter: 'bigint', month: 'text' }, { ms: 'bigint' }, [
      ...[works.map(({ meter }) => meter), works.map(({ month }) => month), works.map(({ ms }) => Math.ceil(ms))],
    ]),
    { sql: used, values: [days.map(([key]) => key), days.map(([, day]) => day)] },
  ].filter(({ values }) => values[0]!.length > 0);
}

function deltaOf(batch: Batch): Deltas {
  const delta = new Deltas();
  for (const { keyId: meter, month, day, operation, requests, bytes } of batch.values()) {
    delta.addMonth({ meter, month, requests, bytes });
    if (operation !== undefined) delta.addDay({ meter, day, operation, requests, bytes });
  }
  return delta;
}

function isGivenBack(job: Job): job is SettleJob {
  return job.kind === 'settle' && !job.answer.counted;
}

function apiKeysOf(job: Job): readonly string[] {
  if (job.kind === 'find') return job.apiKeys;
  return job.kind === 'count' ? job.requests.map(({ apiKey }) => apiKey) : [];
}

function keysOf(apiKeys: readonly string[], keys: ReadonlyMap<string, KeyRow>): (KeyRow | null)[] {
  return apiKeys.map((apiKey) => keys.get(apiKey) ?? null);
}

function knownKey(row: KeyRow | null): KnownKey | null {
  return row && { prefix: row.prefix, closed: row.closed_at !== null };
}

function isAwayOrUnreachable(error: unknown): boolean {
  return isAway(error) || (error instanceof FilinglakeError && error.code === 'accounts-unreachable');
}
