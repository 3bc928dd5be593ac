/** The drill of docs/guide/running-a-service.md#a-release-with-another-catalog: two releases serve beside each other, there and back. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { checkCatalog, ingest } from '../../../src/service/catalog/index.ts';
import { easternTime } from '../../../src/service/edgar-sync/clock.ts';
import { temporaryFolder, txtOf } from '../../support/catalog/synthetic-filings.ts';
import { commandLine } from '../../support/command-line.ts';
import { CHECKOUT, WalkedCopy } from '../../support/walks/walk.ts';
import { LocalEdgar } from '../integration/edgar-sync/local-edgar.ts';

/** The same code with version 11 of the catalog's tables. */
const next = new WalkedCopy([
  { 'src/service/catalog/store/schema.ts': [{ before: '1;\n\n/** Waiting for the one', insert: '1' }] },
]);
const edgar = await LocalEdgar.start();
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await edgar.close();
  next.remove();
});

const root = temporaryFolder();
const [files, old, made] = [join(root, 'files'), join(root, 'catalog'), join(root, 'next')];
const numberOf = (n: number) => `0000000007-24-${String(n).padStart(6, '0')}`;

function writeFiling(n: number): string {
  const path = join(files, `${numberOf(n)}.txt`);
  const parties = [{ cik: '7', name: 'SAMPLE CORP', state: 'DE' }];
  const filing = {
    accession: numberOf(n),
    form: '8-K',
    date: '2024-07-02',
    parties,
    documents: [{ content: `Text ${n}.` }],
  };
  writeFileSync(path, txtOf(filing));
  return path;
}

async function serve(release: string, catalog: string): Promise<{ url: string; server: ChildProcess }> {
  const args = ['src/cli/main.ts', 'serve', '--catalog', catalog, '--port', '0', '--threads', '2', '--json'];
  const server = spawn(process.execPath, args, { cwd: release, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(server);
  const [line] = (await once(server.stdout!.setEncoding('utf8'), 'data')) as [string];
  return { url: (JSON.parse(line) as { url: string }).url, server };
}

/** `edgar follow` of a release, into its catalog. */
function follow(release: string, catalog: string): ChildProcess {
  const args = ['src/cli/main.ts', 'edgar', 'follow', '--catalog', catalog, '--interval', '1s'];
  const env = {
    ...process.env,
    FILINGLAKE_HOME: join(root, 'home'),
    FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
    FILINGLAKE_EDGAR_URL: edgar.url,
  };
  const follower = spawn(process.execPath, args, { cwd: release, stdio: 'ignore', env });
  running.push(follower);
  return follower;
}

let published = 0;
function publish(): void {
  const acceptedAt = Date.now();
  edgar.publish({
    accession: `0000000007-26-${String(++published).padStart(6, '0')}`,
    form: '8-K',
    filingDate: easternTime(acceptedAt).date,
    acceptedAt,
    text: `New text ${published}.`,
    parties: [{ cik: '7', name: 'SAMPLE CORP', role: 'Filer' }],
  });
}

function filingsOf(catalog: string): number {
  const db = new DatabaseSync(join(catalog, 'catalog.db'), { readOnly: true });
  const { n } = db.prepare('SELECT count(*) AS n FROM filings').get() as { n: number };
  db.close();
  return n;
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

it('no request and no new filing is lost, answered wrongly or counted twice while a release with other tables takes over, and back', async () => {
  mkdirSync(files);
  for (let n = 1; n <= 20; n++) writeFiling(n);
  await ingest([files], old, { threads: 0 });
  const { stdout } = await commandLine(['keys', 'create', '--plan', 'research', '--catalog', old]);
  const [key] = /fl_[\w-]+/.exec(stdout)!;
  const oldFollower = follow(CHECKOUT, old);

  // The part of a proxy: new requests go to `to`.
  let to = await serve(CHECKOUT, old);
  const first = to;
  const wrong: string[] = [];
  const served = new Map<string, number>();
  let asked = 0;
  let isOver = false;
  const caller = async (k: number) => {
    for (let n = k; !isOver; n = (n % 20) + 1) {
      asked++;
      const { url } = to;
      const { statusCode, body } = await request(
        `${url}/v2/filing_info?accession_number=${numberOf(n)}&api_key=${key}`,
      );
      const record = (await body.json()) as { accession_number?: string };
      if (statusCode !== 200 || record.accession_number !== numberOf(n))
        wrong.push(`${statusCode} ${JSON.stringify(record)}`);
      served.set(url, (served.get(url) ?? 0) + 1);
      if (k === 1 && published < 99) publish();
      await delay(150);
    }
  };
  const callers = [1, 8].map(caller);
  const answeredBy = (url: string, least: number) =>
    expect.poll(() => served.get(url) ?? 0, { timeout: 60_000 }).toBeGreaterThanOrEqual(least);

  // The new release refuses the old catalog, and changes nothing in it.
  const refused = await next.run('src/cli/main.ts', 'catalog', 'check', '--catalog', old);
  expect(refused.output).toContain('has version 1; this filinglake reads version 11');
  // Its own is made beside, from the same files, and has the same accounts.
  const ingested = await next.run('src/cli/main.ts', 'ingest', files, '--catalog', made, '--threads', '1');
  expect(ingested.status, ingested.output).toBe(0);
  symlinkSync(join(old, 'accounts.db'), join(made, 'accounts.db'));
  const newFollower = follow(next.folder, made);
  const second = await serve(next.folder, made);
  to = second;
  await answeredBy(second.url, 10);
  await stop(first.server);

  const again = await serve(CHECKOUT, old);
  to = again;
  await answeredBy(again.url, 5);
  await stop(second.server);
  isOver = true;
  await Promise.all(callers);
  expect(wrong).toEqual([]);
  // What EDGAR published meanwhile is in both: going back loses none.
  expect(published).toBeGreaterThan(20);
  for (const catalog of [old, made])
    await expect.poll(() => filingsOf(catalog), { timeout: 60_000 }).toBe(20 + published);
  for (const follower of [oldFollower, newFollower]) await stop(follower);
  const { body } = await request(`${again.url}/v2/filing_lookup?to=0&api_key=${key}`);
  const usage = (await (await request(`${again.url}/v2/usage?api_key=${key}`)).body.json()) as Record<string, unknown>;
  expect(await body.json()).toMatchObject({ count: 20 + published });
  expect(JSON.stringify(usage)).toContain(`"requests":${asked + 1}`);
  await stop(again.server);
  expect(checkCatalog(old)).toMatchObject({ ok: true, filings: 20 + published });

  // For good: the accounts move to the new catalog.
  expect(existsSync(join(old, 'accounts.db-wal'))).toBe(false);
  rmSync(join(made, 'accounts.db'));
  renameSync(join(old, 'accounts.db'), join(made, 'accounts.db'));
  const last = await serve(next.folder, made);
  const kept = await request(`${last.url}/v2/usage?api_key=${key}`);
  expect(JSON.stringify(await kept.body.json())).toContain(`"requests":${asked + 1}`);
  await stop(last.server);
});
