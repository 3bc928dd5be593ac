/** The tests of accounts again, with the accounts in PostgreSQL. */
import { afterAll, describe, expect, it } from 'vitest';
import { useServer } from '../../../support/accounts/backend.ts';
import { startPostgres } from '../../../support/accounts/postgres-server.ts';

const server = await startPostgres();
const missing = 'missing' in server ? server.missing : null;

describe.skipIf(missing !== null)(`accounts in PostgreSQL${missing === null ? '' : ` (${missing})`}`, async () => {
  if ('missing' in server) return;
  useServer(server);
  afterAll(() => server.stop());
  await import('../../integration/accounts/quotas.test.ts');
  await import('../../integration/accounts/counts-together.test.ts');
  await import('../../integration/accounts/keys.test.ts');
  await import('../../integration/accounts/plans.test.ts');
  await import('../../integration/accounts/log-in.test.ts');
  await import('../../integration/accounts/attacks.test.ts');
  await import('../../integration/accounts/mail.test.ts');
  await import('../../integration/accounts/webhook.test.ts');

  it('are those of this server', () => {
    expect(server.port).toBeGreaterThan(0);
  });
});
