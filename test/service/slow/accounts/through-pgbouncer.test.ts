/** PostgreSQL behind PgBouncer in transaction mode: each transaction has another connection. */
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeys, openQuotas } from '../../../../src/service/accounts/index.ts';
import { useServer } from '../../../support/accounts/backend.ts';
import { PgBouncer } from '../../../support/accounts/pgbouncer.ts';
import { startPostgres } from '../../../support/accounts/postgres-server.ts';
import { PLANS } from '../../../support/service/running-service.ts';

const server = await startPostgres();
const pooler = 'missing' in server ? server : await PgBouncer.start(server, 2);
const missing = 'missing' in pooler ? pooler.missing : null;
const NOW = new Date();

describe.skipIf(missing !== null)(`accounts behind PgBouncer${missing === null ? '' : ` (${missing})`}`, async () => {
  if ('missing' in server || 'missing' in pooler) return;
  useServer(pooler);
  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });
  await import('../../integration/accounts/quotas.test.ts');
  await import('../../integration/accounts/counts-together.test.ts');
  await import('../../integration/accounts/keys.test.ts');

  it('count a quota exactly, from eight servers on two connections of PostgreSQL', async () => {
    const place = await pooler.newPlace();
    const keys = await openKeys(place, PLANS);
    const { api_key } = await keys.createKey('free', NOW);
    const servers = await Promise.all(Array.from({ length: 8 }, () => openQuotas(place, PLANS, 60_000)));
    const asked = servers.flatMap((quotas) =>
      Array.from({ length: 25 }, () => quotas.count([{ apiKey: api_key, answer: { bytes: 1, operation: 'x' } }], NOW)),
    );
    const outcomes = (await Promise.all(asked)).map(([admission]) => admission?.outcome);
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(100);
    expect((await keys.listKeys(NOW))[0]).toMatchObject({ requests: 100, bytes: 100 });
    await Promise.all([...servers, keys].map((one) => one.close()));
  });

  it('wait for a lock as long as without it, and no longer', async () => {
    const place = await pooler.newPlace();
    const keys = await openKeys(place, PLANS);
    const { api_key } = await keys.createKey('free', NOW);
    const user = place.slice('postgres://'.length, place.indexOf('@'));
    const holder = new pg.Client({ connectionString: server.url() });
    await holder.connect();
    for (const refused of [() => keys.createKey('free', NOW), () => keys.rotateKey(api_key, NOW)]) {
      await holder.query(`BEGIN; LOCK TABLE ${user}.keys`);
      await expect(refused()).rejects.toMatchObject({ code: 'accounts-busy' });
      await holder.query('COMMIT');
    }
    // What was refused is not done later.
    expect(await keys.listKeys(NOW)).toHaveLength(1);
    await holder.end();
    await keys.close();
  });
});
