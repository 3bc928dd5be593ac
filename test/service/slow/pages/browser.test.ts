/** The pages in Chromium: a person's whole way, and what axe and a narrow screen find. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountDesk } from '../../../../src/service/accounts/index.ts';
import { ACCOUNT_PLANS, mailsIn, PASSWORD } from '../../../support/accounts/made-desk.ts';
import { commandLine } from '../../../support/command-line.ts';
import { axeFindings, startBrowser } from '../../../support/pages/browser.ts';
import { ANNUAL_REPORTS, REPORTING_COMPANY } from '../../../support/service/annual-reports.ts';
import { TestService } from '../../../support/service/running-service.ts';
import { ANNUAL, CURRENT } from '../../../support/service/small-catalog.ts';
import { BROKEN, FORM4, HOLDINGS, STRUCTURED_FORMS, UNMAPPED } from '../../../support/service/structured-forms.ts';

const browser: Browser | null = await startBrowser();
let service: TestService;
let desk: AccountDesk;
beforeAll(async () => {
  service = await TestService.start({ plans: ACCOUNT_PLANS, others: [...ANNUAL_REPORTS, ...STRUCTURED_FORMS] });
  desk = await AccountDesk.open({ catalogFolder: service.catalog.folder, plans: ACCOUNT_PLANS });
});
afterAll(async () => {
  await browser?.close();
  await desk.close();
  await service.stop();
});

/** @param options.inspect axe's script may run in it: the pages themselves allow none */
async function open({ width = 1200, inspect = false, scripts = true } = {}): Promise<{ page: Page; said: string[] }> {
  const viewport = { width, height: 800 };
  const context = await browser!.newContext({ viewport, bypassCSP: inspect, javaScriptEnabled: scripts });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.service.url) && !request.url().startsWith('data:')) said.push(request.url());
  });
  return { page, said };
}

const at = (path: string) => `${service.service.url}${path}`;

describe.skipIf(!browser)('a person', () => {
  it('signs up, gets a key, uses it up, upgrades, continues and cancels, without scripts', async () => {
    const { page, said } = await open({ scripts: false });
    const info = (key: string) =>
      service.ask(`/v2/filing_info?accession_number=${ANNUAL}`, { headers: { 'x-api-key': key } });
    await page.goto(at('/'));
    await page.click('text=Make an account');
    await page.fill('#sign-up-email', 'ada@example.org');
    await page.fill('#sign-up-password', PASSWORD);
    await page.click('button:text("Make an account")');
    expect(await page.textContent('[role=status]')).toContain('its operator has your link');

    await expect.poll(() => mailsIn(service.catalog.folder).length).toBe(1);
    await page.goto(/http\S+/.exec(mailsIn(service.catalog.folder)[0]!.text)![0]);
    await page.fill('#password', PASSWORD);
    await page.click('text=Make the account');
    await page.fill('#key-name', 'thesis');
    await page.click('text=Make a key');
    const key = (await page.textContent('#new-key'))!;

    const statuses: number[] = [];
    for (let k = 0; k < 6; k++) statuses.push((await info(key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const { error } = (await info(key)).json as { error: string };
    await page.goto(/Plans: (\S+)$/.exec(error)![1]!);
    await page.click('[aria-label="Choose the plan research"]');
    expect(await page.textContent('[role=status]')).toContain('invoice');
    expect((await info(key)).status).toBe(429);

    const granted = await commandLine([
      'accounts',
      'requests',
      'ada@example.org',
      '--grant',
      '--catalog',
      service.catalog.folder,
      '--plans',
      'config/plans.yaml',
    ]);
    expect(granted.stdout).toBe('ada@example.org: research\n');
    expect((await info(key)).status).toBe(200);
    await page.goto(at('/account'));
    expect(await page.textContent('.figures')).toContain('6 requests, of 20');
    await page.click('text=Cancel the plan');
    expect(await page.textContent('[role=status]')).toMatch(/The plan 'free' holds from \d{4}-\d\d-01 on/);
    expect((await info(key)).status).toBe(200);
    await page.click('text=Keep the plan research');
    expect(await page.textContent('[role=status]')).toContain("You keep the plan 'research'");

    await page.click('[aria-label="Replace the key thesis"]');
    const second = (await page.textContent('#new-key'))!;
    expect([(await info(key)).status, (await info(second)).status]).toEqual([401, 200]);
    await page.click('text=Log out');
    await page.fill('#log-in-email', 'ada@example.org');
    await page.fill('#log-in-password', PASSWORD);
    await page.click('button:text("Log in")');
    await page.click('summary:text("Delete the account")');
    await page.fill('#delete-email', 'ada@example.org');
    await page.click('button:text("Delete the account")');
    expect(await page.textContent('[role=status]')).toContain('Your account is deleted');
    expect((await info(second)).status).toBe(401);
    expect(said.filter((line) => !line.includes('429'))).toEqual([]);
    await page.context().close();
  });

  it('reads a filing by keyboard alone', async () => {
    const { page } = await open();
    await page.goto(at('/search'));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('widgets');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=widgets/);
    await page.focus('.hit h3 a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/filings\//);
    await page.focus('.reader nav li:nth-child(2) a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/section=/);
    const frame = page.frames().find((one) => one.url().includes('/sections/'))!;
    await expect.poll(() => frame.content()).toContain('widgets');
    await page.context().close();
  });
});

const PATHS = [
  '/',
  '/docs',
  '/plans',
  '/account',
  '/search',
  '/search?q=widgets',
  '/companies/100001',
  `/companies/${REPORTING_COMPANY}`,
  `/filings/${ANNUAL}`,
  `/filings/${CURRENT}`,
  `/filings/${FORM4}`,
  `/filings/${HOLDINGS[1]}`,
  `/filings/${UNMAPPED}`,
  `/filings/${BROKEN}`,
  '/filings/0000000000-00-000000',
];

describe.skipIf(!browser).each([1200, 390])('at a width of %i pixels', (width) => {
  it('no page is wider than the screen, and axe finds nothing', async () => {
    const { page, said } = await open({ width, inspect: true });
    const found: string[] = [];
    const look = async (name: string) => {
      found.push(...(await axeFindings(page)).map((finding) => `${name}: ${finding}`));
      if ((await page.evaluate('document.documentElement.scrollWidth')) !== width) found.push(`${name} is too wide`);
    };
    for (const path of PATHS) {
      await page.goto(at(path));
      await look(path);
      if (!path.includes('?q=')) continue;
      // Beside the hits on a wide screen, behind a line to open on a narrow one.
      const form = page.locator('.facets a', { hasText: /^10-K$/ });
      expect([path, await form.isVisible()]).toEqual([path, width > 390]);
      if (width === 390) await page.click('.facets summary');
      await look(`${path}, opened`);
      await form.click();
      await page.waitForURL(/form=10-K/);
    }
    const email = `axe-${width}@example.org`;
    await desk.register.create(email, null, 'research', 'operator', new Date());
    await page.goto(at(await desk.logInLink(email, new Date())));
    await look('link');
    await page.click('main button');
    await page.click('text=Make a key');
    await look('account with a new key');
    await page.goto(at('/plans'));
    await look('plans, logged in');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(at('/account'));
    await look('account, dark');
    await page.goto(at(`/filings/${FORM4}`));
    await look('a form, dark');
    expect(found).toEqual([]);
    expect(said.filter((line) => !line.includes('404'))).toEqual([]);
    await page.context().close();
  });
});
