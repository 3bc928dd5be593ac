/** Machines whose clocks are wrong, and jump: month, day and quota are those of the database's clock. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenKeys, openKeys } from '../../../../src/service/accounts/index.ts';
import { type PostgresServer, startPostgres } from '../../../support/accounts/postgres-server.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { KillableService } from '../../../support/chaos/killable-service.ts';
import { PLANS } from '../../../support/service/running-service.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../../support/service/small-catalog.ts';
import { CHECKOUT } from '../../../support/test-stack.ts';

const started = await startPostgres();
const missing = 'missing' in started ? started.missing : null;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.skipIf(missing !== null)(`services with wrong clocks${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as PostgresServer;
  const folder = temporaryFolder();
  const clocks = ['one', 'other'].map((name) => join(folder, name));
  const plans = join(folder, 'plans.yaml');
  let catalog: SmallCatalog;
  let keys: OpenKeys;
  let place: string;
  let services: KillableService[];

  const set = (one: number, other: number) => {
    for (const [i, file] of clocks.entries()) writeFileSync(file, String([one, other][i]));
  };
  beforeAll(async () => {
    catalog = await makeSmallCatalog(0, []);
    writeFileSync(plans, JSON.stringify(PLANS));
    place = await server.newPlace();
    keys = await openKeys(place, PLANS);
    set(HOUR_MS, -DAY_MS);
    services = await Promise.all(
      clocks.map((file) => KillableService.start(catalog.folder, ['--accounts', place, '--plans', plans], file)),
    );
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await keys.close();
    await server.stop();
  });

  const get = async (service: KillableService, path: string, key: string) => {
    const { statusCode, headers, body } = await request(`http://127.0.0.1:${service.port}${path}&api_key=${key}`);
    return { status: statusCode, headers, json: (await body.json()) as { month: string; days: { day: string }[] } };
  };
  const time = async (format: string) =>
    (await server.ask(`SELECT to_char(now() AT TIME ZONE 'UTC', '${format}') AS t`))[0]!.t as string;

  it.each([
    ['an hour ahead and a day behind', HOUR_MS, -DAY_MS],
    ['set forward by 40 days and back by 40', 40 * DAY_MS, -40 * DAY_MS],
    ['set back', -400 * DAY_MS, -2 * HOUR_MS],
  ])('serve one quota of one month: %s', async (_, one, other) => {
    // While they run: no request asks the database first.
    set(one, other);
    const before = [await time('YYYY-MM'), await time('YYYY-MM-DD')];
    const { api_key } = await keys.createKey('free');
    const statuses: number[] = [];
    const resets: number[] = [];
    for (let i = 0; i < 60; i++) {
      for (const service of services) {
        const { status, headers } = await get(service, `/v2/filing_info?accession_number=${ANNUAL}`, api_key);
        statuses.push(status);
        resets.push(Number(/t=(\d+)/.exec(String(headers.ratelimit))![1]));
      }
    }
    expect(statuses).toEqual([...Array(100).fill(200), ...Array(20).fill(429)]);
    const usages = await Promise.all(services.map((service) => get(service, '/v2/usage?', api_key)));
    const after = [await time('YYYY-MM'), await time('YYYY-MM-DD')];
    for (const { json } of usages) {
      expect([before[0], after[0]]).toContain(json.month);
      for (const { day } of json.days) expect([before[1], after[1]]).toContain(day);
    }
    // Seconds to the end of the month: of neither machine.
    const [{ left }] = (await server.ask(
      `SELECT extract(epoch FROM (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') - now() AT TIME ZONE 'UTC')::float8 AS left`,
    )) as [{ left: number }];
    for (const reset of resets) expect(Math.abs(reset - left)).toBeLessThan(HOUR_MS / 2_000);
  });

  it('are managed by a command whose clock is wrong', async () => {
    const { prefix } = await keys.createKey('free');
    writeFileSync(clocks[0]!, String(40 * DAY_MS));
    const command = [join(CHECKOUT, 'src/cli/main.ts'), 'keys', 'create', '--plan', 'free', '--accounts', place];
    const run = (...args: string[]) =>
      execFileSync(process.execPath, ['--import', join(CHECKOUT, 'test/support/jumping-clock.ts'), ...args], {
        encoding: 'utf8',
        cwd: CHECKOUT,
        env: { ...process.env, CLOCK_FILE: clocks[0] },
      });
    run(...command, '--plans', plans);
    const made = (await keys.listKeys()).at(-1)!;
    expect(made.prefix).not.toBe(prefix);
    expect(Math.abs(Date.parse(made.created_at) - Date.now())).toBeLessThan(HOUR_MS / 2);
  });
});
