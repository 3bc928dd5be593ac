/** The line to PostgreSQL is cut around a COMMIT: each answer is counted once, and what was refused not at all. */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QuotaPlans } from '../../../../src/filings/api/index.ts';
import { type OpenKeys, openKeys, openQuotas, type Quotas } from '../../../../src/service/accounts/index.ts';
import { type PostgresServer, startPostgres } from '../../../support/accounts/postgres-server.ts';

const started = await startPostgres();
const missing = 'missing' in started ? started.missing : null;
const limits = (requests: number | null) => ({
  requests_per_month: requests,
  bytes_per_month: null,
  price: '',
  description: '',
});
const PLANS: QuotaPlans = { pricing_url: '/p', plans: { three: limits(3), unlimited: limits(null) } };
const WAIT_MS = 1_500;
const NOW = new Date();

/** Between the quotas and the server. `cut` ends the connection at the next COMMIT, with it or without it. */
class Line {
  cut: 'after' | 'before' | null = null;
  /** New connections are refused */
  isDown = false;
  cuts = 0;
  readonly #server: Server;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      if (this.isDown) return void client.destroy();
      const upstream = connectTo(port, '127.0.0.1');
      upstream.on('data', (bytes) => client.write(bytes));
      client.on('data', (bytes: Buffer) => this.#pass(bytes, client, upstream));
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on('error', () => {});
        one.on('close', () => other.destroy());
      }
    });
  }

  static async open(port: number): Promise<Line> {
    const line = new Line(port);
    await new Promise<void>((settle) => line.#server.listen(0, '127.0.0.1', settle));
    return line;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  close(): void {
    this.#server.close();
  }

  #pass(bytes: Buffer, client: Socket, upstream: Socket): void {
    const { cut } = this;
    if (cut === null || !bytes.includes('COMMIT')) return void upstream.write(bytes);
    this.cut = null;
    this.cuts++;
    // The server does it, and nobody hears of it.
    client.removeAllListeners('close');
    upstream.removeAllListeners('data').resume();
    if (cut === 'before') upstream.destroy();
    else upstream.end(bytes);
    client.destroy();
  }
}

describe.skipIf(missing !== null)(`a line that is cut${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as PostgresServer;
  let line: Line;
  let keys: OpenKeys;
  let quotas: Quotas;
  beforeEach(async () => {
    line = await Line.open(server.port);
    const place = await server.newPlace();
    keys = await openKeys(place, PLANS);
    quotas = await openQuotas(place.replace(`:${server.port}/`, `:${line.port}/`), PLANS, WAIT_MS);
  });
  afterEach(async () => {
    await Promise.all([quotas.close(), keys.close()]);
    line.close();
  });
  afterAll(() => server.stop());

  const answer = { bytes: 10, operation: 'filing_info' };
  const used = async () => (await keys.listKeys(NOW))[0]!;
  const days = async (key: string) =>
    (await quotas.usage(key, NOW))!.usage.days.map(({ requests, bytes }) => [requests, bytes]);
  const newKey = async (plan: string) => (await keys.createKey(plan, NOW)).api_key;

  it.each(['after', 'before'] as const)(
    '%s the COMMIT: the request waits, is answered, and is counted once',
    async (cut) => {
      const key = await newKey('three');
      for (let k = 1; k <= 3; k++) {
        line.cut = cut;
        const [admission] = await quotas.count([{ apiKey: key, answer }], NOW);
        expect([admission?.outcome, line.cuts]).toEqual(['admitted', k]);
        expect(await used()).toMatchObject({ requests: k, bytes: 10 * k });
      }
      expect((await quotas.count([{ apiKey: key, answer }], NOW))[0]?.outcome).toBe('refused');
      expect(await days(key)).toEqual([[3, 30]]);
    },
  );

  it.each(['after', 'before'] as const)(
    '%s the COMMIT, and away for longer than a request waits: refused, and given back',
    async (cut) => {
      const key = await newKey('three');
      line.cut = cut;
      const asked = Promise.allSettled([quotas.count([{ apiKey: key, answer }], NOW)]);
      await expect.poll(() => line.cuts).toBe(1);
      line.isDown = true;
      expect((await asked)[0]).toMatchObject({ status: 'rejected', reason: { code: 'accounts-unreachable' } });
      expect((await used()).requests).toBe(cut === 'after' ? 1 : 0);
      line.isDown = false;
      await quotas.writeBatch();
      await quotas.writeBatch();
      expect(await used()).toMatchObject({ requests: 0, bytes: 0 });
      expect((await days(key)).filter(([requests]) => requests !== 0)).toEqual([]);
      const outcomes = [];
      for (let k = 0; k < 4; k++) outcomes.push((await quotas.admit(key, NOW)).outcome);
      expect(outcomes).toEqual(['admitted', 'admitted', 'admitted', 'refused']);
    },
  );

  it.each(['after', 'before'] as const)(
    '%s the COMMIT of an answer that is settled: its bytes and its day count once',
    async (cut) => {
      const key = await newKey('three');
      const [first, second] = [await quotas.admit(key, NOW), await quotas.admit(key, NOW)];
      if (first.outcome !== 'admitted' || second.outcome !== 'admitted') throw new Error('refused');
      line.cut = cut;
      expect(await quotas.settle(first.ticket, { counted: true, ...answer })).toEqual({
        requestsUsed: 2,
        bytesUsed: 10,
      });
      line.cut = cut;
      expect(await quotas.settle(second.ticket, { counted: false, bytes: 5 })).toEqual({
        requestsUsed: 1,
        bytesUsed: 10,
      });
      expect([line.cuts, await days(key)]).toEqual([2, [[1, 10]]]);
    },
  );

  it.each(['after', 'before'] as const)(
    '%s the COMMIT of what is given back, and away: it is given back later, once',
    async (cut) => {
      const key = await newKey('three');
      const [first, second] = [await quotas.admit(key, NOW), await quotas.admit(key, NOW)];
      if (first.outcome !== 'admitted' || second.outcome !== 'admitted') throw new Error('refused');
      line.cut = cut;
      // As a request does whose answer can't be counted: it becomes a 503, which counts nothing.
      const settled = Promise.allSettled([quotas.settle(first.ticket, { counted: true, ...answer })]);
      await expect.poll(() => line.cuts).toBe(1);
      line.isDown = true;
      expect((await settled)[0]!.status).toBe('rejected');
      expect((await Promise.allSettled([quotas.settle(first.ticket, { counted: false, bytes: 0 })]))[0]!.status).toBe(
        'rejected',
      );
      line.isDown = false;
      line.cut = cut;
      await Promise.allSettled([quotas.settle(second.ticket, { counted: false, bytes: 0 })]);
      expect(line.cuts).toBe(2);
      await quotas.writeBatch();
      await quotas.writeBatch();
      expect(await used()).toMatchObject({ requests: 0, bytes: 0 });
    },
  );

  it.each(['after', 'before'] as const)(
    '%s the COMMIT of a batch: keys without limits, work and last uses count once',
    async (cut) => {
      const key = await newKey('unlimited');
      for (let k = 0; k < 3; k++) {
        await quotas.find([key]);
        const [admission] = await quotas.count([{ apiKey: key, answer }], NOW);
        if (admission?.outcome === 'admitted') quotas.addWork(admission.ticket, 500);
        line.cut = cut;
        await quotas.writeBatch();
      }
      expect([line.cuts, await used()]).toMatchObject([3, { requests: 3, bytes: 30 }]);
      expect((await quotas.usage(key, NOW))!.usage).toMatchObject({
        work_seconds: 1.5,
        days: [{ requests: 3, bytes: 30 }],
      });
    },
  );
});
