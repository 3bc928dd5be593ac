/** Services that share only PostgreSQL and a catalog that they read: one quota, whatever ends meanwhile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenKeys, openKeys } from '../../../../src/service/accounts/index.ts';
import { type PostgresServer, startPostgres } from '../../../support/accounts/postgres-server.ts';
import { KillableService } from '../../../support/chaos/killable-service.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { PLANS } from '../../../support/service/running-service.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../../support/service/small-catalog.ts';

const started = await startPostgres();
const missing = 'missing' in started ? started.missing : null;
const CONNECTIONS = 30;

describe.skipIf(missing !== null)(`two services on PostgreSQL${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as PostgresServer;
  const agent = new Agent({ connections: CONNECTIONS });
  let catalog: SmallCatalog;
  let keys: OpenKeys;
  let options: string[];
  let services: KillableService[];

  beforeAll(async () => {
    catalog = await makeSmallCatalog(0, []);
    const plans = join(temporaryFolder(), 'plans.yaml');
    writeFileSync(plans, JSON.stringify(PLANS));
    const place = await server.newPlace();
    keys = await openKeys(place, PLANS);
    options = ['--accounts', place, '--plans', plans];
    services = await Promise.all([1, 2].map(() => KillableService.start(catalog.folder, options)));
  });
  afterAll(async () => {
    await agent.close();
    await Promise.all(services.map((service) => service.kill()));
    await keys.close();
    await server.stop();
  });

  const newKey = async (plan: string) => (await keys.createKey(plan)).api_key;
  const used = async (key: string) => (await keys.listKeys()).find(({ prefix }) => key.startsWith(prefix))!;
  const usage = async (key: string, of = services[0]!) =>
    (await get(of, '/v2/usage?', key)).json as { requests: number; days: { requests: number }[] };
  /** null: the connection ended without an answer */
  async function get(service: KillableService, path: string, key: string) {
    try {
      const url = `http://127.0.0.1:${service.port}${path}&api_key=${key}`;
      const { statusCode, headers, body } = await request(url, { dispatcher: agent });
      return { status: statusCode, headers, json: await body.json() };
    } catch {
      return { status: null, headers: {} as Record<string, string | string[] | undefined>, json: null };
    }
  }
  /** As many requests on 30 connections; by the router too, which counts in two steps. */
  async function ask(service: KillableService, key: string, count: number) {
    const answers: Awaited<ReturnType<typeof get>>[] = [];
    let next = 0;
    const connection = async () => {
      while (next < count) {
        const more = next++ % 3 === 0 ? '&unknown=1' : '';
        const path =
          more === '' ? `/v2/filing_info?accession_number=${ANNUAL}` : `/v2/filing_sections?accession_number=${ANNUAL}`;
        answers.push(await get(service, path, key));
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    return answers;
  }
  const statuses = (answers: { status: number | null }[]) => {
    const counts: Record<string, number> = {};
    for (const { status } of answers) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
    return counts;
  };

  it('admit exactly what is left, to 30 connections each, and say the same', async () => {
    const key = await newKey('free');
    const answers = (await Promise.all(services.map((service) => ask(service, key, 150)))).flat();
    expect(statuses(answers)).toEqual({ 200: 100, 429: 200 });
    const left = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))![1]);
    expect(Math.min(...left.map(Number))).toBe(0);
    for (const service of services) {
      const { requests, days } = await usage(key, service);
      expect([requests, days.reduce((sum, day) => sum + day.requests, 0)]).toEqual([100, 100]);
    }
  });

  it('know at once that a key is revoked, and within two seconds one without limits', async () => {
    const [limited, unlimited] = [await newKey('free'), await newKey('unlimited')];
    const path = `/v2/filing_info?accession_number=${ANNUAL}`;
    const both = (key: string) => Promise.all(services.map(async (service) => (await get(service, path, key)).status));
    expect([await both(limited), await both(unlimited)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await keys.revokeKey(limited);
    expect(await both(limited)).toEqual([401, 401]);
    await keys.revokeKey(unlimited);
    const at = performance.now();
    while ((await both(unlimited)).includes(200) && performance.now() - at < 20_000) await pause(50);
    expect(await both(unlimited)).toEqual([401, 401]);
    expect(performance.now() - at).toBeLessThan(10_000);
  });

  it('pass no quota if one is killed: the other continues, and what was counted had an answer on its way', async () => {
    const key = await newKey('roomy');
    const [first, second] = services as [KillableService, KillableService];
    const ofFirst = ask(first, key, 4_000);
    const ofSecond = ask(second, key, 600);
    await pause(700);
    await first.kill();
    const [lost, kept] = [await ofFirst, await ofSecond];
    expect(statuses(kept)).toEqual({ 200: 600 });
    const answered = [...lost, ...kept].filter(({ status }) => status === 200).length;
    expect(lost.some(({ status }) => status === null)).toBe(true);
    const { requests } = await used(key);
    // Requests that the killed one had counted, but not answered: at most one for each connection.
    expect(requests).toBeGreaterThanOrEqual(answered);
    expect(requests).toBeLessThanOrEqual(answered + CONNECTIONS);
    await first.restart();
    expect((await usage(key, first)).requests).toBe(requests);
  }, 120_000);

  it('wait some seconds for one that is stopped within a transaction, and refuse nothing', async () => {
    const key = await newKey('roomy');
    const [first, second] = services as [KillableService, KillableService];
    const ofFirst = ask(first, key, 2_000);
    for (let round = 0; round < 3; round++) {
      await pause(200);
      first.signal('SIGSTOP');
      const answers = await ask(second, key, 100);
      first.signal('SIGCONT');
      expect(statuses(answers)).toEqual({ 200: 100 });
    }
    const answers = await ofFirst;
    const { 200: ok = 0, 503: refused = 0, ...others } = statuses(answers) as Record<string, number>;
    expect([ok + refused, others]).toEqual([2_000, {}]);
    await expect.poll(async () => (await used(key)).requests, { timeout: 20_000 }).toBe(ok + 300);
  }, 180_000);

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'count each answer once if PostgreSQL ends by %s and starts again',
    async (signal) => {
      const key = await newKey('roomy');
      const asked = services.map((service) => ask(service, key, 1_500));
      await pause(500);
      await server.stop(signal);
      await pause(300);
      await server.startAgain();
      const answers = (await Promise.all(asked)).flat();
      const { 200: ok = 0, 503: refused = 0, ...others } = statuses(answers) as Record<string, number>;
      expect([ok + refused, others]).toEqual([3_000, {}]);
      expect(ok).toBeGreaterThan(1_000);
      // What was refused is given back with the next batch.
      await expect.poll(async () => (await used(key)).requests, { timeout: 20_000 }).toBe(ok);
      const { days } = await usage(key);
      expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(ok);
    },
    180_000,
  );

  it('answer 503 with Retry-After while PostgreSQL is away, say so in /readyz, and recover without a restart', async () => {
    const [limited, unlimited] = [await newKey('free'), await newKey('unlimited')];
    const path = `/v2/filing_info?accession_number=${ANNUAL}`;
    const [service] = services as [KillableService];
    expect((await get(service, path, unlimited)).status).toBe(200);
    await server.stop('SIGKILL');
    const away = await get(service, path, limited);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
    await pause(6_000);
    // Nobody knows any more whether it is revoked.
    const at = performance.now();
    expect((await get(service, path, unlimited)).status).toBe(503);
    expect(performance.now() - at).toBeLessThan(5_000);
    const ready = await get(service, '/readyz?', '');
    expect(ready).toMatchObject({ status: 503, json: { accounts: expect.stringContaining('127.0.0.1') } });
    await server.startAgain();
    await expect.poll(async () => (await get(service, path, unlimited)).status, { timeout: 20_000 }).toBe(200);
    await expect.poll(async () => (await get(service, '/readyz?', '')).status, { timeout: 20_000 }).toBe(200);
    expect((await get(service, path, limited)).status).toBe(200);
    expect((await usage(limited)).requests).toBe(1);
  }, 120_000);
});
