/** The line to PostgreSQL has TLS if the address says so, or there is no line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeys, openQuotas } from '../../../../src/service/accounts/index.ts';
import { type PostgresServer, startPostgres } from '../../../support/accounts/postgres-server.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../../support/command-line.ts';
import { makeCertificate } from '../../../support/service/certificate.ts';
import { PLANS } from '../../../support/service/running-service.ts';

const certificate = makeCertificate();
const started = await startPostgres({ certificate });
const missing = 'missing' in started ? started.missing : null;

describe.skipIf(missing !== null)(`accounts over TLS${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as PostgresServer;
  const folder = temporaryFolder();
  const [authority, other, absent] = ['authority.pem', 'other.pem', 'absent.pem'].map((name) => join(folder, name));
  let plain: string;
  beforeAll(async () => {
    writeFileSync(authority!, certificate.cert);
    writeFileSync(other!, makeCertificate().cert);
    plain = await server.newPlace();
  });
  afterAll(() => server.stop());

  const withTls = (mode: string, file?: string) =>
    `${plain}&sslmode=${mode}${file === undefined ? '' : `&sslrootcert=${file}`}`;
  const refusal = async (place: string) => {
    const error = await openKeys(place, PLANS).then(
      (keys) => keys.close(),
      (failure: { code: string; message: string; remedy: string }) => failure,
    );
    if (!error) return 'not refused';
    expect(error.code).toBe('accounts-unreachable');
    expect(error.message).toMatch(/^the PostgreSQL server of the accounts, (127\.0\.0\.1|localhost):\d+\/postgres: /);
    return error.remedy;
  };

  it.each(['require', 'verify-full'])('are read and written with sslmode=%s and the authority', async (mode) => {
    const place = withTls(mode, authority);
    const [keys, quotas] = [await openKeys(place, PLANS), await openQuotas(place, PLANS)];
    const { api_key } = await keys.createKey('twenty');
    const [admission] = await quotas.count(
      [{ apiKey: api_key, answer: { bytes: 1, operation: 'filing_info' } }],
      new Date(),
    );
    expect(admission?.outcome).toBe('admitted');
    const lines = await server.ask(
      "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'filinglake'",
    );
    expect(lines).toEqual([{ ssl: true }]);
    await Promise.all([keys.close(), quotas.close()]);
  });

  it.each([
    ['of another authority', 'require', other],
    ['of another authority', 'verify-full', other],
    ['of an authority that is not named', 'verify-full', undefined],
  ])('refuse a certificate %s (sslmode=%s), and name the remedy', async (_, mode, file) => {
    expect(await refusal(withTls(mode, file))).toBe(
      'Name the certificate of its authority in the address: sslrootcert=FILE.',
    );
  });

  it('refuse a name that the certificate lacks, and a file that is not there', async () => {
    const elsewhere = withTls('verify-full', authority).replace('127.0.0.1', 'localhost');
    expect(await refusal(elsewhere)).toContain('Use a host name');
    expect(await refusal(withTls('verify-full', absent))).toContain('Check the file that sslrootcert');
  });

  it('are refused by the commands with the same words', async () => {
    const { status, stderr } = await commandLine(['keys', 'list', '--accounts', withTls('verify-full', other)]);
    expect(status).toBe(1);
    expect(stderr).toContain('self-signed certificate');
    expect(stderr).toContain('sslrootcert=FILE');
  });

  it('are not sent in the clear to a server without TLS, and one that wants TLS says so', async () => {
    await server.ask('ALTER SYSTEM SET ssl = off');
    await server.ask('SELECT pg_reload_conf()');
    await expect.poll(() => refusal(withTls('require', authority))).toContain('Turn TLS on');
    await server.ask('ALTER SYSTEM RESET ssl');
    await server.ask(`DO $$ BEGIN EXECUTE format('COPY (SELECT %L) TO %L',
      'hostssl all all 127.0.0.1/32 trust', current_setting('hba_file')); END $$; SELECT pg_reload_conf()`);
    await expect.poll(() => refusal(plain)).toContain('sslmode=verify-full');
  });
});
