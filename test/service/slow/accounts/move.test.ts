/** `filinglake accounts move`, and the commands of accounts with the address of PostgreSQL. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AccountDesk, openQuotas } from '../../../../src/service/accounts/index.ts';
import { rowsOf, useServer } from '../../../support/accounts/backend.ts';
import { ACCOUNT_PLANS, MadeDesk } from '../../../support/accounts/made-desk.ts';
import { type PostgresServer, startPostgres } from '../../../support/accounts/postgres-server.ts';
import { commandLine } from '../../../support/command-line.ts';
import { makeSmallCatalog } from '../../../support/service/small-catalog.ts';

const started = await startPostgres();
const missing = 'missing' in started ? started.missing : null;
const MAY = process.env.FILINGLAKE_ACCOUNTS;

describe.skipIf(missing !== null)(`accounts of a catalog${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as PostgresServer;
  afterAll(async () => {
    process.env.FILINGLAKE_ACCOUNTS = MAY ?? '';
    await server.stop();
  });

  it('move with every row: keys, usage, log-ins, numbers; a second time is refused', async () => {
    useServer(null);
    const made = await MadeDesk.open();
    const [gone, ada] = [await made.account('gone@example.org'), await made.account()];
    const { api_key } = await made.desk.keys.create(ada.id, 'thesis', made.now);
    const revoked = await made.desk.keys.create(ada.id, 'old', made.now);
    await made.desk.keys.revoke(ada.id, revoked.prefix, made.now);
    for (let k = 0; k < 3; k++) {
      const admission = await made.quotas.admit(api_key, made.now);
      if (admission.outcome === 'admitted') {
        await made.quotas.settle(admission.ticket, { counted: true, bytes: 7, operation: 'document' });
        made.quotas.addWork(admission.ticket, 1_500);
      }
    }
    await made.quotas.writeBatch();
    const session = await made.desk.sessions.start(ada.id, made.now);
    await made.desk.subscriptions.request(ada, 'research', 'invoice', made.now);
    await made.desk.register.delete(gone.id, gone.email, made.now);
    await made.close();
    const before = await rowsOf(made.place);
    const place = await server.newPlace();
    // The command wants a catalog.
    const catalog = await makeSmallCatalog(0, []);
    const command = ['accounts', 'move', '--catalog', catalog.folder, '--accounts', place];
    expect((await commandLine(command)).stderr).toContain('accounts.db is not there');
    cpSync(join(made.place, 'accounts.db'), join(catalog.folder, 'accounts.db'));
    expect((await commandLine(command)).stdout).toBe(
      'moved 2 keys and 2 accounts; accounts.db is now accounts.db.moved\n',
    );
    expect(existsSync(join(catalog.folder, 'accounts.db'))).toBe(false);
    useServer(server);
    const after = new Map((await rowsOf(place)).map(({ name, rows }) => [name, rows]));
    for (const { name, rows } of before) expect([name, bare(after.get(name))]).toEqual([name, bare(rows)]);

    const desk = await AccountDesk.open({ database: place, plans: ACCOUNT_PLANS, now: () => made.now });
    const quotas = await openQuotas(place, ACCOUNT_PLANS);
    expect(await desk.sessions.find(session, made.now)).toBe(ada.id);
    expect(await quotas.admit(api_key, made.now)).toMatchObject({ outcome: 'admitted', quota: { requestsUsed: 4 } });
    expect((await quotas.admit(revoked.api_key, made.now)).outcome).toBe('unknown');
    expect((await desk.register.create('new@example.org', null, 'free', 'operator', made.now)).id).toBeGreaterThan(
      ada.id,
    );
    cpSync(join(made.place, 'accounts.db'), join(catalog.folder, 'accounts.db'));
    const again = await commandLine(command);
    expect([again.status, again.stderr]).toEqual([
      2,
      expect.stringContaining('the database has rows in the table keys'),
    ]);
    expect(existsSync(join(catalog.folder, 'accounts.db'))).toBe(true);
    await Promise.all([desk.close(), quotas.close()]);
  });

  it('are managed by the same commands, without a catalog; no message repeats a password', async () => {
    const place = await server.newPlace();
    process.env.FILINGLAKE_ACCOUNTS = place;
    const key = (await commandLine(['keys', 'create', '--plan', 'free'])).stdout.trim();
    expect(key).toMatch(/^fl_\w{40}$/);
    expect((await commandLine(['accounts', 'create', 'ada@example.org'])).stdout).toMatch(/\/account\/link\?token=/);
    await commandLine(['accounts', 'plan', 'ada@example.org', 'research']);
    expect(JSON.parse((await commandLine(['accounts', 'list', '--json'])).stdout)).toMatchObject([
      { plan: 'research' },
    ]);
    expect((await commandLine(['keys', 'revoke', key])).stdout).toMatch(/^revoked fl_/);
    expect((await commandLine(['keys', 'list'])).stdout).toContain('revoked');
    process.env.FILINGLAKE_ACCOUNTS = '';
    const missingPlace = await commandLine(['keys', 'list']);
    expect([missingPlace.status, missingPlace.stderr]).toEqual([2, expect.stringContaining('--catalog is missing')]);
    const secret = 'very-secret-word';
    const wrong = [
      `postgres://tester:${secret}@127.0.0.1:1/none`,
      `postgres://tester:${secret}@127.0.0.1:${server.port}/none`,
      `postgres://tester:${secret}@127.0.0.1:${server.port}/postgres?sslmode=verify-full`,
      `mysql://tester:${secret}@127.0.0.1/none`,
    ];
    for (const url of wrong) {
      const { status, stderr, stdout } = await commandLine(['keys', 'list', '--accounts', url]);
      expect(status).not.toBe(0);
      expect(`${stderr}${stdout}`).not.toContain(secret);
      expect(stderr).toMatch(/PostgreSQL server of the accounts, 127\.0\.0\.1:\d+\/|--accounts/);
    }
  }, 60_000);

  it('need no right but to read and write, once the tables are there', async () => {
    const [url] = [server.url('narrow', 'narrow')];
    for (const sql of ['CREATE ROLE narrow LOGIN', 'CREATE DATABASE narrow']) await server.ask(sql);
    const refused = await commandLine(['keys', 'list', '--accounts', url]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('permission denied')]);
    const owner = server.url('narrow');
    await commandLine(['keys', 'list', '--accounts', owner]);
    await server.ask('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO narrow', owner);
    await server.ask('GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO narrow', owner);
    const key = (await commandLine(['keys', 'create', '--plan', 'free', '--accounts', url])).stdout.trim();
    const quotas = await openQuotas(url, { ...ACCOUNT_PLANS });
    expect((await quotas.admit(key, new Date())).outcome).toBe('admitted');
    await quotas.close();
    await commandLine(['keys', 'revoke', key, '--accounts', url]);
  });

  it('of another version of the tables are refused', async () => {
    const place = await server.newPlace();
    await commandLine(['keys', 'list', '--accounts', place]);
    await server.ask('UPDATE account_tables SET version = 9', place);
    expect((await commandLine(['keys', 'list', '--accounts', place])).stderr).toContain('version 9');
  });
});

/** Bytes as hexadecimal digits; in one order. */
function bare(rows: unknown): string[] {
  return (rows as Record<string, unknown>[])
    .map((row) => {
      const values = Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value === null ? null : String(value),
      ]);
      return JSON.stringify(values.sort());
    })
    .sort();
}
