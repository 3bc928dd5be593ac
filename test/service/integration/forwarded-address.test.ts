/** Which address counts for a caller behind a proxy: in the access log, and in the limit of log-ins by address. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OneTimeLinks } from '../../../src/service/accounts/one-time-links.ts';
import { AccountRegister } from '../../../src/service/accounts/register/register.ts';
import { AccountsFile } from '../../../src/service/accounts/store/database.ts';
import { LIMITS, Throttle } from '../../../src/service/accounts/throttle.ts';
import { ACCOUNT_PLANS, PASSWORD } from '../../support/accounts/made-desk.ts';
import { TestService } from '../../support/service/running-service.ts';

const ATTACKER = '203.0.113.7';
const OTHER = '198.51.100.1';
const LOCAL = '127.0.0.1';

/** Uses up all attempts of an address. Real log-ins would each cost a hash. */
function useUpLogIns(service: TestService, address: string): void {
  const database = AccountsFile.open(service.catalog.folder);
  const tryForever = () => {
    for (;;) database.runNow(() => new Throttle().count(LIMITS.logInOfNetwork, address, new Date()));
  };
  expect(tryForever).toThrow('too many attempts');
  database.closeNow();
}

async function logIn(service: TestService, forwarded?: string): Promise<number> {
  const { status } = await service.ask('/account/log-in', {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.org', password: PASSWORD }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    },
  });
  return status;
}

/** The cookie of a log-in by a link, whose scheme the proxy states. */
async function cookieOf(service: TestService, scheme: string, email = `${scheme}@example.org`): Promise<string> {
  const database = AccountsFile.open(service.catalog.folder);
  database.runNow(() => new AccountRegister(ACCOUNT_PLANS).create(email, null, 'free', 'operator', new Date()));
  const token = database.runNow(() => new OneTimeLinks().make('log-in', email, null, new Date()));
  database.closeNow();
  const { headers } = await service.ask('/account/link', {
    method: 'POST',
    body: new URLSearchParams({ token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-proto': scheme },
  });
  return String(headers['set-cookie']);
}

let asked = 0;
async function loggedAddress(service: TestService, forwarded: string): Promise<unknown> {
  const id = `asked-${++asked}`;
  await service.ask('/healthz', { headers: { 'x-request-id': id, 'x-forwarded-for': forwarded } });
  const find = () =>
    service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).find((l) => l.request_id === id);
  await expect.poll(find).toBeDefined();
  return find()!.address;
}

describe('a service behind a trusted proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      plans: ACCOUNT_PLANS,
      trustedProxies: [LOCAL],
      limits: { readerThreads: 1 },
    });
  });
  afterAll(() => service.stop());

  it('logs the address that the proxy states, not one that the client wrote before it', async () => {
    expect(await loggedAddress(service, ATTACKER)).toBe(ATTACKER);
    expect(await loggedAddress(service, `${OTHER}, ${ATTACKER}`)).toBe(ATTACKER);
  });

  it('gives a cookie for https alone if the proxy was reached by https', async () => {
    expect(await cookieOf(service, 'https')).toMatch(
      /^__Host-filinglake_session=.*; Path=\/;.*; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(await cookieOf(service, 'http')).toMatch(/^filinglake_session=.*; HttpOnly; SameSite=Lax$/);
  });

  it('takes the session of https only from the cookie that browsers keep for https and this host', async () => {
    const cookie = (await cookieOf(service, 'https', 'ada@example.org')).split(';', 1)[0]!;
    const page = async (text: string, scheme = 'https') =>
      (await service.ask('/account', { headers: { cookie: text, 'x-forwarded-proto': scheme } })).bytes.toString();
    expect(await page(cookie)).toContain('ada@example.org');
    // As another host of the domain could have planted it.
    expect(await page(cookie.replace('__Host-', ''))).not.toContain('ada@example.org');
    expect(await page(cookie, 'http')).not.toContain('ada@example.org');
  });

  it('tells browsers to keep to https if the proxy was reached by it', async () => {
    const header = async (scheme: string) =>
      (await service.ask('/healthz', { headers: { 'x-forwarded-proto': scheme } })).headers[
        'strict-transport-security'
      ];
    expect([await header('https'), await header('http')]).toEqual(['max-age=31536000', undefined]);
  });

  it('limits log-ins by that address: neither the proxy nor other callers are refused', async () => {
    useUpLogIns(service, ATTACKER);
    expect(await logIn(service, ATTACKER)).toBe(429);
    // A forged address before the real one doesn't help.
    expect(await logIn(service, `${OTHER}, ${ATTACKER}`)).toBe(429);
    expect(await logIn(service, OTHER)).toBe(401);
    expect(await logIn(service)).toBe(401);
  });
});

describe('a proxy that states ports, brackets or addresses of IPv6', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      plans: ACCOUNT_PLANS,
      trustedProxies: [LOCAL, '10.0.0.0/8'],
      limits: { readerThreads: 1 },
    });
  });
  afterAll(() => service.stop());

  it('gives no new attempts with a new port', async () => {
    useUpLogIns(service, ATTACKER);
    for (const port of ['', ':51312', ':51313']) expect(await logIn(service, `${ATTACKER}${port}`)).toBe(429);
    expect(await logIn(service, `::ffff:${ATTACKER}`)).toBe(429);
    expect(await logIn(service, `${OTHER}:51312`)).toBe(401);
  });

  it('gives no new attempts with another address of the same /64', async () => {
    useUpLogIns(service, '2001:db8:0:0');
    for (const address of ['2001:db8::1', '2001:DB8:0::2', '[2001:db8::3]', '[2001:db8::4]:443']) {
      expect(await logIn(service, address)).toBe(429);
    }
    expect(await logIn(service, '2001:db8:0:1::1')).toBe(401);
  });

  it('is believed behind another trusted proxy that it names with its port', async () => {
    expect(await loggedAddress(service, `${OTHER}, 10.1.2.3:443`)).toBe(OTHER);
    expect(await loggedAddress(service, `${OTHER}, 10.1.2.3`)).toBe(OTHER);
  });
});

describe('a service that trusts no proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ plans: ACCOUNT_PLANS, limits: { readerThreads: 1 } });
  });
  afterAll(() => service.stop());

  it('logs the address of the connection, whatever X-Forwarded-For says', async () => {
    expect(await loggedAddress(service, ATTACKER)).toBe(LOCAL);
  });

  it('believes no scheme that the caller names', async () => {
    expect(await cookieOf(service, 'https')).toMatch(/^filinglake_session=.*; HttpOnly; SameSite=Lax$/);
  });

  it('does not limit log-ins by an address that the caller only names', async () => {
    useUpLogIns(service, ATTACKER);
    expect(await logIn(service, ATTACKER)).toBe(401);
  });

  it('limits log-ins by the address of the connection: a new X-Forwarded-For gives no new attempts', async () => {
    useUpLogIns(service, LOCAL);
    for (const forged of [ATTACKER, OTHER, LOCAL, '']) expect(await logIn(service, forged)).toBe(429);
  });
});
