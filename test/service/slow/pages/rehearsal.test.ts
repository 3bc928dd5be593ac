/**
 * The whole way of a user, with real commands and a browser: sign up, get a key, export, meet the limit, upgrade, continue, cancel.
 * `FILINGLAKE_TRANSCRIPT=FILE` writes down the steps: docs/guide/accounts.md has a transcript.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { writeSample } from '../../../../src/cli/sample/index.ts';
import { readSettings } from '../../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../../src/export/runtime/index.ts';
import { ingest } from '../../../../src/service/catalog/index.ts';
import { mailsIn, PASSWORD } from '../../../support/accounts/made-desk.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { startBrowser } from '../../../support/pages/browser.ts';
import { temporalExecutable } from '../../../support/temporal.ts';
import { type Command, contentsOf, runCommand } from '../../../support/test-stack.ts';

const FILINGS = 30;
const FREE_REQUESTS = 20;
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const browser: Browser | null = temporalExecutable ? await startBrowser() : null;
let serve: Command | null = null;
/** Held, so that the commands need not start one each. */
let temporal: TemporalSession | null = null;
afterAll(async () => {
  await browser?.close();
  serve?.process.kill('SIGTERM');
  await serve?.ended;
  await temporal?.release();
});

const PLANS = `pricing_url: /plans
sign_up: free
plans:
  free: { requests_per_month: ${FREE_REQUESTS}, bytes_per_month: null, price: free, description: to try }
  research: { requests_per_month: 20000, bytes_per_month: null, price: 40 USD a month, description: for a thesis }
`;

function write(step: string, ...lines: (string | null)[]): void {
  const file = process.env.FILINGLAKE_TRANSCRIPT;
  if (file) appendFileSync(file, [step, ...lines.filter((line) => line !== null), ''].join('\n'));
}

let apiKey = '';
/** @returns its exit code and what it printed */
async function run(...args: string[]): Promise<{ code: number | null; text: string }> {
  const command = runCommand(args, { FILINGLAKE_HOME: at('home'), FILINGLAKE_API_KEY: apiKey });
  let printed = '';
  command.process.stdout!.on('data', (data: Buffer) => {
    printed += data.toString();
  });
  const code = await command.ended;
  const text = (printed + command.stderr()).replaceAll(`${folder}/`, '');
  write(`$ filinglake ${args.join(' ').replaceAll(`${folder}/`, '')}`, text.trimEnd(), `exit code ${code}`);
  return { code, text };
}

it.skipIf(!browser)('a user signs up, exports, meets the limit, upgrades, continues and cancels', async () => {
  writeFileSync(at('plans.yaml'), PLANS);
  await writeSample({ out: at('files'), filings: FILINGS, seed: 7 });
  await ingest([at('files')], at('catalog'), { threads: 0 });
  temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: at('home') }));
  const plans = ['--catalog', at('catalog'), '--plans', at('plans.yaml')];
  serve = runCommand(['serve', ...plans, '--port', '0', '--json', '--threads', '2'], {});
  const { url } = (await serve.event((event) => 'url' in event)) as { url: string };

  const page = await (await browser!.newContext({ javaScriptEnabled: false })).newPage();
  const said = async () => (await page.textContent('[role=status]'))!.trim();
  await page.goto(`${url}/account`);
  await page.fill('#sign-up-email', 'ada@example.org');
  await page.fill('#sign-up-password', PASSWORD);
  await page.click('button:text("Make an account")');
  write('[browser: sign up on /account]', await said());
  await expect.poll(() => mailsIn(at('catalog')).length).toBe(1);
  await page.goto(/http\S+/.exec(mailsIn(at('catalog'))[0]!.text)![0]);
  await page.fill('#password', PASSWORD);
  await page.click('text=Make the account');
  await page.fill('#key-name', 'thesis');
  await page.click('text=Make a key');
  apiKey = (await page.textContent('#new-key'))!;
  write('[browser: open the link of the mail, make the key “thesis”]', `${apiKey.slice(0, 11)}…`);

  const definition = `name: thesis
service: { base_url: ${url} }
select: {}
tables: [filings, documents, sections]
lake: ${at('lake')}
`;
  writeFileSync(at('export.yaml'), definition);
  const limited = await run('export', at('export.yaml'), '--no-wait');
  expect([limited.code, limited.text]).toEqual([6, expect.stringMatching(/quota|month/)]);

  await page.goto(`${url}/plans`);
  await page.click('[aria-label="Choose the plan research"]');
  write('[browser: choose the plan “research” on /plans]', await said());
  const granted = await run('accounts', 'requests', 'ada@example.org', '--grant', ...plans);
  expect(granted).toEqual({ code: 0, text: 'ada@example.org: research\n' });
  const continued = await run('export', at('export.yaml'));
  expect(continued.code).toBe(0);
  expect((await contentsOf(at('lake'))).filings).toHaveLength(FILINGS);

  await page.goto(`${url}/account`);
  const usage = (await page.textContent('.figures'))!.replace(/\s+/g, ' ').trim();
  write('[browser: /account]', usage);
  // What the free month had is used, and stays used.
  expect(Number(/([\d,]+) requests, of 20,000/.exec(usage)![1]!.replace(',', ''))).toBeGreaterThan(FREE_REQUESTS);
  await page.click('text=Cancel the plan');
  expect(await said()).toMatch(/The plan 'free' holds from \d{4}-\d\d-01 on/);
  write('[browser: cancel]', await said());
});
