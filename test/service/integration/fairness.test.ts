/** No caller can stop the others: deadlines, lanes, fair shares, jobs that nobody waits for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect } from 'vitest';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { Catalog, ingest } from '../../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../../src/service/index.ts';
import { FairLine } from '../../../src/service/readers/fair-line.ts';
import { temporaryFolder, txtOf } from '../../support/catalog/synthetic-filings.ts';
import { PLANS } from '../../support/service/running-service.ts';
import { IN_SLOW_TIER, quickIt as it, quickDescribe, slowDescribe, slowIt } from '../../support/tier-cases.ts';

const SLOW = '0000000001-20-000001';
const SMALL = '0000000001-20-000002';
const DEADLINE_MS = 6_000;

let service: RunningService;
let accounts: KeyRegister;
let folder: string;
let keys: string[];
beforeAll(async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'files'));
  const party = { cik: '16', name: 'SLOW CO' };
  const report = { type: '10-K', filename: 'a.txt', content: `Item 1. Business\n${'We sell widgets.\n'.repeat(50)}` };
  // Sections of an exhibit are found on request: minutes of work in this one. The quick tier never asks for them.
  const slow = { type: 'EX-99', filename: 'b.txt', content: '3\n'.repeat(IN_SLOW_TIER ? 6_000_000 : 100) };
  const head = { form: '10-K', parties: [party] };
  const submissions = [
    { ...head, accession: SLOW, date: '2020-01-02', documents: [report, slow] },
    { ...head, accession: SMALL, date: '2020-01-03', documents: [report] },
  ];
  for (const submission of submissions) {
    writeFileSync(join(root, 'files', `${submission.accession}.txt`), txtOf(submission));
  }
  folder = join(root, 'catalog');
  const { failures } = await ingest([join(root, 'files')], folder, { threads: 0 });
  expect(failures).toEqual([]);
  accounts = KeyRegister.open(folder, PLANS);
  keys = [0, 1, 2].map(() => accounts.createKey('unlimited').api_key);
  service = await started(DEADLINE_MS);
});
const started = (deadlineMs: number) =>
  startService({ catalogFolder: folder, port: 0, plans: PLANS, limits: { readerThreads: 2, deadlineMs } });
afterAll(async () => {
  await service.close();
  accounts.close();
});

async function ask(path: string, key: string, signal?: AbortSignal) {
  const startedAt = performance.now();
  const answer = await request(`${service.url}/v2/${path}`, {
    headers: { 'x-api-key': key },
    ...(signal ? { signal } : {}),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - startedAt };
}

const PATIENT = { timeout: 120_000, interval: 50 };
const busy = () => metric(/reader_threads\{state="busy"\} (\d+)/);
const waiting = () => metric(/waiting_jobs\{lane="long"\} (\d+)/);

const slowSections = (key: string, signal?: AbortSignal) =>
  ask(`filing_sections?document_id=${SLOW}-2&form_type=10-Q`, key, signal);

async function metric(pattern: RegExp): Promise<number> {
  const text = await (await request(`${service.url}/metrics`)).body.text();
  return Number(pattern.exec(text)![1]);
}

slowDescribe('while slow jobs take every place that they may have', () => {
  slowIt(
    'short look-ups are answered meanwhile, and the slow ones at their deadline, which costs no quota',
    async () => {
      const limited = accounts.createKey('free');
      let ended = 0;
      const slow = [keys[0]!, keys[0]!, limited.api_key].map((key) => slowSections(key).finally(() => ended++));
      await expect.poll(async () => [await waiting(), await busy()], PATIENT).toEqual([2, 1]);
      // In the same line these would come after the slow ones.
      const info = await ask(`filing_info?accession_number=${SMALL}`, keys[1]!);
      const lookup = await ask('filing_lookup?to=1', keys[1]!);
      expect([info.status, lookup.status, ended]).toEqual([200, 200, 0]);
      for (const answer of await Promise.all(slow)) {
        expect(answer.status).toBe(503);
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        expect(answer.text).toContain('filing_sections ran past its limit of 6 s');
        // Without it the job would take minutes.
        expect(answer.ms).toBeLessThan(DEADLINE_MS * 10);
      }
      // A deadline counts nothing against the month.
      const used = accounts.listKeys().find(({ prefix }) => prefix === limited.prefix)!;
      expect([used.requests, used.bytes]).toEqual([0, 0]);
      // The time of the threads counts for the keys that used them.
      const work = async (key: string) =>
        (JSON.parse((await ask('usage', key)).text) as { work_seconds: number }).work_seconds;
      const both = async () => (await work(keys[0]!)) + (await work(limited.api_key));
      await expect.poll(both, PATIENT).toBeGreaterThan(1);
      // The thread that could not let go was replaced: long jobs run again.
      const next = await ask(`filing_sections?accession_number=${SMALL}`, keys[1]!);
      expect(next.status).toBe(200);
    },
  );
});

slowDescribe('a job whose caller has left', () => {
  // A service that would let it run for longer than the test waits.
  beforeAll(async () => {
    await service.close();
    service = await started(600_000);
  });

  slowIt('is ended if it runs, and dropped if it waits', async () => {
    const replaced = () => metric(/reader_threads_replaced_total (\d+)/);
    // A thread that has not seen its job yet drops it, and is not replaced: then the callers come again, and stay longer.
    for (let attempt = 1; (await replaced()) === 0; attempt++) {
      const leaving = new AbortController();
      const asked = [0, 1, 2, 3].map(() => slowSections(keys[0]!, leaving.signal).catch(() => null));
      await expect.poll(async () => [await waiting(), await busy()], PATIENT).toEqual([3, 1]);
      await pause(100 * attempt);
      leaving.abort();
      await Promise.all(asked);
      await expect.poll(waiting, PATIENT).toBe(0);
      await expect.poll(busy, PATIENT).toBe(0);
    }
    // It did not come to its end: its thread was replaced.
    expect(await replaced()).toBe(1);
    const { work_seconds } = JSON.parse((await ask('usage', keys[0]!)).text) as { work_seconds: number };
    expect(work_seconds).toBeGreaterThan(0.05);
    expect((await ask(`filing_sections?accession_number=${SMALL}`, keys[1]!)).status).toBe(200);
  });
});

quickDescribe('a long query', () => {
  it.each([
    ['entity_lookup', (catalog: Catalog) => catalog.entityLookup({ name_includes: ['S'] })],
    ['filing_lookup', (catalog: Catalog) => catalog.filingLookup({ form_types: ['10-K'] })],
    ['fulltext_search', (catalog: Catalog) => catalog.fulltextSearch({ query: 'widgets' })],
    ['fulltext_search by score', (catalog: Catalog) => catalog.fulltextSearch({ query: 'widgets', sort_by: '_score' })],
  ])('can be ended in SQLite itself: %s', (_name, run) => {
    let wanted = true;
    const stillWanted = () => {
      if (!wanted) throw new Error('no longer wanted');
    };
    const catalog = Catalog.open(folder, { stillWanted });
    run(catalog);
    wanted = false;
    expect(() => run(catalog)).toThrow('no longer wanted');
    wanted = true;
    expect(() => run(catalog)).not.toThrow();
    catalog.close();
  });

  it.each([
    ["8 different beginnings of words ('*')", 40, (i: number) => `${letters(i)}*`, ' OR '],
    ['64 different words and phrases', 200, (i: number) => `w${i}`, ' OR '],
    ['64 different words and phrases', 20, (i: number) => `NEAR(the of and to in a, ${i + 1})`, ' '],
  ])('of more work than the limit is refused by name: %s', async (limit, count, term, between) => {
    const query = Array.from({ length: count }, (_, i) => term(i)).join(between);
    const path = `fulltext_search?query_type=query_string&query=${encodeURIComponent(query)}`;
    const answer = await ask(path, keys[0]!);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`at most ${limit}`)]);
  });
});

const letters = (i: number) => String.fromCharCode(97 + (Math.floor(i / 26) % 26), 97 + (i % 26));

quickDescribe('the line of jobs', () => {
  it('gives every key its turn, however many jobs one has', () => {
    const line = new FairLine<{ key: string; n: number }>();
    for (let n = 0; n < 100; n++) line.push({ key: 'many', n });
    line.push({ key: 'one', n: 0 });
    line.push({ key: 'two', n: 0 });
    const taken = Array.from({ length: 6 }, () => line.take()!);
    expect(taken.map(({ key }) => key)).toEqual(['many', 'one', 'two', 'many', 'many', 'many']);
    expect(taken.filter(({ key }) => key === 'many').map(({ n }) => n)).toEqual([0, 1, 2, 3]);
    expect(line.length).toBe(96);
    expect(line.take((key) => key !== 'many')).toBeUndefined();
  });
});
