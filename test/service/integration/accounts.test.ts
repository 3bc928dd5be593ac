/** Sign-up by POST /accounts, and /v2/usage: over a real service. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountDesk, KeyQuotas, KeyRegister, LivePlans } from '../../../src/service/accounts/index.ts';
import { BillingProvider } from '../../support/accounts/billing-provider.ts';
import { mailsIn } from '../../support/accounts/made-desk.ts';
import { temporaryFolder, writeFiles } from '../../support/catalog/synthetic-filings.ts';
import { PLANS, TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

let service: TestService;
let bare: TestService;
beforeAll(async () => {
  service = await TestService.start({ plans: { ...PLANS, sign_up: 'free', pricing_url: '/plans' } });
  bare = await TestService.start({ pages: false });
});
afterAll(() => Promise.all([service.stop(), bare.stop()]));

const signUp = (body: unknown, of = service) => of.ask('/accounts', { method: 'POST', body });

describe('POST /accounts', () => {
  it('answers the same for every address, and mails a link', async () => {
    const first = await signUp({ email: 'ada@example.org' });
    await expect.poll(() => mailsIn(service.catalog.folder).length).toBe(1);
    const second = await signUp({ email: 'ada@example.org' });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.bytes).toEqual(second.bytes);
    expect(mailsIn(service.catalog.folder)[0]!.text).toContain(`${service.service.url}/account/link?token=`);
  });

  it.each([
    ['no address', {}, 400, /email is invalid/],
    ['an address that is none', { email: 'ada' }, 400, /is not an e-mail address/],
    ['a short password', { email: 'b@example.org', password: 'short' }, 400, /10 to 200 characters/],
    ['another member', { email: 'b@example.org', plan: 'unlimited' }, 400, /invalid/],
    ['no JSON', '{', 400, /not valid JSON/],
  ])('refuses %s', async (_name, body, status, message) => {
    const answer = await signUp(body);
    expect(answer.status).toBe(status);
    expect((answer.json as { error: string }).error).toMatch(message);
  });

  it('is taken as POST only', async () => {
    const { status, headers } = await service.ask('/accounts');
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it('throttles mails to one address', async () => {
    const statuses: number[] = [];
    for (let k = 0; k < 6; k++) statuses.push((await signUp({ email: 'many@example.org' })).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  it('is not there with --no-pages, nor is any page', async () => {
    expect((await signUp({ email: 'ada@example.org' }, bare)).status).toBe(404);
    for (const path of ['/', '/account', '/plans', '/docs', '/billing/events']) {
      expect((await bare.ask(path)).status).toBe(404);
    }
    expect((await bare.get('filing_info', `accession_number=${ANNUAL}`)).status).toBe(200);
  });

  it('logs neither address, password nor token', async () => {
    await signUp({ email: 'secret.person@example.org', password: 'a very secret password' });
    await expect.poll(() => mailsIn(service.catalog.folder).some(({ to }) => to.startsWith('secret'))).toBe(true);
    const token = /token=([\w-]+)/.exec(mailsIn(service.catalog.folder).at(-1)!.text)![1]!;
    await service.ask(`/account/link?token=${token}`);
    const logged = service.logLines.join('');
    for (const secret of ['secret.person', 'very secret', token]) expect(logged).not.toContain(secret);
  });
});

describe('POST /billing/events', () => {
  it('takes events that the provider signed, once, and no others', async () => {
    const provider = await BillingProvider.start();
    const plans = { ...PLANS, sign_up: 'twenty' };
    const webhook = { url: provider.url, secret: provider.secret };
    const paid = await TestService.start({ plans, accounts: { webhook } });
    const desk = await AccountDesk.open({ catalogFolder: paid.catalog.folder, plans, webhook });
    const account = await desk.register.create('ada@example.org', null, 'twenty', 'operator', new Date());
    await desk.planDesk.choose(account, 'unlimited');
    const { body, signature } = provider.event('e1', 'plan.granted', provider.calls[0]!.body.reference);
    const post = (text: string, header: string) =>
      paid.ask('/billing/events', { method: 'POST', body: text, headers: { 'filinglake-signature': header } });
    expect((await post(body, signature.replace(/.$/, 'x'))).status).toBe(400);
    expect((await post(body.replace('granted', 'refused'), signature)).status).toBe(400);
    const answers = await Promise.all([1, 2, 3].map(() => post(body, signature)));
    const outcomes = answers.map(({ json }) => (json as { outcome: string }).outcome);
    expect(outcomes.sort()).toEqual(['applied', 'repeated', 'repeated']);
    expect((await desk.register.find('ada@example.org', new Date()))!.plan).toBe('unlimited');
    expect((await service.ask('/billing/events', { method: 'POST', body: {} })).status).toBe(404);
    await Promise.all([desk.close(), paid.stop(), provider.close()]);
  });
});

describe('a plans file', () => {
  it('holds as soon as it has changed; one with a mistake changes nothing', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'plans.yaml');
    const write = (requests: string) =>
      writeFiles(folder, {
        'plans.yaml': Buffer.from(
          `pricing_url: /plans\nplans:\n  free: { requests_per_month: ${requests}, bytes_per_month: null, price: free, description: x }\n`,
        ),
      });
    write('1');
    const changes: (string | null)[] = [];
    const plans = new LivePlans(file, (error) => changes.push(error?.message ?? null));
    const [register, quotas] = [KeyRegister.open(folder, plans), KeyQuotas.open(folder, plans)];
    const { api_key } = register.createKey('free');
    const outcomes = () => [quotas.admit(api_key, new Date()).outcome];
    expect([...outcomes(), ...outcomes()]).toEqual(['admitted', 'refused']);
    write('20');
    plans.reload();
    expect(outcomes()).toEqual(['admitted']);
    write('-1');
    plans.reload();
    expect(outcomes()).toEqual(['admitted']);
    rmSync(file);
    plans.reload();
    expect(outcomes()).toEqual(['admitted']);
    expect(changes).toEqual([null, expect.stringContaining('is invalid'), expect.stringContaining("can't be read")]);
    register.close();
    quotas.close();
    plans.close();
  });
});

describe('/v2/usage', () => {
  const usage = (key: string, query = '') => service.ask(`/v2/usage?api_key=${key}${query}`);

  it('gives requests and bytes by day and operation, plan, limits and reset', async () => {
    const key = service.newKey('free');
    const info = await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    await service.ask(`/v2/filing_info?api_key=${key}`);
    const { status, json, headers } = await usage(key);
    const day = new Date().toISOString().slice(0, 10);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      plan: 'free',
      requests: 1,
      bytes: info.bytes.length,
      requests_per_month: 100,
      bytes_per_month: 1_000_000,
      days: [{ day, operation: 'filing_info', requests: 1, bytes: info.bytes.length }],
    });
    expect(headers.ratelimit).toMatch(/^"requests";r=99;/);
  });

  it('counts nothing, and answers for a month that is used up', async () => {
    const key = service.newKey('twenty');
    for (let k = 0; k < 20; k++) await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    const refused = await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    expect(refused.status).toBe(429);
    // The path of the plans file is a page of the service.
    expect((refused.json as { error: string }).error).toContain(`Plans: ${service.service.url}/plans`);
    expect(((await usage(key)).json as { requests: number }).requests).toBe(20);
    expect(((await usage(key)).json as { requests: number }).requests).toBe(20);
  });

  it('counts a key without limits too, up to the last request', async () => {
    const key = service.newKey('unlimited');
    await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`);
    expect((await usage(key)).json).toMatchObject({ requests: 1, requests_per_month: null });
  });

  it('takes a month and refuses anything else', async () => {
    expect((await usage(service.key, '&month=2001-01')).json).toMatchObject({
      month: '2001-01',
      requests: 0,
      days: [],
    });
    expect((await usage(service.key, '&month=2001-13')).status).toBe(400);
    expect((await usage(service.key, '&day=1')).status).toBe(400);
    expect((await usage('fl_none')).status).toBe(401);
    expect((await service.ask('/v2/usage')).status).toBe(401);
  });

  it('is in the description of the interface', async () => {
    const { paths } = (await service.ask('/openapi.json')).json as { paths: Record<string, unknown> };
    expect(paths['/v2/usage']).toMatchObject({ get: { operationId: 'usage' } });
  });
});
